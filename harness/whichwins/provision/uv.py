"""Calling uv: resolving for an interpreter, filling a virtual environment, and what its answers mean."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from whichwins.model import BadInput, MeasurementFailed
from whichwins.provision.environment import worker_environment
from whichwins.provision.provide import Sources
from whichwins.provision.steps import Done, call, full, is_full, printable, without_places

# Of uv's own settings those that say where packages come from and how they are fetched. What changes
# the meaning of a request (UV_PYTHON, UV_RESOLUTION, UV_CONSTRAINT, ...) does not come through.
_SETTINGS = re.compile(
    r"UV_(DEFAULT_INDEX|INDEX|INDEX_URL|INDEX_STRATEGY|INDEX_\w+_(USERNAME|PASSWORD)|EXTRA_INDEX_URL|FIND_LINKS"
    r"|NO_INDEX|KEYRING_PROVIDER|INSECURE_HOST|NATIVE_TLS|SYSTEM_CERTS|CACHE_DIR|NO_CACHE|HTTP_\w+|OFFLINE"
    r"|REQUEST_TIMEOUT|CONFIG_FILE|NO_CONFIG|CREDENTIALS_DIR|CONCURRENT_\w+|LOCK_TIMEOUT|EXCLUDE_NEWER)"
)
_INDEX = ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS")
_DECIDES = (*_INDEX, "UV_NO_INDEX", "UV_INDEX_STRATEGY", "UV_EXCLUDE_NEWER")
_OTHERS_ENVIRONMENT = ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME")
# What pip is told and uv does not read, with the names that say the same to uv.
_OF_PIP = (
    ("PIP_INDEX_URL", ("UV_DEFAULT_INDEX", "UV_INDEX_URL")),
    ("PIP_EXTRA_INDEX_URL", ("UV_EXTRA_INDEX_URL", "UV_INDEX")),
    ("PIP_FIND_LINKS", ("UV_FIND_LINKS",)),
    ("PIP_NO_INDEX", ("UV_NO_INDEX",)),
    ("PIP_TRUSTED_HOST", ("UV_INSECURE_HOST",)),
    ("PIP_CERT", ("SSL_CERT_FILE",)),
)
_QUIET = ("--no-progress", "--color", "never", "--no-python-downloads")
_SHOWN = ("--no-header", "--no-annotate")


class Answer(NamedTuple):
    """What a resolution came to: pinned lines, or the kind of a refusal and its words.

    `network`: the index could not be asked. `unfit`: nothing that fits this interpreter. `unknown`,
    `missing`: no such package, no such version. `bad`: the request itself. `full`: a disk is. `failed`:
    anything else.
    """

    pins: tuple[str, ...] = ()
    refusal: str = ""
    said: str = ""


class Uv(NamedTuple):
    """The program, the variables it is called with, where packages come from; folders not to be named."""

    program: str
    env: Mapping[str, str]
    sources: Sources
    places: tuple[str, ...] = ()


def find_uv() -> str:
    """The path of the uv that was installed with whichwins. MeasurementFailed when it is not there."""
    try:
        from uv import find_uv_bin

        return os.fspath(find_uv_bin())
    except (ImportError, FileNotFoundError):
        raise MeasurementFailed("there is no uv here: pip install uv") from None


def uv_environment(env: Mapping[str, str], sources: Sources) -> dict[str, str]:
    """The variables uv is called with: the user's indexes and certificates, nothing of a project."""
    made = {
        name: value
        for name, value in worker_environment(env).items()
        if (not name.startswith("UV_") or _SETTINGS.fullmatch(name)) and name not in _OTHERS_ENVIRONMENT
    }
    for theirs, ours in _OF_PIP:
        if env.get(theirs) and not any(env.get(name) for name in ours):
            made[ours[0]] = _as_uv_has_it(ours[0], env[theirs])
    if sources.index is not None:
        made.pop("UV_INDEX_URL", None)
        made["UV_DEFAULT_INDEX"] = _index(sources.index)
    return made


def _index(given: str) -> str:
    """An address, or a folder, which uv is not called in."""
    if "://" in given:
        if given.partition("://")[0].lower() not in ("http", "https", "file"):
            raise BadInput("--index: uv reads http, https and file addresses; write one of them")
        return given
    path = Path(given).expanduser()
    if not path.is_dir():
        raise BadInput(
            f"--index {given}: is neither an address (https://...) nor a folder; write one of them"
        )
    return str(path.absolute())


def _as_uv_has_it(name: str, value: str) -> str:
    if name == "UV_FIND_LINKS":  # pip separates by space, uv by comma
        return ",".join(value.split())
    if name == "UV_NO_INDEX":
        return "0" if value.lower() in ("0", "false", "no", "off", "n", "f") else "1"
    return value


def origin(env: Mapping[str, str]) -> str:
    """What of the variables, and of uv's own configuration, decides where packages come from.

    Part of the key of environments, so without credentials: they change by the hour and decide nothing.
    """
    home = Path(env.get("HOME") or "/nonexistent")
    settings = env.get("UV_CONFIG_FILE") or Path(
        env.get("XDG_CONFIG_HOME") or home / ".config", "uv", "uv.toml"
    )
    try:
        configured = "" if env.get("UV_NO_CONFIG") else Path(settings).read_text("utf-8", "replace")
    except OSError:
        configured = ""
    said = [f"{name}={without_credentials(env[name])}" for name in _DECIDES if env.get(name)]
    return "\n".join((*said, configured))


def resolve(
    uv: Uv, lines: Sequence[str], interpreter: str, folder: Path, *, build: bool, offline: bool = False
) -> Answer:
    """Ask for the newest versions that satisfy `lines` on an interpreter; from wheels, or also by a build."""
    command = [uv.program, "pip", "compile", *_QUIET, *_SHOWN, "--python", interpreter]
    if uv.sources.constraints is not None:
        command += ["-c", str(uv.sources.constraints.absolute())]
    command += [] if build else ["--only-binary", ":all:"]
    command += ["--offline"] if offline else []
    done = call("uv", [*command, "-"], folder, uv.env, "\n".join(lines))
    if done.returncode == 0:
        pins = (line.strip() for line in done.printed.decode("utf-8", "replace").splitlines())
        return Answer(tuple(line for line in pins if line and not line.startswith("#")))
    return understood(done, uv.places)


def fill(uv: Uv, pins: Sequence[str], interpreter: str, place: Path, *, build: bool, offline: bool) -> Answer:
    """Make `place`, an empty folder, a virtual environment that holds `pins` and can be moved."""
    made = call(
        "uv",
        [uv.program, "venv", *_QUIET, "--no-project", "--relocatable", "--python", interpreter, str(place)],
        place,
        uv.env,
    )
    if made.returncode:
        return understood(made, uv.places)
    python = str(place / "bin" / "python")
    # A copy: a link would let a damaged environment damage uv's own cache, from which it is made again.
    command = [uv.program, "pip", "install", *_QUIET, "--python", python, "--no-deps", "--link-mode", "copy"]
    # A tree's files may have changed without uv seeing it; --refresh says the same and needs a network.
    command += ["--reinstall"] if build else ["--only-binary", ":all:"]
    command += ["--offline"] if offline else []
    done = call("uv", [*command, "-r", "-"], place, uv.env, "\n".join(pins))
    return Answer(tuple(pins)) if done.returncode == 0 else understood(done, uv.places)


def understood(done: Done, places: Sequence[str] = ()) -> Answer:
    """What a failed call of uv says. Patterns are those of its resolver's report and of its fetcher."""
    if is_full(done.said):
        return Answer(refusal="full", said=full("UV_CACHE_DIR"))
    words = without_places(_words(done), places)
    cause = re.split(r"\bhint:", words)[0]
    for kind, pattern in _KINDS:
        if re.search(pattern, words if kind == "network" else cause):
            return Answer(refusal=kind, said=_fetching(words) if kind == "network" else _line(cause))
    return Answer(refusal="failed", said=_line(cause))


def _fetching(words: str) -> str:
    """What could not be fetched, and the last of the causes: those between are of uv's making."""
    address = re.search(r"(?:to fetch|for url)\W*(https?:[^\s`)]+)", words)
    causes = re.split(r"(?:cause|Caused by):", words)
    last = _line(causes[-1])
    return f"{address[1]}: {last}" if address and len(causes) > 1 else _line(words)


_KINDS = (
    (
        "network",
        r"network was disabled|Network connectivity is disabled|Failed to fetch|error sending request"
        r"|could not be queried|[Ff]ailed to download|Request failed after",
    ),
    ("bad", r"Failed to parse|invalid value|Couldn't parse|File not found|does not match .* in the dist"),
    ("unknown", r"was not found in the p"),  # ... package registry, ... provided package locations
    ("missing", r"there (is|are) no versions? of"),
    ("missing", r"(?s)^(?!.*(wheel|Python|source dist)).*\bonly .* available"),
    ("bad", r"(?s)^(?!.*(wheel|Python|source dist)).*you require .*(which are incompatible|unsatisfiable)"),
    ("failed", r"Failed to build|[Bb]uild backend"),
    ("unfit", r"No solution found|no wheels|not compatible|incompatible"),
)


def near(uv: Uv, package: str, version: str, interpreter: str, folder: Path) -> str:
    """What versions there are, in words: those next to `version` (without one: the oldest), and the newest.

    Empty if the index is silent. uv has no list of versions; where nothing may be used, neither wheels nor
    sources, its report names the ends of what there is, and it needs the index's page only.
    """
    command = [uv.program, "pip", "compile", *_QUIET, "--only-binary", ":all:", "--no-binary", ":all:"]

    def end(bound: str, which: int) -> list[str]:
        done = call("uv", [*command, "--python", interpreter, "-"], folder, uv.env, package + bound)
        # Bounds that include their end are versions; those that do not are the request's own.
        ends = re.findall(rf"\b{re.escape(package)}(?:<=|>=|==)([0-9][^\s,]*)", _words(done))
        return sorted(ends, key=_order)[which:][:1]

    newest = "".join(end(">9999999", -1))
    if not newest:
        return ""
    if not version:
        return f"the oldest is {''.join(end('<0a0', 0))}, the newest {newest}"
    if _order(version) > _order(newest):
        return f"the newest is {newest}"
    beside = [*dict.fromkeys((*end(f"<{version}", -1), *end(f">{version}", 0), newest))][:-1]
    if not beside:
        return f"the newest is {newest}"
    return f"near it {'are' if beside[1:] else 'is'} {' and '.join(beside)}, the newest is {newest}"


def _order(version: str) -> list[tuple[int, int]]:
    """A rough order of versions: numbers by value, what is no number before them."""
    return [(1, int(part)) if part.isdigit() else (0, 0) for part in re.split(r"[.+!-]", version)]


def without_credentials(text: str) -> str:
    """Text without what stands before the @ of an address, and without an address's query."""
    return re.sub(r"(://[^\s?#]*)[?#][^\s,]*", r"\1", re.sub(r"://\S*@", "://", text))


def _words(done: Done) -> str:
    """What uv said on standard error, without colour, frames and credentials."""
    text = done.said.decode("utf-8", "replace")
    return without_credentials(re.sub(r"\x1b\[[0-9;]*m|[│╰├─▶×]", " ", text))


def _line(words: str) -> str:
    """One line of printable ASCII: what was wrong, without the greeting."""
    line = " ".join(re.sub(r"(?s)\A.*?^\s*error: ", "", words, count=1, flags=re.MULTILINE).split())
    line = re.sub(r" (cause|Caused by): ", ": ", line)
    line = re.sub(r"^No solution found when resolving dependencies:* ", "", line)
    line = re.sub(r"^Couldn't parse requirement in `-` at position \d+: ", "", line)
    line = re.sub(r" \^+| For more information, try .*", "", line)
    return printable(line) or "it said nothing"
