"""The `hello` that opens a worker and the `ready` that says what it is."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from whichwins.model import BadInput, Subject
from whichwins.workers.contract import Identity, Launch
from whichwins.workers.frames import PROTOCOL

READY_BYTES = 64 * 1024
_LINE_CHARS = 300
_FOLDERS = re.compile(r"(?:[A-Za-z]:)?[/\\](?:[^\s/\\'\":]+[/\\])+")


class Ready(NamedTuple):
    """A `ready` body taken apart. `files` are paths: digested, never recorded."""

    runtime: str
    libraries: dict[str, str]
    details: dict[str, str]
    capabilities: frozenset[str]
    files: tuple[str, ...]


def hello(subject: Subject) -> bytes:
    """The body of `hello`. BadInput when the manifest holds a line break."""
    lines = [f"protocol {PROTOCOL}", f"subject {subject.key}", f"shim {subject.shim}"]
    lines += [f"rejects {name}" for name in subject.rejects]
    lines += [f"rejects-decode {name}" for name in subject.rejects_decode]
    lines += [f"rejects-bind {name}" for name in subject.rejects_bind]
    lines += [f"option {name}={value}" for name, value in subject.options.items()]
    lines += [f"bound {name} {most}" for name, most in subject.bounds.items()]
    if any("\n" in line for line in lines):
        raise BadInput(f"subject {subject.key}: a manifest entry holds a line break; write it on one line")
    return "".join(f"{line}\n" for line in lines).encode()


def printable(text: str, most: int = _LINE_CHARS) -> str:
    """One line of printable ASCII, folders of paths left out: fit for a reason that is recorded."""
    clean = "".join(c if c.isascii() and c.isprintable() else "?" for c in text[: 4 * most])
    return _FOLDERS.sub("", clean)[:most]


def read_ready(body: bytes) -> Ready | str:
    """The parts of a `ready`, or why it cannot be worked with. Unknown keys are ignored."""
    runtime, protocol = "", ""
    libraries: dict[str, str] = {}
    details: dict[str, str] = {}
    capabilities: set[str] = set()
    files: list[str] = []
    for line in body.split(b"\n"):
        raw_key, _, raw = line.partition(b" ")
        key = raw_key.decode("latin-1")
        if key == "file":
            files.append(os.fsdecode(raw))
            continue
        value = printable(raw.decode("utf-8", "replace"))
        if key == "protocol":
            protocol = value
        elif key == "runtime":
            runtime = value
        elif key == "library":
            name, _, version = value.partition(" ")
            libraries[name] = version
        elif key == "detail":
            name, _, version = value.partition("=")
            details[name] = version
        elif key == "capability":
            capabilities.add(value)
    if protocol != str(PROTOCOL):
        said = f"speaks protocol {protocol}" if protocol else "does not say which protocol it speaks"
        return f"the worker {said}, this is protocol {PROTOCOL}: use a matching adapter"
    return Ready(runtime, libraries, details, frozenset(capabilities or {"parse"}), tuple(files))


def identity(ready: Ready, launch: Launch, with_digest: bool = True) -> Identity:
    """What is recorded of a subject. The digest is over what the executable and the files hold."""
    digest = None
    if with_digest:
        path = launch.env.get("PATH") if launch.env is not None else None
        executable = shutil.which(launch.argv[0], path=path) or launch.argv[0]
        digest = _digest((executable, *ready.files))
    return Identity(
        runtime=ready.runtime,
        libraries=dict(sorted(ready.libraries.items())),
        details=dict(sorted(ready.details.items())),
        capabilities=sorted(ready.capabilities),
        digest=digest,
    )


def _digest(paths: Iterable[str]) -> str:
    """SHA-256 over the sorted distinct content digests: neither names nor order count."""
    contents = set()
    for path in paths:
        try:
            real = Path(path).resolve()
            found = real.stat()
            # A worker names them: a pipe would be waited for, a device has no end.
            if not stat.S_ISREG(found.st_mode):
                contents.add("unreadable")
                continue
            contents.add(_content_digest(real, (found.st_size, found.st_mtime_ns, found.st_ino)))
        except (OSError, ValueError, RuntimeError):  # the last two: a NUL in the path, links in a circle
            contents.add("unreadable")
    return "sha256:" + hashlib.sha256("\n".join(sorted(contents)).encode()).hexdigest()


@lru_cache(maxsize=1024)
def _content_digest(path: Path, state: tuple[int, int, int]) -> str:
    """Digest of a file's content; `state` tells a changed file from a known one."""
    del state
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
