"""Examining adapters: canaries, notation vectors, protocol transcripts, state, claims, depth."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from whichwins.model import Subject
from whichwins.run.doctor import checks
from whichwins.run.doctor.asking import Desk, NotStarted, Patient
from whichwins.run.doctor.result import CHECKS, FOUND, OK, SKIPPED, Check, Checkup, Finding, check, skipped
from whichwins.workers import Launch, Limits

__all__ = ["CHECKS", "FOUND", "OK", "SKIPPED", "Check", "Checkup", "Finding", "examine"]


def examine(
    subjects: Sequence[Subject],
    launches: Mapping[str, Launch | str],
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
    jobs: int | None = None,
) -> tuple[Checkup, ...]:
    """All checks of every subject, in the order of `subjects`.

    `launches` maps a key to a `Launch`, or to the reason why the subject is absent. `progress` is called
    with (done, all). `jobs` subjects are examined at once (default: processors).
    """
    from concurrent.futures import ThreadPoolExecutor, as_completed
    from threading import Event

    bounds = limits or Limits()
    most = jobs or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else [0, 1])
    stop = Event()
    with ThreadPoolExecutor(most) as workers:
        try:
            futures = [
                workers.submit(_examine, each, launches.get(each.key, ""), bounds, stop.is_set)
                for each in subjects
            ]
            for done, _ in enumerate(as_completed(futures), 1):
                if progress is not None:
                    progress(done, len(futures))
        except BaseException:
            stop.set()
            workers.shutdown(wait=False, cancel_futures=True)
            raise
    return tuple(future.result() for future in futures)


def _examine(subject: Subject, launch: Launch | str, limits: Limits, stopped: Callable[[], bool]) -> Checkup:
    if isinstance(launch, str):
        return _checkup(subject, [], launch or "has no way to be started", "absent")
    patient = Patient(subject, launch, limits, stopped)
    started, absent = checks.start(patient)
    if absent is not None:
        return _checkup(subject, [], absent, "absent")
    if started.state == FOUND and any(finding.about != "ready" for finding in started.findings):
        return _checkup(subject, [started], None, "it does not start")
    spoken, usable = checks.protocol(patient)
    if not usable:
        return _checkup(subject, [started, spoken], None, "it cannot be asked")
    with Desk(patient) as desk:
        sung, absent = checks.canaries(desk, subject.canaries)
    if absent is not None:
        return _checkup(subject, [started, spoken] if spoken.state == FOUND else [], absent, "absent")
    if sung.state == FOUND:
        return _checkup(subject, [started, spoken, sung], None, "it fails its canaries")
    made = [started, sung, spoken]
    if subject.shape:
        made.append(skipped("vectors", f"it reads only texts of the shape {subject.shape}"))
    else:
        made.append(_made("vectors", patient, lambda desk: checks.notation(desk, subject)))
    if any(finding.about == "batch" for finding in spoken.findings):
        made.append(skipped("order", "it does not answer batches"))
    else:
        made.append(_order(patient))
    made.append(_made("repeats", patient, lambda desk: checks.repeats(desk, subject)))
    made.append(_made("depth", patient, lambda desk: checks.depth(desk, subject)))
    return _checkup(subject, made, None, "")


def _made(name: str, patient: Patient, act: Callable[[Desk], Check]) -> Check:
    """A check with a worker of its own."""
    try:
        with Desk(patient) as desk:
            return act(desk)
    except NotStarted as error:
        return check(name, 0, [Finding("hello", str(error))])


def _order(patient: Patient) -> Check:
    return _made(
        "order",
        patient,
        lambda first: _made(
            "order", patient, lambda second: checks.order(first, second, patient.subject.canaries)
        ),
    )


def _checkup(subject: Subject, made: Sequence[Check], absent: str | None, why: str) -> Checkup:
    """All checks in their order, those that were not made as skipped."""
    known = {each.name: each for each in made}
    return Checkup(subject.key, tuple(known.get(name) or skipped(name, why) for name in CHECKS), absent)
