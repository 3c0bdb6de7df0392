"""Inputs: fixture families and foreign corpora."""

from whichwins.corpus.corpus import BUILT_IN, Corpus, corpus_of, digest_of, load, select
from whichwins.corpus.export import load_export, write_export
from whichwins.corpus.source import source_of, source_of_bytes

__all__ = [
    "BUILT_IN",
    "Corpus",
    "corpus_of",
    "digest_of",
    "load",
    "load_export",
    "select",
    "source_of",
    "source_of_bytes",
    "write_export",
]
