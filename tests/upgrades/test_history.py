"""Upgrades that were reported: both versions, really installed, read every input as the reports say."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.provision.asked import silent
from tests.upgrades.history import REQUIRED, environment, here, script, wrong
from whichwins.corpus import load

UPGRADES, MISSED = script().known()
BY_ID: dict[str, Any] = {one.id: one for one in UPGRADES}

# What the demand names, and the least that must be held on the Python that is always there.
NAMED = {
    "ujson": ["ujson-5.3-5.4", "ujson-5.7-6.1"],
    "simplejson": ["simplejson-3.18-4.3"],
    "orjson": ["orjson-3.4.1-3.4.2", "orjson-3.8-3.13"],
    "2^64": ["ujson-5.7-orjson-3.13"],
    "rapidjson": ["rapidjson-1.9-1.25"],
    "ruby": ["ruby-3.2-3.4", "ruby-3.4-4.0", "ruby-repeats"],
    "json": ["json-3.11-3.12", "json-3.11-3.13"],
}
ON_REQUIRED = {
    *("ujson-5.7-6.1", "ujson-5.7-orjson-3.13", "orjson-3.8-3.13", "rapidjson-1.9-1.25"),
    *("simplejson-3.18-4.3", "simplejson-pure-3.18-4.3"),
}


@pytest.mark.parametrize("name", BY_ID)
def test_both_versions_read_what_the_reports_say(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    upgrade = BY_ID[name]
    assert here(upgrade, lambda: wrong(upgrade, environment(tmp_path_factory))) == []


def test_a_wrong_expectation_is_noticed(tmp_path_factory: pytest.TempPathFactory) -> None:
    upgrade = BY_ID["simplejson-3.18-4.3"]
    first, *rest = upgrade.cases
    for planted in (first._replace(before=first.after), first._replace(after=first.before)):
        faulty = upgrade._replace(cases=(planted, *rest))
        said = (planted.before, planted.after)
        found = here(faulty, partial(wrong, faulty, environment(tmp_path_factory)))
        assert found == [(first.data, said, (first.before, first.after))]


def test_swapped_versions_are_noticed(tmp_path_factory: pytest.TempPathFactory) -> None:
    upgrade = BY_ID["ujson-5.7-6.1"]
    swapped = upgrade._replace(before=upgrade.after, after=upgrade.before)
    changing = [case.data[:60] for case in upgrade.cases if case.before != case.after]
    found = here(swapped, lambda: wrong(swapped, environment(tmp_path_factory)))
    assert [data for data, _, _ in found] == changing


def test_what_fits_the_required_python_is_not_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {one.id for one in UPGRADES if one.python == REQUIRED} >= ON_REQUIRED

    def unfit() -> None:
        raise script().Unfit("no Python 3.11 here")

    monkeypatch.setenv("CI", "true")
    for name in ON_REQUIRED:
        with pytest.raises(pytest.fail.Exception, match=r"fits Python 3\.11"):
            here(BY_ID[name], unfit)
    with pytest.raises(pytest.skip.Exception, match="no Python"):
        here(BY_ID["ujson-5.3-5.4"], unfit)


def test_the_reports_that_were_asked_for_are_there() -> None:
    assert [name for names in NAMED.values() for name in names if name not in BY_ID] == []
    assert len(BY_ID) == len(UPGRADES)
    for one in UPGRADES:
        assert one.refs, one.id
        assert all(case.why for case in one.cases), one.id
        if one.what.startswith("nothing"):
            assert all(case.before == case.after for case in one.cases), one.id
        else:
            assert any(case.before != case.after for case in one.cases), one.id
    assert all(missed.reason and missed.refs for missed in MISSED)


def test_cases_are_distinct() -> None:
    for one in UPGRADES:
        assert len({case.data for case in one.cases}) == len(one.cases), one.id


def test_a_missing_version_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    upgrade = BY_ID["simplejson-3.18-4.3"]._replace(python="2.7")
    with pytest.raises(script().Unfit, match=r"^no Python 2\.7 here$"):
        script().ask(upgrade, [b"1"], silent, environment(tmp_path_factory))


def test_inputs_of_reports_are_in_the_corpus() -> None:
    """So that the gate finds these upgrades without being told what to look for."""
    known = {case.data for case in load(None).cases}
    for data in (
        b'{"role":"admin","role\\ud800":"user"}',
        b'{"cf_status_firefox67": "---", "cf_status_firefox57": "verified"}',
        b"33333333303333333333",
        b"-80888888888888888888",
        b"1e4294967296",
        b"[18446744073709551616]",
        b'["\\u+041"]',
        b"NaN",
    ):
        assert data in known
