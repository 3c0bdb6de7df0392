"""On CI a skip is a failure: what is to be tested must be there."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# How quick a machine is decides no test.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

PLATFORM = (
    "root may",  # permissions bind no root
    "Linux has a full device",
    "needs /proc",
    "this file system",
    "no Python ",  # the kit under other interpreters: tested where they are
)
"""Beginnings of reasons that say something of the machine, and hide no subject."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("CI") and isinstance(report.longrepr, tuple):
        reason = str(report.longrepr[2]).removeprefix("Skipped: ")
        if not reason.startswith(PLATFORM):
            report.outcome = "failed"
            report.longrepr = f"skipped on CI ({reason}): .ci/run must install what this test needs"
    return report
