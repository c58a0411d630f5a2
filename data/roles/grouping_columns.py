"""Find columns that group rows: clusters of rows that belong together, and the epochs, seeds and folds of a run."""

from __future__ import annotations

from data.columns.column import Column
from data.columns.role_names import CLUSTERS, RUN_PARTS, fold
from data.errors import DataError
from data.limits import MAX_RUNS
from data.roles.search import Search
from text.numbers import count
from text.quoting import quote

LEAST_CLUSTERS = 10
_REPEATED = 1.25  # rows a value has, on average


def find_groupings(search: Search) -> None:
    """Give columns without a role that of the cluster, epoch, seed or fold: by their name, if their values repeat."""
    order = {name: place for place, name in enumerate(CLUSTERS)}
    named = [column for column in search.open() if fold(column.name) in order and _repeats(column)]
    if named:
        first = min(named, key=lambda column: order[fold(column.name)])
        n = count(len(first.distinct.values), "value")
        search.take(first.name, "cluster", f"by its name; {n} repeat, so intervals count these rows together")
    for column in search.open():
        role = RUN_PARTS.get(fold(column.name))
        if role and role not in dict(search.given.run_parts) and may_be_part(column):
            search.take(column.name, role, "by its name")


def take_named_parts(search: Search) -> None:
    """Give the columns that a person named their role of epoch, seed or fold.

    Raises
    ------
    DataError
        the values of such a column cannot be parts of a run.
    """
    for role, name in search.given.run_parts:
        if not name:
            continue
        if not may_be_part(search.columns[name]):
            n = count(len(search.columns[name].distinct.values), "value")
            raise DataError(
                f"Column {quote(name)} cannot hold the {role}s: it has {n}, and 2 to {MAX_RUNS} short ones are needed; "
                "name another column."
            )
        search.take(name, role, "named by you")


def may_be_part(column: Column) -> bool:
    """Return whether a column may hold epochs, seeds or folds: a few short values."""
    return not column.is_free and 2 <= len(column.distinct.values) <= MAX_RUNS


def _repeats(column: Column) -> bool:
    """Return whether a column holds enough clusters, of more than one row each on average."""
    n = len(column.distinct.values)
    return n >= LEAST_CLUSTERS and n * _REPEATED <= len(column.distinct.codes)
