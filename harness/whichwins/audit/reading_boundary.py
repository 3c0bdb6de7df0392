"""One `[[boundary]]` of a stack file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from keyword import iskeyword
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from whichwins.audit.reading_request import read_request
from whichwins.audit.stack import KINDS, ROLES, Boundary, Kind, Request, Role
from whichwins.config.paths import is_file, path_in, subject_in
from whichwins.config.section import Section
from whichwins.model import Adapter, BadInput
from whichwins.subjects import select

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
_KEYS = (
    *(
        "name",
        "role",
        *KINDS,
        "reads",
        "request",
        "sink",
        "sink-runs",
        "sink-argument",
        "transform",
        "raw",
        "guarantee",
    ),
    *("executes", "allow-remote", "worker"),
)
_ONLY_OF: dict[str, tuple[Kind, ...]] = {
    "request": ("asgi", "wsgi", "http"),
    "sink": ("call", "asgi", "wsgi"),
    "sink-runs": ("call", "asgi", "wsgi"),
    "sink-argument": ("call", "asgi", "wsgi"),
    "executes": ("http",),
    "allow-remote": ("http",),
    "worker": ("command",),
}
"""Keys that mean something for some kinds only."""
_ONE = "say what it is, with one of " + ", ".join(KINDS)


class Field(NamedTuple):
    """A boundary and the table that it was read from."""

    section: Section
    boundary: Boundary


def read_boundary(section: Section, folder: Path, adapters: Sequence[Adapter]) -> Boundary:
    """Read one boundary; paths in it are relative to `folder`. Whom it reads is checked by the caller.

    Raises BadInput naming line and key of whatever is wrong.
    """
    section.only(_KEYS)
    name = _name(section)
    role: Role = next(role for role in ROLES if role == section.choice("role", ROLES))
    kind = _kind(section)
    for key, kinds in _ONLY_OF.items():
        if key in section.items and kind not in kinds:
            raise section.fail(f"`{key}` is for {_or(kinds)}, not for {kind}: leave it out", key)
    target, command = _target(section, kind, folder, adapters)
    sink = _function(section, "sink")
    if "sink-runs" in section.items and not sink:
        raise section.fail('`sink-runs` without a sink: write sink = "module:function" too', "sink-runs")
    argument = section.text("sink-argument") or ""
    if argument and not sink:
        said = '`sink-argument` without a sink: write sink = "module:function" too'
        raise section.fail(said, "sink-argument")
    if argument and not argument.isidentifier():
        raise section.fail("`sink-argument` must be the name of a parameter", "sink-argument")
    raw = section.flag("raw", True)
    guarantee = section.text("guarantee") or ""
    if not raw and not guarantee:
        said = "`raw` is false, so `guarantee` is needed: say who promises what about the objects it is fed"
        raise section.fail(said, "raw")
    if raw and guarantee:
        raise section.fail("`guarantee` is for `raw` = false: add that, or leave it out", "guarantee")
    return Boundary(
        name=name,
        role=role,
        kind=kind,
        target=target,
        place=section.place(),
        reads=section.text("reads"),
        command=command,
        worker=section.flag("worker", False),
        request=read_request(section) if kind in _ONLY_OF["request"] else Request(),
        sink=sink,
        sink_runs=section.flag("sink-runs", False),
        sink_argument=argument,
        transform=_function(section, "transform"),
        raw=raw,
        guarantee=guarantee,
        executes=section.flag("executes", False),
        allow_remote=section.flag("allow-remote", False),
    )


def _name(section: Section) -> str:
    name = section.text("name", "say what the boundary is called")
    assert name is not None
    if not _NAME.fullmatch(name):
        raise section.fail("`name` must be letters, digits, '.', '_' and '-' of ASCII, at most 60", "name")
    return name


def _kind(section: Section) -> Kind:
    there = [kind for kind in KINDS if kind in section.items]
    if not there:
        raise section.fail(f"it is not said what the boundary is: {_ONE}")
    if len(there) > 1:
        raise section.fail(f"`{there[0]}` and `{there[1]}` stand side by side: keep one", there[1])
    return there[0]


def _target(
    section: Section, kind: Kind, folder: Path, adapters: Sequence[Adapter]
) -> tuple[str, tuple[str, ...]]:
    if kind == "subject":
        return _subject(section, folder, adapters), ()
    if kind == "command":
        return "", _command(section, folder)
    if kind == "http":
        return _address(section), ()
    return _function(section, kind, made=kind != "call"), ()


def _subject(section: Section, folder: Path, adapters: Sequence[Adapter]) -> str:
    key = section.text("subject", 'write subject = "python/json"')
    assert key is not None
    if re.search(r"[*?\[]", key.partition("@")[0]):
        raise section.fail(
            "`subject` must be one key, no pattern: `whichwins subjects` lists them", "subject"
        )
    wanted = subject_in(folder, key)
    try:
        select(adapters, [wanted])
    except BadInput as error:
        raise section.fail(f"`subject`: {error}", "subject") from None
    return wanted


def _function(section: Section, key: str, *, made: bool = False) -> str:
    """`module:name`, empty where it is not there; `made`: also `module:name()`, for what calling it gives."""
    value = section.text(key)
    if value is None:
        return ""
    module, colon, name = value.partition(":")
    if made:
        name = name.removesuffix("()")
    parts = [*module.split("."), *name.split(".")]
    if not colon or not all(part.isidentifier() and not iskeyword(part) for part in parts):
        also = ', or "module:name()" for what it returns' if made else ""
        raise section.fail(f'`{key}` must be {key} = "module:name", dotted names of Python{also}', key)
    return value


def _command(section: Section, folder: Path) -> tuple[str, ...]:
    """The command; a program that is named by a relative path is of the stack's folder."""
    command = section.texts("command")
    if not command:
        raise section.fail('`command` is empty: write command = ["program", "argument"]', "command")
    program = path_in(folder, command[0])
    if "/" in command[0] and not is_file(program):
        raise section.fail(
            "`command`: its program is not there: name it relative to the stack file", "command", 0
        )
    return (program, *command[1:])


def _address(section: Section) -> str:
    """An address of this machine, or of another that is allowed. None is quoted: it may hold a secret."""
    address = section.text("http", 'write http = "http://127.0.0.1:8000"')
    assert address is not None
    shape = 'write http = "http://127.0.0.1:8000"'
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise section.fail(f"`http` is no address: {shape}", "http") from None
    if parts.scheme not in ("http", "https") or not host or port == 0 or not address.isascii():
        raise section.fail(f"`http` is no address: {shape}", "http")
    if "@" in parts.netloc:
        raise section.fail("`http` holds a user: send it as a header, request = { headers = ... }", "http")
    if parts.path not in ("", "/") or parts.query or parts.fragment or address[-1:] in "?#":
        raise section.fail("`http` holds more than a host: write request = { path = ... } beside it", "http")
    if not section.flag("executes", False):
        said = "`http` runs what it is sent: write executes = true, if that may happen there"
        raise section.fail(said, "executes" if "executes" in section.items else "http")
    if not _is_here(host) and not section.flag("allow-remote", False):
        raise section.fail("`http` is not of this machine: write allow-remote = true, if you may", "http")
    return address.rstrip("/")


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _or(kinds: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(kinds[:-1]), kinds[-1]]))
