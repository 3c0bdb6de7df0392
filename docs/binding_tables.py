"""Print the tables of docs/binding.md from their ledgers: `python docs/binding_tables.py`.

`make binding` measures anew and puts them in; a test holds page and ledgers together, another the ledgers and
what the libraries say.
"""

from __future__ import annotations

import sys
from pathlib import Path

from whichwins.analysis import compare
from whichwins.analysis.lens import exact
from whichwins.model import Observation, Outcome
from whichwins.report.safe import markdown, markdown_code, plain_bytes
from whichwins.report.tables import markdown_table
from whichwins.run import LedgerView, read_ledger
from whichwins.subjects import load_adapters, select

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "binding.md"
LEDGERS = {shape: ROOT / "reports" / "binding" / f"{shape}.jsonl" for shape in ("order", "order-onto")}

VERSIONS = {
    "pydantic": "2.14.4",
    "msgspec": "0.23.0",
    "cattrs": "26.2.1",
    "mashumaro": "3.23",
    "marshmallow": "4.4.0",
    "protobuf": "7.36.2",
    "jsonschema": "4.26.0",
    "jsonschema-rs": "0.61.2",
    "zod": "4.6.7",
    "ajv": "8.20.0",
}
"""By package: what is measured."""

LOSERS = (
    "canonical-then-alias-misfit",
    "alias-then-canonical-misfit",
    "null-canonical-last",
    "null-alias-last",
)
REPEATS = ("repeated-misfit-first", "null-target-first", "repeated-object-overlap", "repeated-canonical")
NULLS = ("null-required", "null-alone", "null-options")
ONTO = ("nested-part", "nested-empty", "null-scalar", "null-nested", "misfit", "alias-then-canonical")


def asked(shape: str) -> list[str]:
    """The subjects of a shape, each in the version that is measured."""
    there = select(load_adapters(), ["binders/*"])
    return [f"{each.key}@{VERSIONS[each.packages[0]]}" for each in there if each.shape == shape]


def called(subject: str) -> str:
    """A column without the adapter's name and the version."""
    return subject.removeprefix("binders/").partition("@")[0]


def names(view: LedgerView) -> str:
    """What each subject does with names, alone and together."""
    matrix = compare(view).binding
    assert matrix is not None
    rows = [
        [markdown_code(called(subject)), *(markdown(cell.label) for cell in cells)]
        for subject, cells in zip(matrix.subjects, matrix.cells, strict=True)
    ]
    return markdown_table(["subject", *matrix.columns], rows)


def sees(observation: Observation) -> tuple[str, str]:
    """What one subject made of one case: to group by, and to show."""
    if observation.outcome is Outcome.ACCEPT and observation.value is not None:
        return exact(observation.value), markdown_code(observation.value)
    return observation.outcome.value, markdown(observation.outcome.value)


def cases(view: LedgerView, family: str, chosen: tuple[str, ...]) -> str:
    """Who makes what of these cases; subjects that see the same share a row."""
    rows: list[list[str]] = []
    for case in chosen:
        answers: dict[str, tuple[str, list[str]]] = {}
        for subject, observation in zip(view.subjects, view.observations[f"{family}/{case}"], strict=True):
            key, shown = sees(observation)
            answers.setdefault(key, (shown, []))[1].append(called(subject))
        data = markdown_code(plain_bytes(view.cases[f"{family}/{case}"].case.data))
        ordered = sorted(answers.values(), key=lambda answer: (-len(answer[1]), answer[0]))
        rows += [["" if at else data, shown, ", ".join(who)] for at, (shown, who) in enumerate(ordered)]
    return markdown_table(["text", "what arrives", "at"], rows)


def sections() -> dict[str, str]:
    """Every table, by the name of its mark."""
    order, onto = (read_ledger(LEDGERS[shape]) for shape in ("order", "order-onto"))
    libraries = sorted({f"{name} {version}" for name, version in VERSIONS.items()})
    runtimes = sorted({str(view.identity(key)["runtime"]) for view in (order, onto) for key in view.subjects})
    return {
        "names": names(order),
        "losers": cases(order, "binding", LOSERS),
        "repeats": cases(order, "binding", REPEATS),
        "nulls": cases(order, "binding", NULLS),
        "onto": cases(onto, "binding-onto", ONTO),
        "versions": markdown(f"{', '.join(libraries)}; {', '.join(runtimes)}."),
    }


def insert(page: str, made: dict[str, str]) -> str:
    """The page with what stands between its marks replaced."""
    for name, text in made.items():
        begin, end = f"<!-- {name}: make binding -->", f"<!-- end of {name} -->"
        head, _, rest = page.partition(begin)
        page = f"{head}{begin}\n{text}\n{end}{rest.partition(end)[2]}"
    return page


if __name__ == "__main__":
    if sys.argv[1:]:
        print(" ".join(f"-s {key}" for key in asked(sys.argv[1])))
    else:
        PAGE.write_text(insert(PAGE.read_text("utf-8"), sections()), "utf-8")
