"""What is asked here against what the project runs on; projects without Python, or in a folder of another."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from whichwins.init import other_environment, other_versions, places, plan
from whichwins.model import Adapter, BadInput
from whichwins.subjects import load_adapters


@pytest.fixture(scope="module")
def adapters() -> tuple[Adapter, ...]:
    return load_adapters()


def environment(folder: Path) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").touch()
    return folder


def test_an_environment_that_is_not_ours(tmp_path: Path) -> None:
    assert other_environment(tmp_path, {}) is None
    assert other_environment(tmp_path, {"VIRTUAL_ENV": str(tmp_path / "gone")}) is None
    mine = environment(tmp_path / ".venv")
    said = other_environment(tmp_path, {})
    assert said is not None
    assert said.endswith(
        "(.venv), and the libraries are those of whichwins' own Python: "
        "--python .venv/bin/python asks the project's"
    )
    # The one that is active is meant, and no note where whichwins runs in it.
    active = environment(tmp_path / "active")
    said = other_environment(tmp_path, {"VIRTUAL_ENV": str(active)})
    assert said is not None
    assert '--python "$VIRTUAL_ENV/bin/python" asks' in said
    assert other_environment(tmp_path, {}, prefix=str(mine)) is None
    assert other_environment(tmp_path, {"VIRTUAL_ENV": str(active)}, prefix=str(active)) is None


@pytest.mark.parametrize(
    ("has", "locked", "noted"),
    [
        ("3.13.0", "3.9.15", True),
        ("3.9.15", "3.9.15", False),
        ("3.13.0", None, False),
        (None, "3.9.15", False),
    ],
)
def test_a_version_that_is_not_the_locked_one(
    tmp_path: Path, adapters: tuple[Adapter, ...], has: str | None, locked: str | None, noted: bool
) -> None:
    text = f"orjson=={locked}\n" if locked else "orjson\n"
    (tmp_path / "requirements.txt").write_text(text, encoding="utf-8")
    libraries = {"orjson": has} if has else {}
    told = list(other_versions(tmp_path, adapters, {"python/orjson": {"libraries": libraries}}))
    line = "orjson 3.13.0 is installed here, and requirements.txt:1 has 3.9.15: install that first"
    assert told == ([line] if noted else [])
    # Of a version that was asked for nothing is said.
    assert not list(other_versions(tmp_path, adapters, {"python/orjson@3.13.0": {"libraries": libraries}}))


def test_a_lock_file_that_cannot_be_read_is_no_business_of_a_check(
    tmp_path: Path, adapters: tuple[Adapter, ...]
) -> None:
    (tmp_path / "uv.lock").write_text("[[package]\n", encoding="utf-8")
    assert not list(other_versions(tmp_path, adapters, {"python/orjson": {"libraries": {"orjson": "1"}}}))


ALL_HERE = dict.fromkeys(("python/json", "python/orjson", "node/json", "node/json5", "ruby/json"))


def test_a_project_of_npm_alone_has_no_subjects_of_python(
    tmp_path: Path, adapters: tuple[Adapter, ...]
) -> None:
    (tmp_path / "package.json").write_text('{"dependencies":{"json5":"^2.2.3"}}', encoding="utf-8")
    planned = plan(tmp_path, adapters, ALL_HERE, installed={"orjson": "3.13.0"})
    assert planned.subjects == ("node/json", "node/json5")
    (_, (_, flow)) = planned.files
    steps = [step.get("run", "") for step in yaml.safe_load(flow)["jobs"]["check"]["steps"]]
    assert "npm install --ignore-scripts" in steps
    assert not any("pip install orjson" in step for step in steps)
    (tmp_path / "package-lock.json").write_text(
        '{"lockfileVersion":3,"packages":{"node_modules/json5":{"version":"2.2.3"}}}', encoding="utf-8"
    )
    flow = plan(tmp_path, adapters, ALL_HERE).files[1][1]
    assert "run: npm ci --ignore-scripts" in flow
    assert "npm install" not in flow


@pytest.mark.parametrize("name", ["app.py", "setup.py", "requirements.txt", "pyproject.toml", "Pipfile"])
def test_some_python_beside_it_is_enough(tmp_path: Path, adapters: tuple[Adapter, ...], name: str) -> None:
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    (tmp_path / name).touch()
    assert "python/json" in plan(tmp_path, adapters, ALL_HERE).subjects


def test_the_workflow_of_a_folder_stands_at_the_root(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "services" / "my app"
    folder.mkdir(parents=True)
    (folder / "requirements.txt").write_text("orjson==3.9.15\n", encoding="utf-8")
    planned = plan(folder, adapters, ALL_HERE)
    (settings, _), (path, flow) = planned.files
    assert settings == folder / "whichwins.toml"
    assert path.resolve() == tmp_path / ".github" / "workflows" / "whichwins-services-my-app.yml"
    assert path.resolve() == places(folder)[1].resolve()
    job = yaml.safe_load(flow)
    assert job["name"] == "whichwins (services/my app)"
    assert job["jobs"]["check"]["defaults"] == {"run": {"working-directory": "services/my app"}}
    root = plan(tmp_path, adapters, ALL_HERE).files[1]
    assert root[0] == tmp_path / ".github" / "workflows" / "whichwins.yml"
    assert "defaults" not in yaml.safe_load(root[1])["jobs"]["check"]


@pytest.mark.parametrize("name", ['a"b\\c', "caf\u00e9", "a: b #c"])
def test_odd_names_stay_names(tmp_path: Path, adapters: tuple[Adapter, ...], name: str) -> None:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / name
    folder.mkdir()
    flow = plan(folder, adapters, ALL_HERE).files[1][1]
    assert flow.isascii()
    assert yaml.safe_load(flow)["jobs"]["check"]["defaults"]["run"]["working-directory"] == name


def test_a_folder_is_no_expression(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "${{ secrets.x }}"
    folder.mkdir()
    with pytest.raises(BadInput, match="rename it"):
        plan(folder, adapters, ALL_HERE)
