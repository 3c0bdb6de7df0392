"""Python packages, each request in an environment of its own on the newest interpreter that it fits."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from whichwins.model import BadInput
from whichwins.provision.archives import check_archive
from whichwins.provision.cache import Environment, environment, find
from whichwins.provision.interpreters import Interpreter
from whichwins.provision.launches import Absent
from whichwins.provision.memory import recall, remember
from whichwins.provision.provide import Order
from whichwins.provision.requests import Request
from whichwins.provision.steps import places_of
from whichwins.provision.trees import remember_build, tree_state
from whichwins.provision.uv import Answer, Uv, fill, find_uv, near, origin, resolve, uv_environment

_CHOICES = "choices"
_UNFIT = "unfit"
_UNFIT_SECONDS = 7 * 24 * 3600
_NOT_ITS_FAULT = ("unfit", "failed")
_OF_THE_MACHINE = re.compile(r"os error|[Pp]ermission|[Tt]imed? ?out|panicked")


class Want(NamedTuple):
    """A request, and a digest of the adapter that it is for."""

    request: Request
    adapter: str

    @property
    def identity(self) -> tuple[str, str]:
        """What decides its environment on an interpreter; two subjects may share one."""
        return self.request.identity, self.adapter


class _Refused(Exception):
    """How a build says why there is none."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.said)
        self.answer = answer


class Shop:
    """What one call needs to find or build environments: interpreters, and uv once something is not there."""

    def __init__(self, order: Order, candidates: Sequence[Interpreter]) -> None:
        self._env = order.runtimes.env
        self._sources = order.sources
        self._progress = order.progress
        self._candidates = candidates
        self._named = order.runtimes.python_named is not None
        self._uv_env = uv_environment(self._env, order.sources)
        self._index = origin(self._uv_env)
        self._constraints = _content(order.sources.constraints)
        self._answers: dict[tuple[str, ...], Answer] = {}
        self._unfit = recall(self._env, _UNFIT)
        self._offline = False
        self._files: list[Path | None] = []
        self._rooms = ExitStack()

    def __enter__(self) -> Shop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._rooms.close()

    def place(self, wants: Mapping[str, Want], *, together: bool) -> dict[str, Environment | Absent]:
        """Return an environment for each, or why there is none; `together`: on one interpreter."""
        distinct = {want.identity: want for want in wants.values()}
        self._files = [want.request.file or want.request.tree for want in wants.values()]
        placed: dict[tuple[str, str], Environment | Absent] = {}
        if together and len(distinct) > 1:
            there = self._on_one(list(distinct.values()))
            if not isinstance(there, Absent):
                placed = dict(zip(distinct, there, strict=True))
        for identity, want in distinct.items():
            if identity not in placed:
                alone = self._on_one([want])
                placed[identity] = alone if isinstance(alone, Absent) else alone[0]
        return {key: placed[want.identity] for key, want in wants.items()}

    def _on_one(self, wants: Sequence[Want]) -> list[Environment] | Absent:
        choice = self._digest(
            *(want.identity for want in wants),
            *(one.identity for one in self._candidates),
            self._sources.allow_build,
        )
        chosen = recall(self._env, _CHOICES).get(choice)
        for one in self._candidates:
            if one.identity == chosen and (there := self._all_there(wants, one)):
                return there
        try:
            one, built = self._choose(wants)
        except _Refused as refused:
            return self._without_network(wants, refused.answer) or self._absent(wants, refused.answer)
        remember(self._env, _CHOICES, {choice: one.identity})
        return built

    def _choose(self, wants: Sequence[Want]) -> tuple[Interpreter, list[Environment]]:
        """The newest interpreter on which all can be had, from wheels before sources."""
        why = Answer(refusal="unfit")
        for build in self._ways(wants):
            passed: list[str] = []
            for one in self._candidates:
                try:
                    for want in wants:
                        self._check(want, one, build)
                    note = f" (it fits no {', '.join(passed)})" if passed else ""
                    return one, [self._have(want, one, build, note) for want in wants]
                except _Refused as refused:
                    if refused.answer.refusal not in _NOT_ITS_FAULT:
                        raise
                    if refused.answer.refusal == "failed":
                        self._progress(f"not for Python {one.shown}: {refused.answer.said}")
                    else:
                        passed.append(one.shown)
                    if refused.answer.refusal == "failed" or not why.said:
                        why = refused.answer
        raise _Refused(why)

    def _ways(self, wants: Sequence[Want]) -> tuple[bool, ...]:
        """From wheels, then by a build where that is allowed; a wheel that was named is not built."""
        wheels = all(want.request.file and not want.request.source for want in wants)
        return (False, True) if self._sources.allow_build and not wheels else (False,)

    def _check(self, want: Want, one: Interpreter, build: bool) -> None:
        """Raise the refusal when the request does not fit the interpreter."""
        request = want.request
        if self._find(want, one, build):
            return
        fact = self._digest(*want.identity, one.identity)
        build = build or request.source
        if not build and self._known_unfit(fact):
            raise _Refused(Answer(refusal="unfit"))
        answer = self._resolved(want, one, build)
        if not answer.refusal:
            return
        if answer.refusal in ("unknown", "missing", "bad"):
            raise self._bad(request, answer, one)
        lasting = request.version and not build and not self._uv_env.get("UV_FIND_LINKS")
        if answer.refusal == "unfit" and lasting:
            self._unfit[fact] = time.time()
            remember(self._env, _UNFIT, {fact: self._unfit[fact]})
        raise _Refused(answer)

    def _known_unfit(self, fact: str) -> bool:
        """Believed for a while only: wheels are added to old releases when an interpreter is new."""
        since = self._unfit.get(fact)
        return isinstance(since, float) and 0 <= time.time() - since < _UNFIT_SECONDS

    def _resolved(self, want: Want, one: Interpreter, build: bool) -> Answer:
        asked = (*want.identity, one.identity, str(build))
        if asked not in self._answers:
            if (file := want.request.file) is not None:
                check_archive(want.request.key, file, want.request.package)
            room = self._room
            lines, python = want.request.lines, one.path
            answer = resolve(self._uv, lines, python, room, build=build, offline=self._offline)
            if answer.refusal == "network" and not self._offline:
                # uv may have it all: from here on nothing waits for the network again.
                self._offline = True
                stored = resolve(self._uv, lines, python, room, build=build, offline=True)
                answer = answer if stored.refusal else stored
            elif self._offline and answer.refusal:  # uv's memory of the index may be old
                answer = answer._replace(refusal="network")
            self._answers[asked] = answer
        return self._answers[asked]

    def _have(self, want: Want, one: Interpreter, build: bool, note: str = "") -> Environment:
        request = want.request
        from_source = build or request.source

        def fill_it(place: Path) -> dict[str, str]:
            self._progress(f"installing {request.recorded} for Python {one.shown}{note}")
            pins = self._resolved(want, one, from_source).pins
            before = tree_state(request.tree) if request.tree else {}
            done = fill(self._uv, pins, one.path, place, build=from_source, offline=self._offline)
            if done.refusal:
                raise _Refused(done)
            if request.tree:
                remember_build(self._env, request.content, before, tree_state(request.tree))
            return {
                "request": request.recorded,
                "toolchain": f"CPython {one.shown}",
                "packages": ", ".join(_installed(place)),
                "python": one.path,
            }

        return environment(self._env, request.name, self._parts(want, one, build), fill_it, self._progress)

    def _parts(self, want: Want, one: Interpreter, build: bool) -> dict[str, str]:
        return {
            "toolchain": one.identity,
            "request": want.request.identity,
            "adapter": want.adapter,
            "index": self._index,
            "constraints": self._constraints,
            "built": "yes" if build or want.request.source else "no",
        }

    def _find(self, want: Want, one: Interpreter, build: bool) -> Environment | None:
        return find(self._env, want.request.name, self._parts(want, one, build))

    def _all_there(self, wants: Sequence[Want], one: Interpreter) -> list[Environment] | None:
        for build in self._ways(wants):
            there = [found for want in wants if (found := self._find(want, one, build))]
            if len(there) == len(wants):
                return there
        return None

    def _without_network(self, wants: Sequence[Want], answer: Answer) -> list[Environment] | None:
        """What was built before, though a newer interpreter has come since that might fit."""
        if answer.refusal == "network":
            for one in self._candidates:
                if there := self._all_there(wants, one):
                    return there
        return None

    def _absent(self, wants: Sequence[Want], answer: Answer) -> Absent:
        what = ", ".join(want.request.recorded for want in wants)
        found = ", ".join(one.shown for one in self._candidates) or "none"
        if answer.refusal == "network":
            return Absent(
                f"{what} is not in the cache and the index cannot be asked ({answer.said})",
                "try again online",
            )
        if answer.refusal == "full":
            return Absent(f"{what} cannot be installed: {answer.said}", "")
        another = "--python PATH" if self._named else "WHICHWINS_PYTHONS=PATH"
        local = next((want.request for want in wants if want.request.file and not want.request.source), None)
        if answer.refusal == "failed":
            if local is not None and not _OF_THE_MACHINE.search(answer.said):
                raise BadInput(f"{local.key}: cannot be installed ({answer.said}); build it or fetch it anew")
            return Absent(f"{what} cannot be installed: {answer.said}", "")
        if local is not None:
            return Absent(
                f"{what} fits none of the interpreters found ({found})",
                f"name a wheel for this machine; {another} names another interpreter",
            )
        if self._sources.allow_build:
            return Absent(f"{what} fits none of the interpreters found ({found})", f"{another} names another")
        return Absent(
            f"no wheel of {what} fits the interpreters found ({found})",
            f"--allow-build builds from source, {another} names another interpreter",
        )

    def _bad(self, request: Request, answer: Answer, one: Interpreter) -> BadInput:
        package = request.package
        if answer.refusal == "unknown" and package in answer.said.split("was not found")[0]:
            return BadInput(f"{request.key}: the index has no package {package}")
        if answer.refusal != "missing":
            return BadInput(f"{request.key}: {answer.said}")
        there = near(self._uv, package, request.version, one.path, self._room)
        asked = request.version or request.lines[0].removeprefix(package)
        hint = f"; {there}" if there else ""
        return BadInput(f"{request.key}: there is no {package} {asked}{hint}")

    @cached_property
    def _uv(self) -> Uv:
        """The program; it is looked for when something has to be built."""
        files = (path.parent for path in (*self._files, self._sources.constraints) if path)
        return Uv(find_uv(), self._uv_env, self._sources, places_of(self._env, *files))

    @cached_property
    def _room(self) -> Path:
        """An empty folder to call uv in: where no project is."""
        return Path(self._rooms.enter_context(tempfile.TemporaryDirectory(prefix="whichwins-")))

    def _digest(self, *parts: object) -> str:
        whole = json.dumps([*map(str, parts), self._index, self._constraints])
        return hashlib.sha256(whole.encode()).hexdigest()[:32]


def _installed(place: Path) -> list[str]:
    """What an environment holds, `orjson 3.9.15`, from the names of its records."""
    infos = sorted(place.glob("lib/python*/site-packages/*.dist-info"))
    return [" ".join(info.name.removesuffix(".dist-info").rsplit("-", 1)) for info in infos]


def _content(constraints: Path | None) -> str:
    if constraints is None:
        return ""
    try:
        return hashlib.sha256(constraints.read_bytes()).hexdigest()
    except OSError as error:
        raise BadInput(f"--constraints {constraints}: cannot be read ({error.strerror})") from None
