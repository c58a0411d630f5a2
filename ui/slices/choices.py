"""Choose on the page Slices: the metric and its class, the column and the one that crosses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from data.comparison.run_names import RUN, read_runs
from data.evaluation import Evaluation
from export.by_slice.slice_numbers import SliceMetric, class_metrics, other_metrics, read_metric
from export.by_slice.slice_search import RATES, search_metrics
from text.visible import show
from ui.open import source_split
from ui.slices import search_cache
from ui.text.markdown import md
from ui.view import cache, controls, measurement, panel, state, url

_LISTED = 30
MODES = {"": "Slices", "groups": "Groups", "time": "Over time"}


class Asked(NamedTuple):
    """Hold what the toolbar says.

    metric : "accuracy" (or "subset_accuracy"), "recall", "precision" or "f1", or the name of another number, which may
    be of one class: "npv[cat]". code : the class of a rate. columns : none = the worst of all; one or two of them.
    is_alone : whether the metric is another number, which slices of chosen columns have by their own rows.
    """

    metric: str
    code: int
    columns: tuple[str, ...]
    is_alone: bool = False


def choices_in_view(evaluation: Evaluation) -> Asked:
    """Return what the view asks for; what this file does not have is left out."""
    metrics, metric = search_metrics(evaluation), url.get("metric")
    names = [way.columns[0] for way in search_cache.sliceable(evaluation).every]
    chosen = dict.fromkeys(name for name in (url.get("column"), url.get("cross")) if name in names)
    columns = tuple(chosen) if url.get("column") in names else ()
    is_other = bool(columns) and not url.get("mode") and metric not in ("", *metrics)
    of_class = _class_metrics(evaluation).get(metric) if is_other else None
    codes, code = _list_codes(evaluation, of_class), state.code_of(evaluation, url.get("class"))
    code = codes[0] if code is None or code not in codes else code
    if of_class is not None:
        return Asked(f"{of_class.key}[{evaluation.labels[code]}]", code, columns, is_alone=True)
    is_alone = is_other and metric in other_metrics(measurement.measure(evaluation))
    if not is_alone and metric not in metrics:
        metric = next(iter(metrics))
    return Asked(metric, code, columns, is_alone)


def other_metric(evaluation: Evaluation, name: str) -> SliceMetric:
    """Return the number that slices of a chosen column have by a name."""
    metric = read_metric(measurement.measure(evaluation), name)
    assert metric is not None, name
    return metric


def _class_metrics(evaluation: Evaluation) -> dict[str, SliceMetric]:
    """Return the other numbers of one of several classes, by their keys in the registry; a positive class has its own.

    "class_mcc" is that of one class here, beside "mcc" of all.
    """
    if evaluation.positive is not None:
        return {}
    every = class_metrics(measurement.measure(evaluation))
    return {row.key: SliceMetric(row, key) for key, row in every.items() if key not in RATES}


def _list_codes(evaluation: Evaluation, metric: SliceMetric | None) -> list[int]:
    """Return the classes that a number of one class can be of, the first one for a start; None = a rate."""
    if metric is not None and metric.row.eats == "score counts":
        return list(evaluation.score_codes)
    return list(dict.fromkeys((evaluation.positive or 0, *range(len(evaluation.labels)))))


def positive_code(evaluation: Evaluation, wanted: Asked) -> int:
    """Return the class whose rates the groups are compared by: the positive one, else the chosen one."""
    return wanted.code if evaluation.positive is None else evaluation.positive


def metric_name(evaluation: Evaluation, wanted: Asked, write: Callable[[str, int], str] = show) -> str:
    """Return the name of the metric, with its class; `write` makes that safe: plain text, or Markdown with `md`."""
    if wanted.is_alone:
        name = other_metric(evaluation, wanted.metric).name(lambda code: write(cache.class_names(evaluation)[code], 40))
        return name[0].upper() + name[1:]
    name = search_metrics(evaluation)[wanted.metric]
    return name if wanted.metric not in RATES else f"{name} of {write(cache.class_names(evaluation)[wanted.code], 40)}"


def _group_controls(evaluation: Evaluation) -> None:
    """Draw the column whose values are the groups, and the class that is positive."""
    names = search_cache.group_columns(evaluation, positive_code(evaluation, choices_in_view(evaluation)))
    controls.choose_of_many("column", "Groups by", names, lambda name: show(name, 60), width=260)
    if evaluation.positive is None:
        labels = list(evaluation.labels)
        controls.choose_of_many("class", "Positive", labels, lambda name: show(name, 60), width=200)


def _time_controls(evaluation: Evaluation) -> None:
    """Draw the column of dates, and the period from which rows are compared with those before."""
    names = search_cache.date_columns(evaluation)
    column = controls.choose_of_many("column", "Dates", names, lambda name: show(name, 60), width=200)
    periods = search_cache.periods(search_cache.slices_of(evaluation, column))
    first = periods[search_cache.default_period(len(periods))]
    later = list(dict.fromkeys((first, *periods[1:])))
    controls.choose_of_many("since", "Rows from", later, lambda name: show(name, 60), width=240)


def _slice_controls(evaluation: Evaluation) -> None:
    """Draw the column and the one that crosses it, the metric and its class."""
    names = [way.columns[0] for way in search_cache.sliceable(evaluation).every]
    metrics = search_metrics(evaluation)
    column = controls.choose_of_many(
        "column", "Column", ["", *names], lambda name: show(name, 60) if name else "All: the worst slices", width=160
    )
    if column:
        others = ["", *(name for name in names if name != column)]
        controls.choose_of_many(
            "cross", "crossed with", others, lambda name: show(name, 60) if name else "nothing", width=170
        )
    named = {"": next(iter(metrics.values()))} | {name: metrics[name] for name in RATES}
    of_class = _class_metrics(evaluation) if column else {}
    if column:
        over_all = other_metrics(measurement.measure(evaluation))
        named |= {key: metric.row.head for key, metric in of_class.items()}
        named |= {key: name for key, name in over_all.items() if key not in metrics}
    chosen = controls.choose_of_many("metric", "Metric", list(named), named.__getitem__, width=130)
    if chosen in RATES or chosen in of_class:
        labels = [evaluation.labels[code] for code in _list_codes(evaluation, of_class.get(chosen))]
        spoken = cache.spoken_names(evaluation)
        controls.choose_of_many("class", "of", labels, lambda name: show(spoken[name], 60), width=150)


def toolbar(evaluation: Evaluation) -> None:
    """Draw what is sliced by, and the metric."""
    with panel.toolbar("slices"):
        added = any(run.kind == RUN for run in read_runs(url.get("with")))
        more = {"repeats": "Repeats"} if search_cache.find_repeats(evaluation) is not None else {}
        more |= {"files": "Another file"} if added else {}
        mode = controls.choose_chip("mode", "Show", MODES | more)
        if mode == "files":
            return
        if mode == "repeats":
            st.space("stretch")
            measurement.choose_level(evaluation, key="slices.level")
            return
        if mode == "time" and not search_cache.date_columns(evaluation):
            _column_popover(evaluation)
            return
        {"groups": _group_controls, "time": _time_controls}.get(mode, _slice_controls)(evaluation)
        st.space("stretch")
        _column_popover(evaluation)
        measurement.choose_level(evaluation, key="slices.level")


def offer_columns(evaluation: Evaluation) -> None:
    """Offer the columns by which a source could be split where its counts are split by none."""
    if source_split.wait_for_columns(evaluation, "slices"):
        return
    names = source_split.columns_to_split(evaluation).slices
    if not names:
        st.markdown("The source has no column of few values to slice by, or it has changed since it was counted.")
        return
    st.markdown("The counts of this source are split by no column. Choose one, and the source is counted again:")
    _buttons(names)


def _column_popover(evaluation: Evaluation) -> None:
    """Draw the button that adds a column of a source; nothing where there is none."""
    is_waiting = source_split.wait_for_columns(evaluation, "slices")
    names = source_split.columns_to_split(evaluation).slices
    if names and not is_waiting:
        with st.popover("Add a column", icon=":material/add:", key="slices.split", width="content"):
            st.caption("The source is counted again, split by this column, too.")
            _buttons(names)


def _buttons(names: tuple[str, ...]) -> None:
    with st.container(horizontal=True):
        for place, name in enumerate(names[:_LISTED]):
            st.button(f"Split by {md(name, 40)}", key=f"slices.split.{place}", on_click=source_split.begin,
                      args=([name],), kwargs={"column": name})  # fmt: skip
