"""Values of user code in the notation: models as objects, circles and giants bounded."""

import hashlib
from itertools import count

MOST_CONTAINERS = 3000000
CHECKED_AT = 20000
MOST_CHARS = 8 * 1024 * 1024


class Circular(Exception):
    """The value holds itself."""


def _model_fields(value):
    """The fields of an instance of a known kind of class as pairs, or None."""
    kind = type(value)
    if hasattr(kind, "__pydantic_core_schema__") and hasattr(value, "__pydantic_fields_set__"):
        # pydantic 2: what was given, not the defaults
        given = value.__pydantic_fields_set__
        pairs = [(name, item) for name, item in value.__dict__.items() if name in given]
        return pairs + list((value.__pydantic_extra__ or {}).items())
    if hasattr(kind, "__fields_set__") and hasattr(kind, "__fields__"):  # pydantic 1
        return [(name, item) for name, item in value.__dict__.items() if name in value.__fields_set__]
    names = getattr(kind, "__dataclass_fields__", None) or getattr(kind, "__struct_fields__", None)
    if names is None and hasattr(kind, "__attrs_attrs__"):
        names = [each.name for each in kind.__attrs_attrs__]
    if names is None and isinstance(value, tuple) and hasattr(kind, "_fields"):
        names = kind._fields
    if names is None:
        return None
    return [(name, getattr(value, name)) for name in names if hasattr(value, name)]


class Speller:
    """`spell(value)` never raises; what cannot be said is `X"…"`."""

    def __init__(self, render):
        self.render = render

    def inside(self, value):
        """(iterator, holds pairs, opening, closing) of a container or a model, or None."""
        plain = type(value)
        if plain is not dict and plain is not list and not isinstance(value, (str, int, float, type)):
            if getattr(plain, "__pydantic_root_model__", False):
                return self.inside(value.root)
            pairs = _model_fields(value)
            if pairs is not None:
                return iter(pairs), True, "{", "}"
            if not isinstance(value, dict) and hasattr(plain, "keys") and hasattr(plain, "__getitem__"):
                return iter([(key, value[key]) for key in value.keys()]), True, "{", "}"
        return self.render.opened(value)

    def _sorted(self, value):
        found = self.inside(value)
        if found is None or not found[1]:
            return found
        return iter(sorted(found[0], key=lambda pair: str(pair[0]))), True, "{", "}"

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
                steps.append((todo, named, id(item)))
                todo, named = found[0], found[1]
                break
            else:
                if not steps:
                    return False
                todo, named, over = steps.pop()
                path.discard(over)

    def _spelled(self, value, inside):
        try:
            text = self._exact(value, inside)
        except Circular:
            return 'X"a value that holds itself"'
        except BaseException as error:
            name = type(error).__name__
            return 'X"a value that cannot be read: %s"' % (
                name if name.isidentifier() and name.isascii() else "?"
            )
        if len(text) > MOST_CHARS:
            digest = hashlib.sha256(text.encode()).hexdigest()
            return 'X"a value of %d characters, sha256 %s"' % (len(text), digest)
        return text

    def __call__(self, value):
        return self._spelled(value, self.inside)

    def digest(self, value):
        """A digest of the value: equal whatever the order of names."""
        return "sha256:" + hashlib.sha256(self._spelled(value, self._sorted).encode()).hexdigest()
