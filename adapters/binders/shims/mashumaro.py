"""mashumaro, over dataclasses."""


def _shim(kit, **options):
    from dataclasses import dataclass, field
    from importlib.metadata import version

    import mashumaro
    from mashumaro import field_options
    from mashumaro.config import BaseConfig
    from mashumaro.core.meta.code import builder
    from mashumaro.mixins.json import DataClassJSONMixin

    order = kit.sibling("order")
    config = type("Config", (BaseConfig,), options)

    @dataclass
    class Options(DataClassJSONMixin):
        mode: str = order.ABSENT
        limit: int = order.ABSENT

        Config = config

    @dataclass
    class Order(DataClassJSONMixin):
        target: str
        quantity: int = field(default=order.ABSENT, metadata=field_options(alias="qty"))
        options: Options = order.ABSENT

        Config = config

    return {
        "parse": lambda data: order.shown(Order.from_json(data)),
        "libraries": [("mashumaro", version("mashumaro"))],
        "files": [mashumaro.__file__, builder.__file__],
    }


def alias(kit):
    return _shim(kit)


def names(kit):
    return _shim(kit, allow_deserialization_not_by_alias=True)


def forbid(kit):
    return _shim(kit, forbid_extra_keys=True)
