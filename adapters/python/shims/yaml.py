"""PyYAML as a reader of JSON: in Python, and on libyaml."""


def _stage(error):
    """Bytes that are no text, and text with characters that YAML forbids, are one class."""
    return "parse" if "characters are not allowed" in str(error) else ""


def _subject(kit, yaml, loader, details, files):
    def parse(data):
        kit.within(data)
        return yaml.load(data, Loader=loader)

    return {
        "parse": parse,
        "libraries": [("PyYAML", yaml.__version__)],
        "details": details,
        "stage": _stage,
        "files": [yaml.constructor.__file__, yaml.resolver.__file__, *files],
    }


def safe(kit):
    import yaml

    return _subject(kit, yaml, yaml.SafeLoader, {}, [yaml.reader.__file__, yaml.scanner.__file__])


def c_safe(kit):
    import yaml
    from yaml import _yaml

    return _subject(kit, yaml, yaml.CSafeLoader, {"libyaml": _yaml.get_version_string()}, [_yaml.__file__])
