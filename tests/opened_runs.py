"""A run kept or opened without a browser: what a page would show of it."""

import functools
from pathlib import Path

from data.evaluation import Evaluation
from data.runs import load, understanding
from data.samples import is_sample
from data.store import links


def open_run(run: str) -> Evaluation:
    """The evaluation of a sample's key or of a draft's token."""
    return _open_sample(run) if is_sample(run) else understanding.open_draft(load.draft_of(run))


@functools.cache
def _open_sample(key: str) -> Evaluation:
    return understanding.open_draft(load.draft_of(key))


def keep_file(path: Path, given: load.Given | None = None) -> str:
    """Keep a file as an upload; returns its run."""
    return load.keep(load.read_draft([(path, path.name)], given or load.Given()))


def keep_text(path: Path, text: str, given: load.Given | None = None) -> str:
    """Write a file and keep it as an upload; returns its run."""
    path.write_text(text, encoding="utf-8")
    return keep_file(path, given)


def opens(token: str) -> bool:
    """Return whether a link opens."""
    try:
        links.open_link(token)
    except links.LinkGone:
        return False
    return True


def accuracy(evaluation: Evaluation) -> float:
    """The share of scored rows that are right, counted row by row."""
    return float((evaluation.y_true == evaluation.y_pred)[evaluation.scored].mean())
