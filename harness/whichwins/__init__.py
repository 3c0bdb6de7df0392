"""Which value reaches which parser: a cross-parser differential test harness for JSON.

PYTEST_DONT_REWRITE: pytest marks the packages of its plugins, and warns where one was imported before it.
"""

__version__ = "0.1.0"
