"""The result about groups: rates, gaps, what their scores say, and what equal rates would cost."""

from __future__ import annotations

import math

from data.comparison.row_groups import Clusters
from data.comparison.slice_columns import slices_by
from data.errors import DataError
from data.evaluation import Evaluation
from data.labels.class_names import names_in_sentences
from export.by_slice.group_pictures import describe_cost, draw_groups
from export.by_slice.groups import RATES, Groups, compare_groups, compare_rates, groups_json, name_group
from export.by_slice.slices import check_predicted, say_weights
from export.interval_text import say_few
from export.result.kinds import (
    Cell,
    Column,
    Count,
    Difference,
    Label,
    Name,
    Number,
    Result,
    Share,
    Table,
    Threshold,
    Unknown,
    Verdict,
    Words,
)
from metrics.catalogue.registry import is_share
from metrics.intervals.statistic import Interval
from metrics.limits import TOO_FEW
from metrics.slices.fairness import DIFFERS, GAP_RATES, TOO_FEW_TO_TELL
from metrics.slices.group_thresholds import Equalised, GroupScores
from text.intervals import name_level
from text.numbers import number, percent, write_threshold, write_thresholds

_UNKNOWN = Unknown(TOO_FEW_TO_TELL)
_NO_INTERVAL = "one cluster"


def find_groups(
    evaluation: Evaluation, column: str, *, level: float = 0.95, clusters: Clusters | None = None
) -> Result:
    """Compare the groups of a column by the rates of the positive class.

    Raises
    ------
    DataError
        there is no positive class, or no such column.
    """
    check_predicted(evaluation)
    if evaluation.positive is None or evaluation.task != "binary":
        raise DataError("Rates of groups need a positive class: they are there for binary files only.")
    threshold = evaluation.effective_threshold if evaluation.y_score is not None else math.nan
    code, way = evaluation.positive, slices_by(evaluation.rows, column, evaluation.weights)
    rates = compare_rates(evaluation, way, code, level=level, clusters=clusters)
    groups = compare_groups(evaluation, way, rates, code, threshold=threshold, level=level, clusters=clusters)
    return groups_result(evaluation, groups, code)


def groups_result(evaluation: Evaluation, groups: Groups, code: int) -> Result:
    """Set the groups of a column beside each other; code : the class that counts as positive."""
    column = ", ".join(groups.way.columns)
    level = next((name_level(group.rates["accuracy"].level) for group in groups.rates), "")
    sentence: Words = (
        "Positive class: ", Label(names_in_sentences(evaluation)[evaluation.labels[code]]),
        f". Intervals are {level}. Fewer than {TOO_FEW} rows are too few to tell a rate.",
    )  # fmt: skip
    result = Result(
        "groups", ("Groups by ", Name(column)), [sentence],
        [_rates(groups), _gaps(groups), *([_scores(groups)] if groups.scores else [])],
        _costs(groups) if groups.scores else [], {"fairness": groups_json(evaluation, groups, code)},
        pictures=draw_groups(groups),
    )  # fmt: skip
    return say_weights(result, evaluation)


def _column(groups: Groups) -> Column:
    return Column(Name(", ".join(groups.way.columns)), Name)


def _rates(groups: Groups) -> Table:
    columns = (_column(groups), Column("rows", Count), *(Column(title, _kind(rate)) for rate, title in RATES.items()))
    rows = [
        (Name(name_group(groups, group.place)), Count(group.n), *(_rate(rate, group.rates[rate]) for rate in RATES))
        for group in groups.rates
    ]
    return Table("group-rates", "Rates of the groups", columns, rows, noun="group")


def _kind(rate: str) -> type[Number]:
    return Share if is_share(rate) else Number


def _rate(name: str, rate: Interval) -> Cell:
    if rate.n < TOO_FEW or math.isnan(rate.value):
        return _UNKNOWN
    return _kind(name)(rate.value, rate.low, rate.high, without=_NO_INTERVAL, few=say_few(rate))


def _gaps(groups: Groups) -> Table:
    """Return the surest gap of every rate; the groups that were left out only where there are any."""
    columns = [
        Column("rate", str), Column("lower", Name), Column("higher", Name), Column("difference", Difference),
        Column("ratio", Number), Column("verdict", Verdict),
    ]  # fmt: skip
    rows = [_gap(groups, rate) for rate in GAP_RATES]
    if any(gap.left_out for gap in groups.gaps.values()):
        columns.append(Column("too few rows", Name))
    else:
        rows = [row[:-1] for row in rows]
    further = any((gap.lower, gap.higher) != (gap.lowest, gap.highest) for gap in groups.gaps.values())
    lies = "Each line is the clearest gap of all pairs: a group of few rows may lie further out. " if further else ""
    note = f"{lies}Intervals allow for all pairs of groups. A gap whose interval includes 0 may be chance."
    return Table("group-gaps", "Gaps between groups", columns, rows, noun="rate", in_order=True, note=(note,))


def _gap(compared: Groups, rate: str) -> tuple[Cell, ...]:
    gap = compared.gaps[rate]
    names = [name_group(compared, place) for place in gap.left_out]
    left_out: Cell = Name("; ".join(names)) if names else ""
    verdict = Verdict(gap.verdict, gap.verdict == DIFFERS)
    if math.isnan(gap.difference):
        return RATES[rate], "", "", "", "", verdict, left_out
    groups = Name(name_group(compared, gap.lower)), Name(name_group(compared, gap.higher))
    difference = Difference(gap.difference, gap.low, gap.high, is_share=is_share(rate))
    ratio = Number(gap.ratio, gap.ratio_low, gap.ratio_high)
    return RATES[rate], *groups, difference, ratio, verdict, left_out


def _scores(groups: Groups) -> Table:
    columns = (
        _column(groups), Column("mean score minus share positive", Difference),
        Column("its own best threshold", Threshold), Column("F1 at it", Number), Column("F1 in use", Number),
    )  # fmt: skip
    written = write_thresholds([scores.threshold for scores in groups.scores])
    rows = [(Name(name_group(groups, group.place)), *_score_cells(scores, text))
            for group, scores, text in zip(groups.rates, groups.scores, written, strict=True)]  # fmt: skip
    return Table("group-scores", "Scores of the groups", columns, rows, noun="group")


def _score_cells(scores: GroupScores, written: str) -> tuple[Cell, Cell, Cell, Cell]:
    return (
        _or_unknown(scores.bias, Difference(scores.bias, scores.low, scores.high, without=_NO_INTERVAL)),
        _or_unknown(scores.threshold, Threshold(scores.threshold, written)),
        _or_unknown(scores.f1_there, Number(scores.f1_there)),
        _or_unknown(scores.f1_now, Number(scores.f1_now)),
    )


def _or_unknown(value: float, cell: Cell) -> Cell:
    return _UNKNOWN if math.isnan(value) else cell


def _costs(groups: Groups) -> list[Words]:
    """Say what the same rate in every group would cost, with one threshold for each."""
    if not groups.equalised:
        return [("The cost of equal rates is unknown: a group has too few rows, or no threshold is in use.",)]
    chosen = "Chosen and counted on these rows: expect slightly worse on new data."
    return [*((_cost(groups, equalised),) for equalised in groups.equalised), *_without_recall(groups), (chosen,)]


def _without_recall(groups: Groups) -> list[Words]:
    """Say which groups keep the cost of the same recall unknown; nothing where it is known."""
    if any(equalised.rate == "recall" for equalised in groups.equalised):
        return []
    few = [name_group(groups, group.place) for group in groups.rates if group.rates["tpr"].n < TOO_FEW]
    return [("The cost of the same recall is unknown: too few positive rows in ", Name("; ".join(few)), ".")]


def _cost(groups: Groups, equal: Equalised) -> str:
    ends = [threshold for threshold in equal.thresholds if math.isfinite(threshold)]
    between = f"{write_threshold(min(ends))} to {write_threshold(max(ends))}" if ends else "above every score"
    accuracy = f"{percent(1 - equal.wrong_now / equal.n)} → {percent(1 - equal.wrong_then / equal.n)}"
    return (
        f"The same {equal.rate.replace('_', ' ')} of {number(equal.target)} in every group: thresholds {between}, "
        f"{describe_cost(groups, equal)} (accuracy {accuracy})."
    )
