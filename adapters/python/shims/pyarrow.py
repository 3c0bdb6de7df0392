"""pyarrow: a record as a JSON file; the row that its table has."""

import io


def _stage(error):
    return "bind" if " changed from " in str(error) else "parse"


def read_json(kit):
    import pyarrow
    from pyarrow import json

    tables = kit.sibling("tables")
    alone = json.ReadOptions(use_threads=False)

    def plain(scalar):
        """What `as_py` gives, and bytes for a string that it cannot give since it is not UTF-8."""
        if not scalar.is_valid:
            return None
        if isinstance(scalar, pyarrow.StructScalar):
            return {name: plain(scalar[name]) for name in scalar}
        if isinstance(scalar, pyarrow.ListScalar):
            return [plain(each) for each in scalar.values]
        try:
            return scalar.as_py()
        except UnicodeDecodeError:
            return scalar.as_buffer().to_pybytes()

    def parse(data):
        tables.record(kit, data)
        kit.within(data)
        try:
            table = json.read_json(io.BytesIO(data), read_options=alone)
        except pyarrow.ArrowInvalid as error:
            if "straddl" in str(error):
                raise kit.Unsupported("longer than a block of the reader (1 MiB)") from None
            raise
        try:
            return tables.row(table.to_pylist())
        except UnicodeDecodeError:
            names = table.schema.names
            rows = [{name: plain(table[name][at]) for name in names} for at in range(table.num_rows)]
            return tables.row(rows)

    return {
        "parse": parse,
        "libraries": [("pyarrow", pyarrow.__version__)],
        "details": {"arrow": pyarrow.cpp_version},
        "stage": _stage,
        "files": [__import__("pyarrow._json", fromlist=["_json"]).__file__, pyarrow.lib.__file__],
    }
