"""The raters in view: where they stand in the file, who is a person, who is judged, and how far they agree."""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

from data.columns.rater_columns import RaterColumns, is_model
from data.comparison.judge_evaluation import read_ratings
from data.comparison.ratings_table import RatingsTable, order_categories
from data.errors import DataError
from data.evaluation import Evaluation
from export.rating.agreement import Bias, biases, ratings_of
from metrics.agreement.agreement import Agreement, Estimate
from metrics.agreement.pairs import Swapped
from metrics.agreement.ratings import Ratings
from text.name_lists import read_names
from ui.text.messages import remark
from ui.view import cache, measurement, url


class Raters(NamedTuple):
    """The raters in view.

    where : their columns. table : their ratings. models : places of those that are models. judge : the place of the one
    that is judged; None = none.
    """

    where: RaterColumns
    table: RatingsTable
    models: tuple[int, ...]
    judge: int | None

    @property
    def people(self) -> list[int]:
        """Return the places of those who are people, and are not judged."""
        return [place for place in range(len(self.table.raters)) if place not in (*self.models, self.judge)]


def columns_in_view(evaluation: Evaluation) -> RaterColumns | None:
    """Return where the ratings are: as the view says, else as found; None where nothing says it."""
    columns, lines = read_names(url.get("raters")), read_names(url.get("lines"))
    if len(columns) > 1:
        return RaterColumns(columns=columns)
    if len(lines) == 3:
        return RaterColumns(lines=lines)
    return cache.raters_of(evaluation)


def raters_in_view(evaluation: Evaluation, where: RaterColumns) -> Raters:
    """Return the raters; say which name in the link is none of them.

    Raises
    ------
    DataError
        a column is missing, there are fewer than two raters, or no two rated the same unit.
    """
    table = _ratings(evaluation, where)
    if not ratings_of(table).overlap():
        raise DataError("No two of these raters have rated the same unit, so no agreement can be known.")
    names = table.raters
    given = url.get("models")
    chosen = read_names(given) if given else tuple(name for name in names if is_model(name))
    models = tuple(place for place, name in enumerate(names) if name in chosen)
    wanted = url.get("judge")
    if wanted and wanted not in names:
        remark(f"Ignored judge={wanted[:40]} in the link: this file has no such rater.")
        url.put(judge="")
    judge = names.index(wanted) if wanted in names else models[0] if models else None
    return Raters(where, table, models, judge)


@cache.kept(16)
def _ratings(evaluation: Evaluation, where: RaterColumns) -> RatingsTable:
    table = read_ratings(evaluation.rows, where)
    return order_categories(table, evaluation.settings.order) if _is_ordered(evaluation, table) else table


def _is_ordered(evaluation: Evaluation, table: RatingsTable) -> bool:
    """Return whether a person gave the labels of the file an order, and it holds every category."""
    order = evaluation.settings.order
    return bool(order) and set(table.categories) <= set(order)


def agreement_of(evaluation: Evaluation, raters: Raters) -> Agreement:
    """Return the agreement of the raters at the level in view, with what it draws."""
    return _agreement(evaluation, raters.where, raters.models, raters.judge, measurement.level())


@cache.kept(32, "Drawing units again, 1,000 times …")
def _agreement(
    evaluation: Evaluation, where: RaterColumns, models: tuple[int, ...], judge: int | None, level: float
) -> Agreement:
    others = tuple(place for place in models if place != judge)
    table = _ratings(evaluation, where)
    ratings = ratings_of(table, ordered=_is_ordered(evaluation, table))
    agreement = Agreement(ratings, level, judge=judge, models=others)
    _ = agreement.coefficients, agreement.pairs
    return agreement


@cache.kept(32, "Looking at every category …")
def by_category(evaluation: Evaluation, where: RaterColumns, level: float) -> list[Estimate]:
    """Return Fleiss' kappa of every category against all others."""
    ratings = ratings_of(_ratings(evaluation, where))
    estimates = []
    for code in range(len(ratings.categories)):
        codes = (ratings.codes == code).astype("int32")
        codes[ratings.codes < 0] = -1
        estimates.append(
            Agreement(Ratings(ratings.raters, ("other", "own"), codes), level).coefficients["fleiss_kappa"]
        )
    return estimates


def pairs_of_answers(evaluation: Evaluation, raters: Raters, agreement: Agreement) -> tuple[list[Bias], list[Swapped]]:
    """Return what the raters prefer besides quality, where the file holds pairs of answers."""
    rows = evaluation.rows if raters.where.columns else evaluation.rows.take(pa.array(raters.table.units))
    return biases(rows, raters.table, agreement)
