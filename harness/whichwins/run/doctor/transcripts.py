"""Transcripts of the protocol, as `adapters/transcripts.toml` holds them: read once, played at a worker."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from whichwins._bundled_path import bundled
from whichwins.model import BadInput, Observation, Outcome
from whichwins.run.doctor.asking import Patient, judge
from whichwins.run.doctor.result import Finding
from whichwins.workers.dialogue import Dialogue, Silence, TooLate
from whichwins.workers.frames import PROTOCOL, Frame, encode
from whichwins.workers.identity import hello, printable

_PAUSE_SECONDS = 0.02
_END_SECONDS = 0.3
_ANSWERS = ("accept", "reject", "fault", "unsupported")
_STEP_KEYS = {
    "send": {"send", "sequence", "body", "frames", "protocol", "extra", "pieces"},
    "expect": {"expect", "sequence", "error", "same"},
    "close": {"close"},
    "exit": {"exit", "seconds"},
}


@dataclass(frozen=True, slots=True)
class Transcript:
    """One transcript; its steps are the tables of the file."""

    name: str
    why: str
    basis: bool
    steps: tuple[dict[str, Any], ...]


@cache
def transcripts() -> tuple[Transcript, ...]:
    """The transcripts that travel with the package."""
    return read_transcripts((bundled("adapters") / "transcripts.toml").read_text(encoding="utf-8"))


def read_transcripts(text: str) -> tuple[Transcript, ...]:
    """Read a file of transcripts. BadInput names what is not understood."""
    try:
        tables = tomllib.loads(text)["transcript"]
        return tuple(_transcript(table) for table in tables)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"transcripts.toml: {type(error).__name__}: {error}; see its first lines") from None


def _transcript(table: dict[str, Any]) -> Transcript:
    name, steps = table["name"], tuple(table["steps"])
    for step in steps:
        kind = next((kind for kind in _STEP_KEYS if kind in step), None)
        if kind is None:
            raise ValueError(f"{name}: a step that is none of {', '.join(_STEP_KEYS)}")
        if unknown := set(step) - _STEP_KEYS[kind]:
            raise ValueError(f"{name}: unknown key {min(unknown)}")
    return Transcript(name, table["why"], table.get("basis", False), steps)


def body(spec: Any) -> bytes:
    """The bytes of a body: a string, `{ hex = }`, or a list of pieces with `repeat`."""
    if isinstance(spec, str):
        return spec.encode()
    if isinstance(spec, list):
        return b"".join(body({**piece, "repeat": 1}) * piece.get("repeat", 1) for piece in spec)
    return bytes.fromhex(spec["hex"]) if "hex" in spec else str(spec["text"]).encode()


def request(step: dict[str, Any], greeting: bytes) -> bytes:
    """The bytes of a `send` step; `greeting` is the body of the subject's hello."""
    verb, sequence = step["send"], step.get("sequence", 0)
    if verb == "hello":
        said = greeting.replace(
            b"protocol %d\n" % PROTOCOL, b"protocol %d\n" % step.get("protocol", PROTOCOL), 1
        )
        return encode("hello", sequence, said + (step["extra"].encode() + b"\n" if "extra" in step else b""))
    if verb == "batch":
        inner = (encode(one["verb"], one["sequence"], body(one["body"])) for one in step["frames"])
        return encode("batch", sequence, b"".join(inner))
    return encode(verb, sequence, body(step.get("body", "")))


def play(transcript: Transcript, patient: Patient) -> list[Finding]:
    """What goes wrong when the transcript is played: nothing, or the first thing.

    What came too late gets a second chance: a busy machine is not a finding.
    """
    wrong, late = _play(transcript, patient)
    if late:
        wrong, late = _play(transcript, patient)
    return [Finding(transcript.name, wrong)] if wrong else []


def _play(transcript: Transcript, patient: Patient) -> tuple[str, bool]:
    try:
        dialogue = Dialogue(patient.launch, patient.limits, patient.stopped)
    except OSError as error:
        return f"the worker cannot be started ({error.strerror})", False
    with dialogue:
        wrong, late = _steps(transcript, patient, dialogue)
        if not wrong:
            dialogue.finish()
            dialogue.end(_END_SECONDS)
            if (more := dialogue.left_over()) is not None:
                wrong = f"says more than the protocol wants: {_said(more)}"
        return wrong, late


def _steps(transcript: Transcript, patient: Patient, dialogue: Dialogue) -> tuple[str, bool]:
    heard: dict[int, Observation] = {}
    asked: dict[int, str] = {}
    greeting, ready = hello(patient.subject), False
    for step in transcript.steps:
        if "send" in step:
            for one in step.get("frames", [{"verb": step["send"], "sequence": step.get("sequence", 0)}]):
                asked[one["sequence"]] = one["verb"]
            _send(dialogue, request(step, greeting), step.get("pieces", 1))
        elif "expect" in step:
            seconds = patient.limits.case_seconds if ready else patient.limits.start_seconds
            said = dialogue.hear(seconds)
            wrong = _differs(step, said, heard, asked)
            if wrong:
                return wrong, isinstance(said, TooLate)
            ready = True
        elif "close" in step:
            dialogue.finish()
        else:
            how = dialogue.end(step["seconds"])
            if how is None:
                return f"still runs {step['seconds']} s later", True
            if how != f"exit {step['exit']}":
                return f"ends with {how}, not with exit {step['exit']}", False
    return "", False


def _send(dialogue: Dialogue, data: bytes, pieces: int) -> None:
    """Write a frame in so many goes: the first cut is inside the header line."""
    at = 0
    for n in range(1, pieces):
        cut = 3 if n == 1 else len(data) - 3
        dialogue.send(data[at:cut])
        dialogue.settle(_PAUSE_SECONDS)
        at = cut
    dialogue.send(data[at:])


def _differs(
    step: dict[str, Any], said: Frame | Silence, heard: dict[int, Observation], asked: dict[int, str]
) -> str:
    """How a frame differs from what the step expects; empty when it does not."""
    sequence, wanted = step["sequence"], step["expect"]
    due = f"the answer to frame {sequence}"
    if isinstance(said, Silence):
        return f"{due}: {said}"
    verb = said.verb.decode("latin-1")
    if said.sequence != sequence:
        return f"{due}: an answer to frame {said.sequence} comes in its place"
    if verb not in wanted and not ("answer" in wanted and verb in _ANSWERS):
        return f"{due}: {_said(said)}, not {' or '.join(wanted)}"
    if verb not in _ANSWERS:
        return ""
    answer = judge(said, sequence, "emit" if asked.get(sequence) == "emit" else "parse")
    heard[sequence] = answer
    if answer.outcome is Outcome.GARBLED:
        return f"{due}: {answer.reason}"
    if "error" in step and answer.error != step["error"]:
        return f"{due}: the error is {answer.error}, not {step['error']}"
    if "same" in step and answer != heard.get(step["same"]):
        return f"{due} differs from that to frame {step['same']}, which had the same body"
    return ""


def _said(said: Frame | Silence) -> str:
    if isinstance(said, Silence):
        return str(said)
    verb, text = said.verb.decode("latin-1"), printable(said.body.decode("latin-1"), 80)
    return f"`{verb} {said.sequence}` {text}".rstrip()
