"""Databases: values worked out by hand for every subject, the doctor, and that no server is left behind."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.adapters.client import ready
from tests.adapters.started import ADAPTERS, greeting, start
from tests.built.rows import HERE, ill, untested, wrong

pytestmark = pytest.mark.built

SYNTAX, ESCAPE = "reject parse InvalidTextRepresentation", "reject parse UntranslatableCharacter"
BYTES, MALFORMED = "reject decode CharacterNotInRepertoire", "reject parse MalformedJSON"
TWO = b'{"a":{"x":1},"b":0,"a":{"y":2}}'
ESCAPED = b'{"\\u0061":1,"a":2}'
ALL = '{"a":{"x":1},"b":0,"a":{"y":2}}'
TEXT = (b'"\\ud83d\\ude00\\/\xc3\xa9\\n"', '"\\ud83d\\ude00/\\u00e9\\n"')
NUMBERS = b"[20,20.0,1e2,-0,1e400,9007199254740993]"
KEPT = "[20,D20.0,D1e2,D-0,D1e400,9007199254740993]"
LONE, NUL, BAD, MORE, COMMA, MARK = (
    b'"\\ud800"',
    b'"\\u0000"',
    b'"\xff"',
    b"[1] 2",
    b"[1,]",
    b"\xef\xbb\xbf[1]",
)
ODD = (b'{"":1,"$":2,"a.b":3,"\\"":4,"%":5,"\'":6}', '{"":1,"$":2,"a.b":3,"\\"":4,"%":5,"\'":6}')

COMPUTED = MALFORMED if sqlite3.sqlite_version_info >= (3, 42) else 'X"text:no JSON"'

POSTGRESQL = [
    TEXT,
    (NUL, ESCAPE),
    (LONE, SYNTAX),
    (BAD, BYTES),
    (b'"a\x00b"', BYTES),
    (MORE, SYNTAX),
    (COMMA, SYNTAX),
    (MARK, SYNTAX),
    (b"NaN", SYNTAX),
    (b"", SYNTAX),
    (b"[[],{},[{}]]", "[[],{},[{}]]"),
]
MARIADB = [
    (NUMBERS, KEPT),
    TEXT,
    ODD,
    (NUL, '"\\u0000"'),
    (LONE, MALFORMED),
    (BAD, '"?"'),
    # Surrogates in UTF-8 pass; what follows such an answer is answered as ever.
    (b'{"a":"\xed\xa0\xb4\xed\xb4\x9e"}', '{"a":u"0000d8340000dd1e"}'),
    (b'{"a":"\xf0\x9d\x84"}', '{"a":"???"}'),
    (b'"a\x00b"', MALFORMED),
    (MORE, MALFORMED),
    (COMMA, MALFORMED),
    (MARK, MALFORMED),
    (b"", MALFORMED),
    (b"[[],{},[{}]]", "[[],{},[{}]]"),
    (b"[" * 40 + b"]" * 40, "reject parse TooDeep"),
]
TABLES = {
    # jsonb: the last one, the shortest names first, numeric (which has no -0).
    "databases/postgresql-jsonb": [
        (TWO, '{"a":{"y":2},"b":0}'),
        (ESCAPED, '{"a":2}'),
        (b'{"bb":1,"c":2}', '{"c":2,"bb":1}'),
        (b"[20,20.0,1e2,-0,9007199254740993]", "[20,D20.0,100,0,9007199254740993]"),
        (b"1e131072", "reject parse NumericValueOutOfRange"),
        *POSTGRESQL,
    ],
    # json is text: all pairs are there, and -> takes the last.
    "databases/postgresql-json-get": [
        (b"[" * 2001 + b"]" * 2001, "unsupported"),
        (b"[" * 2001 + b"]" * 2002, SYNTAX),  # a verdict comes before a bound
        (b'{"b":1,"a":2,"b":{"c":3},"a":4}', '{"b":{"c":3},"a":4}'),
        (TWO, '{"a":{"y":2},"b":0}'),
        (ESCAPED, '{"a":2}'),
        (NUMBERS, KEPT),
        ODD,
        *POSTGRESQL,
    ],
    "databases/postgresql-json-each": [
        (b"[" * 2001 + b"]" * 2001, "unsupported"),
        (TWO, ALL),
        (ESCAPED, '{"a":1,"a":2}'),
        (NUMBERS, KEPT),
        ODD,
        *POSTGRESQL,
    ],
    # Names are compared as they are spelled: "\u0061" is not found under `a`.
    "databases/mariadb-extract": [
        (TWO, '{"a":{"x":1},"b":0}'),
        (ESCAPED, '{"a":2}'),
        (b'{"\\u0061":1}', '{"a":X"missing"}'),
        (b"[1.,-]", '[X"number:1.",X"missing"]'),
        (b"[" + b"0," * 4000 + b"0]", "unsupported"),
        (b"[" + b"0," * 4000 + b"0", MALFORMED),  # a verdict comes before a bound
        *MARIADB,
    ],
    "databases/mariadb-table": [
        (TWO, '{"a":{"x":1},"b":0}'),
        (b'{"a":1,"a":2}', '{"a":1}'),
        (b"[" + b"[]," * 2000 + b"[]]", "unsupported"),
        *MARIADB,
    ],
    # It reads escapes in names and passes over what is no scalar: the first number after an object.
    "databases/mariadb-value": [
        (TWO, '{"a":{"x":1},"b":0}'),
        (ESCAPED, '{"a":1}'),
        (b'{"a":{"x":1},"a":3}', '{"a":3}'),
        (b'{"a":[1],"a":"s","a":"t"}', '{"a":"s"}'),
        (b'{"a":null,"a":1}', '{"a":null}'),
        (b'{"a":true,"b":"1","c":false,"d":1}', '{"a":true,"b":"1","c":false,"d":1}'),
        (b"[1.,-]", '[X"number:1.",X"number:-"]'),
        (b"[" + b"[]," * 2000 + b"[]]", "unsupported"),
        *MARIADB,
    ],
    "databases/mariadb-compact": [
        (TWO, ALL),
        (ESCAPED, '{"a":1,"a":2}'),
        (b"[1.,-,1e]", '[X"number:1.",X"number:-",X"number:1e"]'),
        *MARIADB,
    ],
    "databases/sqlite-json": [
        (TWO, ALL),
        (ESCAPED, '{"a":1,"a":2}'),
        (NUMBERS, KEPT),
        TEXT,
        (NUL, '"\\u0000"'),
        (COMMA, MALFORMED),
        (MORE, MALFORMED),
        # SQLite 3.40 takes this for JSON; what it writes is none.
        (b'{["a"]:1}', COMPUTED),
    ],
}


def test_every_subject_has_rows() -> None:
    assert untested("databases", TABLES) == []


@pytest.mark.parametrize("key", TABLES)
def test_values_worked_out_by_hand(key: str) -> None:
    assert wrong(key, TABLES[key]) == []


def test_the_doctor_finds_all_of_them_well() -> None:
    assert ill("databases/*") == {}


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("databases/postgresql-jsonb", ("library postgresql 1", "detail encoding=UTF8")),
        ("databases/mariadb-extract", ("library mariadb 1", "detail sql_mode=STRICT_TRANS_TABLES")),
    ],
)
def test_the_identity_says_the_server(key: str, said: tuple[str, ...]) -> None:
    lines = ready(start(key, HERE).argv, greeting(key)).text.splitlines()
    for beginning in said:
        assert any(line.startswith(beginning) for line in lines), lines


def kept(kind: str) -> subprocess.Popen[bytes]:
    keeper = [sys.executable, str(ADAPTERS / "databases" / "keeper.py"), kind]
    return subprocess.Popen(keeper, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def gone(path: Path) -> bool:
    until = time.monotonic() + 20
    while path.exists() and time.monotonic() < until:
        time.sleep(0.05)
    return not path.exists()


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_nothing_is_left_when_the_worker_is_killed(kind: str) -> None:
    """The keeper hears of it by its pipe; signals to it are meant for others."""
    with kept(kind) as keeper:
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        said = keeper.stdout.readline().decode()
        assert said.startswith("ready ")
        folder = Path(said[6:].strip()).parent.parent
        assert folder.is_dir()
        keeper.send_signal(signal.SIGTERM)
        assert keeper.poll() is None
        keeper.stdin.close()
        assert keeper.wait(20) == 0
        assert gone(folder)


def test_servers_share_no_folder_for_temporary_tables() -> None:
    """One that starts deletes what it finds there: the others' queries failed now and then."""
    import pymysql

    with kept("mariadb") as keeper:
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        at = Path(keeper.stdout.readline().decode().removeprefix("ready ").strip())
        with pymysql.connect(unix_socket=str(at), user="root") as connection:
            cursor = connection.cursor()
            cursor.execute("SELECT @@tmpdir")
            ((place,),) = cursor.fetchall()
        assert Path(place).is_relative_to(at.parent.parent)
        keeper.stdin.close()


def test_a_server_that_is_named_and_not_there_makes_it_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its words could hold a password: only the name of the variable is told."""
    for key, name, value in (
        ("databases/postgresql-jsonb", "WHICHWINS_POSTGRESQL", "host=127.0.0.1 port=1 password=hunter2"),
        ("databases/mariadb-extract", "WHICHWINS_MARIADB", "mysql://root:hunter2@127.0.0.1:1"),
    ):
        launched = start(key, HERE)
        env = {**(launched.env or os.environ), name: value}
        answer = ready(launched.argv, greeting(key), env=env)
        assert answer.verb == "fault"
        assert answer.text == f"NoServer {name}: OperationalError"
