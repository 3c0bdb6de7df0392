"""What `reports/audits` shows is rendered from the recordings there, and is what the examples do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from whichwins.audit.passage import Passage
from whichwins.audit.reading import read_stack
from whichwins.audit.recording import Recording, read_recording
from whichwins.cli import main
from whichwins.subjects import load_adapters

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-examples" / "bin" / "python"
EXAMPLES = ("order", "gateway", "approval")
FORMS = ("txt", "md", "html")

needs_packages = pytest.mark.skipif(not PYTHON.exists(), reason="no .venv-examples: make test installs it")


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")


def stack_of(name: str) -> str:
    return f"examples/{name}/stack.toml"


def kept_of(name: str) -> Path:
    return ROOT / "reports" / "audits" / name


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_reports_are_those_of_the_recording(name: str, tmp_path: Path) -> None:
    outputs = [word for form in FORMS for word in ("-o", str(tmp_path / f"report.{form}"))]
    recording = str(kept_of(name) / "recording.jsonl")
    assert main(["audit", stack_of(name), "--replay", recording, "--show-values", "--all", *outputs]) == 1
    for form in FORMS:
        fresh, kept = tmp_path / f"report.{form}", kept_of(name) / f"report.{form}"
        assert said(fresh) == said(kept), "stale: make audit-pages"


def said(path: Path) -> str:
    """A report without what says nothing of the audit: the page's style, and its script."""
    text = path.read_text(encoding="utf-8")
    return re.sub(
        r"(?s)<style>.*?</style>|<script>.*?</script>|'sha256-[^']*'|&#39;sha256-.*?&#39;", "", text
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_machine_and_no_time_is_in_them(name: str) -> None:
    for path in kept_of(name).iterdir():
        text = path.read_text(encoding="utf-8")
        assert str(ROOT) not in text, path
        assert not re.search(
            r"/(home|root|tmp|Users|work)/|20[0-9]{2}-[0-9]{2}|[0-9] ?(ms|seconds)\b", text
        ), path
        assert len(text) < 150_000, path


def did(seen: Recording) -> dict[str, dict[str, Passage]]:
    """What boundaries did, but for the versions of what they did it with."""
    return {
        case: {name: passage._replace(decoders=()) for name, passage in row.items()}
        for case, row in seen.passages.items()
    }


@pytest.mark.parametrize(
    "name", ["order", *(pytest.param(each, marks=needs_packages) for each in EXAMPLES[1:])]
)
def test_the_examples_still_do_what_was_recorded(name: str, tmp_path: Path) -> None:
    again = tmp_path / "recording.jsonl"
    words = [] if name == "order" else ["--python", str(PYTHON)]
    out = ["--record", str(again), "-o", str(tmp_path / "report.txt")]
    assert main(["audit", stack_of(name), *words, *out]) == 1
    stack = read_stack(Path(stack_of(name)), load_adapters([]))
    assert did(read_recording(again, stack)) == did(read_recording(kept_of(name) / "recording.jsonl", stack))
