"""What a comparison says of subjects that bind, as a part of a document."""

from __future__ import annotations

from collections.abc import Iterator

from whichwins.analysis.binding_result import TOGETHER, BindingMatrix
from whichwins.report.document import Block, Heading, Table, paragraph


def binding_part(matrix: BindingMatrix | None) -> Iterator[Block]:
    """The table of names; nothing where nobody binds."""
    if matrix is None:
        return
    yield Heading("Distinct names that meet: who wins")
    yield paragraph(
        "A name alone: bound to its field, ignored, kept beside the target under its own name, or rejected. "
        "A collision: canonical, alias, exact, variant: that name wins wherever it stands; first, last: that "
        "place; both: each is kept; reject: refused, while each name alone is accepted; "
        "n/a: no statement."
    )
    rows = tuple(
        (subject, *(cell.label for cell in cells))
        for subject, cells in zip(matrix.subjects, matrix.cells, strict=True)
    )
    columns = [name if name in TOGETHER else f"{name}\nalone" for name in matrix.columns]
    yield Table(("subject", *(name.replace(" collision", "\ncollision") for name in columns)), rows)
