"""A test for each case of the corpus: PYTEST_DONT_REWRITE (there is no assert here to explain).

    @pytest.mark.whichwins(layer="i-json", families="repeated-*")
    def test_mine(whichwins_case):
        whichwins_case.check(my_decode)

Loaded into every run of pytest where whichwins is installed, so nothing of whichwins is imported until a
test carries the marker.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from whichwins.testing import DecoderCase

_MARKER = "whichwins"
_FIXTURE = "whichwins_case"
_HOW = "@pytest.mark.whichwins(layer='strict-tool-input', families=None, cases=None, corpus=None)"


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        "whichwins(layer='strict-tool-input', families=None, cases=None, corpus=None): run the test once "
        f"for each case of whichwins' corpus, given as the fixture {_FIXTURE}.",
    )


@pytest.fixture
def whichwins_case() -> DecoderCase:
    """A case of the corpus that the marker `whichwins` chose: `whichwins_case.check(decode)`."""
    pytest.fail(f"{_FIXTURE} has no cases: put {_HOW} on the test", pytrace=False)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each case that the marker chooses."""
    marker = metafunc.definition.get_closest_marker(_MARKER)
    if marker is None:
        return
    place = metafunc.definition.nodeid
    if _FIXTURE not in metafunc.fixturenames:
        if marker in metafunc.definition.own_markers:  # else a class's, for its other tests
            raise pytest.Collector.CollectError(f"{place}: {_unused()}")
        return
    from whichwins.model import BadInput

    try:
        given = inspect.signature(_chosen).bind(metafunc.config.rootpath, *marker.args, **marker.kwargs)
    except TypeError as error:
        raise pytest.Collector.CollectError(f"{place}: marker {_MARKER}: {error}") from None
    try:
        chosen = _chosen(*given.args, **given.kwargs)
    except BadInput as error:
        raise pytest.Collector.CollectError(f"{place}: marker {_MARKER}: {error}") from None
    metafunc.parametrize(_FIXTURE, chosen, ids=[case.id for case in chosen])


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse the marker on what cannot have the fixture, such as a method of a TestCase."""
    marked = any(marker.name == _MARKER for marker in item.own_markers)
    if marked and _FIXTURE not in getattr(item, "fixturenames", ()):
        pytest.fail(_unused(), pytrace=False)


def _unused() -> str:
    return f"the marker {_MARKER} does nothing: the test must take the fixture {_FIXTURE}"


def _chosen(
    root: Path, layer: str = "strict-tool-input", families: Any = None, cases: Any = None, corpus: Any = None
) -> list[DecoderCase]:
    """The cases of a marker; a relative path is relative to pytest's root directory."""
    from whichwins.testing.cases import select

    return select(layer, families, cases, corpus, root)
