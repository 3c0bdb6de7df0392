"""marshmallow: a Schema whose `quantity` has the data key `qty`; it decodes with json."""


def _shim(unknown):
    from importlib.metadata import version

    import marshmallow
    from marshmallow import Schema, fields

    class Options(Schema):
        mode = fields.String()
        limit = fields.Integer()

    class Order(Schema):
        target = fields.String(required=True)
        quantity = fields.Integer(data_key="qty")
        options = fields.Nested(Options, unknown=unknown)

    schema = Order(unknown=unknown)
    return {
        "parse": schema.loads,
        "libraries": [("marshmallow", version("marshmallow"))],
        "files": [marshmallow.schema.__file__, fields.__file__],
    }


def refuse(kit):
    return _shim("raise")


def exclude(kit):
    return _shim("exclude")


def include(kit):
    return _shim("include")
