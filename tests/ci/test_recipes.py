"""The recipes of docs/ci.md: read as the services read them, their commands run in a project."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from tests.ci.service import (
    INPUTS,
    ROOT,
    action,
    blocks,
    commit,
    environment,
    path_of,
    program,
    project,
    shell,
)
from whichwins.cli import main
from whichwins.subjects import load_adapters

YAML: list[dict[Any, Any]] = [yaml.safe_load(block) for block in blocks("ci.md", "yaml")]
GITHUB = [each for each in YAML if "jobs" in each]
GITLAB = {
    name: job for each in YAML for name, job in each.items() if isinstance(job, dict) and "script" in job
}
PACKAGES = {
    package for adapter in load_adapters() for subject in adapter.subjects for package in subject.packages
}


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with requirements and a committed baseline."""
    made = project(tmp_path, requirements_txt="orjson==3.13.0\n")
    monkeypatch.chdir(made)
    assert main(["check", "--update"]) == 0
    commit(made)
    return made


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The programs of a job's image: a Python whose environments have whichwins, a pip that has it all."""
    folder = tmp_path / "image"
    ours = f"PYTHONPATH={shlex.quote(str(ROOT / 'harness'))} exec {shlex.quote(sys.executable)}"
    tool = f'{ours} -m whichwins "\\$@"'
    made = f'mkdir -p "$3/bin"; printf "#!/bin/sh\\n%s\\n" "{tool}" > "$3/bin/whichwins"'
    program(
        folder / "python",
        f'if [ "${{1-}} ${{2-}}" = "-m venv" ]; then {made}; printf "#!/bin/sh\\n" > "$3/bin/pip"; '
        f'chmod +x "$3/bin/"*; else exec {shlex.quote(sys.executable)} "$@"; fi',
    )
    program(folder / "pip", '[ "$1" = install ]')
    return folder


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_there_are_recipes_for_each() -> None:
    assert len(GITHUB) == 3
    assert set(GITLAB) == {"whichwins", "json-upgrade"}


@pytest.mark.parametrize("number", range(len(GITHUB)))
def test_workflows_ask_for_little_and_leave_no_secret_behind(number: int) -> None:
    workflow = GITHUB[number]
    assert workflow["permissions"] == {"contents": "read"}
    # YAML 1.1 reads a bare `on` as true.
    assert "pull_request_target" not in str(workflow[True])
    (checkout,) = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
    assert checkout["with"]["persist-credentials"] is False


@pytest.mark.parametrize("number", range(len(GITHUB)))
def test_workflows_run(number: int, checked: Path, tmp_path: Path) -> None:
    (step,) = [
        each for each in steps(GITHUB[number]) if each.get("uses", "").startswith("whichwins/whichwins@")
    ]
    given = {name: str(value) for name, value in step["with"].items()}
    assert given.keys() <= INPUTS.keys()
    base = commit(checked, requirements_txt="orjson==3.13.0 # a\n")
    done = action(checked, tmp_path / "runner", given, base=base)
    assert (done.code, done.outputs) == (0, {"exit-code": "0"}), done.err


def test_a_pull_request_cannot_excuse_itself(checked: Path, tmp_path: Path) -> None:
    """The recipe's own steps, on a pull request that wrote the baseline and an exception for itself."""
    (workflow,) = [each for each in GITHUB if each["name"] == "whichwins as agreed"]
    (take,) = [step for step in steps(workflow) if "git checkout" in step.get("run", "")]
    lock = checked / "whichwins.lock"
    agreed = lock.read_text(encoding="ascii").replace("[1.8446744073709552e+19]", "[18446744073709551616]")
    lock.write_text(agreed, encoding="ascii")
    base = commit(checked)
    # The value is another than was agreed on; the pull request says that all is well.
    config = (checked / "whichwins.toml").read_text()
    allow = '[[allow]]\nsubject = "*"\ncase = "*"\nkind = "*"\nreason = "mine"\n'
    commit(checked, whichwins_toml=config + allow)
    (step,) = [each for each in steps(workflow) if each.get("uses", "").startswith("whichwins/")]
    assert action(checked, tmp_path / "one", step["with"], base=base, fork=True).code == 0  # as feared
    assert set(take["env"]) == {"BASE"}
    done = shell(take["run"], checked, environment(tmp_path / "runner", BASE=base))
    assert done.code == 0, done.err
    done = action(checked, tmp_path / "runner", step["with"], base=base, fork=True)
    assert (done.code, done.outputs) == (1, {"exit-code": "1"}), done.err
    order = [each.get("run", each.get("uses", "")) for each in steps(workflow)]
    assert order.index(take["run"]) > order.index("pip install -r requirements.txt")


@pytest.mark.parametrize("name", sorted(GITLAB))
def test_jobs_run(name: str, checked: Path, image: Path, tmp_path: Path) -> None:
    job = GITLAB[name]
    base = commit(checked, requirements_txt="orjson==3.13.0 # a\n")
    commit(checked, requirements_txt="orjson==3.13.0\n")
    # There is no remote here: what it would bring is there.
    program(image / "git", f'[ "$1" = fetch ] || PATH={shlex.quote(path_of())} exec git "$@"')
    variables = {
        "PATH": path_of(image),
        "CI_PROJECT_DIR": str(checked),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
        "WHICHWINS_CACHE": str(tmp_path / "cache"),
    }
    script = "\n".join(job["script"])
    done = shell(script, checked, environment(tmp_path / "runner", **variables))
    assert done.code == 0, done.err
    report = checked / job["artifacts"]["reports"]["junit"]
    assert ElementTree.parse(report).getroot().tag == "testsuites"
    assert job["artifacts"]["when"] == "always"  # a finding is when it is wanted


def test_a_job_fails_on_a_finding(checked: Path, image: Path, tmp_path: Path) -> None:
    lock = checked / "whichwins.lock"
    said = lock.read_text(encoding="ascii")
    lock.write_text(said.replace("[1.8446744073709552e+19]", "[18446744073709551616]"), encoding="ascii")
    script = "\n".join(GITLAB["whichwins"]["script"])
    done = shell(script, checked, environment(tmp_path / "runner", PATH=path_of(image)))
    assert done.code == 1, done.err
    root = ElementTree.parse(checked / "whichwins.xml").getroot()
    assert root.get("failures") == "1"


def test_robots_are_told_of_packages_that_can_be_asked() -> None:
    (renovate,) = [json.loads(block) for block in blocks("ci.md", "json")]
    (rule,) = renovate["packageRules"]
    assert set(rule["matchPackageNames"]) <= PACKAGES
    (dependabot,) = [each for each in YAML if "updates" in each]
    assert dependabot["version"] == 2
    for update in dependabot["updates"]:
        for group in update["groups"].values():
            assert set(group["patterns"]) <= PACKAGES
