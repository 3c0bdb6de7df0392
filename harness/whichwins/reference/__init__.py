"""The oracle: a strict, lossless RFC 8259 reader, expectation layers, twins, the guard.

    reading = read(data)
    reading.root.members      # all pairs in order, names, lexemes, offsets
    verdicts(reading)         # what each layer expects, with clause and place
    occurrences(reading)      # where names repeat
    twin(reading)             # the same bytes with the repeats renamed apart
    guard(data)               # a value, or a rejection that tells the place and no content

Pure: bytes in, data out.
"""

from whichwins.reference.guard import (
    STRICT_TOOL_INPUT,
    Accepted,
    Policy,
    Rejected,
    Shadowed,
    guard,
)
from whichwins.reference.layers import Verdict, verdicts
from whichwins.reference.problems import Problem, ProblemKind
from whichwins.reference.reader import Limits, Reading, read
from whichwins.reference.repeats import Group, Occurrence, occurrences
from whichwins.reference.tape import Kind, Member, Node
from whichwins.reference.twin import twin
from whichwins.reference.values import Plain, plain, spelled, value

__all__ = [
    "STRICT_TOOL_INPUT",
    "Accepted",
    "Group",
    "Kind",
    "Limits",
    "Member",
    "Node",
    "Occurrence",
    "Plain",
    "Policy",
    "Problem",
    "ProblemKind",
    "Reading",
    "Rejected",
    "Shadowed",
    "Verdict",
    "guard",
    "occurrences",
    "plain",
    "read",
    "spelled",
    "twin",
    "value",
    "verdicts",
]
