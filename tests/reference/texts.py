"""Strategies for JSON texts, spelled in every way the grammar allows."""

from __future__ import annotations

from hypothesis import strategies as st

SPACE = st.sampled_from([b"", b"", b"", b" ", b"\n", b"\t\r\n "])
NUMBERS = st.one_of(
    st.from_regex(
        r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?",
        fullmatch=True,
        alphabet="+-.0123456789eE",
    ),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(2**54), 2**54).map(str),
).map(str.encode)
_CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters='"\\', min_codepoint=0x20).map(
    lambda character: character.encode("utf-8")
)
_ESCAPES = st.one_of(
    st.sampled_from([b'\\"', b"\\\\", b"\\/", b"\\b", b"\\f", b"\\n", b"\\r", b"\\t"]),
    st.integers(0, 0xFFFF).map(lambda unit: b"\\u%04x" % unit),
    st.integers(0xD800, 0xDFFF).map(lambda unit: b"\\u%04X" % unit),
)
_BAD = st.sampled_from(
    [b"\xff", b"\x80", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xc0\xaf", b"\xf0\x9f"]
)


def strings(bad: bool) -> st.SearchStrategy[bytes]:
    pieces = st.one_of(_CHARACTERS, _ESCAPES, _BAD) if bad else st.one_of(_CHARACTERS, _ESCAPES)
    return st.lists(pieces, max_size=6).map(lambda parts: b'"' + b"".join(parts) + b'"')


def names(bad: bool) -> st.SearchStrategy[bytes]:
    """Few and short, so that they repeat, in several spellings."""
    few = [
        b'"a"',
        b'"\\u0061"',
        b'"b"',
        b'"a~2"',
        b'""',
        b'"\\ud800"',
        b'"\xef\xbf\xbd"',
        b'"\xc3\xa9"',
        b'"\\u00E9"',
    ]
    return st.one_of(st.sampled_from([*few, b'"\xff"', b'"\xed\xa0\x80"'] if bad else few), strings(bad))


def texts(bad: bool = False) -> st.SearchStrategy[bytes]:
    """Texts of the grammar; with `bad`, bytes that are not UTF-8 stand in some strings."""
    scalars = st.one_of(st.sampled_from([b"null", b"true", b"false"]), NUMBERS, strings(bad))

    def containers(inner: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
        padded = st.builds(lambda left, value, right: left + value + right, SPACE, inner, SPACE)
        members = st.builds(lambda left, name, value: left + name + b":" + value, SPACE, names(bad), padded)
        return st.one_of(
            st.lists(padded, max_size=4).map(lambda parts: b"[" + b",".join(parts) + b"]"),
            st.lists(members, max_size=5).map(lambda parts: b"{" + b",".join(parts) + b"}"),
        )

    return st.recursive(scalars, containers, max_leaves=12)


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """A text with a few bytes changed, dropped, inserted or repeated."""
    data = bytearray(draw(texts()))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        end = draw(st.integers(at, len(data)))
        match draw(st.sampled_from(["insert", "replace", "drop", "repeat"])):
            case "insert":
                data[at:at] = draw(st.binary(min_size=1, max_size=2))
            case "replace":
                data[at : at + 1] = draw(
                    st.sampled_from(list(b'[]{}":,\\019.-+eE \t\n\f\x00tfn\x80\xff'))
                ).to_bytes()
            case "drop":
                del data[at:end]
            case _:
                data[at:at] = data[at:end]
    return bytes(data)
