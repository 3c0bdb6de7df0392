"""Which subjects a project should be held to, and the files that say so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from whichwins import lockfiles
from whichwins.config import BASELINE
from whichwins.init.survey import Named, Survey, survey
from whichwins.init.workflow import Toolchains, workflow, workflow_place
from whichwins.model import Adapter, BadInput, Subject

CONFIG = "whichwins.toml"
UNNAMED = "installed here, but no file of the project names it"


def places(folder: Path) -> tuple[Path, ...]:
    """Where the files of a plan are, the baseline last."""
    return folder / CONFIG, workflow_place(folder).path, folder / BASELINE


class Proposal(NamedTuple):
    """A subject, why it is proposed, and why it is left out, as a comment (None: it is not)."""

    subject: str
    why: str
    absent: str | None


class Plan(NamedTuple):
    """What `init` would do. `subjects` are those that can be asked here, for the baseline's run.

    `files` are to be written; `baseline` is where the run goes; `notes` are lines for the user.
    """

    proposals: tuple[Proposal, ...]
    files: tuple[tuple[Path, str], ...]
    baseline: Path
    notes: tuple[str, ...]

    @property
    def subjects(self) -> tuple[str, ...]:
        """The keys of the proposals that are not left out."""
        return tuple(each.subject for each in self.proposals if each.absent is None)


def plan(
    folder: Path,
    adapters: Sequence[Adapter],
    absent: Mapping[str, str | None],
    versions: Toolchains = Toolchains(),  # noqa: B008 (a tuple of constants)
    own: Sequence[Path] = (),
    installed: Mapping[str, str] = MappingProxyType({}),
) -> Plan:
    """Propose subjects and files for the project in `folder`.

    `absent` says for each subject that was tried here why it is absent, None for one that lives; `versions`
    which interpreters the workflow sets up; `own` are folders of adapters to be named; `installed` has the
    version of each package that is. Proposed are the standard libraries of the languages that the project is
    in, and one subject for each JSON library that it names; for a project that names no package at all,
    those that are installed. Raises BadInput for a lock file or manifest that cannot be read, and where a
    configuration stands in pyproject.toml.
    """
    found = survey(folder)
    if found.configured is not None:
        where = f"{found.configured.file}:{found.configured.line}"
        raise BadInput(f"{where}: [tool.whichwins] is a configuration already: edit it, or take it out first")
    proposals = tuple(_proposals(found, adapters, absent))
    usable = [each.subject for each in proposals if each.absent is None]
    packages = [] if _names_packages(found, "python") else _packages(adapters, usable, installed)
    settings, flow, baseline = places(folder)
    text = workflow(found, usable, versions, packages, workflow_place(folder).folder)
    files = ((settings, _config(proposals, own)), (flow, text))
    return Plan(proposals, files, baseline, tuple(_notes(found, adapters, proposals)))


def _proposals(
    found: Survey, adapters: Sequence[Adapter], absent: Mapping[str, str | None]
) -> Iterator[Proposal]:
    """Subjects in the order of the manifests, standard libraries first."""
    others = {"node": "package.json" in found.files, "ruby": _has_ruby(found)}
    # A folder that says nothing may become anything: Python is there in any case.
    languages = {"python": found.python or not any(others.values()), **others}
    spoken = [adapter for adapter in adapters if languages.get(adapter.toolchain) and not adapter.boundaries]
    for adapter in sorted(spoken, key=lambda adapter: list(languages).index(adapter.toolchain)):
        for subject in adapter.subjects:
            if subject.key == f"{adapter.toolchain}/json":
                why = "the standard library" if adapter.toolchain != "node" else "the runtime's own"
                yield Proposal(subject.key, why, absent.get(subject.key))
        for name, subject in _libraries(adapter).items():
            named = found.packages.get((lockfiles.ECOSYSTEMS.get(adapter.toolchain, ""), name))
            if named is not None:
                yield Proposal(subject.key, _where(named), absent.get(subject.key))
            elif absent.get(subject.key, "not tried") is None:
                # What only this machine has, a workflow would not have.
                unnamed = UNNAMED if _names_packages(found, adapter.toolchain) else None
                yield Proposal(subject.key, "installed", unnamed)


def _names_packages(found: Survey, toolchain: str) -> bool:
    """Whether some file says which packages of a language the project needs."""
    if toolchain == "node":
        return "package.json" in found.files
    return any(name == "pyproject.toml" or name.endswith((".txt", ".lock")) for name in found.files)


def _packages(adapters: Sequence[Adapter], usable: Sequence[str], installed: Mapping[str, str]) -> list[str]:
    """The requirements of the subjects that no file names, in the versions that are installed."""
    found = [
        f"{package}=={installed[package]}"
        for adapter in adapters
        if adapter.toolchain == "python"
        for subject in adapter.subjects
        for package in subject.packages[:1]
        if subject.key in usable and package in installed
    ]
    return list(dict.fromkeys(found))


def _libraries(adapter: Adapter) -> dict[str, Subject]:
    """One subject for each package: the one that a whole run could not do without, else the first."""
    best: dict[str, Subject] = {}
    for subject in sorted(adapter.subjects, key=lambda each: (not each.required, not each.default)):
        # A binder reads only texts of its shape: no subject for a project's whole corpus.
        for package in () if subject.shape else subject.packages[:1]:
            best.setdefault(lockfiles.package_name(adapter.toolchain, package), subject)
    order = {subject.key: number for number, subject in enumerate(adapter.subjects)}
    return dict(sorted(best.items(), key=lambda item: order[item[1].key]))


def _where(named: Named) -> str:
    versions = ", ".join(named.versions[:3])
    return f"{named.place.file}:{named.place.line}" + (f", {versions}" if versions else "")


def _has_ruby(found: Survey) -> bool:
    return "Gemfile" in found.files or "Gemfile.lock" in found.files


def _notes(found: Survey, adapters: Sequence[Adapter], proposals: Sequence[Proposal]) -> Iterator[str]:
    for each in proposals:
        if each.absent == UNNAMED:
            yield f"{each.subject} is {UNNAMED}: left out, as a comment"
        elif each.absent is not None:
            yield f"{each.subject} ({each.why}) cannot be asked here: {each.absent}: left out, as a comment"
    adapted = {
        (lockfiles.ECOSYSTEMS.get(adapter.toolchain, ""), name)
        for adapter in adapters
        for name in _libraries(adapter)
    }
    binders = {
        (lockfiles.ECOSYSTEMS.get(adapter.toolchain, ""), lockfiles.package_name(adapter.toolchain, package))
        for adapter in adapters
        for subject in adapter.subjects
        for package in subject.packages[:1]
        if subject.shape
    }
    for (ecosystem, name), named in sorted(found.packages.items()):
        if name in lockfiles.KNOWN[ecosystem] and (ecosystem, name) not in adapted:
            has = "only binders" if (ecosystem, name) in binders else "no adapter"
            yield f"{name} ({_where(named)}) reads JSON, but whichwins has {has} for it"


def _config(proposals: Sequence[Proposal], own: Sequence[Path]) -> str:
    """`whichwins.toml`. Why a subject is absent stays out of it: that is this machine's matter."""
    lines = []
    for each in proposals:
        key = f'"{each.subject}",'
        entry = key if each.absent is None else f"# {key}"
        note = each.why + ("" if each.absent is None else "; not installed where this was written")
        if each.absent == UNNAMED:
            note = UNNAMED
        lines.append(f"  {entry:<28} # {_one_line(note)}")
    adapters = f"adapters = [{', '.join(_quoted(str(path)) for path in own)}]\n" if own else ""
    return _CONFIG.replace("SUBJECTS\n", "".join(line + "\n" for line in lines)).replace(
        "ADAPTERS\n", adapters
    )


def _quoted(text: str) -> str:
    """A TOML string in printable ASCII."""
    plain = "".join(
        c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in text
    )
    return f'"{plain}"'


def _one_line(text: str) -> str:
    """Text for a comment: printable ASCII. Names of included files are anybody's."""
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text[:120])


_CONFIG = f"""\
# What our JSON libraries read, held against {BASELINE}: `whichwins check` compares,
# `whichwins check --update` writes it anew. `whichwins subjects` lists what can stand here.
subjects = [
SUBJECTS
]
baseline = "{BASELINE}"
ADAPTERS

# Your own cases, beside the built-in ones: TOML families, a folder of files, JSON Lines.
# corpus = ["tests/json-cases"]

# A change that is known and accepted, with the reason. Expired or unused, it is a finding itself.
# [[allow]]
# subject = "python/orjson"
# case = "numbers-integers/*"
# kind = "value-changed"
# reason = "reviewed: our schema refuses such numbers"
# expires = 2030-12-31
"""
