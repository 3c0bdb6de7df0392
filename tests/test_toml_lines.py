"""Lines of TOML keys: by hand, and against a writer that knows where it wrote what."""

from __future__ import annotations

import json
import random
import re
import time
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whichwins.toml_lines import Path, locate

ODD = """\
# [comment]
a = 1
"q.u" . 'x' = [1, # ]
  "a]b", [ 2,
 {z = 1, y.w = "}", v = [ \"\"\"
[[allow]]
\"\"\" ]} ], 1979-05-27 07:32:00, ]
s = \"\"\"
[not.header]
k = 3
\"\"\"
[[allow]]
subject = "x"  # [[allow]]
[allow.sub]
t = '''a''
[[allow]]
b''''
[ tool . "which\\u0077ins" ]
d = {}
[[allow]]
reason = "r"
[[allow.inner]]
i = 1
[[ allow . inner ]]
i = 2
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_lines_of_odd_toml(ending: str) -> None:
    lines = locate(ODD.replace("\n", ending))
    expected: dict[Path, int] = {
        ("a",): 2,
        ("q.u",): 3,
        ("q.u", "x"): 3,
        ("q.u", "x", 0): 3,
        ("q.u", "x", 1): 4,
        ("q.u", "x", 2, 0): 4,
        ("q.u", "x", 2, 1, "z"): 5,
        ("q.u", "x", 2, 1, "y", "w"): 5,
        ("q.u", "x", 2, 1, "v", 0): 5,
        ("q.u", "x", 3): 7,
        ("s",): 8,
        ("allow",): 12,
        ("allow", 0): 12,
        ("allow", 0, "subject"): 13,
        ("allow", 0, "sub"): 14,
        ("allow", 0, "sub", "t"): 15,
        ("tool", "whichwins"): 18,
        ("tool", "whichwins", "d"): 19,
        ("allow", 1): 20,
        ("allow", 1, "reason"): 21,
        ("allow", 1, "inner", 0): 22,
        ("allow", 1, "inner", 0, "i"): 23,
        ("allow", 1, "inner", 1): 24,
        ("allow", 1, "inner", 1, "i"): 25,
    }
    assert {path: lines.known.get(path) for path in expected} == expected
    assert not [path for path in lines.known if path[0] in ("not", "k", "comment", "b")]


def test_what_is_not_known_has_the_line_of_what_it_stands_in() -> None:
    lines = locate("\n[[allow]]\n\n[[allow]]\nsubject = 1\n")
    assert lines.at("allow", 1, "reason") == 4
    assert lines.at("allow", 7) == 2
    assert lines.at("nothing") == 1
    assert lines.at() == 1


def test_below_the_depth_nothing_is_looked_at_and_what_follows_is_found() -> None:
    text = "a = [{ b = [\n\"]\", # ]\n'}'\n] }]\nc = 1\n"
    assert locate(text, depth=1).known == {("a",): 1, ("c",): 5}


@pytest.mark.parametrize(
    "text",
    ['a = "', "a = [,,", "a = [}", "= 1", "[[[", 'a = ["', "a = {b", "\ufeffa = 1", "a = '''", "["],
)
def test_text_that_is_no_toml_ends(text: str) -> None:
    assert isinstance(locate(text).known, dict)


@pytest.mark.parametrize(
    "text",
    [
        "a = [" + "1," * 200_000 + "]",
        "a = " + "[" * 200_000 + "]" * 200_000,
        'a = "' + "\\\\" * 200_000 + '"',
        'a = """' + '""x' * 100_000 + '"""',
        "#" * 400_000,
        "a = [" + "#\n" * 200_000 + "]",
        "x." * 60 + "y = 1\n",
    ],
    ids=["array", "nesting", "string", "lines", "comment", "comments", "parts"],
)
def test_time_is_linear(text: str) -> None:
    start = time.process_time()
    locate(text)
    assert time.process_time() - start < 5


TEXTS = st.sampled_from(
    ["", "x", "[[t]]\nk = 1\n", '"', "'", "\\", "]", "}", "#", '"""', "'''", "a\nb\n", "é = [", ",", "="]
)
KEYS = st.sampled_from(["k", "key-1", "a.b", "", "é", "=", "]", "#", '"', "'", "[[t]]", "a b", "tab\t"])
SCALARS = st.one_of(TEXTS, st.integers(-9, 9), st.booleans(), st.just(1.5))
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=6,
)
TABLES = st.dictionaries(KEYS, VALUES, max_size=4)
NAMES = st.lists(KEYS, min_size=1, max_size=3)
Choose = Callable[[int], int]


class Writer:
    """TOML text, and the line on which each path was written."""

    def __init__(self, choose: Choose) -> None:
        self.text = ""
        self.choose = choose
        self.lines: dict[Path, int] = {}

    def note(self, path: Path) -> None:
        self.lines.setdefault(path, self.text.count("\n") + 1)

    def key(self, name: str) -> None:
        plain = name.isascii() and name.replace("-", "").isalnum()
        forms = [json.dumps(name)] + [name] * plain + [f"'{name}'"] * ("'" not in name and "\t" not in name)
        self.text += forms[self.choose(len(forms))]

    def space(self) -> None:
        """Inside an array, where lines and comments may stand."""
        self.text += ["", " ", "\n", ' # "]}\n', "\n\n  "][self.choose(5)]

    def string(self, text: str) -> None:
        quoted = re.sub(r'"(?="")|"\Z', r'\\"', text.replace("\\", "\\\\"))
        forms = [json.dumps(text), f'"""\n{quoted}"""']
        if "'" not in text:
            forms += [f"'''{text}'''"]
        self.text += forms[self.choose(len(forms))]

    def value(self, value: Any, path: Path) -> None:
        if isinstance(value, dict):
            self.text += "{"
            for number, (name, each) in enumerate(value.items()):
                self.text += ", " if number else " "
                self.note((*path, name))
                self.key(name)
                self.text += " = "
                self.value(each, (*path, name))
            self.text += " }"
        elif isinstance(value, list):
            self.text += "["
            for number, each in enumerate(value):
                self.space()
                self.note((*path, number))
                self.value(each, (*path, number))
                self.space()
                self.text += ","
            self.space()
            self.text += "]"
        elif isinstance(value, str):
            self.string(value)
        else:
            self.text += json.dumps(value)

    def table(self, items: dict[str, Any], path: Path) -> None:
        for name, each in items.items():
            self.text += ["", "\n", "  ", "# [no.table]\n"][self.choose(4)]
            self.note((*path, name))
            self.key(name)
            self.text += "="
            self.value(each, (*path, name))
            self.text += ["\n", " # [[no]] '\n"][self.choose(2)]

    def header(self, names: list[str], path: Path, brackets: int) -> None:
        for number in range(1, len(names) + 1):
            self.note(tuple(names[:number]))
        self.note(path)
        self.text += "[" * brackets
        for number, name in enumerate(names):
            self.text += " . " if number else ""
            self.key(name)
        self.text += "]" * brackets + "\n"


@given(
    st.integers(0, 2**32),
    TABLES,
    st.dictionaries(NAMES.map(tuple), TABLES, max_size=2),
    st.lists(TABLES, max_size=3),
)
def test_lines_are_where_the_writer_wrote(
    seed: int,
    top: dict[str, Any],
    tables: dict[tuple[str, ...], dict[str, Any]],
    rows: list[dict[str, Any]],
) -> None:
    writer = Writer(random.Random(seed).randrange)
    writer.table(top, ())
    for number, (names, items) in enumerate(tables.items()):
        writer.header([f"table-{number}", *names], (f"table-{number}", *names), 1)
        writer.table(items, (f"table-{number}", *names))
    for number, items in enumerate(rows):
        writer.header(["rows"], ("rows", number), 2)
        writer.table(items, ("rows", number))
    read = tomllib.loads(writer.text)
    assert {name: read[name] for name in top} == top
    assert read.get("rows", []) == rows
    assert locate(writer.text, depth=99).known == writer.lines
    ending = writer.text.replace("\n", "\r\n")
    assert locate(ending, depth=99).known == writer.lines
    shallow = locate(writer.text, depth=2).known
    assert shallow.items() <= writer.lines.items()
    assert {path for path in writer.lines if len(path) <= 2} <= shallow.keys()
