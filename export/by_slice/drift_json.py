"""Write the drift between two times, or two files, as one dictionary and in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from data.comparison.row_groups import FEW_CLUSTERS, Clusters
from data.comparison.slice_columns import cut_columns
from data.evaluation import Evaluation
from export.by_slice.drift import Drift, compare_files, compare_times, split_at
from export.by_slice.slices import check_predicted
from metrics.intervals.statistic import Interval
from text.numbers import count


def drift_json(
    evaluation: Evaluation, column: str, start: str, *, level: float = 0.95, clusters: Clusters | None = None
) -> dict[str, Any]:
    """Return what changed from a date on, for the JSON of the command line.

    Raises
    ------
    DataError
        as `split_at`.
    """
    check_predicted(evaluation)
    others = [way for way in cut_columns(evaluation).ways if way.columns != (column,)]
    found = compare_times(evaluation, split_at(evaluation, column, start), 1, others, level=level, clusters=clusters)
    return {"column": column, "since": start} | to_json(evaluation, found)


def files_json(
    before: Evaluation, after: Evaluation, *, level: float = 0.95, clusters: Clusters | None = None
) -> dict[str, Any]:
    """Return what changed from one file to another, for the JSON of the command line."""
    for one in (before, after):
        check_predicted(one)
    both, found = compare_files(before, after, level=level, clusters=clusters)
    return {"before": before.name, "after": after.name} | to_json(both, found)


def describe_clusters(column: str, clusters: Sequence[int] | None) -> str:
    """Say which rows of a drift count together, or that every row counts by itself.

    column : of the clusters, as it may be shown. clusters : before and after; None = they were not counted.
    """
    if clusters is None:
        return (
            f"Every row counts by itself here: the earlier file has no {column}, by which rows belong together. The "
            "intervals are too narrow, and the p values too small."
        )
    said = f"Rows with the same {column} count together: {count(clusters[0], 'cluster')} before, {clusters[1]:,} after."
    if min(clusters) < 2:
        return f"{said} One cluster on a side tells nothing of chance: its intervals and p values are undefined."
    return said + (f" Intervals from fewer than {FEW_CLUSTERS} are rough." if min(clusters) < FEW_CLUSTERS else "")


def cluster_sentences(found: Mapping[str, Any], write: Callable[[str], str]) -> list[str]:
    """Return what the JSON of a drift says of clusters; none where there are none; write : shows a column's name."""
    if found["clusters_not_counted"] is not None:
        return [describe_clusters(write(found["clusters_not_counted"]), None)]
    one = found["clusters"]
    return [] if one is None else [describe_clusters(write(one["column"]), (one["before"], one["after"]))]


def to_json(evaluation: Evaluation, found: Drift) -> dict[str, Any]:
    """Return what changed, as one dictionary; NaN = undefined."""
    change, counted = found.change, found.clusters
    return {
        "clusters": counted and {"column": found.column, "before": counted[0], "after": counted[1]},
        "clusters_not_counted": found.column if counted is None else None,
        "rows": {"before": found.n[0], "after": found.n[1]},
        "base_rate": {
            "class": evaluation.labels[found.code], **found.base_rate._asdict(), "intervals": _ends(found.base_rates),
            "method": f"squares of the two intervals added{', by clusters' if counted else '; chi-squared test'}",
        },
        "accuracy": None if change is None or found.accuracy is None else {
            "before": change.before, "after": change.after, "mix": change.mix._asdict(), "rest": change.rest._asdict(),
            "intervals": _ends(found.accuracy), "method": f"delta method{', by clusters' if counted else ''}",
        },
        "moved": [
            {"what": one.what, "column": one.column or None, "moved_most": one.value, "p_adjusted": one.p_adjusted,
             **{name: getattr(one.shift, name) for name in ("psi", "by_chance", "p", "before", "after")}}
            for one in found.moved
        ],
    }  # fmt: skip


def _ends(of_both: tuple[Interval, Interval]) -> dict[str, Any]:
    """Return the intervals of a share before and after."""
    return {name: one.to_json() for name, one in zip(("before", "after"), of_both, strict=True)}
