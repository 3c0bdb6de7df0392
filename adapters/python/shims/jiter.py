"""jiter: plain, refusing repeated names, keeping the text of fractions."""


def _subject(**options):
    import jiter

    return {
        "parse": lambda data: jiter.from_json(data, **options),
        "plain": True,
        "libraries": [("jiter", jiter.__version__)],
        "files": [jiter.jiter.__file__],
    }


def plain(kit):
    return _subject()


def unique(kit):
    return _subject(catch_duplicate_keys=True)


def lossless(kit):
    return _subject(float_mode="lossless-float")
