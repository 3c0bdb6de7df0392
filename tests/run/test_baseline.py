from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.analysis.drawn import drawn_views
from tests.analysis.views import view
from whichwins.analysis.lens import LENSES
from whichwins.model import BadInput, MeasurementFailed, Observation, Outcome
from whichwins.run import baseline
from whichwins.run.view import LedgerView

LONG = '"' + "x" * 255 + '"'
"""257 characters: one too many to stand in a line."""
SHORT = '"' + "y" * 254 + '"'

RUN = view(
    ("lib/x@1", "lib/y"),
    ("a/two", '{"q":2,"q":20}', ['{"q":2}', "-"]),
    ("b/long", LONG, [LONG, SHORT]),
    ("b/odd", "[1]", ["!fault", "!unsupported"]),
)
RUN = replace(
    RUN,
    header={
        "tool": "0.1.0",
        "corpus": {"digest": "sha256:00", "cases": 3, "name": "secret-name"},
        "policies": {"jcs": "jcs/1", "i-json": "i-json/1"},
        "subjects": {
            "lib/x@1": {
                "library": "x",
                "libraries": {"x": "1"},
                "runtime": "R 1",
                "digest": "sha256:aa",
                "details": {"limit": "3"},
            },
            "lib/y": {"runtime": "R 2"},
        },
    },
)
# Digests: printf '%s' '[1]' | sha256sum | cut -c1-32
TEXT = f"""\
whichwins baseline 2
lens value/1
corpus sha256:00 3 1
answers 5
policies {{"i-json":"i-json/1","jcs":"jcs/1"}}
subject lib/x {{"libraries":{{"x":"1"}},"library":"x","runtime":"R 1"}}
subject lib/y {{"runtime":"R 2"}}
a/two = sha256:6ae4f73a2741e365e45a22e042f4b2f1 14
a/two lib/x accept {{"q":2}}
a/two lib/y reject~ parse E
b/long = sha256:781303d81b3cab76cf8328e39b2759da 257
b/long lib/x accept sha256:781303d81b3cab76cf8328e39b2759da
b/long lib/y accept {SHORT}
b/odd = sha256:080a9ed428559ef602668b4c00f114f1 3
b/odd lib/x fault
"""


def text_of(made: LedgerView, lens: str = "value/1") -> str:
    stream = io.StringIO()
    baseline.write(made, lens, LENSES[lens], stream)
    return stream.getvalue()


def put(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "whichwins.lock"


def test_the_file_is_what_a_hand_writes() -> None:
    assert text_of(RUN) == TEXT
    assert TEXT.isascii()


def test_reading_gives_back_what_was_written(lock: Path) -> None:
    known = baseline.read(put(lock, TEXT))
    assert (known.lens, known.corpus, known.subjects) == ("value/1", "sha256:00", ("lib/x", "lib/y"))
    assert known.policies == {"jcs": "jcs/1", "i-json": "i-json/1"}
    assert known.identities["lib/x"] == {"library": "x", "libraries": {"x": "1"}, "runtime": "R 1"}
    assert known.cases["a/two"] == baseline.Known("sha256:6ae4f73a2741e365e45a22e042f4b2f1", 14)
    assert known.answers == {
        "a/two": {
            "lib/x": Observation(Outcome.ACCEPT, '{"q":2}'),
            "lib/y": Observation(Outcome.REJECT, stage="parse", error="E"),
        },
        "b/long": {
            "lib/x": Observation(Outcome.ACCEPT, "sha256:781303d81b3cab76cf8328e39b2759da"),
            "lib/y": Observation(Outcome.ACCEPT, SHORT),
        },
        "b/odd": {"lib/x": Observation(Outcome.FAULT)},
    }


def test_what_stands_beside_answers(lock: Path) -> None:
    data = '{"q":["' + "x" * 300 + '"],"q":2}'
    row = ("a/b", data, [data, data[:-7] + "}", "!crash", "-", "-"], ["{}", "{}", "{}", "{}", "-"])
    made = view(("l/1", "l/2", "l/3", "l/4", "l/5"), row)
    made = replace(made, observations={**made.observations, "a/b": tuple(
        answer._replace(unstable=place in (1, 3)) for place, answer in enumerate(made.observations["a/b"])
    )})  # fmt: skip
    stream = io.StringIO()
    baseline.write(
        made, "value/1", LENSES["value/1"], stream, lambda case, place: ["all", "first"][place] + case[3:]
    )
    lines = [line.split(" ") for line in stream.getvalue().splitlines() if line.startswith("a/b l")]
    assert [(line[1], line[2], line[-1]) for line in lines] == [
        ("l/1", "accept", "all"),
        ("l/2", "accept?", "first"),
        ("l/3", "crash~", "crash~"),
        ("l/4", "reject~?", "E"),
        ("l/5", "reject", "E"),
    ]
    known = baseline.read(put(lock, stream.getvalue()))
    assert known.winners == {"a/b": {"l/1": "all", "l/2": "first"}}
    assert known.controls == {"a/b": frozenset({"l/3", "l/4"})}
    assert [known.answers["a/b"][key].unstable for key in known.subjects] == [False, True, False, True, False]


def test_an_old_baseline_is_read(lock: Path) -> None:
    old = TEXT.replace("baseline 2", "baseline 1").replace(" 3 1\n", " 3\n").replace("~", "")
    known = baseline.read(put(lock, old))
    assert known.controls is None
    assert known.answers == baseline.read(put(lock, TEXT)).answers
    assert baseline.read(put(lock, TEXT)).controls == {"a/two": frozenset({"lib/y"})}
    alone = view(("lib/x",), ("a/b", "[1]", ["-"]))
    assert baseline.read(put(lock, text_of(alone))).controls is None


def test_line_ends_of_another_system_are_read(lock: Path) -> None:
    assert baseline.read(put(lock, TEXT.replace("\n", "\r\n"))) == baseline.read(put(lock, TEXT))


def test_long_values_of_one_normal_form_are_one_line() -> None:
    made = view(("lib/x",), ("a/b", "[1]", ["[" + "1," * 200 + "1]"]))
    other = view(("lib/x",), ("a/b", "[1]", ["[" + "1.0," * 200 + "1]"]))
    assert text_of(made) == text_of(other)
    assert text_of(made, "exact/1") != text_of(other, "exact/1")


def test_a_changed_answer_is_one_changed_line() -> None:
    rows = dict(RUN.observations)
    rows["a/two"] = (Observation(Outcome.CRASH, signal="exit 7", unstable=True), rows["a/two"][1])
    changed = text_of(replace(RUN, observations=rows)).splitlines()
    different = [(old, new) for old, new in zip(TEXT.splitlines(), changed, strict=True) if old != new]
    assert different == [('a/two lib/x accept {"q":2}', 'a/two lib/x crash~? - - "exit\\u00207"')]


def test_two_columns_of_one_subject_keep_their_versions() -> None:
    made = view(("lib/x@1", "lib/x@2", "lib/y@3"), ("a/b", "[1]", ["[1]", "-", "[1]"]))
    assert [line for line in text_of(made).splitlines() if line.startswith("a/b ")][1:] == [
        "a/b lib/x@1 accept [1]",
        "a/b lib/x@2 reject parse E",
        "a/b lib/y accept [1]",
    ]


def test_a_subject_that_says_nothing_is_left_out(lock: Path) -> None:
    made = view(("lib/x", "lib/y"), ("a/b", "[1]", ["[1]", "!absent"]), ("a/c", "[2]", ["[2]", "!absent"]))
    assert "lib/y" not in text_of(made)
    gone = view(("lib/y",), ("a/b", "[1]", ["!absent"]))
    with pytest.raises(MeasurementFailed, match="nothing to keep"):
        text_of(gone)


@settings(max_examples=25, deadline=None)
@given(drawn_views())
def test_lines_are_sorted_and_each_says_all(made: LedgerView) -> None:
    text = text_of(made)
    assert text.isascii()
    assert text == text_of(replace(made, cases=dict(sorted(made.cases.items(), reverse=True))))
    lines = text.split("\n")
    assert lines.pop() == ""
    body = lines[5 + sum(line.startswith("subject ") for line in lines) :]
    heads = [tuple(line.split(" ")[:2]) for line in body]
    assert heads == sorted(heads, key=lambda head: (head[0], head[1] != "=", head[1]))
    assert len(set(heads)) == len(heads)
    silent = (Outcome.UNSUPPORTED, Outcome.ABSENT)
    stating = sum(answer.outcome not in silent for row in made.observations.values() for answer in row)
    assert len(body) == len(made.cases) + stating


LINES = TEXT.splitlines(keepends=True)


def changed(at: int, *lines: str) -> str:
    """The file with line `at`, from 1, replaced."""
    return "".join([*LINES[: at - 1], *lines, *LINES[at:]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no baseline (it would begin with `whichwins baseline`)"),
        ('{"kind":"header"}\n', "is no baseline"),
        (changed(1, "whichwins baseline 3\n"), "baseline version '3'; this whichwins reads 1 and 2"),
        (
            changed(2, "<<<<<<< HEAD\n", "lens value/1\n"),
            "merge conflict, line 2: resolve it or run `whichwins",
        ),
        (changed(9, "<<<<<<< HEAD\n", LINES[8]), "merge conflict, line 9"),
        (changed(9, "=======\n"), "merge conflict, line 9"),
        (changed(9, "||||||| 0a1b2c\n"), "merge conflict, line 9"),
        (changed(15, ">>>>>>> branch\r\n"), "merge conflict, line 15"),
        ("<<<<<<< HEAD\n" + TEXT, "merge conflict, line 1"),
        (changed(2, "lens\u00e9 value/1\n"), "line 2 is not ASCII"),
        (changed(2), "line 2: `lens` should stand here"),
        (changed(3, "corpus sha256:00 2 1\n"), "line 3: cases and answers are '2' and '5', and there are 3"),
        (changed(3, "corpus sha256:00 3\n"), "line 3: twins are '', and should be a number"),
        (changed(3, "corpus sha256:00 3 -1\n"), "line 3: twins are '-1', and should be a number"),
        (
            changed(3, "corpus sha256:00 3 0\n"),
            "line 3: there are no twins, and ~ says that one of",
        ),
        (changed(9, 'a/two lib/x accept~ {"q":2}\n'), "line 9: unknown outcome 'accept~'"),
        (changed(10, "a/two lib/y reject~~ parse E\n"), "line 10: unknown outcome 'reject~~'"),
        (changed(10, "a/two lib/y reject?~ parse E\n"), "line 10: unknown outcome 'reject?~'"),
        (changed(12, LINES[11].replace("\n", " who?\n")), "line 12: a value is not in the notation"),
        (changed(4, "answers 6\n"), "line 3: cases and answers are '3' and '6', and there are 3 and 5"),
        (changed(5, "policies [1]\n"), "line 5: no JSON object"),
        (changed(5, 'policies {"a":"1","a":"2"}\n'), "line 5: no JSON object"),
        (changed(5, 'policies {"a":1}\n'), "line 5: `policies` is no object of texts"),
        (changed(5, "policies " + "[" * 100_000 + "\n"), "line 5: no JSON object"),
        (changed(6, 'subject lib/x {"libraries":["x"]}\n'), "line 6: `libraries` is no object of texts"),
        (changed(7, LINES[5]), "line 7: the subject 'lib/x' is there twice"),
        (changed(7), "line 9: the header has no subject 'lib/y'"),
        (changed(8), "line 8: an answer to a case whose input does not stand before it"),
        (changed(8, "a/two = sha256:6ae4 14\n"), "line 8: a case has a digest and a length"),
        (changed(8, LINES[7].replace(" 14", " -1")), "line 8: a case has a digest and a length"),
        (changed(8, LINES[7].replace(" 14", " 14 ")), "line 8: a case has a digest and a length"),
        (changed(8, LINES[7].replace("a/two", '"a/two"')), "line 8: '\"a/two\"' is no word"),
        (changed(9, LINES[8], LINES[8]), "line 10: twice the same"),
        (changed(9, LINES[8], 'a/two lib/x accept {"q":3}\n'), "line 10: twice the same"),
        (changed(10, LINES[8], LINES[9]), "line 10: twice the same"),
        (changed(9, LINES[9], LINES[8]), "line 10: not in order"),
        (changed(8, LINES[10], LINES[11], LINES[12], LINES[7]), "line 11: not in order"),
        (changed(9, 'a/two lib/x accepts {"q":2}\n'), "line 9: unknown outcome 'accepts'"),
        (changed(9, "a/two lib/x absent\n"), "line 9: unknown outcome 'absent'"),
        (changed(9, "a/two lib/x\n"), "line 9: unknown outcome ''"),
        (changed(9, "a/two\n"), "line 9: twice the same"),
        (changed(9, "\n"), "line 9: not in order"),
        (changed(9, "a/two lib/x accept\n"), "line 9: a value is not in the notation"),
        (changed(9, 'a/two lib/x accept {"q": 2}\n'), "line 9: a value is not in the notation"),
        (changed(9, 'a/two lib/x accept {"q":2} \n'), "line 9: a value is not in the notation"),
        (changed(9, "a/two lib/x accept sha256:00\n"), "line 9: a value is not in the notation"),
        (changed(9, f"a/two lib/x accept {LONG}\n"), "line 9: a value longer than 256 characters"),
        (
            changed(10, "a/two lib/y reject parse E - - -\n"),
            "line 10: more words than stage, error and signal",
        ),
        (changed(10, "a/two lib/y reject parse  E\n"), "line 10: '' is no word"),
        (changed(10, 'a/two lib/y reject parse "E"\n'), "line 10: '\"E\"' is no word"),
        (changed(10, 'a/two lib/y reject parse "E\n'), "line 10: '\"E' is no word"),
        (TEXT[:-1], "line 15: the file ends here, cut short"),
        (changed(15), "line 3: cases and answers are '3' and '5', and there are 3 and 4"),
        ("".join(LINES[:4]), "line 5: the file ends here, cut short"),
        (TEXT + "\n", "line 16: not in order"),
    ],
)
def test_what_write_does_not_write_is_refused(text: str, said: str, lock: Path) -> None:
    with pytest.raises(BadInput) as refused:
        baseline.read(put(lock, text))
    message = str(refused.value)
    assert message.startswith(f"{lock}: {said}")
    assert "run `whichwins check --update`" in message
    assert "\n" not in message


def test_a_file_that_cannot_be_read_or_is_too_long(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        BadInput, match=r"No such file or directory.*: run `whichwins check --update` to write it"
    ):
        baseline.read(lock)
    monkeypatch.setattr(baseline, "MAX_BYTES", 100)
    with pytest.raises(BadInput, match="longer than 100 bytes"):
        baseline.read(put(lock, TEXT))
