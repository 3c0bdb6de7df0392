"""Readers that make something of a text that is no JSON, or not yet."""


class NothingFound(Exception):
    """The empty string: what json_repair says of a text in which it finds nothing."""


def repair(bench):
    import json_repair
    from json_repair import json_parser

    def read(raw):
        bench.string(raw)  # UTF-8, or it cannot be put
        text = raw.decode()
        value = json_repair.loads(text)
        if value == "" and '"' not in text:
            raise NothingFound
        bench.execute(value)

    return bench.call(read, ("json-repair", json_parser))


def jiter(bench):
    import jiter

    return bench.call(lambda raw: bench.execute(jiter.from_json(raw, partial_mode=True)), ("jiter", jiter))


def jiter_unique(bench):
    import jiter

    def read(raw):
        bench.execute(jiter.from_json(raw, catch_duplicate_keys=True))

    return bench.call(read, ("jiter", jiter))


def partial_json(bench):
    import partial_json_parser

    def read(raw):
        bench.string(raw)  # UTF-8, or it cannot be put
        bench.execute(partial_json_parser.loads(raw.decode()))

    return bench.call(read, ("partial-json-parser", partial_json_parser))
