"""Runtimes: finding what is there, starting subjects in it, building what is asked for."""

from whichwins.provision.build import build_ruby_wasm
from whichwins.provision.compiled import COMPILED, build_compiled
from whichwins.provision.environment import worker_environment
from whichwins.provision.launches import Absent, launch, launch_boundary, launch_command
from whichwins.provision.missing import Missing
from whichwins.provision.provide import Sources, provide
from whichwins.provision.revision import Revision
from whichwins.provision.runtimes import Runtimes, probe
from whichwins.provision.stored import Pruned, Stored, list_environments, locate, prune

__all__ = [
    "COMPILED",
    "Absent",
    "Missing",
    "Pruned",
    "Revision",
    "Runtimes",
    "Sources",
    "Stored",
    "build_compiled",
    "build_ruby_wasm",
    "launch",
    "launch_boundary",
    "launch_command",
    "list_environments",
    "locate",
    "probe",
    "provide",
    "prune",
    "worker_environment",
]
