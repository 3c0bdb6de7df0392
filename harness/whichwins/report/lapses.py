"""Exceptions in every format: what they excuse, and those that are findings: ended, or covering nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whichwins.analysis.change_result import Lapse
from whichwins.analysis.counting import plural
from whichwins.model import Allow
from whichwins.report.annotations import Annotation
from whichwins.report.change import allow_said, at, lapse_said, named, short, until_said
from whichwins.report.document import Block, Code, Heading, Table
from whichwins.report.extent import Extent, first_of, left_of
from whichwins.report.sarif_log import Result, Rule
from whichwins.report.suites import LISTED, Suite, Test, left_out

_RULES = {
    "allow-expired": (
        "Exception expired",
        "The day or the version up to which an exception holds has passed.",
    ),
    "allow-unused": ("Exception unused", "An exception covers no change any more."),
}


def blocks(lapses: Sequence[Lapse], extent: Extent) -> Iterator[Block]:
    """A table of them; nothing where there are none."""
    if not lapses:
        return
    yield Heading("Exceptions to look at")
    if shown := first_of(lapses, extent):
        yield Table(
            ("exception", "finding", "covers", "why it was made"),
            tuple(
                (Code(at(one.allow.place)), lapse_said(one), allow_said(one.allow), short(one.allow.reason))
                for one in shown
            ),
        )
    yield from left_of(lapses, extent, lambda left: plural(len(left), "exception"))


def excused(allows: Sequence[tuple[Allow, int]], extent: Extent) -> Iterator[Block]:
    """A table of exceptions and how many cases each covers; nothing where there are none."""
    if not allows:
        return
    yield Heading("Excused")
    if shown := first_of(allows, extent):
        yield Table(
            ("cases", "reason", "how long", "covers", "exception"),
            tuple(
                (
                    f"{count:,}",
                    short(allow.reason),
                    until_said(allow) or "for good",
                    allow_said(allow),
                    Code(at(allow.place)),
                )
                for allow, count in shown
            ),
            frozenset({0}),
        )
    yield from left_of(
        allows,
        extent,
        lambda left: (
            f"{plural(len(left), 'exception')} with {plural(sum(count for _, count in left), 'case')}"
        ),
    )


def suite(lapses: Sequence[Lapse]) -> Suite:
    """A failing test each."""
    tests = []
    for lapse in lapses[:LISTED]:
        name = f"{at(lapse.allow.place)}: {allow_said(lapse.allow)}"
        message = f"{lapse_said(lapse)} (made because: {short(lapse.allow.reason)})"
        tests.append(Test(name, "failure", lapse.kind, message))
    if (left := len(lapses) - LISTED) > 0:
        tests.append(left_out(plural(left, "exception")))
    return Suite("exceptions", tests)


def annotation(lapse: Lapse) -> Annotation:
    """A warning at the exception."""
    lines = (lapse_said(lapse), f"covers: {allow_said(lapse.allow)}", f"reason: {short(lapse.allow.reason)}")
    return Annotation(_RULES[lapse.kind][0], lines, named(lapse.allow.place))


def excused_annotation(allow: Allow, count: int, unit: str) -> Annotation:
    """A notice at an exception that covers `count` of the `unit`."""
    lines = (f"reason: {short(allow.reason)}", f"covers: {allow_said(allow)}", until_said(allow))
    name = f"{plural(count, unit)} excused"
    return Annotation(name, tuple(filter(None, lines)), named(allow.place), count)


def excused_message(allow: Allow) -> str:
    """Why a finding is none, on a line."""
    until = until_said(allow)
    return f"{short(allow.reason)} ({f'{until}; ' if until else ''}{at(allow.place)})"


def justification(allow: Allow) -> str:
    """Why a finding is accepted, for SARIF."""
    until = until_said(allow)
    return short(allow.reason, 400) + (f" ({until})" if until else "")


def result(lapse: Lapse) -> Result:
    """A warning at the exception, with its rule."""
    name, about = _RULES[lapse.kind]
    rule = Rule(lapse.kind, "warning", name, about, ("Remove the exception, or renew it with a reason.",))
    allow = lapse.allow
    message = f"{lapse_said(lapse)}. It covers {allow_said(allow)}; made because: {short(allow.reason)}."
    prints = (lapse.kind, allow.subject, allow.case, allow.kind, allow.cause or "")
    return Result(rule, "warning", message[0].upper() + message[1:], named(allow.place), prints, {})
