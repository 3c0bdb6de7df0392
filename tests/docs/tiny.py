"""The tiny runs whose ledgers docs/ledger.md shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tests.docs.pages import DOCS, blocks, commands, read
from whichwins.cli import main

PAGE = DOCS / "ledger.md"

# A parser of everything, but for some words.
WORKER = """
import os, sys, time
out, inp = sys.stdout.buffer, sys.stdin.buffer
deaths = os.path.join(os.path.dirname(os.path.abspath(__file__)), "deaths")
while True:
    verb, number, length = (inp.readline() or b"bye 0 0").split()
    body = inp.read(int(length) + 1)[:-1]
    if verb == b"bye":
        os._exit(0)
    asked = [(number, body)]
    if verb == b"batch":
        asked, at = [], 0
        while at < len(body):
            start = body.index(b"\\n", at) + 1
            _, one, size = body[at:start].split()
            asked.append((one, body[start : start + int(size)]))
            at = start + int(size) + 1
    for number, text in asked:
        said, word = b"accept", b"1"
        if verb == b"hello":
            said, word = b"ready", b"protocol 1\\nruntime Demo 1\\ncapability parse\\n"
        elif text == b"no":
            said, word = b"reject", b"parse DemoError no is no"
        elif text == b"die":
            os.abort()
        elif text == b"die once":
            with open(deaths, "ab") as file:
                file.write(b".")
            if os.path.getsize(deaths) <= 1:
                os._exit(7)
        elif text == b"hang":
            time.sleep(60)
        elif text == b"babble":
            said = b"babble"
        elif text == b"cannot":
            said, word = b"unsupported", b"no way to say it"
        out.write(b"%b %b %d\\n%b\\n" % (said, number, len(word), word))
    out.flush()
"""
MANIFEST = """
protocol = 1
name = "demo"
about = "accepts everything, but for some words"

[[canary]]
text = "yes"
expect = ["1"]

[[canary]]
text = "no"
expect = ["reject"]

[[subject]]
key = "demo/odd"
family = "demo"
library = "demo"
entry = "demo(bytes)"
shim = "odd"
decode = "library"
rejects = ["DemoError"]
launch = [{ needs = "python", command = ["{python}", "{folder}/worker.py"] }]

[[subject]]
key = "demo/gone"
family = "demo"
library = "demo"
entry = "gone(bytes)"
shim = "gone"
decode = "library"
rejects = ["DemoError"]
install = "pip install gone"
launch = [{ command = ["no-such-program"] }]
"""
WORDS = ("die", "die once", "hang", "babble", "cannot")


def example(folder: Path) -> Path:
    """The run that the page shows, with the page's own family and command."""
    page = read(PAGE)
    (family,) = (block.text for block in blocks(page) if block.language == "toml")
    (folder / "tiny.toml").write_text(family, encoding="utf-8")
    (words,) = (words for words in commands(page, "whichwins") if "tiny.jsonl" in words and "run" in words)
    return run(folder, words, "tiny.jsonl")


def small(folder: Path) -> Path:
    """The same run, compact."""
    (words,) = (words for words in commands(read(PAGE), "whichwins") if "--compact" in words)
    return run(folder, words, "small.jsonl")


def kept(folder: Path) -> Path:
    """The same run without content, under the key of the page."""
    (words,) = (words for words in commands(read(PAGE), "whichwins") if "--digest-key" in words)
    return run(folder, words, "kept.jsonl")


def odd(folder: Path) -> Path:
    """A run of workers that end in every other way."""
    home = folder / "demo"
    home.mkdir()
    (home / "adapter.toml").write_text(MANIFEST, encoding="utf-8")
    (home / "worker.py").write_text(WORKER, encoding="utf-8")
    lines = [json.dumps({"id": word.replace(" ", "-"), "text": word}) for word in WORDS]
    (folder / "odd.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = ["run", "odd.jsonl", "--adapters", "demo", "-s", "demo/*", "--timeout", "2", "-o", "out.jsonl"]
    return run(folder, words, "out.jsonl")


def run(folder: Path, words: list[str], output: str) -> Path:
    inside = [
        str(folder / word) if re.fullmatch(r"[\w-]+\.(toml|jsonl)|demo", word) else word for word in words
    ]
    assert main(inside) == 0, words
    return folder / output


def lines_of(ledger: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ledger.read_text(encoding="ascii").splitlines()]
