"""How a boundary of the user's is asked: its worker's `hello`, and the body of one `deliver`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from whichwins.audit.stack import Boundary
from whichwins.config.paths import is_file
from whichwins.model import Subject

VERB = "deliver"
CONVERT = "convert"
SETTLE_SECONDS = 1.0
"""How long a worker waits for what a request left running in the background."""

# All of printable ASCII stays as it is but for the percent sign: an option is one line.
_SAFE = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")


def boundary_subject(
    boundary: Boundary,
    folder: Path,
    journal: Path | None = None,
    read_by: Sequence[str] = (),
    settle_seconds: float = SETTLE_SECONDS,
) -> Subject:
    """The subject as whom a pool asks this boundary. It has no canaries: the audit has controls.

    `folder` is the stack file's; `journal` a file in which workers write down executions as they happen;
    `read_by` the boundaries that read this one's output.
    """
    return Subject(
        key=f"boundary/{boundary.name}",
        adapter="boundary",
        family=boundary.kind,
        library=boundary.target,
        entry=boundary.target,
        shim="deliver",
        decode="library",
        rejects=(),
        options=MappingProxyType(
            {
                key: quote(value, safe=_SAFE, errors="surrogateescape")
                for key, value in _options(boundary, folder, journal, bool(read_by), settle_seconds).items()
                if value or key.startswith(("header.", "command."))
            }
        ),
    )


def _options(
    boundary: Boundary, folder: Path, journal: Path | None, emits: bool, settle: float
) -> dict[str, str]:
    request = boundary.request
    found = {
        "kind": boundary.kind,
        "target": boundary.target,
        "folder": str(folder.resolve()),
        "method": request.method,
        "path": request.path,
        "slot": request.slot,
        "template": request.template,
        "sink": boundary.sink,
        "sink-runs": "true" if boundary.sink_runs else "",
        "sink-argument": boundary.sink_argument,
        "transform": boundary.transform,
        "role": boundary.role,
        "name": boundary.name,
        "executes": "true" if boundary.executes else "",
        "remote": "true" if boundary.allow_remote else "",
        "emits": "body" if emits else "",
        "settle": f"{settle:g}",
        "journal": str(journal.resolve()) if journal is not None else "",
    }
    found |= {f"header.{name.lower()}": value for name, value in request.headers.items()}
    return found | {f"command.{number}": part for number, part in enumerate(boundary.command)}


def files_of(boundary: Boundary, folder: Path) -> list[Path]:
    """Files in the stack's folder that hold what a boundary runs, as far as their names tell."""
    own = boundary.kind in ("call", "asgi", "wsgi")
    modules = [boundary.sink, boundary.transform, boundary.target if own else ""]
    named = [each.partition(":")[0].split(".") for each in modules if each]
    # The packages around a module run too.
    names = {"/".join(parts[:end]) for parts in named for end in range(1, len(parts) + 1)}
    found = [folder / path for name in sorted(names) for path in (f"{name}.py", f"{name}/__init__.py")]
    found += [folder / part for part in boundary.command]
    found += [Path(part) for part in boundary.command[:1] if "/" in part]  # the folder is in it already
    return [path for path in found if is_file(path)]


def deliver_body(
    data: bytes, case: str = "", headers: Mapping[str, str] | None = None, watch_decoders: bool = False
) -> bytes:
    """The body of one `deliver`: the case's name for the journal, its headers, its exact bytes.

    Every request of a run has a name of its own. `watch_decoders` slows the request down: for a control.
    Header values are sent as Latin-1 where they fit, else as UTF-8; a line break in one is a ValueError.
    """
    lines = [f":case: {quote(case, safe='/~.:')}".encode()] if case else []
    lines += [b":watch: decoders"] if watch_decoders else []
    for name, value in (headers or {}).items():
        text = f"{name.lower()}: {value}"
        if "\n" in text or name.startswith(":"):
            raise ValueError(f"the header {name!a} cannot be sent")
        lines.append(text.encode("latin-1" if all(c <= "\xff" for c in text) else "utf-8"))
    return b"".join(line + b"\n" for line in lines) + b"\n" + data
