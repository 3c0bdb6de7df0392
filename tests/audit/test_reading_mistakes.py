"""Stack files that are wrong: one line each, with file, line, key and remedy."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest

from whichwins.audit.reading import MAX_BYTES, read_stack
from whichwins.audit.reading_request import MAX_TEMPLATE
from whichwins.model import Adapter, BadInput
from whichwins.subjects import load_adapters

EXECUTOR = '[[boundary]]\nname = "run"\nrole = "executor"\nsubject = "python/json"\n'
STACK = f'[stack]\nname = "x"\n{EXECUTOR}'
"""Six lines; the boundary after it begins on line 7, `name` is on 8, `role` on 9, the rest from 10 on."""


def second(rest: str, *, name: str = "b", role: str = "reviewer") -> str:
    return f'{STACK}[[boundary]]\nname = "{name}"\nrole = "{role}"\n{rest.rstrip()}\n'


def reading(*pairs: str) -> str:
    """Stores that read each other, `ab` for: a reads b."""
    text = "[stack]\nname = 'x'\n"
    for pair in pairs:
        name, reads = pair[0], pair[1]
        text += (
            f'[[boundary]]\nname = "{name}"\nrole = "executor"\nsubject = "python/json"\nreads = "{reads}"\n'
        )
    return text


def sent(rest: str) -> str:
    """A boundary with a request, its keys from line 12 on."""
    return second(f'asgi = "m:app"\n[boundary.request]\n{rest}')


HTTP = "executes = true\nhttp = "
VALUE = "subject = 'python/json'\n"

MISTAKES = [
    # The file
    ("", ": has no [stack]: write it, with name = "),
    ("stack = 1", ":1: `stack` must be a table: head it with [stack]"),
    ("[[stack]]", ":1: `stack` must be a table: head it with [stack]"),
    ("[stak]\nname = 'x'", ":1: unknown key `stak`: did you mean `stack`?"),
    ("[stack]\nname = 'x'\n[[boundaries]]", ":3: unknown key `boundaries`: did you mean `boundary`?"),
    (
        "[stack]\nname = 'x'\n[boundary]\nname = 'a'",
        ":3: `boundary` must be tables: head each with [[boundary]]",
    ),
    ("[stack]\nname = = 1", ":2: not TOML: "),
    # [stack]
    ("[stack]\n", ":1: [stack]: `name` is missing: say what the stack is called"),
    ("[stack]\nname = 3", ":2: [stack]: `name` must be a string: put it in quotes"),
    ("[stack]\nname = 'x'\ncontrols = 'a'", ":3: [stack]: `controls` must be a list of strings"),
    ("[stack]\nname = 'x'\nbuiltin = false", ":3: [stack]: `builtin` = false leaves no cases: name yours"),
    ("[stack]\nname = 'x'\nbuiltin = 0", ":3: [stack]: `builtin` must be true or false"),
    (second("call = 'm:f'\nsink-argument = 'a'"), ":11: [[boundary]] 2: `sink-argument` without a sink"),
    (
        second("call = 'm:f'\nsink = 'm:g'\nsink-argument = 'a b'"),
        ":12: [[boundary]] 2: `sink-argument` must be the name of a parameter",
    ),
    (second(f"{VALUE}sink-argument = 'a'"), ":11: [[boundary]] 2: `sink-argument` is for call, asgi or wsgi"),
    ("[stack]\nname = ' '", ":2: [stack]: `name` is empty: say what the stack is called"),
    ("[stack]\nname = 'a\\tb\tc'", ":2: [stack]: `name` must be one line of printable text"),
    (STACK.replace("name", "lenz = 1\nname", 1), ":2: [stack]: unknown key `lenz`: did you mean `lens`?"),
    (
        second(VALUE).replace("name", "lens = 'value'\nname", 1),
        ":2: [stack]: `lens`: did you mean `value/1`?",
    ),
    (
        second(VALUE).replace("name", "python = 3.12\nname", 1),
        ":2: [stack]: `python` must be a string: put it",
    ),
    # The policy
    (
        second(VALUE).replace("name", "policy = 'strict'\nname", 1),
        ":2: [stack]: `policy`: no layer is called so: there are rfc8259, i-json, jcs-input, ",
    ),
    (
        second(VALUE).replace("name", "policy = 'ijson'\nname", 1),
        ":2: [stack]: `policy`: no layer is called so: did you mean `i-json`?",
    ),
    (second(VALUE).replace("name", "policy = ['i-json']\nname", 1), ":2: [stack]: `policy` must be a string"),
    *(
        (f"{second(VALUE)}[stack.policy]\n{text}\n", said)
        for text, said in [
            ("max-dept = 3", ":12: [stack] policy: unknown key `max-dept`: did you mean `max-depth`?"),
            ("layer = 'x'", ":12: [stack] policy: `layer`: no layer is called so: there are"),
            (
                "layer = 'i-json'\nmax-bytes = 3",
                ':13: [stack] policy: `max-bytes`: i-json/1 has no limits: use layer = "strict-tool-input"',
            ),
            (
                "max-depth = 0",
                ":12: [stack] policy: `max-depth` must be a whole number of open arrays and objects",
            ),
            ("max-bytes = 1.5", ":12: [stack] policy: `max-bytes` must be a whole number of bytes, without"),
            ("names = 'a'", ":12: [stack] policy: `names` must be a list of strings"),
            ("names = [1]", ":12: [stack] policy: `names` must be a list of strings"),
            (
                "names = ['a',\n'b', 'a']",
                ":13: [stack] policy: `names`: element 3 is there already: leave it out",
            ),
            (
                "aliases = 1",
                ":12: [stack] policy: `aliases` must be a table: head it with [stack.policy.aliases]",
            ),
            ("aliases = { q = 1 }", ":12: [stack] policy aliases: an alias must be a string: write alias ="),
            (
                "aliases = { q = 'r', r = 's' }",
                ":12: [stack] policy aliases: an alias that is a name too: map",
            ),
            (
                "names = ['q']\naliases.q = 'q'",
                ":13: [stack] policy aliases: an alias that is a name too: map",
            ),
            (
                "names = ['x']\naliases.q = 'y'",
                ":13: [stack] policy aliases: an alias of a name that `names` d",
            ),
        ]
    ),
    # Boundaries together
    ("[stack]\nname = 'x'", ': no boundary has role = "executor": say who acts on the request'),
    (second(VALUE).replace("executor", "store"), ': no boundary has role = "executor": say who acts'),
    (STACK, ":3: [[boundary]] 1: there is no other boundary: add who reads the request beside the executor"),
    (
        second(VALUE, name="run"),
        ":8: [[boundary]] 2: `name`: the boundary on line 3 is called so too: rename one",
    ),
    (
        second(VALUE + "reads = 'rum'"),
        ":11: [[boundary]] 2: `reads`: no boundary is called so: did you mean `run`?",
    ),
    (
        second(VALUE + "reads = 'x'"),
        ":11: [[boundary]] 2: `reads`: no boundary is called so: there are run, b",
    ),
    (
        second(VALUE + "reads = 'b'"),
        ":11: [[boundary]] 2: `reads`: it reads itself: let one read the original",
    ),
    (
        reading("ab", "ba"),
        ":7: [[boundary]] 1: `reads`: a ring, a reads b reads a: let one read the original",
    ),
    (
        reading("ab", "bc", "cd", "db"),
        ":12: [[boundary]] 2: `reads`: a ring, b reads c reads d reads b: let one",
    ),
    (
        "[stack]\nname = 'x'\n" + "".join(EXECUTOR.replace("run", f"r{n}") for n in range(65)),
        ":259: [[boundary]] 65: more than 64 boundaries: make several stacks of it",
    ),
    # One boundary
    (second("rolle = 1"), ":10: [[boundary]] 2: unknown key `rolle`: did you mean `role`?"),
    (second("sink_runs = true"), ":10: [[boundary]] 2: unknown key `sink_runs`: did you mean `sink-runs`?"),
    (STACK + "[[boundary]]", ":7: [[boundary]] 2: `name` is missing: say what the boundary is called"),
    (
        second(VALUE, name="a b"),
        ":8: [[boundary]] 2: `name` must be letters, digits, '.', '_' and '-' of ASCII",
    ),
    (
        second(VALUE, name="-a"),
        ":8: [[boundary]] 2: `name` must be letters, digits, '.', '_' and '-' of ASCII",
    ),
    (
        second(VALUE, name="\\u00e9"),
        ":8: [[boundary]] 2: `name` must be letters, digits, '.', '_' and '-' of",
    ),
    (second(VALUE, name="a" * 61), ":8: [[boundary]] 2: `name` must be letters, digits, '.', '_' and '-' of"),
    (second(VALUE, role="reviewr"), ":9: [[boundary]] 2: `role`: did you mean `reviewer`?"),
    (
        second(VALUE, role="x"),
        ":9: [[boundary]] 2: `role`: write one of reviewer, validator, approver, executor, ",
    ),
    (
        STACK + "[[boundary]]\nname = 'b'\nsubject = 'python/json'",
        ":7: [[boundary]] 2: `role` is missing: write one of reviewer, validator, approver, executor, logger",
    ),
    (
        second(""),
        ":7: [[boundary]] 2: it is not said what the boundary is: say what it is, with one of subject, call, "
        "asgi, wsgi, http, command",
    ),
    (
        second(VALUE + "call = 'm:f'"),
        ":11: [[boundary]] 2: `subject` and `call` stand side by side: keep one",
    ),
    # Subjects
    (
        second("subject = 'python/jsn'"),
        ":10: [[boundary]] 2: `subject`: no subject python/jsn: did you mean python/",
    ),
    (
        second("subject = 'python/*'"),
        ":10: [[boundary]] 2: `subject` must be one key, no pattern: `whichwins subj",
    ),
    (
        second("subject = 'python/json@'"),
        ":10: [[boundary]] 2: `subject`: version '': write a version (3.9.15)",
    ),
    (second("subject = 1"), ":10: [[boundary]] 2: `subject` must be a string: put it in quotes"),
    (
        second(VALUE + "worker = true"),
        ":11: [[boundary]] 2: `worker` is for command, not for subject: leave it out",
    ),
    (
        second(VALUE + "request = {}"),
        ":11: [[boundary]] 2: `request` is for asgi, wsgi or http, not for subject: leave it out",
    ),
    (
        second(VALUE + "sink = 'm:f'"),
        ":11: [[boundary]] 2: `sink` is for call, asgi or wsgi, not for subject: leave",
    ),
    (
        second(VALUE + "executes = true"),
        ":11: [[boundary]] 2: `executes` is for http, not for subject: leave it out",
    ),
    # Functions and applications
    (
        second("call = 'm'"),
        ':10: [[boundary]] 2: `call` must be call = "module:name", dotted names of Python',
    ),
    (
        second("call = 'm:f()'"),
        ':10: [[boundary]] 2: `call` must be call = "module:name", dotted names of Python',
    ),
    (
        second("asgi = 'm:a b'"),
        ':10: [[boundary]] 2: `asgi` must be asgi = "module:name", dotted names of Python, or "module:name',
    ),
    (
        second("wsgi = 'm:class'"),
        ':10: [[boundary]] 2: `wsgi` must be wsgi = "module:name", dotted names of Pyth',
    ),
    (
        second("call = './m.py:f'"),
        ':10: [[boundary]] 2: `call` must be call = "module:name", dotted names of Pyt',
    ),
    (
        second("call = 'm:f'\nsink = 'f'"),
        ':11: [[boundary]] 2: `sink` must be sink = "module:name", dotted names',
    ),
    (
        second("call = 'm:f'\nsink-runs = true"),
        ":11: [[boundary]] 2: `sink-runs` without a sink: write sink =",
    ),
    (
        second("call = 'm:f'\ntransform = 'a:b:c'"),
        ':11: [[boundary]] 2: `transform` must be transform = "module',
    ),
    # What it is fed
    (
        second(VALUE + "raw = false"),
        ":11: [[boundary]] 2: `raw` is false, so `guarantee` is needed: say who promis",
    ),
    (
        second(VALUE + "guarantee = 'x'"),
        ":11: [[boundary]] 2: `guarantee` is for `raw` = false: add that, or leave",
    ),
    (second(VALUE + "raw = 'no'"), ":11: [[boundary]] 2: `raw` must be true or false, without quotes"),
    # Programs
    (second("command = 'x'"), ":10: [[boundary]] 2: `command` must be a list of strings: put it in brackets"),
    (
        second("command = []"),
        ':10: [[boundary]] 2: `command` is empty: write command = ["program", "argument"]',
    ),
    (
        second("command = ['a',\n'']"),
        ":11: [[boundary]] 2: `command`: element 2 must be a string on one line",
    ),
    (
        second("command = [\n'./gone']"),
        ":11: [[boundary]] 2: `command`: its program is not there: name it relative",
    ),
    # Services
    (
        second("http = 'http://127.0.0.1'"),
        ":10: [[boundary]] 2: `http` runs what it is sent: write executes = true",
    ),
    (
        second("http = 'http://127.0.0.1'\nexecutes = false"),
        ":11: [[boundary]] 2: `http` runs what it is sent: write executes = true, if that may happen there",
    ),
    (
        second(HTTP + "'http://example.org'"),
        ":11: [[boundary]] 2: `http` is not of this machine: write allow-remote",
    ),
    (
        second(HTTP + "'http://127.0.0.1.example'"),
        ":11: [[boundary]] 2: `http` is not of this machine: write allo",
    ),
    (
        second(HTTP + "'http://0.0.0.0'"),
        ":11: [[boundary]] 2: `http` is not of this machine: write allow-remote",
    ),
    (
        second(HTTP + "'http://2130706433'"),
        ":11: [[boundary]] 2: `http` is not of this machine: write allow-rem",
    ),
    (
        second(HTTP + "'http://localhost:99999'"),
        ':11: [[boundary]] 2: `http` is no address: write http = "http://1',
    ),
    (
        second(HTTP + "'http://localhost:0'"),
        ':11: [[boundary]] 2: `http` is no address: write http = "http://127',
    ),
    (
        second(HTTP + "'ftp://localhost'"),
        ':11: [[boundary]] 2: `http` is no address: write http = "http://127.0',
    ),
    (
        second(HTTP + "'localhost:8000'"),
        ':11: [[boundary]] 2: `http` is no address: write http = "http://127.0.',
    ),
    (
        second(HTTP + "'http://[::1'"),
        ':11: [[boundary]] 2: `http` is no address: write http = "http://127.0.0.1',
    ),
    (
        second(HTTP + "'http://me:s3cret@localhost'"),
        ":11: [[boundary]] 2: `http` holds a user: send it as a heade",
    ),
    (
        second(HTTP + "'http://localhost/x'"),
        ":11: [[boundary]] 2: `http` holds more than a host: write request =",
    ),
    (
        second(HTTP + "'http://localhost?'"),
        ":11: [[boundary]] 2: `http` holds more than a host: write request =",
    ),
    # Requests
    (sent("methd = 'GET'"), ":12: [[boundary]] 2 request: unknown key `methd`: did you mean `method`?"),
    (sent("method = 'GET /'"), ':12: [[boundary]] 2 request: `method` must be a word, as "POST"'),
    (
        sent("path = 'x'"),
        ":12: [[boundary]] 2 request: `path` must begin with / and be ASCII without spaces: write",
    ),
    (
        sent("path = '/a b'"),
        ":12: [[boundary]] 2 request: `path` must begin with / and be ASCII without spaces",
    ),
    (sent("slot = 'strng'"), ":12: [[boundary]] 2 request: `slot`: did you mean `string`?"),
    (
        sent("headers = 1"),
        ":12: [[boundary]] 2 request: `headers` must be a table: head it with [boundary.request.h",
    ),
    (
        sent("headers = { a = 1 }"),
        ":12: [[boundary]] 2 request headers: `a` must be a string of printable ASCII",
    ),
    (
        sent('headers.a = "x\\r\\ny: z"'),
        ":12: [[boundary]] 2 request headers: `a` must be a string of printable AS",
    ),
    (
        sent("headers.'a b' = 'x'"),
        ":12: [[boundary]] 2 request headers: the name of a header must be a word, as",
    ),
    (
        sent("headers.a = 'x'\nheaders.A = 'y'"),
        ":13: [[boundary]] 2 request headers: `A` is there already, in anot",
    ),
    (
        sent("headers.Content-Length = '3'"),
        ":12: [[boundary]] 2 request headers: `Content-Length` is not yours to",
    ),
    (
        sent("template = '{case}'"),
        ':12: [[boundary]] 2 request: `template` is for slot = "value" or "string": add',
    ),
    (
        sent("slot = 'value'"),
        ":11: [[boundary]] 2 request: `template` is missing: write the body, with {case} where",
    ),
    (
        sent("slot = 'value'\ntemplate = 1"),
        ":13: [[boundary]] 2 request: `template` must be a string: write the b",
    ),
    (
        sent("slot = 'value'\ntemplate = '[]'"),
        ":13: [[boundary]] 2 request: `template` must hold {case} once, whe",
    ),
    (
        sent("slot = 'value'\ntemplate = '[{case},{case}]'"),
        ":13: [[boundary]] 2 request: `template` must hold {case",
    ),
    (
        sent("slot = 'value'\ntemplate = '[\"{case}\"]'"),
        ':13: [[boundary]] 2 request: `template`: slot = "value" wants {case} without quotes around it',
    ),
    (
        sent("slot = 'string'\ntemplate = '[\"\\\"\", {case}]'"),
        ':13: [[boundary]] 2 request: `template`: slot = "string" wants it in quotes: write "{case}"',
    ),
    (
        sent("slot = 'value'\ntemplate = '[{case}'"),
        ":13: [[boundary]] 2 request: `template` is no JSON: correct it",
    ),
    (
        sent(f"slot = 'value'\ntemplate = '{'x' * MAX_TEMPLATE}{{case}}'"),
        ":13: [[boundary]] 2 request: `template` is over 65,536 characters: shorten it",
    ),
    # Exceptions
    *(
        (f"{second(VALUE)}[[allow]]\n{text}", said)
        for text, said in [
            (
                "subject = 'run'",
                ":12: [[allow]] 1: unknown key `subject`: the keys are boundary, case, cause, exp",
            ),
            (
                "until-version = '3'",
                ":12: [[allow]] 1: unknown key `until-version`: the keys are boundary, case,",
            ),
            (
                "case = '*'",
                ":11: [[allow]] 1: `boundary` is missing: write the name of a boundary, or a pattern",
            ),
            (
                "boundary = 'runn'",
                ":12: [[allow]] 1: `boundary`: no boundary is called so: did you mean `run`?",
            ),
            ("boundary = 'z*'", ":12: [[allow]] 1: `boundary`: no boundary is called so: there are run, b"),
            (
                "boundary = 'r*'\ncase = '*'\nkind = 'value-difers'",
                ":14: [[allow]] 1: `kind`: no kind is called so: d",
            ),
            ("boundary = 'b'\ncase = '*'\nkind = '*'", ":11: [[allow]] 1: `reason` is missing: say why"),
            (
                "boundary = 'b'\ncase = '*'\nkind = '*'\ncause = 'nmber'",
                ":15: [[allow]] 1: `cause`: no cause is ca",
            ),
        ]
    ),
]


@pytest.fixture(scope="module")
def adapters() -> tuple[Adapter, ...]:
    return load_adapters()


@pytest.mark.parametrize(("text", "said"), MISTAKES, ids=[said[:60] for _, said in MISTAKES])
def test_every_mistake_has_its_line(
    tmp_path: Path, adapters: tuple[Adapter, ...], text: str, said: str
) -> None:
    path = tmp_path / "stack.toml"
    path.write_bytes(text.encode())
    with pytest.raises(BadInput) as caught:
        read_stack(path, adapters)
    message = str(caught.value)
    assert message.startswith(f"{path.as_posix()}{said}"), message
    assert "\n" not in message
    assert "s3cret" not in message
    assert len(message) < len(path.as_posix()) + 400
    assert caught.value.exit_code == 2


def test_what_the_mistakes_start_from_is_right(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    path = tmp_path / "stack.toml"
    for text in (
        second(VALUE),
        sent(""),
        sent("slot = 'value'\ntemplate = '[{case}]'"),
        second("call = 'm:f'"),
    ):
        path.write_text(text)
        assert len(read_stack(path, adapters).boundaries) == 2


def test_files_that_cannot_be_read(tmp_path: Path, adapters: tuple[Adapter, ...]) -> None:
    with pytest.raises(BadInput, match=r"gone.toml: there is no such file: name one that is there"):
        read_stack(tmp_path / "gone.toml", adapters)
    path = tmp_path / "large.toml"
    path.write_text("#" * (MAX_BYTES + 1))
    with pytest.raises(BadInput, match="is over 1,048,576 bytes"):
        read_stack(path, adapters)


HOSTILE = [
    ("names", second(VALUE) + "[stack.policy]\nnames = [" + ",".join(f"'{n}'" for n in range(100_000)) + "]"),
    ("aliases", second(VALUE) + "[stack.policy.aliases]\n" + "".join(f"a{n} = 'b'\n" for n in range(80_000))),
    ("tables", second(VALUE) + "[[boundary]]\n" * 70_000),
    ("quotes", sent("slot = 'value'\ntemplate = '''" + '\\"' * 30_000 + "{case}'''")),
    ("tail", sent("slot = 'value'\ntemplate = '''[" + " " * 60_000 + "{case}]'''")),
    ("address", second(HTTP + f"'http://{'1.' * 400_000}'")),
    ("function", second(f"call = '{'a.' * 400_000}:f'")),
    ("subject", second(f"subject = 'python/{'a' * 900_000}'")),
    ("reads", second(VALUE + f"reads = '{'a' * 900_000}'")),
    ("key", second(f"{'a' * 900_000} = 1")),
    ("deep template", sent("slot = 'value'\ntemplate = '" + "[" * 20_000 + "{case}" + "]" * 20_000 + "'")),
]


@pytest.mark.parametrize("text", [text for _, text in HOSTILE], ids=[name for name, _ in HOSTILE])
def test_nothing_takes_long(tmp_path: Path, adapters: tuple[Adapter, ...], text: str) -> None:
    path = tmp_path / "stack.toml"
    path.write_text(text)
    start = time.process_time()
    with suppress(BadInput):
        read_stack(path, adapters)
    assert time.process_time() - start < 10
