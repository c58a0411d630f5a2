"""A run opened without a browser: what a page would show of it."""

from data.evaluation import Evaluation
from data.runs import load, understanding


def open_run(run: str) -> Evaluation:
    """The evaluation of a sample's key or of a draft's token."""
    return understanding.open_draft(load.draft_of(run))
