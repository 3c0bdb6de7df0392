"""Which value reaches which parser: a cross-parser differential test harness for JSON."""

__version__ = "0.1.0"
