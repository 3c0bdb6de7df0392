"""What uv is told, and what its answers mean: as uv 0.5 and 0.13 word them."""

from __future__ import annotations

from pathlib import Path

import pytest

from whichwins.provision import Sources, uv
from whichwins.provision.steps import Done, _reason, places_of, without_places
from whichwins.provision.uv import origin, understood, uv_environment, without_credentials

NONE = "error: No solution found when resolving dependencies\n  cause: "
HINT = "\n\nhint: Wheels are required for `ujson` because building from source is disabled for all packages"
OLD = "  × No solution found when resolving dependencies:\n  ╰─▶ "


WORDS = [
    ("unfit", NONE + "Because ujson==5.2.0 has no usable wheels and you require ujson==5.2.0, we" + HINT),
    ("unfit", OLD + "Because ujson==5.2.0 has no usable wheels and you require\n      it" + HINT),
    (
        "unfit",
        NONE
        + "Because only orjson==3.9.15 is available and orjson==3.9.15 has no wheels with a matching Python "
        "version tag (e.g., `cp313`), we can conclude",
    ),
    (
        "unfit",
        NONE + "Because ujson<=5.7.0 has no usable wheels and only these versions of ujson are available:\n"
        "   ujson<=5.7.0\n   ujson>=5.8\n we can conclude" + HINT,
    ),
    (
        "unfit",
        NONE
        + "Because the current Python version (3.8.18) does not satisfy Python>=3.9 and only x is available",
    ),
    ("missing", NONE + "Because there is no version of ujson==5.2.77 and you require ujson==5.2.77, we"),
    ("missing", OLD + "Because there is no version of ujson==5.2.77 and you\n      require it" + HINT),
    ("missing", NONE + "Because only ujson<=6.1.0 is available and you require ujson>9999, we can"),
    ("unknown", NONE + "Because nope was not found in the package registry and you require nope==1, we"),
    ("unknown", NONE + "Because nope was not found in the provided package locations and you require it"),
    ("bad", NONE + "you require ujson<5 and ujson>6, which are incompatible"),
    (
        "bad",
        NONE
        + "Because you require orjson==3.9.15 and orjson==3.8, we can conclude that your requirements are "
        "unsatisfiable.",
    ),
    ("bad", "error: Failed to parse: `ujson==a b`\n  cause: expected version to start with a number"),
    (
        "network",
        "error: Request failed after 3 retries in 7.9s\n  cause: Failed to fetch: http://127.0.0.1:9/simple/x/\n"
        "  cause: client error (Connect)\n  cause: Connection refused (os error 111)",
    ),
    (
        "network",
        NONE + "Because ujson was not found in the cache and you require ujson==5.9.0, we can conclude\n\n"
        "hint: Packages were unavailable because the network was disabled.",
    ),
    (
        "network",
        NONE + "Because ujson was not found in the package registry and you require it, we can conclude\n\n"
        "hint: An index URL (https://x/simple) could not be queried due to a lack of valid authentication",
    ),
    ("failed", "error: Failed to build `ujson==5.2.0`\n  cause: The build backend returned an error"),
    ("failed", "error: something of another kind"),
    ("failed", ""),
]


@pytest.mark.parametrize(("refusal", "words"), WORDS)
def test_answers(refusal: str, words: str) -> None:
    answer = understood(Done(1, b"", words.encode()))
    assert answer.refusal == refusal
    assert answer.said
    assert answer.said.isascii()
    assert answer.said.isprintable()
    assert "No solution" not in answer.said


def test_what_could_not_be_fetched_is_said_with_the_last_cause() -> None:
    words = (
        "error: Request failed after 3 retries\n  cause: Failed to fetch: http://u:secret@h:9/simple/ujson/\n"
        "  cause: error sending request for url (http://h:9/simple/ujson/)\n"
        "  cause: Connection refused (os error 111)"
    )
    assert understood(Done(2, b"", words.encode())).said == (
        "http://h:9/simple/ujson/: Connection refused (os error 111)"
    )


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("see https://user:secret@host/simple/x for", "see https://host/simple/x for"),
        ("see https://secret@host/simple", "see https://host/simple"),
        ("see https://user:sec@ret@host/", "see https://host/"),
        ("see https://user:sec/ret@host/", "see https://host/"),
        ("see https://host/x?token=secret, and", "see https://host/x, and"),
        ("see https://host/x#secret", "see https://host/x"),
        ("two http://a:secret@b/ http://c:secret@d/", "two http://b/ http://d/"),
        ("orjson @ file", "orjson @ file"),
    ],
)
def test_credentials_are_not_shown(said: str, shown: str) -> None:
    assert without_credentials(said) == shown
    assert "secret" not in understood(Done(1, b"", f"error: {said}".encode())).said


def test_hostile_output_is_one_printable_line_without_places() -> None:
    said = (
        b"error: \x1b[31mred\x1b[0m\nat file:///home/somebody/secret/tree and /home/somebody/a.toml \xff\x00"
        + b"x" * 900
    )
    line = understood(Done(1, b"", said)).said
    assert line.startswith("red at tree and a.toml ??x")
    assert len(line) == 300
    assert line.isascii()
    assert line.isprintable()


def test_what_uv_is_called_with() -> None:
    env = {
        "PATH": "/p",
        "UV_PYTHON": "3.9",
        "UV_CONSTRAINT": "c.txt",
        "UV_RESOLUTION": "lowest",
        "UV_SYSTEM_PYTHON": "1",
        "UV_INDEX_URL": "http://a",
        "UV_CACHE_DIR": "/c",
        "UV_INDEX_PRIVATE_PASSWORD": "p",
        "VIRTUAL_ENV": "/v",
        "PYTHONPATH": "/x",
        "PYTHONHOME": "/y",
        "HTTPS_PROXY": "http://proxy",
    }
    made = uv_environment(env, Sources())
    assert made == {
        name: env[name]
        for name in ("PATH", "UV_INDEX_URL", "UV_CACHE_DIR", "UV_INDEX_PRIVATE_PASSWORD", "HTTPS_PROXY")
    }
    named = uv_environment(env, Sources("http://mine"))
    assert named["UV_DEFAULT_INDEX"] == "http://mine"
    assert "UV_INDEX_URL" not in named


def test_what_pip_is_told_is_told_to_uv_when_uv_is_not() -> None:
    env = {
        "PIP_INDEX_URL": "http://a",
        "PIP_EXTRA_INDEX_URL": "http://b http://c",
        "PIP_FIND_LINKS": "/w /v",
        "PIP_NO_INDEX": "false",
        "PIP_TRUSTED_HOST": "h",
        "PIP_CERT": "/cert",
    }
    made = uv_environment(env, Sources())
    assert {name: value for name, value in made.items() if name not in env} == {
        "UV_DEFAULT_INDEX": "http://a",
        "UV_EXTRA_INDEX_URL": "http://b http://c",
        "UV_FIND_LINKS": "/w,/v",
        "UV_NO_INDEX": "0",
        "UV_INSECURE_HOST": "h",
        "SSL_CERT_FILE": "/cert",
    }
    theirs = {
        "UV_INDEX_URL": "http://u",
        "UV_INDEX": "http://v",
        "UV_FIND_LINKS": "/u",
        "SSL_CERT_FILE": "/s",
    }
    kept = uv_environment({**env, **theirs}, Sources())
    assert {name: kept.get(name) for name in (*theirs, "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL")} == {
        **theirs,
        "UV_DEFAULT_INDEX": None,
        "UV_EXTRA_INDEX_URL": None,
    }
    assert uv_environment(env, Sources("http://mine"))["UV_DEFAULT_INDEX"] == "http://mine"


def test_where_packages_come_from_has_no_credentials(tmp_path: Path) -> None:
    one = origin({"UV_DEFAULT_INDEX": "https://user:first@host/simple", "HOME": str(tmp_path)})
    two = origin({"UV_DEFAULT_INDEX": "https://user:second@host/simple", "HOME": str(tmp_path)})
    assert one == two
    assert "first" not in one
    assert origin({"UV_DEFAULT_INDEX": "https://other/simple", "HOME": str(tmp_path)}) != one
    (tmp_path / ".config" / "uv").mkdir(parents=True)
    (tmp_path / ".config" / "uv" / "uv.toml").write_text("[[index]]")
    assert origin({"HOME": str(tmp_path)}) != origin({"HOME": "/nonexistent"})
    assert origin({"HOME": str(tmp_path), "UV_NO_CONFIG": "1"}) == origin({"HOME": "/nonexistent"})


def test_versions_are_ordered_by_number() -> None:
    assert sorted(["1.10", "1.9.1", "1.9", "2.0rc1", "10"], key=uv._order) == [
        "1.9",
        "1.9.1",
        "1.10",
        "2.0rc1",
        "10",
    ]


@pytest.mark.parametrize("place", ["/home/me/a dir", "/home/a b c/d e", "/srv/x (1)/[y]", "/home/me/ä ö"])
@pytest.mark.parametrize(
    "words",
    ["at {}/sub dir/x.whl: broken", "`{}/x.whl` is broken", "file://{}/x.whl: broken", "{}/a/b/x.whl"],
)
def test_a_place_with_spaces_is_not_named_either(place: str, words: str) -> None:
    said = f"error: {words.format(place)}".encode()
    for line in (
        understood(Done(1, b"", said), places_of({}, place)).said,
        _reason(said, places_of({"HOME": place})),
        _reason(said, places_of({}, Path(place))),
    ):
        assert "x.whl" in line
        assert not any(part in line for part in ("/", "home", "me", "a dir", "b c", "srv", "(1)", "sub dir"))


def test_folders_inside_one_another_are_all_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    places = places_of({"HOME": "/a b", "WHICHWINS_CACHE": "/a b/c d"}, None)
    assert without_places("in /a b/c d/e f/x.py and /a b/y.py", places) == "in x.py and y.py"
    assert without_places(f"{tmp_path}/z.py", places) == "z.py"
    assert without_places("http://host/a/b", places) == "http://host/a/b"
