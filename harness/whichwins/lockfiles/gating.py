"""From packages that differ to the subjects that read with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from whichwins.lockfiles.change import PackageChange
from whichwins.model import Adapter, Place, Subject

ECOSYSTEMS: Mapping[str, str] = {"python": "pypi", "node": "npm"}
"""The ecosystem that an adapter's toolchain takes versions from."""

_PYPI = """
    orjson ujson simplejson python-rapidjson msgspec pydantic-core ijson json5 pyjson5 pysimdjson cysimdjson
    yapic-json hyperjson jiter nujson demjson3 json-stream json-repair dirtyjson commentjson hjson yyjson
    ssrjson
"""
_NPM = """
    json5 lossless-json json-bigint secure-json-parse jsonc-parser simdjson comment-json parse-json
    json-parse-even-better-errors json-parse-better-errors fast-json-parse safe-json-parse @hapi/bourne destr
    jju hjson jsonparse JSONStream stream-json clarinet @streamparser/json @discoveryjs/json-ext
    json-with-bigint when-json-met-bigint partial-json jsonrepair yieldable-json
"""
KNOWN: Mapping[str, frozenset[str]] = {"pypi": frozenset(_PYPI.split()), "npm": frozenset(_NPM.split())}
"""Libraries that read JSON, so that a change of one without an adapter is said and not passed over."""


class LockGate(NamedTuple):
    """A subject whose library has another version; `place` is where the new one is written."""

    subject: str
    before: str
    after: str
    place: Place
    package: str = ""


class Unmeasured(NamedTuple):
    """A JSON library that changed and was not compared: `subjects` are those that read with it."""

    package: str
    subjects: tuple[str, ...]
    line: str


class Gated(NamedTuple):
    """What is to be held against each other, default subjects first; lines on what cannot be.

    `differing`: the JSON libraries that are not what they were, whether they can be held or not. `unknown`:
    those of which the files do not tell. `unmeasured`: what changed under those who use it, and was not
    compared.
    """

    gates: tuple[LockGate, ...]
    notes: tuple[str, ...]
    differing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unmeasured: tuple[Unmeasured, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """All that is said, compared or not."""
        return (*self.notes, *(each.line for each in self.unmeasured))


def gated(changes: Sequence[PackageChange], adapters: Sequence[Adapter]) -> Gated:
    """Return the subjects whose first package is among the changes, and what else is to be said.

    Said is: a JSON library without an adapter; one that came, is gone, or is not pinned, so that there are
    no two versions; one whose files are others though the version is the same. Where it was there before and
    still is, it is unmeasured; one that came beside one that is gone took its place.
    """
    subjects, binders = _subjects(adapters, bound=False), _subjects(adapters, bound=True)
    gates: dict[LockGate, bool] = {}
    notes: list[str] = []
    unmeasured: list[Unmeasured] = []
    differing: dict[str, bool] = {}
    reading = [
        each
        for each in changes
        if (each.ecosystem, each.name) in subjects or each.name in KNOWN.get(each.ecosystem, ())
    ]
    moving = _moving(reading)
    for change in reading:
        found = subjects.get((change.ecosystem, change.name), [])
        bound = binders.get((change.ecosystem, change.name), [])
        if note := _note(change, bool(found), bound[0].key if bound else ""):
            line = f"{change.place.file}:{change.place.line}: {change.name} {note}"
            if _changed_in_use(change) or (moving and change.before != change.after and not change.same):
                keys = tuple(each.key for each in found or bound)
                unmeasured.append(Unmeasured(change.name, keys, line))
            else:
                notes.append(line)
        known = change.before is not None or change.after is not None or change.why_before
        differs = bool(known or not change.same)
        differing[change.name] = differing.get(change.name, False) or differs
        if change.before is not None and change.after is not None and not change.otherwise:
            for subject in found:
                gate = LockGate(subject.key, change.before, change.after, change.place, change.name)
                gates.setdefault(gate, subject.default)
    ordered = sorted(gates, key=lambda gate: (not gates[gate], gate.subject))
    return Gated(
        tuple(ordered),
        tuple(dict.fromkeys(notes)),
        tuple(name for name, differs in differing.items() if differs),
        tuple(name for name, differs in differing.items() if not differs),
        tuple(dict.fromkeys(unmeasured)),
    )


def _changed_in_use(change: PackageChange) -> bool:
    """Whether it was there before, still is, and is not surely the same."""
    if change.why:  # not pinned now: `same` where it was not before either, and by the same words
        return not change.same
    gone, came = change.after is None, change.before is None and not change.why_before
    return not gone and not came and not change.only_more


def _moving(changes: Sequence[PackageChange]) -> bool:
    """Whether one JSON library came and another is gone: who used the one may use the other now."""
    gone = any(each.after is None and not each.why for each in changes)
    return gone and any(each.before is None and not each.why_before and not each.same for each in changes)


def package_name(toolchain: str, name: str) -> str:
    """A package as lock files call it: normalised for Python (PEP 503)."""
    from packaging.utils import canonicalize_name

    return canonicalize_name(name) if toolchain == "python" else name


def _subjects(adapters: Sequence[Adapter], *, bound: bool) -> dict[tuple[str, str], list[Subject]]:
    """Subjects by ecosystem and package: the first one, whose version is the subject's.

    `bound`: those that bind to a target, which no project's texts are of, and no others.
    """
    found: dict[tuple[str, str], list[Subject]] = {}
    for adapter in adapters:
        ecosystem = "" if adapter.boundaries else ECOSYSTEMS.get(adapter.toolchain, "")
        for subject in adapter.subjects:
            if ecosystem and subject.packages and bool(subject.shape) == bound:
                name = package_name(adapter.toolchain, subject.packages[0])
                found.setdefault((ecosystem, name), []).append(subject)
    return found


def _note(change: PackageChange, adapted: bool, binder: str) -> str:
    """What is to be said of a change of a JSON library; empty for one that can be held."""
    if change.elsewhere:
        was = f"{change.before} before" if change.before else "as before" if change.same else ""
        said = f"comes from no registry ({', '.join(filter(None, (change.why, was)))}): not compared"
        return said if change.same else f"{said}; `upgrade` compares two files: SUBJECT OLD.whl NEW.whl"
    if change.why:
        return f"is not pinned ({change.why}): pin it, and its upgrades can be compared"
    if change.otherwise:
        return f"{change.after} has {change.otherwise}; the version is the same, and nothing was compared"
    if change.after is None:
        if change.before is None:
            return f"is gone, and was not pinned ({change.why_before}): nothing to compare"
        return f"{change.before} is gone: nothing to compare"
    if change.before is None:
        was = f"was not pinned before ({change.why_before})" if change.why_before else "is new"
        return f"{change.after} {was}: nothing to compare it with"
    if not adapted and binder:
        versions = f"{change.before} {change.after}"
        return f"{change.before} became {change.after}: how it binds: `whichwins upgrade {binder} {versions}`"
    if not adapted:
        return f"{change.before} became {change.after}: changed, but whichwins has no adapter for it"
    return ""
