"""Print the tables of docs/survey.md from the survey's ledger: `python docs/survey_tables.py`.

`make survey` measures anew and puts them in; a test holds page and ledger together.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from whichwins.analysis import compare
from whichwins.analysis.result import WINNERS, Comparison
from whichwins.model import Observation, Outcome
from whichwins.report.safe import markdown, markdown_code, plain_bytes
from whichwins.run import LedgerView, read_ledger
from whichwins.subjects import load_adapters

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "survey.md"
LEDGER = ROOT / "reports" / "survey" / "ledger.jsonl"

LEFT_OUT = ("python/demjson3",)
"""It takes over 10 s for a number such as 1e1000000: minutes for all of them."""
VERSIONS = {
    "msgspec": "0.23.0",
    "pysimdjson": "7.0.2",
    "jiter": "0.19.0",
    "pydantic-core": "2.50.5",
    "ijson": "3.6.0",
    "json5": "0.17.3",
    "jsonyx": "2.4.0",
    "hjson": "3.1.0",
    "PyYAML": "6.0.4",
    "duckdb": "2.0.1",
    "polars": "2.1.0",
    "pandas": "3.1.1",
    "pyarrow": "26.0.1",
    "npm json5": "2.2.3",
    "npm lossless-json": "4.3.3",
    "npm json-bigint": "1.0.0",
    "npm secure-json-parse": "4.1.1",
    "npm jsonc-parser": "3.3.1",
    "npm @hapi/bourne": "3.0.0",
    "npm destr": "2.0.5",
    "npm stream-json": "3.8.0",
}
"""By package, what is measured where nothing else stands in the default set."""
RUNTIMES = {"node/json-source": "24.19.0", "ruby/json-unique": "wasm-4.0"}
"""What needs a newer runtime than the others."""

LANGUAGES = {
    "c": "C and C++",
    "databases": "SQL",
    "go": "Go",
    "java": "Java",
    "jq": "jq",
    "lua": "Lua",
    "node": "JavaScript",
    "perl": "Perl",
    "php": "PHP",
    "python": "Python",
    "ruby": "Ruby",
    "rust": "Rust",
}
WORDS = {
    "first": "the first",
    "last": "the last",
    "reject": "rejects",
    "all": "gives all",
    "merge": "merges objects",
    "collect": "makes a list of them",
    "mixed": "one or another, by case",
    "other": "something else",
}
NUMBERS = (
    "numbers-integers/2-53-plus-1",
    "numbers-integers/2-64",
    "numbers-fractions/max-20-digits",
    "numbers-fractions/overflow",
    "numbers-integers/minus-0",
)
NAMES = (
    "names-collide/bytes-ff-fe",
    "names-collide/escape-two-high",
    "repeated-escaped/letter-1",
    "names-distinct/nul-suffix",
)
SYNTAX = (
    "trailing-data/nul-document",
    "structure/object-trailing-comma",
    "numbers-leniencies/nan",
    "encodings-bom/bom-object",
)


SILENT = ("equal", "n/a")
"""No statement about which of two members counts."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, without the padding that lists of many names would need."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---"] * len(heads), *rows])


def asked() -> list[str]:
    """Every subject that reads plain texts, with its version where the default set has none."""
    found = []
    for adapter in load_adapters():
        if not adapter.boundaries:
            for subject in adapter.subjects:
                name = subject.packages[0] if subject.packages and adapter.name != "databases" else ""
                version = VERSIONS.get(f"npm {name}" if adapter.toolchain == "node" else name, "")
                version = RUNTIMES.get(subject.key, version)
                if not subject.shape and not subject.key.startswith(LEFT_OUT):
                    found.append(f"{subject.key}@{version}" if version else subject.key)
    return found


def base(key: str) -> str:
    """A key without its version: what a user writes."""
    return key.partition("@")[0]


def sees(observation: Observation) -> str:
    """What one subject made of one case."""
    if observation.outcome is Outcome.ACCEPT:
        value = observation.value or ""
        return markdown_code(value if len(value) <= 60 else f"{value[:40]}...{value[-12:]}")
    return markdown(observation.outcome.value)


def families(keys: Iterable[str]) -> int:
    """How many independent parsers these are."""
    of = {subject.key: subject.family for adapter in load_adapters() for subject in adapter.subjects}
    return len({of[base(key)] for key in keys})


def who(keys: Sequence[str]) -> str:
    """Subjects, by adapter."""
    return ", ".join(markdown_code(base(key)) for key in sorted(keys))


def answers(view: LedgerView, cases: Sequence[str]) -> str:
    """Subjects that see the same in every column share a row, the largest first."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for index, subject in enumerate(view.subjects):
        seen = tuple(sees(view.observations[case][index]) for case in cases)
        if any(view.observations[case][index].outcome is not Outcome.ABSENT for case in cases):
            rows.setdefault(seen, []).append(subject)
    inputs = [markdown_code(plain_bytes(view.cases[case].case.data)) for case in cases]
    ordered = sorted(rows.items(), key=lambda row: (-len(row[1]), row[1]))
    found = [[f"{len(keys)}", who(keys), *seen] for seen, keys in ordered]
    return table(["", "subjects", *inputs], found)


def extent(found: Comparison) -> str:
    """What was asked: languages, subjects, independent parsers."""
    live = [line.key for line in found.subjects if line.live]
    by = {name: [key for key in live if key.startswith(f"{name}/")] for name in LANGUAGES}
    rows = [[LANGUAGES[name], str(len(keys)), str(families(keys))] for name, keys in by.items() if keys]
    rows.append(["together", str(len(live)), str(families(live))])
    said = f"{found.summary.cases:,} cases and {found.summary.twins:,} twins; "
    said += f"{found.summary.split:,} cases on which they part; values compared under {markdown(found.lens)}."
    absent = [line for line in found.subjects if not line.live]
    lacking = "".join(
        f"\n- {markdown_code(each.key)} was absent: {markdown(each.absent or '')}" for each in absent
    )
    return f"{table(['language', 'subjects', 'independent parsers'], rows)}\n\n{said}{lacking}"


def versions(view: LedgerView) -> str:
    """Every library that was asked, as it named itself."""
    found: dict[str, set[str]] = {}
    for subject in view.subjects:
        identity = view.identity(subject)
        said = f"{identity['runtime']}: " if identity.get("runtime") else ""
        for name, version in identity.get("libraries", {}).items():
            found.setdefault(said, set()).add(f"{name} {version}")
    return "\n".join(
        f"- {markdown(said + ', '.join(sorted(names)))}" for said, names in sorted(found.items())
    )


def usual(counts: Mapping[str, int]) -> str:
    """What a subject does with at least nine in ten of the repeats; `mixed` where nothing is so usual."""
    said = {winner: count for winner, count in counts.items() if winner not in SILENT}
    most = max(said, key=said.__getitem__, default="mixed")
    return most if 10 * said.get(most, 0) >= 9 * sum(said.values()) else "mixed"


def repeats(found: Comparison) -> str:
    """Who takes which of two members with one name, over all families with repeated names."""
    groups: dict[str, list[str]] = {}
    for key, cell in zip(found.winners.subjects, found.winners.totals, strict=True):
        groups.setdefault(usual(cell.counts), []).append(key)
    rows = [
        [WORDS.get(label, label), str(len(keys)), str(families(keys)), who(keys)]
        for label in WINNERS
        if (keys := groups.get(label, []))
    ]
    return table(["of two members", "subjects", "parsers", "who"], rows)


def exceptions(found: Comparison) -> str:
    """What a subject does with a few, or each of the things it does: how often, and the smallest case."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for key, cell in zip(found.winners.subjects, found.winners.totals, strict=True):
        as_ever = usual(cell.counts)
        for winner, count in cell.counts.items():
            if winner not in (*SILENT, as_ever):
                did = (WORDS[as_ever], WORDS[winner], f"{count:,}", markdown_code(cell.witnesses[winner]))
                rows.setdefault(did, []).append(key)
    ordered = sorted(rows.items(), key=lambda row: (row[1], row[0]))
    return table(
        ["subject", "usually", "but", "cases", "the smallest"], [[who(keys), *did] for did, keys in ordered]
    )


def strict(view: LedgerView, found: Comparison) -> str:
    """Who refuses repeated names (most of them, at least), and by which call or option."""
    rows = []
    for key, cell in zip(found.winners.subjects, found.winners.totals, strict=True):
        said = sum(count for winner, count in cell.counts.items() if winner not in SILENT)
        if 2 * cell.counts.get("reject", 0) > said:
            identity = view.identity(key)
            options = ", ".join(f"{name} = {value}" for name, value in identity.get("options", {}).items())
            language = LANGUAGES[key.partition("/")[0]]
            rows.append([language, markdown_code(base(key)), markdown(identity["entry"]), markdown(options)])
    return table(["language", "subject", "call", "option"], sorted(rows))


def depth(view: LedgerView) -> str:
    """The deepest nesting of arrays that each accepts, and what stands above."""
    levels = sorted(
        (int(case.rpartition("-")[2]), case)
        for case in view.cases
        if re.fullmatch(r"depth/arrays-[0-9]+", case)
    )
    rows: dict[tuple[str, str], list[str]] = {}
    for index, subject in enumerate(view.subjects):
        said = [(level, view.observations[case][index]) for level, case in levels]
        good = [level for level, each in said if each.outcome is Outcome.ACCEPT]
        bad = next((each for level, each in said if not good or level > good[-1]), None)
        if good:
            above = "nothing else was asked" if bad is None else bad.outcome.value
            rows.setdefault((f"{good[-1]:,}", above), []).append(subject)
    ordered = sorted(rows.items(), key=lambda row: (int(row[0][0].replace(",", "")), row[0][1]))
    found = [[level, above, str(len(keys)), who(keys)] for (level, above), keys in ordered]
    return table(["accepted", "above", "", "who"], found)


def failures(found: Comparison) -> str:
    """Subjects that crashed, hung, failed or spoke garbage, with counts."""
    kinds = ("fault", "crash", "timeout", "garbled")
    rows = [
        [markdown_code(base(line.key)), *(f"{line.outcomes.get(kind, 0):,}" for kind in kinds)]
        for line in found.subjects
        if any(line.outcomes.get(kind, 0) for kind in kinds)
    ]
    return table(["subject", *kinds], rows)


def sections(view: LedgerView, found: Comparison) -> dict[str, str]:
    """The tables by their marks."""
    return {
        "extent": extent(found),
        "repeats": repeats(found),
        "exceptions": exceptions(found),
        "strict": strict(view, found),
        "names": answers(view, NAMES),
        "numbers": answers(view, NUMBERS),
        "syntax": answers(view, SYNTAX),
        "depth": depth(view),
        "failures": failures(found),
        "versions": versions(view),
    }


def insert(page: str, tables: dict[str, str]) -> str:
    """The page with each table between its marks replaced."""
    for name, text in tables.items():
        begin, end = f"<!-- {name}: make survey -->", f"<!-- end of {name} -->"
        head, mark, rest = page.partition(begin)
        _, also, tail = rest.partition(end)
        if not mark or not also:
            raise SystemExit(f"{PAGE.name}: no marks for {name}")
        page = f"{head}{begin}\n{text}\n{end}{tail}"
    return page


if __name__ == "__main__":
    if sys.argv[1:] == ["--subjects"]:
        print(" ".join(f"-s {key}" for key in asked()))
    else:
        ledger = read_ledger(LEDGER)
        tables = sections(ledger, compare(ledger, "value/1"))
        PAGE.write_text(insert(PAGE.read_text("utf-8"), tables), "utf-8")
