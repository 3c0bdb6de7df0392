"""What hostile workers do on one case, beside a neighbour whose work must not be redone."""

from pathlib import Path

from tests.workers.scripted import accepted, children, launch, subject
from whichwins.model import Observation, Outcome
from whichwins.workers import Limits, WorkerPool

CASES = [b"c%d" % i for i in range(300)]
BAD = 140  # in the second batch
LIMITS = Limits(case_seconds=0.5, start_seconds=10, answer_bytes=1_000_000)
CRASH = Outcome.CRASH


def on_bad(action: str) -> str:
    """A behaviour that does something special for the case `c140`."""
    return f"""
plain = answer
def answer(body):
    if body == b"c{BAD}":
        {action}
    return plain(body)
"""


def raw_on_bad(raw: str) -> str:
    """A behaviour that answers the case `c140` with raw bytes; `good` is what would be right."""
    return f"""
def reply(sequence, body):
    good = frame(*(lambda v, t: (v, sequence, t))(*answer(body)))
    return {raw} if body == b"c{BAD}" else good
"""


COUNTING = """
count = 0
def answer(body):
    global count
    count += 1
    return "accept", b'"%s %d"' % (body, count)
"""


def observe(
    tmp_path: Path, behaviour: str, limits: Limits = LIMITS, careful: bool = False, memory_mb: int = 2048
) -> list[Observation]:
    """Run the behaviour beside a counting neighbour whose work must not be redone."""
    launches = {
        "bad": launch(tmp_path, behaviour, "bad", memory_mb),
        "good": launch(tmp_path, COUNTING, "good"),
    }
    with WorkerPool([subject(k) for k in launches], launches, limits, careful=careful) as workers:
        rows = list(workers.observe(CASES))
    assert not children()
    assert [row[1].value for row in rows] == [f'"{c.decode()} {n}"' for n, c in enumerate(CASES, 1)]
    return [row[0] for row in rows]


def others(observations: list[Observation]) -> list[Observation]:
    return observations[:BAD] + observations[BAD + 1 :]


OTHERS = [accepted(c) for c in CASES[:BAD] + CASES[BAD + 1 :]]
