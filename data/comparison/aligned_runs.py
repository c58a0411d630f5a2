"""Put the rows of several evaluations side by side: by an id, or by row order where the truths are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column_names import names_rows
from data.columns.table_metadata import SourceJoin, read_counted
from data.columns.weight_columns import TotalWeight, add_weights
from data.comparison.alike.settings import check_shared
from data.comparison.label_union import LabelUnion, predictions_in, truth_in, union_of
from data.engines.join_query import JoinedLines
from data.errors import DataError
from data.evaluation import MISSING, Evaluation
from data.joining.key_columns import find_key
from data.joining.key_matching import check_pairs, find_repeated_rows, read_key, read_key_texts
from data.reading.run_record import find_run_differences
from text.numbers import count
from text.quoting import list_briefly, list_items, quote

_LISTED = 5
_LOW_OVERLAP = 0.5
_COUNTS_APART = (
    "Files of counts do not say which rows two runs share. Put the predictions of all runs into one file, a column "
    "each, or compare files of their rows."
)
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
    many = {evaluation.task == "multilabel" for evaluation in evaluations}
    if len(many) > 1:
        raise DataError("Some runs are single-label and others multi-label: compare runs of one kind.")
    if not same_file and lines is None and any(read_counted(evaluation.rows) is not None for evaluation in evaluations):
        raise DataError(_COUNTED_APART)
    if lines is None:  # an engine was told the same of all sources
        check_shared(evaluations, names, thresholds=own_thresholds)
    labels, warnings = union_of(evaluations), []
    pairs = () if same_file or lines is not None else _key_pairs(evaluations, labels, key)
    if lines is not None:
        joined = _by_engine(names, lines)
    elif pairs:
        joined = _by_id(evaluations, names, labels, _id_codes(evaluations, names, pairs))
    else:
        joined = _by_order(evaluations, names, labels, same_file=same_file)
    counts = _joined_counts(evaluations, joined.places) if lines is None else lines.rows
    if joined.how == "id":
        warnings += _overlap_warnings(int(counts.sum()), evaluations, names)

    def rows_in(lines: np.ndarray) -> int:
        return int(counts[lines].sum())

    places, truth = joined.places, [truth_in(e, labels) for e in evaluations]
    differs, known = _compare_truths([truths_of_run[place] for truths_of_run, place in zip(truth, places, strict=True)])
    if 2 * rows_in(differs) > counts.sum():
        raise DataError(
            f"The true labels differ in {rows_in(differs):,} of {count(int(counts.sum()), 'joined row')}: "
            "these runs were not evaluated on the same labels. Give all of them one file of true labels."
        )
    if differs.any():
        warnings.append(_describe_truths(rows_in(differs), None if lines else places[0][differs]))
    runs = [e.receipt.files[0].run if e.receipt.files else None for e in evaluations]
    if not same_file and (difference := find_run_differences(runs)):
        warnings.append(difference)
    stays = known & ~differs
    without = _without_prediction(evaluations, names, places, stays)
    weighted = {name for name, evaluation in zip(names, evaluations, strict=True) if evaluation.units is not None}
    for name, lacking in without.items():
        lacks = "has no prediction, or weight 0," if name in weighted else "predicts nothing"
        warnings.append(f"{name} {lacks} in {count(rows_in(lacking))}; these are left out for every run.")
        stays &= ~lacking
    if rows_in(stays) < 2:
        raise DataError(
            f"{count(rows_in(stays))} can be compared. Every run must have a truth and a prediction there, and two "
            "rows are needed at least. Check the id to join on."
        )
    rows = JoinedRows(
        rows_in(stays), joined.only_in, joined.repeated, rows_in(differs),
        {name: rows_in(lacking) for name, lacking in without.items()},
    )  # fmt: skip
    counted = read_counted(evaluations[0].rows) if same_file else None
    if counted is not None and counted.join is not None:
        rows, joined = _add_join(counted.join, evaluations, names, rows, joined)
    kept = tuple(place[stays] for place in places)
    return AlignedRuns(
        tuple(names), tuple(evaluations), kept, labels, rows, joined.how,
        places[0][differs], (*taken, *joined.warnings, *warnings),
        counts[stays] if lines is not None or evaluations[0].weights is not None else None,
        _choose_weights(evaluations, names, kept),
    )  # fmt: skip


def _choose_weights(
    evaluations: Sequence[Evaluation], names: Sequence[str], places: Sequence[np.ndarray]
) -> int | None:
    """Return the first run whose rows have weights; None where none has.

    Raises
    ------
    DataError
        another run weighs a row differently, beyond the rounding of weights to units.
    """
    weights = {
        run: e.unit * e.units[place]
        for run, (e, place) in enumerate(zip(evaluations, places, strict=True))
        if e.units is not None
    }
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


class _Joined(NamedTuple):
    places: list[np.ndarray]
    only_in: dict[str, int]
    repeated: int
    how: str
    warnings: tuple[str, ...]


def _key_pairs(evaluations: Sequence[Evaluation], labels: LabelUnion, key: str | None) -> Sequence[tuple[str, str]]:
    """Return the columns to join on, as a person named them or found; none = row order.

    Truths, predictions and scores name no row. Where no column fits, one that is named like an id says why, unless
    the rows are the same in their order.
    """
    if key is not None:
        first, second = evaluations[0].rows, evaluations[1].rows
        pairs = read_key(key, first.column_names, second.column_names)
        check_pairs(first, second, pairs)
        return pairs
    tables = [e.rows.drop_columns(_columns_of_roles(e)) for e in evaluations[:2]]
    key_found = find_key(*tables)
    if key_found is not None:
        return key_found.pairs
    named = [name for name in tables[0].column_names if names_rows(name) and name in tables[1].column_names]
    return ((named[0], named[0]),) if named and not _are_alike(evaluations, labels) else ()


def _columns_of_roles(evaluation: Evaluation) -> list[str]:
    roles = {role.column for role in evaluation.receipt.roles if role.role.startswith(("truth", "prediction", "score"))}
    return [name for name in evaluation.rows.column_names if name in roles]


def _are_alike(evaluations: Sequence[Evaluation], labels: LabelUnion) -> bool:
    """Return whether all runs have the same true labels in the same order."""
    first = truth_in(evaluations[0], labels)
    return all(np.array_equal(first, truth_in(other, labels)) for other in evaluations[1:])


def _id_codes(
    evaluations: Sequence[Evaluation], names: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> list[np.ndarray]:
    """Return equal ids as equal numbers, int64 (n,) a run, -1 where a part is empty."""
    columns = [
        [_column_of(e, name, pair[:: -1 if place else 1]) for pair in pairs]
        for place, (e, name) in enumerate(zip(evaluations, names, strict=True))
    ]
    codes: np.ndarray | None = None
    for part in range(len(pairs)):
        texts = [
            read_key_texts(e.rows, names_of_run[part]) for e, names_of_run in zip(evaluations, columns, strict=True)
        ]
        encoded = pa.concat_arrays(texts).dictionary_encode()
        part_codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        if codes is None:
            codes = part_codes
        else:
            both = np.where((codes < 0) | (part_codes < 0), -1, codes * max(1, len(encoded.dictionary)) + part_codes)
            codes = np.unique(both, return_inverse=True)[1] - int((both < 0).any())
    assert codes is not None
    return np.split(codes, np.cumsum([e.n_lines for e in evaluations])[:-1])


def _column_of(evaluation: Evaluation, name: str, pair: Sequence[str]) -> str:
    """Return the first column of a pair that a run has; the name meant for it comes first."""
    for column in pair:
        if column in evaluation.rows.column_names:
            return column
    raise DataError(
        f"{name} has no column {quote(pair[0])} to join on; it has {list_items(evaluation.rows.column_names, 6, 24)}."
    )


def _by_id(
    evaluations: Sequence[Evaluation], names: Sequence[str], labels: LabelUnion, codes: Sequence[np.ndarray]
) -> _Joined:
    n_ids = 1 + max(int(ids.max(initial=-1)) for ids in codes)
    usable, repeated = np.ones(n_ids, dtype=bool), np.zeros(n_ids, dtype=bool)
    first = np.full((len(codes), n_ids), -1, dtype=np.int64)
    for place, (evaluation, ids) in enumerate(zip(evaluations, codes, strict=True)):
        known = np.flatnonzero(ids >= 0)
        first[place, ids[known][::-1]] = known[::-1]
        again, before = find_repeated_rows(ids)
        if len(again):
            repeated[ids[again]] = True
            usable[ids[again[_differ(evaluation, labels, again, before)]]] = False
    there = first >= 0
    shared = there.all(axis=0)
    _check_shared(int(shared.sum()), names)
    chosen = np.flatnonzero(shared & usable)
    chosen = chosen[np.argsort(first[0, chosen], kind="stable")]
    only_in = {name: int((in_run & ~shared).sum()) for name, in_run in zip(names, there, strict=True)}
    repeats = _describe_repeats(int(repeated.sum()), int((repeated & shared & ~usable).sum()))
    empty = _describe_empty(names, [int((ids < 0).sum()) for ids in codes])
    return _Joined(list(first[:, chosen]), only_in, int(repeated.sum()), "id", (*repeats, *empty))


def _by_engine(names: Sequence[str], lines: JoinedLines) -> _Joined:
    """Return what an engine joined, one place for all rows of the same lines."""
    _check_shared(int(lines.rows.sum()) + lines.left_out, names)
    remarks = (*_describe_repeats(lines.repeated, lines.left_out), *_describe_empty(names, lines.without_id))
    return _Joined(list(lines.places), dict(zip(names, lines.only_in, strict=True)), lines.repeated, "id", remarks)


def _add_join(
    join: SourceJoin, evaluations: Sequence[Evaluation], names: Sequence[str], rows: JoinedRows, joined: _Joined
) -> tuple[JoinedRows, _Joined]:
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
    filtered = evaluations[0].filtered is not None and (_ALL_ROWS,)
    return added, joined._replace(how="id", repeated=join.repeated, warnings=(*join.warnings, *(filtered or ())))


def _check_shared(n: int, names: Sequence[str]) -> None:
    """Refuse runs that share fewer than two ids."""
    if not n:
        problem = f"The runs share no id: {names[0]} and {names[1]} have no value in common."
        raise DataError(f"{problem} Name the column of the ids to join on.")
    if n == 1:
        raise DataError("The runs share one row only: two are needed at least. Name the ids to join on.")


def _describe_empty(names: Sequence[str], without_id: Sequence[int]) -> list[str]:
    return [f"{name}: {count(n)} without an id, left out." for name, n in zip(names, without_id, strict=True) if n]


def _differ(evaluation: Evaluation, labels: LabelUnion, again: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return rows that repeat an id with another truth, prediction or score; bool."""
    parts = [truth_in(evaluation, labels), predictions_in(evaluation, labels)]
    parts += [] if evaluation.y_score is None else [np.nan_to_num(evaluation.y_score, nan=-np.inf)]
    differs = np.zeros(len(again), dtype=bool)
    for part in parts:
        unequal = part[again] != part[before]
        differs |= unequal if unequal.ndim == 1 else unequal.any(axis=1)
    return differs


def _describe_repeats(n: int, n_left_out: int) -> tuple[str, ...]:
    if not n:
        return ()
    return (
        f"{count(n, 'id')} repeat{'s' * (n == 1)}: equal rows count once, and {count(n_left_out, 'id')} whose rows "
        "differ are left out.",
    )


def _by_order(
    evaluations: Sequence[Evaluation], names: Sequence[str], labels: LabelUnion, *, same_file: bool
) -> _Joined:
    if not same_file and any(evaluation.weights is not None for evaluation in evaluations):
        raise DataError(_COUNTS_APART)
    lengths = {evaluation.n_lines for evaluation in evaluations}
    if not _are_alike(evaluations, labels):
        why = "they differ in length" if len(lengths) > 1 else "their true labels differ in this order"
        raise DataError(
            f"No column names the rows of {list_briefly(names)}, and row order does not fit: {why}. Name the column of "
            "the ids to join on."
        )
    rows = np.arange(lengths.pop())
    remarks = () if same_file else ("The runs were joined by row order: their true labels are the same.",)
    return _Joined([rows] * len(evaluations), dict.fromkeys(names, 0), 0, "row order", remarks)


def _joined_counts(evaluations: Sequence[Evaluation], places: Sequence[np.ndarray]) -> np.ndarray:
    """Return how many rows every joined line stands for, int64 (n,).

    Raises
    ------
    DataError
        a line stands for more rows in one file of counts than in another.
    """
    counts: list[np.ndarray] = [e.rows_per_line[place] for e, place in zip(evaluations, places, strict=True)]
    if any(not np.array_equal(counts[0], other) for other in counts[1:]):
        raise DataError(_COUNTS_APART)
    return counts[0]


def _compare_truths(truths: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return rows whose true labels differ, and rows where every run has one; bool (n,) each."""
    differs, known = np.zeros(len(truths[0]), dtype=bool), np.ones(len(truths[0]), dtype=bool)
    for truth in truths:
        if truth.ndim == 2:
            differs |= (truth != truths[0]).any(axis=1)
        else:
            known &= truth != MISSING
            differs |= (truth != truths[0]) & (truth != MISSING) & (truths[0] != MISSING)
    return differs, known


def _describe_truths(n: int, places: np.ndarray | None) -> str:
    """Say in how many rows the true labels differ; places : of the first run, None = nobody numbered them."""
    sentence = f"The true labels differ in {count(n, 'joined row')}, which are left out"
    if places is None:
        return f"{sentence}."
    rows = [f"{row + 1:,}" for row in places[:_LISTED].tolist()]
    more = f" and {len(places) - len(rows):,} more" if len(places) > len(rows) else ""
    return f"{sentence}: row {', '.join(rows)}{more} of the first run."


def _without_prediction(
    evaluations: Sequence[Evaluation], names: Sequence[str], places: Sequence[np.ndarray], stays: np.ndarray
) -> dict[str, np.ndarray]:
    """Joined rows in which a run is not scored, bool (n,), of every run that has such."""
    lacking_rows = {}
    for name, evaluation, place in zip(names, evaluations, places, strict=True):
        lacking = stays & ~evaluation.scored[place]
        if lacking.any():
            lacking_rows[name] = lacking
    return lacking_rows


def _overlap_warnings(n: int, evaluations: Sequence[Evaluation], names: Sequence[str]) -> list[str]:
    return [
        f"Only {n:,} of the {count(evaluation.n_rows)} of {name} were joined; the others are not compared."
        for name, evaluation in zip(names, evaluations, strict=True)
        if n < _LOW_OVERLAP * evaluation.n_rows
    ]
