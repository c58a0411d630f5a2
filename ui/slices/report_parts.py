"""The slices, groups and times in view as parts of the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from data.errors import DataError
from data.evaluation import Evaluation
from text.visible import show
from ui.share.report_parts import Offered
from ui.slices import choices, groups, over_time, search_cache
from ui.slices.choices import Asked
from ui.view import intervals, url

if TYPE_CHECKING:
    from export.report.part import Part

_NAMED = 30


def offer_slices(evaluation: Evaluation) -> list[Offered]:
    """Return the worst slices, the slices and groups by the column in view, and what changed over time or files."""
    if not evaluation.has_predictions or not evaluation.n_scored or not search_cache.sliceable(evaluation).ways:
        return []
    wanted = choices.choices_in_view(evaluation)
    found: list[tuple[str, Callable[[], Part]]] = [("Worst slices", lambda: _worst(evaluation, wanted))]
    by = " and ".join(show(name, _NAMED) for name in wanted.columns)
    if wanted.columns:
        found.append((f"Slices by {by}", lambda: _slices(evaluation, wanted)))
    if (wanted.columns or url.get("mode") == "groups") and evaluation.task != "multilabel":
        column = groups.column_of(evaluation, wanted, choices.positive_code(evaluation, wanted))
        found.append((f"Groups by {show(column, _NAMED)}", lambda: _groups(evaluation, wanted)))
    if url.get("mode") == "files" and over_time.other_files():
        found.append(("Another file", lambda: _files(evaluation)))
    elif search_cache.date_columns(evaluation):
        column = search_cache.chosen_column(evaluation)
        found.append((f"Over time by {show(column, _NAMED)}", lambda: _times(evaluation, wanted)))
    key = (wanted, url.get("mode"), url.get("since"), url.get("column"), url.get("with"), intervals.level())
    return [Offered(name, (name, *key), make) for name, make in found]


def _worst(evaluation: Evaluation, wanted: Asked) -> Part:
    from export.by_slice.slice_search import worst_json
    from export.report.slice_parts import worst_part

    found = search_cache.search(evaluation, wanted.metric, wanted.code)
    name = choices.metric_name(evaluation, wanted)
    return worst_part(worst_json(found, search_cache.sliceable(evaluation), wanted.metric), name)


def _slices(evaluation: Evaluation, wanted: Asked) -> Part:
    from export.by_slice.slices import find_slices, slices_json
    from export.report.slice_parts import slices_part

    found = find_slices(
        evaluation, [",".join(wanted.columns)], level=intervals.level(), clusters=intervals.clusters_of(evaluation)
    )
    return slices_part(slices_json(found), wanted.columns, found.sentences)


def _groups(evaluation: Evaluation, wanted: Asked) -> Part:
    from export.by_slice.groups import groups_json
    from export.report.slice_parts import groups_part

    code = choices.positive_code(evaluation, wanted)
    return groups_part(groups_json(evaluation, groups.compare_in_view(evaluation, wanted._replace(code=code)), code))


def _times(evaluation: Evaluation, wanted: Asked) -> Part:
    from export.report.slice_parts import drift_part

    found = over_time.compare(evaluation)
    column = search_cache.chosen_column(evaluation)
    numbers = {"column": column, "since": over_time.since_in_view(evaluation)} | _numbers(found)
    periods = over_time.periods_of(evaluation, search_cache.slices_of(evaluation, column), wanted)
    return drift_part(numbers, choices.metric_name(evaluation, wanted), periods)


def _files(evaluation: Evaluation) -> Part:
    from export.report.slice_parts import drift_part
    from ui.view import open_runs

    other = over_time.other_files()[0]
    found = over_time.compare_with_file(evaluation, other)
    before = open_runs.open_evaluation(other).name
    return drift_part({"before": before, "after": evaluation.name} | _numbers(found))


def _numbers(found: over_time.Times) -> dict[str, Any]:
    from export.by_slice.drift_json import to_json

    if found.drift.n[0] == 0 or found.drift.n[1] == 0:
        raise DataError("one of the two holds no rows, so nothing can be compared.")
    return to_json(found.evaluation, found.drift)
