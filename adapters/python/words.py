"""What a worker says beside values: messages, error names, its identity."""

import sys


def one_line(thing):
    """Bring a message to one line of printable ASCII, at most 300 characters."""
    try:
        text = str(thing)[:300]
    except Exception:
        return ""
    return (
        text
        if text.isascii() and text.isprintable()
        else "".join(c if " " <= c <= "~" else "?" for c in text)
    )


def says(listed, kind):
    """Whether a manifest's error name means exactly this class (never a subclass of it)."""
    module, _, name = listed.rpartition(".")
    if name != kind.__name__ or not module or module == kind.__module__:
        return name == kind.__name__
    return getattr(sys.modules.get(module), name, None) is kind  # json.JSONDecodeError is json.decoder's


def identity(shim):
    """The body of `ready`: what this subject turned out to be."""
    implementation = {"cpython": "CPython", "pypy": "PyPy"}.get(
        sys.implementation.name, sys.implementation.name
    )
    lines = ["protocol 1", "runtime %s %s" % (implementation, sys.version.split()[0])]
    lines += ["library %s %s" % pair for pair in shim["libraries"]]
    lines += ["detail recursion-limit=%d" % sys.getrecursionlimit()]
    if hasattr(sys, "get_int_max_str_digits"):
        lines += ["detail integer-digits=%d" % sys.get_int_max_str_digits()]
    lines += ["detail %s=%s" % pair for pair in sorted(shim.get("details", {}).items())]
    lines += ["file " + path for path in shim.get("files", []) if path]
    lines += ["capability parse"] + (["capability emit"] if "emit" in shim else [])
    return "\n".join(lines) + "\n"
