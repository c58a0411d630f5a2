"""The confusion page of a multi-label file: one label's two-by-two table, and which label was predicted instead."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from data.evaluation import Evaluation
from data.rows.selection import Which
from export.evaluation.label_sets_result import swaps_result
from export.interval_text import bounds_of, say_few, value_of
from export.tables import swap_table
from metrics.confusion.matrix import one_against_rest
from metrics.intervals.statistic import Interval
from metrics.multilabel.set_metrics import MultilabelCounts
from metrics.outcomes import ACCURACY
from text.intervals import name_interval
from text.numbers import count, write_amount
from text.visible import show
from ui.matrix.matrix_view import Codes, matrix_view
from ui.rows import first_rows
from ui.text.markdown import percent
from ui.view import cache, controls, fragment, measurement, panel, url
from ui.view.address import end_page
from ui.view.data_table import download
from ui.view.panel import Item, Section, md_label
from ui.view.result_table.result_table import Line, draw_table

_OUTCOMES = {
    "fn": "True, not predicted",
    "fp": "Predicted, not true",
    "tp": "True and predicted",
    "tn": "Neither true nor predicted",
}
_CELLS = {"fn": (1, 0), "fp": (0, 1), "tp": (1, 1), "tn": (0, 0)}
"""Place of an outcome in `one_against_rest`: (truth, prediction)."""


def title(evaluation: Evaluation) -> str:
    """Write how often the label in view is wrong, as Markdown."""
    code = _code(evaluation)
    tp, fp, fn, tn = _outcomes(measurement.measure(evaluation).by_weight.labels, code)
    wrong, n = fp + fn, tp + fp + fn + tn
    if evaluation.units is not None:
        return f"{md_label(evaluation, code)} is wrong in {percent(wrong / n)} of the rows, by weight"
    return f"{md_label(evaluation, code)} is wrong in {wrong:,} of {count(n)}"


def _code(evaluation: Evaluation) -> int:
    """Return the label in view; of a link that names none, the first."""
    name = url.get("true")
    return evaluation.labels.index(name) if name in evaluation.labels else 0


def choose_label(evaluation: Evaluation) -> None:
    """Draw the one row of controls: which label."""
    names = list(evaluation.labels)
    with panel.toolbar("confusion"):
        controls.choose_of_many("true", "Label", names, lambda text: show(text, 80), width=300)
        st.caption("Every label has a two-by-two table of its own.", width="content")


@fragment.run_fragment
def explore(evaluation: Evaluation) -> None:
    """Draw one label against the rest, and the rows of one of its four outcomes."""
    code, counts = _code(evaluation), measurement.measure(evaluation).by_weight.labels
    outcome = url.get("only") if url.get("only") in _OUTCOMES else "fn"
    # The view may mean the rows in which another label was predicted instead.
    is_swap = url.get("only") == "swap" and url.get("pred") in evaluation.labels
    instead = evaluation.labels.index(url.get("pred")) if is_swap else None
    main, beside = panel.split_panel("confusion", is_open=instead is not None)
    with main:
        _picture(evaluation, counts, code, outcome)
        _swaps(evaluation, f"{code}:{instead}")
    with beside:
        _panel(evaluation, counts, code, outcome, instead)
    end_page("confusion")


def _swaps(evaluation: Evaluation, opened: str) -> None:
    """Draw which label was predicted instead of which; a click on a pair shows its rows."""
    measured = measurement.measure(evaluation)
    swaps = measured.label_swaps
    for table in swaps_result(measured).tables:
        n = len(table.rows)
        pairs = zip(swaps.missed[:n].tolist(), swaps.predicted[:n].tolist(), strict=True)
        draw_table(
            table, key="confusion.swaps", lines=[Line(f"{true}:{pred}") for true, pred in pairs], opened=opened,
            on_choose=lambda pair: _open_swap(evaluation, *map(int, pair.split(":"))),
        )  # fmt: skip
        download(swap_table(measured), "label_swaps")


def _open_swap(evaluation: Evaluation, true: int, pred: int) -> None:
    url.put(true=evaluation.labels[true], pred=evaluation.labels[pred], only="swap", row=0)


def _with_bounds(interval: Interval) -> str:
    within = bounds_of(interval)
    few = f", {say_few(interval)}" if interval.too_few else ""
    return value_of(interval) + (f" ({name_interval(interval.level)} {within}{few})" if within else "")


def _panel(evaluation: Evaluation, counts: MultilabelCounts, code: int, outcome: str, instead: int | None) -> None:
    """Draw the outcomes of a label, its rates, and the first rows of the chosen outcome, or of a label instead.

    counts : in units where rows have weights.
    """
    is_weighted = evaluation.units is not None
    rows = dict(zip(("tp", "fp", "fn", "tn"), _outcomes(counts, code), strict=True))
    panel.heading(md_label(evaluation, code))
    recall, precision = (measurement.measure(evaluation).number(rate, code) for rate in ("recall", "precision"))
    by = ", by weight," if is_weighted else ""
    st.caption(
        f"Recall {_with_bounds(recall)}, precision {_with_bounds(precision)}. "
        f"{percent(ACCURACY.value(counts)[code])} of the rows{by} are right; "
        f"never predicting it would give {percent((rows['fp'] + rows['tn']) / counts.n)}."
    )
    items = []
    for only, title in _OUTCOMES.items():
        amount = write_amount(rows[only] * evaluation.unit) if is_weighted else f"{rows[only]:,}"
        about = "These rows stand below" if only == outcome else "Show these rows"
        share = rows[only] / max(1, counts.n)
        items.append(Item((title,), amount, bar=share, wrong=only in ("fn", "fp"), chosen=only, about=about))
    panel.item_list(
        [Section("Weight" if is_weighted else "Rows", items)],
        key="outcomes",
        on_choose=lambda only: url.put(only=only, row=0),
    )
    which, rows_title = Which(true=(code,), only=outcome), _OUTCOMES[outcome]  # type: ignore[arg-type]  # an outcome
    if instead is not None:
        which, rows_title = Which((code,), (instead,), only="swap"), f"{md_label(evaluation, instead)} instead"
        panel.draw_way_back("Rows of every outcome", lambda: url.put(pred="", only="fn", row=0), key="swap")
    n = first_rows.count_rows(evaluation, which)
    panel.heading(f"{rows_title}: {count(n)}")
    first_rows.link_to_all(evaluation, which, n)
    first_rows.first_rows(evaluation, which, key="label", with_prediction=True)


def _picture(evaluation: Evaluation, counts: MultilabelCounts, code: int, outcome: str) -> None:
    block = one_against_rest(*_outcomes(counts, code))
    if evaluation.units is not None:
        rows = one_against_rest(*_outcomes(cache.multilabel(evaluation), code))
        block = replace(block, counted=rows, unit=evaluation.unit)
    name = cache.class_names(evaluation)[code]
    true, pred = _CELLS[outcome]
    matrix_view(
        block,
        (f"not {name}", name),
        fingerprint=f"{evaluation.fingerprint} {code}",
        normalise="none",
        selected=((true,), (pred,)),
        noun="label",
        key="two_by_two",
        on_pick=lambda true, pred: url.put(only=outcome_of(true, pred), row=0),
        on_toggle=lambda _: None,
    )


def outcome_of(true: Codes, pred: Codes) -> str:
    """Return the outcome that was picked; of several, the first in the order of the list: the mistakes.

    >>> outcome_of((1,), (1,)), outcome_of((0,), ()), outcome_of((), ())
    ('tp', 'fp', 'fn')
    """
    inside = [name for name, (i, j) in _CELLS.items() if (not true or i in true) and (not pred or j in pred)]
    return inside[0]


def _outcomes(counts: MultilabelCounts, code: int) -> tuple[int, int, int, int]:
    """True positives, false positives, false negatives and true negatives of a label."""
    return int(counts.tp[code]), int(counts.fp[code]), int(counts.fn[code]), int(counts.tn[code])
