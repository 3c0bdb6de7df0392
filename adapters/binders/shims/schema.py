"""Validators of JSON Schema: they see what json.loads made, and a tool goes on with just that."""


def _schema(closed):
    more = {"additionalProperties": False} if closed else {}
    options = {"mode": {"type": "string"}, "limit": {"type": "integer"}}
    return {
        "type": "object",
        "properties": {
            "target": {"type": "string"},
            "quantity": {"type": "integer"},
            "options": {"type": "object", "properties": options, **more},
        },
        "required": ["target"],
        **more,
    }


def _shim(name, validate, files):
    import json
    from importlib.metadata import version

    def parse(data):
        instance = json.loads(data)
        validate(instance)
        return instance

    return {"parse": parse, "libraries": [(name, version(name))], "files": files}


def _jsonschema(closed):
    import jsonschema

    validate = jsonschema.Draft202012Validator(_schema(closed)).validate
    return _shim("jsonschema", validate, [jsonschema.validators.__file__])


def _jsonschema_rs(closed):
    import jsonschema_rs

    # Some versions are one extension module, some a package around it.
    inner = getattr(jsonschema_rs, "jsonschema_rs", jsonschema_rs)
    validate = jsonschema_rs.validator_for(_schema(closed)).validate
    return _shim("jsonschema-rs", validate, [inner.__file__])


def jsonschema(kit):
    return _jsonschema(closed=False)


def jsonschema_closed(kit):
    return _jsonschema(closed=True)


def jsonschema_rs(kit):
    return _jsonschema_rs(closed=False)


def jsonschema_rs_closed(kit):
    return _jsonschema_rs(closed=True)
