"""The conversion that the user declares: `transform`, put to a value as JSON text, answered in notation."""

from decimal import Decimal


class _Repeated(Exception):
    """The function takes objects of its language, which hold a name once."""


def make(tools):
    import json

    function = tools.find(tools.options["transform"])

    def once(pairs):
        found = dict(pairs)
        if len(found) != len(pairs):
            raise _Repeated
        return found

    def number(text):
        near = float(text)
        return near if Decimal(repr(near)) == Decimal(text) else Decimal(text)

    read = json.JSONDecoder(object_pairs_hook=once, parse_float=number).decode

    def convert(number_of_frame, body):
        try:
            value = read(body.decode())
        except _Repeated:
            return b"unsupported", number_of_frame, b"a repeated name cannot be given to a conversion"
        except (ValueError, ArithmeticError, RecursionError) as error:
            return b"unsupported", number_of_frame, ("no JSON: " + tools.words.one_line(error)).encode()[:300]
        try:
            return b"accept", number_of_frame, tools.spell(function(value)).encode()
        except BaseException as error:
            name = "".join(tools.words.one_line(tools.class_name(type(error))).split()) or "Error"
            return b"fault", number_of_frame, (name + " " + tools.words.one_line(error)).encode()

    return convert
