"""Stack files that are right: what they come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from whichwins.audit.reading import read_stack
from whichwins.audit.stack import Boundary, Policy, Request, Stack
from whichwins.model import Adapter, Allow, Place
from whichwins.reference.reader import Limits
from whichwins.subjects import load_adapters

SMALLEST = """\
[stack]
name = "orders"
policy = "strict-tool-input"

[[boundary]]
name = "preview"
role = "reviewer"
subject = "python/sqlite3-extract"

[[boundary]]
name = "executor"
role = "executor"
subject = "python/json"
"""

FULL = """\
[stack]
name = "a tool behind a gateway"
lens = "exact/1"
python = ".venv/bin/python"

[stack.policy]
layer = "strict-tool-input/1"
max-bytes = 4096
max-depth = 8
max-number = 17
names = ["target", "quantity", ""]
aliases = { qty = "quantity", "\\u0074" = "target" }

[[boundary]]
name = "tool"
role = "executor"
reads = "gateway"
asgi = "shop.app:make()"
sink = "shop.tools:Tools.order"
sink-runs = true
transform = "shop.convert:cents"

[boundary.request]
method = "PUT"
path = "/tools/order?x=1"
slot = "string"
template = '''
{"arguments": "{case}",
 "note": "a \\" and a {"}'''
headers = { X-Tenant = "7", "Content-Type" = "application/json; charset=utf-8" }

[[boundary]]
name = "log"
role = "logger"
reads = "tool"
call = "shop.log:write"
raw = false
guarantee = "the framework's own object, see ADR 7"

[[boundary]]
name = "gateway"
role = "store"
command = ["./gateway", "--json", "./stay"]
worker = true

[[boundary]]
name = "service"
role = "validator"
http = "https://user.example:8443/"
executes = true
allow-remote = true
request = { slot = "value", template = '{"value":{case}}' }

[[allow]]
boundary = "tool"
case = "numbers/*"
kind = "value-differs"
cause = "number"
reason = "cents only"
"""


@pytest.fixture(scope="module")
def adapters() -> tuple[Adapter, ...]:
    return load_adapters()


def written(folder: Path, text: str) -> Path:
    path = folder / "stack.toml"
    path.write_bytes(text.encode())
    return path


def test_the_smallest(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    path = written(tmp_path, SMALLEST)
    file = path.as_posix()
    assert read_stack(path, adapters) == Stack(
        name="orders",
        policy=Policy("strict-tool-input/1"),
        boundaries=(
            Boundary("preview", "reviewer", "subject", "python/sqlite3-extract", Place(file, 5)),
            Boundary("executor", "executor", "subject", "python/json", Place(file, 10)),
        ),
        place=file,
        folder=tmp_path,
    )


def test_everything(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    (tmp_path / "gateway").write_text("")
    path = written(tmp_path, FULL)
    file = path.as_posix()
    stack = read_stack(path, adapters)
    assert stack.policy == Policy(
        "strict-tool-input/1",
        Limits(4096, 8, 17),
        frozenset({"target", "quantity", ""}),
        {"qty": "quantity", "t": "target"},
    )
    assert (stack.lens, stack.python) == ("exact/1", f"{tmp_path}/.venv/bin/python")
    assert stack.allow == (
        Allow("tool", "numbers/*", "value-differs", "cents only", Place(file, 54), "number"),
    )
    gateway, tool, log, service = stack.boundaries  # the file has tool, log, gateway, service
    assert gateway == Boundary(
        "gateway",
        "store",
        "command",
        "",
        Place(file, 40),
        command=(f"{tmp_path}/gateway", "--json", "./stay"),
        worker=True,
    )
    assert tool == Boundary(
        "tool",
        "executor",
        "asgi",
        "shop.app:make()",
        Place(file, 14),
        reads="gateway",
        request=Request(
            "PUT",
            "/tools/order?x=1",
            {"content-type": "application/json; charset=utf-8", "x-tenant": "7"},
            "string",
            '{"arguments": "{case}",\n "note": "a \\" and a {"}',
        ),
        sink="shop.tools:Tools.order",
        sink_runs=True,
        transform="shop.convert:cents",
    )
    assert log == Boundary(
        "log",
        "logger",
        "call",
        "shop.log:write",
        Place(file, 32),
        reads="tool",
        raw=False,
        guarantee="the framework's own object, see ADR 7",
    )
    assert service == Boundary(
        "service",
        "validator",
        "http",
        "https://user.example:8443",
        Place(file, 46),
        request=Request(slot="value", template='{"value":{case}}'),
        executes=True,
        allow_remote=True,
    )


def stack_of(folder: Path, adapters: tuple[Adapter, ...], *rows: str, head: str = "") -> Stack:
    """Rows such as `executor a < b`: role, name, whom it reads."""
    text = f'[stack]\nname = "x"\n{head}\n'
    for row in rows:
        role, name, *reads = row.split(" ")
        text += f'[[boundary]]\nname = "{name}"\nrole = "{role}"\nsubject = "python/json"\n'
        text += f'reads = "{reads[1]}"\n' if reads else ""
    return read_stack(written(folder, text), adapters)


@pytest.mark.parametrize(
    ("rows", "order"),
    [
        (["store a", "executor b"], "ab"),
        (["executor a < b", "store b"], "ba"),
        (["executor a < c", "reviewer b", "store c", "logger d"], "bcad"),
        (["executor a < b", "store b < c", "store c < d", "store d"], "dcba"),
        (["store d", "store c < d", "executor b < c", "executor a < c"], "dcba"),
    ],
)
def test_each_comes_after_what_it_reads(
    rows: list[str], order: str, tmp_path: Path, adapters: tuple[Adapter, ...]
) -> None:
    stack = stack_of(tmp_path, adapters, *rows)
    assert "".join(boundary.name for boundary in stack.boundaries) == order
    for boundary in stack.boundaries:
        assert stack.path(boundary.name)[-1] is boundary


@pytest.mark.parametrize(
    ("said", "layer"),
    [
        ("", "strict-tool-input/1"),
        ('policy = "i-json"', "i-json/1"),
        ('policy = "rfc8259/1"', "rfc8259/1"),
        ('[stack.policy]\nlayer = "jcs-input"', "jcs-input/1"),
        ("[stack.policy]", "strict-tool-input/1"),
    ],
)
def test_policies(said: str, layer: str, tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    assert stack_of(tmp_path, adapters, "executor a", "store b", head=said).policy == Policy(layer)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1",
        "http://127.9.9.9:80",
        "http://[::1]:8000",
        "HTTP://LOCALHOST:1/",
        "https://localhost:65535",
    ],
)
def test_addresses_of_this_machine(address: str, tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    text = SMALLEST.replace('subject = "python/json"', f'http = "{address}"\nexecutes = true')
    boundary = read_stack(written(tmp_path, text), adapters).boundaries[1]
    assert boundary.target == address.rstrip("/")


def test_a_version_that_is_a_path_is_relative_to_the_file(
    tmp_path: Path, adapters: tuple[Adapter, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SMALLEST.replace("python/json", "python/orjson@dist/x.whl").replace(
        "python/sqlite3-extract", "python/orjson@<3.10"
    )
    path = written(tmp_path, text)
    assert [each.target for each in read_stack(path, adapters).boundaries] == [
        "python/orjson@<3.10",
        f"python/orjson@{tmp_path}/dist/x.whl",
    ]
    monkeypatch.chdir(tmp_path)
    stack = read_stack(Path("stack.toml"), adapters)
    assert (stack.place, stack.folder) == ("stack.toml", Path())
    assert stack.boundaries[1].target == "python/orjson@dist/x.whl"


def test_a_template_of_another_type_may_be_anything(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    more = """asgi = "m:a"
request = { slot = "value", template = "data: {case}\\n\\n", headers = { content-type = "text/plain" } }"""
    text = SMALLEST.replace('subject = "python/json"', more)
    request = read_stack(written(tmp_path, text), adapters).boundaries[1].request
    assert request.template == "data: {case}\n\n"
    assert dict(request.headers) == {"content-type": "text/plain"}


def test_a_command_by_name_stays(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    text = SMALLEST.replace('subject = "python/json"', 'command = ["node", "./x.mjs"]')
    boundary = read_stack(written(tmp_path, text), adapters).boundaries[1]
    assert (boundary.command, boundary.worker) == (("node", "./x.mjs"), False)


def test_cases_and_controls_of_a_stack(tmp_path: Path) -> None:
    path = tmp_path / "stack.toml"
    more = 'controls = ["orders/*"]\ncorpus = ["orders.toml"]\nbuiltin = false\n\n[[boundary]]'
    path.write_text(SMALLEST.replace("\n[[boundary]]", more, 1), encoding="utf-8")
    found = read_stack(path, load_adapters())
    assert (found.controls, found.corpus, found.builtin) == (("orders/*",), ("orders.toml",), False)
    path.write_text(SMALLEST, encoding="utf-8")
    found = read_stack(path, load_adapters())
    assert (found.controls, found.corpus, found.builtin) == ((), (), True)
