"""Every way of being ill is found by the check that is meant for it, and by no other."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.doctor.patients import CANARIES, LIMITS, check, checkup, launch, subject, wrong
from whichwins.model import Canary
from whichwins.run.doctor import CHECKS, examine
from whichwins.workers import Launch, Limits

FIRST = "def names(pairs):\n    return Pairs((name, dict(reversed(pairs))[name]) for name in dict(pairs))"
IMPATIENT = Limits(case_seconds=1.5, start_seconds=20)


def test_a_healthy_worker(tmp_path: Path) -> None:
    found = checkup(tmp_path)
    assert wrong(found) == {}
    assert found.healthy
    assert found.absent is None
    assert [each.name for each in found.checks] == list(CHECKS)
    assert {each.state for each in found.checks} == {"ok"}
    assert all(each.looked_at for each in found.checks)


CHECKED: dict[str, tuple[str, dict[str, tuple[str, ...] | None]]] = {
    "banner": ('os.write(1, b"Welcome to libjson\\n")', {"start": ("hello",)}),
    "no answer to hello": ("def greet(lines):\n    os._exit(3)", {"start": ("hello",)}),
    "fault that is none": ("def greet(lines):\n    return frame('fault', 0, b'')", {"start": ("hello",)}),
    "ready with another number": (
        "def greet(lines):\n    return frame('ready', 1, b'protocol 1\\nruntime T 1\\ncapability parse\\n')",
        {"start": ("hello",)},
    ),
    "no runtime": ("del READY[1]", {"start": ("ready",)}),
    "no capability": ("del READY[3]", {"start": ("ready",)}),
    "a file that is not there": ("READY.append('file /no/such')", {"start": ("ready",)}),
    "accepts everything": (
        "def parse(data, plain=parse):\n    try: return plain(data)\n    except ValueError: return None",
        {"canaries": ('{"a":',)},
    ),
    "rejects everything": (
        "def parse(data):\n    raise ValueError",
        {"canaries": (CANARIES[0].text,)},
    ),
    "wrong length": (
        "def frame(verb, number, body):\n"
        "    return b'%s %d %d\\n%s\\n' % (verb.encode(), number, len(body) + (verb == 'accept'), body)",
        {"protocol": ("alone",)},
    ),
    "batch out of order": ("def answers(found):\n    return found[::-1]", {"protocol": ("batch", "bodies")}),
    "batch one short": ("def answers(found):\n    return found[:4]", {"protocol": ("batch",)}),
    "batch numbered anew": (
        "def answers(found):\n"
        "    return [b'%s %d %s' % (a.split()[0], n, a.split(b' ', 2)[2]) for n, a in enumerate(found, 4)]",
        {"protocol": ("batch", "bodies")},
    ),
    "a prompt after the answer": (
        "def answer(verb, number, data, plain=answer):\n"
        "    return plain(verb, number, data) + (b'> ' if number == 3 else b'')",
        {"protocol": ("alone",)},
    ),
    "ignores bye": (
        "import signal\ndef goodbye():\n    time.sleep(60)",
        {"protocol": ("bye", "end of input")},
    ),
    "ends with a failure": ("def goodbye():\n    os._exit(1)", {"protocol": ("bye", "end of input")}),
    "any protocol will do": (
        "def greet(lines, plain=greet):\n    return plain(['protocol 1'])",
        {"protocol": ("other protocol",)},
    ),
    "dies of unknown verbs": (
        "def other(verb, number):\n    os._exit(1) if verb == 'juggle' else None\n"
        "    return frame('unsupported', number, b'no')",
        {"protocol": ("unknown verb",)},
    ),
    "parses whatever the verb": (
        "def other(verb, number):\n    return frame('accept', number, b'[]')",
        {"protocol": ("unknown verb",)},
    ),
    "strict about hello": (
        "def greet(lines, plain=greet):\n    return os._exit(1) if 'colour green' in lines else plain(lines)",
        {"protocol": ("unknown key",)},
    ),
    "a body ends at NUL": (
        "def parse(data, plain=parse):\n    return plain(data.split(b'\\0')[0]) if data == b'\\0' else "
        "os._exit(1) if b'\\0' in data else plain(data)",
        {"protocol": ("bodies",)},
    ),
    "drops a pair": (
        "def spell(v, plain=spell):\n    return plain(Pairs(v[:2]) if isinstance(v, Pairs) else v)",
        {
            "vectors": (
                '{"json_class":"String","^o":"Object","__class__":"x"}',
                '[{"id":17,"price":9.90,"tags":["x","y"],"ok":true}...(92 bytes)',
            ),
        },
    ),
    "loses the order of names": (
        "def names(pairs):\n    return Pairs(reversed(list(dict(pairs).items())))",
        {"vectors": None},
    ),
    "six digits": ("def real(number):\n    return '%f' % number", {"vectors": None}),
    "sixteen digits": (
        "def real(number, plain=real):\n    return plain(float('%.16g' % min(number, 1e308)))",
        {"vectors": ("binary64 of 17 digits",)},
    ),
    "reals without a fraction": (
        "def real(number, plain=real):\n    return plain(number).removesuffix('.0')"
        " if number != 20 and number else plain(number)",
        {"vectors": ('[1,1.0,"1",true]',)},
    ),
    "escapes of another language": (
        "def text(s):\n    return json.dumps(s).replace('\\\\u00', '\\\\x')",
        {"canaries": (CANARIES[0].text,)},
    ),
    "loses a character": (
        "def text(s):\n    return json.dumps(s).replace('\\\\u2028', '?')",
        {"vectors": ('"\u2028\u2029"',)},
    ),
    "last for first": (FIRST, {"repeats": None}),
    "keeps all": ("def names(pairs):\n    return Pairs(pairs)", {"repeats": None}),
    "remembers a rejection": (
        "seen = []\ndef parse(data, plain=parse):\n"
        "    if data == b'[1,]': seen.append(data)\n"
        "    return plain(b'1e22' if seen and data == b'1e23' else data)",
        {"order": ("1e23",)},
    ),
    "another answer in a batch": (
        "def answers(found):\n"
        "    return [raw.replace(b'Infinity', b'1e+300') if len(found) > 9 else raw for raw in found]",
        {"order": None},
    ),
    "dies of depth": (
        "def parse(data, plain=parse):\n    return plain(data) if len(data) != 20000 else os._exit(11)",
        {"depth": ("10,000 nested arrays",)},
    ),
    "cuts what is deep": (
        "def parse(data, plain=parse):\n    return plain(data) if len(data) != 20000 else []",
        {"depth": ("10,000 nested arrays",)},
    ),
}


LATE = {"wrong length", "batch one short"}  # the doctor waits for an answer that never comes


@pytest.mark.parametrize("name", CHECKED)
def test_ill(name: str, tmp_path: Path) -> None:
    ill, expected = CHECKED[name]
    found = checkup(tmp_path, ill, limits=IMPATIENT if name in LATE else LIMITS)
    said = wrong(found)
    assert said.keys() == expected.keys(), said
    for key, value in expected.items():
        assert value is None or said[key] == value
    assert not found.healthy


def test_answers_that_are_not_flushed(tmp_path: Path) -> None:
    ill = "def say(raw):\n    sink.write(raw)\n    sink.flush() if raw[:5] == b'ready' else None"
    found = checkup(tmp_path, ill, limits=IMPATIENT)
    assert wrong(found) == {"protocol": ("alone",)}
    assert "no answer within 1.5 s" in check(found, "protocol").findings[0].text
    assert check(found, "vectors").why == "it cannot be asked"


def test_a_worker_that_hangs_on_depth(tmp_path: Path) -> None:
    ill = "def parse(data, plain=parse):\n    return plain(data) if len(data) != 20000 else time.sleep(60)"
    found = checkup(tmp_path, ill, limits=IMPATIENT)
    assert wrong(found) == {"depth": ("10,000 nested arrays",)}
    assert check(found, "depth").findings[0].text.startswith("timeout")


@pytest.mark.parametrize(
    ("ill", "declared", "text"),
    [
        ("", "first", "declares first, observed last"),
        (FIRST, "last", "declares last, observed first"),
        ("def names(pairs):\n    return Pairs(pairs)", "reject", "declares reject, observed all"),
    ],
)
def test_a_claim_that_does_not_hold(tmp_path: Path, ill: str, declared: str, text: str) -> None:
    found = check(checkup(tmp_path, ill, subject(declared)), "repeats")
    assert [finding.text for finding in found.findings] == [text, text]


def test_a_claim_that_holds_for_plain_names_only(tmp_path: Path) -> None:
    ill = (
        "def parse(data, plain=parse):\n    value = plain(data)\n"
        "    return Pairs([('a', 1)]) if b'\\\\u0061' in data else value"
    )
    found = check(checkup(tmp_path, ill), "repeats")
    assert [(f.about, f.text) for f in found.findings] == [
        ('{"a":1,"\\u0061":2,"\\u0061":3}', "declares last, observed first")
    ]


def test_nothing_declared(tmp_path: Path) -> None:
    assert check(checkup(tmp_path, "", subject("")), "repeats").state == "skipped"


def test_a_missing_library_is_absent(tmp_path: Path) -> None:
    found = checkup(tmp_path, "def greet(lines):\n    return frame('fault', 0, b'ImportError no module x')")
    assert found.absent == "ImportError no module x"
    assert found.healthy
    assert {each.state for each in found.checks} == {"skipped"}


def test_a_canary_that_needs_another_library(tmp_path: Path) -> None:
    young = Canary('{"a":1,"a":2}', ("reject",), "too old", needs="json >= 9")
    found = checkup(tmp_path, "", subject(canaries=(*CANARIES, young)))
    assert (found.absent, found.healthy) == ("needs json >= 9", True)
    found = checkup(tmp_path, "", subject(canaries=(*CANARIES, dataclasses.replace(young, needs=""))))
    assert (found.absent, wrong(found)) == (None, {"canaries": ('{"a":1,"a":2}',)})
    # Only the canary that says so: what else fails is a finding.
    ill = "def parse(data):\n    return None"
    found = checkup(tmp_path, ill, subject(canaries=(*CANARIES, young)))
    assert (found.absent, set(wrong(found))) == (None, {"canaries"})


def test_no_program_and_no_launch(tmp_path: Path) -> None:
    one, two = subject(), dataclasses.replace(subject(), key="test/two")
    found = examine(
        [one, two], {"test/one": Launch((str(tmp_path / "none"),)), "test/two": "no ruby on PATH"}, LIMITS
    )
    assert wrong(found[0]) == {"start": ("the command",)}
    assert (found[1].absent, found[1].healthy) == ("no ruby on PATH", True)


@pytest.mark.parametrize(
    "ill",
    [
        # spellings that the harness makes canonical
        "def text(s):\n    return '\"' + ''.join('\\\\u%04X' % ord(c) if ord(c) < 65536 else "
        "json.dumps(c)[1:-1] for c in s) + '\"'",
        "def real(number, plain=real):\n    "
        "return plain(number) if abs(number) > 1e308 else '%.17e' % number",
        # parsers with ways of their own
        "def parse(data, plain=parse):\n    return json.loads(data.decode(), object_pairs_hook=names, "
        "parse_float=Real, parse_int=Real)",
        "def parse(data):\n    return json.loads(data.decode(), object_pairs_hook=names, parse_float=D)\n"
        "class D(Real):\n    def __new__(cls, t):\n        self = Real.__new__(cls, t)\n        self.t = t\n"
        "        return self\ndef real(number):\n    return 'D' + number.t",
        "def parse(data, plain=parse):\n    if b'ud800' in data or b'9007' in data: raise ValueError\n"
        "    return plain(data)",
    ],
    ids=["escapes", "digits", "doubles", "decimals", "strict"],
)
def test_no_blame_for_what_is_not_wrong(tmp_path: Path, ill: str) -> None:
    lenient = subject(canaries=(Canary("[true]", ("[true]",)), CANARIES[1]))
    assert wrong(checkup(tmp_path, ill, lenient)) == {}


def test_progress_and_order_of_results(tmp_path: Path) -> None:
    subjects = [dataclasses.replace(subject(), key=f"test/{name}") for name in "cab"]
    seen: list[tuple[int, int]] = []
    same = launch(tmp_path, "def greet(lines):\n    return frame('fault', 0, b'E no')")
    found = examine(subjects, {s.key: same for s in subjects}, LIMITS, lambda *at: seen.append(at), jobs=2)
    assert [each.subject for each in found] == ["test/c", "test/a", "test/b"]
    assert seen == [(1, 3), (2, 3), (3, 3)]


CUTS = "def parse(data, plain=parse):\n    return plain(data) if len(data) != 20000 else "


@pytest.mark.parametrize(
    ("ill", "well"),
    [
        pytest.param(f"{CUTS}plain(b'[' * 100 + b']' * 100)", True, id="cut"),
        pytest.param("", False, id="whole"),
        pytest.param(f"{CUTS}[]", False, id="another"),
        pytest.param(f"{CUTS}plain(b'[')", False, id="refused"),
    ],
)
def test_a_library_that_is_declared_to_cut_short(ill: str, well: bool, tmp_path: Path) -> None:
    found = checkup(tmp_path, ill, dataclasses.replace(subject(), truncates=True))
    assert wrong(found) == ({} if well else {"depth": ("10,000 nested arrays",)})
    assert not well or [note.text for note in check(found, "depth").notes] == ["cut at 100"]


KEEPS = """
def answer(verb, number, data, plain=answer):
    if verb == 'parse' and (data.count(b'[') > 500 or data.count(b',') >= 100 or len(data) > 2000):
        return frame('unsupported', number, b'too much')
    return plain(verb, number, data)
"""


@pytest.mark.parametrize(
    ("ill", "wanted"),
    [
        pytest.param(KEEPS, (), id="kept"),
        pytest.param("", ("beyond 500 depth", "beyond 100 members", "beyond 2,000 bytes"), id="not kept"),
        pytest.param(KEEPS.replace("500", "501"), ("beyond 500 depth",), id="kept later"),
    ],
)
def test_a_bound_that_is_declared_is_kept(ill: str, wanted: tuple[str, ...], tmp_path: Path) -> None:
    bounds = {"depth": 500, "members": 100, "bytes": 2000}
    found = checkup(tmp_path, ill, dataclasses.replace(subject(), bounds=bounds))
    assert wrong(found) == ({"depth": wanted} if wanted else {})
