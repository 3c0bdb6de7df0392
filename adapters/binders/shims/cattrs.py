"""cattrs, over dataclasses, with the converter that it has for json."""


def _shim(kit, **options):
    from dataclasses import dataclass

    import cattrs
    from cattrs.gen import make_dict_structure_fn, override
    from cattrs.preconf.json import make_converter

    order = kit.sibling("order")

    @dataclass
    class Options:
        mode: str = order.ABSENT
        limit: int = order.ABSENT

    @dataclass
    class Order:
        target: str
        quantity: int = order.ABSENT
        options: Options = order.ABSENT

    converter = make_converter(**options)
    # The converter's option is no option of the function: it has to be said again.
    extra = {"_cattrs_" + name: value for name, value in options.items()}
    structure = make_dict_structure_fn(Order, converter, quantity=override(rename="qty"), **extra)
    converter.register_structure_hook(Order, structure)
    return {
        "parse": lambda data: order.shown(converter.loads(data, Order)),
        "libraries": [("cattrs", _version())],
        "files": [cattrs.__file__, cattrs.gen.__file__, cattrs.converters.__file__],
    }


def _version():
    from importlib.metadata import version

    return version("cattrs")


def loads(kit):
    return _shim(kit)


def forbid(kit):
    return _shim(kit, forbid_extra_keys=True)
