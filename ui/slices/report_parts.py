"""The slices, groups and times in view as parts of the report."""

from __future__ import annotations

from data.comparison.slice_columns import write_columns
from data.evaluation import Evaluation
from export.by_slice.group_result import groups_result
from export.by_slice.period_result import add_periods
from export.by_slice.slice_results import find_slices_by, worst_result
from export.by_slice.slice_search import search_metrics
from export.by_slice.slices import say_weights
from export.result.kinds import Result
from text.visible import show
from ui.share.report_parts import Offered
from ui.slices import choices, groups, over_time, search_cache
from ui.slices.choices import Asked
from ui.view import measurement, url

_NAMED = 30


def offer_slices(evaluation: Evaluation) -> list[Offered]:
    """Return the worst slices, the slices and groups by the column in view, and what changed over time or files."""
    if not evaluation.has_predictions or not evaluation.n_scored or not search_cache.sliceable(evaluation).ways:
        return []
    wanted = counted = choices.choices_in_view(evaluation)
    if wanted.is_alone:  # a search, and the periods of a time, are by what is counted
        counted = wanted._replace(metric=next(iter(search_metrics(evaluation))), is_alone=False)
    offered = [Offered("Worst slices", lambda: _worst(evaluation, counted))]
    by = " and ".join(show(name, _NAMED) for name in wanted.columns)
    if wanted.columns:
        offered.append(Offered(f"Slices by {by}", lambda: _slices(evaluation, wanted)))
    if wanted.columns or url.get("mode") == "groups":
        column = groups.column_of(evaluation, wanted, choices.positive_code(evaluation, wanted))
        offered.append(Offered(f"Groups by {show(column, _NAMED)}", lambda: _groups(evaluation, wanted)))
    files = over_time.other_files() if url.get("mode") == "files" else []
    if files:
        offered.append(Offered("Another file", lambda: over_time.compare_with_file(evaluation, files[0]).result))
    elif search_cache.date_columns(evaluation):
        column = search_cache.chosen_column(evaluation)
        offered.append(Offered(f"Over time by {show(column, _NAMED)}", lambda: _times(evaluation, counted)))
    return offered


def _worst(evaluation: Evaluation, wanted: Asked) -> Result:
    searched = search_cache.search(evaluation, wanted.metric, wanted.code)
    name = choices.metric_name(evaluation, wanted)
    result = worst_result(searched, search_cache.sliceable(evaluation), name)
    return say_weights(result, evaluation)


def _slices(evaluation: Evaluation, wanted: Asked) -> Result:
    metric = wanted.metric if wanted.is_alone else ""
    columns = write_columns(wanted.columns, evaluation.rows.column_names)
    return find_slices_by(measurement.measure(evaluation), [columns], metric)


def _groups(evaluation: Evaluation, wanted: Asked) -> Result:
    code = choices.positive_code(evaluation, wanted)
    compared = groups.compare_in_view(evaluation, wanted._replace(code=code))
    return groups_result(evaluation, compared, code)


def _times(evaluation: Evaluation, wanted: Asked) -> Result:
    drift = over_time.compare(evaluation)
    return add_periods(drift.result, over_time.periods_in_view(evaluation, wanted))
