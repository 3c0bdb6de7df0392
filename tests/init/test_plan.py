"""What is proposed for a project."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from whichwins import __version__, config
from whichwins.init import Plan, Toolchains, plan, toolchains
from whichwins.model import Adapter, BadInput
from whichwins.subjects import load_adapters


@pytest.fixture(scope="module")
def adapters() -> tuple[Adapter, ...]:
    return load_adapters()


HERE: dict[str, str | None] = {
    "python/json": None,
    "python/orjson": None,
    "python/ujson": "no module named ujson in /secret/place: pip install ujson",
    "python/simplejson": None,
    "python/simplejson-pure": None,
    "python/rapidjson": "no module",
    "node/json": None,
    "ruby/json": "no ruby",
}


def files(planned: Plan) -> dict[str, str]:
    return {path.name: text for path, text in planned.files}


def test_an_empty_folder_has_a_standard_library(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    planned = plan(tmp_path, adapters, {"python/json": None})
    assert planned.subjects == ("python/json",)
    assert planned.baseline == tmp_path / "whichwins.lock"
    assert [path for path, _ in planned.files] == [
        tmp_path / "whichwins.toml",
        tmp_path / ".github" / "workflows" / "whichwins.yml",
    ]
    assert planned.notes == ()
    assert not list(tmp_path.iterdir())


def test_installed_locked_and_declared(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\ndependencies = [\n  "ujson>=5",\n  "msgspec",\n  "not a (name",\n]\n',
        encoding="utf-8",
    )
    (tmp_path / "requirements-dev.txt").write_text("\nPython.RapidJSON==1.9\n-r more.txt\n", encoding="utf-8")
    (tmp_path / "more.txt").write_text(
        "\n\norjson==3.9.15\norjson==3.11 ; python_version > '3'", encoding="utf-8"
    )
    # As if msgspec had its binder only.
    adapters = tuple(
        replace(each, subjects=tuple(one for one in each.subjects if one.key != "python/msgspec"))
        for each in adapters
    )
    planned = plan(tmp_path, adapters, HERE)
    assert [(each.subject, each.why) for each in planned.proposals] == [
        ("python/json", "the standard library"),
        ("python/orjson", "more.txt:3, 3.9.15, 3.11"),
        ("python/ujson", "pyproject.toml:4"),
        ("python/simplejson", "installed"),
        ("python/rapidjson", "requirements-dev.txt:2, 1.9"),
    ]
    assert planned.subjects == ("python/json", "python/orjson")
    assert planned.notes == (
        "python/ujson (pyproject.toml:4) cannot be asked here: "
        "no module named ujson in /secret/place: pip install ujson: left out, as a comment",
        "python/simplejson is installed here, but no file of the project names it: left out, as a comment",
        "python/rapidjson (requirements-dev.txt:2, 1.9) cannot be asked here: "
        "no module: left out, as a comment",
        "msgspec (pyproject.toml:5) reads JSON, but whichwins has only binders for it",
    )
    text = files(planned)["whichwins.toml"]
    assert "secret" not in text
    assert '  # "python/ujson",            # pyproject.toml:4; not installed where this was written\n' in text
    assert '  "python/orjson",             # more.txt:3, 3.9.15, 3.11\n' in text


def test_what_is_installed_where_no_file_names_packages(
    tmp_path: Path, adapters: tuple[Adapter, ...]
) -> None:
    """It stands in the configuration, and the workflow installs that version of it."""
    planned = plan(
        tmp_path, adapters, HERE, installed={"orjson": "3.13.0", "simplejson": "4.3.0", "pip": "1"}
    )
    assert planned.subjects == ("python/json", "python/orjson", "python/simplejson")
    workflow = files(planned)["whichwins.yml"]
    assert "      - run: python -m pip install orjson==3.13.0 simplejson==4.3.0\n" in workflow
    (tmp_path / "requirements.txt").write_text("orjson==3.13.0\n", encoding="utf-8")
    workflow = files(plan(tmp_path, adapters, HERE, installed={"simplejson": "4.3.0"}))["whichwins.yml"]
    assert "simplejson" not in workflow


def test_the_workflow_sets_up_what_the_baseline_was_made_on() -> None:
    runtimes = {"python/json": "CPython 3.12.1", "node/json": "Node.js 24.1.0", "ruby/json": ""}
    assert toolchains(runtimes) == Toolchains("3.12", "24", Toolchains().ruby)
    assert toolchains({}) == Toolchains()


def test_the_configuration_is_valid_for_our_own_reader(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    (tmp_path / "requirements.txt").write_text("orjson==3.9.15\nujson==5.7", encoding="utf-8")
    planned = plan(tmp_path, adapters, HERE)
    text = files(planned)["whichwins.toml"]
    (tmp_path / "whichwins.toml").write_text(text, encoding="ascii")
    found = config.read(folder=tmp_path)
    assert tuple(key for key, _ in found.subjects) == planned.subjects
    assert found.baseline == planned.baseline
    assert found.allow == ()
    config.refuse_code(found)
    # The examples in comments are valid too.
    (tmp_path / "whichwins.toml").write_text(re.sub(r"(?m)^# (?=\[\[|[a-z]+ = )", "", text), encoding="ascii")
    found = config.read(folder=tmp_path, kinds=("value-changed",), causes=())
    assert [allow.case for allow in found.allow] == ["numbers-integers/*"]
    assert found.corpus == ("tests/json-cases",)


def test_adapters_of_ones_own_are_named(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    own = [Path('a "b\\'), Path("\U0001f600\n")]
    text = files(plan(tmp_path, adapters, HERE, own=own))["whichwins.toml"]
    assert text.isascii()
    (tmp_path / "whichwins.toml").write_text(text, encoding="ascii")
    with pytest.raises(
        BadInput, match=r"whichwins.toml:\d+: `adapters`: element 2 must be a string on one line"
    ):
        config.read(folder=tmp_path)
    text = files(plan(tmp_path, adapters, HERE, own=own[:1]))["whichwins.toml"]
    (tmp_path / "whichwins.toml").write_text(text, encoding="ascii")
    assert config.read(folder=tmp_path).adapters == (tmp_path / own[0],)


def test_node_and_ruby(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    manifest = {"dependencies": {"lossless-json": "^4"}, "devDependencies": {"comment-json": "^4"}}
    (tmp_path / "package.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    lock = {"lockfileVersion": 3, "packages": {"node_modules/json5": {"version": "2.2.3"}}}
    (tmp_path / "package-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    (tmp_path / "Gemfile").write_text("", encoding="utf-8")
    planned = plan(tmp_path, adapters, HERE)
    assert [(each.subject, each.why, each.absent) for each in planned.proposals][-4:] == [
        ("node/json", "the runtime's own", None),
        ("node/json5", "package-lock.json:1, 2.2.3", None),
        ("node/lossless-json", "package.json:3", None),
        ("ruby/json", "the standard library", "no ruby"),
    ]
    assert (
        planned.notes[-1] == "comment-json (package.json:6) reads JSON, but whichwins has no adapter for it"
    )


def test_no_node_without_a_manifest_of_its_own(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    found = plan(tmp_path, adapters, {**HERE, "node/json5": None}).subjects
    assert not [key for key in found if key.startswith("node/")]


def test_names_of_included_files_stay_in_their_comment(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    name = "x\nadapters = ['evil'] #é.txt"
    (tmp_path / name).write_text("orjson==3.9.15", encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("-r 'x\n", encoding="utf-8")
    with pytest.raises(BadInput):
        plan(tmp_path, adapters, HERE)
    (tmp_path / "é.txt").write_text("orjson==3.9.15", encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("-r é.txt\n", encoding="utf-8")
    text = files(plan(tmp_path, adapters, HERE))["whichwins.toml"]
    assert text.isascii()
    assert "# ?.txt:1, 3.9.15\n" in text


def test_a_second_configuration_is_refused(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\n[tool.whichwins]\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"^pyproject.toml:2: \[tool.whichwins\] is a configuration already"):
        plan(tmp_path, adapters, {})


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pyproject.toml", "a = 1\nb", "pyproject.toml:2: not TOML"),
        ("package.json", '{\n"a"', "package.json:2: not JSON: correct it first"),
        ("package.json", "[" * 100_000, "package.json: not JSON"),
        ("uv.lock", "", "uv.lock: is empty"),
        ("requirements.txt", "<<<<<<< x", "requirements.txt:1: an unresolved merge conflict"),
    ],
    ids=range(5),
)
def test_what_cannot_be_read(
    tmp_path: Path, adapters: tuple[Adapter, ...], name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        plan(tmp_path, adapters, {})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "project = 1\ndependency-groups = []\ntool = 2"),
        (
            "pyproject.toml",
            "[project]\ndependencies = {}\noptional-dependencies = {x = 1, y = [1, 'orjson']}",
        ),
        ("package.json", '["dependencies"]'),
        ("package.json", '{"dependencies": ["json5"]}'),
    ],
)
def test_odd_manifests_are_others_business(
    tmp_path: Path, adapters: tuple[Adapter, ...], name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    first = "node/json" if name == "package.json" else "python/json"
    assert plan(tmp_path, adapters, {first: None}).subjects[0] == first


def test_a_folder_that_is_none(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    with pytest.raises(BadInput, match="cannot be looked at"):
        plan(tmp_path / "gone", adapters, {})


WORKFLOW = f"""\
# Fails when a JSON library reads something else than whichwins.lock says.
name: whichwins
on:
  pull_request:
  push:
    branches: [main, master]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - uses: actions/setup-node@v4
        with:
          node-version: "20"
      - run: npm ci --ignore-scripts
      - run: python -m pip install -r requirements.txt
      - run: pipx install whichwins=={__version__}
      - run: whichwins check --format github --python "$(command -v python)"
"""


def test_the_workflow(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    for name in ("requirements-dev.txt", "requirements.txt"):
        (tmp_path / name).write_text("orjson==3.9.15", encoding="utf-8")
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    (tmp_path / "package-lock.json").write_text('{"lockfileVersion": 3, "packages": {}}', encoding="utf-8")
    planned = plan(tmp_path, adapters, HERE, Toolchains("3.12", "20", "3.3"))
    assert files(planned)["whichwins.yml"] == WORKFLOW


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("uv.lock", 'requires-python = "*"', ["pipx install uv", "uv sync --locked", ".venv/bin/python"]),
        ("pyproject.toml", "", ["python -m pip install .", "$(command -v python)"]),
        ("Gemfile", "", ["ruby/setup-ruby@v1", 'ruby-version: "3.3"']),
        ("requirements $(evil).txt", "orjson==1", []),
    ],
)
def test_what_a_project_needs(
    tmp_path: Path, adapters: tuple[Adapter, ...], name: str, content: str, lines: list[str]
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    planned = plan(tmp_path, adapters, {**HERE, "ruby/json": None}, Toolchains("3.12", "20", "3.3"))
    text = files(planned)["whichwins.yml"]
    for line in lines:
        assert line in text
    assert "evil" not in text
    assert "setup-node" not in text
    assert ("setup-ruby" in text) == (name == "Gemfile")


def test_the_workflow_may_only_read(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    text = files(plan(tmp_path, adapters, HERE))["whichwins.yml"]
    assert re.findall(r"(?m)^permissions:\n((?:  .*\n)+)", text) == ["  contents: read\n"]
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@v\d+", action) for action in re.findall(r"uses: (.*)", text))
    assert "${{" not in text
    assert "pull_request_target" not in text
    assert tomllib.loads(files(plan(tmp_path, adapters, HERE))["whichwins.toml"])


def test_frameworks_are_not_proposed(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    (tmp_path / "requirements.txt").write_text("flask==3.1.3\nstarlette==1.0\n", encoding="utf-8")
    planned = plan(tmp_path, adapters, {**HERE, "frameworks/flask": None})
    assert {key.partition("/")[0] for key in planned.subjects} <= {"python", "node", "ruby"}
