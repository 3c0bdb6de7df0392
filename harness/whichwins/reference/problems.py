"""What a reading can find, each with the clause it touches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from whichwins.reference.tape import ordinal_path

ProblemKind = Literal[
    # fatal: not in the grammar, reading stops
    "empty",
    "trailing-data",
    "structure",
    "literal",
    "number",
    "string",
    "control-character",
    "escape",
    # fatal outside strings
    "utf-8",
    # reading goes on
    "bom",
    "repeated-name",
    "surrogate",
    "noncharacter",
    "depth",
    "size",
    "top-level",
    "number-length",
    "number-overflow",
    "integer-range",
    "number-precision",
]

CLAUSES: dict[ProblemKind, str] = {
    "empty": "RFC 8259 section 2: a JSON text is one value",
    "trailing-data": "RFC 8259 section 2: a JSON text is one value",
    "structure": "RFC 8259 sections 2, 4, 5: values, objects and arrays",
    "literal": "RFC 8259 section 3: true, false, null, in lower case",
    "number": "RFC 8259 section 6: number grammar",
    "string": "RFC 8259 section 7: a string ends with a quotation mark",
    "control-character": "RFC 8259 section 7: control characters MUST be escaped",
    "escape": "RFC 8259 section 7: escapes",
    "utf-8": "RFC 8259 section 8.1: MUST be UTF-8",
    "bom": "RFC 8259 section 8.1: MUST NOT add a byte order mark; a parser MAY ignore it",
    "repeated-name": "RFC 8259 section 4: names SHOULD be unique",
    "surrogate": "RFC 8259 section 8.2: an unpaired surrogate is unpredictable",
    "noncharacter": "RFC 7493 section 2.1: MUST NOT include noncharacters",
    "depth": "RFC 8259 section 9: depth MAY be limited",
    "size": "RFC 8259 section 9: size MAY be limited",
    "top-level": "RFC 7493 section 4.1: SHOULD be an object or an array",
    "number-length": "RFC 8259 section 6: range and precision MAY be limited",
    "number-overflow": "RFC 8259 section 6: range and precision MAY be limited",
    "integer-range": "RFC 8259 section 6: range and precision MAY be limited",
    "number-precision": "RFC 8259 section 6: range and precision MAY be limited",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding at a byte offset. A fatal one ended the reading: the text is not JSON."""

    kind: ProblemKind
    offset: int
    fatal: bool
    data: bytes = field(repr=False, compare=False)

    @property
    def clause(self) -> str:
        """The clause that forbids it, or that leaves it open."""
        return CLAUSES[self.kind]

    @property
    def path(self) -> str:
        """Ordinal path of the place, worked out when asked for."""
        return ordinal_path(self.data, self.offset)
