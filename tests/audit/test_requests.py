"""Requests that came: how a file of them is read, and the rates at which they are split."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.audit.toys import REPEAT, boundary, cases, no, ran, showed, stack
from whichwins.audit.auditing import audit
from whichwins.audit.evidence import evidence_lines
from whichwins.audit.passage import Passage, Passed
from whichwins.audit.requests import Came, read_requests
from whichwins.audit.result import AuditResult, RateLine
from whichwins.model import BadInput
from whichwins.run import Withheld, records_of, with_twins


def lines(folder: Path, *records: object, name: str = "came.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def test_equal_requests_are_one_case_and_every_line_counts(tmp_path: Path) -> None:
    found = read_requests(
        lines(
            tmp_path,
            {"text": "[1]", "producer": "a", "interface": "v1", "path": "/x", "more": 1},
            {"base64": "WzFd"},
            {"text": None, "producer": "a"},
            {"text": "[1]", "headers": {"Content-Type": "text/plain"}},
            {"text": "[2]", "interface": 3},
        )
    )
    assert found.came == (
        Came("a", "v1", "/x", "came/1"),
        Came("", "", "", "came/1"),
        Came("a", "", "", None),
        Came("", "", "", "came/4"),
        Came("", "3", "", "came/5"),
    )
    assert found.corpus is not None
    assert {case.id: (case.data, dict(case.headers)) for case in found.corpus.cases} == {
        "came/1": (b"[1]", {}),
        "came/4": (b"[1]", {"content-type": "text/plain"}),
        "came/5": (b"[2]", {}),
    }


def test_bytes_that_are_no_text_come_in_base64(tmp_path: Path) -> None:
    found = read_requests(lines(tmp_path, {"base64": "Iv8i"}, name="a b%.jsonl"))
    assert found.corpus is not None
    assert [(case.id, case.data) for case in found.corpus.cases] == [("a%20b%25/1", b'"\xff"')]


def test_where_no_raw_text_is_there_nothing_is_asked(tmp_path: Path) -> None:
    found = read_requests(lines(tmp_path, {"base64": None}))
    assert (found.came, found.corpus) == ((Came("", "", "", None),), None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"text":"a","text":"b"}', "a name stands twice in the record"),
        ('{"text":', "is no JSON"),
        ("[" * 100000, "is no JSON"),
        ("[1]", "is no object"),
        ('{"body":"x"}', "neither `text` nor `base64`"),
        ('{"text":"x","base64":"eA=="}', "`text` and `base64` stand side by side"),
        ('{"text":{"secret":1}}', "`text` must be a string: an object that was parsed is no raw text"),
        ('{"text":"\\ud800"}', "`text` holds what UTF-8 cannot say"),
        ('{"base64":"secret!"}', "`base64` is not in base64"),
        ('{"text":"x","producer":["secret"]}', "`producer` must be a string"),
        ('{"text":"x","path":"' + 201 * "s" + '"}', "`path` must be a string"),
        ('{"text":"x","headers":{"a":"b\\nc"}}', "`headers` must be"),
        ('{"text":"x","headers":{":case":"b"}}', "a name in `headers` cannot be sent"),
        ('{"text":"x","headers":{"a b":"c"}}', "a name in `headers` cannot be sent"),
        ('{"text":"x","headers":{"":"c"}}', "a name in `headers` cannot be sent"),
        ('{"text":"x","headers":[]}', "`headers` must be"),
        ('{"text":"x","headers":""}', "`headers` must be"),
        ('{"text":"x","headers":{"a":5}}', "`headers` must be an object of strings on one line: write"),
        ('{"text":"x","headers":{"A":"b","a":"secret"}}', "`headers` hold a name twice"),
        ('{"text":"x","producer":5}', "`producer` must be a string of at most 200 characters: write"),
        ('{"text":"x","path":5}', "`path` must be a string"),
        ('{"text":"x","interface":true}', "`interface` must be a string"),
        ('{"text":"x","prodcuer":"secret"}', "a name is nearly `producer`: write `producer`, or rename it"),
        ('{"text":"x","Headers":{"secret":"b"}}', "a name is nearly `headers`"),
        ('{"text":"x","header":{"secret":"b"}}', "a name is nearly `headers`"),
        ('{"text":"x","Path":"/secret"}', "a name is nearly `path`"),
        ('{"Text":"secret"}', "a name is nearly `text`"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_without_content(
    tmp_path: Path, line: str, said: str
) -> None:
    path = tmp_path / "came.jsonl"
    path.write_text('{"text":"1"}\n\n' + line + "\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_requests(path)
    text = str(caught.value)
    assert f"came.jsonl:3: {said}" in text
    assert "secret" not in text
    assert "\n" not in text


def test_what_else_a_log_carries_is_ignored(tmp_path: Path) -> None:
    more = {"time": 1, "next": "x", "paths": [], "body": {}, "producers": 2, "product": "", "interval": 3}
    found = read_requests(lines(tmp_path, {"text": "1", "producer": "a", "headers": None, **more}))
    assert found.came == (Came("a", "", "", "came/1"),)


def test_a_file_without_requests_or_no_file(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    with pytest.raises(BadInput, match="has no request"):
        read_requests(tmp_path / "empty.jsonl")
    with pytest.raises(BadInput, match="no such file"):
        read_requests(tmp_path / "none.jsonl")
    with pytest.raises(BadInput, match="cannot be read"):
        read_requests(tmp_path)


# -- rates -------------------------------------------------------------------------------------------------


def judged(tmp_path: Path) -> AuditResult:
    """Six requests of two producers; a repeat came twice, and shows 2 while 20 runs."""
    found = read_requests(
        lines(
            tmp_path,
            {"text": REPEAT, "producer": "a"},
            {"text": REPEAT, "producer": "a"},
            {"text": '{"quantity":3}', "producer": "a"},
            {"text": None, "producer": "a"},
            {"text": '{"quantity":4}', "producer": "b"},
            {"text": None, "producer": "b"},
        )
    )
    assert found.corpus is not None
    records = records_of(sorted(with_twins(found.corpus.cases), key=lambda case: case.id))
    same = {"screen": showed("{}"), "tool": ran("{}")}
    passages: dict[str, dict[str, Passage]] = dict.fromkeys(records, same)
    passages["came/1"] = {"screen": showed('{"quantity":2}'), "tool": ran('{"quantity":20}')}
    # The twin was sent by nobody: what it shows is no rate.
    passages["came/1~twin"] = {"screen": no(), "tool": no()}
    of = stack(boundary("screen", "reviewer"), boundary("tool", "executor"))
    return audit(of, records, passages, {}, came=found.came)


def test_rates_are_of_all_that_were_received(tmp_path: Path) -> None:
    found = judged(tmp_path).received
    assert found is not None
    assert found.total == RateLine("", "", "", 6, 2, 2, 2, {"repeated name": 2})
    assert found.lines == (
        RateLine("a", "", "", 4, 1, 2, 2, {"repeated name": 2}),
        RateLine("b", "", "", 2, 1, 0, 0, {}),
    )


def test_an_excused_split_is_still_a_split(tmp_path: Path) -> None:
    from dataclasses import replace

    from whichwins.model import Allow, Place

    before = judged(tmp_path)
    of = replace(before.stack, allow=(Allow("*", "came/1", "*", "known", Place("stack.toml", 9)),))
    found = read_requests(tmp_path / "came.jsonl")
    assert found.corpus is not None
    records = records_of(sorted(with_twins(found.corpus.cases), key=lambda case: case.id))
    after = audit(of, records, before.passages, {}, came=found.came)
    assert not [each for each in after.findings if each.case == "came/1"]
    assert after.received == before.received


def test_some_accept_and_some_do_not_is_a_split_without_a_finding() -> None:
    from whichwins.audit.rates import rates_of

    one = Came("", "", "", "came/1")
    rows: tuple[tuple[dict[str, Passage], int], ...] = (
        ({"screen": showed("1"), "tool": no()}, 1),
        ({"screen": showed("1"), "tool": Passage(Passed.FAILED)}, 1),
        ({"screen": no(), "tool": Passage(Passed.BLOCKED)}, 0),
        ({"screen": no(), "tool": no()}, 0),
        ({"screen": showed("1"), "tool": ran("1")}, 0),
    )
    for passages, parted in rows:
        found = rates_of([one], cases(("came/1", "1")), [], {"came/1": passages})
        assert (found.total.parted, found.total.split) == (parted, 0)


# -- evidence ----------------------------------------------------------------------------------------------

KEY = bytes(range(16))


def evidence(result: AuditResult, key: bytes = KEY) -> list[dict[str, object]]:
    from whichwins.analysis.lens import lens

    text = "".join(evidence_lines(result, Withheld(key, lens("value/1")), "0"))
    assert text.isascii()
    return [json.loads(line) for line in text.splitlines()]


def test_evidence_holds_digests_and_no_value(tmp_path: Path) -> None:
    header, *requests, footer = evidence(judged(tmp_path))
    assert (header["kind"], footer["kind"]) == ("header", "footer")
    assert "quantity" not in json.dumps([header, *requests, footer])
    by_case = {each["case"]: each for each in requests}
    first = by_case["came/1"]["boundaries"]
    assert isinstance(first, dict)
    (shown,), (run,) = first["screen"]["previews"], first["tool"]["executions"]
    assert shown != run
    assert shown.startswith("hmac-sha256:")
    # By hand: HMAC-SHA256 under bytes 00 to 0f of the normal form of {"quantity":20}.
    import hashlib
    import hmac

    assert run == "hmac-sha256:" + hmac.new(KEY, b'{"quantity":20}', hashlib.sha256).hexdigest()
    assert footer["requests"] == len(requests)


def test_another_key_gives_other_digests(tmp_path: Path) -> None:
    result = judged(tmp_path)
    one, other = (json.dumps(evidence(result, key)[1]) for key in (KEY, KEY[::-1]))
    assert one != other


def test_unknown_executions_are_null(tmp_path: Path) -> None:
    before = judged(tmp_path)
    passages = {key: dict(row) for key, row in before.passages.items()}
    passages["came/3"]["tool"] = Passage(Passed.ACCEPTED, executions=None)
    found = read_requests(tmp_path / "came.jsonl")
    assert found.corpus is not None
    records = records_of(sorted(with_twins(found.corpus.cases), key=lambda case: case.id))
    result = audit(before.stack, records, passages, {})
    (line,) = (each for each in evidence(result) if each.get("case") == "came/3")
    assert isinstance(line["boundaries"], dict)
    assert line["boundaries"]["tool"]["executions"] is None
