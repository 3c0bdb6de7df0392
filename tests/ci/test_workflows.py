"""The project's own workflows: whatever runs .ci/run brings what is missed there on CI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.ci.service import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def steps(path: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def lacking(found: list[dict[str, Any]]) -> list[str]:
    """What a job that runs .ci/run does not bring: the suite, whose absence fails on CI."""
    runs = [step for step in found if ".ci/run" in step.get("run", "")]
    suites = [step["with"] for step in found if step.get("with", {}).get("repository") == "nst/JSONTestSuite"]
    folders = {f"${{{{ github.workspace }}}}/{suite['path']}/test_parsing" for suite in suites}
    given = {step.get("env", {}).get("WHICHWINS_JSONTESTSUITE") for step in runs}
    return [*(["a run of .ci/run"] if not runs else []), *(["its suite"] if given - folders else [])]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_brings_the_suite(path: Path) -> None:
    assert lacking(steps(path)) == []
    without = [{key: value for key, value in step.items() if key != "env"} for step in steps(path)]
    assert lacking(without) == ["its suite"]


def test_the_suite_is_the_same_everywhere() -> None:
    pins = {
        step["with"]["ref"]
        for path in WORKFLOWS
        for step in steps(path)
        if step.get("with", {}).get("repository") == "nst/JSONTestSuite"
    }
    assert len(pins) == 1


def test_every_tier_runs_at_night() -> None:
    nightly = steps(ROOT / ".github" / "workflows" / "nightly.yml")
    (run,) = (step for step in nightly if ".ci/run" in step.get("run", ""))
    assert "WHICHWINS_TIERS" not in run["env"]
