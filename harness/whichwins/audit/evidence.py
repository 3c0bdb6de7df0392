"""Evidence records: what every boundary did with every request, by keyed digests. JSON Lines, deterministic.

Equal values have equal digests under one key; without the key nobody can try short values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from whichwins.audit.passage import Passage
from whichwins.audit.result import VERDICT_OF, AuditResult, CaseLine, Finding
from whichwins.audit.unread import is_unread, no_digest
from whichwins.run import Withheld
from whichwins.run.lines import line_of

EVIDENCE_VERSION = 1


def evidence_lines(result: AuditResult, withheld: Withheld, tool: str) -> Iterator[str]:
    """A header, a line for each request with all passages and findings, a footer with the counts.

    Values are in their normal form before they are digested: equal under the stack's lens, equal here.
    """
    by_case: dict[str, list[tuple[Finding, bool]]] = {}
    for finding in result.findings:
        by_case.setdefault(finding.case, []).append((finding, False))
    for excused in result.excused:
        for finding in excused.findings:
            by_case.setdefault(finding.case, []).append((finding, True))
    yield line_of(_header(result, tool))
    for case, request in result.requests.items():
        passages = result.passages.get(case, {})
        yield line_of(
            {
                "kind": "request",
                "case": case,
                **_request(request, withheld),
                "boundaries": {
                    boundary.name: _passage(passages[boundary.name], withheld)
                    for boundary in result.stack.boundaries
                    if boundary.name in passages
                },
                "findings": [_finding(each, excused) for each, excused in by_case.get(case, ())],
            }
        )
    yield line_of(
        {
            "kind": "footer",
            "requests": len(result.requests),
            "findings": len(result.findings),
            "excused": sum(len(each.findings) for each in result.excused),
            "verdicts": {str(number): state for number, state in result.verdicts.items()},
            "unknown": list(result.unknown),
            "incomplete": list(result.incomplete),
        }
    )


def _header(result: AuditResult, tool: str) -> dict[str, Any]:
    stack = result.stack
    return {
        "kind": "header",
        "evidence": EVIDENCE_VERSION,
        "tool": tool,
        "stack": stack.name,
        "policy": stack.policy.layer,
        "lens": result.lens,
        "corpus": result.corpus,
        "cases": result.cases,
        "boundaries": [
            {
                "name": line.name,
                "role": line.role,
                "reads": line.reads or None,
                "unverified": line.unverified,
                "identity": json.loads(json.dumps(dict(line.identity), sort_keys=True, default=_plain)),
            }
            for line in result.lines
        ],
    }


def _plain(item: object) -> object:
    return dict(item) if isinstance(item, Mapping) else str(item)


def _request(request: CaseLine, withheld: Withheld) -> dict[str, Any]:
    return {
        "input": None if request.data is None else withheld.of(request.data),
        "length": request.length,
        "expected": request.expected,
        "clause": request.clause,
        "losses": dict(request.losses),
    }


def _passage(passage: Passage, withheld: Withheld) -> dict[str, Any]:
    """Unknown executions are null, never an empty list. What was not said is left out."""

    def digest(value: str) -> str:
        if is_unread(value):
            return "unread"
        return withheld.of(withheld.normal(value).encode())

    def token(digest: str) -> str:
        return "unread" if no_digest(digest) else withheld.of(digest.encode())

    record: dict[str, Any] = {"passed": passage.passed.value}
    if passage.signal:
        record["signal"] = passage.signal
    if passage.value is not None:
        record["value"] = digest(passage.value)
    if passage.previews:
        record["previews"] = [digest(each.value) for each in passage.previews]
    runs = passage.executions
    record["executions"] = None if runs is None else [digest(value) for value in runs]
    if passage.approved is not None:
        record["approved"] = token(passage.approved)
    if passage.executed:
        record["executed"] = [token(each) for each in passage.executed]
    if passage.emitted is not None:
        record["emitted"] = withheld.of(passage.emitted)
    if passage.decoders:
        record["decoders"] = list(passage.decoders)
    if passage.unstable:
        record["unstable"] = True
    return record


def _finding(finding: Finding, excused: bool) -> dict[str, Any]:
    return {
        "verdict": VERDICT_OF[finding.fault],
        "fault": finding.fault,
        "boundary": finding.boundary,
        "other": finding.other or None,
        "cause": finding.cause,
        "kind": finding.kind,
        "lossy": finding.lossy,
        "loss": finding.loss,
        **({"excused": True} if excused else {}),
    }
