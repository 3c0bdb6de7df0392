"""What could not be read is neither equal nor different: what rests on it is unknown."""

from __future__ import annotations

import pytest

from tests.audit.toys import PLAIN, boundary, broken, judged, ran, showed, stack, took
from whichwins.audit.passage import Passage
from whichwins.audit.result import AuditResult
from whichwins.audit.stack import Stack
from whichwins.audit.unread import readable

TWO = stack(boundary("look", "reviewer"), boundary("tool", "executor"))
APPROVED = stack(boundary("person", "approver"), boundary("tool", "executor"))
FUNCTION = 'X"unread: function"'


def one(of: Stack, passages: list[Passage]) -> AuditResult:
    """The audit of one request without fault."""
    return judged(of, ("plain/1", PLAIN, passages))


def unknown(result: AuditResult) -> str:
    return "\n".join(result.unknown)


@pytest.mark.parametrize("held", ["%s", "[%s]", '{"a":%s}', "{%s:1}"])
def test_what_rests_on_it_is_unknown(held: str) -> None:
    value = held % FUNCTION
    for theirs in (value, held.replace("%s", "1" if ":1" not in held else '"a"')):
        result = one(TWO, [showed(theirs), ran(value)])
        assert 1 not in broken(result)
        assert "tool: its value has function, which cannot be read and so not compared" in unknown(result)


def test_what_can_be_read_beside_it_is_compared() -> None:
    result = one(TWO, [showed(f'{{"a":1,"f":{FUNCTION}}}'), ran(f'{{"a":2,"f":{FUNCTION}}}')])
    assert 1 in broken(result)


def person(digest: str, other: str) -> list[Passage]:
    return [took(FUNCTION, approved=digest), ran(FUNCTION, executed=(other,))]


def test_its_digest_is_none() -> None:
    for digests in (("unread:", "unread:"), ("unread:", "sha256:1"), ("sha256:1", "unread:")):
        result = one(APPROVED, person(*digests))
        assert 1 not in broken(result)
        assert "cannot be read" in unknown(result)


def test_digests_of_the_users_own_tell_all_the_same() -> None:
    assert "cannot be read" not in unknown(one(APPROVED, person("d1", "d1")))
    assert 1 in broken(one(APPROVED, person("d1", "d2")))


def test_places() -> None:
    assert readable(FUNCTION, "1") == ("null", "null")
    assert readable(f'{{"a":1,"b":{FUNCTION}}}', '{"b":2,"a":1}') == ('{"a":1,"b":null}', '{"b":null,"a":1}')


def test_a_bool_is_no_verdict() -> None:
    checked = stack(boundary("check", "validator"), boundary("tool", "executor"))
    says = "check: returned only True, False or None"
    assert says in "\n".join(one(checked, [took("true"), ran("1")]).notes)
    assert says not in "\n".join(one(checked, [took("1"), ran("1")]).notes)


def test_articles() -> None:
    assert "as an approver" in unknown(one(APPROVED, [took(), ran("1")]))


def test_ascii_that_differs_is_no_matter_of_unicode() -> None:
    for left, right, kind in (
        ("A", "A-1", "cut short"),
        ("A-1", "A", "cut short"),
        ("A-1", "EVIL", "other text"),
    ):
        passages = [showed(f'{{"item":"{left}"}}'), ran(f'{{"item":"{right}"}}')]
        result = judged(TWO, ("plain/1", '{"item":"A-1"}', passages))
        found = next(each for each in result.findings if each.fault == "value-differs")
        assert (found.cause, found.kind) == ("other", kind)
