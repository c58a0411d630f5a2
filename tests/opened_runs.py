"""A run opened without a browser: what a page would show of it."""

from data import intake
from data.evaluation import Evaluation


def open_run(run: str) -> Evaluation:
    """The evaluation of a sample's key or of a draft's token."""
    return intake.open_draft(intake.draft_of(run))
