"""pydantic: one model, several ways in, several policies for names."""


def _models(alias, **config):
    from pydantic import BaseModel, ConfigDict, Field

    class Options(BaseModel):
        model_config = ConfigDict(**config)
        mode: str = ""
        limit: int = 0

    class Order(BaseModel):
        model_config = ConfigDict(**config)
        target: str
        quantity: int = Field(default=0, **alias)
        options: Options = Options()

    return Order


def _received(model):
    """The members that were given: a default is none."""
    return {
        name: _received(value) if hasattr(value, "model_fields_set") else value
        for name, value in ((name, getattr(model, name)) for name in type(model).model_fields)
        if name in model.model_fields_set
    }


def _stage(error):
    """pydantic has one error for both: text that is no JSON, and JSON that does not fit."""
    errors = getattr(error, "errors", None)
    kinds = {each["type"] for each in errors(include_url=False)} if errors else ()
    return "parse" if "json_invalid" in kinds else None


def _shim(parse):
    import pydantic
    import pydantic_core

    return {
        "parse": parse,
        "stage": _stage,
        "libraries": [("pydantic", pydantic.VERSION), ("pydantic-core", pydantic_core.__version__)],
        "files": [pydantic_core._pydantic_core.__file__],
    }


def _validated(alias, **config):
    model = _models(alias, **config)
    return _shim(lambda data: _received(model.model_validate_json(data)))


def json(kit):
    return _validated({"alias": "qty"}, populate_by_name=True)


def alias(kit):
    return _validated({"alias": "qty"})


def choices(kit):
    from pydantic import AliasChoices

    return _validated({"validation_alias": AliasChoices("quantity", "qty")})


def forbid(kit):
    return _validated({"alias": "qty"}, populate_by_name=True, extra="forbid")


def python(kit):
    import json

    model = _models({"alias": "qty"}, populate_by_name=True)
    return _shim(lambda data: _received(model.model_validate(json.loads(data))))


def adapter(kit):
    from dataclasses import dataclass

    from pydantic import ConfigDict, Field, TypeAdapter
    from typing_extensions import Annotated

    order = kit.sibling("order")

    @dataclass
    class Options:
        mode: str = order.ABSENT
        limit: int = order.ABSENT

    @dataclass
    class Order:
        __pydantic_config__ = ConfigDict(populate_by_name=True)
        target: str
        quantity: Annotated[int, Field(alias="qty")] = order.ABSENT
        options: Options = order.ABSENT

    validate = TypeAdapter(Order).validate_json
    return _shim(lambda data: order.shown(validate(data)))


def copy(kit):
    import json

    model = _models({"alias": "qty"}, populate_by_name=True)
    options = model.model_fields["options"].annotation
    there = model(target="kept", quantity=1, options=options(mode="kept", limit=9))
    return _shim(lambda data: _held(there.model_copy(update=json.loads(data))))


def _held(model):
    """All that a copy holds, members beside the fields too: `update` asks nobody."""
    return {
        name: _held(value) if hasattr(value, "model_fields_set") else value
        for name, value in vars(model).items()
    }
