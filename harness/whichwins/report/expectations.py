"""Who breaks what an expectation layer says, as a part of a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from whichwins.analysis.result import LayerResult
from whichwins.report.document import Block, Code, Heading, Table, paragraph

TITLE = "Expectation layers"
BREACHES_SAID = (
    "accepts: accepts what the layer rejects (RFC 8259 section 9 permits extensions; a strict profile does "
    "not). rejects: rejects what the layer accepts. limit: a rejection that range, size or depth limits "
    "permit. fails: fault, crash, timeout or a broken answer."
)


def layers_part(every: tuple[LayerResult, ...], whole: bool) -> Iterator[Block]:
    """The layers of a comparison: with every clause, or a digest of one table."""
    if layers := asked_layers(every):
        yield from _whole(layers) if whole else _digest(layers)


def asked_layers(every: tuple[LayerResult, ...]) -> list[LayerResult]:
    """Those of which the corpus says anything: a foreign one may not."""
    return [layer for layer in every if layer.accept or layer.reject or layer.free]


def _digest(layers: list[LayerResult]) -> Iterator[Block]:
    yield Heading(TITLE)
    yield paragraph("accepts/rejects/limit/fails. " + BREACHES_SAID)
    rows = zip(*(layer.rows for layer in layers), strict=True)
    yield Table(
        ("subject", *(layer.layer for layer in layers)),
        tuple(
            (row[0].subject, *(f"{r.accepts}/{r.rejects}/{r.limit}/{r.fails}" for r in row)) for row in rows
        ),
        frozenset(range(1, len(layers) + 1)),
    )


def _whole(layers: list[LayerResult]) -> Iterator[Block]:
    yield Heading(TITLE)
    yield paragraph(BREACHES_SAID)
    for layer in layers:
        yield Heading(layer.layer, 3)
        yield paragraph(f"accept {layer.accept:,}, reject {layer.reject:,}, free {layer.free:,} cases.")
        yield Table(
            ("subject", "judged", "accepts", "rejects", "limit", "fails"),
            tuple(
                (r.subject, *(f"{n:,}" for n in (r.judged, r.accepts, r.rejects, r.limit, r.fails)))
                for r in layer.rows
            ),
            frozenset({1, 2, 3, 4, 5}),
        )
        if layer.clauses:
            yield Table(
                ("breach", "clause", "subject", "cases", "smallest witness"),
                tuple(
                    (c.breach, Code(c.clause, 90), c.subject, f"{c.cases:,}", Code(c.witness))
                    for c in layer.clauses
                ),
                frozenset({3}),
                keep=frozenset({0, 2}),
            )
