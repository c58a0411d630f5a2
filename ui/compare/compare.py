"""The page Compare: what was found as title, the runs in tiers, the rows that changed, and where."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from data.comparison.alike.settings import DifferentSettings
from data.errors import DataError
from data.evaluation import Evaluation
from export.compare.comparison import to_json
from export.compare.comparison_text import pair_words
from export.compare.pull_request import pull_request_result
from export.numbers import plain
from export.result.kinds import Label, RunName
from export.result.markdown import write_markdown
from export.result.written import write_words
from text.numbers import count
from text.visible import keep_together, show
from ui.compare import (
    class_changes,
    difference_matrix,
    flips,
    joined_rows,
    other_runs,
    score_curves,
    settings_choice as choice,
)
from ui.compare.leaderboard import leaderboard, planner
from ui.compare.run_comparison import Compared, compare, metric_in_view
from ui.compare.runs import FRESH, Run, runs_in_view
from ui.frame.heading import heading
from ui.open import source_split
from ui.text.markdown import md
from ui.text.messages import refuse
from ui.view import controls, fragment, panel, url
from ui.view.address import end_page
from ui.view.data_table import hand_out

_STYLE = Path(__file__).with_name("compare.css")


@fragment.run_fragment
def explore(evaluation: Evaluation) -> None:
    """Draw the comparison of the runs in view, or what it needs."""
    with st.container(key="compare-page"):
        _page(evaluation)
    end_page("compare")


def _page(evaluation: Evaluation) -> None:
    st.html(_STYLE)
    runs, head = runs_in_view(evaluation), st.container()
    if source_split.wait():
        with head:
            heading("The predictions of the other model are being counted")
    elif len(runs) == 1:
        heading("Compare with a second model")
        other_runs.offer_second_run(evaluation)
    elif any(run.evaluation is None for run in runs):
        heading("A run cannot be opened")
        _refuse(evaluation, runs, "")
    else:
        try:
            compared = compare(runs)
        except DifferentSettings as error:
            choice.draw(runs, error, partial(_change_runs, evaluation, runs))
        except DataError as error:
            heading("These runs cannot be compared")
            _refuse(evaluation, runs, str(error))
        else:
            _draw(evaluation, runs, compared)


def _refuse(evaluation: Evaluation, runs: Sequence[Run], why: str) -> None:
    """Say why there is no comparison, and offer what changes that."""
    if why:
        refuse(why, title="No comparison yet")
    for run in runs:
        if run.problem:
            refuse(run.problem, title=f"{md(run.name, 60)} cannot be opened")
    joined_rows.choose_key(runs)
    other_runs.list_runs(runs)
    other_runs.offer_more_runs(evaluation)


def _change_runs(evaluation: Evaluation, runs: Sequence[Run]) -> None:
    with st.popover("Runs", key="compare.more", width="content"):
        other_runs.list_runs(runs)
    other_runs.more_runs_popover(evaluation)


def _draw(evaluation: Evaluation, runs: Sequence[Run], compared: Compared) -> None:
    comparison, a, b = compared.comparison, compared.a, compared.b
    words = pair_words(comparison, a, b)

    def name(part: Label) -> str:
        return md(part.name if isinstance(part, RunName) else compared.short.get(part.name, part.name), 40)

    heading(write_words(words.headline, name, keep_together), write_words(words.rest, name, keep_together))
    _toolbar(evaluation, runs, compared)
    joined_rows.line(compared, runs)
    left, right = st.columns([1.1, 1], gap="medium")
    with left:
        st.header(f"{count(len(runs), 'run')} on the same {count(comparison.runs.n)}", anchor=False)
        leaderboard(compared)
        if comparison.runs.preds:
            class_changes.class_changes(compared)
        score_curves.thresholds(compared)
        score_curves.agreement(compared)
        planner(compared)
    with right:
        st.header("What changed from A to B", anchor=False)
        flips.changes(compared)
        if comparison.runs.preds and not comparison.runs.many:
            difference_matrix.difference_matrix(compared)
    if score_curves.has_curves(compared):
        score_curves.curves(compared)


def _toolbar(evaluation: Evaluation, runs: Sequence[Run], compared: Compared) -> None:
    names = [show(name, 60) for name in compared.names]
    places = list(range(len(names)))
    with panel.toolbar("compare"):
        controls.choose_of_many("a", "A", places, names.__getitem__, width=200)
        st.button("Swap A and B", key="icon.compare.swap", icon=":material/swap_horiz:", help="Swap A and B",
                  on_click=url.put, kwargs={"a": compared.b, "b": compared.a, **FRESH})  # fmt: skip
        others = [place for place in places if place != compared.a]
        controls.choose_of_many("b", "B", others, names.__getitem__, width=200)
        main = compared.comparison.main_metric
        controls.choose_of_many(
            "metric",
            "Sort by",
            _metrics(compared),
            lambda name: compared.comparison.name_metric(name or main),
            width=230,
        )
        st.space("stretch")
        with st.popover(_more(compared), key="compare.more", width="content"):
            joined_rows.choose_cluster(compared)
            joined_rows.choose_key(runs)
            other_runs.list_runs(runs)
            _files(compared)
        other_runs.more_runs_popover(evaluation)


def _files(compared: Compared) -> None:
    """Offer the comparison as Markdown, and that of A and B as JSON."""
    metric = metric_in_view(compared)
    with st.container(horizontal=True, gap="small"):
        about = "A summary of all runs"
        hand_out("Markdown", partial(_markdown, compared), "comparison.md", key="compare.markdown", about=about)
        about = "Every number of the runs, and of A against B"
        hand_out("JSON", partial(_json, compared, metric), "comparison.json", key="compare.json", about=about)


def _markdown(compared: Compared) -> bytes:
    return write_markdown(pull_request_result(compared.comparison, compared.aligned, compared.warnings)).encode()


def _json(compared: Compared, metric: str) -> bytes:
    """Return the numbers of every run and of A against B, as the command line writes them."""
    pair = [(compared.a, compared.b)]
    numbers = to_json(compared.comparison, compared.aligned, compared.warnings, metric, pair)
    return json.dumps(plain(numbers), allow_nan=False, indent=1).encode()


def _metrics(compared: Compared) -> list[str]:
    """Return the metrics to sort by, the main one first, as an empty name; of single classes the one in view."""
    chosen, comparison = url.get("metric"), compared.comparison
    of_class = [chosen] if chosen in comparison.class_names and chosen not in comparison.overall_names else []
    return [
        "",
        *(name for name in comparison.overall_names if name != comparison.main_metric),
        *of_class,
    ]


def _more(compared: Compared) -> str:
    used = sum([compared.comparison.runs.cluster is not None, bool(url.get("join"))])
    return f"More · {used} in use" if used else "More"
