"""Seeded inputs: many small texts of every kind, and realistic traffic of 1 to 2 KB.

python benchmarks/generate.py small 20000 > small.jsonl      # a corpus for `whichwins run`
"""

from __future__ import annotations

import base64
import json
import math
import random
import statistics
import sys
from collections.abc import Callable

NAMES = (
    *("id", "name", "quantity", "amount", "price", "user", "type", "items", "a", "b", "x"),
    *("key", "total", "email", "note", "status", "city", "lang"),
)
PLAIN_WORDS = (
    *("order", "shipped", "pending", "refund", "invoice", "latte", "customer", "gift", "wrap", "express"),
    *("standard", "blue", "large", "returned", "partial", "approved", "the", "of", "and", "with", "for"),
    *("at", "noon", "tomorrow", "done", "delivery", "street", "number", "please", "before", "call", "urgent"),
)
OTHER_WORDS = ("Zürich", "café", "naïve", "Größe", "東京", "Łódź", "señor", "🎁")
WORDS = PLAIN_WORDS * 8 + OTHER_WORDS
ODD_STRINGS = ("", "\n", "a\tb", 'say "hi"', "\\", "\u2028", "\x7f", "é", "😀", "\x00", "__proto__", "a/b")
ODD_NUMBERS = (
    *("0", "-0", "1e5", "1E+2", "0.1", "-1.5e-7", "1e400", "9007199254740993"),
    *("123456789012345678901", "1.0", "100.25"),
)


def small(count: int, seed: int = 1) -> list[bytes]:
    """`count` texts of all sizes up to 2 KB, log-uniform, median about 30 bytes.

    A third is refused by a strict reader; 2 % repeat a name.
    """
    rng = random.Random(seed)
    texts = []
    while len(texts) < count:
        size = math.exp(rng.uniform(math.log(0.5), math.log(2000)))
        text = _value(rng, size, 0)
        if rng.random() < 0.02:
            name = rng.choice(NAMES)
            text = f'{{"{name}":{_scalar(rng)},"{name}":{_scalar(rng)}}}'
        data = text.encode("utf-8", "surrogatepass")
        if len(texts) % 3 == 2:
            data = _broken(rng, data)
        texts.append(data)
    return texts


def _value(rng: random.Random, size: float, depth: int) -> str:
    if size < 9 or depth > 12:
        return _scalar(rng)
    gap = rng.choice(("", "", "", " "))
    parts = []
    left = size - 2
    if rng.random() < 0.6:
        for name in rng.sample(NAMES, len(NAMES)):
            if left < 6:
                break
            part = f'"{name}":{gap}{_value(rng, min(left - 4, size * rng.random()), depth + 1)}'
            parts.append(part)
            left -= len(part) + 1
        return "{" + f",{gap}".join(parts) + "}"
    while left > 1:
        part = _value(rng, min(left, size * rng.random()), depth + 1)
        parts.append(part)
        left -= len(part) + 1
    return "[" + f",{gap}".join(parts) + "]"


def _scalar(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.30:
        return str(rng.randrange(10 ** rng.randrange(1, 8)))
    if kind < 0.42:
        return repr(round(rng.uniform(-1000, 1000), rng.randrange(1, 6)))
    if kind < 0.47:
        return rng.choice(ODD_NUMBERS)
    if kind < 0.60:
        return rng.choice(("true", "false", "null"))
    if kind < 0.66:
        return json.dumps(rng.choice(ODD_STRINGS), ensure_ascii=rng.random() < 0.5)
    text = " ".join(rng.choices(WORDS, k=rng.randrange(1, 4)))
    return json.dumps(text, ensure_ascii=rng.random() < 0.3)


def _broken(rng: random.Random, data: bytes) -> bytes:
    """Damage a text until the standard library refuses it."""
    while True:
        at = rng.randrange(len(data) + 1)
        how = rng.randrange(7)
        if how == 0:
            damaged = data[:at]
        elif how == 1:
            damaged = data[:at] + bytes([rng.choice(b'",:]}[{\\x1-.e\x00')]) + data[at:]
        elif how == 2:
            damaged = data[:at] + data[at + 1 :]
        elif how == 3:
            damaged = data + rng.choice((b",", b"}", b" x", b"\x00", b"//"))
        elif how == 4:
            damaged = data[:at] + bytes([rng.randrange(0x80, 0x100)]) + data[at:]
        elif how == 5:
            damaged = data.replace(b'"', b"'")
        else:
            damaged = data.replace(b"]", b",]").replace(b"}", b",}")
        try:
            json.loads(damaged)
        except (ValueError, RecursionError):
            return damaged


def traffic(count: int, seed: int = 1) -> list[bytes]:
    """`count` valid texts of 1 to 2 KB: orders, tool calls, measurements, records with text."""
    rng = random.Random(seed)
    kinds: tuple[Callable[[random.Random], object], ...] = (_order, _tool_call, _measurements, _records)
    texts: list[bytes] = []
    while len(texts) < count:
        value = rng.choice(kinds)(rng)
        space = rng.random() < 0.3
        text = json.dumps(
            value,
            ensure_ascii=rng.random() < 0.3,
            separators=(", ", ": ") if space else (",", ":"),
        )
        data = text.encode()
        if 1000 <= len(data) <= 2000:
            texts.append(data)
    return texts


def _identifier(rng: random.Random) -> int:
    return rng.randrange(10 ** rng.randrange(4, 17))


def _sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randrange(1, words + 1)))


def _order(rng: random.Random) -> object:
    items = [
        {
            "sku": f"SKU-{rng.randrange(10**6):06d}",
            "id": _identifier(rng),
            "quantity": rng.randrange(1, 20),
            "price": round(rng.uniform(1, 500), 2),
            "gift": rng.random() < 0.2,
            "note": _sentence(rng, 4) if rng.random() < 0.4 else None,
        }
        for _ in range(rng.randrange(5, 15))
    ]
    return {
        "order": _identifier(rng),
        "customer": {"id": _identifier(rng), "name": _sentence(rng, 3), "email": "a.person@example.org"},
        "items": items,
        "total": round(sum(item["price"] * item["quantity"] for item in items), 2),  # type: ignore[operator]
        "currency": rng.choice(("EUR", "USD", "JPY")),
        "created": "2024-05-17T09:21:44Z",
    }


def _tool_call(rng: random.Random) -> object:
    arguments = {
        "path": "/srv/data/" + "/".join(rng.choices(WORDS, k=3)),
        "content": "\n".join(_sentence(rng, 12) for _ in range(rng.randrange(8, 24))),
        "overwrite": rng.random() < 0.5,
        "mode": rng.choice(("0644", "0600")),
        "lines": [rng.randrange(1000) for _ in range(rng.randrange(20))],
    }
    return {
        "role": "assistant",
        "id": f"call_{rng.getrandbits(96):024x}",
        "calls": [{"type": "function", "function": {"name": "write_file", "arguments": arguments}}],
        "usage": {"prompt": rng.randrange(9000), "completion": rng.randrange(900), "cost": rng.random() / 50},
    }


def _measurements(rng: random.Random) -> object:
    return {
        "station": _sentence(rng, 2),
        "position": [rng.uniform(-180, 180), rng.uniform(-90, 90)],
        "series": {
            name: [round(rng.gauss(20, 8), rng.randrange(1, 7)) for _ in range(rng.randrange(15, 50))]
            for name in ("temperature", "humidity", "pressure")
        },
        "flags": [rng.random() < 0.9 for _ in range(rng.randrange(12))],
        "sequence": _identifier(rng),
    }


def _records(rng: random.Random) -> object:
    return [
        {
            "id": _identifier(rng),
            "title": _sentence(rng, 8),
            "tags": [rng.choice(WORDS) for _ in range(rng.randrange(5))],
            "score": rng.random(),
            "parent": None if rng.random() < 0.5 else {"id": _identifier(rng), "depth": rng.randrange(5)},
            "url": f"https://example.org/{rng.choice(WORDS)}/{rng.randrange(10**5)}?q=%C3%A9&n=1",
        }
        for _ in range(rng.randrange(4, 12))
    ]


SETS: dict[str, Callable[[int, int], list[bytes]]] = {"small": small, "traffic": traffic}


def described(texts: list[bytes]) -> str:
    """Sizes, and the share that the standard library refuses."""
    refused = 0
    for text in texts:
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            refused += 1
    sizes = [len(text) for text in texts]
    odd = sum(not text.isascii() or b"\\u" in text for text in texts)
    middle, mean = statistics.median(sizes), statistics.mean(sizes)
    return (
        f"{len(texts):,} texts, median {middle:.0f} bytes, mean {mean:.0f}, "
        f"{refused / len(texts):.0%} refused by json, {odd / len(texts):.0%} with characters beyond ASCII"
    )


def main() -> None:
    kind, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    texts = SETS[kind](count, seed)
    for text in texts:
        print(json.dumps({"base64": base64.b64encode(text).decode("ascii")}))
    print(described(texts), file=sys.stderr)


if __name__ == "__main__":
    main()
