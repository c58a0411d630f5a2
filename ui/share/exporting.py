"""Export an evaluation: one HTML report, every number, tables and pictures, and Python that computes them again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import streamlit as st

from data.columns.table_metadata import rows_left_out
from data.errors import DataError
from data.evaluation import Evaluation
from data.process.limits import format_size
from data.rows.limited_export import make_file
from data.rows.made_files import MadeFile
from data.runs.source_rows import has_source
from metrics.catalogue.registry import REGISTRY
from metrics.findings.worst_parts import WorstParts
from metrics.thresholds.rule_in_force import ChosenThreshold, pack_chosen
from text.numbers import count
from ui.share import report_parts
from ui.share.report_parts import Offered
from ui.text.messages import refuse_error
from ui.text.started_download import start_download
from ui.view import cache, measurement, open_runs, url
from ui.view.address import write_query
from ui.view.data_table import hand_out, offer_file
from ui.view.panel import show_label

ROWS = 200
"""So many rows are put into a report unless another number is asked for."""
_ICON = ":material/download:"
_ASKED, _STARTED = "exporting.asked", "exporting.started"


class About(NamedTuple):
    """Hold what the files need besides the evaluation: thresholds chosen by a rule, and the chosen parts.

    find_worst : returns the worst slices and the largest gap as the pages keep them; None = they are searched anew.
    """

    chosen: tuple[ChosenThreshold, ...]
    parts: tuple[Offered, ...]
    find_worst: Callable[[Evaluation], WorstParts] | None = None

    @property
    def key(self) -> str:
        """Return what tells it from another: the run and the view, which the parts follow from, and which are chosen.

        The run, too: another link may hold the same file, and another run beside it that the view names by its place.
        """
        return repr((open_runs.run_in_view(), _view(), self.chosen, [part.name for part in self.parts]))


# The report's code is imported where it is used: whoever does not export need not wait for it.
@cache.kept(8, "Writing the report …")
def _report(evaluation: Evaluation, with_rows: bool, at_most: int | None, of: str, _about: About) -> bytes:
    from export.report.page import html_report

    parts = report_parts.make_parts(_about.parts)
    worst = None if _about.find_worst is None else _about.find_worst(evaluation)
    return html_report(
        evaluation, with_rows=with_rows, at_most=at_most, view=_view(), chosen=_about.chosen, parts=parts, worst=worst
    )


@cache.kept(8, "Writing the files …")
def _files(evaluation: Evaluation, of: str, _about: About) -> dict[str, bytes]:
    from export.files import every_file, small_files, zip_files
    from export.measurement import measure
    from export.recompute.prepared import is_small
    from export.report.part import numbers_of

    worst = None if _about.find_worst is None else _about.find_worst(evaluation)
    measured = measure(evaluation, measurement.level(), rule=_about.chosen, known_parts=worst)
    more = numbers_of(report_parts.make_parts(_about.parts))
    if not is_small(evaluation):
        return small_files(measured, _view(), more)
    files = every_file(measured, _view(), more)
    return {**files, "everything.zip": zip_files(files)}


def head(evaluation: Evaluation) -> tuple[str, str]:
    """Return the title of the page and the line under it."""
    if not evaluation.n_scored:
        return (
            "Nothing to export",
            "No row has both a true and a predicted label. Correct the columns on the page Open.",
        )
    return (
        "One report, or every number as a file",
        "These files open without this server. One click makes a file and downloads it.",
    )


def panel(
    evaluation: Evaluation,
    chosen: tuple[ChosenThreshold, ...] = (),
    offered: Sequence[Offered] = (),
    find_worst: Callable[[Evaluation], WorstParts] | None = None,
) -> None:
    """Draw every export, a line each.

    chosen : the thresholds in view that a rule chose. offered : parts that the report and the numbers may have.
    find_worst : returns the worst slices and the largest gap as the pages keep them.
    """
    try:
        if evaluation.n_scored:
            about = About(chosen, report_parts.choose_parts(offered), find_worst)
            _report_part(evaluation, about)
            _files_part(evaluation, about)
            _code_part(evaluation)
    finally:
        st.session_state.pop(_STARTED, None)  # a file that was never made starts no download on a later page


@contextmanager
def _line(key: str, about: str, title: str = "") -> Iterator[None]:
    """Draw one line: what it is on the left, what can be done with it on the right; a button says a file's name."""
    with st.container(key=f"line-{key}", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(gap=None, width="stretch"):
            if title:
                st.markdown(f"**{title}**")
            st.caption(about)
        yield


def _view() -> dict[str, Any]:
    """Return what the address of this page will say, without the run: whoever has that can open the data."""
    query = write_query(st.session_state.get(url.VIEW, {}), "export")
    return {name: text for name, text in query.items() if name != "run"}


def _is_wanted(what: str, evaluation: Evaluation, *choice: object) -> bool:
    """Return whether these very files were asked for in this session."""
    return (what, evaluation.fingerprint, *choice) in st.session_state.setdefault(_ASKED, set())


def _ask(name: str, what: str, evaluation: Evaluation, *choice: object) -> None:
    """Have files made in the run that follows a click, and the download of one of them started there."""
    st.session_state.setdefault(_ASKED, set()).add((what, evaluation.fingerprint, *choice))
    st.session_state[_STARTED] = name


def _report_part(evaluation: Evaluation, of: About) -> None:
    st.header("Report")
    about = "One HTML file: the headline numbers, findings, confusion matrix, every class, curves. It opens from disk."
    with _line("report", about):
        with_rows, at_most = _choose_rows(evaluation)
        if with_rows:
            n = evaluation.n_lines if at_most is None else at_most
            st.caption(f"Holds {n:,} of {count(evaluation.n_lines)}.", width="content")
        if not _is_small(evaluation, with_rows, at_most):
            _made_report(evaluation, with_rows, at_most, of)
            return
        asked = ("report", evaluation, with_rows, at_most, of.key)
        try:
            made = _report(evaluation, *asked[2:], of) if _is_wanted(*asked) else None
        except DataError as error:
            refuse_error(error)
            return
        _offer(evaluation, "report.html", made, asked, primary=True)


def _is_small(evaluation: Evaluation, with_rows: bool, at_most: int | None) -> bool:
    """Return whether the report can be made here; else a process of its own makes it."""
    from export import files
    from export.report import rows

    return files.are_small(evaluation) and (not with_rows or rows.are_small(evaluation, at_most))


def _made_report(evaluation: Evaluation, with_rows: bool, at_most: int | None, of: About) -> None:
    """Make a report of many rows or classes in a process of its own, and hand it out from the disk."""
    options = {"with_rows": with_rows, "at_most": at_most} | _options(of)

    def write() -> MadeFile:
        from export.report.rows import check_rows

        if with_rows:
            check_rows(evaluation, at_most)
        name, run = file_name(evaluation.name, "report.html"), open_runs.run_in_view()
        every = options | {"parts": report_parts.make_parts(of.parts)}
        return make_file(evaluation, "export.report.page:write_report", name, run=run, options=every)

    key = (evaluation.fingerprint, repr((options, of.key)))
    offer_file("report.html", write, key, key="exporting.report")


def _options(of: About) -> dict[str, Any]:
    return {"view": _view(), "chosen": list(map(pack_chosen, of.chosen))}


def _made_zip(evaluation: Evaluation, of: About) -> None:
    """Make a zip of every file of many classes in a process of its own, and hand it out from the disk."""

    def write() -> MadeFile:
        from export.report.part import numbers_of

        every = _options(of) | {"more": numbers_of(report_parts.make_parts(of.parts))}
        name, run = file_name(evaluation.name, "everything.zip"), open_runs.run_in_view()
        return make_file(evaluation, "export.files:write_zip", name, run=run, options=every)

    offer_file("everything.zip", write, (evaluation.fingerprint, of.key), key="exporting.zip")


def _choose_rows(evaluation: Evaluation) -> tuple[bool, int | None]:
    """Ask whether rows go in, and how many at most (None = all)."""
    if rows_left_out(evaluation):
        st.caption("Numbers and pictures only: whoever shared this left the rows out.")
        return False, None
    if has_source(evaluation):
        st.caption("Numbers and pictures only: the rows stay in the source on this server.")
        return False, None
    what = "rows" if evaluation.weights is None else "lines"
    n = evaluation.n_lines
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        ticked = st.checkbox(
            f"With {what}",
            key="exporting.rows",
            help="Texts and all other columns go into the file. Otherwise it holds counts and metrics only.",
        )
        if not ticked:
            return False, None
        at_most = st.number_input(
            f"How many at most, of {n:,}; wrong ones first", 1, n, min(ROWS, n), key=f"exporting.n.{n}", width=280
        )
    return True, None if at_most == n else int(at_most)


def _files_part(evaluation: Evaluation, of: About) -> None:
    from export.files import ABOUT, are_small, name_files
    from export.recompute.prepared import is_small

    st.header("Numbers, tables, pictures")
    small, asked = are_small(evaluation), ("files", evaluation, of.key)
    try:
        made = _files(evaluation, of.key, of) if small and _is_wanted(*asked) else {}
    except DataError as error:
        refuse_error(error)
        return
    about = "JSON of every number, CSV files that are safe to open in Excel, SVG pictures."
    with _line("all", about, "Every file in one zip"):
        if small and is_small(evaluation):
            _offer(evaluation, "everything.zip", made.get("everything.zip"), asked, primary=True)
        else:  # the classes or the rows take a process of their own
            _made_zip(evaluation, of)
    for name in name_files(evaluation) if small else ():
        with _line(f"file-{name.replace('.', '-')}", ABOUT[name]):
            if made and name not in made:
                st.caption("No class has scores of true and of other rows.", width="content")
            else:
                _offer(evaluation, name, made.get(name), asked)


def file_name(about: str, name: str) -> str:
    """Return the name of a download: plain letters, digits, - and _ of the evaluated file's name stand in it.

    >>> file_name("churn 2 (final).csv", "report.html"), file_name("预测.csv", "roc.svg")
    ('blindspot-churn-2-final-report.html', 'blindspot-roc.svg')
    """
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", about.rpartition(".")[0] or about)[:40].strip("-")
    return "-".join(part for part in ("blindspot", stem, name) if part)


def _offer(
    evaluation: Evaluation, name: str, content: bytes | None, asked: tuple[Any, ...], *, primary: bool = False
) -> None:
    """Draw the button that downloads a file; a click makes it first where it is not made yet (None)."""
    if content is None:
        st.button(name, key=f"exporting.{name}.make", icon=_ICON, type="primary" if primary else "secondary",
                  on_click=_ask, args=(name, *asked))  # fmt: skip
        return
    title, file = f"{name} · {format_size(len(content))}", file_name(evaluation.name, name)
    with st.container(key=f"made-{name.replace('.', '-')}", width="content"):
        hand_out(title, lambda: content, file, key=f"exporting.{name}", primary=primary)
    if st.session_state.get(_STARTED) == name:
        del st.session_state[_STARTED]
        start_download(f"made-{name.replace('.', '-')}")


def _code_part(evaluation: Evaluation) -> None:
    """Draw the Python that computes one number again, once a number is chosen."""
    from export.recompute.python_snippet import classes_of, list_offered_metrics, python_snippet

    st.header("Python for one number")
    names = list_offered_metrics(evaluation)
    if not names:
        st.caption("Python needs the rows, and whoever shared this left the rows out.")
        return
    st.caption(
        "This Python computes one number with scikit-learn from prepared.parquet, one of the files above. recompute.py "
        "computes all numbers."
    )
    with st.container(horizontal=True):
        name = st.selectbox(
            "Number", names, index=None, placeholder="Choose a number", key="exporting.metric", width=420,
            format_func=lambda key: REGISTRY[evaluation.task, key].title,
        )  # fmt: skip
        if name is None:
            return
        codes, code = classes_of(evaluation, name), None
        if codes:
            code = st.selectbox(
                "Class", sorted(codes), index=sorted(codes).index(codes[0]), width=320,
                key=f"exporting.class.{evaluation.fingerprint[:8]}.{len(codes)}",
                format_func=lambda label_code: show_label(evaluation, label_code),
            )  # fmt: skip
    metric, value = REGISTRY[evaluation.task, name], measurement.measure(evaluation).value(name, code)
    if value is not None:
        st.markdown(f"{metric.title} is **{metric.write(value)}** here.")
    st.code(python_snippet(evaluation, name, code), language="python", height=420)
