"""The page Agreement: what was found as title, every two raters, all together, the judge, and the contested units."""

from __future__ import annotations

import math

from data.errors import DataError
from data.evaluation import Evaluation
from metrics.agreement.agreement import Agreement
from text.intervals import bounds
from text.numbers import count
from ui.agreement import choices, contested, tables
from ui.agreement.raters import Raters, agreement_of, columns_in_view, raters_in_view
from ui.frame.heading import heading
from ui.text.markdown import md, percent
from ui.text.messages import refuse
from ui.view import controls, panel, state


def explore(evaluation: Evaluation) -> None:
    """Draw the agreement of the raters in view, or what is missing."""
    whole = state.unfiltered_evaluation()
    original = evaluation if whole is None else state.restrict(whole)
    where = columns_in_view(original)
    if where is None:
        _nothing(original)
        return
    try:
        raters = raters_in_view(original, where)
    except DataError as error:
        heading("These raters cannot be compared")
        refuse(str(error))
        choices.choose_columns(original, where)
        return
    agreement = agreement_of(original, raters)
    heading(title(agreement, raters), _line(agreement, raters))
    choices.toolbar(original, raters)
    _draw(original, agreement, raters)


def _draw(evaluation: Evaluation, agreement: Agreement, raters: Raters) -> None:
    pair = contested.pair_in_view(raters)
    main, beside = panel.split_panel("agreement", is_open=pair is not None)
    with main:
        tables.pair_grid(agreement, raters, pair)
        tables.draw(evaluation, agreement, raters)
    with beside:
        contested.draw(evaluation, agreement, raters)


def title(agreement: Agreement, raters: Raters) -> str:
    """Say as Markdown how far the judge reaches the people, or else how far all raters agree."""
    mean = agreement.ceiling_mean.value
    if raters.judge is not None and len(raters.people) > 1 and not math.isnan(mean):
        judge_agreement = agreement.ceiling[raters.judge].agreement
        if not math.isnan(judge_agreement.value):
            name = md(raters.table.raters[raters.judge], 30)
            share = percent(judge_agreement.value)
            people = f"one person does in {percent(mean)} on average"
            return f"{name} matches the majority of people in {share} of the units; {people}"
    overall = agreement.coefficients["percent_agreement"]
    return f"Two raters agree in {percent(overall.value)} of the units"


def _line(agreement: Agreement, raters: Raters) -> str:
    ratings = agreement.ratings
    overall = agreement.coefficients["percent_agreement"]
    models = len({*raters.models, raters.judge} - {None})
    within = bounds(overall.low, overall.high, share=True)
    kinds = f", {models} of them {'a model' if models == 1 else 'models'}" if models else ""
    pairable = "all" if ratings.n_pairable == ratings.n_units else f"{ratings.n_pairable:,}"
    return " · ".join(
        [
            f"{count(len(ratings.raters), 'rater')}{kinds}",
            f"{count(ratings.n_units, 'unit')}, {pairable} with two ratings or more",
            count(len(ratings.categories), "category"),
            f"two raters agree in {percent(overall.value)} ({within})",
        ]
    )


def _nothing(evaluation: Evaluation) -> None:
    """Say that no raters were found, and how to name them."""
    heading("No second rater was found", "Each rater has a column, or each rating has a line. Name the columns here.")
    choices.choose_columns(evaluation, None)
    controls.offer_other_files(("answer-ratings",), "seven raters")
