"""Building the Rust adapter: a program for each set of options that are decided when it is built."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from whichwins.provision.compiled import Order, Recipe, Toolchain, program
from whichwins.provision.missing import Missing
from whichwins.provision.steps import step

_REMEDY = "install Rust 1.88 or newer (rustup, or the packages cargo and rustc)"

PROGRAMS = ("plain", "preserve_order", "arbitrary_precision", "libraries")
"""The programs; each but the first is a feature of `Cargo.toml`."""


def _find(env: Mapping[str, str]) -> Toolchain | Missing:
    cargo = program(env, "WHICHWINS_CARGO", "cargo", ("--version", r"cargo (\S+)"), _REMEDY)
    if isinstance(cargo, Missing):
        return cargo
    rustc = program(env, "RUSTC", "rustc", ("--version", r"rustc (\S+)"), _REMEDY)
    if isinstance(rustc, Missing):
        return rustc
    return Toolchain({"cargo": cargo[0]}, {"cargo": cargo[1], "rustc": rustc[1]}, f"rustc {rustc[1]}")


def _build(order: Order) -> None:
    target = order.place / "target"
    env = {**order.env, "CARGO_TARGET_DIR": str(target), "ADAPTER_RUSTC": order.toolchain.parts["rustc"]}
    for name in PROGRAMS:
        order.progress(f"cargo build: {name}")
        features = () if name == "plain" else ("--features", name)
        command = [order.toolchain.programs["cargo"], "build", "--release", "--locked", "--quiet", *features]
        step(f"cargo build {name}", command, order.sources, env)
        shutil.copy2(target / "release" / "adapter", order.place / name)
    shutil.rmtree(target)


RECIPE = Recipe("four programs, 4 MB in the cache, a minute and a half on two cores", _find, _build)
