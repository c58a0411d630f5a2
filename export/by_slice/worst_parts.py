"""Choose what a page, a report and the command say of parts of the rows: the worst slices, and the largest gap."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from data.comparison.row_groups import clusters_in_use
from data.comparison.slice_columns import Slicing
from data.evaluation import Evaluation
from export.by_slice.groups import Groups, columns_of_groups, compare_rates
from export.by_slice.slice_lines import line_of
from export.by_slice.slice_search import RATES, SearchedSlices, search_metrics, search_slices_of
from metrics.findings.worst_parts import LargestGap, WorstParts, WorstSlice
from metrics.intervals.joint_counts import cells_of
from metrics.limits import MAX_LABELS_IN_GROUPS, TOO_FEW
from metrics.slices.fairness import ERROR_RATES, gaps, surest_gap

Search = Callable[[str, int], SearchedSlices]
"""Return the search by a metric and a class."""
CompareGroups = Callable[[str, int], Groups]
"""Return the rates of the groups of a column, of a class."""


def find_worst_parts(evaluation: Evaluation, ways: tuple[Slicing, ...], *, level: float = 0.95) -> WorstParts:
    """Search columns that were cut into slices, at least one, for the worst slices and the largest gap."""
    clusters = clusters_in_use(evaluation)
    by_name = {way.columns[0]: way for way in ways}

    def search(metric: str, code: int) -> SearchedSlices:
        return search_slices_of(evaluation, ways, metric, code, level=level, clusters=clusters)

    def compare(column: str, code: int) -> Groups:
        return compare_rates(evaluation, by_name[column], code, level=level, clusters=clusters)

    return choose_worst_parts(evaluation, columns_of_groups(ways, clusters), search, compare, level)


def choose_worst_parts(
    evaluation: Evaluation, columns: Sequence[str], search: Search, compare: CompareGroups, level: float
) -> WorstParts:
    """Choose the worst slice by accuracy and by recall of the positive class, and the largest gap between groups.

    The gap is of the positive class, or of one of several labels a row: of those with the most true rows.

    columns : whose groups are compared. search, compare : what gives the results; whoever keeps them hands them over.
    """
    positive = evaluation.positive if evaluation.task == "binary" else None
    metrics = [next(iter(search_metrics(evaluation))), *([] if positive is None else ["recall"])]
    slices = [_worst_slice(evaluation, search(metric, positive or 0), metric, positive) for metric in metrics]
    gap = _largest_gap(evaluation, columns, compare, _list_compared(evaluation), level)
    return WorstParts(tuple(part for part in slices if part is not None), gap)


def _worst_slice(
    evaluation: Evaluation, searched: SearchedSlices, metric: str, positive: int | None
) -> WorstSlice | None:
    """Return the first line of the page Slices, where it is worse than the rest."""
    if not searched.worst.lines:
        return None
    place = searched.worst.lines[0].place
    line, weight = line_of(searched, place), searched.search.tables[place.table].weight
    return WorstSlice(
        metric, evaluation.labels[positive or 0] if metric in RATES else "", line.conditions, line.n,
        float(weight[place.slice] / weight.sum()), line.number, line.rest, line.difference, line.p_adjusted,
        searched.search.n_slices,
    )  # fmt: skip


def _list_compared(evaluation: Evaluation) -> list[int]:
    """Return the codes of the classes whose rates are compared: the positive one, or the labels with most true rows."""
    if evaluation.task == "binary":
        return [] if evaluation.positive is None else [evaluation.positive]
    if evaluation.task != "multilabel":
        return []
    support = _count_true_rows(evaluation)
    order = np.argsort(-support, kind="stable")[:MAX_LABELS_IN_GROUPS]
    return [code for code in order.tolist() if support[code] >= TOO_FEW]


def _count_true_rows(evaluation: Evaluation) -> np.ndarray:
    """Return the scored rows that truly have each label of the label space, int64 (n_space,)."""
    truth = evaluation.y_true[evaluation.scored, : evaluation.n_space]
    weights = evaluation.rows_per_line[evaluation.scored]
    support: np.ndarray = weights @ truth
    return support


def _largest_gap(
    evaluation: Evaluation, columns: Sequence[str], compare: CompareGroups, codes: Sequence[int], level: float
) -> LargestGap | None:
    """Return the surest gap of an error rate over all columns; None where it is not clear after correction for all."""
    surest = []
    for code in codes:
        for name in columns:
            groups = compare(name, code)
            named = surest_gap(groups.gaps)
            if named is not None and named[0] in ERROR_RATES:
                surest.append((code, groups, *named))
    if not surest:
        return None
    code, groups, rate, gap = max(surest, key=lambda candidate: candidate[3].low)
    n_compared = len(columns) * len(ERROR_RATES) * len(codes)
    if not _stays_clear(groups, rate, level, n_compared):
        return None
    low, high = (groups.rates[place] for place in (gap.lower, gap.higher))
    weight = np.bincount(groups.counts.slice_of, groups.counts.cells.rows)
    shares = weight / weight.sum()
    (lower,), (higher,) = (groups.way.values[place] for place in (gap.lower, gap.higher))
    return LargestGap(
        rate, evaluation.labels[code], groups.way.columns[0], lower or "", higher or "", low.n, high.n,
        float(shares[gap.lower]), float(shares[gap.higher]), low.rates[rate].value, high.rates[rate].value,
        gap.low, gap.high, _n_groups(groups, rate), n_compared, len(codes),
    )  # fmt: skip


def _n_groups(rates: Groups, rate: str) -> int:
    """Return the groups with enough rows of a rate."""
    return len(rates.rates) - len(rates.gaps[rate].left_out)


def _stays_clear(rates: Groups, rate: str, level: float, n_compared: int) -> bool:
    """Return whether the gap's interval leaves 0 out at the level that allows for all columns and rates, too."""
    gap, n_groups = rates.gaps[rate], _n_groups(rates, rate)
    n_pairs = n_groups * (n_groups - 1) // 2
    of_two = np.isin(rates.counts.slice_of, (gap.lower, gap.higher))
    counts = dataclasses.replace(
        rates.counts, cells=cells_of(rates.counts.cells, of_two), slice_of=rates.counts.slice_of[of_two]
    )
    return gaps(counts, level=1 - (1 - level) / (n_pairs * n_compared))[rate].low > 0
