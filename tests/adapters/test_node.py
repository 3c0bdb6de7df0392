"""The Node.js adapter: transcripts, values by hand, hostile bytes, depth."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.adapters.client import frame, frames, hello, run, talk
from tests.adapters.started import (
    ADAPTERS,
    canary_failures,
    greeting,
    outcome,
    outcomes,
    parse,
    start,
    wrong_vectors,
)

KEYS = ["node/json", "node/json-lossy"]
NO = "reject parse SyntaxError"
NO_UTF8 = "reject decode ERR_ENCODING_INVALID_ENCODED_DATA"

# By hand: ECMA-262's JSON.parse and binary64; the Encoding Standard's decoder.
BOTH = [
    (b'{"quantity":2,"quantity":20}', '{"quantity":20.0}'),
    (b'{"a":1,"b":2,"a":3}', '{"a":3.0,"b":2.0}'),
    (b'{"b":0,"10":1,"9":2}', '{"9":2.0,"10":1.0,"b":0.0}'),
    (
        b'{"__proto__":1,"constructor":{"__proto__":null}}',
        '{"__proto__":1.0,"constructor":{"__proto__":null}}',
    ),
    (b"[-0,0.0,20,1e400,-1e400,1e-400]", "[-0.0,0.0,20.0,Infinity,-Infinity,0.0]"),
    (
        b"[9007199254740993,1e21,123456789012345680000,1e-7]",
        "[9007199254740992.0,1e+21,1.2345678901234568e+20,1e-07]",
    ),
    (b'["\\ud800","\\udc00\\ud800","\\ud83d\\ude00"]', '["\\ud800","\\udc00\\ud800","\\ud83d\\ude00"]'),
    ('["\u2028\u2029\u007f"]'.encode(), '["\\u2028\\u2029\\u007f"]'),
    (b'"\\u0000\\u001f\\"\\\\\\/"', '"\\u0000\\u001f\\"\\\\/"'),
    (b"\xef\xbb\xbf[1]", NO),
    (b"", NO),
    (b"[1]\x00", NO),
    (b'"a\tb"', NO),
    (b"9" * 4301, "Infinity"),
]
OWN = {
    "node/json": [
        (b'"\xff"', NO_UTF8),
        (b'"\xed\xa0\x80"', NO_UTF8),
        (b'"\xc0\xaf"', NO_UTF8),
        (b"\xff\xfe1\x00", NO_UTF8),
        (b'{"\xff":1,"\xfe":2}', NO_UTF8),
    ],
    "node/json-lossy": [
        (b'"\xff"', '"\\ufffd"'),
        (b'"\xed\xa0\x80"', '"\\ufffd\\ufffd\\ufffd"'),
        (b'"\xc0\xaf"', '"\\ufffd\\ufffd"'),
        (b"\xff\xfe1\x00", NO),
        (b'{"\xff":1,"\xfe":2}', '{"\\ufffd":2.0}'),
    ],
}


@pytest.mark.parametrize("key", KEYS)
def test_values_worked_out_by_hand(key: str) -> None:
    rows = [*BOTH, *OWN[key]]
    assert outcomes(key, "node", *(data for data, _ in rows)) == [want for _, want in rows]


@pytest.mark.parametrize("key", KEYS)
def test_canaries(key: str) -> None:
    assert canary_failures(key, "node") == []


@pytest.mark.parametrize("key", KEYS)
def test_notation_vectors(key: str) -> None:
    assert wrong_vectors(key, "node", "doubles") == []


def test_transcript() -> None:
    argv = start("node/json", "node").argv
    sent = (
        b'parse 1 28\n{"quantity":2,"quantity":20}\n'
        b"batch 2 37\nparse 3 1\n1\nemit 4 5\n[1.0]\nbind 5 0\n\n\n"
        b"parse 6 1\n{\n"
        b"bye 7 0\n\n"
    )
    out = talk(argv, greeting("node/json") + sent)
    ready = frames(out)[0]
    lines = ready.text.splitlines()
    assert (ready.verb, ready.sequence, lines[0]) == ("ready", 0, "protocol 1")
    assert [line.split(" ")[:2] for line in lines[1:3]] == [["runtime", "Node.js"], ["library", "V8"]]
    assert lines[3:] == ["capability parse", "capability emit"]
    *said, last = frames(out)[1:]
    assert [(one.verb, one.sequence, one.body) for one in said] == [
        ("accept", 1, b'{"quantity":20.0}'),
        ("accept", 3, b"1.0"),
        ("accept", 4, b"[1]"),
        ("unsupported", 5, b"no bind"),
    ]
    assert (last.verb, last.sequence, outcome(last)) == ("reject", 6, NO)


def test_refuses_what_it_does_not_speak() -> None:
    argv = start("node/json", "node").argv
    assert talk(argv, hello("node/json", "json", protocol=2)).startswith(b"fault 0 43\nProtocolMismatch ")
    assert talk(argv, hello("node/json", "nothing")).startswith(b"fault 0 ")


def test_every_answer_outside_a_batch_is_flushed() -> None:
    launched = start("node/json", "node")
    with subprocess.Popen(
        launched.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=launched.env
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(greeting("node/json") + frame("parse", 1, b"[]"))
        worker.stdin.flush()
        head = worker.stdout.readline().split()
        worker.stdout.read(int(head[2]) + 1)
        assert worker.stdout.readline() + worker.stdout.readline() == b"accept 1 2\n[]\n"
        worker.stdin.close()
    assert worker.returncode == 0


@pytest.mark.parametrize("key", KEYS)
def test_every_byte_and_large_bodies_come_back(key: str) -> None:
    inputs = [bytes([byte]) for byte in range(256)]
    digits = {ord(str(digit)): f"{digit}.0" for digit in range(10)}
    high = NO_UTF8 if key == "node/json" else NO
    want = [digits.get(byte, NO if byte < 128 else high) for byte in range(256)]
    assert outcomes(key, "node", *inputs) == want
    big = ["\u00e9" * 500_000, "x" * 1_000_000, '\n"' * 300_000]
    escaped = ["\\u00e9" * 500_000, "x" * 1_000_000, '\\n\\"' * 300_000]
    sent = [b'"' + text.replace('\n"', '\\n\\"').encode() + b'"' for text in big]
    assert outcomes(key, "node", *sent, b"1") == [f'"{text}"' for text in escaped] + ["1.0"]


def test_a_million_levels_travel() -> None:
    inputs = [b"[" * 1_000_000 + b"]" * 1_000_000, b'{"a":' * 200_000 + b"1" + b"}" * 200_000, b"[" * 500_000]
    arrays, objects, unclosed = parse("node/json", "node", inputs)
    assert (arrays.verb, arrays.body == inputs[0]) == ("accept", True)
    assert objects.body == b'{"a":' * 200_000 + b"1.0" + b"}" * 200_000
    assert outcome(unclosed) == NO


def test_emit_is_the_library_s_own_text_and_its_failure_no_rejection() -> None:
    inputs = [b'{"b":1.50,"a":"\xc3\xa9\\u2028"}', b"[" * 100_000 + b"]" * 100_000, b"{"]
    written, deep, broken = parse("node/json", "node", inputs, "emit")
    assert written.body == '{"b":1.5,"a":"\u00e9\u2028"}'.encode()
    assert outcome(deep) == "fault RangeError"
    assert outcome(broken) == NO


def test_an_error_that_is_not_listed_is_a_fault() -> None:
    argv = start("node/json", "node").argv
    out = talk(argv, hello("node/json", "json", ["RangeError"]) + frame("parse", 1, b"{") + frame("bye", 2))
    assert outcome(frames(out)[1]) == "fault SyntaxError"


def test_messages_are_one_line_of_printable_ascii() -> None:
    for answer in parse(
        "node/json", "node", ['"\u2028\x1b[31m\n'.encode() * 400, b"[\x00\x7f]", "é".encode()]
    ):
        assert answer.verb == "reject"
        assert len(answer.body) <= 320
        assert all(32 <= byte < 127 for byte in answer.body)


def test_stray_output_does_not_meet_the_frames(tmp_path: Path) -> None:
    launched = start("node/json", "node")
    kit = ADAPTERS / "node" / "kit.mjs"
    noisy = tmp_path / "worker.mjs"
    noisy.write_text(
        f"import {{ serve }} from {str(kit)!r};\nimport fs from 'node:fs';\n"
        "const read = (bytes) => { console.log('1 2 3'); process.stdout.write('x\\n');"
        " fs.writeSync(1, 'y\\n'); return JSON.parse(bytes.toString()); };\n"
        "serve({ json: () => ({ identity: [], read, write: JSON.stringify }) });\n"
    )
    sent = greeting("node/json") + frame("parse", 1, b"[]") + frame("parse", 2, b"{}") + frame("bye", 3)
    ended = run([launched.argv[0], str(noisy)], sent)
    assert [(one.verb, one.body) for one in frames(ended.out)[1:]] == [("accept", b"[]"), ("accept", b"{}")]
    assert ended.err.count(b"y\n") == 2


def test_the_kit_renders_what_other_libraries_return() -> None:
    launched = start("node/json", "node")
    notation = ADAPTERS / "node" / "notation.mjs"
    script = (
        f"import {{ render }} from {str(notation)!r};\n"
        "class Money {}\n"
        "class Big { constructor(digits) { this.digits = digits; } }\n"
        "const spell = (v) => (v instanceof Big ? `D${v.digits}` : undefined);\n"
        "console.log(render([1n, -(2n ** 70n), undefined, NaN, new Date(0), new Map(), new Money(),"
        " Object.assign(Object.create(null), { a: -0 }), [ , 1], Symbol('s'), () => 1, new Big('1.10')],"
        " spell));"
    )
    done = subprocess.run(
        [launched.argv[0], "--input-type=module", "-e", script], capture_output=True, check=True, text=True
    )
    assert done.stdout == (
        '[1,-1180591620717411303424,X"undefined",NaN,X"Date",X"Map",X"Money",{"a":-0.0},'
        '[X"undefined",1.0],X"Symbol",X"Function",D1.10]\n'
    )


def test_an_object_whose_prototype_came_from_the_document_is_said_to_be_one() -> None:
    """Some parsers assign the member `__proto__`; what it holds must not be called either."""
    launched = start("node/json", "node")
    notation = ADAPTERS / "node" / "notation.mjs"
    documents = ["{}", '{"constructor":{"name":{"toString":1}}}', "[1]", '{"constructor":null}']
    script = (
        f"import {{ render }} from {str(notation)!r};\n"
        f"for (const text of {documents!r}) console.log(render({{ __proto__: JSON.parse(text) }}));"
    )
    done = subprocess.run(
        [launched.argv[0], "--input-type=module", "-e", script], capture_output=True, check=True, text=True
    )
    assert done.stdout == 'X"Object:prototype replaced"\n' * len(documents)


def test_the_locale_changes_nothing() -> None:
    inputs = [data for data, _ in BOTH]
    base = [one.body for one in parse("node/json", "node", inputs)]
    for locale in ("C", "C.UTF-8", "tr_TR.UTF-8"):
        assert [one.body for one in parse("node/json", "node", inputs, env={"LC_ALL": locale})] == base


def test_the_kit_stays_small() -> None:
    lines = [
        line
        for name in ("kit.mjs", "notation.mjs", "packages.mjs")
        for line in (ADAPTERS / "node" / name).read_text().splitlines()
    ]
    assert sum(1 for line in lines if line.strip() and not line.lstrip().startswith("//")) < 150


def test_a_pipe_made_non_blocking_is_waited_for() -> None:
    launched = start("node/json", "node")
    inner, outer = os.pipe()
    os.set_blocking(inner, False)
    with subprocess.Popen(launched.argv, stdin=inner, stdout=subprocess.PIPE, env=launched.env) as worker:
        os.close(inner)
        assert worker.stdout is not None
        sent = greeting("node/json") + frame("parse", 1, b'"' + b"x" * 900 + b'"')
        for at in range(0, len(sent), 300):
            time.sleep(0.05)
            os.write(outer, sent[at : at + 300])
        os.close(outer)
        out = worker.stdout.read()
    assert frames(out)[1].body == b'"' + b"x" * 900 + b'"'
    assert worker.returncode == 0
