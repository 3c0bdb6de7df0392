"""Corpus x subjects to observations, and the ledger that keeps them."""

from whichwins.run.execute import RunResult, declared, records_of, run_to_ledger, run_to_view, write_view
from whichwins.run.files import probe_file, whole_file
from whichwins.run.lines import LEDGER_VERSION, Withheld
from whichwins.run.store import read_ledger
from whichwins.run.twins import with_twins
from whichwins.run.view import CaseRecord, LedgerView

__all__ = [
    "LEDGER_VERSION",
    "CaseRecord",
    "LedgerView",
    "RunResult",
    "Withheld",
    "declared",
    "probe_file",
    "read_ledger",
    "records_of",
    "run_to_ledger",
    "run_to_view",
    "whole_file",
    "with_twins",
    "write_view",
]
