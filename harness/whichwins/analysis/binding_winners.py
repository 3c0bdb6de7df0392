"""Winner of a repeated name in a typed target, where names, types and nesting are the binder's own."""

from __future__ import annotations

from collections.abc import Sequence

from whichwins import notation
from whichwins.analysis.algebra import Policies
from whichwins.analysis.binding import Field, inside
from whichwins.analysis.lens import value as normal
from whichwins.analysis.result import Winner
from whichwins.analysis.winners import name_of
from whichwins.model import Array, Object, Observation, Outcome, Value


def bound_winner(found: Sequence[Field], observation: Observation, twin: Observation | None) -> Winner:
    """What a subject that binds did with the names that a text repeats; as `winner`, but for this:

    A name is looked for under its field's own name, then as it stands. One that the destination does not
    hold makes no statement: it was dropped. A rejection says something of the repeat only if every
    occurrence fits: the twin of `{"target":"a","target":7}` is accepted because nobody looks at 7. What a
    binder makes of a value that does not fit (`"7"`) is no statement either.
    """
    repeated = [each for each in found if each.repeats]
    fits = all(member.fits for each in repeated for member in each.members)
    if observation.outcome is Outcome.REJECT:
        return "reject" if fits and twin is not None and twin.outcome is Outcome.ACCEPT else "n/a"
    if observation.outcome is not Outcome.ACCEPT or observation.value is None:
        return "n/a"
    answer = notation.read(observation.value)
    explained: list[Policies] = []
    for each in repeated:
        policies = _policies(each, answer)
        if policies is not None and (policies or fits):
            explained.append(policies)
    return name_of(explained)


def _policies(found: Field, answer: Value) -> Policies | None:
    members = inside(answer, found.path)
    if members is None:
        return None
    got = members.get(found.field) or members.get(found.members[0].name)
    if not got:
        return None
    texts = [member.value for member in found.members]
    if len(got) > 1:
        return frozenset({"all"} if got == texts else ())
    policies = {"first": texts[0], "last": texts[-1]}
    values = [notation.read(text) for text in texts]
    if all(isinstance(value, Object) for value in values):
        policies["merge"] = normal(notation.write(_laid_over(values)))
    policies["collect"] = normal(notation.write(Array(values)))
    return frozenset(name for name, text in policies.items() if text == got[0])


def _laid_over(values: Sequence[Value]) -> Value:
    """Objects laid over each other; what is inside their members is the last's."""
    pairs = {name: value for each in values if isinstance(each, Object) for name, value in each.pairs}
    return Object(list(pairs.items()))
