"""Names of the engines that count sources, and the packages that they need."""

from __future__ import annotations

import importlib.util
from typing import NamedTuple


class _Entry(NamedTuple):
    """One engine.

    counted : what a note says of rows that it counted. package : the module that has to be installed, "" = none;
    title : its name; extra : what installs it.
    """

    counted: str
    package: str = ""
    title: str = ""
    extra: str = ""


ENTRIES = {
    "memory": _Entry("counted in memory"),
    "duckdb": _Entry("counted by DuckDB", "duckdb", "DuckDB", "engines"),
    "spark": _Entry("counted by Spark", "pyspark", "PySpark", "spark"),
}
ENGINES = tuple(ENTRIES)


def is_installed(name: str) -> bool:
    """Return whether the package of an engine is installed."""
    package = ENTRIES[name].package
    return not package or importlib.util.find_spec(package) is not None
