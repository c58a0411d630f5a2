"""One threshold for all labels, or one for each: side by side, and the buttons that use them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from data.evaluation import DataError, Evaluation
from metrics.multilabel.set_metrics import labels_per_row
from metrics.thresholds.label_validation import CrossFitted
from text.numbers import count, number
from ui.text.markdown import percent
from ui.text.messages import remark
from ui.thresholds.label_choices import (
    EACH,
    MACRO,
    Choices,
    Numbers,
    Way,
    ask_for_fitting,
    choices,
    fitted,
    in_use,
    numbers,
    same,
    wants_fitting,
    ways,
)
from ui.thresholds.label_table import label_table
from ui.view import state, url
from ui.view.label_choice import write_each

_SHOWN: dict[str, tuple[str, Callable[[float], str]]] = {
    "micro_f1": ("Micro F1", number),
    "macro_f1": ("Macro F1", number),
    "subset_accuracy": ("Subset acc.", percent),
    "per_label_accuracy": ("Per-label acc.", percent),
    "labels_per_row": ("Labels a row", lambda value: number(value, 2)),
}


def section(evaluation: Evaluation) -> None:
    """Thresholds of a multi-label evaluation with scores; nothing in other tasks."""
    evaluation = state.original() or evaluation
    if evaluation.task != "multilabel" or evaluation.y_score is None or len(evaluation.score_codes) < 2:
        return
    st.subheader("One threshold for all labels, or one for each")
    found = choices(evaluation)
    if isinstance(found, DataError):
        remark(str(found))
        return
    if np.isnan(found.micro.threshold):
        st.info("No row with a score has a true label, so no threshold is better than another.")
        return
    judged = fitted(evaluation) if wants_fitting(evaluation) else None
    listed = ways(evaluation, found, None if isinstance(judged, DataError) else judged)
    _takeaway(listed, found)
    _side_by_side(evaluation, listed)
    _small_print(evaluation, found, judged)
    label_table(evaluation, found, listed)


def _takeaway(listed: list[Way], found: Choices) -> None:
    """What a threshold for each label gains, in a sentence."""
    by = {way.what: way for way in listed}
    each, one = by[EACH], by[MACRO]
    here = f"{number(numbers(each.counts).macro_f1)} against {number(numbers(one.counts).macro_f1)}"
    text = f"A threshold for each label gives macro F1 **{here}** with the best one for all"
    if each.fitted is not None and one.fitted is not None:
        apart = numbers(each.fitted).macro_f1, numbers(one.fitted).macro_f1
        text += f"; on rows that took no part in the choice **{number(apart[0])} against {number(apart[1])}**"
        text += ": the gain does not hold there" if apart[0] <= apart[1] else ""
    truth = number(labels_per_row(each.counts).mean_true, 2)
    st.markdown(
        f"{text}. Macro F1 is the mean over the {count(found.n_true, 'label')} with true rows; a row has {truth} true "
        "labels on average."
    )


def _side_by_side(evaluation: Evaluation, listed: list[Way]) -> None:
    """Every way with its numbers and the button that uses it; the best of each number bold."""
    now, best = in_use(evaluation), _best_of([numbers(way.counts) for way in listed])
    for way in listed:
        with st.container(border=True):
            title, *cells, button = st.columns([2, *[1.2] * len(_SHOWN), 1.3], vertical_alignment="center")
            held_out = "  \n:small[:gray[on held-out rows]]" if way.fitted else ""
            title.markdown(f"**{way.title}**  \n:gray[{way.what}]{held_out}")
            for cell, name in zip(cells, _SHOWN, strict=True):
                cell.markdown(_cell(way, name, best.get(name)))
            with button:
                _use(evaluation, way, used=same(way.thresholds, now))


def _best_of(found: list[Numbers]) -> dict[str, float]:
    """The highest of every number but the labels a row, of which more is not better."""
    return {name: max((getattr(one, name) for one in found if not np.isnan(getattr(one, name))), default=np.nan)
            for name in Numbers._fields[:-1]}  # fmt: skip


def _cell(way: Way, name: str, best: float | None) -> str:
    """A number under its name, and under it what it is on rows that did not choose."""
    title, text = _SHOWN[name]
    value = getattr(numbers(way.counts), name)
    lines = [f":small[:gray[{title}]]", f"**{text(value)}**" if value == best else text(value)]
    if way.fitted is not None:
        lines.append(f":small[:gray[{text(getattr(numbers(way.fitted), name))}]]")
    return "  \n".join(lines)


def _use(evaluation: Evaluation, way: Way, *, used: bool) -> None:
    """The button that makes a way the one of every page."""
    view = view_of(evaluation, way)
    fits = _fits(str(view["each"]))
    st.button(
        "In use" if used else _button(way),
        key=f"label_thresholds.use.{way.what}",
        disabled=used or not fits,
        on_click=url.put,
        kwargs=view,
        width="stretch",
        help=None if fits else "So many thresholds are too long for a link; the table below holds them to download.",
    )


def _button(way: Way) -> str:
    """What the button does, told apart from the other ways' where it is only heard."""
    if way.thresholds is None:
        return "Use these"
    one = len(set(way.thresholds.tolist())) == 1
    return f"Use {way.thresholds[0]:.4g}" if one else "Use each"


def view_of(evaluation: Evaluation, way: Way) -> dict[str, object]:
    """The parameters of the view that predict in this way: `t` for all labels, `each` for those with their own.

    With them goes the rule that the way chooses by, if it does.
    """
    rule = way.rule
    if way.thresholds is None or (not rule and same(way.thresholds, _as_opened(evaluation))):
        return {"t": None, "each": "", "rule": ""}
    if len(set(way.thresholds.tolist())) == 1:
        return {"t": float(way.thresholds[0]), "each": "", "rule": rule}
    others = state.threshold_for_others(evaluation)
    own = {code: threshold for code, threshold in zip(evaluation.score_codes, way.thresholds.tolist(), strict=True)
           if threshold != others}  # fmt: skip
    return {"t": url.get("t"), "each": write_each(own), "rule": rule}


def _as_opened(evaluation: Evaluation) -> np.ndarray | None:
    return None if evaluation.threshold is None else np.full(len(evaluation.score_codes), evaluation.threshold)


def _fits(each: str) -> bool:
    try:
        url.PARAMETERS["each"].parse(each)
    except ValueError:
        return False
    return True


def _small_print(evaluation: Evaluation, found: Choices, judged: CrossFitted | DataError | None) -> None:
    """How the thresholds were found and judged, and what has no score."""
    st.caption(
        f"Each threshold is the best of all {found.n_distinct:,} distinct scores (a label's own, or those of all "
        "labels together), the highest of equals, written with as few digits as call the same rows positive. Bold: "
        "the best of all ways. Subset accuracy: all labels of a row are right; per-label accuracy: one decision is. "
        + ("Thresholds look better on the rows they were chosen on. *Held-out*: the rows were dealt into "
           f"{min(5, evaluation.n_scored)} folds at random (seed 0), the thresholds chosen on all but one and judged "
           "on that one, for each in turn."
           if isinstance(judged, CrossFitted) else "")
    )  # fmt: skip
    missing = len(evaluation.labels) - len(evaluation.score_codes)
    if missing:
        remark(f"{count(missing, 'label')} without a score column: at no threshold predicted, and missed where true.")
    if not isinstance(judged, CrossFitted):
        remark("Thresholds look better on the rows they were chosen on.")
    if isinstance(judged, DataError):
        remark(str(judged))
    if judged is None:
        st.button("See by how much (takes some seconds)", on_click=ask_for_fitting, args=(evaluation,),
                  key="label_thresholds.ask")  # fmt: skip
