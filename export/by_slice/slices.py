"""Slices of an evaluation's rows: metrics, and differences to the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from data.comparison.row_groups import Clusters
from data.comparison.slice_columns import Slicing, slices_by
from data.errors import DataError
from data.evaluation import Evaluation
from export.cells import count_lines, joint_cells
from export.file_reading import describe_weights
from export.result.kinds import Result
from metrics.intervals.joint_counts import sliced_joint_counts
from metrics.intervals.statistic import Interval
from metrics.limits import TOO_FEW
from metrics.slices.slices import Searched, Slice, SliceCounts, search_slices
from text.numbers import count


class SlicesFound(NamedTuple):
    """Every way to slice that was asked for, and what was found in it."""

    ways: tuple[Slicing, ...]
    searched: Searched

    @property
    def metrics(self) -> tuple[str, ...]:
        """Return the keys of the numbers that every slice has."""
        return tuple(next((one_slice.metrics for slices in self.searched.slices for one_slice in slices), {}))

    @property
    def sentences(self) -> list[str]:
        """Return what a person should know: how much was searched, and what was too small."""
        small = sum(one_slice.n < TOO_FEW for slices in self.searched.slices for one_slice in slices)
        sentences = [
            f"{count(self.searched.n_slices, 'slice')} compared with the rest in "
            f"{count(self.searched.n_tests, 'test')}; p "
            "is corrected over all of them (Benjamini–Hochberg)."
        ]
        if small:
            sentences.append(f"{count(small, 'slice')} with fewer than {TOO_FEW} rows: too few to tell, not tested.")
        return sentences


def count_slices(evaluation: Evaluation, way: Slicing, clusters: Clusters | None = None) -> SliceCounts:
    """Return the joint counts by slice over the scored rows."""
    if evaluation.task == "multilabel":
        return SliceCounts(joint_cells(evaluation, clusters), way.codes[evaluation.scored], len(way.values))
    lines = count_lines(evaluation, clusters)
    single, of_cell = sliced_joint_counts(
        evaluation.y_true, evaluation.y_pred, way.codes, n_labels=len(evaluation.labels),
        n_space=evaluation.n_space, weights=lines.weights, cluster=lines.cluster, ranks=evaluation.ranks,
        paths=evaluation.paths, weighing=lines.weighing,
    )  # fmt: skip
    return SliceCounts(single, of_cell, len(way.values), evaluation.positive)


def find_slices(
    evaluation: Evaluation, columns: Sequence[str], *, level: float = 0.95, clusters: Clusters | None = None
) -> SlicesFound:
    """Return every slice of every column (or of columns crossed, with commas) against its rest.

    Raises
    ------
    DataError
        no such column, or nothing is predicted yet.
    """
    check_predicted(evaluation)
    ways = tuple(slices_by(evaluation.rows, column, evaluation.weights) for column in columns)
    slices = search_slices([count_slices(evaluation, way, clusters) for way in ways], level=level)
    return SlicesFound(ways, slices)


def check_predicted(evaluation: Evaluation) -> None:
    """Raise a DataError where nothing is predicted yet."""
    if not evaluation.has_predictions:
        raise DataError("Nothing is predicted yet, so slices have no metrics: give a threshold with --threshold.")


def say_weights(result: Result, evaluation: Evaluation) -> Result:
    """Add the note by which column the numbers of slices are weighted; nothing where every row counts once."""
    weights = describe_weights(evaluation)
    if weights is None:
        return result
    return result._replace(notes=[*result.notes, (f"{weights.term} ", *weights.parts, ".")])


def name_effective_n(effective_n: float | None) -> dict[str, float]:
    """Return the effective rows under their name in the JSON; nothing where no row has a weight."""
    return {} if effective_n is None else {"effective_n": effective_n}


def number_json(number: Interval) -> dict[str, float | int | str | None]:
    """Return a number of a slice with its interval, and how many rows it is of."""
    return number.with_value() | {"n": number.n, **name_effective_n(number.effective_n)}


def _slice_json(part: Slice, values: dict[str, str | None]) -> dict[str, Any]:
    differences = part.difference_to_rest.items()
    return {
        "slice": values,
        "n": part.n,
        **name_effective_n(part.effective_n),
        "metrics": {metric: number_json(interval) for metric, interval in part.metrics.items()},
        "difference_to_rest": {
            metric: moved._asdict() | {"p_adjusted": part.p_adjusted[metric]} for metric, moved in differences
        },
    }


def slices_json(slices: SlicesFound) -> dict[str, Any]:
    """Return `slices` and `searched`."""
    return {
        "slices": [
            _slice_json(part, way.named(part.place))
            for way, parts in zip(slices.ways, slices.searched.slices, strict=True)
            for part in parts
        ],
        "searched": slices.searched.n_slices,
        "searched_tests": slices.searched.n_tests,
    }
