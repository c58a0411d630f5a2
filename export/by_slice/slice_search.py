"""Search the slices of an evaluation's columns for a metric, and name what was found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from data.comparison.row_groups import Clusters
from data.comparison.slice_columns import Slicing
from data.evaluation import Evaluation
from export.cells import count_lines
from metrics.catalogue.registry import metric_of
from metrics.slices.search import Cut, RowShare, Say, SliceSearch, search
from metrics.slices.worst import Place, Worst, find_worse

RATES = ("recall", "precision", "f1")


class SearchedSlices(NamedTuple):
    """Columns cut into slices, every slice of them and of their pairs, and the worst by a metric."""

    ways: tuple[Slicing, ...]
    search: SliceSearch
    worst: Worst
    metric: str

    def conditions(self, place: Place) -> tuple[tuple[str, str], ...]:
        """Return (column, value) of a slice; "" = missing."""
        cuts = self.search.tables[place.table].cuts
        codes = np.unravel_index(place.slice, [len(self.ways[cut].values) for cut in cuts])
        return tuple(
            (self.ways[cut].columns[0], self.ways[cut].values[code][0] or "")
            for cut, code in zip(cuts, codes, strict=True)
        )

    def columns_of(self, table: int) -> tuple[str, ...]:
        """Return the columns of a table, in its order."""
        return tuple(self.ways[cut].columns[0] for cut in self.search.tables[table].cuts)

    def table_of(self, columns: tuple[str, ...]) -> int | None:
        """Return the table of a column, or of two in any order; None where they were not searched."""
        names = [way.columns[0] for way in self.ways]
        if not set(columns) <= set(names):
            return None
        wanted = tuple(sorted(names.index(name) for name in columns))
        return next((place for place, table in enumerate(self.search.tables) if table.cuts == wanted), None)


def search_metrics(evaluation: Evaluation) -> dict[str, str]:
    """Return the metrics that slices are searched by, with their names; rates are of one class."""
    whole = "subset_accuracy" if evaluation.task == "multilabel" else "accuracy"
    return {key: metric_of(evaluation.task, key).head for key in (whole, *RATES)}


def row_share(evaluation: Evaluation, metric: str, code: int, clusters: Clusters | None = None) -> RowShare:
    """Return the scored rows above and below the line of a metric; code : the class of a rate.

    Raises
    ------
    KeyError
        slices are not searched by this metric.
    """
    if metric not in search_metrics(evaluation):
        raise KeyError(metric)
    e, kept = evaluation, evaluation.scored
    lines = count_lines(e, clusters).of(kept)
    counted = lines.weights, lines.dense_cluster, lines.weighing
    if metric not in RATES:  # the share of right rows
        same = e.y_true[kept] == e.y_pred[kept]
        right = same.all(axis=1) if e.task == "multilabel" else same
        return RowShare(right, np.ones(len(right), dtype=bool), "share", *counted)
    if e.task == "multilabel":
        is_true, is_pred = e.y_true[kept, code], e.y_pred[kept, code]
    else:
        is_true, is_pred = e.y_true[kept] == code, e.y_pred[kept] == code
    whole = {"recall": is_true, "precision": is_pred}.get(metric, is_true | is_pred)
    return RowShare(is_true & is_pred, whole, "f1" if metric == "f1" else "share", *counted)


def search_slices_of(
    evaluation: Evaluation,
    ways: tuple[Slicing, ...],
    metric: str,
    code: int,
    *,
    level: float = 0.95,
    clusters: Clusters | None = None,
    say: Say = lambda _: None,
) -> SearchedSlices:
    """Compare the slices of columns and of pairs of them with the other rows by a metric."""
    cluster_columns = () if clusters is None else (clusters.column,)
    cuts = [Cut(way.codes[evaluation.scored], len(way.values), way.columns == cluster_columns) for way in ways]
    searched = search(cuts, row_share(evaluation, metric, code, clusters), level=level, say=say)
    return SearchedSlices(ways, searched, find_worse(searched), metric)
