"""What every HTML page is made of: templates with autoescaping, inert data, one script, one style.

The page's own script and style are allowed by their hashes and nothing else is: a text that found its way
into the markup would still not run. All of it is ASCII and a function of what is rendered.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from whichwins.analysis.counting import plural
from whichwins.report.safe import plain

if TYPE_CHECKING:
    from collections.abc import Hashable

_UNSAFE = re.compile("[<>&]|#(?=#)")

_PARTS = {"comparison": ("map",)}
"""Scripts that a page has besides the one of its name."""


class Pool:
    """Things by number, each once, in the order in which they came."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._places: dict[Hashable, int] = {}

    def __call__(self, thing: Hashable) -> int:
        """The number of `thing`."""
        place = self._places.setdefault(thing, len(self.things))
        if place == len(self.things):
            self.things.append(thing)
        return place


def embedded(data: object) -> str:
    """JSON in ASCII that ends no element, opens no comment and is no command to a build service."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def page_of(name: str, data: object, **told: Any) -> str:
    """The page of the template and the script of that name, with `data` for the script."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    scripts = "".join(_asset(f"{each}.js") for each in ("core", *_PARTS.get(name, ()), name))
    script = f'(() => {{\n  "use strict";\n\n{scripts}}})();\n'
    style = _asset("page.css")
    rooms = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        loader=FunctionLoader(_asset),
    )
    rooms.filters.update(plain=plain, part=_part, number="{:,}".format, plural=plural)
    text = rooms.get_template(f"{name}.html.j2").render(
        script=script, style=style, policy=_policy(script, style), data=embedded(data), **told
    )
    return re.sub("#(?=#)", "&#35;", text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _part(text: str) -> str:
    """Part of an address within the page: of the printable text, which is what the script goes by."""
    return quote(plain(text), safe="/")


def _asset(name: str) -> str:
    return resources.files("whichwins.report").joinpath("assets", name).read_text("ascii")


def _policy(script: str, style: str) -> str:
    def digest(text: str) -> str:
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("ascii")).digest()).decode() + "'"

    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
