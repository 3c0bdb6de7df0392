"""What the HTML page draws, in numbers: who reads alike, and where parsers have their limits."""

from __future__ import annotations

from collections.abc import Iterator

from whichwins.analysis.counting import plural
from whichwins.analysis.likeness_result import Tree
from whichwins.analysis.limits_result import SURVIVALS, Depth
from whichwins.analysis.result import Comparison
from whichwins.report.arranged import depth_rows, leaves, number_rows, percent
from whichwins.report.document import Block, Heading, Table, paragraph

SURVIVES = {
    "exact": "the decimal value",
    "rounded": "the nearest binary64",
    "other": "another value",
    "refused": "refused",
    "failed": "failed",
}
ALIKE = "Who reads alike"
ALIKE_SAID = (
    "Clusters by the share of their common cases on which two subjects part: the nearest are joined first, a "
    "cluster is as far as its members on average. The order is that of every table of subjects."
)
LIMITS_SAID = (
    "RFC 8259 section 9 lets parsers limit depth, range and precision: where each does, as far as was asked."
)
NUMBERS = "What of a number survives"
NUMBERS_SAID = "JSON texts of the families of numbers, by what is left of them."


def alike_part(tree: Tree) -> Iterator[Block]:
    """The tree of subjects as a table: order and heights are all of it."""
    yield Heading(ALIKE)
    yield paragraph(ALIKE_SAID)
    yield Table(
        ("subject", "joins those\nabove at", "parts\nleast from", "on"),
        tuple(
            (leaf.subject, percent(leaf.joins), leaf.nearest or "", percent(leaf.apart))
            for leaf in leaves(tree)
        ),
        frozenset({1, 3}),
    )


def depth_title(kind: str) -> str:
    """The heading of a kind of nest."""
    return f"How deep it reads: {kind}"


def stops(depth: Depth) -> str:
    """The first level that is not read any more."""
    return "all that was asked" if depth.stops is None else f"{depth.stops:,}"


def limits_part(result: Comparison) -> Iterator[Block]:
    """How deep subjects read and what of a number survives; nothing where neither was asked."""
    depths, numbers = depth_rows(result), number_rows(result)
    if not depths and not numbers:
        return
    yield Heading("Limits")
    yield paragraph(LIMITS_SAID)
    for kind, rows in depths.items():
        yield Heading(depth_title(kind), 3)
        yield Table(
            ("subject", "reads", "not any more", "but"),
            tuple(
                (
                    subject,
                    f"{depth.reads:,}",
                    stops(depth),
                    (depth.how.value if depth.how else "")
                    + (f" and {plural(depth.again, 'deeper level')} read" if depth.again else ""),
                )
                for subject, depth in rows
            ),
            frozenset({1, 2}),
        )
    if numbers:
        yield Heading(NUMBERS, 3)
        yield paragraph(NUMBERS_SAID)
        yield Table(
            ("subject", *(SURVIVES[name].replace("the ", "the\n") for name in SURVIVALS)),
            tuple((subject, *(f"{count:,}" for count in counts)) for subject, counts in numbers),
            frozenset(range(1, len(SURVIVALS) + 1)),
        )
