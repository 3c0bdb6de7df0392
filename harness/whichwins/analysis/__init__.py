"""What a ledger says: lenses, classes, winners, matrices, causes.

    compare(view)                        # a Comparison: splits, winners, pairs, layers
    explain(view, "family/case")         # an Explanation of one case
    pair(view, "node/json", "python/orjson")   # a PairDifference: preview, executor

Pure functions of a ledger's view; the results are in `analysis.result`.
"""

from whichwins.analysis.casebook import casebook
from whichwins.analysis.comparing import compare
from whichwins.analysis.explaining import explain
from whichwins.analysis.lens import DEFAULT, LENSES
from whichwins.analysis.pairing import pair

__all__ = ["DEFAULT", "LENSES", "casebook", "compare", "explain", "pair"]
