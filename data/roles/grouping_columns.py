"""Find columns that group rows: clusters of rows that belong together, and the epochs, seeds and folds of a run."""

from __future__ import annotations

from data.columns.column import Column
from data.columns.role_names import CLUSTERS, RUN_PARTS, fold
from data.limits import MAX_RUNS
from data.roles.search import Search
from text.numbers import count

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
        if role and not column.is_free and 2 <= len(column.distinct.values) <= MAX_RUNS:
            search.take(column.name, role, "by its name")


def _repeats(column: Column) -> bool:
    """Return whether a column holds enough clusters, of more than one row each on average."""
    n = len(column.distinct.values)
    return n >= LEAST_CLUSTERS and n * _REPEATED <= len(column.distinct.codes)
