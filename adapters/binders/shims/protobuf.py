"""protobuf's json_format, for a message whose field `quantity` has the JSON name `qty`."""


def _message(explicit):
    """The message Order; `explicit`: its fields are `optional`, so that it knows which were given."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    of = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="order.proto", package="whichwins", syntax="proto3")
    declared = {
        "Options": [("mode", of.TYPE_STRING, ""), ("limit", of.TYPE_INT64, "")],
        "Order": [
            ("target", of.TYPE_STRING, ""),
            ("quantity", of.TYPE_INT64, "qty"),
            ("options", of.TYPE_MESSAGE, ""),
        ],
    }
    for name, fields in declared.items():
        message = file.message_type.add(name=name)
        for number, (called, kind, json_name) in enumerate(fields, 1):
            field = message.field.add(name=called, number=number, type=kind, label=of.LABEL_OPTIONAL)
            if json_name:
                field.json_name = json_name
            if kind == of.TYPE_MESSAGE:
                field.type_name = ".whichwins.Options"
            elif explicit:
                field.proto3_optional = True
                field.oneof_index = len(message.oneof_decl)
                message.oneof_decl.add(name="_" + called)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("whichwins.Order"))


def _received(message):
    return {
        field.name: _received(value) if field.message_type else value for field, value in message.ListFields()
    }


def _stage(error):
    """One error for both: text that is no JSON, and JSON that does not fit."""
    return "parse" if str(error).startswith("Failed to load JSON") else None


def _shim(destination, **options):
    from importlib.metadata import version

    from google.protobuf import json_format
    from google.protobuf.internal import api_implementation

    def parse(data):
        message = destination()
        json_format.Parse(data, message, **options)
        return _received(message)

    return {
        "parse": parse,
        "stage": _stage,
        "libraries": [("protobuf", version("protobuf"))],
        "details": {"implementation": api_implementation.Type()},
        "files": [json_format.__file__],
    }


def parse(kit):
    return _shim(_message(explicit=False))


def ignore(kit):
    return _shim(_message(explicit=False), ignore_unknown_fields=True)


def optional(kit):
    return _shim(_message(explicit=True), ignore_unknown_fields=True)


def onto(kit):
    order = _message(explicit=True)

    def populated():
        message = order(target="kept", quantity=1)
        message.options.mode, message.options.limit = "kept", 9
        return message

    return _shim(populated, ignore_unknown_fields=True)
