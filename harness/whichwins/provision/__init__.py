"""Runtimes: finding what is there, starting subjects in it, building what is asked for."""

from whichwins.provision.build import build_ruby_wasm
from whichwins.provision.environment import worker_environment
from whichwins.provision.launches import Absent, launch
from whichwins.provision.provide import Sources, provide
from whichwins.provision.runtimes import Missing, Runtimes, probe

__all__ = [
    "Absent",
    "Missing",
    "Runtimes",
    "Sources",
    "build_ruby_wasm",
    "launch",
    "probe",
    "provide",
    "worker_environment",
]
