"""Read score columns and choose their scale by names and values: probabilities, per cent, logits, their own scale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.columns.column import Column, sums_to
from data.columns.column_names import parse_name
from data.columns.name_ranks import rank
from data.columns.role_names import fold
from data.columns.written_numbers import read_written_numbers
from data.errors import DataError
from data.evaluation import Scale, default_threshold
from data.limits import TOLERANCE
from text.numbers import count, count_marked, verb
from text.quoting import list_items, quote

SURELY_PER_CENT = 20
"""A column of probabilities that is looked at alone holds per cent where a score lies above this."""
_PER_CENT = re.compile(r"per[ ._-]?cent(?!il)|prozent|pourcent|porcent|pct|%", re.IGNORECASE)
_LOGIT = re.compile(
    r"(?:^|[^a-z])(?:logits?|margins?|log[ ._-]?odds|decision[ ._-]?(?:function|values?))(?:[^a-z]|$)", re.IGNORECASE
)
_FEW = 0.1
"""The largest share of scores outside 0 to 1 that may be wrong cells of probabilities."""
_ENOUGH = 20  # scores, of which a single one outside 0 to 1 is a bad cell and no scale


class ScaleChoice(NamedTuple):
    """The scale of score columns, why as half a sentence, and where their name and their values disagree."""

    scale: Scale
    why: str
    doubt: str = ""


def choose_scale(columns: Sequence[Column]) -> ScaleChoice:
    """Choose the scale of score columns by their values and names, and say why as half a sentence.

    Values that leave 0 to 1 are per cent or logits only where the name or the values say so: per cent by name, sign
    or rows that add up to 100; logits by name or with values on both sides of 0. All others are on a scale of their
    own. A single bad cell of what is named a score changes nothing: `check_probabilities` refuses it.
    """
    low, high = find_score_range(columns)
    if low >= -TOLERANCE and high <= 1 + TOLERANCE:
        return ScaleChoice("probability", "the values lie in 0 to 1", _doubt_unit(columns))
    if says_per_cent(columns):
        return ScaleChoice("probability", "per cent: the name or the sign says so")
    if any(says_logit(column.name) for column in columns):
        return ScaleChoice("logit", "the name says so", _doubt_logit(low, high, columns))
    if find_bad_cell(columns) is not None and all(_is_named_score(column) for column in columns):
        return ScaleChoice("probability", "all values but one lie in 0 to 1")
    named = all(says_probability(column.name) for column in columns)
    if _sums_to_100(low, high, columns) or (named and is_per_cent(low, high, columns)):
        return ScaleChoice("probability", f"per cent: the values lie in 0 to {high:g}", _doubt_per_cent(high, columns))
    scale, why = _choose_by_values(low, high, columns)
    doubt = _doubt_stand_in(columns) or _doubt_probability(why, columns) or _doubt_few(columns)
    return ScaleChoice(scale, why, doubt)


def _choose_by_values(low: float, high: float, columns: Sequence[Column]) -> tuple[Scale, str]:
    """Choose the scale of values that leave 0 to 1 and that no name explains."""
    ends = f"lowest {low:.6g}, highest {high:.6g}"
    if low < -TOLERANCE and high > TOLERANCE:
        return "logit", f"values lie outside 0 to 1, on both sides of 0 ({ends})"
    if sums_to(columns, 1, logs=True):
        return "logit", f"their exponentials add up to 1 in every row ({ends})"
    return "score", f"values lie outside 0 to 1, on one side of 0 ({ends})"


def _doubt_unit(columns: Sequence[Column]) -> str:
    """Return the doubt about values in 0 to 1 that are named like something else."""
    logits = [column.name for column in columns if says_logit(column.name)]
    if logits:
        return f"{quote(logits[0])} is named like a logit, but all values lie in 0 to 1"
    per_cent = [column.name for column in columns if _PER_CENT.search(column.name) and not has_per_cent_signs(column)]
    return f"{quote(per_cent[0])} is named like per cent, but no value lies above 1" if per_cent else ""


def _doubt_logit(low: float, high: float, columns: Sequence[Column]) -> str:
    """Return the doubt about values that are named like logits: 0 divides nothing, or they are shares."""
    named = f"{quote(columns[0].name)} is named like a logit, but "
    if _sums_to_100(low, high, columns):
        return f"{named}the values of every row add up to 100"
    return f"{named}no value lies below 0" if len(columns) == 1 and low >= 0 else ""


def _doubt_per_cent(high: float, columns: Sequence[Column]) -> str:
    """Return the doubt about one column of which few values lie above 1."""
    middle = float(np.nanmedian(columns[0].numbers))
    if len(columns) > 1 or middle > 1:
        return ""
    return f"{quote(columns[0].name)} holds values up to {high:g}, but most lie in 0 to 1"


def _doubt_probability(why: str, columns: Sequence[Column]) -> str:
    likely = [column.name for column in columns if says_probability(column.name)]
    return f"{quote(likely[0])} is named like a probability, but {why}" if likely else ""


def _doubt_stand_in(columns: Sequence[Column]) -> str:
    """Return the doubt about one number outside 0 to 1, such as -1, that stands for missing scores."""
    values = np.concatenate([column.numbers for column in columns])
    outside = values[(values < 0) | (values > 1)]
    if len(outside) < 2 or len(np.unique(outside)) > 1 or 2 * len(outside) > len(values):
        return ""
    named = list_items(column.name for column in columns)
    return (
        f"All {len(outside):,} values outside 0 to 1 in {named} are {outside[0]:g}, as if these scores were missing "
        "(leave such cells empty)"
    )


def _doubt_few(columns: Sequence[Column]) -> str:
    """Return the doubt about columns of which few values leave 0 to 1."""
    values = np.concatenate([column.numbers for column in columns])
    known = values[~np.isnan(values)]
    outside = int(((known < 0) | (known > 1)).sum())
    if not outside or outside > _FEW * len(known):
        return ""
    values_of = f"{count(len(known), 'value')} in {list_items(c.name for c in columns)}"
    return f"Only {outside:,} of {values_of} {verb(outside, 'lies')} outside 0 to 1"


def _is_named_score(column: Column) -> bool:
    return rank(column.name, "score") is not None or any(r.kind == "score" for r in parse_name(column.name))


def find_score_range(columns: Sequence[Column]) -> tuple[float, float]:
    """Return the lowest and the highest score of all columns; (inf, -inf) without scores."""
    low = np.nanmin([column.range[0] for column in columns] + [np.inf])
    high = np.nanmax([column.range[1] for column in columns] + [-np.inf])
    return float(low), float(high)


def says_per_cent(columns: Sequence[Column]) -> bool:
    """Tell whether the name of a column, or the sign in its cells, says per cent; a percentile is none.

    >>> bool(_PER_CENT.search("score_pct")), bool(_PER_CENT.search("percentile"))
    (True, False)
    """
    return any(_PER_CENT.search(column.name) or has_per_cent_signs(column) for column in columns)


def has_per_cent_signs(column: Column) -> bool:
    """Tell whether the cells are written with per cent signs, which reading them has divided by 100."""
    return "per cent" in _name_number_format(column)


def says_logit(name: str) -> bool:
    """Tell whether a column is named like a logit or a margin.

    >>> says_logit("logit_spam"), says_logit("decision_function"), says_logit("marginal")
    (True, True, False)
    """
    return _LOGIT.search(name) is not None


def says_probability(name: str) -> bool:
    """Tell whether a column is named like a probability.

    >>> says_probability("p_spam"), says_probability("points")
    (True, False)
    """
    named = "prob" in name.casefold() or fold(name) == "p"
    return named or any(reading.affix.startswith("p_") for reading in parse_name(name))


def is_per_cent(low: float, high: float, columns: Sequence[Column]) -> bool:
    """Tell whether scores that somebody calls probabilities are per cent: in 0 to 100, and by name or values so."""
    if low < -TOLERANCE or high > 100 * (1 + TOLERANCE) or high <= 1 + TOLERANCE:
        return False
    return says_per_cent(columns) or sums_to(columns, 100) or (len(columns) == 1 and high > SURELY_PER_CENT)


def find_bad_cell(columns: Sequence[Column]) -> tuple[int, int] | None:
    """Find the one score outside 0 to 1 among fractions inside, as (column, row) from 0; None where there is none."""
    outside, n = [], 0
    for place, column in enumerate(columns):
        n += int((~np.isnan(column.numbers)).sum())
        rows = np.flatnonzero((column.numbers < -TOLERANCE) | (column.numbers > 1 + TOLERANCE))
        outside += [(place, int(row)) for row in rows[:2]]
        if len(outside) > 1:
            return None
    fewest = 3 if all(says_probability(column.name) for column in columns) else _ENOUGH
    fractions = any(((column.numbers > 0) & (column.numbers < 1)).any() for column in columns)
    return outside[0] if outside and n >= fewest and fractions else None


def _sums_to_100(low: float, high: float, columns: Sequence[Column]) -> bool:
    return low >= -TOLERANCE and high <= 100 * (1 + TOLERANCE) and sums_to(columns, 100)


def warn_of_number_formats(columns: Iterable[Column]) -> list[str]:
    """Warn of score columns that are not written as plain numbers."""
    names_by_format: dict[str, list[str]] = {}
    for column in columns:
        written_with = _name_number_format(column)
        if written_with:
            names_by_format.setdefault(written_with, []).append(column.name)
    warnings = []
    for written_with, names in names_by_format.items():
        divided = ", divided by 100" if "per cent" in written_with else ""
        warnings.append(
            f"{list_items(names, 3)} {verb(len(names), 'is')} written with {written_with}: read as numbers{divided}."
        )
    return warnings


def _name_number_format(column: Column) -> str:
    """Return what the cells are written with besides plain numbers; "" where they are plain numbers or none."""
    written = read_written_numbers(column.distinct.values) if column.is_written_number else None
    return written[1] if written else ""


def read_scores(table: pa.Table, names: Sequence[str]) -> np.ndarray:
    """Return the score columns as float64 (n, S), Fortran order; DataError names a cell that is no number."""
    matrix = np.empty((len(table), len(names)), dtype=np.float64, order="F")
    for position, name in enumerate(names):
        matrix[:, position] = Column(table, name).numbers
    return matrix


def argmax(scores: np.ndarray) -> np.ndarray:
    """Return the column of the highest score of every row, the first one on a tie; -1 where a score is NaN.

    >>> argmax(np.array([[0.2, 0.8], [0.5, 0.5], [np.nan, 1.0]])).tolist()
    [1, 0, -1]
    """
    place: np.ndarray = scores.argmax(axis=1).astype(np.int32)
    place[np.isnan(scores).any(axis=1)] = -1
    return place


def warn_of_missing_scores(scores: np.ndarray, weights: np.ndarray | None = None) -> list[str]:
    """Warn of rows in which a score is missing; weights int64 (n,): the rows of every line, None = one.

    Where a line stands for many rows, its place is no row of the source: none is named.

    >>> warn_of_missing_scores(np.array([[0.5], [np.nan]]), np.array([7, 2]))
    ['2 rows have no score: left out of curves and thresholds.']
    """
    holes = np.isnan(scores).any(axis=1)
    if not holes.any():
        return []
    subject = count_marked(holes)
    if weights is not None:
        n = int(weights[holes].sum())
        subject = f"{count(n)} {verb(n, 'has')}"
    return [f"{subject} no score: left out of curves and thresholds."]


def check_probabilities(
    table: pa.Table, names: Sequence[str], matrix: np.ndarray
) -> tuple[np.ndarray, bool, list[str]]:
    """Check that scores are probabilities, and divide per cent by 100.

    Returns
    -------
    matrix, whether it was per cent, notes.

    Raises
    ------
    DataError
        a value outside 0 to 1 that is not per cent, or outside 0 to 100 where they are; it names column and row.
    """
    columns = [Column(table, name) for name in names]
    low, high = find_score_range(columns)
    if low >= 0 and high <= 1:
        return matrix, False, []
    if low >= -TOLERANCE and high <= 1 + TOLERANCE:
        return np.clip(matrix, 0, 1), False, ["Scores outside 0 to 1 by rounding alone were cut to 0 and 1."]
    if says_per_cent(columns):
        refuse_per_cent(columns)
    if is_per_cent(low, high, columns) and find_bad_cell(columns) is None:
        return matrix / 100, True, ["The scores are per cent: they were divided by 100."]
    row, column = np.argwhere((matrix < -TOLERANCE) | (matrix > 1 + TOLERANCE))[0]
    others = ", as all other scores are" if find_bad_cell(columns) is not None else ""
    raise DataError(
        f"Column {quote(names[column])}, row {row + 1:,}: {matrix[row, column]:.6g} is not a probability between 0 "
        f"and 1{others}. Correct the cell, choose the scale 'score' or 'logit' (--scale), or choose another score "
        "column."
    )


def refuse_per_cent(columns: Sequence[Column]) -> None:
    """Refuse per cent values outside 0 to 100, the first five by name.

    Raises
    ------
    DataError
        a cell that is no per cent value, by column, row and what it holds.
    """
    named = []
    for column in columns:
        high = 1.0 if has_per_cent_signs(column) else 100.0
        rows = np.flatnonzero((column.numbers < -TOLERANCE) | (column.numbers > high * (1 + TOLERANCE)))
        named += [(column, int(row)) for row in rows.tolist()]
    if not named:
        return
    cells = "; ".join(
        f"column {quote(column.name)}, row {row + 1:,}: {quote(str(column.array[row].as_py()))}"
        for column, row in named[:5]
    )
    more = f" and {count(len(named) - 5, 'more cell')}" if len(named) > 5 else ""
    raise DataError(
        f"{cells[0].upper()}{cells[1:]}{more} {verb(len(named), 'is')} not per cent between 0 and 100. "
        "Correct the cells, or choose the scale 'score' if these are no per cent values."
    )


def find_source_cut(scale: str, threshold: float | None, high: float | None) -> float | None:
    """Return a threshold on the scale of a source's files; None where there is none.

    threshold : on the scale of evaluations; None = the default one. high : the highest score of the files.

    >>> find_source_cut("probability", 0.55, 87.0), find_source_cut("probability", None, 0.9)
    (55.0, 0.5)
    """
    cut = default_threshold(scale) if threshold is None else threshold
    if np.isnan(cut):
        return None
    if is_source_per_cent(scale, high) and cut <= 1:
        return float(Decimal(str(cut)) * 100)  # 100 * 0.55 is a little more than 55
    return float(cut)


def is_source_per_cent(scale: str, high: float | None) -> bool:
    """Return whether the probabilities of a source are written as per cent; high : the highest of them.

    >>> is_source_per_cent("probability", 87.0), is_source_per_cent("probability", 1.0000002)
    (True, False)
    """
    return scale == "probability" and high is not None and high > 1 + TOLERANCE
