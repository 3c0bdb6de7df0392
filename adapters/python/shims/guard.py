"""The guard of whichwins itself, in whichwins' own interpreter."""


class GuardRejected(ValueError):
    """The guard said no; the message is its clause."""


def strict(kit):
    import whichwins
    from whichwins.reference.guard import Rejected, guard

    def parse(data):
        answer = guard(data)
        if isinstance(answer, Rejected):
            raise GuardRejected(answer.clause)
        return answer

    def emit(data):
        parse(data)
        return data  # what it lets through it hands on untouched

    return {
        "parse": parse,
        "emit": emit,
        "render": lambda accepted: accepted.notation,
        "libraries": [("whichwins", whichwins.__version__)],
    }
