"""Building the Java adapter: the locked libraries through Maven, then javac."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from whichwins.model import MeasurementFailed
from whichwins.provision.compiled import Order, Recipe, Toolchain, program
from whichwins.provision.missing import Missing
from whichwins.provision.record import digest
from whichwins.provision.steps import step

_OLDEST = 17
_REMEDY = "install a JDK, 17 or newer (apt-get install default-jdk-headless)"
_MAVEN = "install Maven (apt-get install maven)"
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

# Each library is named for itself: nothing comes in that the lock does not hold.
_POM = """<project><modelVersion>4.0.0</modelVersion><groupId>whichwins</groupId>
<artifactId>adapter</artifactId><version>1</version><packaging>pom</packaging><dependencies>{}</dependencies></project>
"""
_DEPENDENCY = (
    "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>"
    "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>"
)


class Locked(NamedTuple):
    """A library of the lock; `sha256` is that of its file."""

    group: str
    artifact: str
    version: str
    sha256: str

    @property
    def file(self) -> str:
        """The name of the file, in Maven's way."""
        return f"{self.artifact}-{self.version}.jar"


def locked(sources: Path) -> Iterator[Locked]:
    """The libraries in an adapter's `packages.lock`: a line each, parts separated by spaces."""
    for line in (sources / "packages.lock").read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            yield Locked(*line.split())


def _find(env: Mapping[str, str]) -> Toolchain | Missing:
    if home := env.get("JAVA_HOME"):
        env = {**env, "PATH": os.pathsep.join((str(Path(home, "bin")), env.get("PATH", "")))}
    javac = program(env, "WHICHWINS_JAVAC", "javac", ("-version", r"javac (\S+)"), _REMEDY)
    if isinstance(javac, Missing):
        return javac
    path, version = javac
    number = re.match(r"\d+", version)
    if number is None or int(number[0]) < _OLDEST:
        return Missing(f"javac is too old ({version})", _REMEDY)
    # The java of the same JDK: what is compiled for one may not run on another.
    java = Path(os.path.realpath(path)).with_name("java")
    if not os.access(java, os.X_OK):
        return Missing("no java beside javac", _REMEDY)
    return Toolchain(
        {"javac": path, "java": str(java)}, {"javac": version, "java": str(java)}, f"javac {version}"
    )


def _build(order: Order) -> None:
    maven = program(order.env, "WHICHWINS_MAVEN", "mvn", ("-v", r"Apache Maven (\S+)"), _MAVEN)
    if isinstance(maven, Missing):
        raise MeasurementFailed(f"{maven.reason}: {maven.install}")
    libraries, place = list(locked(order.sources)), order.place
    pom = place / "pom.xml"
    pom.write_text(_POM.format("".join(_DEPENDENCY.format(*each[:3]) for each in libraries)), "ascii")
    order.progress(f"mvn: {len(libraries)} locked libraries")
    asked = [maven[0], "-B", "-q", "-f", str(pom), _COPY, f"-DoutputDirectory={place / 'lib'}"]
    step("mvn copy-dependencies", asked, place, order.env)
    pom.unlink()
    for each in libraries:
        file = place / "lib" / each.file
        if not file.is_file() or digest(file) != each.sha256:
            raise MeasurementFailed(f"{each.file} from Maven is not the file of packages.lock")
    order.progress("javac")
    sources = sorted(str(path) for path in (order.sources / "src").glob("*.java"))
    options = ["--release", str(_OLDEST), "-encoding", "UTF-8"]
    command = [order.toolchain.programs["javac"], *options, "-d", str(place / "classes")]
    step("javac", [*command, "-cp", str(place / "lib" / "*"), *sources], place, order.env)
    # The virtual machine of this build, under one name.
    start = place / "java"
    start.write_text(f'#!/bin/sh\nexec {shlex.quote(order.toolchain.programs["java"])} "$@"\n')
    start.chmod(0o755)


RECIPE = Recipe("locked libraries, 8 MB in the cache, under a minute", _find, _build)
