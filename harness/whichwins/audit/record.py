"""What a boundary's worker says of one request: read strictly, for nothing that a worker says is trusted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from whichwins.audit.passage import Passage, Passed, Preview
from whichwins.model import Observation, Outcome
from whichwins.notation import NotationError, canonical

GARBLED = "garbled record"
STRAY = ""
"""No case's name."""
TIMEOUT = "timeout"
_MOST_JOURNAL = 512 * 1024 * 1024
_WORDS = {each.value: each for each in (Passed.ACCEPTED, Passed.REJECTED, Passed.FAILED, Passed.UNSUPPORTED)}
_TOKEN = re.compile(r"[!-~]{1,300}")
_LINE = re.compile(r"[ -~]{1,300}")
_EXCEPTION = "exception "
_CLASS = re.compile(r"(?=.{1,100}\Z)[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*", re.ASCII)
"""A class's name. Anything else in its place was made at run time, and may be of what was sent."""
_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_ONCE = frozenset({"passed", "signal", "value", "executions", "approved", "emitted", "reason"})
_KNOWN = _ONCE | {"preview", "execute", "executed", "decoder"}


class _Wrong(Exception):
    """The record is not what the protocol wants."""


def passage(seen: Observation) -> Passage:
    """What an answer to `deliver` says.

    A worker that died, hung or broke the protocol has failed, and executions are unknown.
    """
    if seen.outcome is Outcome.ACCEPT:
        return read_record(seen.value or "")
    if seen.outcome is Outcome.UNSUPPORTED:
        return Passage(Passed.UNSUPPORTED, reason=seen.reason or "")
    if seen.outcome is Outcome.ABSENT:
        return Passage(Passed.ABSENT, reason=seen.reason or "")
    signal, reason = "", seen.reason or ""
    if seen.outcome is Outcome.CRASH:
        signal, reason = seen.signal or "", "the worker ended"
    elif seen.outcome is Outcome.TIMEOUT:
        signal, reason = TIMEOUT, "no answer in time"
    elif seen.outcome is Outcome.FAULT:
        signal, reason = _signal(f"{_EXCEPTION}{seen.error}"), "the worker could not do its work"
    elif seen.outcome is Outcome.REJECT:
        reason = GARBLED  # not an answer to `deliver`
    return Passage(Passed.FAILED, executions=None, signal=signal, reason=reason)


def completed(found: Passage, journal: Passage, *, said: bool) -> Passage:
    """Add what the journal knows of this request: what happened before a death, or after the answer.

    `said`: the worker lived to tell, so that what it calls unknown is not none.
    """
    ran, known = journal.executions, found.executions
    if found.passed is Passed.FAILED and known is None and not said:
        return found._replace(executions=ran, executed=journal.executed, previews=journal.previews)
    if ran and len(ran) > len(known or ()):
        return found._replace(executions=ran, executed=journal.executed)
    return found


def read_record(text: str) -> Passage:
    """A record's lines; unknown keys are ignored, anything wrong makes it a failure: `garbled record`."""
    try:
        return _read(text)
    except (_Wrong, NotationError):
        return Passage(Passed.FAILED, executions=None, reason=GARBLED)


def read_journal(path: Path) -> Mapping[str, Passage]:
    """By case, what workers wrote down as it happened. Lines that are not whole are left out.

    Under `STRAY` that something ran of which nobody knows the case: see `of_journal`.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_JOURNAL)
    except FileNotFoundError:
        return {}
    lines: dict[str, list[tuple[str, str]]] = {}
    stray = False
    for line in data.split(b"\n")[:-1]:
        key, _, rest = line.decode("latin-1").partition(" ")
        case, _, value = rest.partition(" ")
        stray |= key == "stray"
        if key in ("begin", "preview", "execute", "executed"):
            lines.setdefault(unquote(case), []).append((key, value))
    found: dict[str, Passage] = {}
    for case, pairs in lines.items():
        try:
            seen = _passage({}, pairs, Passed.FAILED)
            begun = sum(key == "begin" for key, _ in pairs)
            # One that began and is not there: it ran with arguments that nobody could write down.
            lost = begun > len(seen.executions or ())
            found[case] = seen._replace(executions=None) if lost else seen
        except (_Wrong, NotationError):
            continue
    if stray:
        found[STRAY] = Passage(Passed.FAILED, executions=None)
    return found


def without_stray(found: Passage, kept: Mapping[str, Passage]) -> Passage:
    """A passage whose executions are unknown where any execution could be its own as well."""
    if STRAY not in kept or found.passed is Passed.UNSUPPORTED:
        return found
    return found._replace(executions=None, executed=(), reason="what ran cannot be told apart by request")


def _read(text: str) -> Passage:
    if not text.isascii() or not text.endswith("\n"):
        raise _Wrong
    once: dict[str, str] = {}
    many: list[tuple[str, str]] = []
    for line in text[:-1].split("\n"):
        key, _, value = line.partition(" ")
        if key not in _KNOWN:
            continue
        if key not in _ONCE:
            many.append((key, value))
        elif key in once:
            raise _Wrong
        else:
            once[key] = value
    passed = _WORDS.get(once.get("passed", ""))
    if passed is None:
        raise _Wrong
    return _passage(once, many, passed)


def _passage(once: Mapping[str, str], many: list[tuple[str, str]], passed: Passed) -> Passage:
    executions: tuple[str, ...] | None = tuple(canonical(value) for key, value in many if key == "execute")
    said = once.get("executions")
    if said not in (None, "open") and (said != "unknown" or executions):
        raise _Wrong
    if said == "unknown":
        executions = None
    emitted = once.get("emitted")
    if emitted is not None and not _HEX.fullmatch(emitted):
        raise _Wrong
    value = once.get("value")
    return Passage(
        passed,
        value=None if value is None else canonical(value),
        previews=tuple(_preview(each) for key, each in many if key == "preview"),
        executions=executions,
        signal=_signal(_line(once.get("signal"))),
        approved=None if "approved" not in once else _token(once["approved"]),
        executed=tuple(_token(each) for key, each in many if key == "executed"),
        emitted=None if emitted is None else bytes.fromhex(emitted),
        decoders=tuple(_line(each) for key, each in many if key == "decoder"),
        reason=_line(once.get("reason")),
        growing=said == "open",
    )


def _preview(text: str) -> Preview:
    where, space, value = text.partition(" ")
    if not space or not _TOKEN.fullmatch(where):
        raise _Wrong
    said = "" if where == "-" else unquote(where)
    return Preview("".join(c if " " <= c <= "~" else "?" for c in said), canonical(value))


def _signal(said: str) -> str:
    """How something ended, without a class's name that is none."""
    name = said.removeprefix(_EXCEPTION)
    return said if name == said or _CLASS.fullmatch(name) else f"{_EXCEPTION}?"


def _token(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise _Wrong
    return text


def _line(text: str | None) -> str:
    if text is None:
        return ""
    if not _LINE.fullmatch(text):
        raise _Wrong
    return text
