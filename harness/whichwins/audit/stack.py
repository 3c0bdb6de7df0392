"""A stack as its file declares it: boundaries with roles, and who reads whose output. Frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from whichwins.model import Allow, Place
from whichwins.reference.reader import DEFAULT_LIMITS, Limits

Role: TypeAlias = Literal["reviewer", "validator", "approver", "executor", "logger", "store"]
ROLES: tuple[Role, ...] = get_args(Role)
"""What a boundary is for. A reviewer shows a value to somebody who decides, a validator checks it, an
approver
allows one digest, an executor acts on it, a logger records it, a store keeps it."""

Kind: TypeAlias = Literal["subject", "call", "asgi", "wsgi", "http", "command"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What a boundary is: a parser that whichwins knows, a Python function, an application, a service, a
program."""

Slot: TypeAlias = Literal["body", "value", "string"]
SLOTS: tuple[Slot, ...] = get_args(Slot)
"""Where a case goes in a request: it is the body, a JSON value in it, or a string in it (escaped)."""

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Request:
    """How a case is sent to an application or a service.

    `template` holds `{case}` once where `slot` is `value` or `string`; it is empty for `body`. Headers of the
    case come over those here.
    """

    method: str = "POST"
    path: str = "/"
    headers: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({"content-type": "application/json"})
    )
    slot: Slot = "body"
    template: str = ""


@dataclass(frozen=True, slots=True)
class Boundary:
    """One place where bytes become values.

    `reads` is the boundary whose re-serialised output it reads, None for the original request.
    `target` is a subject's key, `module:name`, an address, or empty for a command. `sink` is the
    function, `module:name`, that is counted and recorded instead of run (`sink_runs`: and run;
    `sink_argument`: the argument that holds what runs, where it is not all of them). `transform`,
    `module:name`, declares a legitimate conversion of what it reads. `raw` false marks one that is
    fed parsed objects, with the `guarantee` that its owner gives: unverified, never green.
    `executes` allows an address to be asked, `allow_remote` one that is not of this machine.
    """

    name: str
    role: Role
    kind: Kind
    target: str
    place: Place
    reads: str | None = None
    command: tuple[str, ...] = ()
    worker: bool = False
    request: Request = Request()
    sink: str = ""
    sink_runs: bool = False
    sink_argument: str = ""
    transform: str = ""
    raw: bool = True
    guarantee: str = ""
    executes: bool = False
    allow_remote: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """What the stack promises: a layer, exact names and their aliases (alias -> name), where declared.

    `limits` of size, depth and number length count where the layer rejects what is beyond them.
    """

    layer: str = "strict-tool-input/1"
    limits: Limits = DEFAULT_LIMITS
    names: frozenset[str] | None = None
    aliases: Mapping[str, str] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True)
class Stack:
    """The whole. `boundaries` stand so that each comes after the one it reads.

    `controls` are patterns of case ids: what of them the policy accepts, the stack has to accept (empty:
    whatever the policy accepts). `corpus` are its own cases, relative to its folder, asked beside the
    built-in ones unless `builtin` is false.
    """

    name: str
    policy: Policy
    boundaries: tuple[Boundary, ...]
    place: str
    folder: Path
    lens: str = "value/1"
    allow: tuple[Allow, ...] = ()
    python: str | None = None
    controls: tuple[str, ...] = ()
    corpus: tuple[str, ...] = ()
    builtin: bool = True

    def path(self, name: str) -> tuple[Boundary, ...]:
        """The boundaries that a request passes on its way to `name`, that one last."""
        by_name = {each.name: each for each in self.boundaries}
        found: list[Boundary] = []
        step: str | None = name
        while step is not None:
            found.append(by_name[step])
            step = by_name[step].reads
        return tuple(reversed(found))
