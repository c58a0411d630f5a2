"""One rater judged by others: an evaluation whose truth is what the others agree on."""

from __future__ import annotations

import csv
import hashlib
import io
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.building.build import build
from data.columns.rater_columns import RaterColumns
from data.columns.role_names import PART_ROLES
from data.comparison.ratings_table import RatingsTable, ratings_of_columns, ratings_of_lines
from data.errors import DataError
from data.evaluation import MISSING, ColumnRole, Evaluation, Settings
from data.roles.run_columns import ALL_ROWS
from text.quoting import list_items, quote

TRUTHS = {"majority": "the majority of", "unanimous": "the unanimous"}
TRUTH = "truth of the raters"
"""The column that is added."""


class Judged(NamedTuple):
    """A rater, and the others whose ratings are the truth.

    how : "majority" (ties have no truth) or "unanimous" (all who rated agree; others have no truth).
    """

    where: RaterColumns
    judge: str
    how: str
    raters: tuple[str, ...]


def read_judged(text: str) -> Judged:
    """Read what `write_judged` wrote.

    Raises
    ------
    ValueError
        with the end of a sentence.

    >>> read_judged("columns,2,a,b,b,majority,a").judge
    'b'
    """
    try:
        cells = next(csv.reader(io.StringIO(text)))
        kind, n = cells[0], int(cells[1])
        where, (judge, how, *raters) = tuple(cells[2 : 2 + n]), cells[2 + n :]
    except (ValueError, IndexError, StopIteration, csv.Error):
        raise ValueError("a judge and its raters were wanted") from None
    if kind not in ("columns", "lines") or how not in TRUTHS or not raters or not where:
        raise ValueError("a judge and its raters were wanted")
    return Judged(RaterColumns(**{kind: where}), judge, how, tuple(raters))


def write_judged(judged: Judged) -> str:
    """Write a choice for an address, as one line of CSV."""
    where = judged.where.columns or judged.where.lines
    kind = "columns" if judged.where.columns else "lines"
    return write_names([kind, str(len(where)), *where, judged.judge, judged.how, *judged.raters])


def write_names(names: list[str] | tuple[str, ...]) -> str:
    """Write names for an address, as one line of CSV.

    >>> write_names(("a", "b,c"))
    'a,"b,c"'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


def read_ratings(table: pa.Table, where: RaterColumns) -> RatingsTable:
    """Return the ratings of a file.

    Raises
    ------
    DataError
        a column is missing, or there are fewer than two raters.
    """
    if where.columns:
        return ratings_of_columns(table, where.columns)
    unit, rater, rating = where.lines
    return ratings_of_lines(table, unit, rater, rating)


def judged_evaluation(evaluation: Evaluation, judged: Judged) -> Evaluation:
    """Return the evaluation of a rater against others: one row for each unit, the truth in a column of its own.

    Raises
    ------
    DataError
        a rater is not in the file, or no unit has a truth.
    """
    ratings = read_ratings(evaluation.rows, judged.where)
    missing = [name for name in (judged.judge, *judged.raters) if name not in ratings.raters]
    if missing or judged.judge in judged.raters:
        raise DataError(f"The raters of the link are not in this file: {list_items(missing or [judged.judge])}.")
    truth = settle(ratings, judged)
    if not (truth >= 0).any():
        raise DataError(f"No unit has a truth: {TRUTHS[judged.how]} {list_items(judged.raters)} is never found.")
    names = np.array([*ratings.categories, None], dtype=object)
    judge_codes = ratings.codes[:, ratings.raters.index(judged.judge)]
    pred = judged.judge if judged.where.columns else f"rating of {judged.judge}"
    rows = evaluation.rows.take(pa.array(ratings.units)) if judged.where.lines else evaluation.rows
    for name, codes in ((TRUTH, truth), (pred, judge_codes)):
        column = pa.array(names[np.where(codes >= 0, codes, len(ratings.categories))].tolist(), pa.string())
        index = rows.column_names.index(name) if name in rows.column_names else None
        rows = rows.append_column(name, column) if index is None else rows.set_column(index, name, column)
    return _build(evaluation, judged, ratings, rows, pred)


def settle(ratings: RatingsTable, judged: Judged) -> np.ndarray:
    """Return the truth of every unit, int (n,): below 0 where it has none."""
    places = [ratings.raters.index(name) for name in judged.raters]
    codes, q = ratings.codes[:, places], len(ratings.categories)
    counts = np.stack([(codes == code).sum(axis=1) for code in range(q)], axis=1)
    most, rated = counts.max(axis=1), (codes != MISSING).sum(axis=1)
    alone = (counts == most[:, None]).sum(axis=1) == 1
    settled = (most == rated) if judged.how == "unanimous" else alone
    return np.where(settled & (rated > 0), counts.argmax(axis=1), MISSING)


def _build(evaluation: Evaluation, judged: Judged, ratings: RatingsTable, rows: pa.Table, pred: str) -> Evaluation:
    old = evaluation.settings
    settings = Settings(
        truth=TRUTH, pred=pred, label_set=ratings.categories, id=old.id, cluster=old.cluster, run_parts=old.run_parts,
        positive=old.positive if old.positive in ratings.categories and len(ratings.categories) == 2 else None,
        only=ALL_ROWS if old.only is not None else None,
    )  # fmt: skip
    who = f"{TRUTHS[judged.how]} {list_items(judged.raters)}"
    kept_roles = ("id", "cluster", *PART_ROLES, "other")
    others = [role for role in evaluation.receipt.roles if role.column not in (TRUTH, pred)]
    roles = (
        ColumnRole(TRUTH, "truth", f"{who}; a unit without has none"),
        ColumnRole(pred, "prediction", "the rater that is judged"),
        *(role for role in others if role.role in kept_roles),
    )
    digest = hashlib.sha256(f"{evaluation.fingerprint}\n{write_judged(judged)}".encode()).hexdigest()
    return build(
        rows, settings, name=f"{evaluation.name}: {judged.judge}", content_sha256=digest,
        files=evaluation.receipt.files, roles=roles,
        notes=(f"The truth is {who}, the prediction that of {quote(judged.judge)}.",),
    )  # fmt: skip
