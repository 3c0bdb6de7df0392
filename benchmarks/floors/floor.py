"""The floor of a Python subject: read each text with the plain call, discard what comes of it.

python floor.py KEY TEXTS

Prints the CPU seconds (user and system) of the loop alone. TEXTS is what `measure.packed` wrote.
"""

import sys
import time
from pathlib import Path


def parser(key):
    if key.startswith("python/json"):
        import json

        if key == "python/json-str":
            return lambda data: json.loads(data.decode())
        if key == "python/json-lax":
            return lambda data: json.loads(data, strict=False)
        if key == "python/json-unique":
            return lambda data: json.loads(data, object_pairs_hook=once)
        if key == "python/json-pairs":
            return lambda data: json.loads(data, object_pairs_hook=tuple)
        return {"python/json": json.loads}[key]
    if key == "python/orjson":
        import orjson

        return orjson.loads
    if key == "python/ujson":
        import ujson

        return ujson.loads
    if key.startswith("python/simplejson"):
        import simplejson

        if key == "python/simplejson-decimal":
            return lambda data: simplejson.loads(data, use_decimal=True)
        return {"python/simplejson": simplejson.loads}[key]
    if key.startswith("python/rapidjson"):
        import rapidjson

        if key == "python/rapidjson-native":
            return lambda data: rapidjson.loads(data, number_mode=rapidjson.NM_NATIVE)
        return {"python/rapidjson": rapidjson.loads}[key]
    raise SystemExit("no floor for " + key)


def once(pairs):
    names = dict(pairs)
    if len(names) != len(pairs):
        raise ValueError
    return names


def main():
    key, path = sys.argv[1:]
    blob = Path(path).read_bytes()
    texts, at = [], 0
    while at < len(blob):
        size = int.from_bytes(blob[at : at + 4], "little")
        texts.append(blob[at + 4 : at + 4 + size])
        at += 4 + size
    parse = parser(key)
    start = time.process_time()
    for data in texts:
        try:  # noqa: SIM105, a context manager would be part of the floor
            parse(data)
        except Exception:
            pass
    print(time.process_time() - start)


main()
