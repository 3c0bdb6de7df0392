"""What the analysis of typed binding returns."""

from __future__ import annotations

from dataclasses import dataclass

ALONE = ("canonical", "alias", "other case", "unknown")
"""Names that stand alone for their field: the canonical one of a field that has an alias, its alias, a name
that only case tells from either, and one that belongs to no field."""
TOGETHER = ("alias collision", "case collision")
"""Distinct names that meet in one field: canonical name and alias; names that differ in case."""


@dataclass(frozen=True, slots=True)
class BindingCell:
    """What a subject does with such names. `label` is `n/a` without a statement; `cases` made one.

    Alone: `bound`, `ignored`, `kept` (under its own name), `rejected`. Together: which value the field got,
    `canonical`, `alias`, `exact`, `variant` (by name), `first`, `last` (by place); `both` (each is
    kept, under one name or another), `reject` (refused, while each name alone is accepted), `neither`,
    `other`. `a or b`: the cases do not tell; `mixed`: no one policy explains them. `witness` is the smallest
    case.
    """

    label: str
    cases: int
    witness: str | None


@dataclass(frozen=True, slots=True)
class BindingMatrix:
    """Subjects that bind by what names do: `cells[i][j]` is `subjects[i]` in `columns[j]`."""

    subjects: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[BindingCell, ...], ...]
