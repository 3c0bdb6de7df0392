"""Values of user code in the notation: models as objects, circles and giants bounded."""

import collections
import collections.abc
import decimal
import hashlib
from itertools import count

MOST_CONTAINERS = 3000000
CHECKED_AT = 20000
MOST_CHARS = 8 * 1024 * 1024
UNREAD = 'X"unread:'
"""How the notation of what cannot be read begins: equal to nothing, and different from nothing."""
PYDANTIC = (
    "__pydantic_fields_set__",
    "__pydantic_extra__",
    "__pydantic_private__",
    "__pydantic_root_model__",
)
SCALARS = (str, int, float)
LITERALS = (type(None),)
VIEWS = (type({}.keys()), type({}.values()), type({}.items()))


class Circular(Exception):
    """The value holds itself."""


def _model_fields(value, state):
    """What an instance of a known kind of class holds, defaults too, as pairs, or None."""
    kind = type(value)
    if hasattr(kind, "__pydantic_core_schema__") and hasattr(value, "__pydantic_fields_set__"):  # pydantic 2
        pairs = state.attributes(value, without=PYDANTIC)
        return pairs + [
            pair
            for more in (value.__pydantic_extra__, getattr(value, "__pydantic_private__", None))
            for pair in (more or {}).items()
        ]
    if hasattr(kind, "__fields_set__") and hasattr(kind, "__fields__"):  # pydantic 1
        return state.attributes(value, without=("__fields_set__",))
    if hasattr(kind, "DESCRIPTOR") and hasattr(kind, "ListFields"):  # protobuf
        return [(e.name, getattr(value, e.name)) for e in kind.DESCRIPTOR.fields if _is_there(value, e)]
    names = getattr(kind, "__dataclass_fields__", None) or getattr(kind, "__struct_fields__", None)
    if names is None and hasattr(kind, "__attrs_attrs__"):
        names = [each.name for each in kind.__attrs_attrs__]
    if names is None and isinstance(value, tuple) and hasattr(kind, "_fields"):
        names = kind._fields
    if names is None:
        return None
    pairs = [(name, getattr(value, name)) for name in names if hasattr(value, name)]
    return pairs + state.attributes(value, without=tuple(names))


def _is_there(message, field):
    """Whether a field of protobuf holds something, its default too; of a `oneof` one does."""
    try:
        return not (field.message_type or field.containing_oneof) or message.HasField(field.name)
    except ValueError:  # a list, or a map
        return True


class Name:
    """A name that is no text: one of the user's, or one of ours beside them."""

    __slots__ = ("said",)

    def __init__(self, said):
        self.said = said

    def __repr__(self):
        return self.said


def _named(kind):
    """A kind of name, which the notation spells `X"kind:…"`."""
    return type(kind, (Name,), {"__slots__": (), "__module__": "builtins"})


Unread, Key, Beside = _named("unread"), _named("key"), _named("object")
SET, ATTRIBUTES = Beside("set"), Beside("attributes")


class Speller:
    """`spell(value)` never raises; what cannot be read is `X"unread:…"`, and equal to nothing."""

    def __init__(self, render, state, naming):
        self.render, self.state, self.naming = render, state, naming

    def inside(self, value):
        """(iterator, holds pairs, opening, closing) of whatever the notation has no scalar for, or None."""
        plain = type(value)
        if plain is dict:
            return self._pairs(value.items())
        if plain is list or plain is tuple or isinstance(value, SCALARS) or plain in LITERALS:
            return self.render.opened(value)
        if plain in (self.render.Pairs, self.render.Missing, self.render.Literal):
            return self.render.opened(value)
        if plain.__name__ == "LosslessFloat":  # jiter's
            return None
        if getattr(plain, "__pydantic_root_model__", False):
            return self.inside(value.root) or self._leaf(value.root)
        pairs = _model_fields(value, self.state)
        if pairs is not None:
            return self._pairs(pairs)
        if isinstance(value, (dict, list, tuple)):
            return self._with_attributes(value, plain)
        return self._other(value, plain)

    def _pairs(self, pairs):
        return ((self._name(name), item) for name, item in pairs), True, "{", "}"

    def _items(self, items):
        return iter(items), False, "[", "]"

    def _with_attributes(self, value, kind):
        more = self.state.attributes(value)
        if isinstance(value, dict):
            return self._pairs(list(dict.items(value)) + ([(ATTRIBUTES, dict(more))] if more else []))
        base = list if isinstance(value, list) else tuple
        return self._items(list(base.__iter__(value)) + ([{ATTRIBUTES: dict(more)}] if more else []))

    def _other(self, value, kind):
        said = self.state.by_value(value)
        if isinstance(value, decimal.Decimal) and value.is_finite() and kind is decimal.Decimal:
            return None
        if said is not None:
            return self._said(value, *said)
        if kind is memoryview:
            return self._leaf(bytes(value.tobytes()))
        if isinstance(value, (set, frozenset)):
            items = sorted(value, key=lambda item: self._exact(item, self._sorted))
            more = self.state.attributes(value)
            return self._pairs([(SET, items)] + ([(ATTRIBUTES, dict(more))] if more else []))
        if isinstance(value, BaseException):
            return self._pairs([("args", value.args)] + self.state.attributes(value))
        if isinstance(value, collections.deque):
            more = self.state.attributes(value)
            return self._items(list(value) + ([{ATTRIBUTES: dict(more)}] if more else []))
        if kind in VIEWS:
            return self._items(list(value))
        if kind.__module__ == "numpy" and hasattr(kind, "tolist"):
            listed = value.tolist()
            return self._items(listed) if isinstance(listed, list) else self._leaf(listed)
        if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):
            data = ("data",) if isinstance(value, collections.UserDict) else ()
            more = (
                [] if isinstance(value, collections.ChainMap) else self.state.attributes(value, without=data)
            )
            pairs = [(key, value[key]) for key in value.keys()]
            return self._pairs(pairs + ([(ATTRIBUTES, dict(more))] if more else []))
        if self.state.is_ordinary(kind):
            return self._pairs(self.state.attributes(value))
        if isinstance(value, collections.abc.Sequence) and not self.state.attributes(value):
            return self._items(list(value))
        return self._leaf(Unread(" " + self.naming.full_name(kind)))

    def _said(self, value, base, said):
        kind = type(value)
        if isinstance(value, bytes) and kind is bytes:
            return None
        more = [] if base is kind else self.state.attributes(value, before=base)
        name = _named(self.naming.full_name(kind))
        return self._pairs([(name(said), dict(more))]) if more else self._leaf(name(said))

    def _leaf(self, value):
        """A scalar, as a container that holds nothing between its words."""
        return iter(()), False, self.render.exact(value), ""

    def _name(self, key):
        """A name as it can be compared. Of those that are no text the notation has the words."""
        if isinstance(key, (str, bytes, Name)) or type(key) in (int, float, bool, type(None)):
            return key
        text = self._spelled(key, self._sorted)
        return Unread(" a name, " + self.naming.full_name(type(key))) if UNREAD in text else Key(text)

    def _sorted(self, value):
        found = self.inside(value)
        if found is None or not found[1]:
            return found
        return (
            iter(sorted(found[0], key=lambda pair: (str(pair[0]), type(pair[0]).__name__))),
            True,
            "{",
            "}",
        )

    def _exact(self, value, inside):
        seen = count(1)

        def bounded(item):
            found = inside(item)
            if found is not None:
                number = next(seen)
                if number == CHECKED_AT and self._circular(value):
                    raise Circular
                if number > MOST_CONTAINERS:
                    raise MemoryError
            return found

        return self.render.exact(value, bounded)

    def _circular(self, root):
        path, steps = set(), []
        todo = iter((root,))
        named = False
        walked = 0
        while True:
            for item in todo:
                item = item[1] if named else item
                found = self.inside(item)
                if found is None:
                    continue
                if id(item) in path:
                    return True
                walked += 1
                if walked > MOST_CONTAINERS:
                    return False
                path.add(id(item))
                steps.append((todo, named, item))  # the item is kept, or its id could be another's
                todo, named = found[0], found[1]
                break
            else:
                if not steps:
                    return False
                todo, named, over = steps.pop()
                path.discard(id(over))

    def _spelled(self, value, inside):
        try:
            text = self._exact(value, inside)
        except Circular:
            return 'X"unread: a value that holds itself"'
        except BaseException as error:
            name = self.naming.class_name(type(error))
            return 'X"unread: %s"' % (name if name.isidentifier() and name.isascii() else "?")
        if len(text) > MOST_CHARS:
            if UNREAD in text:
                return 'X"unread: a part of a value of %d characters"' % len(text)
            digest = hashlib.sha256(text.encode()).hexdigest()
            return 'X"a value of %d characters, sha256 %s"' % (len(text), digest)
        return text

    def __call__(self, value):
        return self._spelled(value, self.inside)

    def digest(self, value):
        """A digest of the value: equal whatever the order of names. What cannot be read has none."""
        text = self._spelled(value, self._sorted)
        if UNREAD in text:
            return "unread:"
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
