"""Reading one `adapter.toml`, strictly: what is not understood is refused, with its place."""

from __future__ import annotations

import re
import tomllib
from itertools import combinations
from pathlib import Path
from types import MappingProxyType

from whichwins.model import Adapter, BadInput, Canary, Keep, LaunchSpec, Subject
from whichwins.subjects.fields import Table

PROTOCOL = 1
"""The version of the worker protocol that this whichwins speaks."""

MANIFEST = "adapter.toml"
RUNTIMES = ("python", "harness", "node", "ruby", "ruby-wasm", "go", "c", "rust", "java")
MEMORY = ("address-space", "runtime")
TOOLCHAINS = ("python", "node", "ruby")
"""Who can provide versions of an adapter's subjects."""
BOUNDS = ("bytes", "depth", "object-depth", "values", "members", "containers")
"""What of a text a bound can be put on."""
REPEATS = ("first", "last", "reject", "all")

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_ADAPTER_KEYS = ("protocol", "name", "about", "toolchain", "boundaries", "launch", "canary", "subject")
_LAUNCH_KEYS = ("needs", "command", "memory")
_CANARY_KEYS = ("text", "expect", "reason", "needs")
_KEEP_KEYS = ("cause", "kind", "since", "say", "subject")
_SUBJECT_KEYS = (
    *("key", "family", "library", "entry", "shim", "decode", "rejects", "rejects_decode", "rejects_bind"),
    *("options", "shape", "toolchain"),
    *(
        "packages",
        "install",
        "lookup",
        "objects",
        "default",
        "required",
        "repeats",
        "canary",
        "replace_canaries",
        "launch",
        "keeps",
        "cold",
        "truncates",
        "vectors",
        "bounds",
    ),
)


def read_manifest(folder: Path, shown: str | None = None) -> Adapter:
    """Read `adapter.toml` of `folder`. `shown` is how messages call the file (default: its path)."""
    path = folder / MANIFEST
    place = shown or str(path)
    try:
        items = tomllib.loads(path.read_bytes().decode())
    except FileNotFoundError:
        raise BadInput(f"{place}: no such file; an adapter is a folder with {MANIFEST}") from None
    except OSError as error:
        raise BadInput(f"{place}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{place}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except (ValueError, RecursionError) as error:  # not only TOMLDecodeError: an integer of 5,000 digits
        raise BadInput(f"{place}: not TOML: {' '.join(str(error).split())}") from None
    return _adapter(folder, Table(place, items))


def _adapter(folder: Path, table: Table) -> Adapter:
    protocol = table.items.get("protocol")
    if protocol != PROTOCOL or isinstance(protocol, bool):  # first: other versions may have other keys
        said = "is missing" if protocol is None else f"is {protocol!r}"
        raise table.fail(f"`protocol` {said}; this whichwins speaks {PROTOCOL}")
    table.only(_ADAPTER_KEYS)
    name = table.text("name")
    if not _NAME.fullmatch(name):
        raise table.fail(f"`name` {name!r} must be lower-case letters, digits, '.', '_' or '-'")
    table.text("about", "")
    toolchain = _toolchain(table, "")
    launches = tuple(_launch(each) for each in table.tables("launch"))
    canaries = tuple(_canary(each) for each in table.tables("canary"))
    subjects = tuple(_subject(name, each, launches, canaries, toolchain) for each in table.tables("subject"))
    if not subjects:
        raise table.fail("no [[subject]]; an adapter has at least one")
    seen: set[str] = set()
    for subject in subjects:
        if subject.key in seen:
            raise table.fail(f"two subjects have the key {subject.key}; rename one")
        seen.add(subject.key)
    for subject in subjects:
        for keep in subject.keeps:
            if keep.subject and keep.subject not in seen:
                raise table.fail(
                    f"({subject.key}): `keeps` names the subject {keep.subject}, which is not here"
                )
    return Adapter(name, folder, PROTOCOL, subjects, toolchain, table.flag("boundaries"))


def _bounds(table: Table) -> dict[str, int]:
    value = table.items.get("bounds", {})
    counts = value.values() if isinstance(value, dict) else [None]
    if not all(isinstance(most, int) and not isinstance(most, bool) and most > 0 for most in counts):
        raise table.fail("`bounds` must be a table of numbers above 0")
    Table(f"{table.place}: `bounds`", value).only(BOUNDS)
    return dict(value)


def _toolchain(table: Table, default: str) -> str:
    toolchain = table.text("toolchain", default)
    if toolchain and toolchain not in TOOLCHAINS:
        raise table.fail(f"`toolchain` is {toolchain!r}; known are {', '.join(TOOLCHAINS)}")
    return toolchain


def _launch(table: Table) -> LaunchSpec:
    table.only(_LAUNCH_KEYS)
    needs = table.text("needs") if "needs" in table.items else None
    if needs is not None and needs not in RUNTIMES:
        raise table.fail(
            f"`needs` is {needs!r}; known are {', '.join(RUNTIMES)} (leave it out for a program)"
        )
    command = table.texts("command")
    allowed = ("folder", "memory-mb", *(RUNTIMES if needs else ()))
    used = [name for part in command for name in _PLACEHOLDER.findall(part)]
    for name in used:
        if name not in allowed:
            why = "needs `needs`" if name in RUNTIMES else f"is unknown; known are {', '.join(allowed)}"
            raise table.fail(f"`command`: the placeholder {{{name}}} {why}")
    memory = table.text("memory", "address-space")
    if memory not in MEMORY:
        raise table.fail(f"`memory` is {memory!r}; known are {', '.join(MEMORY)}")
    if memory == "runtime" and "memory-mb" not in used:
        raise table.fail('`memory` is "runtime", so `command` must carry {memory-mb}')
    return LaunchSpec(needs, command, memory)


def _canary(table: Table) -> Canary:
    table.only(_CANARY_KEYS)
    text = table.items.get("text")
    if not isinstance(text, str):
        raise table.fail("`text` is missing or no string; it is the input")
    expect = table.texts("expect")
    if "reject" in expect and len(expect) > 1:
        raise table.fail('`expect` is either ["reject"] or the notations that are right, not both')
    for spelling in expect:
        if spelling != "reject":
            _check_notation(table, spelling)
    return Canary(text, expect, table.text("reason", ""), table.text("needs", ""))


def _keep(table: Table) -> Keep:
    table.only(_KEEP_KEYS)
    return Keep(
        cause=table.text("cause"),
        say=table.text("say"),
        kind=table.text("kind", ""),
        since=table.text("since", ""),
        subject=table.text("subject", ""),
    )


def _check_notation(table: Table, spelling: str) -> None:
    from whichwins import notation

    try:
        canonical = notation.write(notation.read(spelling))
    except notation.NotationError as error:
        raise table.fail(f"`expect`: {spelling!a} is no notation ({error})") from None
    if canonical != spelling:
        raise table.fail(f"`expect`: {spelling!a} is not canonical; write {canonical}")


def _subject(
    adapter: str,
    table: Table,
    launches: tuple[LaunchSpec, ...],
    canaries: tuple[Canary, ...],
    toolchain: str,
) -> Subject:
    key = table.text("key")
    table = Table(f"{table.place} ({key})", table.items)
    table.only(_SUBJECT_KEYS)
    prefix, _, rest = key.partition("/")
    if prefix != adapter or not _NAME.fullmatch(rest):
        raise table.fail(
            f"`key` must be {adapter}/ and a name of lower-case letters, digits, '.', '_' or '-'"
        )
    repeats = table.text("repeats", "")
    if repeats and repeats not in REPEATS:
        raise table.fail(f"`repeats` is {repeats!r}; known are {', '.join(REPEATS)}")
    rejects = {"rejects": table.texts("rejects")}
    rejects |= {name: table.texts(name, ()) for name in ("rejects_decode", "rejects_bind")}
    for name in (name for names in rejects.values() for name in names):
        if not name.isprintable() or any(c.isspace() for c in name):
            raise table.fail(f"`rejects`: {name!r} must be the name of an error, without spaces")
    for one, other in combinations(rejects, 2):
        if both := set(rejects[one]) & set(rejects[other]):
            raise table.fail(f"{min(both)} stands in `{one}` and in `{other}`; choose one")
    shape = table.text("shape", "")
    if shape and not _NAME.fullmatch(shape):
        raise table.fail(f"`shape` {shape!r} must be lower-case letters, digits, '.', '_' or '-'")
    default, required = table.flag("default"), table.flag("required")
    if required and not default:
        raise table.fail("`required` needs `default = true`")
    own_launches = tuple(_launch(each) for each in table.tables("launch", "subject.launch")) or launches
    if not own_launches:
        raise table.fail("no [[launch]]; say how the adapter is started")
    own = tuple(_canary(each) for each in table.tables("canary", "subject.canary"))
    if not table.flag("replace_canaries"):
        own = canaries + own
    if not any("reject" in canary.expect for canary in own) or all("reject" in c.expect for c in own):
        raise table.fail("its canaries must hold a text to accept and one to reject")
    return Subject(
        key=key,
        adapter=adapter,
        family=table.text("family"),
        library=table.text("library"),
        entry=table.text("entry"),
        shim=table.text("shim"),
        decode=table.text("decode"),
        rejects=rejects["rejects"],
        rejects_decode=rejects["rejects_decode"],
        rejects_bind=rejects["rejects_bind"],
        options=MappingProxyType(table.mapping("options")),
        packages=table.texts("packages", ()),
        install=table.text("install", ""),
        lookup=table.flag("lookup"),
        cold=table.flag("cold"),
        truncates=table.flag("truncates"),
        vectors=MappingProxyType(table.mapping("vectors")),
        objects=table.flag("objects"),
        bounds=MappingProxyType(_bounds(table)),
        default=default,
        required=required,
        repeats=repeats,
        canaries=own,
        launch=own_launches,
        keeps=tuple(_keep(each) for each in table.tables("keeps", "subject.keeps")),
        shape=shape,
        toolchain=_toolchain(table, toolchain),
    )
