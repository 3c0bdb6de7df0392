"""Subjects and cases, listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whichwins.analysis.agreement import Disagreement
from whichwins.analysis.counting import plural
from whichwins.model import LAYERS, Case, Subject
from whichwins.report.comparison import entry_point, versions
from whichwins.report.document import Block, Cell, Code, Document, Heading, Input, Table, paragraph
from whichwins.report.safe import hex_bytes


def subjects(chosen: Sequence[Subject], known: Mapping[str, Mapping[str, Any]]) -> Document:
    """Keys with identities; what is absent with the reason and the command that installs it."""
    live = [subject for subject in chosen if "absent" not in known[subject.key]]
    absent = [subject for subject in chosen if "absent" in known[subject.key]]
    blocks: list[Block] = []
    if live:
        rows: list[tuple[Cell, ...]] = []
        for subject in live:
            identity = known[subject.key]
            marks = [
                word
                for word, said in (
                    ("default", subject.default),
                    ("required", subject.required),
                    ("lookup", subject.lookup),
                )
                if said
            ]
            details = identity.get("details", {})
            rows.append(
                (
                    subject.key,
                    subject.family,
                    versions(identity),
                    Code(entry_point(identity)),
                    subject.decode,
                    ", ".join(f"{name}={value}" for name, value in details.items()),
                    " ".join(marks),
                )
            )
        headers = ("subject", "family", "version", "entry point", "bytes decoded by", "details", "")
        blocks.append(Table(headers, tuple(rows)))
    if absent:
        blocks.append(
            Table(
                ("absent", "why", "install"),
                tuple((s.key, _why(s, known), Code(s.install)) for s in absent),
            )
        )
    blocks.append(paragraph(f"{len(live)} of {plural(len(chosen), 'subject')} can be asked."))
    return blocks


def _why(subject: Subject, known: Mapping[str, Mapping[str, Any]]) -> str:
    # The reason of a missing runtime ends with the command that the next column shows.
    return str(known[subject.key]["absent"]).removesuffix(f": {subject.install}")


def cases_list(cases: Sequence[Case]) -> Document:
    """Ids with what the layers expect."""
    return [
        Table(
            ("case", "bytes", *(layer.partition("/")[0] for layer in LAYERS)),
            tuple((c.id, f"{len(c.data):,}", *(c.expect.get(layer, "-") for layer in LAYERS)) for c in cases),
            frozenset({1}),
        ),
        paragraph(f"{plural(len(cases), 'case')}."),
    ]


def cases_shown(cases: Sequence[Case]) -> Document:
    """Cases with bytes, reason, references and expectations."""
    blocks: list[Block] = []
    for case in cases:
        blocks.append(Heading(case.id))
        blocks.append(paragraph(case.why + (f" ({', '.join(case.refs)})" if case.refs else "")))
        rows: list[tuple[Cell, ...]] = [
            ("input", Input(case.data, 400)),
            ("bytes", Code(hex_bytes(case.data, 96), 400)),
            ("length", f"{len(case.data):,}"),
        ]
        rows += [(name, value) for name, value in case.headers.items()]
        blocks.append(Table(("", ""), tuple(rows)))
        blocks.append(
            Table(
                ("layer", "expects", "clause"),
                tuple((layer, said, case.clauses.get(layer, "")) for layer, said in case.expect.items()),
            )
        )
    return blocks


def check(count: int, found: Sequence[Disagreement]) -> Document:
    """Expectations held against the reference."""
    if not found:
        return [paragraph(f"{plural(count, 'case')}: every expectation agrees with the reference reader.")]
    return [
        Table(
            ("case", "layer", "expected", "reference", "clause"),
            tuple((d.case, d.layer, d.expected, d.said, d.clause) for d in found),
        ),
        paragraph(
            f"Expectations that differ from the reference reader: {len(found):,}, in {plural(count, 'case')}."
        ),
    ]
