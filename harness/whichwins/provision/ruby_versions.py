"""Versions of Ruby and of the json gem that comes with it: CRuby as WebAssembly, from npm."""

from __future__ import annotations

from whichwins.model import BadInput, MeasurementFailed, Subject
from whichwins.provision.build import ruby_environment
from whichwins.provision.environment import RUBIES
from whichwins.provision.launches import Absent
from whichwins.provision.missing import Missing
from whichwins.provision.provide import Order, Provided
from whichwins.provision.runtimes import Runtimes

_PREFIX = "wasm-"


def provide_ruby(order: Order) -> Provided:
    """Return the runtimes of each subject that is asked for, or why it cannot be had here.

    The native Ruby of the machine is one version, without a way to others: it is left aside.
    """
    versions = {subject.key: _version(subject) for subject, _ in order.wanted}  # wrong ones before a build
    given = {version: _given(version, order) for version in sorted(set(versions.values()))}
    return {key: given[version] for key, version in versions.items()}


def _version(subject: Subject) -> str:
    version = subject.version.removeprefix(_PREFIX)
    if subject.packages:
        raise BadInput(f"{subject.key}: versions of gems cannot be had, only those of Ruby; leave out the @")
    if not subject.version.startswith(_PREFIX) or version not in RUBIES:
        there = ", ".join(f"{_PREFIX}{ruby} ({gem})" for ruby, gem in RUBIES.items())
        raise BadInput(f"{subject.key}: Ruby can be had in the versions {there}, as WebAssembly")
    return version


def _given(version: str, order: Order) -> Runtimes | Absent:
    runtimes, name = order.runtimes, f"CRuby {version} as WebAssembly"
    if (missing := runtimes.missing("node")) is not None:
        return Absent(f"{name} needs Node.js, {missing.reason}", missing.install)
    try:
        found = ruby_environment(version, runtimes, order.progress)
    except MeasurementFailed as error:
        return Absent(f"{name} cannot be built: {error}", "")
    native = Missing(f"{name} is asked for", "leave out the @")
    return runtimes.overlaid({"ruby-wasm": str(found.folder), "ruby": native})
