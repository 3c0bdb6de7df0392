"""The pytest plugin: a test a case, readable failures, clear misuse, nothing where it is not used."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

# Loaded here once, not anew by every run inside.
from whichwins.testing import cases

pytest_plugins = "pytester"

DECODERS = """
import json
import pytest

def last_wins(data):
    return json.loads(data)

def strict(data):
    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise ValueError("repeated")
        return dict(pairs)
    return json.loads(data, object_pairs_hook=once)
"""
QUANTITY = ["repeated-conflicting/quantity-2-20", "repeated-conflicting/quantity-20-2"]
CHOICE = "layer='i-json', families=['repeated-conflicting'], cases='*/quantity-2*'"
# Without another plugin that takes a second to sum up what it has not done.
STRICT = ("-W", "error", "--strict-markers", "-p", "no:cacheprovider", "-p", "no:hypothesispytest")


def project(pytester: pytest.Pytester, tests: str) -> None:
    pytester.makepyfile(DECODERS + tests)


def marked(body: str, marker: str = CHOICE) -> str:
    return f"@pytest.mark.whichwins({marker})\ndef test_mine(whichwins_case):\n    {body}\n"


def test_a_test_for_each_case(pytester: pytest.Pytester) -> None:
    project(pytester, marked("whichwins_case.check(strict)"))
    result = pytester.runpytest(*STRICT, "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines([f"*::test_mine[[]{name}[]] PASSED*" for name in QUANTITY])


def test_a_failure_is_readable(pytester: pytest.Pytester) -> None:
    project(pytester, marked("whichwins_case.check(last_wins)"))
    result = pytester.runpytest(*STRICT, "-k", "quantity-2-20")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(
        [
            "*test_mine[[]repeated-conflicting/quantity-2-20[]]*",
            ">       whichwins_case.check(last_wins)",
            "E       AssertionError: repeated-conflicting/quantity-2-20: accepted, though i-json/1 rejects",
            "E         why       the reviewer sees 2, the executor receives 20",
            'E         text      {"quantity":2,"quantity":20}',
            "E         hex       7b 22 71 *7d (28 bytes)",
            "E         expected  reject: RFC 7493 section 2.3: MUST NOT have duplicate names",
            'E         came      {"quantity":20}',
        ]
    )
    # Neither our code nor the library's: the test's own line is all there is to see.
    assert re.findall(r"^(\S+\.py):\d+: ", result.stdout.str(), re.MULTILINE) == [
        "test_a_failure_is_readable.py"
    ]


def test_the_library_s_own_traceback_is_left_out(pytester: pytest.Pytester) -> None:
    project(pytester, marked("whichwins_case.check(lambda data: strict(b'x'))", "cases='controls/order'"))
    result = pytester.runpytest(*STRICT)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E         came      JSONDecodeError: Expecting value: * (decoder.py:*)"])
    result.stdout.no_fnmatch_line("*raw_decode*")


def test_names_are_ascii_and_a_test_is_run_by_its_name(pytester: pytest.Pytester) -> None:
    project(pytester, marked("whichwins_case.check(strict)", "'rfc8259'"))
    result = pytester.runpytest(*STRICT, "--collect-only", "-q")
    names = [line for line in result.outlines if "::" in line]
    assert len(names) > 1900
    assert all(re.fullmatch(r"[!-~]+\.py::test_mine\[[!-~]+\]", name) for name in names)
    assert len(set(names)) == len(names)
    result = pytester.runpytest(*STRICT, f"{names[0].partition('::')[0]}::test_mine[{QUANTITY[0]}]")
    result.assert_outcomes(passed=1)


def test_it_is_the_same_under_xdist(pytester: pytest.Pytester) -> None:
    project(
        pytester, marked("whichwins_case.check(last_wins)", "'i-json', ['repeated-conflicting', 'controls']")
    )
    alone = pytester.runpytest(*STRICT).parseoutcomes()
    assert alone["failed"] == len(cases(families="repeated-conflicting"))  # each repeats a name
    assert pytester.runpytest(*STRICT, "-n", "2").parseoutcomes() == alone


def test_the_case_is_there_for_tests_of_another_kind(pytester: pytest.Pytester) -> None:
    body = "assert (whichwins_case.data[:1], whichwins_case.expectation) == (b'{', 'reject')"
    project(pytester, marked(body))
    pytester.runpytest(*STRICT).assert_outcomes(passed=2)


def test_another_fixture_may_take_the_case(pytester: pytest.Pytester) -> None:
    fixture = "@pytest.fixture\ndef data(whichwins_case):\n    return whichwins_case.data\n"
    project(pytester, fixture + f"@pytest.mark.whichwins({CHOICE})\ndef test_it(data):\n    assert data\n")
    pytester.runpytest(*STRICT).assert_outcomes(passed=2)


def test_a_class_s_marker_is_for_those_who_take_the_case(pytester: pytest.Pytester) -> None:
    project(
        pytester,
        f"@pytest.mark.whichwins({CHOICE})\nclass TestIt:\n"
        "    def test_with(self, whichwins_case):\n        whichwins_case.check(strict)\n"
        "    @pytest.mark.whichwins(cases='controls/order')\n"
        "    def test_nearer(self, whichwins_case):\n        whichwins_case.check(strict)\n"
        "    def test_without(self):\n        pass\n",
    )
    pytester.runpytest(*STRICT).assert_outcomes(passed=4)


def test_a_corpus_is_relative_to_the_root(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    where = pytester.mkdir("texts")
    (where / "n_open.json").write_bytes(b"[")
    (where / "y_one.json").write_bytes(b"1")
    pytester.makeini("[pytest]")
    inside = pytester.mkdir("inside")
    (inside / "test_it.py").write_text(
        DECODERS + marked("whichwins_case.check(strict)", "'rfc8259', corpus='texts'"), encoding="utf-8"
    )
    monkeypatch.chdir(inside)
    result = pytester.runpytest(*STRICT, "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_mine[[]texts/n_open.json[]]*", "*test_mine[[]texts/y_one.json[]]*"])


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ("families='repeated'", "there is no family 'repeated': the families are clauses, controls, *"),
        ("'json'", "there is no layer 'json': the layers are rfc8259/1, i-json/1, jcs-input/1, strict-*"),
        ("corpus='nowhere'", "*nowhere: there is no such file or folder"),
        ("corpus=3", "corpus must be a name or a list of names, at least one: found 3"),
        ("famlies='controls'", "got an unexpected keyword argument 'famlies'"),
    ],
)
def test_misuse_is_one_line(marker: str, message: str, pytester: pytest.Pytester) -> None:
    project(pytester, marked("pass", marker))
    result = pytester.runpytest(*STRICT)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"test_misuse_is_one_line.py::test_mine: marker whichwins: {message}"])
    for line in ("*Traceback*", "E  *", "*pytest_plugin.py*"):
        result.stdout.no_fnmatch_line(line)


def test_misuse_is_one_line_under_xdist(pytester: pytest.Pytester) -> None:
    project(pytester, marked("pass", "'json'"))
    result = pytester.runpytest(*STRICT, "-n", "1")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*.py::test_mine: marker whichwins: there is no layer 'json': *"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_marker_without_the_fixture_is_refused(pytester: pytest.Pytester) -> None:
    project(pytester, "@pytest.mark.whichwins()\ndef test_mine():\n    pass\n")
    result = pytester.runpytest(*STRICT)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*.py::test_mine: the marker whichwins does nothing: the test must take the fixture whichwins_case"]
    )


def test_a_testcase_cannot_have_the_fixture(pytester: pytest.Pytester) -> None:
    project(
        pytester,
        "import unittest\nclass TestIt(unittest.TestCase):\n"
        "    @pytest.mark.whichwins()\n    def test_mine(self):\n        pass\n",
    )
    result = pytester.runpytest(*STRICT)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the marker whichwins does nothing: *"])


def test_the_fixture_without_a_marker_is_refused(pytester: pytest.Pytester) -> None:
    project(pytester, "def test_mine(whichwins_case):\n    pass\n")
    result = pytester.runpytest(*STRICT)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["whichwins_case has no cases: put @pytest.mark.whichwins(layer=*) on the test"]
    )


def test_cases_may_be_parametrized_by_hand(pytester: pytest.Pytester) -> None:
    choice = "cases(families='controls', cases='controls/order')"
    project(
        pytester,
        f"from whichwins.testing import cases\n@pytest.mark.parametrize('whichwins_case', {choice})\n"
        "def test_mine(whichwins_case):\n    whichwins_case.check(strict)\n",
    )
    pytester.runpytest(*STRICT).assert_outcomes(passed=1)


def test_it_explains_itself(pytester: pytest.Pytester) -> None:
    pytester.runpytest("--markers").stdout.fnmatch_lines(
        ["@pytest.mark.whichwins(layer='strict-tool-input', *"]
    )
    pytester.runpytest("--fixtures").stdout.fnmatch_lines(["whichwins_case -- *"])


LOADED = """
import sys
def test_it():
    assert sorted(name for name in sys.modules if name.startswith("whichwins")) == [
        "whichwins", "whichwins.pytest_plugin"
    ]
"""


def test_nothing_is_loaded_for_those_who_do_not_use_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(LOADED)
    pytester.runpytest_subprocess(*STRICT).assert_outcomes(passed=1)
    pytester.runpytest_subprocess(*STRICT, "-p", "no:whichwins").assert_outcomes(failed=1)


def test_to_load_it_imports_little(pytester: pytest.Pytester) -> None:
    """No module beyond pytest's own and the two of ours: what it costs is their few lines."""
    script = (
        "import pytest, sys, __future__\nbefore = set(sys.modules)\nimport whichwins.pytest_plugin\n"
        "print(sorted(set(sys.modules) - before))"
    )
    result = pytester.run(sys.executable, "-c", script)
    result.stdout.fnmatch_lines(["['whichwins', 'whichwins.pytest_plugin']"])


def test_a_program_that_imported_whichwins_before_pytest_is_not_warned(pytester: pytest.Pytester) -> None:
    project(pytester, marked("whichwins_case.check(strict)"))
    # What pytest does by itself for the packages of plugins, where they are installed from wheels.
    pytester.makeconftest("import pytest\npytest.register_assert_rewrite('whichwins')\n")
    script = f"import whichwins, pytest, sys; sys.exit(pytest.main({list(STRICT)!r}))"
    assert pytester.run(sys.executable, "-c", script).ret == 0


def test_it_can_be_loaded_by_hand(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    project(pytester, marked("whichwins_case.check(strict)"))
    pytester.runpytest_subprocess(*STRICT).assert_outcomes(errors=1)
    pytester.runpytest_subprocess(*STRICT, "-p", "whichwins.pytest_plugin").assert_outcomes(passed=2)


def test_pytest_is_no_dependency() -> None:
    root = Path(__file__).resolve().parents[2]
    config = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = config["optional-dependencies"].values()
    wanted = [*config["dependencies"], *(each for extra in optional for each in extra)]
    assert not [each for each in wanted if "pytest" in each]
    sources = (root / "harness" / "whichwins").rglob("*.py")
    using = {
        path.name
        for path in sources
        if re.search(r"^\s*(import|from) _?pytest", path.read_text("utf-8"), re.M)
    }
    assert using == {"pytest_plugin.py"}
