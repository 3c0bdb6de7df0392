"""Corpus x subjects to observations, and the ledger that keeps them."""
