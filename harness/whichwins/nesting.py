"""Deep texts made shallow: most of a deep JSON text is containers that hold one thing each."""

from __future__ import annotations

import itertools
import re

_OPENER = re.compile(r'\[|\{"[ !#-\[\]-~]*":')
_OPENERS = re.compile(rf"(?:{_OPENER.pattern})++")
_NAMES = re.compile(r'"[^"]*":')
_CLOSING = str.maketrans("[{", "]}")
# The innermost stay: they need not close where the run of closers begins.
_LEFT_WRAPPED = 100


def unwrapped(text: str) -> str:
    """What is left of `text` without containers that hold one thing each and enclose all the rest.

    Only arrays and members with plain names are taken away, without white space, and as many openers as
    closers: where what is left is a JSON value, so is `text`. Nothing else is claimed, and `text` comes
    back as it is where it is not deep.
    """
    return wrapping(text)[1]


def wrapping(text: str) -> tuple[str, str, str]:
    """What `unwrapped` takes off in front, what it leaves, and what it takes off at the end."""
    openers = _OPENERS.match(text)
    kinds = _NAMES.sub("", openers[0]) if openers else ""
    depth = min(len(kinds), len(text) - len(text.rstrip("]}"))) - _LEFT_WRAPPED
    if depth <= 0 or not text.endswith(kinds[:depth][::-1].translate(_CLOSING)):
        return "", text, ""
    start = depth
    if "{" in kinds:
        start = next(itertools.islice(_OPENER.finditer(text), depth - 1, None)).end()
    end = len(text) - depth
    return text[:start], text[start:end], text[end:]
