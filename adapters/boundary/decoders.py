"""Which JSON decoders are at work in a request: seen by a profile, around a control and never otherwise."""

import importlib.util
import sys
import threading

KNOWN = (
    "json",
    "simplejson",
    "orjson",
    "ujson",
    "msgspec",
    "pydantic_core",
    "jiter",
    "rapidjson",
    "cysimdjson",
    "simdjson",
)
# What decodes: a function or a method of these modules with one of these names.
_NAMES = frozenset(
    (
        "loads",
        "load",
        "decode",
        "raw_decode",
        "from_json",
        "validate_json",
        "decode_lines",
        "json_decode",
        "parse",
    )
)


quiet = False
"""Set while this worker itself reads JSON."""


def version(name):
    module = sys.modules.get(name)
    said = getattr(module, "__version__", None)
    if not isinstance(said, str):
        try:
            from importlib.metadata import version as installed

            said = installed({"rapidjson": "python-rapidjson"}.get(name, name))
        except Exception:
            said = "?"
    return "".join(c if "!" <= c <= "~" else "?" for c in said)[:60] or "?"


def importable():
    """Those that a library could pick up here, sorted."""
    found = []
    for name in KNOWN[1:]:
        try:
            if name in sys.modules or importlib.util.find_spec(name) is not None:
                found.append(name)
        except (ImportError, ValueError, AttributeError):
            continue
    return sorted(found)


def loaded():
    """(name, version) of those that the application has imported."""
    return [(name, version(name)) for name in KNOWN if name in sys.modules]


def _root(thing):
    module = getattr(thing, "__module__", None)
    owner = getattr(thing, "__self__", None)
    if not isinstance(module, str) and owner is not None:
        module = owner.__name__ if isinstance(owner, type(sys)) else type(owner).__module__
    return module.partition(".")[0] if isinstance(module, str) else ""


_seen = None
"""What is called in the request that is watched; None between two."""
_over = False
"""No more requests are watched: threads that live on need not be slow."""


def _profile(event_frame, event, thing):
    if _over:
        sys.setprofile(None)
        return
    seen = _seen
    if quiet or seen is None:
        return
    if event == "call":
        code = event_frame.f_code
        if code.co_name in _NAMES:
            root = str(event_frame.f_globals.get("__name__", "")).partition(".")[0]
            if root in KNOWN:
                seen.add(root)
    elif event == "c_call" and getattr(thing, "__name__", "") in _NAMES:
        root = _root(thing)
        if root in KNOWN:
            seen.add(root)


def over():
    """The first requests, which alone are watched, are behind us."""
    global _over
    _over = True


def seen_at_work(act):
    """Run `act` under a profile; (name, version) of the decoders that were called, sorted.

    A thread of an earlier request that works on has the profile still.
    """
    global _seen, _over
    seen, _over = set(), False
    every = getattr(threading, "setprofile_all_threads", threading.setprofile)
    before = sys.getprofile()
    every(_profile)
    sys.setprofile(_profile)
    _seen = seen
    try:
        act()
    finally:
        _seen = None
        sys.setprofile(before)
        threading.setprofile(None)
        sys.setprofile(before)
    return [(name, version(name)) for name in sorted(seen)]
