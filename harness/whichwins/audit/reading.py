"""Reading a stack file, strictly: what is not understood is refused, with its line.

stack = read_stack(Path("stack.toml"), load_adapters())
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from whichwins.analysis.lens import DEFAULT, LENSES
from whichwins.analysis.result import CAUSES
from whichwins.audit.reading_boundary import Field, read_boundary
from whichwins.audit.reading_policy import read_policy
from whichwins.audit.result import FAULTS
from whichwins.audit.stack import Boundary, Stack
from whichwins.config.allow import read_boundary_allow
from whichwins.config.paths import path_in
from whichwins.config.section import Section, suggestion
from whichwins.model import Adapter, BadInput
from whichwins.text_files import read_text, read_toml, shown

MAX_BYTES = 1024 * 1024
"""Of a stack file."""
MAX_BOUNDARIES = 64
"""Of one stack: each is a process."""

_KEYS = ("stack", "boundary", "allow")
_STACK_KEYS = ("name", "policy", "lens", "python", "controls", "corpus", "builtin")


def read_stack(path: Path, adapters: Sequence[Adapter]) -> Stack:
    """Read a stack. Its boundaries stand so that each comes after the one it reads, else as in the file.

    Raises BadInput, one line with file, line, key and remedy, for whatever is wrong. Only the file is
    looked at, and whether a program that is named by a relative path is there.
    """
    toml = read_toml(read_text(path, MAX_BYTES), shown(path))
    top = Section(toml, (), "", toml.items)
    top.only(_KEYS)
    head = top.table("stack", "[stack]")
    if head is None:
        raise BadInput(f'{toml.file}: has no [stack]: write it, with name = "..."')
    head.only(_STACK_KEYS)
    name = head.text("name", "say what the stack is called")
    assert name is not None
    python = head.text("python")
    folder = path.parent
    controls = head.texts("controls")
    corpus, builtin = head.texts("corpus"), head.flag("builtin", True)
    if not builtin and not corpus:
        raise head.fail("`builtin` = false leaves no cases: name yours, corpus = [...]", "builtin")
    boundaries = _boundaries(top, folder, adapters)
    names = [boundary.name for boundary in boundaries]
    return Stack(
        name=name,
        policy=read_policy(head),
        boundaries=boundaries,
        place=toml.file,
        folder=folder,
        lens=head.choice("lens", tuple(LENSES), DEFAULT),
        allow=tuple(
            read_boundary_allow(each, names, FAULTS, CAUSES) for each in top.tables("allow", "[[allow]]")
        ),
        python=path_in(folder, python) if python else None,
        controls=controls,
        corpus=corpus,
        builtin=builtin,
    )


def _boundaries(top: Section, folder: Path, adapters: Sequence[Adapter]) -> tuple[Boundary, ...]:
    sections = top.tables("boundary", "[[boundary]]")
    if len(sections) > MAX_BOUNDARIES:
        said = f"more than {MAX_BOUNDARIES} boundaries: make several stacks of it"
        raise sections[MAX_BOUNDARIES].fail(said)
    found: dict[str, Field] = {}
    for section in sections:
        boundary = read_boundary(section, folder, adapters)
        if (other := found.get(boundary.name)) is not None:
            said = f"`name`: the boundary on line {other.boundary.place.line} is called so too: rename one"
            raise section.fail(said, "name")
        found[boundary.name] = Field(section, boundary)
    for section, boundary in found.values():
        if boundary.reads is not None and boundary.reads not in found:
            said = (
                f"`reads`: no boundary is called so: {suggestion(boundary.reads, list(found), 'there are')}"
            )
            raise section.fail(said, "reads")
    executors = [name for name, each in found.items() if each.boundary.role == "executor"]
    if not executors:
        raise BadInput(f'{top.toml.file}: no boundary has role = "executor": say who acts on the request')
    if len(found) < 2:
        raise found[executors[0]].section.fail(
            "there is no other boundary: add who reads the request beside the executor, or before it"
        )
    return _sorted(found)


def _sorted(found: dict[str, Field]) -> tuple[Boundary, ...]:
    """Each after what it reads: of those that could come next, always the first of the file."""
    placed: dict[str, Boundary] = {}
    while len(placed) < len(found):
        for name, (_, boundary) in found.items():
            if name not in placed and (boundary.reads is None or boundary.reads in placed):
                placed[name] = boundary
                break
        else:
            raise _cycle(found, next(name for name in found if name not in placed))
    return tuple(placed.values())


def _cycle(found: dict[str, Field], start: str) -> BadInput:
    """The error for boundaries that read each other; `start` is one of them, or reads them."""
    way = [start]
    while (step := found[way[-1]].boundary.reads or "") not in way:
        way.append(step)
    ring = [*way[way.index(step) :], step]
    said = "it reads itself" if len(ring) == 2 else f"a ring, {' reads '.join(ring)}"
    return found[step].section.fail(f"`reads`: {said}: let one read the original request", "reads")
