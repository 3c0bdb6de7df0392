"""Wheels and archives that somebody names: whole, and of the package that they are asked for as.

What is wrong with them is the user's to mend, and is told before a package manager is asked.
"""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
import zlib
from email.parser import HeaderParser
from pathlib import Path
from typing import IO

from whichwins.model import BadInput
from whichwins.provision.steps import printable

MAX_UNPACKED = 1 << 30
"""Bytes of what a wheel holds that are read to see whether it is whole."""
_MAX_METADATA = 16 * 1024 * 1024
_BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, ValueError),
    *(NotImplementedError, RuntimeError),  # a compression that this Python does not have; a password
)


def check_archive(key: str, path: Path, package: str) -> None:
    """Raise BadInput when a wheel or an archive of sources is damaged, or is of another package."""
    try:
        if path.suffix == ".whl":
            _check_wheel(key, path, package)
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                _whole(archive)
        else:
            with tarfile.open(path) as packed:
                _to_its_end(packed)
    except _BROKEN as error:
        raise _damaged(key, error) from None


def check_npm_archive(key: str, path: Path, package: str) -> None:
    """Raise BadInput when a tarball of npm is damaged, or is of another package."""
    try:
        with tarfile.open(path) as packed:
            held = next((each for each in packed if re.fullmatch(r"[^/]+/package\.json", each.name)), None)
            file = packed.extractfile(held) if held is not None else None
            if file is None:
                raise BadInput(f"{key}: has no package.json; name a tarball that `npm pack` makes")
            manifest = json.loads(_bounded(file))
            _to_its_end(packed)
    except RecursionError:
        raise _damaged(key, ValueError("package.json is nested too deeply")) from None
    except _BROKEN as error:
        raise _damaged(key, error) from None
    name = manifest.get("name") if isinstance(manifest, dict) else None
    if name != package:
        raise _another(key, "tarball", str(name), package)


def _check_wheel(key: str, path: Path, package: str) -> None:
    from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
    from packaging.version import InvalidVersion, Version

    try:
        version = parse_wheel_filename(path.name)[1]
    except (InvalidWheelFilename, InvalidVersion):
        raise BadInput(
            f"{key}: is not named like a wheel (NAME-VERSION-PYTHON-ABI-PLATFORM.whl); leave its name as it "
            "was built"
        ) from None
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        if len(names) != 1:
            raise BadInput(f"{key}: is no wheel (it has {len(names)} METADATA files); build it anew")
        with archive.open(names[0]) as file:
            said = HeaderParser().parsestr(_bounded(file).decode("utf-8", "replace"))
        _whole(archive)
    name = str(said["Name"])
    if canonicalize_name(name) != canonicalize_name(package):
        raise _another(key, "wheel", name, package)
    try:
        held = Version(str(said["Version"]))
    except InvalidVersion:
        held = None
    if held != version:
        raise BadInput(f"{key}: holds another version than its name says; build it anew, or name it so")


def _whole(archive: zipfile.ZipFile) -> None:
    if sum(each.file_size for each in archive.infolist()) > MAX_UNPACKED:
        raise ValueError(f"it holds more than {MAX_UNPACKED:,} bytes")
    if (broken := archive.testzip()) is not None:
        raise zipfile.BadZipFile(f"bad checksum of {broken}")


def _to_its_end(packed: tarfile.TarFile) -> None:
    """Read all members, and what is behind them: the checksum of what was packed comes last."""
    total = sum(each.size for each in packed)
    stream = packed.fileobj
    while stream is not None and total <= MAX_UNPACKED and (more := stream.read(1 << 20)):
        total += len(more)
    if total > MAX_UNPACKED:
        raise ValueError(f"it holds more than {MAX_UNPACKED:,} bytes")


def _bounded(file: IO[bytes]) -> bytes:
    data = file.read(_MAX_METADATA + 1)
    if len(data) > _MAX_METADATA:
        raise ValueError("what it says of itself is too long")
    return data


def _damaged(key: str, error: Exception) -> BadInput:
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    line = printable((said.splitlines() or ["empty"])[0].rstrip(":"))
    return BadInput(f"{key}: is damaged, or no such archive ({line}); build it or fetch it anew")


def _another(key: str, kind: str, name: str, package: str) -> BadInput:
    return BadInput(f"{key}: is a {kind} of {printable(name)[:100]}, not of {package}; name one of {package}")
