"""Which evaluation the session looks at: `run` in the URL, and one day `vs` to compare with."""

from __future__ import annotations

import streamlit as st

from data import intake
from data.evaluation import DataError, Evaluation
from ui import cache, url


@st.cache_resource(max_entries=6, show_spinner="Reading the evaluation …")
def _opened(run: str) -> Evaluation:
    found: Evaluation = intake.open_run(run)
    return found


def evaluation(name: str = "run") -> Evaluation | None:
    """The evaluation named by `run` (or `vs`) in the view, at the view's threshold; None when none is named.

    Raises
    ------
    DataError : the link names nothing that is kept here.
    """
    run = url.get(name)
    if not run:
        return None
    found = _opened(run)
    threshold = url.get("t")
    if threshold is not None and takes_threshold(found):
        return cache.at_threshold(found, threshold)
    return found


def original(name: str = "run") -> Evaluation | None:
    """The same evaluation as the file and its settings say, without the view's threshold."""
    return _opened(url.get(name)) if url.get(name) else None


def takes_threshold(evaluation: Evaluation) -> bool:
    """Whether `score >= threshold` makes predictions in this task."""
    return evaluation.y_score is not None and evaluation.task in ("binary", "multilabel")


def code_of(evaluation: Evaluation, name: str) -> int | None:
    """The code of a label named in the view; None when the view names none or the file has no such label."""
    return evaluation.labels.index(name) if name and name in evaluation.labels else None


def open_run(run: str) -> None:
    """Look at another evaluation: every choice that named something of the old one is dropped."""
    for name, parameter in url.PARAMETERS.items():
        if name not in ("norm", "order"):
            url.put(**{name: parameter.default})
    url.put(run=run)


def problem(run: str) -> DataError | None:
    """Why a run cannot be opened; None when it can."""
    try:
        _opened(run)
    except DataError as error:
        return error
    return None
