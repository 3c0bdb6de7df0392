"""A case in its request: where it goes in the body, and which headers stand before it."""

import json
import re

SLOTS = ("body", "value", "string")
PLACE = b"{case}"
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_FRAMING = ("content-length", "transfer-encoding", "connection", "host", "expect")
_QUOTE = re.compile(rb'\\.|"', re.DOTALL)
_SHORT = {8: b"\\b", 9: b"\\t", 10: b"\\n", 12: b"\\f", 13: b"\\r", 34: b'\\"', 92: b"\\\\"}
_ESCAPED = re.compile(rb'[\x00-\x1f"\\]')


class Unsupported(Exception):
    """The case cannot be put into this request at all."""


def in_string(raw):
    """The inside of a JSON string whose text is exactly `raw`."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        raise Unsupported("the case is not UTF-8, so it cannot stand in a string") from None
    return _ESCAPED.sub(lambda found: _SHORT.get(found[0][0]) or b"\\u%04x" % found[0][0], raw)


class Template:
    """The request of a boundary, from its options. ValueError when it cannot be one."""

    def __init__(self, options):
        self.method, self.path = options.get("method", "POST"), options.get("path", "/")
        self.slot = options.get("slot", "body")
        if self.slot not in SLOTS:
            raise ValueError("slot %r is none of %s" % (self.slot, ", ".join(SLOTS)))
        if not self.path.startswith("/"):
            raise ValueError("path %r does not begin with /" % self.path)
        self.headers = [
            (key[7:].lower(), value) for key, value in options.items() if key.startswith("header.")
        ]
        template = options.get("template", "").encode()
        if self.slot != "body" and template.count(PLACE) != 1:
            raise ValueError("template must hold {case} once")
        self.before, _, self.after = template.partition(PLACE)
        inside = sum(found.group() == b'"' for found in _QUOTE.finditer(self.before)) % 2
        if self.slot == "string" and not inside:
            raise ValueError('slot "string": {case} must stand in quotation marks in template')
        if self.slot == "value" and inside:
            raise ValueError('slot "value": {case} must not stand in quotation marks in template')

    def body(self, case):
        if self.slot == "body":
            return case.raw
        return self.before + (in_string(case.raw) if self.slot == "string" else case.raw) + self.after

    def merged(self, case):
        """The request's headers, those of the case in the place of their namesakes.

        Those of the transport are made anew: a case that was received has them of the connection it came by.
        """
        theirs = [pair for pair in case.headers if pair[0] not in _FRAMING]
        own = {name for name, _ in theirs}
        return [pair for pair in self.headers if pair[0] not in own] + theirs

    def lines(self, case):
        """The headers as bytes, checked: fit to be sent."""
        out = []
        for name, value in self.merged(case):
            if not _TOKEN.fullmatch(name) or any(c in value for c in "\r\n\0"):
                raise Unsupported("a header of the case cannot be sent")
            try:
                out.append((name.encode("ascii"), value.encode("latin-1")))
            except UnicodeEncodeError:
                out.append((name.encode("ascii"), value.encode()))
        return out


def reader(kit, decimal):
    """A JSON reader that loses nothing: repeats stay, and a number keeps its spelling."""

    def number(text):
        return decimal(text)

    return json.JSONDecoder(object_pairs_hook=kit.Pairs, parse_float=number).decode
