"""An audit as a document: the verdicts, the boundaries, and every fault with its smallest witness."""

from __future__ import annotations

from collections.abc import Iterator

from whichwins.analysis.counting import plural
from whichwins.audit.passage import Passed
from whichwins.audit.result import AuditResult, BoundaryLine, Finding, FindingGroup
from whichwins.report import lapses
from whichwins.report.audit_received import received
from whichwins.report.audit_words import (
    FAULTS_SAID,
    VERDICTS,
    cause_said,
    details,
    executions_said,
    group_title,
    of_verdict,
    policy_lines,
    shown_place,
    state_of,
    title,
    unverified,
    verdict,
    what,
    who,
)
from whichwins.report.change import at, short
from whichwins.report.comparison import versions
from whichwins.report.document import (
    Block,
    Cell,
    Code,
    Document,
    Fold,
    Heading,
    Items,
    Table,
    paragraph,
    spans_of,
)
from whichwins.report.extent import Extent, first_of, fitted, left_of, listing
from whichwins.report.veil import Veil

_ALWAYS = (Passed.ACCEPTED, Passed.REJECTED)
_FEW = 60
EXAMPLE = "repeated-conflicting/quantity-2-20"


def audit_document(result: AuditResult, extent: Extent, veil: Veil) -> Document:
    """Verdicts, what is unknown, boundaries, families, faults with witnesses, exceptions; every finding."""
    blocks: list[Block] = [Heading(verdict(result), 1)]
    if extent.note:
        blocks.append(paragraph(extent.note))
    blocks += _about(result)
    blocks.append(verdict_table(result))
    blocks += _example(result, veil)
    blocks += received(result, extent)
    blocks += listing("Not measured", result.incomplete, extent)
    blocks += listing("Unknown", result.unknown, extent)
    blocks += _boundaries(result, extent)
    blocks += _families(result, extent)
    blocks += _findings(result, extent, veil)
    blocks += lapses.blocks(result.lapses, extent)
    blocks += lapses.excused([(one.allow, len(one.findings)) for one in result.excused], extent)
    blocks += listing("Notes", result.notes, extent)
    if extent.every:
        blocks += _every(result, extent, veil)
    elif result.findings:
        blocks.append(
            paragraph("The path of one request: --case CASE. Every finding: --all, or -o report.md.")
        )
    if veil.hidden:
        blocks.append(paragraph("Values are left out, and numbered: --show-values shows them."))
    return blocks


def within(result: AuditResult, limit: int, veil: Veil) -> str:
    """The audit as Markdown in at most `limit` characters; lists are cut, and the cut is said.

    Empty where not even the verdict fits.
    """
    lists = (
        *(result.findings, result.groups, result.lines, result.families, result.unknown),
        *(result.notes, result.incomplete, result.lapses, result.excused),
    )
    titles = (title(result), verdict(result))
    return fitted(lambda extent: audit_document(result, extent, veil), max(map(len, lists)), limit, titles)


def _about(result: AuditResult) -> Iterator[Block]:
    stack = result.stack
    spans: list[str | Code] = ["Stack ", Code(stack.name, _FEW)]
    if stack.place:
        spans += [
            " in ",
            Code(shown_place(stack, stack.boundaries[0].place).file if stack.boundaries else "", _FEW),
        ]
    more = "".join(f", {said}" for said in policy_lines(stack))
    spans.append(f": policy {short(stack.policy.layer)}{more}; {plural(result.cases, 'case')}")
    if result.corpus:
        spans += [" of corpus ", Code(result.corpus, _FEW)]
    yield paragraph(*spans, f"; values compared under {short(result.lens)}.")


def verdict_table(result: AuditResult) -> Table:
    """The five verdicts, each with its smallest witness."""
    rows: list[tuple[Cell, ...]] = []
    for number, said in VERDICTS.items():
        mine = of_verdict(result, number)
        state = short(state_of(result, number))
        rows.append((str(number), said, state, f"{len(mine):,}", Code(mine[0].case) if mine else ""))
    return Table(("", "verdict", "", "findings", "smallest witness"), tuple(rows), frozenset({3}))


def _example(result: AuditResult, veil: Veil) -> Iterator[Block]:
    """What each side held of one request whose values are public: the one that the documentation is about."""
    for finding in result.findings:
        if finding.fault == "value-differs" and finding.case == EXAMPLE and finding.case in result.public:
            facts = list(details(finding, veil))
            (_, given), *_ = [pair for pair in facts if pair[0] == "input"]
            (left, one), (right, two) = facts[3:5]
            yield paragraph(
                "For ", *spans_of(given), f": {left} ", *spans_of(one), f", {right} ", *spans_of(two), "."
            )


def _boundaries(result: AuditResult, extent: Extent) -> Iterator[Block]:
    lines = result.lines
    yield Heading("Boundaries")
    if shown := first_of(lines, extent):
        ends = [each for each in Passed if each in _ALWAYS or any(line.outcomes.get(each) for line in lines)]
        reads = any(line.reads for line in lines)
        losing = any(line.losses for line in lines)
        doubtful = bool(unverified(lines))
        rows = tuple(
            (
                short(line.name, _FEW),
                short(line.role),
                *((short(line.reads, _FEW) or "the request",) if reads else ()),
                *(f"{line.outcomes.get(each, 0):,}" for each in ends),
                executions_said(line.executions),
                *((_losses(line),) if losing else ()),
                *(("unverified" if line.unverified else "yes",) if doubtful else ()),
            )
            for line in shown
        )
        first = 3 if reads else 2
        headers = (
            *("boundary", "role", *(("reads",) if reads else ()), *(each.value for each in ends)),
            *("executions", *(("first lost here",) if losing else ()), *(("verified",) if doubtful else ())),
        )
        yield Table(headers, rows, frozenset(range(first, first + len(ends) + 1)))
        yield Table(("", ""), tuple((short(line.name, _FEW), _is(line, result)) for line in shown))
    yield from left_of(lines, extent, lambda left: plural(len(left), "boundary", "boundaries"))


def _is(line: BoundaryLine, result: AuditResult) -> Cell:
    """What a boundary is, its version, why nothing is proven of it."""
    spans: list[str | Code] = [Code(what(line, result.stack))]
    if made := versions(line.identity):
        spans.append(f", {short(made)}")
    if line.unverified:
        spans.append(f"; unverified: {short(line.why, 400)}" if line.why else "; unverified")
    return tuple(spans)


def _losses(line: BoundaryLine) -> str:
    return ", ".join(f"{short(loss)} {count:,}" for loss, count in line.losses.items() if count)


def _families(result: AuditResult, extent: Extent) -> Iterator[Block]:
    """Findings by family and boundary. No finding of one that is unverified says nothing."""
    rows = [(name, counts) for name, counts in result.families.items() if any(counts.values())]
    if not rows:
        return
    yield Heading("Findings by family and boundary")
    doubtful = {line.name for line in unverified(result.lines)}
    names = [line.name for line in result.lines]
    if shown := first_of(rows, extent):
        yield Table(
            ("family", *(short(name, 24) for name in names)),
            tuple(
                (
                    short(family, _FEW),
                    *(
                        f"{counts[name]:,}" if counts.get(name) else "?" if name in doubtful else "-"
                        for name in names
                    ),
                )
                for family, counts in shown
            ),
            frozenset(range(1, 1 + len(names))),
        )
    yield from left_of(rows, extent, lambda left: plural(len(left), "family", "families"))
    if quiet := len(result.families) - len(rows):
        yield paragraph(f"{plural(quiet, 'family', 'families')} without a finding.")
    if doubtful:
        yield paragraph("?: unverified, so that no finding there says nothing.")


def _findings(result: AuditResult, extent: Extent, veil: Veil) -> Iterator[Block]:
    groups = result.groups
    if not groups:
        return
    yield Heading("Findings")
    shown = first_of(groups, extent)
    if shown:
        yield Table(
            ("fault", "boundary", "cause", "cases"),
            tuple(
                (
                    FAULTS_SAID[group.fault].name,
                    who(group),
                    short(group.cause),
                    f"{group.count:,}",
                )
                for group in shown
            ),
            frozenset({3}),
        )
        faults = dict.fromkeys(group.fault for group in shown)
        yield Items(tuple((f"{FAULTS_SAID[fault].name}: {FAULTS_SAID[fault].about}",) for fault in faults))
    yield from left_of(
        groups,
        extent,
        lambda left: f"{plural(len(left), 'group')} with {plural(sum(g.count for g in left), 'case')}",
    )
    if shown:
        parts = tuple(block for group in shown for block in _group(group, result, veil))
        yield Fold("The smallest witness of each", parts)


def _group(group: FindingGroup, result: AuditResult, veil: Veil) -> Iterator[Heading | Table]:
    yield Heading(group_title(group), 3)
    rows = details(group.witness, veil)
    place = next((each.place for each in result.stack.boundaries if each.name == group.boundary), None)
    if place is not None:
        rows.append(("declared at", Code(at(shown_place(result.stack, place)))))
    yield Table(("", ""), tuple(rows), values=frozenset({1}))


def _every(result: AuditResult, extent: Extent, veil: Veil) -> Iterator[Block]:
    findings = result.findings
    if len(findings) == len(result.groups):
        return  # each is shown as a witness
    shown = first_of(findings, extent)
    if shown:
        table = Table(
            ("case", "finding", "cause", "expected, or the other", "seen"),
            tuple(_finding(finding, veil) for finding in shown),
            values=frozenset({3, 4}),
        )
        yield Heading("Every finding")
        yield Fold(plural(len(shown), "finding"), (table,))
    yield from left_of(findings, extent, lambda left: plural(len(left), "finding"))


def _finding(finding: Finding, veil: Veil) -> tuple[Cell, ...]:
    facts = dict(details(finding, veil))
    sides = list(facts.values())[3:5]
    return (
        Code(finding.case),
        f"{FAULTS_SAID[finding.fault].name}, {who(finding)}",
        cause_said(finding),
        *sides,
    )
