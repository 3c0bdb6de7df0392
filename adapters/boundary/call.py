"""A function of the user's: `f(raw, ctx)`, or `f(raw)` for one that only reads."""

import inspect


def takes_context(function):
    """Whether it has a place for a second argument that must be given, or for one named `ctx`."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin without a signature reads bytes
        return False
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    if any(each.kind is each.VAR_POSITIONAL for each in parameters) and len(places) < 2:
        return True
    return len(places) > 1 and (
        places[1].default is inspect.Parameter.empty or places[1].name in ("ctx", "context")
    )


def takes(function, count):
    """Whether it can be called with so many arguments, as far as it says."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        pass
    return True


def make(tools):
    function = tools.find(tools.options["target"])
    if not callable(function):
        raise tools.Refused("%s cannot be called" % tools.options["target"])
    context = takes_context(function)
    if not takes(function, 2 if context else 1):
        raise tools.Refused("%s takes neither (raw) nor (raw, ctx)" % tools.options["target"])
    name, role = tools.options.get("name", ""), tools.options.get("role", "")
    loops = tools.load("loops")
    loop = loops.Loop(tools)

    def deliver(case):
        case.headers = tools.template.merged(case)
        try:
            if context:
                value = function(case.raw, tools.record.Context(case, name))
            else:
                value = function(case.raw)
            if inspect.isawaitable(value):
                value = loop.run(case, value)
        except BaseException as error:
            case.raised(error)
            value = None
        if case.passed is None and (value is not None or not context):  # one that only reads may read null
            case.value = tools.spell(value)
            # Without a context there is no other way to say it: as for a parser that whichwins knows.
            if not context and role == "reviewer":
                case.preview(value)
            elif not context and role == "executor" and (value is not None or not tools.options.get("sink")):
                case.execute(value)
        left = tools.following.settle(case, tools.settle_seconds)
        case.end("accepted")
        if left:
            case.outlasted(left)

    return deliver, loop.close
