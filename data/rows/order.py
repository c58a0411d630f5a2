"""Order the rows behind a number, those to learn from first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from data.columns.column import find_first_rows
from data.evaluation import Evaluation
from data.rows.label_issues import LabelIssues
from data.rows.near_duplicates import NearDuplicates, find_text_columns
from data.rows.row_scores import confidence, loss, margin
from data.rows.selection import is_right

MISTAKES = ""
"""The order that is used where nobody chose one: mistakes first, the most confident of them first."""
ORDERS: Mapping[str, str] = {
    MISTAKES: "the most confident mistakes first",
    "file": "in file order",
    "sure": "the most confident first",
    "unsure": "the least confident first",
    "margin": "the closest decisions first",
    "loss": "the highest loss first",
    "issue": "the likeliest label errors first",
    "twin": "near-duplicates beside each other",
}
"""Every order, and what it is as half a sentence."""

Values = Callable[[Evaluation, np.ndarray], np.ndarray | None]
_BY_VALUE: Mapping[str, tuple[Values, int]] = {
    "sure": (confidence, -1),
    "unsure": (confidence, 1),
    "margin": (margin, 1),
    "loss": (loss, -1),
}


def list_orders(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the orders that say something about this evaluation, as keys of `ORDERS`."""
    orders = [MISTAKES, "file"]
    none = np.zeros(0, dtype=np.int64)
    orders += [name for name, (values, _) in _BY_VALUE.items() if values(evaluation, none) is not None]
    orders += ["issue"] if evaluation.y_score is not None and evaluation.scale != "score" else []
    if find_text_columns(evaluation) and evaluation.weights is None:
        orders.append("twin")
    return tuple(orders)


def order_rows(
    evaluation: Evaluation,
    rows: np.ndarray,
    by: str = MISTAKES,
    *,
    issues: LabelIssues | None = None,
    twins: NearDuplicates | None = None,
) -> np.ndarray:
    """Order rows; rows that are equal stay in their order, and undefined ones come last.

    Parameters
    ----------
    rows : row positions, int64 (m,).
    by : a key of `ORDERS`. One that needs what the evaluation lacks leaves the rows as they are.
    issues, twins : what `find_label_issues` and `find_near_duplicates` found.

    Raises
    ------
    ValueError
        an order that there is not.
    """
    if by not in ORDERS:
        raise ValueError(f"{by!r} is no order: one of {', '.join(map(repr, ORDERS))} was wanted")
    if by == MISTAKES:
        return _order_mistakes_first(evaluation, rows)
    if by == "file":
        return np.sort(rows)
    if by in ("issue", "twin"):
        ranking = issues if by == "issue" else twins
        return rows if ranking is None else rows[_argsort(_places(evaluation, ranking.rows)[rows])]
    values, sign = _BY_VALUE[by]
    ranks = values(evaluation, rows)
    return rows if ranks is None else rows[_argsort(sign * ranks)]


def _argsort(values: np.ndarray) -> np.ndarray:
    """Return the places of the values, ascending, ties as they come, NaN last."""
    return np.argsort(values, kind="stable")


def _places(evaluation: Evaluation, ranked: np.ndarray) -> np.ndarray:
    """Return the first place of every row in a ranking, int64 (n,); after all others where it is in none."""
    places = find_first_rows(ranked, evaluation.n_lines)[:-1]
    return np.where(places < 0, len(ranked), places)


def _order_mistakes_first(evaluation: Evaluation, rows: np.ndarray) -> np.ndarray:
    """Order wrong rows before right ones before those that are not scored, in each the most confident first.

    Without scores the rows stay as they are within; multi-label: those with the most wrong labels first.
    """
    # 0: wrong, 1: right, 2: not scored
    kind = np.where(evaluation.scored[rows], is_right(evaluation, rows), 2).astype(np.uint8)
    if evaluation.task == "multilabel":
        sure: np.ndarray | None = (evaluation.y_true[rows] != evaluation.y_pred[rows]).sum(axis=1)
    else:
        sure = confidence(evaluation, rows)
    if sure is None:
        places = _argsort(kind)
    else:
        places = _argsort(-sure)
        places = places[_argsort(kind[places])]
    return np.asarray(rows[places])
