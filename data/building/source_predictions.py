"""Predictions that an engine makes of scores: by a threshold for each label, or the class with the highest score."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.building.single_label_scores import SUM_TOLERANCE
from data.columns.score_scale import check_probabilities, find_source_cut, read_scores
from data.engines.query import AtLeast, ColumnFacts, Key
from data.engines.row_scores import Highest
from data.errors import DataError
from data.evaluation import Settings
from text.numbers import count
from text.quoting import list_items, quote


def predicts_by_scores(settings: Settings) -> bool:
    """Return whether the labels of a row are predicted by its scores."""
    has_prediction = settings.pred is not None or settings.pred_columns
    return bool(settings.scores) and (not has_prediction or settings.threshold is not None)


def with_predicted_columns(settings: Settings) -> Settings:
    """Return settings whose score columns are columns of predictions, which the engine makes from the scores."""
    return dataclasses.replace(
        settings, pred=None, pred_columns=settings.scores, pred_encoding="multi_hot", pred_delimiter=None, scores=(),
        scale="probability", threshold=None,
    )  # fmt: skip


def threshold_keys(cuts: Mapping[str, float], names: Mapping[str, str]) -> dict[str, Key]:
    """Return the key of every column of predictions: a row has no prediction where it has no score at all.

    cuts : the score from which each predicts. names : the name that each column has in the files.
    """
    every = tuple(names[column] for column in cuts)
    return {
        column: AtLeast(names[column], cut, every if place == 0 else ())
        for place, (column, cut) in enumerate(cuts.items())
    }


def choose_cuts(
    settings: Settings, names: Mapping[str, str], thresholds: Mapping[str, float], cut: float, high: float | None
) -> dict[str, float]:
    """Return the score of the files from which each score column predicts its label.

    thresholds : by columns of the files. cut : of the others. high : the highest score.
    """
    cuts = {}
    for column, _ in settings.scores:
        given = thresholds.get(names[column])
        own_cut = None if given is None else find_source_cut(settings.scale, given, high)
        cuts[column] = cut if own_cut is None else own_cut
    return cuts


def highest_key(scores: Sequence[tuple[str, str]]) -> Highest:
    """Return the key of the class with the highest score; scores : (column of the files, class)."""
    return Highest(*zip(*scores, strict=True))


def add_up(sample: pa.Table, names: Sequence[str]) -> bool:
    """Return whether two columns of probabilities, or of per cent, add up to 1 in every row of a sample."""
    sums = read_scores(sample, names).sum(axis=1)
    known = sums[~np.isnan(sums)]
    whole = 100 if len(known) and known.max() > 2 else 1
    return bool((np.abs(known / whole - 1) <= SUM_TOLERANCE).all())


def agree(counts: pa.Table) -> bool:
    """Return whether the first of two scores is the higher one where it reaches a threshold, and nowhere else.

    counts : lines of a `Highest` of both and an `AtLeast` of the first.

    >>> agree(pa.table({"k0": [1, 2, None], "k1": [1, 0, 0]})), agree(pa.table({"k0": [1], "k1": [0]}))
    (True, False)
    """
    pairs = zip(counts.column("k0").to_pylist(), counts.column("k1").to_pylist(), strict=True)
    return all((place == 1) == (reached == 1) for place, reached in pairs if place is not None)


def find_highest(made: Mapping[str, Key]) -> str | None:
    """Return the column that holds the class of the highest score, among those that scores make; None without."""
    return next((name for name, key in made.items() if isinstance(key, Highest)), None)


def name_highest(column: pa.ChunkedArray, key: Key) -> pa.ChunkedArray:
    """Return the classes of the highest scores by their names; other columns as they are.

    >>> name_highest(pa.chunked_array([[2, None]]), Highest(("p", "q"), ("a", "b"))).to_pylist()
    ['b', None]
    """
    if not isinstance(key, Highest):
        return column
    return pc.take(pa.array(key.labels, pa.string()), pc.subtract(column, 1))


def describe_highest(settings: Settings, facts: Iterable[ColumnFacts]) -> str:
    """Say that the highest score of a row predicts, and between which numbers all scores lie."""
    ends = [end for column_facts in facts for end in (column_facts.low, column_facts.high) if end is not None]
    lie = f" They lie between {min(ends):.6g} and {max(ends):.6g} in all rows." if ends else ""
    return (
        f"Each row is predicted as the class with the highest of {count(len(settings.scores), 'score')} (the first "
        f"one on a tie).{lie}"
    )


def find_outer(facts: Mapping[str, ColumnFacts]) -> dict[str, str] | None:
    """Return the columns with the highest and with the lowest score, by that word; None where all lie in 0 to 1.

    >>> find_outer({"p": ColumnFacts(9, 0.0, 2.0), "q": ColumnFacts(9, -1.0, 1.0)})
    {'highest': 'p', 'lowest': 'q'}
    """
    lows = {name: column_facts.low for name, column_facts in facts.items() if column_facts.low is not None}
    highs = {name: column_facts.high for name, column_facts in facts.items() if column_facts.high is not None}
    if not lows or (min(lows.values()) >= 0 and max(highs.values()) <= 1):
        return None
    return {"highest": max(highs, key=highs.__getitem__), "lowest": min(lows, key=lows.__getitem__)}


def check_range(sample: pa.Table, facts: Mapping[str, ColumnFacts]) -> None:
    """Refuse scores outside 0 to 1 that are not per cent; sample : rows with the lowest and the highest scores.

    Raises
    ------
    DataError
        a score that is no probability, by its column.
    """
    try:
        check_probabilities(sample, list(facts), read_scores(sample, list(facts)))
    except DataError:
        column, value = next(
            (name, end)
            for name, column_facts in facts.items()
            for end in (column_facts.low, column_facts.high)
            if end is not None and not 0 <= end <= 1
        )
        raise DataError(
            f"Column {quote(column)} holds {value:.6g}, which is no probability between 0 and 1. Correct the cell, or "
            "choose the scale 'score' or 'logit'."
        ) from None


def describe_cuts(cuts: Mapping[str, float]) -> str:
    """Say what made predictions of scores."""
    low, high = min(cuts.values()), max(cuts.values())
    threshold = f"{low:g}" if low == high else f"its own threshold, {low:g} to {high:g}"
    return (
        f"A label is predicted where its score in {list_items(cuts, 3)} is at least {threshold}. Thresholds counts the "
        "scores themselves when asked."
    )
