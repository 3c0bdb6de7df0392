"""Building the C and C++ adapter: a program for each library whose headers are on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from whichwins.model import MeasurementFailed
from whichwins.provision.compiled import Order, Recipe, Toolchain, program
from whichwins.provision.missing import Missing
from whichwins.provision.record import digest
from whichwins.provision.steps import call, step


class Library(NamedTuple):
    """A library: the headers that show that it is here (any of them), what is linked, Debian's package."""

    headers: tuple[str, ...]
    link: tuple[str, ...]
    package: str


LIBRARIES = {
    "cjson": Library(("cjson/cJSON.h",), ("-lcjson",), "libcjson-dev"),
    "jansson": Library(("jansson.h",), ("-ljansson",), "libjansson-dev"),
    "jsonc": Library(("json-c/json_c_version.h",), ("-ljson-c",), "libjson-c-dev"),
    "yajl": Library(("yajl/yajl_version.h",), ("-lyajl",), "libyajl-dev"),
    "rapidjson": Library(("rapidjson/rapidjson.h",), (), "rapidjson-dev"),
    "nlohmann": Library(("nlohmann/json.hpp",), (), "nlohmann-json3-dev"),
    "jsoncpp": Library(("jsoncpp/json/version.h", "json/version.h"), ("-ljsoncpp",), "libjsoncpp-dev"),
    "simdjson": Library(("simdjson.h",), ("-lsimdjson",), "libsimdjson-dev"),
    "boost": Library(("boost/json.hpp",), ("-lboost_json",), "libboost-json1.81-dev"),
}
"""By the name of the program, which is that of its source."""

_OPTIONS = ("-std=c++17", "-O2", "-Wall", "-Wextra", "-Wno-missing-field-initializers")
_REMEDY = "install a C++ compiler (apt-get install g++)"


def _find(env: Mapping[str, str]) -> Toolchain | Missing:
    found = program(env, "WHICHWINS_CXX", "c++", ("--version", r"(.+)"), _REMEDY)
    if isinstance(found, Missing):
        return found
    path, version = found
    folders = _include_folders(path, env)
    headers = {name: header for name, one in LIBRARIES.items() if (header := _header(one, folders))}
    if not headers:
        every = " ".join(library.package for library in LIBRARIES.values())
        return Missing("none of the libraries is installed", f"apt-get install {every}")
    # A library's header changes with its version; Boost's is in a header beside.
    parts = {name: digest(header) for name, header in headers.items()}
    if "boost" in headers:
        parts["boost"] = digest(headers["boost"].parent / "version.hpp")
    return Toolchain({"c++": path}, {"c++": version, **parts}, version)


def _include_folders(compiler: str, env: Mapping[str, str]) -> list[Path]:
    """Where the compiler looks for headers."""
    command = [compiler, "-E", "-v", "-x", "c++", "/dev/null"]
    try:
        said = call("c++ -E", command, Path("/"), {**env, "LC_ALL": "C"}).said.decode("utf-8", "replace")
    except MeasurementFailed:
        return []
    listed = re.search(r"#include <\.\.\.> search starts here:\n(.*?)End of search list", said, re.DOTALL)
    lines = listed[1].splitlines() if listed else []
    return [Path(line.strip().partition(" (")[0]) for line in lines]


def _header(library: Library, folders: list[Path]) -> Path | None:
    places = (folder / header for folder in folders for header in library.headers)
    return next((place for place in places if place.is_file()), None)


def _build(order: Order) -> None:
    compiler, sources = order.toolchain.programs["c++"], order.sources
    there = [name for name in LIBRARIES if name in order.toolchain.parts]
    if absent := [library.package for name, library in LIBRARIES.items() if name not in there]:
        order.progress(f"left out, not installed here: {' '.join(absent)} (apt-get install)")
    version = re.sub(r"[^ -~]|[\"\\]", "?", order.toolchain.shown)
    kit = order.place / "kit.o"
    define = f'-DCOMPILER="{version}"'
    step(
        "c++ kit",
        [compiler, *_OPTIONS, define, "-c", "-o", str(kit), str(sources / "kit.cpp")],
        order.place,
        order.env,
    )

    def one(name: str) -> None:
        order.progress(f"c++ {name}")
        source, output = str(sources / f"{name}.cpp"), str(order.place / name)
        command = [compiler, *_OPTIONS, "-o", output, source, str(kit), *LIBRARIES[name].link, "-ldl", "-s"]
        step(f"c++ {name}", command, order.place, order.env)

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as at_once:
        for done in [at_once.submit(one, name) for name in there]:
            done.result()
    kit.unlink()


RECIPE = Recipe("a program a library, 10 MB in the cache, a minute on two cores", _find, _build)
