"""Reads JSON that a database wrote, with every pair and every digit, without recursion.

What it wrote is well-formed; what is not raises ValueError, which is nobody's verdict.
"""

import json
import re

TOKEN = re.compile(r'[ \t\n\r]*(?:(["{}\[\],:])|([-+.0-9eE]+)|(true|false|null))')
DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")
WORDS = {"true": True, "false": False, "null": None}
QUOTED = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
INTEGER = re.compile(r"(?!-0)-?[0-9]{1,300}\Z")
string = json.decoder.scanstring


class Decimal:
    """A number with its digits, as it is spelled: the kit asks for just this of a type of this name."""

    def __init__(self, text):
        self.text = text

    def is_finite(self):
        return True

    def __str__(self):
        return self.text


class Spelled:
    """What JSON has not and a database took for it, as it is spelled."""

    __module__ = "builtins"

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text

    def __hash__(self):
        return hash(self.text)

    def __eq__(self, other):
        return type(other) is type(self) and other.text == self.text


Number = type("number", (Spelled,), {"__module__": "builtins"})
"""A number such as `1.`, `-`, `1e`."""
String = type("string", (Spelled,), {"__module__": "builtins"})
"""The inside of a string with such an escape as `\\U0041`."""
Text = type("text", (Spelled,), {"__module__": "builtins"})
"""A whole text that is no JSON, without the text: SQLite 3.40 writes some with what it read before."""


def number(text):
    """An integer as one, anything else with its digits: databases keep them."""
    if INTEGER.match(text):
        return int(text)
    return Decimal(text) if DECIMAL.match(text) else Number(text)


def quoted(text, at):
    """A string whose text begins at `at`, behind the mark, and where it ends."""
    try:
        return string(text, at, False)
    except ValueError:
        found = QUOTED.match(text, at)
        if not found:
            raise
        return String(found[0][:-1]), found.end()


def whatever(kit, text):
    """The value of a text, or the text itself where a database wrote what is no JSON."""
    try:
        return value(kit, text)
    except ValueError:
        return Text("no JSON")


def value(kit, text):
    """The value of a text: objects as `kit.Pairs`, numbers as they are spelled."""
    root, at = [], 0
    stack, name = [(root, None)], None
    while True:
        found = TOKEN.match(text, at)
        if not found:
            if text[at:].strip(" \t\n\r") or len(stack) > 1 or not root:
                raise ValueError("not well-formed at %d" % at)
            return root[0]
        mark, digits, word = found.groups()
        at = found.end()
        items, pairs = stack[-1]
        if mark in (",", ":"):
            continue
        if mark in ("}", "]"):
            if (mark == "}") is not (pairs is not None) or len(stack) == 1:
                raise ValueError("not well-formed at %d" % at)
            stack.pop()
            continue
        if mark != '"' and pairs is not None and name is None:
            raise ValueError("no name at %d" % at)
        if mark == '"':
            item, at = quoted(text, at)
            if pairs is not None and name is None:
                name = (item,)
                continue
        elif mark == "{":
            item = kit.Pairs([])
        elif mark == "[":
            item = []
        else:
            item = number(digits) if digits else WORDS[word]
        if pairs is None:
            items.append(item)
        else:
            pairs.append([name[0], item])
            name = None
        if mark == "{":
            stack.append((None, item.pairs))
        elif mark == "[":
            stack.append((item, None))
