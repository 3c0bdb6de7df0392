"""What must hold of any text: found by search, judged by the standard library or by definition."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import checks
from tests.reference.texts import mutants, texts
from whichwins import notation
from whichwins.reference import Accepted, Node, Rejected, guard, occurrences, read, twin, verdicts
from whichwins.reference.tape import ordinal_path

ANY = st.one_of(texts(), texts(bad=True), mutants(), st.binary(max_size=12))
quick = settings(max_examples=150, deadline=None)


@quick
@given(st.one_of(texts(), mutants()))
def test_the_standard_library_agrees(data: bytes) -> None:
    assert list(checks.against_standard_library([data])) == []


@quick
@given(texts(bad=True))
def test_every_text_of_the_grammar_is_read(data: bytes) -> None:
    assert read(data).fatal is None


@quick
@given(ANY)
def test_layers_only_narrow(data: bytes) -> None:
    """What RFC 8259 rejects, every layer rejects; jcs-input rejects what i-json does."""
    found = verdicts(read(data))
    if found["rfc8259/1"].expectation == "reject":
        assert {verdict.expectation for verdict in found.values()} == {"reject"}
    if found["i-json/1"].expectation == "reject":
        assert found["jcs-input/1"].expectation == "reject"


@quick
@given(ANY)
def test_guard_and_layer_say_the_same(data: bytes) -> None:
    verdict = verdicts(read(data))["strict-tool-input/1"]
    answer = guard(data)
    if verdict.expectation == "accept":
        assert isinstance(answer, Accepted)
        assert json.dumps(answer.value) == json.dumps(json.loads(data))
        assert notation.write(notation.read(answer.notation)) == answer.notation
    else:
        assert isinstance(answer, Rejected)
        assert (answer.kind, answer.clause, answer.offset) == (verdict.kind, verdict.clause, verdict.offset)
        assert answer.path == verdict.path


@quick
@given(ANY)
def test_shadow_finds_what_enforce_rejects(data: bytes) -> None:
    answer, shadow = guard(data), guard(data, mode="shadow")
    assert shadow.rejected == (answer if isinstance(answer, Rejected) else None)
    assert bool(shadow.counts) == isinstance(answer, Rejected)


@quick
@given(ANY)
def test_twins_repeat_nothing_and_change_nothing_else(data: bytes) -> None:
    reading = read(data)
    changed = twin(reading)
    assert (changed is not None) == bool(occurrences(reading))
    if changed is None:
        return
    apart = read(changed)
    assert occurrences(apart) == []
    assert twin(apart) is None
    assert is_subsequence(data, changed)
    assert reading.root is not None
    assert apart.root is not None
    assert values(apart.root) == values(reading.root)
    still = [p.kind for p in reading.problems if p.kind not in ("repeated-name", "size")]
    assert [p.kind for p in apart.problems if p.kind != "size"] == still


def is_subsequence(short: bytes, long: bytes) -> bool:
    rest = iter(long)
    return all(byte in rest for byte in short)


def values(node: Node) -> Any:
    """Everything but the names, as spelled."""
    match node.kind:
        case "object":
            return ["object", *(values(member.value) for member in node.members)]
        case "array":
            return ["array", *map(values, node.items)]
        case _:
            return node.lexeme


@quick
@given(texts(bad=True))
def test_places_lead_back_to_their_nodes(data: bytes) -> None:
    """Ordinal paths, worked out from the bytes alone, agree with the tree."""
    root = read(data).root
    assert root is not None
    pending = [(root, "")]
    while pending:
        node, path = pending.pop()
        assert ordinal_path(data, node.start) == node.path == path
        children = (
            node.items
            if node.kind == "array"
            else [m.value for m in node.members]
            if node.kind == "object"
            else []
        )
        pending += [(child, f"{path}/#{k}".removeprefix("/")) for k, child in enumerate(children)]


@quick
@given(texts())
def test_tokens_tile_the_text(data: bytes) -> None:
    """Between the tokens stands nothing but white space and punctuation."""
    reading = read(data)
    at = 0
    for row in range(len(reading.tape.kinds)):
        node = Node(reading.tape, row)
        if node.kind not in ("array", "object"):
            assert set(data[at : node.start]) <= set(b" \t\n\r[]{},:")
            at = node.end
    assert set(data[at:]) <= set(b" \t\n\r[]{},:")
