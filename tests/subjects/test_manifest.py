"""Manifests are read strictly; every refusal names the file, the table and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from whichwins.model import BadInput, Canary, Keep, LaunchSpec
from whichwins.subjects import read_manifest

GOOD = """
protocol = 1
name = "mine"
about = "an example"
toolchain = "node"

[[launch]]
needs = "node"
command = ["{node}", "--heap={memory-mb}", "{folder}/worker.mjs"]
memory = "runtime"

[[canary]]
text = '{"a":1}'
expect = ['{"a":1}', '{"a":1.0}']
reason = "a control"

[[canary]]
text = "{"
expect = ["reject"]

[[subject]]
key = "mine/one"
family = "one"
library = "lib"
entry = "lib.parse"
shim = "one"
decode = "library"
rejects = ["lib.Error"]
rejects_decode = ["DecodeError"]
packages = ["lib"]
install = "pip install lib"
default = true
required = true
repeats = "last"
options = { strict = "true" }
bounds = { depth = 500, bytes = 4096 }

[[subject.keeps]]
cause = "syntax"
kind = "number"
since = "3.19"
say = "lib.find(text, nan=True)"
subject = "mine/two"

[[subject]]
key = "mine/two"
family = "two"
library = "lib"
entry = "lib.find"
shim = "two"
decode = "library"
rejects = ["Error"]
lookup = true
launch = [{ command = ["{folder}/two"] }]

[[subject.canary]]
text = "[]"
expect = ["[]"]
"""


def manifest(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "adapter.toml").write_text(text, encoding="utf-8")
    return folder


def test_everything_is_taken_over(tmp_path: Path) -> None:
    adapter = read_manifest(manifest(tmp_path, GOOD))
    assert (adapter.name, adapter.folder, adapter.protocol) == ("mine", tmp_path, 1)
    assert adapter.toolchain == "node"
    one, two = adapter.subjects
    assert one.keeps == (Keep("syntax", "lib.find(text, nan=True)", "number", "3.19", "mine/two"),)
    assert (one.key, one.adapter, one.family, one.library, one.entry) == (
        *("mine/one", "mine", "one", "lib", "lib.parse"),
    )
    assert (one.shim, one.decode, one.rejects, one.rejects_decode) == (
        *("one", "library", ("lib.Error",), ("DecodeError",)),
    )
    assert (one.packages, one.install, dict(one.options)) == (("lib",), "pip install lib", {"strict": "true"})
    assert (dict(one.bounds), dict(two.bounds)) == ({"depth": 500, "bytes": 4096}, {})
    assert (one.default, one.required, one.lookup, one.repeats) == (True, True, False, "last")
    assert one.launch == (
        LaunchSpec("node", ("{node}", "--heap={memory-mb}", "{folder}/worker.mjs"), "runtime"),
    )
    control, refusal = Canary('{"a":1}', ('{"a":1}', '{"a":1.0}'), "a control"), Canary("{", ("reject",))
    assert one.canaries == (control, refusal)
    assert two.canaries == (control, refusal, Canary("[]", ("[]",)))
    assert two.launch == (LaunchSpec(None, ("{folder}/two",), "address-space"),)
    assert (two.default, two.required, two.lookup, two.repeats, dict(two.options)) == (
        *(False, False, True, "", {}),
    )


def test_canaries_can_be_replaced(tmp_path: Path) -> None:
    more = (
        'replace_canaries = true\n\n[[subject.canary]]\ntext = "["\nexpect = ["reject"]\n\n[[subject.canary]]'
    )
    head, tail = GOOD.rsplit("\n[[subject.canary]]", 1)
    adapter = read_manifest(manifest(tmp_path, head + more + tail))
    assert [canary.text for canary in adapter.subjects[1].canaries] == ["[", "[]"]


def test_what_binds_has_a_shape_and_says_no_at_a_stage_of_its_own(tmp_path: Path) -> None:
    more = 'shape = "order"\ntoolchain = "python"\nrejects_bind = ["lib.Misfit"]\nlookup = true'
    one, two = read_manifest(manifest(tmp_path, GOOD.replace("lookup = true", more))).subjects
    assert (one.shape, one.rejects_bind, one.toolchain) == ("", (), "node")
    assert (two.shape, two.rejects_bind, two.toolchain) == ("order", ("lib.Misfit",), "python")


BAD = [
    (
        "lookup = true",
        "bounds = { deep = 3 }",
        "(mine/two): `bounds`: unknown key 'deep'; did you mean `depth`?",
    ),
    ("lookup = true", "bounds = { depth = 0 }", "`bounds` must be a table of numbers above 0"),
    ("lookup = true", "bounds = { depth = true }", "`bounds` must be a table of numbers above 0"),
    ("lookup = true", "bounds = 3", "`bounds` must be a table of numbers above 0"),
    ("lookup = true", 'shape = "An order"', "`shape` 'An order' must be lower-case"),
    ("lookup = true", 'toolchain = "perl"', "(mine/two): `toolchain` is 'perl'"),
    (
        "lookup = true",
        'rejects_bind = ["Error"]',
        "Error stands in `rejects` and in `rejects_bind`; choose one",
    ),
    ("lookup = true", 'rejects_bind = ["E E"]', "'E E' must be the name of an error"),
    ("protocol = 1", "protocol = 2", "adapter.toml: `protocol` is 2; this whichwins speaks 1"),
    ("protocol = 1", "", "`protocol` is missing"),
    ("protocol = 1", "protocol = true", "`protocol` is True"),
    ('name = "mine"', "", "adapter.toml: `name` is missing"),
    ('name = "mine"', 'name = "Mine"', "`name` 'Mine' must be lower-case"),
    ('name = "mine"', "name = 3", "`name` must be a string"),
    ('about = "an example"', 'abuot = "x"', "unknown key 'abuot'; did you mean `about`?"),
    ('about = "an example"', 'about = "a\\nb"', "`about` must be one line"),
    ('needs = "node"', 'needs = "perl"', "[[launch]] 1: `needs` is 'perl'"),
    ('needs = "node"\n', "", "[[launch]] 1: `command`: the placeholder {node} needs `needs`"),
    ("{memory-mb}", "{memory}", "the placeholder {memory} is unknown"),
    ("{memory-mb}", "512", "`command` must carry {memory-mb}"),
    ('memory = "runtime"', 'memory = "cgroup"', "`memory` is 'cgroup'"),
    (
        'command = ["{node}", "--heap={memory-mb}", "{folder}/worker.mjs"]',
        "command = []",
        "`command` is empty",
    ),
    ('command = ["{node}", "--heap={memory-mb}", "{folder}/worker.mjs"]', "", "`command` is missing"),
    (
        'command = ["{node}", "--heap={memory-mb}", "{folder}/worker.mjs"]',
        'command = "x"',
        "`command` must be a",
    ),
    ("text = '{\"a\":1}'\n", "", "[[canary]] 1: `text` is missing"),
    ('expect = ["reject"]', "", "[[canary]] 2: `expect` is missing"),
    ('expect = ["reject"]', 'expect = ["reject", "1"]', "not both"),
    ('expect = ["reject"]', 'expect = ["{"]', "[[canary]] 2: `expect`: '{' is no notation"),
    ('expect = ["reject"]', 'expect = ["1e16"]', "'1e16' is not canonical; write 1e+16"),
    ('key = "mine/one"', "", "[[subject]] 1: `key` is missing"),
    ('key = "mine/one"', 'key = "other/one"', "[[subject]] 1 (other/one): `key` must be mine/"),
    ('key = "mine/one"', 'key = "mine/One"', "[[subject]] 1 (mine/One): `key` must be mine/"),
    ('key = "mine/one"', 'key = "mine/two"', "two subjects have the key mine/two"),
    (
        'family = "one"',
        'famly = "one"',
        "[[subject]] 1 (mine/one): unknown key 'famly'; did you mean `family`?",
    ),
    ('shim = "one"', "", "`shim` is missing; give it a string"),
    ('rejects = ["lib.Error"]', "", "`rejects` is missing"),
    ('rejects = ["lib.Error"]', "rejects = []", "`rejects` is empty; list at least one"),
    ('rejects = ["lib.Error"]', 'rejects = ["a b"]', "'a b' must be the name of an error"),
    ('rejects = ["lib.Error"]', 'rejects = ["DecodeError"]', "DecodeError stands in `rejects` and"),
    ("required = true", 'required = "yes"', "`required` must be true or false"),
    ("default = true", "", "`required` needs `default = true`"),
    ('repeats = "last"', 'repeats = "newest"', "`repeats` is 'newest'; known are first, last, reject, all"),
    ('options = { strict = "true" }', "options = { strict = true }", "`options` must be a table of strings"),
    ('expect = ["reject"]', 'expect = ["1"]', "its canaries must hold a text to accept and one to reject"),
    ("[[launch]]", "[launch]", "`launch` must be an array of tables"),
    ('toolchain = "node"', 'toolchain = "npm"', "`toolchain` is 'npm'; known are python, node, ruby"),
    ('say = "lib', 'sya = "lib', "[[subject.keeps]] 1: unknown key 'sya'; did you mean `say`?"),
    ('cause = "syntax"\n', "", "[[subject.keeps]] 1: `cause` is missing"),
    ('subject = "mine/two"', 'subject = "mine/three"', "names the subject mine/three, which is not here"),
]


@pytest.mark.parametrize(("good", "bad", "message"), BAD)
def test_what_is_wrong_is_said(tmp_path: Path, good: str, bad: str, message: str) -> None:
    assert good in GOOD
    folder = manifest(tmp_path, GOOD.replace(good, bad, 1))
    with pytest.raises(BadInput) as caught:
        read_manifest(folder)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(folder / "adapter.toml"))
    assert "\n" not in str(caught.value)


def test_no_subject_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no \[\[subject\]\]"):
        read_manifest(manifest(tmp_path, GOOD.split("[[subject]]")[0]))


def test_no_launch_is_an_error(tmp_path: Path) -> None:
    head, rest = GOOD.split("[[launch]]")
    with pytest.raises(BadInput, match=r"\(mine/one\): no \[\[launch\]\]"):
        read_manifest(manifest(tmp_path, head + "[[canary]]" + rest.split("[[canary]]", 1)[1]))


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"protocol = \n", "not TOML"),
        (b"protocol = " + b"9" * 5000, "not TOML"),
        (b"protocol = " + b"[" * 5000, "not TOML"),
        (b'name = "\xff"\n', "not UTF-8 at byte 8; save it as UTF-8"),
        (b"", "`protocol` is missing"),
    ],
)
def test_broken_files(tmp_path: Path, raw: bytes, message: str) -> None:
    (tmp_path / "adapter.toml").write_bytes(raw)
    with pytest.raises(BadInput) as caught:
        read_manifest(tmp_path, "somewhere/adapter.toml")
    assert str(caught.value).startswith("somewhere/adapter.toml: ")
    assert message in str(caught.value)


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file; an adapter is a folder"):
        read_manifest(tmp_path)
