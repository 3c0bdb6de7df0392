"""Versions of Python libraries, each in an environment of its own, and of Python itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from whichwins.model import Adapter, BadInput, Subject
from whichwins.provision.interpreters import OLDEST, Interpreter, interpreters, one_of_each_kind, own_first
from whichwins.provision.launches import Absent
from whichwins.provision.provide import Order, Provided, toolchain_of
from whichwins.provision.python_packages import Shop, Want
from whichwins.provision.requests import adapter_digest, read_request
from whichwins.provision.runtimes import Runtimes
from whichwins.provision.trees import built_from

# A deployment's own modules would stand before those that are asked for.
_CLEARED: Mapping[str, str | None] = {"PYTHONPATH": None, "PYTHONHOME": None}
_RUNTIME = re.compile(r"(?P<parts>\d+(\.\d+){0,2})(?P<before>(a|b|rc)\d+)?(?P<threaded>t?)")


def provide_python(order: Order) -> Provided:
    """Return the runtimes of each subject that is asked for, or why it cannot be had here."""
    found = interpreters(order.runtimes)
    given: Provided = {}
    wants: dict[str, Want] = {}
    sources: dict[str, str] = {}
    for subject, adapter in order.wanted:
        if subject.packages:
            request = read_request(subject, toolchain_of(subject, adapter))
            if request.source and not order.sources.allow_build:
                raise BadInput(f"{subject.key}: has to be built, which runs what is in it: add --allow-build")
            if request.tree is not None:
                request = request._replace(content=built_from(order.runtimes.env, request.content))
            wants[subject.key] = Want(request, _sources(adapter, sources))
        else:
            given[subject.key] = _runtime(subject, found, order.runtimes)
    if wants:
        with Shop(order, one_of_each_kind(own_first(order.runtimes, found))) as shop:
            placed = shop.place(wants, together=order.together)
        for key, there in placed.items():
            if not isinstance(there, Absent):
                python = str(there.folder / "bin" / "python")
                given[key] = order.runtimes.overlaid({"python": python}, _CLEARED)
            else:
                given[key] = there
    return given


def _sources(adapter: Adapter, known: dict[str, str]) -> str:
    if adapter.name not in known:
        known[adapter.name] = adapter_digest(adapter.folder)
    return known[adapter.name]


def _runtime(subject: Subject, found: Sequence[Interpreter], runtimes: Runtimes) -> Runtimes | Absent:
    """The newest interpreter found that is of the version asked for: 3.9 is any 3.9, 3.13t free-threaded."""
    asked = _RUNTIME.fullmatch(subject.version)
    if asked is None:
        raise BadInput(f"{subject.key}: write a version of Python (3.9, 3.9.18) after the @")
    parts = tuple(map(int, asked["parts"].split(".")))
    if parts[:2] < OLDEST[: len(parts)]:
        raise BadInput(
            f"{subject.key}: is too old; {'.'.join(map(str, OLDEST))} is the oldest Python that works"
        )
    for one in found:
        if (
            one.version[: len(parts)] == parts
            and (not asked["before"] or one.release.endswith(asked["before"]))
            and bool(asked["threaded"]) == one.threaded
        ):
            return runtimes.overlaid({"python": one.path}, _CLEARED)
    there = ", ".join(one.shown for one in found)
    another = "--python PATH" if runtimes.python_named else "WHICHWINS_PYTHONS=PATH"
    return Absent(f"no Python {subject.version} here, found {there}", f"{another} names another")
