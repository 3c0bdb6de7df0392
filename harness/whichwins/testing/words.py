"""What a failed assertion says: printable ASCII, however hostile the input and the library's answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from whichwins.analysis.counting import plural
from whichwins.model import REJECT
from whichwins.report.safe import hex_bytes, plain, plain_bytes
from whichwins.testing.judging import FAULT, Decode, Finding, Kind, clause_of

if TYPE_CHECKING:
    from whichwins.testing.cases import DecoderCase

_Found: TypeAlias = "tuple[DecoderCase, Finding]"

_TITLES: Mapping[Kind, str] = MappingProxyType(
    {
        "accepts": "accepted, though {layer} rejects",
        "rejects": "rejected, though {layer} accepts",
        "value": "another value than the text has",
        "raises": "raised an error that is not among rejects",
    }
)
_LISTED, _OF_A_CLAUSE = 10, 3  # cases in a summary: of a kind, or under each of several clauses
_TEXT, _BYTES, _LINE = 160, 64, 60  # of an input: as text, as hex, in a line of a summary


def of_the_dead(subject: str, lack: tuple[bytes, Finding]) -> str:
    """That a decoder reads nothing; `subject` is its name, or the case that was asked."""
    text, finding = lack
    expected = f", expected {plain(finding.says, _LINE)}" if finding.kind == "value" else ""
    return (
        f"{subject}: the decoder does not read what everybody reads, so what it refuses says nothing\n"
        f"  {plain_bytes(text, _LINE)} gave {_came(finding, _LINE)}{expected}\n"
        "  If it takes texts of its own kind only, name one: canary=b'...'"
    )


def of_one(case: DecoderCase, finding: Finding) -> str:
    """What one case expected and what came."""
    clause = case.clause
    if case.expectation == REJECT:  # in the words of the summary, and of the documentation
        clause = clause_of(case.data, case.layer, clause)
    expected = case.expectation + (f": {plain(clause)}" if clause else "")
    if finding.kind == "value":
        expected = f"{plain(finding.says)} at {_place(finding)} ({expected})"
    elif finding.kind == "raises":
        expected += ", or an error among rejects" if case.expectation == "free" else ""
    size = f" ({plural(len(case.data), 'byte')})"
    rows = {
        "why": plain(case.why),
        "text": plain_bytes(case.data, _TEXT),
        "hex": hex_bytes(case.data, _BYTES) + size,
        "expected": expected,
        "came": _came(finding),
    }
    title = _TITLES[finding.kind].format(layer=case.layer)
    return "\n".join([f"{case.id}: {title}", *(f"  {name:9} {text}" for name, text in rows.items() if text)])


def of_many(decode: Decode, asked: Sequence[DecoderCase], found: Sequence[_Found]) -> str:
    """How many cases failed, and the smallest of each kind of failure and each clause."""
    layer = asked[0].layer
    failures = sum(finding.kind != FAULT for _, finding in found)
    lines = [f"{name_of(decode)} fails {failures} of {plural(len(asked), 'case')} under {layer}"]
    for kind, title in _TITLES.items():
        some = [each for each in found if each[1].kind == kind]
        if some:
            lines.append(f"{title.format(layer=layer)}: {len(some)}")
            lines += _by_clause(some, layer) if kind == "accepts" else _smallest(some, _LISTED)
    if faults := len(found) - failures:
        lines.append(f"not counted: {faults} that ended in RecursionError or MemoryError (see rejects)")
    return "\n".join(lines)


def _by_clause(found: Sequence[_Found], layer: str) -> Iterator[str]:
    """The clauses in the order of their smallest cases."""
    clauses: dict[str, list[_Found]] = {}
    for each in sorted(found, key=_size):
        clauses.setdefault(clause_of(each[0].data, layer, each[0].clause), []).append(each)
    for clause, some in clauses.items():
        yield f"  {plain(clause)}: {len(some)}"
        for line in _smallest(some, _OF_A_CLAUSE if len(clauses) > 1 else _LISTED):
            yield f"  {line}"


def _smallest(found: Sequence[_Found], most: int) -> Iterator[str]:
    for case, finding in sorted(found, key=_size)[:most]:
        expected = f", expected {plain(finding.says, _LINE)}" if finding.kind == "value" else ""
        text = plain_bytes(case.data, _LINE) or "(empty)"
        yield f"  {case.id}: {text} gave {_came(finding, _LINE)}{expected}"
    if len(found) > most:
        yield f"  and {len(found) - most} more"


def _size(found: _Found) -> tuple[int, str]:
    return len(found[0].data), found[0].id


def _came(finding: Finding, limit: int | None = None) -> str:
    came = plain(finding.came, limit if finding.kind in ("accepts", "value") else None)
    return f"{came} at {_place(finding)}" if finding.kind == "value" else came


def _place(finding: Finding) -> str:
    return plain(finding.pointer, 120) or "the top"


def name_of(decode: Decode) -> str:
    """What a message calls a decoder."""
    module, name = getattr(decode, "__module__", ""), getattr(decode, "__qualname__", "")
    if not name or "<" in name:
        return "the decoder"
    return plain(f"{module}.{name}" if module else name)
