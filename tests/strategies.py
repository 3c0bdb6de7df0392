"""Hypothesis strategies for values, shared by the tests.

`values()` draws everything the notation can say, `plain_values()` only what JSON can say and a
dictionary can hold. Write them with `whichwins.notation.write`.
"""

from __future__ import annotations

from hypothesis import strategies as st

from whichwins.model import Array, Binary64, Bytes, DecimalLiteral, Integer, Name, Object, Other, Value

_HOSTILE = ["", "a", "b", "é", "\u2028", "\U0001f600", "\ud83d", "\ude00", "\ud83d\ude00", '"\\/', "\x7f\x00"]
_REALS = ["0.0", "-0.0", "20.0", "1.1", "1e+16", "1e+20", "1e+22", "5e-324", "NaN", "Infinity", "-Infinity"]
_LITERALS = ["1.1", "1.10", "-0", "0e9", "1e999999999999", "-1e-999999999999", "007", "9007199254740993"]
_BITS53 = ["0", "20", "9007199254740992", "9007199254740993", "-9007199254740993", "1" + "0" * 25, "9" * 25]


def texts() -> st.SearchStrategy[str]:
    """Text with lone surrogates, and with high and low ones side by side as two code points."""
    return st.sampled_from(_HOSTILE) | st.text(st.characters() | st.sampled_from("\ud83d\ude00"), max_size=8)


def integers() -> st.SearchStrategy[Integer]:
    """Integers, some of them beside 2^53 or longer than any machine integer."""
    return (st.sampled_from(_BITS53) | st.integers().map(str)).map(Integer)


def reals() -> st.SearchStrategy[Binary64]:
    """All doubles, the special ones often."""
    drawn = st.floats().map(lambda number: repr(number).replace("inf", "Infinity").replace("nan", "NaN"))
    return (st.sampled_from(_REALS) | drawn).map(Binary64)


def literals() -> st.SearchStrategy[DecimalLiteral]:
    """Kept literals, with zeros at either end and exponents that must not be expanded."""
    drawn = st.from_regex(r"\A-?[0-9]{1,24}(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,4})?\Z")
    return (st.sampled_from(_LITERALS) | drawn).map(DecimalLiteral)


def numbers() -> st.SearchStrategy[Integer | Binary64 | DecimalLiteral]:
    """Numbers of all three types."""
    return integers() | reals() | literals()


def names() -> st.SearchStrategy[Name]:
    """Names of members: few different ones, so that they repeat."""
    return (
        st.sampled_from(["a", "b", "a/b", "m~n", "\ud800", "\ud83d\ude00"])
        | texts()
        | st.sampled_from([b"\xff", b"a"]).map(Bytes)
        | st.sampled_from(["int:1", "a"]).map(Other)
    )


def values(max_leaves: int = 12) -> st.SearchStrategy[Value]:
    """Every kind of value."""
    scalars: st.SearchStrategy[Value] = (
        st.none()
        | st.booleans()
        | texts()
        | numbers()
        | st.binary(max_size=6).map(Bytes)
        | st.text(max_size=6).map(Other)
    )
    return _nested(scalars, names(), max_leaves)


def plain_values(max_leaves: int = 12) -> st.SearchStrategy[Value]:
    """What JSON can say: no kept literals, no bytes, nothing foreign. Names may still repeat."""
    joined = st.text(max_size=8) | st.sampled_from(["", "a", "\ud83d", "\U0001f600"])
    scalars: st.SearchStrategy[Value] = st.none() | st.booleans() | joined | integers() | reals()
    return _nested(scalars, st.sampled_from(["a", "b", "c"]) | joined, max_leaves)


def _nested(
    scalars: st.SearchStrategy[Value], names: st.SearchStrategy[Name], leaves: int
) -> st.SearchStrategy[Value]:
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=4).map(Array) | st.lists(st.tuples(names, inner), max_size=4).map(Object)
        ),
        max_leaves=leaves,
    )
