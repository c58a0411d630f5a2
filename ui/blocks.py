"""The pieces every page is made of, and the two doors through which uploaded text reaches the screen.

Labels, column names and file names are hostile: Streamlit's text elements render them as live markup.
They pass through `md` (a code span, for Markdown), or `st.text`, `st.code`, `st.dataframe` after `show`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import streamlit as st

from charts.text import show
from data.evaluation import DataError, Evaluation
from data.samples import SAMPLES
from metrics.findings import Finding, percent, rows
from ui import state, url

SCRIPTS = {
    "open": "pages/data/open.py",
    "overview": "pages/explore/overview.py",
    "confusion": "pages/explore/confusion.py",
    "classes": "pages/explore/classes.py",
    "rows": "pages/explore/rows.py",
    "thresholds": "pages/decide/thresholds.py",
    "choose": "pages/learn/choose.py",
    "glossary": "pages/learn/glossary.py",
}

ICONS = {
    "serious": ":red[:material/error:]",
    "warning": ":orange[:material/warning:]",
    "info": ":blue[:material/info:]",
}
BADGES = {
    "serious": ":red-badge[:material/error: Serious]",
    "warning": ":orange-badge[:material/warning: Worth a look]",
    "info": ":blue-badge[:material/info: Good to know]",
}


def md(text: str, limit: int = 80) -> str:
    """Uploaded text for a Markdown string: a code span, which nothing inside can leave.

    >>> md("**bold**"), md("a`b")
    ('`**bold**`', '``a`b``')
    """
    shown = show(text, limit)
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def refuse(message: str, *, title: str = "This file cannot be used yet") -> None:
    """One sentence about what is wrong; the sentence may quote the file, so it is plain text."""
    with st.container(border=True):
        st.markdown(f":red[:material/error:] **{title}**")
        st.text(message)


def remark(message: str, kind: str = "warning") -> None:
    """A sentence that may quote the file, with an icon."""
    icon, text = st.columns([0.03, 0.97], vertical_alignment="top")
    icon.markdown(ICONS[kind])
    text.text(message)


def go_to(page: str, label: str, *, icon: str | None = None, **view: object) -> None:
    """A link to a page that keeps the evaluation and sets the given parameters of the view."""
    known = {name: url.get(name) for name in ("run", "vs", "t")}
    query = url.write_query({**known, **view}, page)
    st.page_link(SCRIPTS[page], label=label, icon=icon, query_params=query)


def need_evaluation(what: str) -> Evaluation:
    """The evaluation in view; with none (or a link that leads nowhere), an inviting page and a stop."""
    for sentence in url.problems():
        remark(sentence)
    try:
        found = state.evaluation()
    except DataError as error:
        refuse(str(error), title="This link leads nowhere")
        found = None
    if found is not None and found.n_scored:
        return found
    if found is not None:
        refuse(
            "No row has both a truth and a prediction, so there is nothing "
            "to compute. Correct the columns on the page Open."
        )
        st.stop()
    st.markdown(f"#### Nothing is loaded yet\n{what}")
    go_to("open", "Open your predictions file", icon=":material/upload_file:")
    st.markdown("… or look at a sample first:")
    sample_cards()
    st.stop()


def evaluation_if_any() -> Evaluation | None:
    """The evaluation in view; None for pages that work without one; a link that leads nowhere is told."""
    for sentence in url.problems():
        remark(sentence)
    try:
        found = state.evaluation()
    except DataError as error:
        refuse(str(error), title="This link leads nowhere")
        return None
    return found if found is not None and found.n_scored else None


def sample_cards() -> None:
    """The samples, one click away."""
    columns = st.columns(3)
    for i, sample in enumerate(SAMPLES):
        with columns[i % 3].container(border=True, height="stretch"):
            st.markdown(f"**{sample.title}**")
            st.caption(sample.description + (f" {sample.notice}" if sample.notice else ""))
            st.button(
                "Open this sample",
                key=f"sample.{sample.key}",
                on_click=state.open_run,
                args=(sample.key,),
                width="stretch",
            )


def headline(evaluation: Evaluation) -> None:
    """What is being looked at, in one line under the page title."""
    facts = [
        md(evaluation.name),
        rows(evaluation.n_rows),
        rows(len(evaluation.labels), "label" if evaluation.task == "multilabel" else "class"),
        {"binary": "binary", "multiclass": "one of many classes", "multilabel": "several labels a row"}[
            evaluation.task
        ],
    ]
    if evaluation.positive is not None:
        facts.append(f"positive class {md(evaluation.labels[evaluation.positive])}")
    if evaluation.threshold is not None:
        facts.append(f"predicted when score >= {evaluation.threshold:.6g}")
    left = evaluation.n_rows - evaluation.n_scored
    if left:
        facts.append(f":orange[{rows(left)} without truth or prediction left out]")
    st.caption(" · ".join(facts))


def finding_list(found: Iterable[Finding], *, key: str) -> None:
    """Findings as sentences, each with the page that shows it."""
    for finding in found:
        with st.container(border=True):
            text, link = st.columns([0.83, 0.17], vertical_alignment="center")
            text.markdown(f"{BADGES[finding.severity]} {escape(finding)}")
            with link:
                go_to(finding.page, "Show me", icon=":material/arrow_forward:", **_view(finding))


def _view(finding: Finding) -> dict[str, object]:
    view = {name: url.PARAMETERS[name].parse(text) for name, text in finding.view.items() if name in url.PARAMETERS}
    return view


def escape(finding: Finding) -> str:
    """A finding as Markdown: our words as they are, uploaded names as code spans."""
    return finding.sentence(md)


def number(value: float, digits: int = 3) -> str:
    """A metric for the screen; 0/0 reads "undefined".

    >>> number(0.12345), number(float("nan"))
    ('0.123', 'undefined')
    """
    return "undefined" if value is None or np.isnan(value) else f"{value:.{digits}f}"


def tile(label: str, value: str, note: str = "", help: str | None = None) -> None:
    """One number with the sentence that belongs to it."""
    with st.container(border=True, height="stretch"):
        st.metric(label, value, help=help)
        if note:
            st.caption(note)


__all__ = [
    "SCRIPTS",
    "escape",
    "finding_list",
    "go_to",
    "headline",
    "md",
    "need_evaluation",
    "number",
    "percent",
    "refuse",
    "remark",
    "rows",
    "sample_cards",
    "show",
    "tile",
]
