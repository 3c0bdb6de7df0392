"""What upgrades of JSON libraries changed, measured: `python docs/upgrades.py` writes its page.

`docs/upgrades.toml` says by hand which upgrades there were and what reports say of them. `--measure [ID ...]`
installs both versions, puts the built-in corpus to them and keeps what reads differently in
`reports/upgrades/ID.json`; the page is made from that.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from whichwins import __version__
from whichwins.analysis.change import changes
from whichwins.analysis.change_result import KINDS, ChangeGroup
from whichwins.corpus import Corpus, load
from whichwins.model import Observation, Outcome, Subject
from whichwins.provision import Absent, Runtimes, Sources, launch, probe, provide
from whichwins.provision.interpreters import interpreters
from whichwins.report.safe import markdown, markdown_code, plain, plain_bytes
from whichwins.run import run_to_view
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch, Limits, WorkerPool

ROOT = Path(__file__).resolve().parent.parent
KNOWN = ROOT / "docs" / "upgrades.toml"
PAGE = ROOT / "docs" / "upgrades.md"
RESULTS = ROOT / "reports" / "upgrades"
BEGIN, END = "<!-- upgrades: make upgrades -->", "<!-- end of upgrades -->"

SHOWN = 48
"""Bytes of an input and characters of an answer."""
THE_INPUT = "the input"
"""How a case says that it is read as what it is: a value whose notation is the input itself."""

Say = Callable[[str], None]


class Case(NamedTuple):
    """One input of an upgrade, what it was read as before and after, and where that is said.

    `shown` is the input as people read it.
    """

    data: bytes
    shown: str
    before: str
    after: str
    why: str


class Upgrade(NamedTuple):
    """Two columns that are held against each other.

    `python` is the minor version that both are put on (empty: the key says it). `varies` says why counts are
    others in each run; empty where they are not.
    """

    id: str
    before: str
    after: str
    python: str
    what: str
    refs: tuple[str, ...]
    varies: str
    cases: tuple[Case, ...]


class Missed(NamedTuple):
    """A report that is not reproduced, and why."""

    library: str
    upgrade: str
    what: str
    reason: str
    refs: tuple[str, ...]


class Unfit(Exception):
    """An upgrade that cannot be had here, and why."""


def known(path: Path = KNOWN) -> tuple[tuple[Upgrade, ...], tuple[Missed, ...]]:
    """What is known by hand."""
    found = tomllib.loads(path.read_text("utf-8"))
    upgrades = tuple(
        Upgrade(
            **{"python": "", "varies": "", **one, "refs": tuple(one["refs"])}, cases=tuple(map(_case, cases))
        )
        for one in found["upgrade"]
        for cases in [one.pop("case")]
    )
    return upgrades, tuple(Missed(**{**one, "refs": tuple(one["refs"])}) for one in found["missed"])


def _case(one: Mapping[str, Any]) -> Case:
    data = one["text"].encode() if "text" in one else bytes.fromhex(one["hex"])
    shown = markdown_code(plain_bytes(data), cell=True)
    if times := one.get("times"):
        data = data * times + b"]" * (times if one.get("closed") else 0)
        shown = f"{times:,} times {shown}" + (", closed" if one.get("closed") else "")
    as_it_is = {THE_INPUT: data.decode("ascii", "replace")}
    before, after = (as_it_is.get(one[side], one[side]) for side in ("before", "after"))
    return Case(data, shown, before, after, one["why"])


# -- measuring -------------------------------------------------------------------------------------


def pair(upgrade: Upgrade) -> tuple[Subject, Subject]:
    """Its two subjects."""
    (before,), (after,) = (select(load_adapters(), [key]) for key in (upgrade.before, upgrade.after))
    return before, after


def launched(upgrade: Upgrade, say: Say, env: Mapping[str, str] = os.environ) -> dict[str, Launch]:
    """How its subjects are started, installed first where they are not there. Unfit where they cannot be."""
    adapters, subjects, runtimes = load_adapters(), pair(upgrade), _runtimes(upgrade.python, env)
    given = provide(subjects, adapters, runtimes, Sources(), say, together=True)
    launches: dict[str, Launch] = {}
    for subject in subjects:
        there = given[subject.key]
        found = there if isinstance(there, Absent) else launch(subject, adapters, there, Limits().memory_mb)
        if isinstance(found, Absent):
            raise Unfit(found.reason)
        launches[subject.key] = found
    return launches


def _runtimes(python: str, env: Mapping[str, str]) -> Runtimes:
    """The runtimes here, with that minor version of Python."""
    runtimes = probe(env=env)
    if not python:
        return runtimes
    for one in interpreters(runtimes):
        if ".".join(map(str, one.version[:2])) == python and one.final and not one.threaded:
            return probe(one.path, env)
    raise Unfit(f"no Python {python} here")


def ask(
    upgrade: Upgrade, inputs: Sequence[bytes], say: Say, env: Mapping[str, str] = os.environ
) -> list[tuple[str, str]]:
    """What both sides answer to each input, as cases write it."""
    with WorkerPool(pair(upgrade), launched(upgrade, say, env), digests=False) as pool:
        rows = list(pool.observe(inputs))
        _require(pool)
    return [(said(before), said(after)) for before, after in rows]


def said(observation: Observation) -> str:
    """An observation as cases write it: a notation, or how it ended."""
    if observation.outcome is Outcome.ACCEPT:
        return observation.value or ""
    words = (observation.outcome.value, observation.stage, observation.error, observation.signal)
    return " ".join(word for word in words if word)


def measure(
    upgrade: Upgrade, corpus: Corpus, say: Say, env: Mapping[str, str] = os.environ
) -> dict[str, Any]:
    """What reads differently in a corpus, as `reports/upgrades` keeps it. Unfit where it cannot be had."""
    subjects = pair(upgrade)
    with WorkerPool(subjects, launched(upgrade, say, env), digests=False) as pool:
        view = run_to_view(corpus, subjects, pool, tool=__version__)
        _require(pool)
    keeps = {subject.key: subject.keeps for adapter in load_adapters() for subject in adapter.subjects}
    found = changes(view, view, pairs=[(subjects[0].key, subjects[1].key)], keeps=keeps)
    (pairing,) = found.pairings
    return {
        "cases": found.corpora.before_cases,
        "corpus": found.corpora.before_digest,
        "before": _identity(pairing.before_identity),
        "after": _identity(pairing.after_identity),
        "compared": pairing.compared,
        "changed": pairing.changed,
        "groups": [_group(group) for group in found.groups],
    }


def _require(pool: WorkerPool) -> None:
    if pool.absent:
        raise Unfit("; ".join(f"{key}: {reason}" for key, reason in sorted(pool.absent.items())))


def _identity(identity: Mapping[str, Any]) -> dict[str, Any]:
    return {"runtime": identity["runtime"], "libraries": dict(identity["libraries"])}


def _group(group: ChangeGroup) -> dict[str, Any]:
    witness = group.witness
    return {
        "kind": group.kind,
        "turn": group.turn,
        "cause": group.cause.name + (f" ({group.cause.kind})" if group.cause.kind else ""),
        "count": group.count,
        "case": witness.case,
        "input": plain_bytes(witness.data or b"", SHOWN),
        "before": plain(witness.before, SHOWN),
        "after": plain(witness.after, SHOWN),
        "keeps": list(group.keeps),
    }


# -- the page --------------------------------------------------------------------------------------


def results(upgrades: Sequence[Upgrade]) -> dict[str, dict[str, Any]]:
    """What was measured, by id."""
    return {one.id: json.loads((RESULTS / f"{one.id}.json").read_text("ascii")) for one in upgrades}


def page(
    upgrades: Sequence[Upgrade], missed: Sequence[Missed], found: Mapping[str, Mapping[str, Any]]
) -> str:
    """The tables of the page."""
    rows = [_row(one, found[one.id]) for one in upgrades]
    head = ["upgrade", "what it is", "for instance", "before", "after", "cases that read differently", "on"]
    parts = [_table(head, rows)]
    for one in upgrades:
        if found[one.id]["changed"] and not one.varies:
            parts += [f"### {_title(one)}", _details(found[one.id]["groups"])]
    parts += [
        "## Not reproduced",
        _table(
            ["library", "upgrade", "what it is", "not reproduced"],
            [[m.library, m.upgrade, f"{m.what} ({_links(m.refs)})", m.reason] for m in missed],
        ),
    ]
    return "\n\n".join(parts)


def _row(one: Upgrade, found: Mapping[str, Any]) -> list[str]:
    runtimes = dict.fromkeys(found[side]["runtime"] for side in ("before", "after"))
    case = next((case for case in one.cases if case.before != case.after), None)
    shown = [case.shown, _answer(case, case.before), _answer(case, case.after)] if case else ["", "", ""]
    what = [f"{one.what} ({_links(one.refs)})"]
    keeps = dict.fromkeys(keep for group in found["groups"] for keep in group["keeps"])
    if keeps:
        what.append("keeps the old: " + ", ".join(markdown_code(keep, cell=True) for keep in keeps))
    return [_title(one), "<br>".join(what), *shown, _counts(one, found), ", ".join(runtimes)]


def _answer(case: Case, answer: str) -> str:
    """An answer in a cell; a long text that is read as what it is is not written out."""
    if len(answer) > SHOWN and answer.encode() == case.data:
        return "as it is"
    return markdown_code(answer, cell=True)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], right: int | None = None) -> str:
    """A table without padding: cells are long."""
    rule = ["--:" if place == right else "---" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def _title(one: Upgrade) -> str:
    before, after = ((key.partition("@")[0], key.partition("@")[2]) for key in (one.before, one.after))
    if before[0] == after[0]:
        where = f" on {one.python}" if one.id.endswith(f"-on-{one.python}") else ""
        return f"{markdown_code(before[0])} {before[1]} to {after[1]}{where}"
    return f"{markdown_code(one.before)} to {markdown_code(one.after)}"


def _counts(one: Upgrade, found: Mapping[str, Any]) -> str:
    if not found["changed"]:
        return f"none of {found['cases']:,}"
    if one.varies:
        return f"some of {found['cases']:,}, others in each run: {one.varies}"
    counts: Counter[str] = Counter()
    for group in found["groups"]:
        counts[group["kind"]] += group["count"]
    kinds = [f"{counts[kind]} {kind.replace('-', ' ')}" for kind in KINDS if counts[kind]]
    return f"{found['changed']} of {found['cases']:,}: {', '.join(kinds)}"


def _details(groups: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [
            group["kind"].replace("-", " ") + (f" ({group['turn']})" if group["turn"] else ""),
            markdown(group["cause"]),
            str(group["count"]),
            *(markdown_code(group[side], cell=True) for side in ("input", "before", "after")),
        ]
        for group in _errors_as_one(groups)
    ]
    return _table(["change", "cause", "cases", "smallest", "before", "after"], rows, right=2)


def _errors_as_one(groups: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Another error class shows in every cause: one row says it."""
    others = [group for group in groups if (group["kind"], group["turn"]) == ("refused-otherwise", "")]
    yield from (group for group in groups if group not in others)
    if others:
        first = min(others, key=lambda group: (len(group["input"]), group["case"]))
        causes = first["cause"] if len(others) == 1 else f"{len(others)} causes"
        yield {**first, "cause": causes, "count": sum(group["count"] for group in others)}


def _links(refs: Sequence[str]) -> str:
    """References; those that have a place are links."""
    return ", ".join(map(_link, refs))


def _link(ref: str) -> str:
    if re.fullmatch(r"CVE-\d+-\d+", ref):
        return f"[{ref}](https://nvd.nist.gov/vuln/detail/{ref})"
    if issue := re.fullmatch(r"([\w.-]+/[\w.-]+)#(\d+)", ref):
        return f"[{ref}](https://github.com/{issue[1]}/issues/{issue[2]})"
    return ref


def insert(text: str, tables: str) -> str:
    """The page with what stands between its marks replaced."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{tables}\n{END}{tail}"


def _say(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)


def _main(words: Sequence[str]) -> None:
    upgrades, missed = known()
    if words[:1] == ["--measure"]:
        RESULTS.mkdir(parents=True, exist_ok=True)
        corpus = load(None)
        for one in upgrades:
            if words[1:] and one.id not in words[1:]:
                continue
            print(one.id, file=sys.stderr, flush=True)
            try:
                found = measure(one, corpus, _say)
            except Unfit as error:
                _say(f"not measured, the last result stays: {error}")
                continue
            (RESULTS / f"{one.id}.json").write_text(json.dumps(found, indent=1) + "\n", "ascii")
    tables = page(upgrades, missed, results(upgrades))
    PAGE.write_text(insert(PAGE.read_text("utf-8"), tables), "utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
