"""The Ruby adapter on native Ruby and on CRuby as WebAssembly: one source, the same promises."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.adapters.client import ask, frame, frames, hello, ready, run, talk
from tests.adapters.started import (
    ADAPTERS,
    WAYS,
    canary_failures,
    greeting,
    outcome,
    outcomes,
    parse,
    start,
    vectors,
    wrong_vectors,
)

RUBIES = ["native", "wasm"]
NO = "reject parse JSON::ParserError"
TOO_DEEP = "reject parse JSON::NestingError"
KEY, UNIQUE, DEEP = "ruby/json", "ruby/json-unique", "ruby/json-deep"
ERRORS = ["JSON::ParserError", "JSON::NestingError"]

# By hand, for every version of the gem: its documentation, RFC 8259, binary64.
ROWS = [
    (b'{"quantity":2,"quantity":20}', '{"quantity":20}'),
    (b'{"a":1,"b":2,"\\u0061":3}', '{"a":3,"b":2}'),
    (b'{"10":1,"9":2,"__proto__":null}', '{"10":1,"9":2,"__proto__":null}'),
    (b"[-0,-0.0,20,20.0,1e2]", "[0,-0.0,20,20.0,100.0]"),
    (b"[18446744073709551616,9007199254740993]", "[18446744073709551616,9007199254740993]"),
    (b"[1e16,1e23,1e-7,5e-324,1e400,-1e400]", "[1e+16,1e+23,1e-07,5e-324,Infinity,-Infinity]"),
    (b'"\\ud83d\\ude00\\u0000\\/\\u007f"', '"\\ud83d\\ude00\\u0000/\\u007f"'),
    ('["\u2028\u007f\u00e9",{"\U0001f600":[]}]'.encode(), '["\\u2028\\u007f\\u00e9",{"\\ud83d\\ude00":[]}]'),
    (b'["a\xff",{"\xc0\xaf":"\xed\xa0\x80"}]', '[b"61ff",{b"c0af":b"eda080"}]'),
    (b"/* a comment */[1]", "[1]"),
    (b"9" * 4301, "9" * 4301),
    (b"[" * 100 + b"1" + b"]" * 100, "[" * 100 + "1" + "]" * 100),
    (b'{"a":' * 100 + b"1" + b"}" * 100, '{"a":' * 100 + "1" + "}" * 100),
    (b"[" * 101 + b"1" + b"]" * 101, TOO_DEEP),
    (b"[" * 1_000_000, TOO_DEEP),
    (b"", NO),
    (b"[1,]", NO),
    (b"[1]\x00", NO),
    (b"[NaN]", NO),
    (b"\xef\xbb\xbf1", NO),
    (b"\xff\xfe1\x00", NO),
]
# What only the gem that comes with the WebAssembly build does (json 2.18.0).
NEWER = [
    (b'"\\x41"', NO),
    (b'"\\ud83d\\u0041"', NO),
    (b"[1]//", "[1]"),
    (b"[" * 101 + b"]" * 101, "[" * 101 + "]" * 101),
]


@pytest.fixture(params=RUBIES)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_values_worked_out_by_hand(way: str) -> None:
    rows = ROWS + (NEWER if way == "wasm" else [])
    assert outcomes(KEY, way, *(data for data, _ in rows)) == [want for _, want in rows]


def test_canaries(way: str) -> None:
    assert canary_failures(KEY, way) == []


def test_notation_vectors(way: str) -> None:
    assert wrong_vectors(KEY, way, "integers") == []


def test_unique_names(way: str) -> None:
    if canary_failures(UNIQUE, way) == ['{"a":1,"a":2}']:
        version = next(
            line for line in ready(start(KEY, way).argv, greeting(KEY)).text.splitlines() if "library" in line
        )
        assert tuple(map(int, version.split(" ")[2].split("."))) < (2, 13, 0)  # the canary makes it absent
        return
    inputs = [
        b'{"a":1,"b":{"a":2}}',
        b'{"a":1,"a":1}',
        b'[{"x":{"\\u0061":1,"a":2}}]',
        b'{"a":1,"A":2}',
        b"{",
    ]
    assert outcomes(UNIQUE, way, *inputs) == ['{"a":1,"b":{"a":2}}', NO, NO, '{"a":1,"A":2}', NO]


def test_the_gem_in_webassembly_knows_unique_names() -> None:
    assert canary_failures(UNIQUE, "wasm") == []


def test_transcript(way: str) -> None:
    sent = (
        b'parse 1 28\n{"quantity":2,"quantity":20}\n'
        b"batch 2 37\nparse 3 1\n1\nemit 4 5\n[1.0]\nbind 5 0\n\n\n"
        b"parse 6 1\n{\n"
        b"bye 7 0\n\n"
    )
    first, *said, last = frames(talk(start(KEY, way).argv, greeting(KEY) + sent))
    lines = first.text.splitlines()
    assert (first.verb, first.sequence, lines[0]) == ("ready", 0, "protocol 1")
    assert [line.split(" ")[:2] for line in lines[1:3]] == [["runtime", "CRuby"], ["library", "json"]]
    assert "detail parser=JSON::Ext::Parser" in lines
    assert ("detail engine=WebAssembly" in lines) == (way == "wasm")
    assert all(Path(line[5:]).is_file() for line in lines if line.startswith("file "))
    assert [(one.verb, one.sequence, one.body) for one in said] == [
        ("accept", 1, b'{"quantity":20}'),
        ("accept", 3, b"1"),
        ("accept", 4, b"[1.0]"),
        ("unsupported", 5, b"no bind"),
    ]
    assert (last.verb, last.sequence, outcome(last)) == ("reject", 6, NO)


def test_refuses_what_it_does_not_speak(way: str) -> None:
    argv = start(KEY, way).argv
    assert (
        talk(argv, hello(KEY, "json", protocol=2))
        == b"fault 0 43\nProtocolMismatch this kit speaks protocol 1\n"
    )
    assert talk(argv, hello(KEY, "nothing")).startswith(b"fault 0 ")


def test_every_byte_and_large_bodies_come_back(way: str) -> None:
    want = [str(byte - 48) if 48 <= byte < 58 else NO for byte in range(256)]
    assert outcomes(KEY, way, *(bytes([byte]) for byte in range(256))) == want
    inside = [bytes([34, byte, 34]) for byte in range(128, 256)]
    assert outcomes(KEY, way, *inside) == [f'b"{byte:02x}"' for byte in range(128, 256)]
    sent = [('"' + "\u00e9" * 500_000 + '"').encode(), b'"' + b"x" * 1_000_000 + b'"', b"1"]
    assert outcomes(KEY, way, *sent) == ['"' + "\\u00e9" * 500_000 + '"', sent[1].decode(), "1"]


def test_deep_values_of_a_parser_without_a_limit() -> None:
    inputs = [b"[" * deep + b"]" * deep for deep in (1000, 10_000)] + [b'{"a":' * 3000 + b"1" + b"}" * 3000]
    assert [answer.body for answer in parse(DEEP, "native", inputs)] == inputs


def test_what_webassembly_cannot_carry_is_no_verdict() -> None:
    inputs = [
        b"[" * 100 + b"x",
        b"[" * 101 + b"]" * 101,
        b'["' + b"[" * 5000 + b'"]',
        b'{"a":' * 100_000,
        b"[1]",
    ]
    assert outcomes(DEEP, "wasm", *inputs) == [
        NO,
        "unsupported",
        '["' + "[" * 5000 + '"]',
        "unsupported",
        "[1]",
    ]


def test_a_vm_that_traps_is_thrown_away(tmp_path: Path) -> None:
    """Without its guard the worker meets real traps; the other cases of the batch are answered right."""
    launched = start(KEY, "wasm")
    home = Path(launched.argv[-2])
    copy = tmp_path / "ruby"
    shutil.copytree(ADAPTERS / "ruby", copy)
    source = (copy / "wasm" / "vm.mjs").read_text()
    assert "const DEEPEST = 100;" in source
    (copy / "wasm" / "vm.mjs").write_text(
        source.replace("const DEEPEST = 100;", "const DEEPEST = 100000000;")
    )
    own = tmp_path / "home"
    own.mkdir()
    (own / "package.json").write_bytes((home / "package.json").read_bytes())
    (own / "node_modules").symlink_to(home / "node_modules")
    node = [launched.argv[0], "--no-warnings"]
    subprocess.run([*node, str(copy / "wasm" / "snapshot.mjs"), str(own)], check=True, capture_output=True)
    inputs = [b'{"a":1}', b"[" * 5000 + b"x", b"[2]", b"[" * 100_000 + b"]" * 100_000, b'["\xff"]', b"{"]
    argv = [*node, str(copy / "wasm" / "worker.mjs"), str(own), "2048"]
    answers = ask(argv, hello(DEEP, "json", ERRORS, options={"max_nesting": "false"}), inputs)
    assert [outcome(one) for one in answers] == [
        '{"a":1}',
        "unsupported",
        "[2]",
        "unsupported",
        '[b"ff"]',
        NO,
    ]
    assert all("WebAssembly host ended Ruby" in answers[at].text for at in (1, 3))


def test_too_little_memory_is_no_verdict() -> None:
    launched = start(KEY, "wasm")
    argv = [*launched.argv[:-1], "400"]
    big = b'["' + b"x" * 150_000_000 + b'"]'
    for answer, want in zip(
        ask(argv, greeting(KEY), [big, b"[1]"]), ("fault unsupported", "accept"), strict=True
    ):
        assert answer.verb in want.split()


def test_emit_is_the_library_s_own_text_and_its_failure_no_rejection(way: str) -> None:
    inputs = [b'{"b":1.50,"a":"\xc3\xa9\\u2028"}', b'"\xff"', b"[1e400]", b"{"]
    written, bad, infinite, broken = parse(KEY, way, inputs, "emit")
    assert written.body == '{"b":1.5,"a":"\u00e9\u2028"}'.encode()
    assert [outcome(one) for one in (bad, infinite)] == ["fault JSON::GeneratorError"] * 2
    assert outcome(broken) == NO


def test_an_error_that_is_not_listed_is_a_fault(way: str) -> None:
    out = talk(start(KEY, way).argv, hello(KEY, "json", ["JSON::NestingError"]) + frame("parse", 1, b"{"))
    assert outcome(frames(out)[1]) == "fault JSON::ParserError"


def test_messages_are_one_line_of_printable_ascii(way: str) -> None:
    for answer in parse(KEY, way, ['"\u2028\x1b[31m\n'.encode() * 400, b"[\x00\x7f]", "é".encode()]):
        assert answer.verb == "reject"
        assert len(answer.body) <= 320
        assert all(32 <= byte < 127 for byte in answer.body)


def test_stray_output_does_not_meet_the_frames(tmp_path: Path) -> None:
    launched = start(KEY, "native")
    copy = tmp_path / "ruby"
    shutil.copytree(ADAPTERS / "ruby", copy)
    noisy = 'puts "a banner"\nSTDOUT.puts "1 2 3"\nsystem("echo from a child")\n'
    (copy / "shim.rb").write_text(noisy + (copy / "shim.rb").read_text())
    ended = run([launched.argv[0], str(copy / "worker.rb")], greeting(KEY) + frame("parse", 1, b"[]"))
    assert [(one.verb, one.body) for one in frames(ended.out)[1:]] == [("accept", b"[]")]
    assert all(text in ended.err for text in (b"a banner", b"1 2 3", b"from a child"))


@pytest.mark.parametrize("planted", [True, False])
def test_the_quick_renderer_is_dropped_where_it_is_wrong(tmp_path: Path, planted: bool) -> None:
    """Plant a generator that escapes in capitals: the values must still come out right."""
    launched = start(KEY, "native")
    script = tmp_path / "spoil.rb"
    plant = (
        "class JSON::State; prepend(Module.new { def generate(v, *r) = super.gsub(/u00e9/, 'u00E9') }); end\n"
    )
    script.write_text(
        f"require 'json'\n{plant if planted else ''}require {str(ADAPTERS / 'ruby' / 'shim.rb')!r}\n"
        "print Whichwins::Quick.fit?, Whichwins::Kit.new.instance_variable_get(:@render).write(['\u00e9'])"
    )
    done = subprocess.run([launched.argv[0], str(script)], capture_output=True, check=True, text=True)
    assert done.stdout == ("false" if planted else "true") + '["\\u00e9"]'


def test_both_renderers_agree_on_every_vector() -> None:
    launched = start(KEY, "native")
    script = (
        f"require {str(ADAPTERS / 'ruby' / 'shim.rb')!r}\n"
        "raise unless Whichwins::Quick.fit?\n"
        "while (head = STDIN.gets)\n"
        "  v = JSON.parse(STDIN.read(head.to_i).force_encoding('UTF-8')) rescue next\n"
        "  a, b = Whichwins::Quick.write(v), Whichwins::Notation.write(v)\n"
        '  a == b || abort("#{a} #{b}")\n'
        "end\nprint 'same'"
    )
    sent = b"".join(b"%d\n%s" % (len(one["data"]), one["data"]) for one in vectors())
    done = subprocess.run([launched.argv[0], "-e", script], input=sent, capture_output=True, check=False)
    assert (done.stdout, done.returncode) == (b"same", 0), done.stderr[-500:]


def test_the_iterative_writer_says_what_is_not_json() -> None:
    launched = start(KEY, "native")
    script = (
        f"require {str(ADAPTERS / 'ruby' / 'shim.rb')!r}\n"
        "v = [{1 => :a, nil => 2.5r, 'k' => Time.at(0)}]\n"
        "v += ['a'.b, \"\\xff\".b, \"\\xe9\".force_encoding('ISO-8859-1'), 0.0/0]\n"
        "print Whichwins::Notation.write(v)"
    )
    done = subprocess.run([launched.argv[0], "-e", script], capture_output=True, check=True, text=True)
    assert done.stdout == (
        '[{X"integer:1":X"Symbol",X"nilclass:":X"Rational","k":X"Time"},"a",b"ff","\\u00e9",NaN]'
    )


def test_locale_and_hash_seed_change_nothing(way: str) -> None:
    inputs = [data for data, _ in ROWS]
    base = [one.body for one in parse(KEY, way, inputs)]
    for locale in ("C", "tr_TR.UTF-8"):
        said = parse(KEY, way, inputs, env={"LC_ALL": locale, "LANG": locale})
        assert [one.body for one in said] == base


def test_both_rubies_say_the_same_where_versions_do_not_differ() -> None:
    data = [one["data"] for one in vectors()] + [row for row, _ in ROWS]
    native, wasm = outcomes(KEY, "native", *data), outcomes(KEY, "wasm", *data)
    differing = {row for row, one, other in zip(data, native, wasm, strict=True) if one != other}
    assert differing <= {b'"\\ud83d\\ud83d\\ude00"'}, differing  # json 2.6 pairs any two escapes
    assert set(RUBIES) < set(WAYS)
