"""The pieces every page is made of, and the two doors through which uploaded text reaches the screen.

Labels, column names and file names are hostile: Streamlit's text elements render them as live markup.
They pass through `md` (a code span, for Markdown), or `st.text`, `st.code`, `st.dataframe` after `show`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
import streamlit as st

from charts.text import show
from data.access import NotForYou
from data.asking import ALL_ROWS
from data.evaluation import DataError, Evaluation, NotUsableYet
from data.links import LinkGone
from data.rows import safe_csv
from data.samples import SAMPLES
from metrics import findings
from metrics.finding import Finding, rows
from ui import state, unusable, url

SCRIPTS = {
    "open": "pages/data/open.py",
    "overview": "pages/explore/overview.py",
    "confusion": "pages/explore/confusion.py",
    "classes": "pages/explore/classes.py",
    "parsing": "pages/explore/parsing.py",
    "rows": "pages/explore/rows.py",
    "thresholds": "pages/decide/thresholds.py",
    "review": "pages/share/review.py",
    "export": "pages/share/export.py",
    "links": "pages/share/links.py",
    "choose": "pages/learn/choose.py",
    "glossary": "pages/learn/glossary.py",
}

ICONS = {
    "serious": ":red[:material/error:]",
    "warning": ":orange[:material/warning:]",
    "info": ":blue[:material/info:]",
}
_NOT_USABLE = "This file cannot be used yet"
BADGES = {
    "serious": ":red-badge[:material/error: Serious]",
    "warning": ":orange-badge[:material/warning: Worth a look]",
    "info": ":blue-badge[:material/info: Good to know]",
}


def md(text: str, limit: int = 80) -> str:
    """Uploaded text for a Markdown string: a code span, which nothing inside can leave.

    >>> md("**bold**"), md("a`b"), md(":material/home:")
    ('`**bold**`', '``a`b``', '`:material`&#47;`home:`')
    """
    # Streamlit makes ":material/" ":material_" before it reads the Markdown, code spans included: the "/" goes outside.
    return "&#47;".join(part and _code_span(part) for part in re.split(r"(?<=:material)/", show(text, limit)))


def _code_span(shown: str) -> str:
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def refuse(message: str, *, title: str = _NOT_USABLE) -> None:
    """One sentence about what is wrong; the sentence may quote the file, so it is plain text."""
    with st.container(border=True):
        st.markdown(f":red[:material/error:] **{title}**")
        st.text(message)


def refuse_error(error: DataError) -> None:
    """Why the evaluation in view cannot be shown."""
    title = "This cannot be opened"
    if isinstance(error, NotUsableYet):
        title = _NOT_USABLE
    elif isinstance(error, LinkGone):
        title = "This link leads nowhere"
    elif isinstance(error, NotForYou):
        title = "This link opens for others only"
    refuse(str(error), title=title)


def remark(message: str, kind: str = "warning") -> None:
    """A sentence that may quote the file, with an icon."""
    with st.container(horizontal=True, gap="small", wrap=False):
        st.markdown(ICONS[kind], width="content")
        st.text(message, width="stretch")


def go_to(page: str, label: str, *, icon: str | None = None, **view: object) -> None:
    """A link to a page that keeps the evaluation and sets the given parameters of the view."""
    known = {name: url.get(name) for name in ("run", "vs", "step", "t", "each")}
    query = url.write_query({**known, **view}, page)
    st.page_link(SCRIPTS[page], label=label, icon=icon, query_params=query)


def need_evaluation(what: str) -> Evaluation:
    """The evaluation in view; with none (or a link that leads nowhere), an inviting page and a stop."""
    for sentence in url.problems():
        remark(sentence)
    try:
        found = state.evaluation()
    except DataError as error:
        refuse_error(error)
        found = None
    if found is not None and found.n_scored:
        _tell_unusable(found)
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
        refuse_error(error)
        go_to("open", "Open a file or a sample", icon=":material/upload_file:")
        return None
    if found is None or not found.n_scored:
        return None
    _tell_unusable(found)
    return found


def _tell_unusable(evaluation: Evaluation) -> None:
    """What of the view this file has no use for."""
    for sentence in unusable.told(evaluation):
        remark(sentence)


def sample_cards() -> None:
    """The samples, one click away."""
    columns = [column for _ in range(0, len(SAMPLES), 3) for column in st.columns(3)]
    for column, sample in zip(columns, SAMPLES, strict=False):
        with column.container(border=True, height="stretch"):
            with st.container(height="stretch", gap="small"):
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
        rows(evaluation.n_rows) + ("" if evaluation.weights is None else f" in {rows(evaluation.n_lines, 'line')}"),
        classes(evaluation),
        {"binary": "binary", "multiclass": "one class a row", "multilabel": "several labels a row"}[evaluation.task],
    ]
    if evaluation.positive is not None:
        facts.append(f"positive class {md(evaluation.labels[evaluation.positive])}")
    own = state.own_thresholds(evaluation)
    if own:
        facts.append(f"predicted when score >= a threshold of its own for {rows(len(own), 'label')}")
    elif evaluation.threshold is not None:
        facts.append(f"predicted when score >= {evaluation.threshold:.6g}")
    elif url.get("t") is not None and not state.takes_threshold(evaluation):
        facts.append(f"score >= {url.get('t'):.6g} holds in the lab on Thresholds only: each row has one class")
    elif not (evaluation.settings.pred or evaluation.settings.raw or evaluation.settings.pred_columns):
        facts.append("predicted: the class with the highest score")
    if evaluation.settings.only not in (None, ALL_ROWS):
        column, value = evaluation.settings.only
        facts.append(f"only {md(column, 40)} = {md(value, 40)}")
    left = evaluation.n_rows - evaluation.n_scored
    if left:
        facts.append(f":orange[{rows(left)} without truth or prediction left out]")
    st.caption(" · ".join(facts))


def classes(evaluation: Evaluation) -> str:
    """How many classes or labels there are, those outside the label space told apart."""
    outside = len(evaluation.labels) - evaluation.n_space
    what = "label" if evaluation.task == "multilabel" else "class"
    return rows(evaluation.n_space, what) + (f" and {outside:,} outside the label space" if outside else "")


def finding_list(
    found: Iterable[Finding], *, here: str, rows_of: Callable[[Finding], object] = lambda finding: None
) -> None:
    """Findings as sentences, each with a link to the page that shows it unless that is `here`.

    rows_of : draws the link from a finding to its rows, where it has some.
    """
    for finding in found:
        with st.container(border=True):
            sentence = f"{BADGES[finding.severity]} {_unbroken(escape(finding))}"
            text, link = st.columns([0.83, 0.17], vertical_alignment="center")
            text.markdown(sentence)
            with link, st.container(gap=None):
                if finding.page != here:
                    go_to(finding.page, "Show me", icon=":material/arrow_forward:", **_view(finding))
                rows_of(finding)


def _view(finding: Finding) -> dict[str, object]:
    view = {name: url.PARAMETERS[name].parse(text) for name, text in finding.view.items() if name in url.PARAMETERS}
    return view


def escape(finding: Finding) -> str:
    """A finding as Markdown: our words as they are, uploaded names as code spans."""
    return finding.sentence(md)


def _unbroken(text: str) -> str:
    """The same text with a space before a "%" that no line is broken at."""
    return re.sub(r"(?<=\d) (?=%)", "\u00a0", text)


def percent(share: float) -> str:
    r"""A share as a percentage that no line is broken in; 0/0 reads "undefined".

    >>> percent(0.5)
    '50.0\xa0%'
    """
    return _unbroken(findings.percent(share))


def number(value: float, digits: int = 3) -> str:
    """A metric for the screen; 0/0 reads "undefined".

    >>> number(0.12345), number(float("nan"))
    ('0.123', 'undefined')
    """
    return "undefined" if value is None or np.isnan(value) else f"{value:.{digits}f}"


def tile(
    label: str, value: str, note: str = "", help: str | None = None, *, step: Callable[[], object] = lambda: None
) -> None:
    """One number with the sentence that belongs to it; `step` draws the link to its rows."""
    with st.container(border=True, height="stretch"):
        st.metric(label, value.replace("\u00a0", " "), help=help)
        if note:
            st.caption(note)
        step()


def table_twin(frame: pd.DataFrame, name: str, title: str = "The same as a table", limit: int = 1000) -> None:
    """The numbers of a picture as a table to read, and a download of all of them.

    Uploaded text in `frame` is as in the file: it is made visible here, and formula-safe in the download.
    """
    with st.expander(title, icon=":material/table:"):
        shown = frame.head(limit)
        texts = {
            column: [show(text) for text in shown[column]] for column in shown if shown[column].dtype.kind in "OUT"
        }
        st.dataframe(shown.assign(**texts), hide_index=True, key=f"{name}.twin")
        if len(frame) > limit:
            st.caption(f"The first {limit:,} of {len(frame):,} rows; the download holds all.")
        download(frame, name)


def download(frame: pd.DataFrame, name: str) -> None:
    """A button that hands out a table as CSV, formula-safe."""
    st.download_button(
        "Download as CSV",
        state.while_open(lambda: safe_csv(frame)),
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        key=f"{name}.download",
        icon=":material/download:",
    )


__all__ = [
    "SCRIPTS",
    "classes",
    "download",
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
    "table_twin",
    "tile",
]
