"""Print the matrix of the README from its ledger: `python docs/readme_matrix.py`.

`make readme` measures anew and puts it in; a test holds README and ledger together.
"""

from __future__ import annotations

import sys
from pathlib import Path

from whichwins.model import Observation, Outcome
from whichwins.report.safe import markdown, markdown_code, plain_bytes
from whichwins.report.tables import markdown_table
from whichwins.run import LedgerView, read_ledger

ROOT = Path(__file__).resolve().parent.parent
LEDGER = ROOT / "reports" / "readme" / "ledger.jsonl"
BEGIN, END = "<!-- matrix: make readme -->", "<!-- end of matrix -->"

CASES = (
    "repeated-conflicting/quantity-2-20",
    "repeated-escaped/letter-1",
    "names-collide/bytes-ff-fe",
    "numbers-integers/2-53-plus-1",
    "trailing-data/nul-document",
    "numbers-leniencies/nan",
)


def sees(observation: Observation) -> str:
    """What one subject made of one case."""
    if observation.outcome is Outcome.ACCEPT:
        return markdown_code(observation.value or "")
    return markdown(observation.outcome.value)


def matrix(view: LedgerView) -> str:
    """Subjects that see the same in every column share a row."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for index, subject in enumerate(view.subjects):
        seen = tuple(sees(view.observations[case][index]) for case in CASES)
        identity = view.identity(subject)
        libraries = ", ".join(f"{name} {version}" for name, version in identity["libraries"].items())
        rows.setdefault(seen, []).append(f"{markdown_code(subject)} {markdown(libraries)}")
    inputs = [markdown_code(plain_bytes(view.cases[case].case.data)) for case in CASES]
    ordered = sorted(rows.items(), key=lambda row: (-len(row[1]), row[1]))
    return markdown_table(["subject", *inputs], [["<br>".join(who), *seen] for seen, who in ordered])


def section(view: LedgerView) -> str:
    """The matrix with the runtimes below it."""
    runtimes = sorted({str(view.identity(subject)["runtime"]) for subject in view.subjects})
    return f"{matrix(view)}\n\n{markdown(', '.join(runtimes))}; whichwins {view.header['tool']}."


def insert(readme: str, text: str) -> str:
    """The README with the section between its marks replaced."""
    head, _, rest = readme.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{text}\n{END}{tail}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--cases"]:
        print(" ".join(f"-f {case}" for case in CASES))
    else:
        path = ROOT / "README.md"
        path.write_text(insert(path.read_text("utf-8"), section(read_ledger(LEDGER))), "utf-8")
