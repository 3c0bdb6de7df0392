"""`whichwins audit`, whole: stack files, real parsers, a user's own functions, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from whichwins.cli import main

SMALLEST = """
[stack]
name = "orders"
policy = "strict-tool-input"

[[boundary]]
name = "preview"
role = "reviewer"
subject = "python/sqlite3-extract"

[[boundary]]
name = "executor"
role = "executor"
subject = "python/json"
"""
BEHIND = """
[stack]
name = "orders"

[[boundary]]
name = "front"
role = "validator"
subject = "{front}"

[[boundary]]
name = "preview"
role = "reviewer"
subject = "{preview}"
reads = "front"

[[boundary]]
name = "executor"
role = "executor"
subject = "python/json"
reads = "front"
"""
OWN = """
[stack]
name = "orders"

[[boundary]]
name = "screen"
role = "reviewer"
call = "shop:screen"

[[boundary]]
name = "tool"
role = "executor"
call = "shop:tool"
"""
FAMILY = """
about = "orders"
[expect]
rfc8259 = "accept"
i-json = "accept"
jcs-input = "accept"
strict-tool-input = "accept"
[[case]]
id = "plain"
text = '{"quantity":2}'
why = "a control"
[[case]]
id = "repeat"
text = '{"quantity":2,"quantity":20}'
why = "a repeat"
[case.expect]
rfc8259 = "free: RFC 8259 section 4"
i-json = "reject: RFC 7493 section 2.3"
jcs-input = "reject: RFC 8785 section 3.1"
strict-tool-input = "reject: names once per object"
[[case]]
id = "bad-names"
hex = "7b22ff223a312c22fe223a327d"
why = "two names of bad bytes"
[case.expect]
rfc8259 = "reject: RFC 8259 section 8.1"
i-json = "reject: RFC 8259 section 8.1"
jcs-input = "reject: RFC 8259 section 8.1"
strict-tool-input = "reject: well-formed UTF-8"
"""
SMALL = ["--no-builtin", "--corpus", "orders.toml"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "orders.toml").write_text(FAMILY, encoding="utf-8")
    return tmp_path


def audited(text: str, *words: str, shop: str = "") -> tuple[int, dict[str, Any]]:
    """The exit code and the whole report as data."""
    Path("stack.toml").write_text(text, encoding="utf-8")
    if shop:
        Path("shop.py").write_text("import json\n" + dedent(shop), encoding="utf-8")
    # SQLite takes seconds for ten thousand names; a busy machine takes more.
    code = main(["audit", "stack.toml", "-o", "report.json", "--timeout", "60", *words])
    report = json.loads(Path("report.json").read_text(encoding="ascii"))
    report["verdicts"] = {str(each["number"]): each["is"] for each in report["verdicts"]}
    return code, report


def groups(report: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(each["fault"], each["boundary"], each["cause"]) for each in report["groups"]}


def broken(report: dict[str, Any]) -> list[str]:
    return sorted(number for number, state in report["verdicts"].items() if state == "broken")


# -- what the documentation promises of the built-in corpus ------------------------------------------------


def test_the_smallest_stack_shows_two_and_executes_twenty(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, report = audited(SMALLEST, "-o", "report.txt")
    assert code == 1
    assert ("value-differs", "executor", "repeated name") in groups(report)
    said = 'For {"quantity":2,"quantity":20}: preview held 2, executor held 20.'
    assert said in Path("report.txt").read_text(encoding="ascii").splitlines()
    words = ["audit", "stack.toml", "--case", "orders/repeat", "--show-values", *SMALL]
    assert main(words) == 1
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["showed", '{"quantity":2}'] in lines
    assert ["executed", '{"quantity":20}'] in lines


def test_a_check_of_repeats_in_front_leaves_the_numbers(place: Path) -> None:
    code, report = audited(BEHIND.format(front="python/json-unique", preview="python/sqlite3-extract"))
    assert code == 1
    causes = {cause for _, _, cause in groups(report)}
    assert "repeated name" not in causes
    assert "number" in causes


def test_the_guard_in_front_leaves_faults_of_sqlites_lookup_alone(place: Path) -> None:
    code, report = audited(BEHIND.format(front="python/guard", preview="python/sqlite3-extract"))
    assert code == 1
    assert groups(report) == {("value-differs", "executor", "lookup")}


def test_two_equal_readers_behind_the_guard_pass(place: Path) -> None:
    code, report = audited(BEHIND.format(front="python/guard", preview="python/json"))
    assert code == 0
    assert report["verdicts"] == dict.fromkeys("12345", "holds")


# -- boundaries behind others ------------------------------------------------------------------------------


def test_a_gateway_that_writes_anew_is_the_first_that_loses(place: Path) -> None:
    """Node.js reads bytes that are not UTF-8 as U+FFFD: two names become one, and the evidence is gone."""
    code, report = audited(BEHIND.format(front="node/json-lossy", preview="python/json"), *SMALL)
    assert code == 1
    assert groups(report) == {
        ("passed-what-policy-rejects", "front", "repeated name"),
        ("passed-what-policy-rejects", "front", "encoding"),
    }
    (bad,) = (each for each in report["findings"] if each["case"] == "orders/bad-names")
    assert (bad["lossy"], bad["loss"]) == ("front", "bytes")


def test_a_validator_behind_a_lossy_boundary_is_blind(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = BEHIND.format(front="python/json", preview="python/json-unique").replace("reviewer", "validator")
    code, report = audited(text, *SMALL)
    assert code == 1
    assert any(note.startswith("preview: is blind: it reads what front left") for note in report["notes"])
    main(["audit", "stack.toml", "--checklist", "--format", "json", *SMALL])
    lines = json.loads(capsys.readouterr().out)["lines"]
    (line,) = (each for each in lines if each["question"].startswith("does what is taken for a check"))
    assert (line["answer"], line["witness"]) == ("no", "orders/repeat")


def test_the_guard_one_boundary_too_late_is_no_help(place: Path) -> None:
    text = BEHIND.format(front="python/json", preview="python/guard")
    text = text.replace('role = "reviewer"', 'role = "validator"')
    head, _, tail = text.rpartition('reads = "front"')
    code, report = audited(head + 'reads = "preview"' + tail, *SMALL)
    assert code == 1
    assert groups(report) == {("passed-what-policy-rejects", "front", "repeated name")}
    assert broken(report) == ["3"]


# -- a user's own functions: each of five faults, and its verdict alone ------------------------------------

SOUND = """
from whichwins.reference import Rejected, guard

def read(raw, ctx):
    found = guard(raw)
    if isinstance(found, Rejected):
        ctx.reject(found.clause)
    return json.loads(raw)

def screen(raw, ctx):
    ctx.preview(read(raw, ctx))

def tool(raw, ctx):
    ctx.execute(read(raw, ctx))
"""
FAULTS = {
    "1: another value is shown": ("1", "ctx.preview(read(raw, ctx))", "ctx.preview({'quantity': 3})"),
    "2: it runs, and then raises": (
        "2",
        "ctx.execute(read(raw, ctx))",
        "ctx.execute(read(raw, ctx)); raise OSError",
    ),
    "2: it runs twice": (
        "2",
        "ctx.execute(read(raw, ctx))",
        "value = read(raw, ctx); ctx.execute(value); ctx.execute(value)",
    ),
    "3: a repeat is executed": (
        "3",
        "    found = guard(raw)",
        "    found = guard(json.dumps(json.loads(raw)).encode())",
    ),
    "4: success, and nothing ran": ("4", "ctx.execute(read(raw, ctx))", "read(raw, ctx)"),
    "5: everything is rejected": ("5", "    found = guard(raw)", "    ctx.reject('no')"),
}


def test_a_sound_stack_passes(place: Path) -> None:
    code, report = audited(OWN, *SMALL, shop=SOUND)
    assert (code, report["verdicts"]) == (0, dict.fromkeys("12345", "holds"))


@pytest.mark.parametrize("what", FAULTS)
def test_each_fault_breaks_its_verdict_alone(place: Path, what: str) -> None:
    number, right, wrong = FAULTS[what]
    assert right in SOUND
    code, report = audited(OWN, *SMALL, shop=SOUND.replace(right, wrong))
    assert code == 1
    assert broken(report) == [number]


def test_an_approver_of_another_digest(place: Path) -> None:
    text = OWN.replace('role = "reviewer"', 'role = "approver"')
    approving = SOUND.replace("ctx.preview(read(raw, ctx))", "ctx.approve(%s)")
    code, report = audited(text, *SMALL, shop=approving % "read(raw, ctx)")
    assert (code, broken(report)) == (0, [])
    code, report = audited(text, *SMALL, shop=approving % "[read(raw, ctx)]")
    assert code == 1
    assert ("digest-differs", "tool", "other") in groups(report)


def test_a_hanging_tool_costs_one_time_limit(place: Path) -> None:
    hanging = SOUND.replace("def tool(raw, ctx):", "def tool(raw, ctx):\n    if b'\\xff' in raw: hang()")
    shop = hanging + "\ndef hang():\n    import time\n    time.sleep(600)\n"
    code, report = audited(OWN, *SMALL, "--timeout", "1", shop=shop)
    assert code == 1
    assert groups(report) == {("rejection-as-error", "tool", "encoding")}


def test_what_ran_before_the_worker_died_is_known(place: Path) -> None:
    dying = "ctx.execute(read(raw, ctx)); import os; os.abort()"
    code, report = audited(OWN, *SMALL, shop=SOUND.replace("ctx.execute(read(raw, ctx))", dying))
    assert code == 1
    assert ("ran-though-not-accepted", "tool", "other") in groups(report)


# -- what cannot be measured, what is wrong ----------------------------------------------------------------


def test_code_that_cannot_be_loaded_is_no_verdict(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = audited(OWN, *SMALL, shop="raise ImportError('nothing')\n")
    assert code == 3
    assert broken(report) == []
    said = capsys.readouterr().err
    assert "whichwins: screen, line 5 of the stack: could not be asked" in said


@pytest.mark.parametrize("flag", ["-o", "--record", "--evidence"])
def test_nothing_is_written_over_the_code_that_the_stack_runs(
    place: Path, capsys: pytest.CaptureFixture[str], flag: str
) -> None:
    shop, key = dedent(SOUND), ("--digest-key", "ab" * 16)
    Path("stack.toml").write_text(OWN, encoding="utf-8")
    Path("shop.py").write_text(shop, encoding="utf-8")
    assert main(["audit", "stack.toml", flag, "shop.py", *(key if flag == "--evidence" else ())]) == 2
    assert "shop.py" in capsys.readouterr().err
    assert Path("shop.py").read_text(encoding="utf-8") == shop


def test_unknown_is_not_fine(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Objects that somebody else parsed: whatever they are, nothing is proven."""
    text = OWN.replace('call = "shop:screen"', 'call = "shop:screen"\nraw = false\nguarantee = "a gateway"')
    code, report = audited(text, *SMALL, shop=SOUND)
    assert code == 3
    assert "unknown, and no finding" in capsys.readouterr().err
    assert report["verdicts"]["1"] == "unknown"
    assert audited(text, *SMALL, "--allow-unknown", shop=SOUND)[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.toml"], "whichwins: none.toml: "),
        (["stack.toml", "--case", "orders/repeet", *SMALL], "did you mean orders/repeat"),
        (["stack.toml", "--case", "x", "-f", "y"], "--filter y: --case asks one request alone"),
        (["stack.toml", "--no-builtin"], "--no-builtin leaves no cases"),
        (["stack.toml", "--checklist", "--format", "sarif"], "--checklist: there is no sarif of it"),
    ],
)
def test_mistakes_are_told_in_a_line(
    place: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    Path("stack.toml").write_text(SMALLEST, encoding="utf-8")
    assert main(["audit", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert said in err


def test_a_writer_is_needed_where_somebody_reads(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("stack.toml").write_text(
        BEHIND.format(front="python/sqlite3-extract", preview="python/json"), encoding="utf-8"
    )
    assert main(["audit", "stack.toml", *SMALL]) == 2
    assert "stack.toml:10: preview `reads` front, but python/sqlite3-extract writes nothing" in (
        capsys.readouterr().err
    )


# -- what a stack may say more -----------------------------------------------------------------------------


def test_a_sink_is_counted_and_one_argument_of_it_is_what_runs(place: Path) -> None:
    text = OWN.replace(
        'call = "shop:tool"', 'call = "shop:handle"\nsink = "shop:run"\nsink-argument = "order"'
    )
    shop = SOUND + dedent(
        """
        def run(user, order):
            raise RuntimeError("it really ran")

        def handle(raw, ctx):
            run("somebody", read(raw, ctx))
        """
    )
    code, report = audited(text, *SMALL, shop=shop)
    assert (code, report["verdicts"]) == (0, dict.fromkeys("12345", "holds"))
    (tool,) = (each for each in report["boundaries"] if each["name"] == "tool")
    assert tool["executions"] == 2  # the control, and the twin of the repeat


def test_a_conversion_is_asked_of_the_user(place: Path) -> None:
    text = OWN + 'transform = "shop:units"\n'
    shop = SOUND.replace("ctx.execute(read(raw, ctx))", "ctx.execute(units(read(raw, ctx)))")
    shop += "\ndef units(order):\n    return {'units': sum(order.values()) * 12}\n"
    code, report = audited(text, *SMALL, shop=shop)
    assert (code, report["verdicts"]["1"]) == (0, "holds")
    wrong = shop.replace("units(read(raw, ctx))", "read(raw, ctx) and units({'quantity': 1})")
    code, report = audited(text, *SMALL, shop=wrong)
    assert (code, broken(report)) == (1, ["1"])


def test_controls_are_what_a_typed_tool_has_to_accept(place: Path) -> None:
    Path("orders.toml").write_text(
        FAMILY + '[[case]]\nid = "list"\ntext = \'[1]\'\nwhy = "no order"\n', encoding="utf-8"
    )
    typed = SOUND + "\nplain = read\ndef read(raw, ctx):\n    return {**plain(raw, ctx)}\n"
    assert broken(audited(OWN, *SMALL, shop=typed)[1]) == ["5"]
    text = OWN.replace('name = "orders"', 'name = "orders"\ncontrols = ["orders/plain"]')
    assert audited(text, *SMALL, shop=typed)[0] == 0


# -- requests that really came, evidence -------------------------------------------------------------------

CAME = """\
{"text": "{\\"quantity\\":2}", "producer": "planner", "interface": "v1", "path": "/tool"}
{"text": "{\\"quantity\\":2,\\"quantity\\":20}", "producer": "planner", "interface": "v2", "path": "/tool"}
{"text": null, "producer": "planner", "interface": "v2", "path": "/tool"}
"""


def test_requests_that_came_have_rates(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("came.jsonl").write_text(CAME, encoding="utf-8")
    code, report = audited(SMALLEST, "--requests", "came.jsonl")
    assert code == 1
    total = report["received"]["all"]
    assert (total["received"], total["unavailable"], total["repeated"]) == (3, 1, 1)
    assert [line["interface"] for line in report["received"]["lines"]] == ["v1", "v2"]
    assert main(["audit", "stack.toml", "--requests", "came.jsonl"]) == 1
    out = capsys.readouterr().out
    assert ["raw", "text", "not", "available", "1", "33.3%"] in [line.split() for line in out.splitlines()]
    assert "20}" not in out


def test_no_raw_text_at_all_is_no_zero(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("came.jsonl").write_text('{"text": null}\n', encoding="utf-8")
    code, report = audited(SMALLEST, "--requests", "came.jsonl")
    assert code == 3
    assert report["received"]["all"]["unavailable"] == 1
    assert "no request has its raw text" in capsys.readouterr().err


def test_evidence_is_the_same_twice_under_one_key(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--evidence", "one.jsonl", "--digest-key", 16 * "0f", *SMALL]
    assert audited(SMALLEST, *words)[0] == 1
    assert audited(SMALLEST, "--evidence", "two.jsonl", *words[2:])[0] == 1
    one = Path("one.jsonl").read_bytes()
    assert one == Path("two.jsonl").read_bytes()
    assert b"quantity" not in one
    assert capsys.readouterr().err == ""
    assert audited(SMALLEST, "--evidence", "two.jsonl", *SMALL)[0] == 1
    assert capsys.readouterr().err.startswith("digest key (kept nowhere else): ")
    assert main(["audit", "stack.toml", "--digest-key", 16 * "0f", *SMALL]) == 2
    assert "--digest-key goes with --evidence" in capsys.readouterr().err


def test_no_folder_of_the_machine_is_in_a_report(place: Path) -> None:
    audited(OWN, "--evidence", "one.jsonl", "--digest-key", 16 * "0f", *SMALL, shop=SOUND)
    for name in ("one.jsonl", "report.json"):
        assert str(place) not in Path(name).read_text(encoding="ascii")


def test_headers_of_a_case_are_sent_to_those_who_read_the_request(place: Path) -> None:
    """A charset decides what a text says; behind a gateway it says nothing any more."""
    latin = FAMILY + dedent(
        """
        [[case]]
        id = "latin"
        hex = "7b22e9223a317d"
        why = "an e with an acute accent, in Latin-1"
        headers = { content-type = "application/json; charset=latin-1" }
        expect = "reject: RFC 8259 section 8.1"
        """
    )
    Path("orders.toml").write_text(latin, encoding="utf-8")
    shop = """
    def read(raw, ctx):
        charset = ctx.headers.get("content-type", "").partition("charset=")[2] or "utf-8"
        return json.loads(raw.decode(charset))

    def screen(raw, ctx):
        ctx.preview(read(raw, ctx))
        ctx.emit(raw)

    def tool(raw, ctx):
        ctx.execute(read(raw, ctx))
    """
    _, report = audited(OWN, *SMALL, "--show-values", shop=shop)
    assert report["passages"]["orders/latin"]["tool"]["executions"] == ['{"\\u00e9":1}']
    _, report = audited(OWN + 'reads = "screen"\n', *SMALL, "--show-values", shop=shop)
    assert report["passages"]["orders/latin"]["screen"]["previews"][0]["value"] == '{"\\u00e9":1}'
    assert report["passages"]["orders/latin"]["tool"]["signal"] == "exception UnicodeDecodeError"


# -- what must not pass for fine ---------------------------------------------------------------------------


def test_a_judge_who_refuses_what_runs_all_the_same(place: Path) -> None:
    """Of any request that the policy accepts, one of the stack's controls or not."""
    text = OWN.replace('role = "reviewer"', 'role = "validator"')
    shop = SOUND.replace("ctx.preview(read(raw, ctx))", "ctx.reject('not today')")
    code, report = audited(text, *SMALL, shop=shop)
    assert (code, broken(report)) == (1, ["2", "5"])
    text = text.replace('name = "orders"', 'name = "orders"\ncontrols = ["orders/none"]')
    code, report = audited(text, *SMALL, shop=shop)
    assert (code, broken(report)) == (1, ["2"])


def test_that_nothing_ran_is_no_rejection(place: Path) -> None:
    blind = """
    def screen(raw, ctx):
        ctx.preview(json.loads(raw))

    def tool(raw, ctx):
        json.loads(raw)
    """
    _, report = audited(OWN, *SMALL, shop=blind)
    assert ("passed-what-policy-rejects", "tool", "repeated name") in groups(report)
    assert report["verdicts"]["3"] == "broken"


@pytest.mark.parametrize("late", ["3", "30"])
def test_what_may_still_run_is_unknown(place: Path, late: str) -> None:
    """What runs before the worker ends is in its journal; else nobody knows."""
    starts = f"v = read(raw, ctx); threading.Timer({late}, ctx.execute, [v]).start()"
    shop = "import threading\n" + SOUND.replace("ctx.execute(read(raw, ctx))", starts)
    code, report = audited(OWN, *SMALL, shop=shop)
    assert code == 3
    assert broken(report) == []
    assert (report["verdicts"]["2"], report["verdicts"]["4"]) == ("unknown", "unknown")


def test_a_service_that_nobody_runs_was_not_asked(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    with socket.socket() as taken:  # bound, and not listened at: nobody else gets it meanwhile
        taken.bind(("127.0.0.1", 0))
        address = f'http = "http://127.0.0.1:{taken.getsockname()[1]}"\nexecutes = true'
        code, report = audited(OWN.replace('call = "shop:tool"', address), *SMALL, shop=SOUND)
    assert (code, broken(report)) == (3, [])
    assert (
        "of the stack: could not be asked: did not start: Refused nobody answers at the address"
        in capsys.readouterr().err
    )


def test_a_program_is_not_what_started_it(place: Path) -> None:
    text = OWN.replace('call = "shop:tool"', 'command = ["cat"]')
    _, report = audited(text, *SMALL, shop=SOUND)
    (tool,) = (each for each in report["boundaries"] if each["name"] == "tool")
    assert not {"runtime", "libraries", "digest"} & set(tool["identity"])
    assert "CPython" not in tool["what"]


def test_an_execution_that_cannot_be_written_down_is_not_none(place: Path) -> None:
    shop = SOUND.replace(
        "ctx.execute(read(raw, ctx))",
        "ctx.execute(Slow())",
    )
    shop += "\nclass Slow:\n    def __getitem__(self, key): return 1\n"
    shop += "    def keys(self):\n        import time\n        time.sleep(600)\n"
    code, report = audited(OWN, *SMALL, "--timeout", "1", shop=shop)
    (tool,) = (each for each in report["boundaries"] if each["name"] == "tool")
    assert tool["executions"] is None
    assert report["verdicts"]["2"] != "holds"
    assert code != 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "stack.toml"], "-o stack.toml: is read by this command"),
        (["-o", "orders.toml"], "-o orders.toml: is read by this command"),
        (["-o", "a.md", "--evidence", "a.md"], "-o a.md: is written twice"),
        (["-o", "a.md", "-o", "./a.md"], "-o a.md: is written twice"),
        (["--evidence", "stack.toml"], "-o stack.toml: is read by this command"),
    ],
)
def test_nothing_is_overwritten(
    place: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    Path("stack.toml").write_text(SMALLEST, encoding="utf-8")
    assert main(["audit", "stack.toml", *SMALL, *words]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert said in err
    assert Path("stack.toml").read_text(encoding="utf-8") == SMALLEST
    assert not Path("a.md").exists()


@pytest.mark.parametrize("target", ["stack.toml/x.jsonl", "."])
def test_evidence_that_cannot_be_written_is_told_before_anything_is_asked(
    place: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    (place / "stack.toml").write_text(OWN, encoding="utf-8")
    (place / "shop.py").write_text("raise SystemExit('asked')", encoding="utf-8")
    assert main(["audit", "stack.toml", "--evidence", target, *SMALL]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"whichwins: {target}: ")
    assert len(said.splitlines()) == 1  # no key of digests that nobody will get


def test_a_case_that_is_not_there_is_answered_with_those_that_are(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "stack.toml").write_text(OWN, encoding="utf-8")
    assert main(["audit", "stack.toml", "--case", "zzz", *SMALL]) == 2
    assert (
        "no such case: there are 3, as 'orders/bad-names', 'orders/plain', 'orders/repeat'"
        in capsys.readouterr().err
    )


LAST = SOUND.replace(
    "return json.loads(raw)", "return json.loads(raw)\n\ndef last(raw):\n    return json.loads(raw)"
)


@pytest.mark.parametrize(
    ("sound", "blind", "lost"),
    [
        ("ctx.preview(read(raw, ctx))", "ctx.preview(last(raw))", {"screen": "occurrence"}),
        ("ctx.execute(read(raw, ctx))", "ctx.execute(last(raw)); raise OSError", {"tool": "occurrence"}),
        ("ctx.preview(read(raw, ctx))", "last(raw)", {}),  # nobody saw anything
        ("ctx.preview(read(raw, ctx))", "ctx.preview(raw.decode('latin-1'))", {}),  # who reads text sees all
    ],
)
def test_who_loses_what(place: Path, sound: str, blind: str, lost: dict[str, str]) -> None:
    """Also a function that only shows, and one that fails after it ran."""
    _, report = audited(OWN, *SMALL, shop=LAST.replace(sound, blind))
    lines = {each["name"]: each["losses"] for each in report["boundaries"]}
    assert {name: next(iter(each)) for name, each in lines.items() if each} == lost


# -- what a second look found ------------------------------------------------------------------------------

THREE = """
[stack]
name = "orders"

[[boundary]]
name = "gate"
role = "validator"
call = "shop:gate"

[[boundary]]
name = "queue"
role = "logger"
call = "shop:queue"
reads = "gate"

[[boundary]]
name = "boss"
role = "approver"
call = "shop:boss"
reads = "queue"

[[boundary]]
name = "tool"
role = "executor"
call = "shop:tool"
reads = "gate"
"""
OFFICE = """
from whichwins.reference import Rejected, guard

def gate(raw, ctx):
    found = guard(raw)
    if isinstance(found, Rejected):
        ctx.reject(found.clause)
    ctx.emit(raw)
    return json.loads(raw)

def queue(raw, ctx):
    ctx.emit(raw)

def boss(raw, ctx):
    ctx.approve(json.loads(raw))

def tool(raw, ctx):
    ctx.execute(json.loads(raw))
"""
QUEUE, NOBODY = "def queue(raw, ctx):\n    ctx.emit(raw)", "def queue(raw, ctx):\n    pass"


def test_an_office_that_is_well(place: Path) -> None:
    code, report = audited(THREE, *SMALL, shop=OFFICE)
    assert (code, broken(report)) == (0, [])


@pytest.mark.parametrize(
    ("sound", "blind", "verdicts"),
    [
        # Nobody approved it: it never came to the approver.
        (QUEUE, NOBODY, ["2", "5"]),
        # It is shown one thing and asked to approve another; or says one thing and does another.
        ("ctx.approve(json.loads(raw))", "ctx.preview({'q': 3}); ctx.approve(json.loads(raw))", ["1"]),
        ("ctx.execute(json.loads(raw))", "ctx.preview({'q': 3}); ctx.execute(json.loads(raw))", ["1"]),
    ],
)
def test_what_nobody_saw_or_somebody_else_was_shown(
    place: Path, sound: str, blind: str, verdicts: list[str]
) -> None:
    code, report = audited(THREE, *SMALL, shop=OFFICE.replace(sound, blind))
    assert (code, broken(report)) == (1, verdicts)


def test_an_approver_that_cannot_be_given_what_runs_leaves_it_open(place: Path) -> None:
    shop = OFFICE.replace("ctx.approve(json.loads(raw))", "ctx.unsupported('too long')")
    code, report = audited(THREE, *SMALL, shop=shop)
    assert (code, broken(report)) == (3, [])
    assert (report["verdicts"]["1"], report["verdicts"]["2"]) == ("unknown", "unknown")


def test_a_gateway_that_hands_a_control_on_to_nobody(place: Path) -> None:
    text = THREE.replace('call = "shop:tool"\nreads = "gate"', 'call = "shop:tool"\nreads = "queue"')
    code, report = audited(text, *SMALL, shop=OFFICE.replace(QUEUE, NOBODY))
    assert (code, broken(report)) == (1, ["5"])
    assert ("control-rejected", "queue", "other") in groups(report)


def test_an_error_outside_the_controls_is_no_rejection_either(place: Path) -> None:
    app = """
    def app(environ, start_response):
        start_response("500 Oops", [])
        return [b""]
    """
    text = OWN.replace('call = "shop:tool"', 'wsgi = "shop:app"').replace(
        'name = "orders"', 'name = "orders"\ncontrols = ["nothing/*"]'
    )
    _, report = audited(text, *SMALL, shop=SOUND + dedent(app))
    assert ("rejection-as-error", "tool", "other") in groups(report)
    assert {each["case"] for each in report["findings"]} >= {"orders/plain"}


def test_a_second_run_that_is_still_to_come_leaves_it_open(place: Path) -> None:
    once = "v = read(raw, ctx); ctx.execute(v); threading.Timer(30, ctx.execute, [v]).start()"
    shop = "import threading\n" + SOUND.replace("ctx.execute(read(raw, ctx))", once)
    code, report = audited(OWN, *SMALL, shop=shop)
    assert (code, broken(report)) == (3, [])
    assert report["verdicts"]["2"] == "unknown"


@pytest.mark.parametrize("delay", ["0", "0.2"])
def test_who_takes_from_a_queue_has_a_request_that_nobody_knows(place: Path, delay: str) -> None:
    """One worker for all requests, there before them: its executions must not be the next request's."""
    app = f"""
    import queue, threading, time

    jobs = queue.Queue()

    def buy(order):
        pass

    def work():
        while True:
            order = jobs.get()
            time.sleep(0.05)
            buy(order)

    threading.Thread(target=work, daemon=True).start()

    def app(environ, start_response):
        raw = environ["wsgi.input"].read()
        bad = isinstance(guard(raw), Rejected)
        if not bad:
            jobs.put(json.loads(raw))
            time.sleep({delay})
        start_response("400 No" if bad else "202 Accepted", [])
        return [b""]
    """
    text = OWN.replace('call = "shop:tool"', 'wsgi = "shop:app"\nsink = "shop:buy"')
    code, report = audited(text, *SMALL, shop=SOUND + dedent(app))
    assert (code, broken(report)) == (3, [])
    (tool,) = (each for each in report["boundaries"] if each["name"] == "tool")
    assert tool["executions"] is None


def test_who_runs_and_fails_each_time_has_let_nothing_through(place: Path) -> None:
    shop = SOUND.replace("ctx.execute(read(raw, ctx))", "ctx.execute(read(raw, ctx)); raise OSError")
    _, report = audited(OWN, *SMALL, shop=shop)
    assert report["verdicts"]["5"] == "unknown"


def test_words_of_an_application_that_does_not_start_are_not_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, report = audited(OWN, *SMALL, shop="raise RuntimeError('password=hunter2')\n")
    assert code == 3
    said = capsys.readouterr().err
    assert "did not start: RuntimeError at shop.py:2" in said
    assert "hunter2" not in said + json.dumps(report)


def answers(capsys: pytest.CaptureFixture[str], text: str, shop: str, *more: str) -> dict[str, str]:
    Path("stack.toml").write_text(text, encoding="utf-8")
    Path("shop.py").write_text("import json\n" + dedent(shop), encoding="utf-8")
    assert main(["audit", "stack.toml", "--checklist", "--format", "json", *SMALL, *more]) in (0, 1, 3)
    lines = json.loads(capsys.readouterr().out)["lines"]
    return {each["question"]: each["answer"] for each in lines}


WORDS = "do rejections say where, and not what"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("ctx.reject(found.clause + ' at #/0')", "yes"),
        ("ctx.reject('at #/0: ' + raw.decode('latin-1'))", "no"),
        ("ctx.reject('at #/0, quantity')", "no"),  # short, and of each request that was given it
        ("raise ValueError(raw)", "unknown"),  # nobody recorded what it says
    ],
)
def test_words_of_a_rejection(
    place: Path, capsys: pytest.CaptureFixture[str], words: str, answer: str
) -> None:
    family = FAMILY.replace("7b22ff223a312c22fe223a327d", b'{"quantity":1,"quantity":\xff}'.hex())
    Path("orders.toml").write_text(family, encoding="utf-8")
    shop = SOUND.replace("ctx.reject(found.clause)", words)
    assert answers(capsys, OWN, shop)[WORDS] == answer


def test_what_rejects_everything_has_no_limits(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = json.dumps({"id": "deep", "text": "[" * 70 + "]" * 70})
    Path("deep.jsonl").write_text(f"{deep}\n", encoding="utf-8")
    found = answers(
        capsys, OWN, SOUND.replace("found = guard(raw)", "ctx.reject('no')"), "--corpus", "deep.jsonl"
    )
    assert {found[each] for each in found if "limited" in each} == {"unknown"}
