"""A report's document for the template `blocks.html.j2`: printable ASCII, headings without a gap.

A page says what the text and Markdown reports say, from the same blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whichwins.report.document import (
    Block,
    Cell,
    Fold,
    Heading,
    Items,
    Paragraph,
    Table,
    spans_of,
)
from whichwins.report.safe import plain
from whichwins.report.text import spelled


class Prepared:
    """Prepares blocks; one for a page, since tables are numbered for those who hear it."""

    def __init__(self) -> None:
        self._tables = 0

    def __call__(self, document: Iterable[Block], level: int = 1) -> list[dict[str, Any]]:
        """The blocks under a heading of `level`."""
        made: list[dict[str, Any]] = []
        heading = ""
        for block in document:
            match block:
                case Heading():
                    level = min(block.level, level + 1)
                    heading = plain(block.text)
                    made.append({"kind": "heading", "level": level, "text": heading})
                case Paragraph():
                    made.append({"kind": "paragraph", "spans": cell(block.spans)})
                case Items():
                    made.append({"kind": "items", "rows": [cell(item) for item in block.items]})
                case Table() if len(block.headers) == 2 and not any(block.headers):
                    made.append(
                        {"kind": "facts", "rows": [[cell(each) for each in row] for row in block.rows]}
                    )
                case Table():
                    made.append(self._table(block, heading))
                case Fold():
                    made.append({"kind": "fold", "text": block.summary, "inside": self(block.blocks, level)})
        return made

    def _table(self, block: Table, heading: str) -> dict[str, Any]:
        self._tables += 1
        return {
            "kind": "table",
            "label": f"Table {self._tables}{f': {heading}' if heading else ''}",
            "headers": [plain(header) for header in block.headers],
            "right": block.right,
            "rows": [[cell(each) for each in row] for row in block.rows],
        }


def cell(said: Cell) -> list[tuple[str, str]]:
    """A cell as `(words or code, text)`; nothing where it is empty."""
    return [
        ("words" if isinstance(span, str) else "code", spelled(span) or "(empty)")
        for span in spans_of(said)
        if span != ""
    ]
