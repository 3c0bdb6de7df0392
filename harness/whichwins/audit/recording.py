"""What the boundaries of a stack did, on disk: asked once, judged again. JSON Lines, deterministic.

A recording holds inputs and values as they were. With the stack file it is all that an audit's reports say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from whichwins.audit.asked import Convert
from whichwins.audit.auditing import audit
from whichwins.audit.look import Looks
from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.audit.requests import Came
from whichwins.audit.result import AuditResult
from whichwins.audit.stack import Stack
from whichwins.model import BadInput, MeasurementFailed
from whichwins.notation import NotationError, canonical
from whichwins.run import CaseRecord
from whichwins.run.lines import case_line, line_of
from whichwins.run.records import Wrong, case, text_in
from whichwins.run.store import json_objects
from whichwins.text_files import shown

RECORDING_VERSION = 1
_AGAIN = "record it again with --record"
_TEXTS = ("signal", "reason")
_KNOWN = frozenset(Passage._fields)


@dataclass(frozen=True, slots=True)
class Recording:
    """What was asked and seen: see `auditing.audit`. `conversions` are by boundary and value."""

    cases: Mapping[str, CaseRecord]
    passages: Mapping[str, Mapping[str, Passage]]
    identities: Mapping[str, Mapping[str, object]]
    corpus: str = ""
    whole: bool = False
    notes: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    came: tuple[Came, ...] = ()
    public: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    conversions: Mapping[tuple[str, str], str | None] = field(default_factory=dict)


def judged(
    stack: Stack,
    seen: Recording,
    *,
    convert: Convert | None = None,
    today: date | None = None,
    looks: Looks | None = None,
) -> AuditResult:
    """The audit of what was seen. `convert` asks the conversions that are not recorded."""

    def recorded(boundary: str, value: str) -> str | None:
        return seen.conversions.get((boundary, value))

    return audit(
        stack,
        seen.cases,
        seen.passages,
        seen.identities,
        corpus=seen.corpus,
        convert=convert or (recorded if seen.conversions else None),
        today=today,
        whole=seen.whole,
        notes=seen.notes,
        incomplete=seen.incomplete,
        came=seen.came,
        looks=looks,
        public=seen.public,
        own=seen.own,
    )


def recording_lines(stack: Stack, seen: Recording, tool: str) -> Iterator[str]:
    """A header, each case with what every boundary did, conversions, a footer with the counts."""
    yield line_of(
        {
            "kind": "header",
            "recording": RECORDING_VERSION,
            "tool": tool,
            "stack": stack.name,
            "corpus": seen.corpus,
            "whole": seen.whole,
            "boundaries": [
                {
                    "name": each.name,
                    "reads": each.reads,
                    "own": each.name in seen.own,
                    "identity": _plain(seen.identities.get(each.name, {})),
                }
                for each in stack.boundaries
            ],
            "notes": list(seen.notes),
            "incomplete": list(seen.incomplete),
            "came": [list(each) for each in seen.came],
        }
    )
    for key, record in seen.cases.items():
        yield case_line(record.case, None)
        row = seen.passages.get(key, {})
        yield line_of(
            {
                "kind": "request",
                "case": key,
                "public": (record.case.twin_of or key) in seen.public,
                "boundaries": {
                    each.name: _written(row[each.name]) for each in stack.boundaries if each.name in row
                },
            }
        )
    for (boundary, value), gives in sorted(seen.conversions.items()):
        yield line_of({"kind": "converted", "boundary": boundary, "value": value, "gives": gives})
    yield line_of({"kind": "footer", "requests": len(seen.cases), "conversions": len(seen.conversions)})


def _plain(identity: Mapping[str, object]) -> Any:
    def plain(item: object) -> object:
        return dict(item) if isinstance(item, Mapping) else str(item)

    return json.loads(json.dumps(dict(identity), default=plain))


def _written(passage: Passage) -> dict[str, Any]:
    """A passage without what is as it mostly is; unknown executions are null."""
    usual = Passage(passage.passed)._asdict()
    found = {key: value for key, value in passage._asdict().items() if value != usual[key]}
    if passage.emitted is not None:
        found["emitted"] = passage.emitted.hex()
    return {"passed": passage.passed.value, **found}


def read_recording(path: Path, stack: Stack) -> Recording:
    """Read a recording of this stack's boundaries.

    Raises BadInput naming the line of what is wrong; MeasurementFailed for one that was cut short.
    """
    file = shown(path)
    lines = _lines(path, file)
    place, (_, header) = f"{file}:1", next(lines, (1, {}))
    reader = _Reader(stack)
    try:
        reader.begin(header)
        for number, record in lines:
            place = f"{file}:{number}"
            reader.take(record)
        if not reader.ended:
            raise MeasurementFailed(f"{file}: it was cut short: {_AGAIN}")
        place = f"{file}:1"  # what is left to be looked at stands in the header
        return reader.made()
    except (Wrong, NotationError) as wrong:
        raise BadInput(f"{place}: {wrong}: {_AGAIN}") from None


def _lines(path: Path, file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        for number, record in json_objects(path, _AGAIN):
            if record is None:
                raise BadInput(f"{file}:{number}: is no line of a recording: `audit --record` writes one")
            yield number, record
    except OSError as error:
        raise BadInput(f"{file}: cannot be read ({error.strerror}): name a recording") from None


class _Reader:
    """Fills a recording, line by line; raises Wrong."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._names = {each.name for each in stack.boundaries}
        self._header: dict[str, Any] = {}
        self._identities: dict[str, Mapping[str, object]] = {}
        self._own: set[str] = set()
        self._cases: dict[str, CaseRecord] = {}
        self._passages: dict[str, dict[str, Passage]] = {}
        self._public: set[str] = set()
        self._conversions: dict[tuple[str, str], str | None] = {}
        self.ended = False

    def begin(self, header: Mapping[str, Any]) -> None:
        """The first line: it has to be of these boundaries."""
        if header.get("kind") != "header" or "recording" not in header:
            raise Wrong("the first line is not a recording's header")
        if header["recording"] != RECORDING_VERSION:
            raise Wrong(f"this whichwins reads recordings of version {RECORDING_VERSION}")
        self._header = dict(header)
        there = _list(header, "boundaries", dict)
        declared = [(each.name, each.reads) for each in self._stack.boundaries]
        if [(each.get("name"), each.get("reads")) for each in there] != declared:
            raise Wrong("it is of other boundaries than the stack declares")
        for each in there:
            identity = each.get("identity")
            if not isinstance(identity, dict):
                raise Wrong("a boundary without `identity`")
            self._identities[each["name"]] = identity
            if each.get("own") is True:
                self._own.add(each["name"])

    def take(self, record: Mapping[str, Any]) -> None:
        """One more line."""
        kind = record.get("kind")
        if self.ended:
            raise Wrong("there is something after the footer")
        if kind == "case":
            read = case(record)
            self._cases[read.case.id] = read
        elif kind == "request":
            self._request(record)
        elif kind == "converted":
            gives = record.get("gives")
            known = text_in(record, "boundary"), _notation(record, "value")
            self._conversions[known] = None if gives is None else _notation(record, "gives")
        elif kind == "footer":
            counts = record.get("requests"), record.get("conversions")
            if (
                counts != (len(self._passages), len(self._conversions))
                or self._passages.keys() != self._cases.keys()
            ):
                raise Wrong("it counts otherwise")
            self.ended = True

    def _request(self, record: Mapping[str, Any]) -> None:
        key, row = text_in(record, "case"), record.get("boundaries")
        if key not in self._cases or key in self._passages:
            raise Wrong("a request that stands behind no case of its own")
        if not isinstance(row, dict) or not row.keys() <= self._names:
            raise Wrong("`boundaries` are not those of the stack")
        self._passages[key] = {name: _passage(said) for name, said in row.items()}
        if record.get("public") is True:
            self._public.add(self._cases[key].case.twin_of or key)

    def made(self) -> Recording:
        """What was read."""
        came = _list(self._header, "came", list)
        for each in came:
            if len(each) != 4 or not all(isinstance(word, str) for word in each[:3]):
                raise Wrong("`came` is not what it should be")
            if each[3] is not None and (not isinstance(each[3], str) or each[3] not in self._cases):
                raise Wrong("`came` names a request that is not there")
        return Recording(
            cases=self._cases,
            passages=self._passages,
            identities=self._identities,
            corpus=text_in(self._header, "corpus"),
            whole=self._header.get("whole") is True,
            notes=tuple(_list(self._header, "notes", str)),
            incomplete=tuple(_list(self._header, "incomplete", str)),
            came=tuple(Came(*each) for each in came),
            public=frozenset(self._public),
            own=frozenset(self._own),
            conversions=self._conversions,
        )


def _list(record: Mapping[str, Any], name: str, kind: type) -> list[Any]:
    found = record.get(name)
    if not isinstance(found, list) or not all(isinstance(each, kind) for each in found):
        raise Wrong(f"`{name}` is missing or not what it should be")
    return found


def _notation(record: Mapping[str, Any], name: str) -> str:
    return canonical(text_in(record, name))


def _passage(said: Any) -> Passage:
    if not isinstance(said, dict) or not said.keys() <= _KNOWN:
        raise Wrong("a passage that is none")
    found: dict[str, Any] = dict(said)
    try:
        found["passed"] = Passed(text_in(said, "passed"))
        if found.get("emitted") is not None:
            found["emitted"] = bytes.fromhex(text_in(said, "emitted"))
    except ValueError as error:
        raise Wrong(str(error) if isinstance(error, Wrong) else "a passage that is none") from None
    if found.get("value") is not None:
        found["value"] = _notation(said, "value")
    if found.get("approved") is not None:
        text_in(said, "approved")
    for name in _TEXTS:
        if name in said:
            text_in(said, name)
    for name in ("executed", "decoders"):
        if name in said:
            found[name] = tuple(_list(said, name, str))
    if said.get("executions", ()) is not None and "executions" in said:
        found["executions"] = tuple(map(canonical, _list(said, "executions", str)))
    if "previews" in said:
        found["previews"] = tuple(_preview(each) for each in _list(said, "previews", list))
    for name in ("unstable", "growing"):
        if not isinstance(said.get(name, False), bool):
            raise Wrong(f"`{name}` is neither true nor false")
    return Passage(**found)


def _preview(said: list[Any]) -> Preview:
    if len(said) != 2 or not all(isinstance(each, str) for each in said):
        raise Wrong("a preview that is none")
    return Preview(said[0], canonical(said[1]))
