"""Reading a configuration: what is right is taken, what is wrong is told with file, line, key, remedy."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from whichwins.config import MAX_BYTES, Config, read
from whichwins.model import Allow, BadInput, Place

KINDS = ("winner-changed", "value-changed", "newly-accepted")
CAUSES = ("repeated name", "number")

FULL = """\
subjects = ["python/orjson",
            "node/*@24"]
corpus = ["tests/json-cases", "more.jsonl"]
builtin = false
filter = ["number-*"]
baseline = "ci/whichwins.lock"
lens = "exact/1"
timeout = 2.5
memory = 512
adapters = ["mine"]
python = ".venv/bin/python"
index = "https://example.invalid/simple"
constraints = "constraints.txt"
allow-build = true

[[allow]]
subject = "python/orjson"
case = "number-range/*"
kind = "value-changed"
cause = "number"
reason = \"\"\"reviewed in #41:
  our schema forbids such numbers\"\"\"
expires = 2027-01-31
until-version = "3.14"

[[allow]]
subject = "python/*"
case = "*"
kind = "*"
reason = "é: known"
"""


def written(folder: Path, text: str | bytes, name: str = "whichwins.toml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_everything(tmp_path: Path) -> None:
    path = written(tmp_path, FULL)
    file = path.as_posix()
    config = read(folder=tmp_path, kinds=KINDS, causes=CAUSES)
    assert config == Config(
        place=file,
        folder=tmp_path,
        subjects=(("python/orjson", Place(file, 1)), ("node/*@24", Place(file, 2))),
        corpus=("tests/json-cases", "more.jsonl"),
        builtin=False,
        filter=("number-*",),
        baseline=tmp_path / "ci/whichwins.lock",
        lens="exact/1",
        timeout=2.5,
        memory=512,
        adapters=(tmp_path / "mine",),
        python=str(tmp_path / ".venv/bin/python"),
        index="https://example.invalid/simple",
        constraints=tmp_path / "constraints.txt",
        allow_build=True,
        allow=(
            Allow(
                "python/orjson",
                "number-range/*",
                "value-changed",
                "reviewed in #41: our schema forbids such numbers",
                Place(file, 16),
                "number",
                date(2027, 1, 31),
                "3.14",
            ),
            Allow("python/*", "*", "*", "é: known", Place(file, 26)),
        ),
        places=config.places,
    )
    assert config.places["allow-build"] == Place(file, 14)


def test_nothing_is_a_configuration_too(tmp_path: Path) -> None:
    assert read(folder=tmp_path) == Config(folder=tmp_path, baseline=tmp_path / "whichwins.lock")
    written(tmp_path, "")
    config = read(folder=tmp_path)
    assert config.builtin
    assert config.baseline == tmp_path / "whichwins.lock"
    assert config.subjects == ()
    assert config.allow == ()


def test_the_working_directory_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, 'subjects = ["python/orjson@./dist/x.whl"]\npython = "./python"\nadapters = ["a"]')
    monkeypatch.chdir(tmp_path)
    config = read()
    assert config.place == "whichwins.toml"
    assert config.subjects[0][0] == "python/orjson@./dist/x.whl"
    assert config.python == "./python"
    assert config.adapters == (Path("a"),)
    assert config.baseline == Path("whichwins.lock")


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, 'subjects = ["python/orjson@dist/x.whl", "node/json@24"]\npython = "python3.12"')
    config = read(path)
    assert [key for key, _ in config.subjects] == [f"python/orjson@{tmp_path}/dist/x.whl", "node/json@24"]
    assert config.python == "python3.12"
    assert config.baseline == tmp_path / "whichwins.lock"


SHARED = """\
[project]
name = "x"

[tool.whichwins]
subjects = ["python/json"]

[[tool.whichwins.allow]]
subject = "python/json"
case = "a/b"
kind = "*"
reason = "r"
"""


def test_in_the_projects_file(tmp_path: Path) -> None:
    path = written(tmp_path, SHARED, "pyproject.toml")
    for config in (read(folder=tmp_path), read(path)):
        assert config.subjects == (("python/json", Place(path.as_posix(), 5)),)
        assert config.allow[0].place == Place(path.as_posix(), 7)
    other = written(tmp_path, SHARED, "other.toml")
    assert read(other).subjects == (("python/json", Place(other.as_posix(), 5)),)


def test_a_mistake_in_the_projects_file_names_its_table(tmp_path: Path) -> None:
    path = written(tmp_path, SHARED.replace("reason", "reson"), "pyproject.toml")
    with pytest.raises(BadInput) as caught:
        read(path)
    said = "[[tool.whichwins.allow]] 1: unknown key `reson`: did you mean `reason`?"
    assert str(caught.value) == f"{path.as_posix()}:11: {said}"


def test_a_project_without_us_may_be_broken(tmp_path: Path) -> None:
    written(tmp_path, "= broken", "pyproject.toml")
    assert read(folder=tmp_path).place == ""
    written(tmp_path, "[project]\ndependencies = ['whichwins']\n", "pyproject.toml")
    assert read(folder=tmp_path).place == ""


def test_two_configurations_are_one_too_many(tmp_path: Path) -> None:
    written(tmp_path, SHARED, "pyproject.toml")
    written(tmp_path, "")
    with pytest.raises(BadInput) as caught:
        read(folder=tmp_path)
    file = tmp_path.as_posix()
    assert str(caught.value) == (
        f"{file}/pyproject.toml:4: [tool.whichwins], and {file}/whichwins.toml is there too: keep one"
    )


def test_a_named_project_file_must_have_the_table(tmp_path: Path) -> None:
    path = written(tmp_path, "[project]\n", "pyproject.toml")
    with pytest.raises(BadInput, match=r"pyproject.toml: has no \[tool.whichwins\]: add it"):
        read(path)


ALLOW = '[[allow]]\nsubject = "a/b"\ncase = "*"\nkind = "*"\nreason = "r"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nsubject = []", "2: unknown key `subject`: did you mean `subjects`?"),
        ("allow_build = true", "1: unknown key `allow_build`: did you mean `allow-build`?"),
        ("zzz = 1", "1: unknown key `zzz`: the keys are adapters, allow, allow-build, baseline, builtin, "),
        ('"a\\nb" = 1', "1: unknown key 'a\\nb': the keys are"),
        ('subjects = "python/json"', "1: `subjects` must be a list of strings: put it in brackets"),
        ('subjects = [\n"a/b",\n"",\n]', "3: `subjects`: element 2 must be a string on one line"),
        ("corpus = [1]", "1: `corpus`: element 1 must be a string on one line that is not empty"),
        ("builtin = 'no'", "1: `builtin` must be true or false, without quotes"),
        ("baseline = ''", "1: `baseline` is empty: say something, or leave it out"),
        ("baseline = 'a\tb'", "1: `baseline` must be one line of printable text"),
        ("baseline = 1", "1: `baseline` must be a string: put it in quotes"),
        ("lens = 'value'", '1: `lens` must be a lens and its version, as "value/1"'),
        ("timeout = '3'", "1: `timeout` must be a number of seconds, without quotes"),
        ("timeout = nan", "1: `timeout` must be a number of seconds above 0, at most 1,000,000"),
        ("timeout = 0", "1: `timeout` must be a number of seconds above 0"),
        ("timeout = true", "1: `timeout` must be a number of seconds, without quotes"),
        ("memory = 1.5", "1: `memory` must be a whole number of MiB, without quotes"),
        ("memory = 99999999999999999999", "1: `memory` must be a whole number of MiB above 0"),
        ("allow = 1", "1: `allow` must be tables: head each with [[allow]]"),
        ("\n[allow]\nsubject = 'a'", "2: `allow` must be tables: head each with [[allow]]"),
        ("allow = [\n{ subjct = 1 }]", "2: [[allow]] 1: unknown key `subjct`: did you mean `subject`?"),
        (ALLOW + "[[allow]]\nreson = 'r'", "7: [[allow]] 2: unknown key `reson`: did you mean `reason`?"),
        ("# c\n[[allow]]", "2: [[allow]] 1: `subject` is missing: write subject ="),
        (ALLOW.replace('"r"', '" \\t"'), "5: [[allow]] 1: `reason` is empty: say why"),
        (ALLOW.replace('"r"', "41"), "5: [[allow]] 1: `reason` must be a string: say why"),
        (ALLOW.replace('reason = "r"', ""), "1: [[allow]] 1: `reason` is missing: say why"),
        (ALLOW.replace("a/b", "a/b@3"), "2: [[allow]] 1: `subject` is a key without a version: leave out"),
        (ALLOW.replace('"a/b"', '""'), "2: [[allow]] 1: `subject` is empty: write subject ="),
        (
            ALLOW.replace('kind = "*"', 'kind = "value-chnged"'),
            "4: [[allow]] 1: `kind`: no kind is called so: did you mean `value-changed`?",
        ),
        (
            ALLOW.replace('kind = "*"', 'kind = "z"'),
            "4: [[allow]] 1: `kind`: no kind is called so: known are winner-changed, value-changed, newly-",
        ),
        (
            ALLOW.replace('kind = "*"\n', ""),
            "1: [[allow]] 1: `kind` is missing: write one of winner-changed, value-changed, newly-accept",
        ),
        (
            ALLOW + 'cause = "nmber"',
            "6: [[allow]] 1: `cause`: no cause is called so: did you mean `number`?",
        ),
        (
            ALLOW + 'cause = "*"',
            "6: [[allow]] 1: `cause`: no cause is called so: known are repeated name, number",
        ),
        (
            ALLOW + 'expires = "2027-01-31"',
            "6: [[allow]] 1: `expires` must be a date: write expires = 2030-12-31, without quotes or time",
        ),
        (ALLOW + "expires = 2027-01-31T00:00:00Z", "6: [[allow]] 1: `expires` must be a date: write"),
        (ALLOW + "expires = 2027", "6: [[allow]] 1: `expires` must be a date: write"),
        (
            ALLOW + "until-version = 3.14",
            "6: [[allow]] 1: `until-version` must be a string: put it in quotes",
        ),
        (ALLOW + "until-version = '>3'", '6: [[allow]] 1: `until-version` must be a version, as "3.14"'),
        (ALLOW + "until_version = '3'", "6: [[allow]] 1: unknown key `until_version`: did you mean `until-v"),
        ("a = 1\nb = = 2", "2: not TOML: Invalid value, column"),
        ("a = 1\na = 2\n", "2: not TOML: Cannot overwrite a value"),
        ('a = """\n\n', "3: not TOML: "),
        ("expires = 2027-02-30", "1: not TOML: "),
        pytest.param("\n\nn = " + "1" * 5000, "3: a number is too long: shorten it", id="digits"),
        pytest.param(
            "\nn = " + "[" * 5000 + "]" * 5000, "2: nested too deeply: make it flatter", id="nesting"
        ),
        pytest.param(
            "\n\n" + "a." * 100_000 + "b = 1", "3: a name of more than 64 parts: shorten it", id="parts"
        ),
        (b"a = 1\n# \xff", "2: not UTF-8 (byte 8): save it as UTF-8"),
        ("a = 1\r\n\r\nb = 2", "1: unknown key `a`"),
        (
            '[[allow]]\r\nsubject = "a"\r\nresn = 1',
            "3: [[allow]] 1: unknown key `resn`: did you mean `r",
        ),
        (b"\xef\xbb\xbfzubjects = []", "1: unknown key `zubjects`: did you mean `subjects`?"),
        ('python = """\n[[allow]]\n"""\n"subjcts" = 1', "4: unknown key `subjcts`: did you mean `subj"),
    ],
)
def test_every_mistake_has_its_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as caught:
        read(folder=tmp_path, kinds=KINDS, causes=CAUSES)
    message = str(caught.value)
    assert message.startswith(f"{path.as_posix()}:{said}")
    assert "\n" not in message
    assert caught.value.exit_code == 2


def test_what_a_layer_above_knows_is_not_held_against_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, ALLOW.replace('kind = "*"', 'kind = "anything"'))
    assert read(path).allow[0].kind == "anything"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"gone.toml: there is no such file: name one that is there"):
        read(tmp_path / "gone.toml")
    with pytest.raises(BadInput, match=r"cannot be read \(Is a directory\)"):
        read(tmp_path)
    with pytest.raises(BadInput, match="no file can be called that"):
        read(Path("a\0b"))
    path = written(tmp_path, "#" * (MAX_BYTES + 1))
    with pytest.raises(BadInput, match="is over 1,048,576 bytes: give a smaller file"):
        read(path)
