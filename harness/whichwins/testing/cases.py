"""The cases that a decode function is put to, each with what one layer expects of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

from whichwins.corpus import Corpus, load
from whichwins.model import LAYERS, BadInput, Case, Expectation, MeasurementFailed
from whichwins.reference import read as reading_of
from whichwins.reference import verdicts
from whichwins.testing import words
from whichwins.testing.canaries import Canary, dead, several
from whichwins.testing.judging import FAULT, Decode, Rejects, judge, terms_of

STRICT = "strict-tool-input"
Patterns: TypeAlias = str | Sequence[str] | None
Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]] | None


@dataclass(frozen=True, slots=True)
class DecoderCase:
    """One input, and what `layer` expects of a decoder: `accept`, `reject` or `free`.

    `clause` is the clause that says so; it may be empty. `why` is why the case exists.
    """

    id: str
    data: bytes = field(repr=False)
    layer: str
    expectation: Expectation
    clause: str = ""
    why: str = field(default="", repr=False)

    def check(
        self,
        decode: Decode,
        *,
        lens: str = "value/1",
        rejects: Rejects = Exception,
        dump: Callable[[Any], object] | None = None,
        canary: Canary = None,
    ) -> None:
        """Raise AssertionError unless `decode` does with the bytes what the layer expects.

        `lens`, `rejects`, `dump` and `canary` are those of `assert_decoder`. Where the bytes do not show
        that `decode` reads anything, the canaries have to.
        """
        __tracebackhide__ = True
        try:
            terms = terms_of(lens, rejects, dump)
            canaries = several(canary)
        except BadInput as error:
            raise error.with_traceback(None) from None
        finding, read = judge(self.data, self.expectation, decode, terms)
        if finding is not None and finding.kind != FAULT:
            raise AssertionError(words.of_one(self, finding)) from None
        lack = dead(decode, terms, canaries) if read is None else None
        if lack is not None:
            raise AssertionError(words.of_the_dead(self.id, lack)) from None


def cases(
    layer: str = STRICT, families: Patterns = None, cases: Patterns = None, corpus: Paths = None
) -> list[DecoderCase]:
    """The cases of a corpus, in the order of their ids.

    `layer` may be written without its version. `families` and `cases` are names or glob patterns over
    families and case ids; both given, a case must match both. `corpus` is one path or several, of
    whatever `whichwins run` takes; the built-in corpus if there is none. A case that says nothing of the
    layer is judged by the reference reader. Raises BadInput, in one line, for what is not there.
    """
    return select(layer, families, cases, corpus, Path())


def select(layer: str, families: Patterns, cases: Patterns, corpus: Paths, root: Path) -> list[DecoderCase]:
    """`cases`, with relative paths of a corpus relative to `root`."""
    layer = _layer(layer)
    loaded = _corpus(corpus, root)
    chosen: Sequence[Case] = loaded.cases
    if families is not None:
        names = sorted({case.family for case in chosen})
        wanted = _matching(names, _several("families", families), "family", f": {_listed(names)}")
        chosen = [case for case in chosen if case.family in wanted]
    if cases is not None:
        place = f"the corpus {loaded.name}" if families is None else "these families"
        names = [case.id for case in chosen]
        wanted = _matching(names, _several("cases", cases), "case", f" in {place}: see whichwins corpus list")
        chosen = [case for case in chosen if case.id in wanted]
    return [_decoder_case(case, layer) for case in chosen]


def _layer(name: str) -> str:
    for layer in LAYERS:
        if name in (layer, layer.partition("/")[0]):
            return layer
    raise BadInput(f"there is no layer {name!a}: the layers are {', '.join(LAYERS)}")


@cache
def _built_in() -> Corpus:
    return load(None)


def _corpus(given: Paths, root: Path) -> Corpus:
    if given is None:
        return _built_in()
    paths = [root / path for path in _several("corpus", given)]
    try:
        return load(paths)
    except MeasurementFailed as error:
        raise BadInput(f"{error}: give a corpus that has some") from None


def _several(what: str, given: object) -> list[str]:
    """One name or path, or several, as a list: a marker may hold anything."""
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    names = [fspath(each) for each in several if isinstance(each, str | PathLike)]
    if not names or len(names) < len(several):
        raise BadInput(f"{what} must be a name or a list of names, at least one: found {given!a}")
    return names


def _matching(names: Sequence[str], patterns: Sequence[str], what: str, where: str) -> set[str]:
    """The names that one of the patterns matches; BadInput for a pattern that matches none."""
    found: set[str] = set()
    for pattern in patterns:
        some = {name for name in names if fnmatchcase(name, pattern)}
        if not some:
            raise BadInput(f"there is no {what} {pattern!a}{where}")
        found |= some
    return found


def _listed(names: Sequence[str], most: int = 60) -> str:
    more = f", and {len(names) - most} more" if len(names) > most else ""
    return f"the families are {', '.join(names[:most])}{more}"


def _decoder_case(case: Case, layer: str) -> DecoderCase:
    expectation, clause = case.expect.get(layer), case.clauses.get(layer, "")
    if expectation is None:
        said = verdicts(reading_of(case.data))[layer]
        expectation, clause = said.expectation, said.clause
    return DecoderCase(case.id, case.data, layer, expectation, clause, case.why)
