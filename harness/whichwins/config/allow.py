"""`[[allow]]`: exceptions that are declared, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from whichwins.config.section import Section, suggestion
from whichwins.model import Allow

_KEYS = ("subject", "case", "kind", "cause", "reason", "expires", "until-version")
_BOUNDARY_KEYS = ("boundary", "case", "kind", "cause", "reason", "expires")
_VERSION = re.compile(r"[0-9][0-9A-Za-z.!+_-]*")
ANY = "*"
"""The kind that stands for every kind of change."""


def read_allow(section: Section, kinds: Sequence[str], causes: Sequence[str]) -> Allow:
    """Read one exception. Kinds and causes are held against those given; without any all pass.

    Raises BadInput naming the line and the key of whatever is wrong.
    """
    section.only(_KEYS)
    subject = _must(section, "subject", 'write subject = "python/orjson", or a pattern')
    if "@" in subject:
        said = "`subject` is a key without a version: leave out what follows the @, or use until-version"
        raise section.fail(said, "subject")
    until = section.text("until-version")
    if until is not None and not _VERSION.fullmatch(until):
        raise section.fail('`until-version` must be a version, as "3.14"', "until-version")
    return _read(section, subject, kinds, causes, until)


def read_boundary_allow(
    section: Section, boundaries: Sequence[str], kinds: Sequence[str], causes: Sequence[str]
) -> Allow:
    """Read one exception of a stack: `boundary`, a pattern over the names of boundaries, is its `subject`.

    As `read_allow`; a pattern that no boundary fits is a mistake too. It cannot end with a version.
    """
    section.only(_BOUNDARY_KEYS)
    pattern = _must(section, "boundary", "write the name of a boundary, or a pattern")
    if not any(fnmatchcase(name, pattern) for name in boundaries):
        said = f"`boundary`: no boundary is called so: {suggestion(pattern, boundaries, 'there are')}"
        raise section.fail(said, "boundary")
    return _read(section, pattern, kinds, causes, None)


def _read(
    section: Section, subject: str, kinds: Sequence[str], causes: Sequence[str], until: str | None
) -> Allow:
    case = _must(section, "case", 'write case = "family/*", or the id of a case')
    kind = _one_of(section, "kind", _must(section, "kind", _kinds(kinds)), kinds, ANY)
    cause = section.text("cause")
    if cause is not None:
        cause = _one_of(section, "cause", cause, causes, None)
    return Allow(
        subject=subject,
        case=case,
        kind=kind,
        reason=_reason(section),
        place=section.place(),
        cause=cause,
        expires=section.day("expires"),
        until_version=until,
    )


def _must(section: Section, key: str, needed: str) -> str:
    value = section.text(key, needed)
    assert value is not None
    return value


def _kinds(kinds: Sequence[str]) -> str:
    return f'write one of {", ".join(kinds)}, or "{ANY}"' if kinds else f'write a kind of change, or "{ANY}"'


def _one_of(section: Section, key: str, value: str, known: Sequence[str], other: str | None) -> str:
    if not known or value in known or value == other:
        return value
    raise section.fail(f"`{key}`: no {key} is called so: {suggestion(value, known, 'known are')}", key)


def _reason(section: Section) -> str:
    """The reason, on one line. It may be written over several."""
    value = section.items.get("reason")
    if isinstance(value, str) and value.strip():
        return " ".join(value.split())
    if value is None:
        raise section.fail("`reason` is missing: say why the change is accepted, and who looked at it")
    said = "must be a string" if not isinstance(value, str) else "is empty"
    raise section.fail(f"`reason` {said}: say why the change is accepted, and who looked at it", "reason")
