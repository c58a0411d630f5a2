"""Put the rows of several evaluations side by side: by an id, or by row order where the truths are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from data.columns.counted_metadata import SourceJoin, read_counted
from data.columns.weight_columns import TotalWeight, add_weights
from data.comparison.alike.settings import check_shared
from data.comparison.joined_rows import Joined, count_joined, join_rows
from data.comparison.label_union import LabelUnion, truth_in, union_of
from data.engines.join_query import JoinedLines
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from data.reading.run_record import find_run_differences
from text.numbers import count

_LISTED = 5
_LOW_OVERLAP = 0.5
_COUNTED_APART = (
    "An engine counted these runs apart, so no rows can be joined. Remove this run, and add the other source under "
    "“Another source on this server”."
)

_ALL_ROWS = "The filter chooses among joined rows: the ids left out are those of all rows."


class JoinedRows(NamedTuple):
    """Count the rows that were joined, and those that were left out.

    joined : rows that are compared. only_in : rows whose id some other file lacks, by name of the run.
    repeated : ids that some file repeats. truth_differs : rows left out because the files' true labels differ.
    without_prediction : joined rows left out because a run predicts nothing there, by name.
    """

    joined: int
    only_in: dict[str, int]
    repeated: int
    truth_differs: int
    without_prediction: dict[str, int]


@dataclass(frozen=True, eq=False)
class AlignedRuns:
    """Several evaluations of the same rows.

    places : the row of each evaluation, int64 (n,) a run. labels : of all runs. how : "id", or "row order".
    differing : rows of the first run whose true label differs in another. warnings : sentences for a person.
    weights : rows of each place, int64 (n,); None = one. weighted_by : the run by whose weights rows count; None = no
    run has weights.
    """

    names: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    places: tuple[np.ndarray, ...]
    labels: LabelUnion
    rows: JoinedRows
    how: str
    differing: np.ndarray
    warnings: tuple[str, ...]
    weights: np.ndarray | None = None
    weighted_by: int | None = None

    @property
    def units(self) -> np.ndarray | None:
        """Return the weight of each place in units, int64 (n,); None where no run has weights."""
        if self.weighted_by is None:
            return None
        units = self.evaluations[self.weighted_by].units
        return None if units is None else units[self.places[self.weighted_by]]

    @property
    def total_weight(self) -> TotalWeight | None:
        """Return the weights of the joined rows; None where no run has weights."""
        if self.weighted_by is None:
            return None
        return add_weights(self.evaluations[self.weighted_by], self.places[self.weighted_by])


def align_runs(
    evaluations: Sequence[Evaluation],
    names: Sequence[str],
    *,
    key: str | None = None,
    same_file: bool = False,
    lines: JoinedLines | None = None,
    own_thresholds: bool = True,
    taken: Sequence[str] = (),
) -> AlignedRuns:
    """Put runs side by side.

    Parameters
    ----------
    key : the id as a person writes it, such as "id" or "id,epoch=run"; None = found, or row order.
    same_file : whether all are columns of one file.
    lines : the lines of counts that an engine joined by ids; None = nothing was joined yet.
    own_thresholds : whether every run predicts by its own threshold; False = they are made equal afterwards.
    taken : sentences on what runs took over from the first one.

    Raises
    ------
    DifferentSettings
        the runs do not share what makes their numbers comparable (`data.comparison.alike.settings`).
    DataError
        no or one row is shared; more than half of the true labels differ; two runs weigh a row differently; some run
        has several labels a row; or files of counts do not say which rows are the same.
    """
    _check_kinds(evaluations, same_file=same_file or lines is not None)
    if lines is None:  # an engine was told the same of all sources
        check_shared(evaluations, names, thresholds=own_thresholds)
    labels = union_of(evaluations)
    joined = join_rows(evaluations, names, labels, key=key, same_file=same_file, lines=lines)
    places = joined.places
    counts = count_joined(evaluations, places) if lines is None else lines.rows
    n_joined = int(counts.sum())
    warnings = _overlap_warnings(n_joined, evaluations, names) if joined.how == "id" else []
    truths = [truth_in(evaluation, labels)[place] for evaluation, place in zip(evaluations, places, strict=True)]
    differs, known = _compare_truths(truths)
    n_differing = int(counts[differs].sum())
    _check_differing(n_differing, n_joined)
    if differs.any():
        warnings.append(_describe_truths(n_differing, None if lines else places[0][differs]))
    if not same_file:
        warnings += _describe_run_differences(evaluations)
    stays, without, sentences = _leave_out_unpredicted(evaluations, names, places, known & ~differs, counts)
    n_compared = int(counts[stays].sum())
    _check_compared(n_compared)
    rows = JoinedRows(n_compared, joined.only_in, joined.repeated, n_differing, without)
    counted = read_counted(evaluations[0].rows) if same_file else None
    if counted is not None and counted.join is not None:
        rows, joined = _add_join(counted.join, evaluations, names, rows, joined)
    kept = tuple(place[stays] for place in places)
    stand_for_many = lines is not None or evaluations[0].weights is not None
    return AlignedRuns(
        names=tuple(names),
        evaluations=tuple(evaluations),
        places=kept,
        labels=labels,
        rows=rows,
        how=joined.how,
        differing=places[0][differs],
        warnings=(*taken, *joined.warnings, *warnings, *sentences),
        weights=counts[stays] if stand_for_many else None,
        weighted_by=_choose_weights(evaluations, names, kept),
    )


def _check_kinds(evaluations: Sequence[Evaluation], *, same_file: bool) -> None:
    """Refuse runs of different tasks, and those that an engine counted apart; same_file : they share their rows."""
    many = {evaluation.task == "multilabel" for evaluation in evaluations}
    if len(many) > 1:
        raise DataError("Some runs are single-label and others multi-label: compare runs of one kind.")
    if not same_file and any(read_counted(evaluation.rows) is not None for evaluation in evaluations):
        raise DataError(_COUNTED_APART)


def _choose_weights(
    evaluations: Sequence[Evaluation], names: Sequence[str], places: Sequence[np.ndarray]
) -> int | None:
    """Return the first run whose rows have weights; None where none has.

    Raises
    ------
    DataError
        another run weighs a row differently, beyond the rounding of weights to units.
    """
    weights = {}
    for run, (evaluation, place) in enumerate(zip(evaluations, places, strict=True)):
        if evaluation.units is not None:
            weights[run] = evaluation.unit * evaluation.units[place]
    if not weights:
        return None
    first = min(weights)
    for run in weights:
        differs = np.flatnonzero(~np.isclose(weights[run], weights[first], rtol=1e-9, atol=0))
        if len(differs):
            row = differs[0]
            raise DataError(
                f"{names[first]} and {names[run]} weigh {count(len(differs))} differently: row "
                f"{places[first][row] + 1:,} of {names[first]} weighs {weights[first][row]:g} there and "
                f"{weights[run][row]:g} in {names[run]}. Give both the same weights, or use none (--weights none)."
            )
    return first


def _add_join(
    join: SourceJoin, evaluations: Sequence[Evaluation], names: Sequence[str], rows: JoinedRows, joined: Joined
) -> tuple[JoinedRows, Joined]:
    """Add what was left out when an engine joined the sources of these runs."""
    prediction_sources = [(name, join.find(e.settings.pred)) for e, name in zip(evaluations, names, strict=True)]
    sources = {name: source for name, source in prediction_sources if source is not None}
    without = dict(rows.without_prediction)
    for name, source in sources.items():
        if source.unpredicted:
            without[name] = without.get(name, 0) + source.unpredicted
    added = rows._replace(
        only_in={name: source.only_in for name, source in sources.items()}, repeated=join.repeated,
        truth_differs=rows.truth_differs + join.truth_differs, without_prediction=without,
    )  # fmt: skip
    of_filter = () if evaluations[0].filtered is None else (_ALL_ROWS,)
    return added, joined._replace(how="id", repeated=join.repeated, warnings=(*join.warnings, *of_filter))


def _compare_truths(truths: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return rows whose true labels differ, and rows where every run has one; bool (n,) each."""
    first = truths[0]
    differs, known = np.zeros(len(first), dtype=bool), np.ones(len(first), dtype=bool)
    for truth in truths:
        if truth.ndim == 2:  # several labels a row, of which none may be meant
            differs |= (truth != first).any(axis=1)
        else:
            known &= truth != MISSING
            differs |= (truth != first) & (truth != MISSING) & (first != MISSING)
    return differs, known


def _describe_truths(n: int, places: np.ndarray | None) -> str:
    """Say in how many rows the true labels differ; places : of the first run, None = nobody numbered them."""
    sentence = f"The true labels differ in {count(n, 'joined row')}, which are left out"
    if places is None:
        return f"{sentence}."
    rows = [f"{row + 1:,}" for row in places[:_LISTED].tolist()]
    more = f" and {len(places) - len(rows):,} more" if len(places) > len(rows) else ""
    return f"{sentence}: row {', '.join(rows)}{more} of the first run."


def _check_differing(n: int, n_joined: int) -> None:
    """Refuse runs whose true labels differ in more than half of the joined rows."""
    if 2 * n > n_joined:
        raise DataError(
            f"The true labels differ in {n:,} of {count(n_joined, 'joined row')}: "
            "these runs were not evaluated on the same labels. Give all of them one file of true labels."
        )


def _leave_out_unpredicted(
    evaluations: Sequence[Evaluation],
    names: Sequence[str],
    places: Sequence[np.ndarray],
    compared: np.ndarray,
    counts: np.ndarray,
) -> tuple[np.ndarray, dict[str, int], list[str]]:
    """Leave out joined rows in which a run is not scored; compared : rows whose truths are known and agree, bool (n,).

    Returns
    -------
    tuple
        the rows that stay, bool (n,); those left out by name of the run; a sentence for every such run.
    """
    stays, without, sentences = compared.copy(), {}, []
    for name, evaluation, place in zip(names, evaluations, places, strict=True):
        lacking = compared & ~evaluation.scored[place]
        if lacking.any():
            stays &= ~lacking
            without[name] = int(counts[lacking].sum())
            lacks = "predicts nothing" if evaluation.units is None else "has no prediction, or weight 0,"
            sentences.append(f"{name} {lacks} in {count(without[name])}; these are left out for every run.")
    return stays, without, sentences


def _describe_run_differences(evaluations: Sequence[Evaluation]) -> list[str]:
    """Say by which settings models were asked differently, where the files say so."""
    difference = find_run_differences([e.receipt.files[0].run if e.receipt.files else None for e in evaluations])
    return [difference] if difference else []


def _check_compared(n: int) -> None:
    if n < 2:
        raise DataError(
            f"{count(n)} can be compared. Every run must have a truth and a prediction there, and two "
            "rows are needed at least. Check the id to join on."
        )


def _overlap_warnings(n: int, evaluations: Sequence[Evaluation], names: Sequence[str]) -> list[str]:
    return [
        f"Only {n:,} of the {count(evaluation.n_rows)} of {name} were joined; the others are not compared."
        for name, evaluation in zip(names, evaluations, strict=True)
        if n < _LOW_OVERLAP * evaluation.n_rows
    ]
