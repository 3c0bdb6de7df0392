"""The target `order` and what a binder made of it, as a value."""


class _Absent:
    """The default of a member that was not given: no text can hold it."""

    def __repr__(self):
        return "absent"


ABSENT = _Absent()


def shown(order):
    """The members that the destination received, under its own names."""
    members = {name: getattr(order, name, ABSENT) for name in ("target", "quantity", "options")}
    found = {name: value for name, value in members.items() if value is not ABSENT}
    if "options" in found and not isinstance(found["options"], (dict, str, int, float, list)):
        options = {name: getattr(found["options"], name, ABSENT) for name in ("mode", "limit")}
        found["options"] = {name: value for name, value in options.items() if value is not ABSENT}
    return found
