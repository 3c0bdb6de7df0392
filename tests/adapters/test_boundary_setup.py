"""The boundary worker at its start: what is not there is named, with the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.boundary import deliver, talk, toys

CALL = {"kind": "call", "target": "app:f", "name": "it", "role": "executor"}
APP = """
    import json, tools

    class Desk:
        def act(self, order): pass

    def f(raw):
        tools.execute(**json.loads(raw))
    def g(raw):
        pass
    def loose(order, **kwargs):
        pass
"""


def fault(folder: Path, **options: str) -> str:
    first = talk(folder, {**CALL, **options})[0]
    assert first.verb == "fault", first
    return first.text


@pytest.mark.parametrize(
    ("sink", "argument", "names"),
    [
        ("tools:execute", "zzz", "target, quantity"),
        ("app:Desk.act", "self", "order"),
        ("app:Desk.act", "Order", "order"),
    ],
)
def test_an_argument_that_the_sink_never_gets(tmp_path: Path, sink: str, argument: str, names: str) -> None:
    said = fault(toys(tmp_path, app=APP), sink=sink, **{"sink-argument": argument})
    assert f"the sink {sink} takes no {argument}: sink-argument is one of {names}" in said


def test_whatever_a_sink_with_names_of_its_own_may_get(tmp_path: Path) -> None:
    deliver(toys(tmp_path, app=APP), {**CALL, "sink": "app:loose", "sink-argument": "zzz"}, b"{}")
    deliver(toys(tmp_path, app=APP), {**CALL, "sink": "tools:execute", "sink-argument": "quantity"}, b"{}")


@pytest.mark.parametrize("sink", ["app:nosuch", "app:Desk.nosuch"])
def test_a_sink_that_is_not_there(tmp_path: Path, sink: str) -> None:
    said = fault(toys(tmp_path, app=APP), sink=sink)
    assert sink in said
    assert "inspect.py" not in said


@pytest.mark.parametrize("kind", ["call", "asgi", "wsgi"])
@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("nosuch:f", "there is no module nosuch: it is looked for beside the stack file, then by"),
        ("app.nosuch:f", "there is no module app.nosuch: it is looked for"),
        ("needs:f", "there is no module nosuch_deep, which needs imports: it is looked for"),
        ("app:nosuch", "app has no nosuch: look at app:nosuch in the stack"),
        ("app:Desk.nosuch", "look at app:Desk.nosuch in the stack"),
        ("broken:f", "SyntaxError at broken.py:3"),
        ("indented:f", "IndentationError at indented.py:2"),
        ("imports:f", "SyntaxError at broken.py:3"),
        ("secret:f", "SyntaxError at secret.py:1"),
    ],
)
def test_what_cannot_be_imported_is_named(tmp_path: Path, kind: str, target: str, said: str) -> None:
    toys(
        tmp_path,
        app=APP,
        needs="import nosuch_deep\n",
        broken="a = 1\nb = 2\nc = = 'SECRET'\n",
        imports="\nimport broken\n",
        secret="compile('SECRET = = 1', 'SECRET', 'exec')\n",
    )
    (tmp_path / "indented.py").write_text("def f(raw):\nreturn 1\n", encoding="utf-8")
    found = fault(tmp_path, kind=kind, target=target)
    assert said in found
    assert "SECRET" not in found
