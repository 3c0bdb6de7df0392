from __future__ import annotations

import json

import pytest

from whichwins.model import BadInput
from whichwins.reference import STRICT_TOOL_INPUT, Accepted, Policy, Rejected, guard
from whichwins.reference.guard import Shadowed

SECRET = b'{"user":{"s3cret-name":"s3cret-value","n":1},"s3cret-name":[1,{"s3cret-name":2,"s3cret-name":3}]}'


def rejected(data: bytes, policy: Policy = STRICT_TOOL_INPUT, **options: object) -> Rejected:
    answer = guard(data, policy, **options)  # type: ignore[call-overload]
    assert isinstance(answer, Rejected)
    return answer


def accepted(data: bytes, policy: Policy = STRICT_TOOL_INPUT, **options: object) -> Accepted:
    answer = guard(data, policy, **options)  # type: ignore[call-overload]
    assert isinstance(answer, Accepted)
    return answer


def test_an_accepted_value_is_plain_python() -> None:
    answer = accepted(b'{"a":[1,-0,2.50,1e2,"\\u00e9\\ud83d\\ude00"],"b":{"c":null,"d":[true,false,{}]}}')
    assert json.dumps(answer.value, ensure_ascii=False) == (
        '{"a": [1, 0, 2.5, 100.0, "é😀"], "b": {"c": null, "d": [true, false, {}]}}'
    )
    assert (
        answer.notation == '{"a":[1,0,2.5,100.0,"\\u00e9\\ud83d\\ude00"],"b":{"c":null,"d":[true,false,{}]}}'
    )
    assert (answer.policy, answer.correlation_id) == ("strict-tool-input/1", None)


@pytest.mark.parametrize(
    ("data", "value"), [(b"null", None), (b"7", 7), (b'"x"', "x"), (b"-0.0", -0.0), (b"[]", [])]
)
def test_scalars_at_the_top(data: bytes, value: object) -> None:
    assert accepted(data).value == value


def test_a_rejection_tells_clause_and_place() -> None:
    answer = rejected(b'{"quantity":2,"quantity":20}', correlation_id="call-7")
    assert answer == Rejected(
        kind="repeated-name",
        clause="strict-tool-input: names once per object",
        offset=14,
        path="#1",
        policy="strict-tool-input/1",
        correlation_id="call-7",
    )
    assert str(answer) == (
        "rejected under strict-tool-input/1: strict-tool-input: names once per object "
        "(byte 14, at #1) [call-7]"
    )


def test_content_is_shown_on_request_only() -> None:
    answer = rejected(SECRET)
    assert answer.path == "#1/#1/#1"
    assert "s3cret" not in repr(answer) + str(answer)
    assert "s3cret" not in repr(guard(SECRET, mode="shadow"))
    assert rejected(SECRET, show_names=True).pointer == "/s3cret-name/1/s3cret-name"


def test_no_pointer_where_the_text_is_not_in_the_grammar() -> None:
    assert rejected(b'{"a":[1,', show_names=True).pointer is None


def test_the_first_problem_is_the_one_told() -> None:
    assert rejected(b'{"a":1e999,"a":2}').kind == "number-overflow"
    assert rejected(b'{"\\ud800":1,"b":01}').kind == "surrogate"
    assert rejected(b'{"\\ud800":0,"\\ud800":1}').offset == 2
    assert rejected(b'[0,{"a":1,"a":2},').kind == "repeated-name"


def test_shadow_counts_and_never_rejects() -> None:
    answer = guard(b'{"a":1,"a":2,"a":3,"b":1e999}', mode="shadow", correlation_id="x")
    assert isinstance(answer, Shadowed)
    assert dict(answer.counts) == {"repeated-name": 2, "number-overflow": 1}
    assert answer.rejected is not None
    assert (answer.rejected.kind, answer.rejected.offset, answer.correlation_id) == ("repeated-name", 7, "x")
    assert dict(guard(b"[1]", mode="shadow").counts) == {}
    assert dict(guard(b"[1", mode="shadow").counts) == {"structure": 1}


ALIASES = {"qty": "quantity", "amount": "quantity"}


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b'{"qty":2,"quantity":20}', 9),
        (b'{"quantity":2,"\\u0071ty":20}', 14),
        (b'{"qty":2,"amount":20}', 9),
        (b'[{"x":{"amount":2,"quantity":2}}]', 18),
    ],
)
def test_an_alias_beside_its_name(data: bytes, offset: int) -> None:
    accepted(data)
    answer = rejected(data, aliases=ALIASES)
    assert (answer.kind, answer.offset) == ("alias", offset)
    assert dict(guard(data, mode="shadow", aliases=ALIASES).counts) == {"alias": 1}


@pytest.mark.parametrize(
    "data", [b'{"qty":2}', b'{"quantity":2}', b'[{"qty":2},{"quantity":2}]', b'{"qty":{"amount":1}}']
)
def test_an_alias_by_itself(data: bytes) -> None:
    accepted(data, aliases=ALIASES)


def test_only_declared_names() -> None:
    answer = rejected(b'{"qty":{"Quantity":1}}', aliases=ALIASES, names=["quantity"])
    assert (answer.kind, answer.path) == ("undeclared-name", "#0/#0")
    accepted(b'{"qty":{"quantity":1}}', aliases=ALIASES, names=["quantity"])
    accepted(b"[[]]", names=[])


def test_an_alias_is_no_name() -> None:
    with pytest.raises(BadInput, match="'b' is an alias and a name"):
        guard(b"{}", aliases={"a": "b", "b": "c"})


def test_text_is_refused_since_decoding_hides_things() -> None:
    with pytest.raises(TypeError, match="bytes"):
        guard("{}")  # type: ignore[call-overload]


def test_limits_of_a_policy() -> None:
    tight = Policy("mine/1", max_bytes=20, max_depth=1, max_number=3)
    assert accepted(b"[123]", tight).policy == "mine/1"
    assert (rejected(b"[1234]", tight).kind, rejected(b"[[]]", tight).kind) == ("number-length", "depth")
    size = rejected(b"[" + b" " * 19 + b"]", tight)
    assert (size.kind, size.offset, size.path) == ("size", 0, "")
    deep = Policy("deep/1", max_depth=100_000)
    value = accepted(b"[" * 100_000 + b"]" * 100_000, deep).value
    assert isinstance(value, list)


def test_more_layers() -> None:
    data = b'["\\uffff"]'
    accepted(data)
    both = Policy("both/1", layers=("strict-tool-input/1", "i-json/1"))
    assert rejected(data, both).clause == "RFC 7493 section 2.1: MUST NOT include noncharacters"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_depth": 65}, "version of its own"),
        ({"version": "x/1", "max_bytes": -1}, "negative"),
        ({"version": "x/1", "layers": ("i-json/1",)}, "must hold strict-tool-input/1"),
        ({"version": "x/1", "layers": ("strict-tool-input/1", "mine/1")}, "be among"),
    ],
)
def test_policies_that_mean_nothing(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Policy(**options)  # type: ignore[arg-type]


def test_a_bomb_is_not_read_to_its_end() -> None:
    """A million brackets are within the size, and end at the 65th."""
    answer = rejected(b"[" * (1 << 20))
    assert (answer.kind, answer.offset) == ("depth", 64)


@pytest.mark.parametrize("data", [b"[1]", b"[1", b'{"a":1,"a":2}', b"null"])
@pytest.mark.parametrize("mode", ["enforce", "shadow"])
def test_an_answer_is_neither_true_nor_false(data: bytes, mode: str) -> None:
    """`if guard(data): execute(...)` would execute what was rejected; it fails on good texts already."""
    answer = guard(data, mode=mode)  # type: ignore[call-overload]
    for judged in (bool, lambda each: each or None, lambda each: not each):
        with pytest.raises(TypeError, match=r"isinstance\(answer, Accepted\)"):
            judged(answer)
