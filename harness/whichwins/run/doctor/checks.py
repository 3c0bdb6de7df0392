"""The checks of one subject. Each looks at one thing, so that a finding says where to look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from whichwins.model import Canary, Observation, Outcome, Subject
from whichwins.run.doctor.asking import Desk, Patient, broken, judge, shown, wording
from whichwins.run.doctor.result import Check, Finding, check, skipped
from whichwins.run.doctor.transcripts import play, transcripts
from whichwins.run.doctor.vectors import by_value, held_against, vectors
from whichwins.workers.dialogue import Dialogue, Silence
from whichwins.workers.frames import PROTOCOL, encode
from whichwins.workers.identity import READY_BYTES, hello, printable

DEEP = 10_000
"""Nested arrays that a worker must survive, whatever its parser says of them."""

_BROKEN_TEXTS = (b"", b"[1,]", b'{"a":', b'"\\x"', b'"\xff"', b"[] []")
# By the shape that a subject binds to: a name that it reads, and three values for it.
_REPEATED = {"": ("a", "1", "2", "3"), "order": ("target", '"a"', '"b"', '"c"')}


def start(patient: Patient) -> tuple[Check, str | None]:
    """Whether the worker starts and its `ready` is what the protocol wants; and why the subject is absent.

    A worker that answers `fault` to `hello` says that the subject cannot work here: absent, no finding.
    """
    try:
        dialogue = Dialogue(patient.launch, patient.limits, patient.stopped)
    except OSError as error:
        return check("start", 1, [Finding("the command", f"cannot be started ({error.strerror})")]), None
    with dialogue:
        dialogue.send(encode("hello", 0, hello(patient.subject)))
        said = dialogue.hear(patient.limits.start_seconds)
    if isinstance(said, Silence):
        return check("start", 1, [Finding("hello", str(said))]), None
    if said.verb == b"fault":
        answer = judge(said, 0)
        if answer.outcome is Outcome.FAULT:
            message = said.body.decode("ascii").partition(" ")[2]
            return skipped("start", "absent"), printable(f"{answer.error} {message}".strip())
        return check("start", 1, [Finding("hello", answer.reason or "")]), None
    if said.verb != b"ready" or said.sequence != 0:
        verb = printable(said.verb.decode("latin-1"), 20)
        return check(
            "start", 1, [Finding("hello", f"is answered `{verb} {said.sequence}`, not `ready 0`")]
        ), None
    return check("start", 1, [Finding("ready", text) for text in _wrong_lines(said.body)]), None


def _wrong_lines(body: bytes) -> Iterable[str]:
    if len(body) > READY_BYTES:
        yield f"is larger than {READY_BYTES} bytes"
        return
    lines = [line.partition(b" ")[::2] for line in body.split(b"\n") if line]
    said: dict[bytes, list[bytes]] = {}
    for key, value in lines:
        said.setdefault(key, []).append(value)
    if said.get(b"protocol") != [b"%d" % PROTOCOL]:
        yield f"does not say `protocol {PROTOCOL}` once"
    if len(said.get(b"runtime", ())) != 1 or not all(b" " in value.strip() for value in said[b"runtime"]):
        yield "does not say `runtime NAME VERSION` once"
    if not all(b" " in value.strip() for value in said.get(b"library", ())):
        yield "has a `library` line that is not `library NAME VERSION`"
    if not all(b"=" in value for value in said.get(b"detail", ())):
        yield "has a `detail` line that is not `detail KEY=VALUE`"
    if b"parse" not in said.get(b"capability", ()):
        yield "does not say `capability parse`"
    for value in said.get(b"file", ()):
        if not Path(value.decode("utf-8", "surrogateescape")).is_file():
            yield "names a `file` that is not there (it is part of the identity)"


def canaries(desk: Desk, wanted: Sequence[Canary]) -> tuple[Check, str | None]:
    """The subject's canaries; and why it is absent, if all it fails are such as need another library."""
    findings: list[Finding] = []
    lacking: list[str] = []
    for canary, said in zip(wanted, desk.alone(c.text.encode() for c in wanted), strict=False):
        good = said.outcome is Outcome.REJECT if "reject" in canary.expect else said.value in canary.expect
        if good:
            continue
        if canary.needs and not broken(said):
            lacking.append(f"needs {canary.needs}")
            continue
        text = f"{wording(said)}, not {' or '.join(canary.expect)}"
        findings.append(Finding(canary.text, f"{text} ({canary.reason})" if canary.reason else text))
    if lacking and not findings:
        return skipped("canaries", "absent"), lacking[0]
    return check("canaries", len(wanted), findings), None


def protocol(patient: Patient) -> tuple[Check, bool]:
    """All transcripts; and whether the worker can be asked anything at all."""
    findings: list[Finding] = []
    usable = True
    for transcript in transcripts():
        if not usable:
            break
        found = play(transcript, patient)
        findings += found
        usable = not (found and transcript.basis)
    return check("protocol", len(transcripts()), findings), usable


def notation(desk: Desk, subject: Subject) -> Check:
    """Every vector of the notation, each asked alone; as the member of an object where it takes no others."""
    asked = vectors()
    if subject.objects:
        said = [_member(each) for each in desk.alone(b'{"v":%b}' % vector.data for vector in asked)]
    else:
        said = desk.alone(vector.data for vector in asked)
    findings, notes = held_against(list(zip(asked, said, strict=False)), subject.vectors)
    return check("vectors", len(said), findings, notes)


def _member(said: Observation) -> Observation:
    """What is said of the one member of an object."""
    value = said.value or ""
    if said.outcome is not Outcome.ACCEPT or not (value.startswith('{"v":') and value.endswith("}")):
        return said
    return said._replace(value=value[5:-1])


def order(first: Desk, second: Desk, wanted: Sequence[Canary]) -> Check:
    """The same answers alone and in a batch, forwards and backwards, in two workers."""
    inputs = [vector.data for vector in vectors()]
    inputs += [*(canary.text.encode() for canary in wanted), *_BROKEN_TEXTS]
    inputs += [text.encode() for name, *values in _REPEATED.values() for text in _repeating(name, values)]
    backwards = inputs[::-1]
    passes = {
        "asked alone": first.alone(inputs),
        "backwards in a batch": first.batch(backwards)[::-1],
        "in a batch": second.batch(inputs),
        "alone and backwards": second.alone(backwards)[::-1],
    }
    if first.lost or second.lost or any(len(said) != len(inputs) for said in passes.values()):
        return check("order", len(inputs), [Finding("batch", _lost(passes.values()))])
    findings: list[Finding] = []
    for at, data in enumerate(inputs):
        said = {name: wording(answers[at]) for name, answers in passes.items()}
        if len(set(said.values())) > 1:
            name, other = next((n, w) for n, w in said.items() if w != said["asked alone"])
            findings.append(Finding(shown(data), f"{said['asked alone']}, {name} {other}"))
    return check("order", len(inputs), findings)


def _lost(passes: Iterable[Sequence[Observation]]) -> str:
    return next(
        (f"the worker is lost: {wording(said)}" for answers in passes for said in answers if broken(said)),
        "the worker is lost",
    )


def repeats(desk: Desk, subject: Subject) -> Check:
    """Whether what the manifest says of repeated names holds, for both spellings of a name."""
    declared = subject.repeats
    if not declared:
        return skipped("repeats", "the manifest declares nothing")
    if subject.shape not in _REPEATED:
        return skipped("repeats", f"no text is known for the shape {subject.shape}")
    name, *values = _REPEATED[subject.shape]
    texts = _repeating(name, values)
    survivors = {
        "first": _object([(name, values[0])]),
        "last": _object([(name, values[-1])]),
        "all": texts[0],
    }
    findings = []
    for text, said in zip(texts, desk.alone(text.encode() for text in texts), strict=False):
        observed = _observed(said, survivors)
        if observed != declared:
            findings.append(Finding(text, f"declares {declared}, observed {observed}"))
    return check("repeats", len(texts), findings)


def _repeating(name: str, values: Sequence[str]) -> list[str]:
    """The name repeated, as it is and then once more with an escape in it."""
    escaped = f"\\u{ord(name[0]):04x}{name[1:]}"
    return [_object(zip((name, other, other), values, strict=True)) for other in (name, escaped)]


def _object(members: Iterable[tuple[str, str]]) -> str:
    return "{" + ",".join(f'"{name}":{value}' for name, value in members) + "}"


def _observed(said: Observation, survivors: Mapping[str, str]) -> str:
    if said.outcome is Outcome.REJECT:
        return "reject"
    if said.outcome is not Outcome.ACCEPT:
        return wording(said)
    value = by_value(said.value or "")
    return next((name for name, text in survivors.items() if by_value(text) == value), said.value or "")


def depth(desk: Desk, subject: Subject) -> Check:
    """Deep nesting: any answer will do, a worker that dies, hangs or cuts the value short will not.

    One whose library is declared to cut values short must be seen to do so, and a bound that is declared to
    be kept.
    """
    if findings := _beyond(desk, subject):
        return check("depth", len(subject.bounds), findings)
    data = _nested(DEEP, subject.objects)
    said = desk.ask(data)
    about = f"{DEEP:,} nested arrays"
    if broken(said):
        return check("depth", 1, [Finding(about, wording(said))])
    accepted = said.outcome is Outcome.ACCEPT
    if subject.truncates:
        kept = _levels(said.value or "")
        if accepted and 1 < kept < DEEP:
            return check("depth", 1, [], [Finding(about, f"cut at {kept:,}")])
        return check("depth", 1, [Finding(about, "declared to be cut short, and is not")])
    if accepted and said.value != data.decode():
        return check("depth", 1, [Finding(about, "the value that comes back is another one")])
    return check("depth", 1, [], [] if accepted else [Finding(about, wording(said))])


_BEYOND: Mapping[str, Callable[[int], bytes]] = {
    "bytes": lambda most: b'"%b"' % (b"x" * most),
    "depth": lambda most: b"[" * (most + 1) + b"]" * (most + 1),
    "object-depth": lambda most: b'{"a":' * most + b"{}" + b"}" * most,
    "values": lambda most: b"[" + b"0," * most + b"0]",
    "members": lambda most: b"{" + b",".join(b'"k%d":0' % place for place in range(most + 1)) + b"}",
    "containers": lambda most: b"[" + b"[]," * most + b"[]]",
}


def _beyond(desk: Desk, subject: Subject) -> list[Finding]:
    """What is wrong with a text just beyond each declared bound: it must be `unsupported`, at once."""
    texts = {name: _BEYOND[name](most) for name, most in subject.bounds.items()}
    if subject.objects:
        texts = {name: b'{"v":%b}' % data for name, data in texts.items()}
    return [
        Finding(f"beyond {subject.bounds[name]:,} {name}", f"{wording(said)[:80]}, not unsupported")
        for name, said in zip(texts, desk.alone(texts.values()), strict=False)
        if said.outcome is not Outcome.UNSUPPORTED
    ]


def _levels(value: str) -> int:
    """How many arrays a value of nothing but arrays has inside each other."""
    return max(accumulate((1 if mark == "[" else -1 for mark in value if mark in "[]"), initial=0))


def _nested(levels: int, in_object: bool) -> bytes:
    data = b"[" * levels + b"]" * levels
    return b'{"v":%b}' % data if in_object else data
