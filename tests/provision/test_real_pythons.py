"""Versions of Python libraries that uv really installs, and what it says; one cache for the session."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

from tests.adapters.client import ask, ready
from tests.adapters.started import greeting, outcome
from tests.provision.asked import given, launched, really, shared_cache, silent
from whichwins.model import BadInput
from whichwins.provision import Absent, Runtimes, Sources, list_environments, probe, provide
from whichwins.provision.interpreters import interpreters
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_cache(tmp_path_factory)


def library(found: Launch, key: str) -> str:
    said = ready(found.argv, greeting(key), found.env)
    assert said.verb == "ready", said.text
    return next(line for line in said.text.splitlines() if line.startswith("library "))


def test_two_versions_of_a_library(cache: Path) -> None:
    asked = ("python/orjson@3.9.15", "python/orjson@3.11.3")
    old, new = really(cache, *asked)
    assert library(old, "python/orjson") == "library orjson 3.9.15"
    assert library(new, "python/orjson") == "library orjson 3.11.3"
    for found in (old, new):
        answers = ask(found.argv, greeting("python/orjson"), [b'{"a":1,"a":2}', b"{"], env=found.env)
        assert [outcome(one) for one in answers] == ['{"a":2}', "reject parse JSONDecodeError"]
    # Once built: no network, no uv, no other program.
    offline = {
        **os.environ,
        "WHICHWINS_CACHE": str(cache),
        "UV_OFFLINE": "1",
        "SSL_CERT_FILE": "/nonexistent",
    }
    assert [one.argv for one in launched(offline, *asked)] == [old.argv, new.argv]


def test_another_library_on_the_path_does_not_come_before(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "orjson.py").write_text("raise ImportError('from the path')")
    env = {**os.environ, "WHICHWINS_CACHE": str(cache), "PYTHONPATH": str(tmp_path)}
    (found,) = launched(env, "python/orjson@3.9.15")
    assert library(found, "python/orjson") == "library orjson 3.9.15"


def test_an_old_version_takes_an_older_interpreter(cache: Path) -> None:
    if not any(one.version < (3, 11) for one in interpreters(probe())):
        pytest.skip("no Python 3.10 or older here")
    (found,) = really(cache, "python/ujson@5.2.0")
    assert library(found, "python/ujson") == "library ujson 5.2.0"
    version = [found.argv[0], "-c", "import sys; print(sys.version_info < (3, 11))"]
    assert subprocess.run(version, capture_output=True, text=True, check=True).stdout == "True\n"


def test_the_running_interpreter_s_version(cache: Path) -> None:
    version = ".".join(map(str, sys.version_info[:3]))
    (found,) = really(cache, f"python/json@{version}")
    said = ready(found.argv, greeting("python/json"), found.env)
    assert f"runtime CPython {version}" in said.text.splitlines()


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("5.2.77", "there is no ujson 5.2.77; near it are 5.2.0 and 5.3.0, the newest is "),
        ("<0.1", "there is no ujson <0.1; the oldest is 1.4, the newest "),
        ("==a", "expected version to start with a number"),
    ],
)
def test_what_does_not_exist(cache: Path, asked: str, line: str) -> None:
    with pytest.raises(BadInput) as raised:
        really(cache, f"python/ujson@{asked}")
    said = str(raised.value)
    if "cannot be asked" in said:
        pytest.skip(said)
    assert said.startswith(f"python/ujson@{asked}: {line}")
    assert "\n" not in said


def test_an_index_that_does_not_answer_is_absent_without_its_password(tmp_path: Path) -> None:
    env = {
        **os.environ,
        "WHICHWINS_CACHE": str(tmp_path / "cache"),
        "UV_CACHE_DIR": str(tmp_path / "uv"),
        "UV_HTTP_RETRIES": "0",
        "PIP_INDEX_URL": "http://user:hunter2@127.0.0.1:9/simple",
    }
    env.pop("UV_INDEX_URL", None)
    env.pop("UV_DEFAULT_INDEX", None)
    (found,) = given(env, "python/orjson@3.9.15")
    assert isinstance(found, Absent)
    assert found.reason.startswith("orjson@3.9.15 is not in the cache and the index cannot be asked (")
    assert "127.0.0.1:9/simple/orjson/" in found.reason
    assert "hunter2" not in found.reason
    assert list_environments(env) == ()
    # The same with an address that uv cannot read.
    adapters = load_adapters()
    with pytest.raises(BadInput) as raised:
        provide(
            select(adapters, ["python/orjson@3.9.15"]),
            adapters,
            probe(env=env),
            Sources("http://user:hunter/2@127.0.0.1:9/simple"),
            silent,
        )
    assert "hunter" not in str(raised.value)
    assert "\n" not in str(raised.value)


MODULE = "JSONDecodeError = ValueError\n__version__ = '{version}'\ndef loads(data): return '{version}'\n"


def wheel(folder: Path, version: str, tag: str = "py3-none-any") -> Path:
    """A wheel of an orjson that needs no network and no compiler."""
    path = folder / f"orjson-{version}-{tag}.whl"
    info = f"orjson-{version}.dist-info"
    files = {
        "orjson.py": MODULE.format(version=version),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: orjson\nVersion: {version}\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        record += f"{name},sha256={digest},{len(text)}\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(name, text)
    return path


def test_a_local_wheel_offline(tmp_path: Path) -> None:
    place = tmp_path / "a place, ä"
    place.mkdir()
    env = {
        **os.environ,
        "WHICHWINS_CACHE": str(place / "cache"),
        "UV_CACHE_DIR": str(place / "uv"),
        "UV_OFFLINE": "1",
    }
    first = wheel(place, "99.1")
    (found,) = launched(env, f"python/orjson@{first}")
    (answer,) = ask(found.argv, greeting("python/orjson"), [b"{}"], env=found.env)
    assert outcome(answer) == '"99.1"'
    (stored,) = list_environments(env)
    assert stored.holds["request"] == "orjson@orjson-99.1-py3-none-any.whl"
    assert stored.holds["packages"] == "orjson 99.1"
    # Other content under the same name is another environment, though size and time are the same.
    times = first.stat().st_mtime_ns
    shutil.copyfile(wheel(tmp_path, "99.2"), first)
    os.utime(first, ns=(times, times))
    with pytest.raises(
        BadInput, match=r"^[^\n]*: holds another version than its name says; build it anew"
    ) as bad:
        given(env, f"python/orjson@{first}")
    assert str(place) not in str(bad.value)
    assert len(list_environments(env)) == 1
    other = wheel(tmp_path, "99.1", "py3-none-win_amd64")
    (absent,) = given(env, f"python/orjson@{other}")
    assert isinstance(absent, Absent)
    assert absent.reason.startswith("orjson@orjson-99.1-py3-none-win_amd64.whl fits none of the interpreters")
    assert absent.install.startswith("name a wheel for this machine")
    (built,) = given(env, f"python/orjson@{other}", allow_build=True)
    assert built == absent  # to build has nothing to do with it


BACKEND = """
    import base64, zipfile
    from pathlib import Path

    def build_wheel(folder, settings=None, metadata=None):
        name = "orjson-98.0-py3-none-any.whl"
        with zipfile.ZipFile(Path(folder, name), "w") as archive:
            archive.writestr("orjson.py", Path("source.py").read_text())
            info = "orjson-98.0.dist-info/"
            archive.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: orjson\\nVersion: 98.0\\n")
            archive.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\n"
                             "Tag: py3-none-any\\n")
            archive.writestr(info + "RECORD", "")
        Path("built").touch()
        return name
"""


def test_a_source_tree_offline_and_again_when_it_changes(tmp_path: Path) -> None:
    tree = tmp_path / "the tree"
    tree.mkdir()
    (tree / "backend.py").write_text(textwrap.dedent(BACKEND))
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    )
    (tree / "source.py").write_text(MODULE.format(version="first"))
    env = {
        **os.environ,
        "WHICHWINS_CACHE": str(tmp_path / "cache"),
        "UV_CACHE_DIR": str(tmp_path / "uv"),
        "UV_OFFLINE": "1",
    }
    with pytest.raises(BadInput, match="--allow-build"):
        launched(env, f"python/orjson@{tree}")
    assert not (tree / "built").exists()
    for version in ("first", "other"):
        (tree / "source.py").write_text(MODULE.format(version=version))
        (found,) = launched(env, f"python/orjson@{tree}", allow_build=True)
        (answer,) = ask(found.argv, greeting("python/orjson"), [b"{}"], env=found.env)
        assert outcome(answer) == f'"{version}"'


SCRIPT = """
    import os, sys
    from whichwins.provision import Sources, probe, provide
    from whichwins.subjects import load_adapters, select
    adapters = load_adapters()
    (found,) = provide(select(adapters, [sys.argv[1]]), adapters, probe(), Sources(), print).values()
    print(ascii(found.get("python")))
"""


def test_processes_that_want_one_at_once_in_a_plain_locale(tmp_path: Path) -> None:
    place = tmp_path / "a place, ä"
    place.mkdir()
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))},
        "LC_ALL": "C",
        "WHICHWINS_CACHE": str(place / "cache"),
        "UV_CACHE_DIR": str(place / "uv"),
        "UV_OFFLINE": "1",
    }
    asked = f"python/orjson@{wheel(place, '99.1')}"
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), asked]
    every = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = [process.communicate()[0].splitlines() for process in every]
    assert [process.returncode for process in every] == [0, 0, 0]
    assert len({lines[-1] for lines in said}) == 1
    assert sum(line.startswith("installing ") for lines in said for line in lines) == 1
    names = [path.name for path in (place / "cache").iterdir()]
    assert len(names) == 2  # the environment and what is remembered
    assert json.loads((place / "cache" / ".known" / "choices.json").read_bytes())


def test_runtimes_are_what_is_launched(cache: Path) -> None:
    adapters = load_adapters()
    subjects = select(adapters, ["python/orjson@3.9.15", "python/orjson@3.11.3"])
    env = {**os.environ, "WHICHWINS_CACHE": str(cache)}
    there = provide(subjects, adapters, probe(env=env), Sources(), silent, together=True)
    bases = set()
    for found in there.values():
        if isinstance(found, Absent):
            pytest.skip(f"{found.reason}: {found.install}")
        assert isinstance(found, Runtimes)
        bases.add(Path(found.get("python") or "").resolve())
    assert len(bases) == 1
