"""Winners, checked against parsers that are simulated here from lists of pairs, independently."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whichwins.analysis.winners import document_of, winner
from whichwins.model import Observation, Outcome
from whichwins.reference import read

# A document is a scalar, a list, or Pairs: (name, document) in order, names may repeat.


class Pairs(tuple[Any, ...]):
    __slots__ = ()


POLICIES = ("first", "last", "all", "merge", "collect")


def simulate(document: Any, policy: str) -> Any:
    """What a parser with this policy returns, written down from the words of the policy alone."""
    if isinstance(document, list):
        return [simulate(item, policy) for item in document]
    if not isinstance(document, Pairs):
        return document
    if policy == "all":
        return Pairs((name, simulate(value, policy)) for name, value in document)
    result: dict[str, Any] = {}
    for name in dict.fromkeys(name for name, _ in document):
        values = [value for key, value in document if key == name]
        if len(values) == 1 or policy == "first":
            result[name] = simulate(values[0], policy)
        elif policy == "last":
            result[name] = simulate(values[-1], policy)
        elif policy == "collect":
            result[name] = [simulate(value, policy) for value in values]
        else:
            merged = values[0]
            for value in values[1:]:
                both = isinstance(merged, Pairs) and isinstance(value, Pairs)
                merged = Pairs(merged + value) if both else value
            result[name] = simulate(merged, policy)
    return Pairs(result.items())


def text(document: Any) -> str:
    if isinstance(document, list):
        return f"[{','.join(map(text, document))}]"
    if isinstance(document, Pairs):
        return "{" + ",".join(f"{json.dumps(name)}:{text(value)}" for name, value in document) + "}"
    return json.dumps(document)


def plain(value: Any) -> Any:
    """A form in which equal values are equal, the order of different names aside."""
    if isinstance(value, list):
        return ("array", *map(plain, value))
    if isinstance(value, Pairs):
        return ("object", *sorted(((name, plain(each)) for name, each in value), key=lambda pair: pair[0]))
    return (type(value).__name__, value)


def accepted(notation: str) -> Observation:
    return Observation(Outcome.ACCEPT, notation)


def of(document: str | bytes, notation: str, lookup: bool = False) -> str:
    data = document.encode() if isinstance(document, str) else document
    prepared = document_of(read(data))
    assert prepared is not None, "nothing repeats"
    return winner(prepared, accepted(notation), None, lookup)


def has_repeats(document: Any) -> bool:
    if isinstance(document, list):
        return any(map(has_repeats, document))
    if isinstance(document, Pairs):
        names = [name for name, _ in document]
        return len(set(names)) < len(names) or any(has_repeats(value) for _, value in document)
    return False


def expected(document: Any, answer: Any) -> str | None:
    """The policies whose simulation gives the answer: one, several, or None for none."""
    same = {policy for policy in POLICIES if plain(simulate(document, policy)) == plain(answer)}
    if "last" in same:
        same.discard("merge")
    if not same:
        return None
    return same.pop() if len(same) == 1 else "equal"


scalars = st.sampled_from([1, 2, "x", None, True])
documents = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(st.tuples(st.sampled_from("ab"), inner), max_size=4).map(Pairs),
    ),
    max_leaves=12,
).filter(has_repeats)


@settings(max_examples=400, deadline=None)
@given(documents, st.sampled_from(POLICIES))
def test_a_simulated_policy_is_named_or_cannot_be_told_from_another(document: Any, policy: str) -> None:
    answer = simulate(document, policy)
    assert of(text(document), text(answer)) == expected(document, answer)


def test_every_small_document_under_every_policy() -> None:
    values = [1, 2, [1], Pairs(), Pairs([("b", 1)]), Pairs([("b", 2)]), Pairs([("b", 1), ("b", 2)])]
    seen: set[str] = set()
    for count in (2, 3):
        for combination in itertools.product(values, repeat=count):
            document = Pairs(("a", value) for value in combination)
            for policy in POLICIES:
                answer = simulate(document, policy)
                found = of(text(document), text(answer))
                assert found == expected(document, answer), (text(document), policy)
                seen.add(found)
    assert seen == {"first", "last", "all", "merge", "collect", "equal"}


def simulate_mixed(document: Any, policies: Any) -> Any:
    """Each object takes the next policy for itself."""
    if isinstance(document, list):
        return [simulate_mixed(item, policies) for item in document]
    if not isinstance(document, Pairs):
        return document
    policy = next(policies)
    shallow = simulate(Pairs((name, Sealed(value)) for name, value in document), policy)
    return unseal(shallow, policies)


class Sealed:
    """A value that `simulate` moves about and does not look into."""

    def __init__(self, value: Any) -> None:
        self.value = value


def unseal(value: Any, policies: Any) -> Any:
    if isinstance(value, list):
        return [unseal(item, policies) for item in value]
    if isinstance(value, Pairs):
        return Pairs((name, unseal(each, policies)) for name, each in value)
    return simulate_mixed(value.value, policies)


@settings(max_examples=300, deadline=None)
@given(documents, st.lists(st.sampled_from(("first", "last", "all", "collect")), min_size=1, max_size=8))
def test_objects_with_policies_of_their_own(document: Any, policies: list[str]) -> None:
    answer = simulate_mixed(document, itertools.cycle(policies))
    assert of(text(document), text(answer)) == (expected(document, answer) or "mixed")


@pytest.mark.parametrize(
    ("document", "answer", "name"),
    [
        ('{"q":2,"q":20}', '{"q":2}', "first"),
        ('{"q":2,"q":20}', '{"q":20}', "last"),
        ('{"q":2,"q":20}', '{"q":2,"q":20}', "all"),
        ('{"q":2,"q":20}', '{"q":[2,20]}', "collect"),
        ('{"q":2,"q":20}', '{"q":20,"q":2}', "other"),
        ('{"q":2,"q":20}', '{"q":22}', "other"),
        ('{"q":2,"q":20}', "{}", "other"),
        ('{"q":2,"q":20}', "[]", "other"),
        ('{"q":2,"q":20}', '{"q":2,"q":2}', "other"),
        ('{"q":1,"q":2,"q":1}', '{"q":1}', "equal"),
        ('{"q":1,"q":2,"q":1}', '{"q":2}', "other"),
        ('{"q":1,"q":2,"q":1}', '{"q":1,"q":2,"q":1}', "all"),
        ('{"q":1,"q":2,"q":1}', '{"q":1,"q":2}', "other"),
        ('{"q":1,"q":2,"q":3}', '{"q":3}', "last"),
        ('{"q":1,"q":1.0}', '{"q":1.0}', "equal"),
        ('{"q":"a","q":"\\u0061"}', '{"q":"a"}', "equal"),
        ('{"q":1,"\\u0071":2}', '{"q":2}', "last"),
        # Rounding does not hide the winner, and does not invent one.
        ('{"q":9007199254740993,"q":1}', '{"q":9007199254740992.0}', "first"),
        ('{"q":9007199254740993,"q":9007199254740992}', '{"q":9007199254740992.0}', "equal"),
        ('{"q":9007199254740993,"q":9007199254740992}', '{"q":9007199254740993}', "first"),
        ('{"q":1e400,"q":1}', '{"q":Infinity}', "first"),
        ('{"q":-1e400,"q":1}', '{"q":Infinity}', "other"),
        ('{"q":1e400,"q":1}', '{"q":D1E+400}', "first"),
        ('{"q":1e23,"q":1}', '{"q":99999999999999991611392}', "first"),
        ('{"q":0.1,"q":0.10000000000000000555}', '{"q":0.1}', "equal"),
        ('{"q":0.1,"q":0.10000000000000000555}', '{"q":D0.10000000000000000555}', "last"),
        ('{"q":"\\ud800","q":1}', '{"q":"\\ufffd"}', "first"),
        ('{"q":"\\ud800","q":1}', '{"q":b"eda080"}', "first"),
        ('{"q":"\\ud800","q":"\\udc00"}', '{"q":"\\ufffd"}', "equal"),
        ('{"q":"\\ud800","q":"\\udc00"}', '{"q":"\\udc00"}', "last"),
        ('{"q":"\\ud83d\\ude00","q":1}', '{"q":u"0000d83d0000de00"}', "first"),
        (b'{"q":"\xff","q":1}', '{"q":"\\ufffd"}', "first"),
        (b'{"q":"\xff","q":1}', '{"q":b"ff"}', "first"),
        (b'{"q":"\xed\xa0\x80","q":1}', '{"q":"\\ufffd\\ufffd\\ufffd"}', "first"),
        (b'{"q":"\xed\xa0\x80","q":1}', '{"q":"\\ud800"}', "first"),
        # Merging.
        ('{"q":{"x":1},"q":{"y":2}}', '{"q":{"x":1,"y":2}}', "merge"),
        ('{"q":{"x":1},"q":{"y":2}}', '{"q":{"y":2}}', "last"),
        ('{"q":{"x":1},"q":{"x":2}}', '{"q":{"x":2}}', "last"),
        ('{"q":{"x":1,"y":2},"q":{"x":1}}', '{"q":{"x":1,"y":2}}', "equal"),
        ('{"q":{"x":{"a":1}},"q":{"x":{"b":2}}}', '{"q":{"x":{"a":1,"b":2}}}', "merge"),
        ('{"q":{"x":{"a":1}},"q":{"x":{"b":2}}}', '{"q":{"x":{"b":2},"z":1}}', "other"),
        ('{"q":{"x":1},"q":0,"q":{"y":2},"q":{"z":3}}', '{"q":{"y":2,"z":3}}', "merge"),
        ('{"q":{"x":1},"q":{"y":2},"n":1,"n":2}', '{"q":{"x":1,"y":2},"n":2}', "merge"),
        ('{"q":[1],"q":[2]}', '{"q":[1,2]}', "other"),
        ('{"q":[1],"q":[2]}', '{"q":[[1],[2]]}', "collect"),
        # Parent and child.
        ('{"q":{"x":1,"x":2},"q":{"x":3,"x":4}}', '{"q":{"x":4}}', "last"),
        ('{"q":{"x":1,"x":2},"q":{"x":3,"x":4}}', '{"q":{"x":1}}', "first"),
        ('{"q":{"x":1,"x":2},"q":{"x":3,"x":4}}', '{"q":{"x":3}}', "mixed"),
        ('{"q":{"x":1,"x":2},"q":{"x":3,"x":4}}', '{"q":{"x":2}}', "mixed"),
        ('{"q":{"x":1,"x":2},"q":7}', '{"q":7}', "last"),
        ('{"q":{"x":1,"x":2},"q":{"x":2,"x":1}}', '{"q":{"x":1}}', "equal"),
        ('{"q":{"x":1,"x":2},"q":{"x":2,"x":1}}', '{"q":{"x":2}}', "mixed"),
        ('{"q":{"x":1,"x":3},"q":{"x":3,"x":3}}', '{"q":{"x":3}}', "last"),
        # Several objects in one document.
        ('[{"q":1,"q":2},{"q":1,"q":2}]', '[{"q":1},{"q":2}]', "mixed"),
        ('[{"q":1,"q":2},{"q":1,"q":1}]', '[{"q":1},{"q":1}]', "first"),
        ('[{"q":1,"q":2},{"q":1,"q":2}]', '[{"q":1},{"q":3}]', "mixed"),
        ('[{"q":1,"q":1},{"q":1,"q":2}]', '[{"q":1},{"q":3}]', "other"),
        ('{"q":1,"q":2,"r":1,"r":2}', '{"q":1,"r":2}', "mixed"),
        # The host dropped the object that repeats: nothing to say.
        ('{"__proto__":{"q":1,"q":2},"r":1}', '{"r":1}', "n/a"),
        ('{"1":1,"1":2}', '{X"int:1":2}', "last"),
    ],
)
def test_hand_made(document: str | bytes, answer: str, name: str) -> None:
    assert of(document, answer) == name


@pytest.mark.parametrize(
    ("document", "answer", "name"),
    [
        (r'{"\ud800":1,"\ud801":2}', r'{"\ud800":1,"\ud801":2}', "n/a"),
        (r'{"\ud800":1,"\ud801":2}', r'{"\ufffd":1}', "first"),
        (r'{"\ud800":1,"\ud801":2}', r'{"\ufffd":2}', "last"),
        (r'{"\ud800":1,"\ud801":2}', r'{"\ufffd":1,"\ufffd":2}', "all"),
        (r'{"\ud800":1,"\ud801":2}', '{b"eda080":1,b"eda081":2}', "n/a"),
        (b'{"\xff":1,"\xfe":2}', r'{"\ufffd":2}', "last"),
        (b'{"\xff":1,"\xfe":2}', '{b"ff":1,b"fe":2}', "n/a"),
        (r'{"\ud800":1,"\ufffd":2}', r'{"\ufffd":1}', "first"),
        (r'{"\ud800":1,"\ud801":2,"a":1,"a":2}', r'{"\ud800":1,"\ud801":2,"a":2}', "last"),
        (r'{"\ud800":1,"\ud801":2,"\ud800":3}', r'{"\ud800":3,"\ud801":2}', "last"),
        (r'{"\ud800":1,"\ud801":2,"\ud800":3}', r'{"\ufffd":2}', "other"),
    ],
)
def test_names_that_collide_only_after_replacement(document: str | bytes, answer: str, name: str) -> None:
    assert of(document, answer) == name


@pytest.mark.parametrize(
    ("document", "answer", "name"),
    [
        ('{"q":2,"q":20}', '{"q":2,"q":2}', "first"),
        ('{"q":2,"q":20}', '{"q":20,"q":20}', "last"),
        ('{"q":2,"q":20}', '{"q":2,"q":20}', "all"),
        ('{"q":2,"q":2}', '{"q":2,"q":2}', "equal"),
        ('{"q":2,"q":20}', '{"q":2}', "first"),
        ('{"q":{"x":1,"x":2},"q":3}', '{"q":{"x":1,"x":1},"q":{"x":1,"x":1}}', "first"),
    ],
)
def test_lookup_subjects_list_a_name_twice_and_get_one_value(document: str, answer: str, name: str) -> None:
    assert of(document, answer, lookup=True) == name


def test_a_rejection_is_of_the_repeat_only_when_the_twin_is_accepted() -> None:
    document = document_of(read(b'{"q":1,"q":2}'))
    assert document is not None
    no = Observation(Outcome.REJECT, stage="parse", error="E")
    assert winner(document, no, accepted('{"q":1,"q~2":2}')) == "reject"
    assert winner(document, no, no) == "n/a"
    assert winner(document, no, None) == "n/a"
    for outcome in (Outcome.FAULT, Outcome.CRASH, Outcome.TIMEOUT, Outcome.UNSUPPORTED, Outcome.ABSENT):
        assert winner(document, Observation(outcome), accepted("{}")) == "n/a"


@pytest.mark.parametrize("data", [b'{"q":1}', b'[{"q":1},{"q":1}]', b'{"q":1,"q":2', b'{"q":{"q":1}}'])
def test_documents_without_repeats_have_no_winner(data: bytes) -> None:
    assert document_of(read(data)) is None


def test_a_value_far_deeper_than_the_stack() -> None:
    deep = "[" * 200_000 + "]" * 200_000
    assert of(f'{{"q":1,"q":{deep}}}', f'{{"q":{deep}}}') == "last"
    assert of(f'{{"q":{deep},"q":1}}', f'{{"q":{deep}}}') == "first"


def test_repeats_nested_in_repeats_stay_affordable() -> None:
    levels = 3_000
    opened, closed = '{"q":0,"q":' * levels, "}" * levels
    answer = '{"q":' * levels + "1" + "}" * levels
    assert of(opened + "1" + closed, answer) == "last"
    bushy, value = "1", "1"
    for _ in range(9):
        bushy, value = f'{{"q":{bushy},"q":{bushy},"r":1}}', f'{{"q":{value},"r":1}}'
    assert of(bushy, value) == "equal"


def test_numbers_are_never_expanded() -> None:
    huge = "1e" + "9" * 5000
    assert of(f'{{"q":{huge},"q":1}}', f'{{"q":D{huge}}}') == "first"
    assert of('{"q":1e999999999999,"q":1}', '{"q":Infinity}') == "first"
    digits = "7" * 100_000
    assert of(f'{{"q":1,"q":{digits}}}', f'{{"q":{digits}}}') == "last"


def test_a_host_integer_is_told_from_its_neighbour() -> None:
    """9007199254740993 and ...992 are one binary64; a host that keeps integers shows which survived."""
    data = b'{"id":9007199254740993,"id":9007199254740992}'
    assert of(data, '{"id":9007199254740992}') == "last"
    assert of(data, '{"id":9007199254740993}') == "first"
    assert of(data, '{"id":9007199254740992.0}') == "equal"


def test_names_read_in_a_way_of_its_own_and_kept_apart_are_no_repeat() -> None:
    r"""Ruby's json 2.6 joins a high surrogate with any \u that follows, and keeps both members."""
    data = rb'{"a\ud800\u0041":1,"a\ud801\u0041":2}'
    assert of(data, r'{"a\ud800\udc41":1,"a\ud801\udc41":2}') == "n/a"
    assert of(data, r'{"a\ufffdA":2}') == "last"
