"""Several labels a row have no single matrix: one two-by-two table a label, and the rows of its outcomes."""

from __future__ import annotations

import streamlit as st

from charts import confusion as charts
from data.evaluation import Evaluation
from data.rows import Which
from metrics import multilabel
from ui import blocks, cache, controls, drill, frame, url
from ui.blocks import md, percent, rows, show

_OUTCOMES = {"fn": "Missed", "fp": "Wrongly predicted", "tp": "Found", "tn": "Rightly left out"}


@st.fragment
def explore(evaluation: Evaluation) -> None:
    """One label against the rest, and the rows of one of its four outcomes."""
    counts = cache.multilabel(evaluation)
    st.markdown(
        "With several labels a row there is no single confusion matrix: every label has its own two-by-two table."
    )
    names = list(evaluation.labels)
    name = controls.choose_of_many("true", "Label", names, lambda text: show(text, 80))
    code = names.index(name)
    tp, fp, fn, tn = (int(part[code]) for part in (counts.tp, counts.fp, counts.fn, counts.tn))
    left, right = st.columns([0.5, 0.5], gap="large")
    with left:
        st.plotly_chart(
            charts.two_by_two(tp, fp, fn, tn, show(name, 40)), key="two_by_two", config={"displaylogo": False}
        )
    with right:
        per = multilabel.per_label(counts)
        st.markdown(
            f"- {md(name)} is true in {rows(tp + fn)}; {tp:,} of them were "
            f"found (recall {blocks.number(per.recall[code])}).\n"
            f"- It was predicted for {rows(tp + fp)}; {tp:,} of them rightly "
            f"(precision {blocks.number(per.precision[code])}).\n"
            f"- {percent(per.accuracy[code])} of the decisions about it are right; "
            f"saying never would give {percent((fp + tn) / counts.n)}."
        )
    outcome = controls.choose("only", "Rows", _OUTCOMES)
    drill.behind(evaluation, Which(true=(code,), only=outcome), key="label")
    frame.share("confusion")
    url.end("confusion")
