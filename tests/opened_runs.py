"""A run opened without a browser: what a page would show of it."""

from data.evaluation import Evaluation
from data.runs import load


def open_run(run: str) -> Evaluation:
    """The evaluation of a sample's key or of a draft's token."""
    return load.open_draft(load.draft_of(run))
