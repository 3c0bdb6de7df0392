"""Starting Node.js and Ruby subjects for tests, as provisioning starts them here."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.client import Frame, ask, hello
from whichwins.model import Adapter, Subject
from whichwins.notation import canonical
from whichwins.provision import Absent, launch, probe
from whichwins.subjects import load_adapters, select
from whichwins.workers import Launch

ROOT = Path(__file__).resolve().parents[2]
ADAPTERS = ROOT / "adapters"

WAYS: dict[str, dict[str, str]] = {"node": {}, "native": {}, "wasm": {"WHICHWINS_RUBY": "wasm"}}
"""How a subject is started: what is added to the environment in which runtimes are looked for."""


@cache
def subject(key: str) -> tuple[Subject, tuple[Adapter, ...]]:
    adapters = load_adapters()
    (found,) = select(adapters, [key])
    return found, adapters


@cache
def start(key: str, way: str) -> Launch:
    """How a subject is started; without its runtime the test is skipped, and fails in CI."""
    found, adapters = subject(key)
    launched = launch(found, adapters, probe(env={**os.environ, **WAYS[way]}))
    if way == "native" and isinstance(launched, Launch) and not launched.argv[1].endswith("worker.rb"):
        launched = Absent("no native Ruby", "install ruby")
    if isinstance(launched, Launch):
        return launched
    said = f"{key} ({way}): {launched.reason}: {launched.install}"
    if os.environ.get("CI"):
        pytest.fail(said)
    pytest.skip(said)


def greeting(key: str) -> bytes:
    found, _ = subject(key)
    return hello(
        key,
        found.shim,
        found.rejects,
        found.rejects_decode,
        found.options,
        rejects_bind=found.rejects_bind,
        bounds=found.bounds,
    )


def parse(
    key: str, way: str, inputs: Sequence[bytes], verb: str = "parse", env: Mapping[str, str] | None = None
) -> list[Frame]:
    launched = start(key, way)
    return ask(launched.argv, greeting(key), inputs, verb, env={**(launched.env or {}), **(env or {})})


def outcome(answer: Frame) -> str:
    """One comparable string: a canonical notation, or `verb stage Error` without the message."""
    if answer.verb == "accept":
        return canonical(answer.text)
    words = {"reject": 2, "fault": 1, "unsupported": 0}[answer.verb]
    return " ".join([answer.verb, *answer.text.split(" ")[:words]])


def outcomes(key: str, way: str, *inputs: bytes) -> list[str]:
    return [outcome(answer) for answer in parse(key, way, inputs)]


def vectors() -> list[dict[str, Any]]:
    """The notation vectors, each with its bytes under `data`."""
    text = (ROOT / "fixtures" / "notation.toml").read_text(encoding="utf-8")
    return [
        {**one, "data": one["json"].encode() if "json" in one else bytes.fromhex(one["json_hex"])}
        for one in tomllib.loads(text)["vector"]
    ]


def wrong_vectors(key: str, way: str, numbers: str) -> list[tuple[bytes, str]]:
    """The vectors that a subject does not answer as its host should; `numbers`: integers or doubles."""
    asked = vectors()
    said = outcomes(key, way, *(one["data"] for one in asked))
    return [
        (one["data"], got)
        for one, got in zip(asked, said, strict=True)
        if got not in (one[numbers], *one.get("also", ()))
        and not (got.startswith("reject") and "reject" in one.get("also", ()))
    ]


def canary_failures(key: str, way: str) -> list[str]:
    """The subject's canaries that its worker does not pass."""
    found, _ = subject(key)
    said = outcomes(key, way, *(canary.text.encode() for canary in found.canaries))
    return [
        canary.text
        for canary, got in zip(found.canaries, said, strict=True)
        if got not in canary.expect and not ("reject" in canary.expect and got.startswith("reject"))
    ]
