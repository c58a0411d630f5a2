"""The result about raters: coefficients, every two raters, the human ceiling, corrected rates, preferences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from export.rating.agreement import ORDERED, TITLES, Bias, corrected_rates, pairs_json, to_json
from export.result.kinds import (
    Cell,
    Column,
    Count,
    Difference,
    Label,
    Name,
    Number,
    P,
    Result,
    Sentence,
    Share,
    Table,
    Unknown,
    Words,
)
from metrics.agreement.agreement import MEANS_OF_PAIRS, Agreement, Estimate
from metrics.agreement.corrected_rate import CorrectedRate
from metrics.agreement.pairs import Preference, Swapped
from metrics.intervals.statistic import Interval
from text.intervals import bounds, name_interval
from text.numbers import UNDEFINED, count, percent, verb

NO_DIFFERENCE = "no difference found"
_PREFERS = {"first": "Prefers the first answer", "longer": "Prefers the longer answer"}
_ABOUT = {
    "first": "50 % means no preference, since the order is random.",
    "longer": "A longer answer may be better, so compare with the people.",
    "name": "How often each rater prefers this model's answers; compare with the people.",
}


def agreement_result(
    agreement: Agreement, sentences: Sequence[str], prefer: Sequence[Bias] = (), again: Sequence[Swapped] = ()
) -> Result:
    """Say how far raters agree; sentences : warnings and remarks. prefer, again : of raters of pairs."""
    ratings = agreement.ratings
    counted = [count(ratings.n_units, "unit"), count(len(ratings.raters), "rater"),
               count(len(ratings.categories), "category")]  # fmt: skip
    rated = f"{count(ratings.n_pairable, 'unit')} {verb(ratings.n_pairable, 'has')} two ratings or more"
    headline = f"{', '.join(counted)}; {rated}"
    tables = [coefficient_table(agreement), _pairs(agreement), *ceiling_tables(agreement)]
    tables += [corrected_table(agreement)] if agreement.judge is not None else []
    tables += [preference_table(agreement, bias, place) for place, bias in enumerate(prefer)]
    warnings: list[Words] = [(Sentence(text),) for text in sentences]
    numbers = to_json(agreement, list(sentences)) | pairs_json(list(prefer), list(again), ratings.raters)
    return Result(
        "agreement", ("Agreement of raters",), [swapped_words(agreement, swap) for swap in again], tables, warnings,
        {"agreement": numbers}, (headline,),
    )  # fmt: skip


def number_cell(estimate: Estimate | Interval | CorrectedRate, why: str = "", *, is_share: bool = False) -> Cell:
    """Return a coefficient, or a share, with its interval; why : it is undefined, if its method does not say so."""
    if math.isnan(estimate.value):
        return Unknown(why or estimate.method, UNDEFINED)
    kind = Share if is_share else Number
    return kind(estimate.value, estimate.low, estimate.high, about=estimate.method)


def number_column(agreement: Agreement, title: str) -> Column:
    """Return the column of coefficients with their intervals."""
    return Column(title, Number, name_interval(agreement.level))


def coefficient_table(agreement: Agreement, *, with_methods: bool = True) -> Table:
    """List every coefficient of all raters; those of an order only where the categories have one."""
    several = len(agreement.ratings.raters) > 2
    known = {name: title for name, title in TITLES.items()
             if name not in ORDERED or not math.isnan(agreement.coefficients[name].value)}  # fmt: skip
    columns = [Column("coefficient", str), number_column(agreement, "value")]
    columns += [Column("method", str)] if with_methods else []
    rows: list[tuple[Cell, ...]] = []
    for name, title in known.items():
        estimate = agreement.coefficients[name]
        is_mean = several and name in MEANS_OF_PAIRS
        value = number_cell(estimate, is_share=name == "percent_agreement")
        rows.append((f"{title}, mean of pairs" if is_mean else title, value, estimate.method)[: len(columns)])
    return Table("agreement-all", "All raters together", columns, rows, "coefficient", in_order=True)


def _pairs(agreement: Agreement) -> Table:
    weighted = ("linear weighted kappa", "quadratic weighted kappa") if agreement.ratings.has_order else ()
    columns = (
        Column("rater", Name), Column("and", Name), Column("units", Count), number_column(agreement, "agreement"),
        number_column(agreement, "kappa"), *(number_column(agreement, title) for title in weighted),
        Column("categories used alike, p", P),
    )  # fmt: skip
    rows = []
    for pair in agreement.pairs:
        names = (Name(agreement.ratings.raters[place]) for place in (pair.a, pair.b))
        kappas = (pair.cohen_kappa, *((pair.linear_kappa, pair.quadratic_kappa) if weighted else ()))
        agreed = number_cell(pair.percent_agreement, is_share=True)
        rows.append((*names, Count(pair.n), agreed, *map(number_cell, kappas), P(pair.homogeneity.p)))
    return Table("agreement-pairs", "Every two raters", columns, rows, "pair")


def kind_of(agreement: Agreement, place: int) -> str:
    """Return whether a rater is a person, a model, or the judge."""
    return "judge" if place == agreement.judge else "person" if place in agreement.people else "model"


def ceiling_tables(agreement: Agreement) -> list[Table]:
    """Set each rater against the majority of the other people, the best first, and the mean of people.

    Of two raters it would only repeat how far they agree.
    """
    if len(agreement.ratings.raters) < 3:
        return []
    columns = (Column("rater", Name), Column("who", str), number_column(agreement, "agreement"), Column("units", Count),
               Column("ties", Count))  # fmt: skip
    ranked = sorted(
        agreement.ceiling, key=lambda rater: math.inf if math.isnan(rater.agreement.value) else -rater.agreement.value
    )
    rows: list[tuple[Cell, ...]] = []
    for ceiling in ranked:
        value = number_cell(ceiling.agreement, "no unit has such a majority", is_share=True)
        name = Name(agreement.ratings.raters[ceiling.rater])
        rows.append((name, kind_of(agreement, ceiling.rater), value, Count(ceiling.n), Count(ceiling.ties)))
    if len(agreement.people) > 1:
        rows.append(("All people", "mean", number_cell(agreement.ceiling_mean, is_share=True), "", ""))
    majority, tie, unanimous = agreement.truth
    has_models = len(agreement.people) < len(agreement.ratings.raters)
    reach = "A judge that reaches the value of All people agrees with the majority as often as one person does. "
    units = f"Two people or more rated {count(majority + tie, 'unit')}: {majority:,} have a majority, {tie:,} a tie."
    ties = "In a rater's ties the other people have no majority: these units are left out of its line."
    note = f"{reach if has_models else ''}{units} All people agree in {unanimous:,}. {ties}"
    title = "Against the majority of the other people"
    return [Table("agreement-ceiling", title, columns, rows, "rater", in_order=True, note=(note,))]


def corrected_table(agreement: Agreement) -> Table:
    """List the true rate of every category, corrected for the errors of the judge."""
    columns = (
        Column("category", Label), Column("judge says", Share), number_column(agreement, "true rate"),
        Column("sensitivity", Number), Column("specificity", Number),
    )  # fmt: skip
    rows = [
        (Label(name), Share(rate.judged), number_cell(rate, is_share=True), Number(rate.sensitivity),
         Number(rate.specificity))
        for name, rate in zip(agreement.ratings.categories, corrected_rates(agreement), strict=True)
    ]  # fmt: skip
    title = "True rates, corrected for the judge's errors"
    assert agreement.judge is not None
    judge = Name(agreement.ratings.raters[agreement.judge])
    how = (
        " rated. Its errors are estimated on the units that people rated as well (Rogan–Gladen). "
        "People must have rated a random part of the units."
    )
    note = ("Over all units that ", judge, how)
    return Table("agreement-rates", title, columns, rows, "category", note=note)


def preference_table(agreement: Agreement, bias: Bias, place: int = 0) -> Table:
    """List how often each rater prefers an answer for its order, length or model, beside the people."""
    columns = (Column("rater", Name), number_column(agreement, "prefers it"), Column("people", Share),
               Column("difference", Difference))  # fmt: skip
    rows = [
        (
            Name(agreement.ratings.raters[judged.rater]),
            number_cell(judged.share, is_share=True),
            Share(judged.people.value),
            _gap(judged),
        )
        for judged in bias.preferences
    ]
    what: Words = (_PREFERS[bias.kind],) if bias.kind in _PREFERS else ("Prefers answers of ", Name(bias.name))
    return Table(f"agreement-prefers-{place}", what, columns, rows, "rater", note=(_ABOUT[bias.kind],))


def _gap(preference: Preference) -> Cell:
    low, high = preference.bounds.low, preference.bounds.high
    if math.isnan(low):
        return Unknown("–")
    is_clear = low > 0 or high < 0
    return Difference(preference.difference, low, high, is_share=True) if is_clear else Unknown(NO_DIFFERENCE)


def swapped_words(agreement: Agreement, again: Swapped) -> Words:
    """Say how often a rater says the same when the two answers are swapped."""
    within = bounds(again.same.low, again.same.high, share=True)
    same = f" says the same in {percent(again.same.value)} ({within}) of {count(again.n, 'unit')}"
    return Name(agreement.ratings.raters[again.rater]), f"{same} when the two answers are swapped."
