"""The tool's function, recorded instead of run, or recorded and run.

A plain function keeps its identity and gets other code: whoever took hold of it before (a router, a registry
of tools, `from tools import execute`) reaches the recorder too. Anything else is replaced under its name.
"""

import functools
import inspect
import types

_MARK = "whichwins-recorder"
_CODE_FLAGS = inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR


def _plain(*args, **kwargs):
    recorder = "whichwins-recorder"
    return recorder(args, kwargs)


async def _async(*args, **kwargs):
    recorder = "whichwins-recorder"
    return await recorder(args, kwargs)


def _with_code(function, recorder):
    """Give a function the code of a trampoline to the recorder; its closure stays, unused."""
    signature = inspect.signature(function)
    template = (_async if inspect.iscoroutinefunction(function) else _plain).__code__
    consts = tuple(recorder if each == _MARK else each for each in template.co_consts)
    code = function.__code__
    function.__code__ = template.replace(
        co_consts=consts,
        co_freevars=code.co_freevars,
        co_name=code.co_name,
        co_filename=code.co_filename,
        co_firstlineno=code.co_firstlineno,
    )
    function.__signature__ = signature  # frameworks ask what it takes


def _copy(function):
    """The same function with its own code: what `sink-runs` runs."""
    copied = types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copied.__kwdefaults__ = function.__kwdefaults__
    return copied


def _signature(thing):
    try:
        return inspect.signature(thing)
    except (TypeError, ValueError):
        return None


def arguments(signature, args, kwargs, bound):
    """The arguments as an object by parameter name; `bound`: the first is the instance, and left out.

    TypeError where the function would not have run either.
    """
    if signature is None:
        given = list(args[1:] if bound else args)
        return dict(kwargs, args=given) if given else dict(kwargs)
    found = {}
    taken = signature.bind(*args, **kwargs).arguments
    for number, (name, value) in enumerate(taken.items()):
        if number == 0 and bound:
            continue
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        elif kind is inspect.Parameter.VAR_POSITIONAL:
            found[name] = list(value)
        else:
            found[name] = value
    return found


def _recorders(tools, original, signature, bound):
    """The recorder, and the one for an async function."""
    desk, runs = tools.desk, tools.options.get("sink-runs") == "true"
    argument = tools.options.get("sink-argument")

    def record(args, kwargs):
        found = arguments(signature, args, kwargs, bound)
        case = desk.runs()
        if case is not None:  # not what an application does while it starts
            # Without that argument all are told: the tool did run.
            case.execute(found[argument] if argument in found else found)

    def plain(args, kwargs):
        record(args, kwargs)
        return original(*args, **kwargs) if runs else None

    async def asynchronous(args, kwargs):
        record(args, kwargs)
        return await original(*args, **kwargs) if runs else None

    return plain, asynchronous


def _walk(tools, target):
    """(holder, name, what stands there, whether a class holds it)."""
    module, _, path = target.partition(":")
    *way, name = path.split(".")
    holder = tools.find(module + ":" + ".".join(way)) if way else tools.module(module)
    try:
        static = inspect.getattr_static(holder, name)
    except AttributeError:
        raise tools.Refused("there is no sink %s: name the function that acts" % target) from None
    return holder, name, static, inspect.isclass(holder)


def _require_argument(tools, target, signature, bound):
    """`sink-argument` names a parameter, where it is known what the sink takes; the instance is none."""
    argument = tools.options.get("sink-argument")
    if not argument or signature is None:
        return
    taken = list(signature.parameters.values())[1 if bound else 0 :]
    if argument not in [each.name for each in taken] and not any(
        each.kind is each.VAR_KEYWORD for each in taken
    ):
        known = ", ".join(each.name for each in taken) or "none"
        raise tools.Refused("the sink %s takes no %s: sink-argument is one of %s" % (target, argument, known))


def replace(tools):
    """Put the recorder in the place of the function that the option `sink` names."""
    target = tools.options["sink"]
    holder, name, static, in_class = _walk(tools, target)
    wrapped = isinstance(static, (staticmethod, classmethod))
    bound = in_class and not isinstance(static, staticmethod) and hasattr(type(static), "__get__")
    outer = static.__func__ if wrapped else static
    inner = inspect.unwrap(outer) if callable(outer) else outer
    if not callable(inner):
        raise tools.Refused("the sink %s cannot be called" % target)
    if hasattr(outer, "registry") and hasattr(outer, "dispatch"):
        raise tools.Refused(
            "the sink %s is a singledispatch, whose variants would run: name the function that calls it"
            % target
        )
    _require_argument(tools, target, _signature(inner), bound)
    if isinstance(inner, types.FunctionType):
        if inner.__code__.co_flags & _CODE_FLAGS:
            raise tools.Refused("the sink %s is a generator: name the function that acts" % target)
        plain, asynchronous = _recorders(tools, _copy(inner), _signature(inner), bound)
        _with_code(inner, asynchronous if inspect.iscoroutinefunction(inner) else plain)
        return
    plain, _ = _recorders(tools, getattr(holder, name), _signature(inner), bound)

    def stand_in(*args, **kwargs):
        return plain(args, kwargs)

    try:
        functools.update_wrapper(stand_in, inner)
        setattr(holder, name, staticmethod(stand_in) if in_class and not bound else stand_in)
    except (TypeError, AttributeError):
        raise tools.Refused("the sink %s cannot be replaced: name a function around it" % target) from None
