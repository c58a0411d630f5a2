"""Several labels a row have no single matrix: one two-by-two table a label, and the rows of its outcomes."""

from __future__ import annotations

import streamlit as st

from data.evaluation import Evaluation
from data.rows.selection import Which
from metrics.confusion.matrix import one_against_rest
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import MultilabelCounts
from text.numbers import count, number
from text.visible import show
from ui.matrix.matrix_view import Codes, matrix_view
from ui.rows import rows_behind
from ui.text.markdown import md, percent
from ui.view import cache, controls, fragment, url

_OUTCOMES = {"fn": "Missed", "fp": "Wrongly predicted", "tp": "Found", "tn": "Rightly left out"}
_CELLS = {"fn": (1, 0), "fp": (0, 1), "tp": (1, 1), "tn": (0, 0)}
"""Where an outcome stands in `one_against_rest`: (truth, prediction)."""


@fragment.of_run
def explore(evaluation: Evaluation) -> None:
    """One label against the rest, and the rows of one of its four outcomes."""
    st.markdown(
        "With several labels a row there is no single confusion matrix: every label has its own two-by-two table."
    )
    names = list(evaluation.labels)
    name = controls.choose_of_many("true", "Label", names, lambda text: show(text, 80))
    code, counts = names.index(name), cache.multilabel(evaluation)
    left, right = st.columns([0.55, 0.45], gap="large")
    with right:
        _in_words(counts, code, name)
    outcome = controls.choose("only", "Rows", _OUTCOMES)
    with left:
        _picture(evaluation, counts, code, outcome)
    rows_behind.behind(evaluation, Which(true=(code,), only=outcome), key="label")
    url.end("confusion")


def _in_words(counts: MultilabelCounts, code: int, name: str) -> None:
    tp, fp, fn, tn = _outcomes(counts, code)
    per = set_metrics.per_label(counts)
    st.markdown(
        f"- {md(name)} is true in {count(tp + fn)}; {tp:,} of them were "
        f"found (recall {number(per.recall[code])}).\n"
        f"- It was predicted for {count(tp + fp)}; {tp:,} of them rightly "
        f"(precision {number(per.precision[code])}).\n"
        f"- {percent(per.accuracy[code])} of the decisions about it are right; "
        f"saying never would give {percent((fp + tn) / counts.n)}."
    )


def _picture(evaluation: Evaluation, counts: MultilabelCounts, code: int, outcome: str) -> None:
    tp, fp, fn, tn = _outcomes(counts, code)
    name = evaluation.labels[code]
    true, pred = _CELLS[outcome]
    st.markdown(f"**{fp + fn:,} of {tp + fp + fn + tn:,} decisions are wrong**")
    matrix_view(
        one_against_rest(tp, fp, fn, tn),
        (f"not {name}", name),
        fingerprint=f"{evaluation.fingerprint} {code}",
        normalise="none",
        selected=((true,), (pred,)),
        key="two_by_two",
        on_pick=lambda true, pred: url.put(only=outcome_of(true, pred), row=0),
        on_toggle=lambda _: None,
    )


def outcome_of(true: Codes, pred: Codes) -> str:
    """The outcome that was picked; of several, the first in the order of the buttons: the mistakes.

    >>> outcome_of((1,), (1,)), outcome_of((0,), ()), outcome_of((), ())
    ('tp', 'fp', 'fn')
    """
    inside = [name for name, (i, j) in _CELLS.items() if (not true or i in true) and (not pred or j in pred)]
    return inside[0]


def _outcomes(counts: MultilabelCounts, code: int) -> tuple[int, int, int, int]:
    """True positives, false positives, false negatives and true negatives of a label."""
    return int(counts.tp[code]), int(counts.fp[code]), int(counts.fn[code]), int(counts.tn[code])
