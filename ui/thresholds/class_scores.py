"""Load the counted scores of every class of a source, and build the evaluation of one against the rest, kept."""

from __future__ import annotations

from data.errors import DataError
from data.evaluation import Evaluation
from data.runs.class_scores.counting import ClassScores, can_count_classes
from data.runs.class_scores.evaluations import class_evaluation, load_class_scores
from data.runs.draft import Draft
from metrics.findings.tables import count_scores
from metrics.scores.curves import ScoreCounts
from ui.view import cache, open_runs, url


@cache.kept(8, "Reading the scores …")
def _load(evaluation: Evaluation, table: str, _draft: Draft) -> ClassScores | None:
    return load_class_scores(_draft, evaluation)


def scores_in_view(evaluation: Evaluation) -> ClassScores | None:
    """Return the counted scores of every class of the run in view; None where none were counted for all its rows."""
    if not can_count_classes(evaluation):
        return None
    try:
        draft = open_runs.draft(url.get("run"))
    except DataError:  # the page says so
        return None
    return _load(evaluation, draft.class_scores, draft)


@cache.kept(32, "Reading the scores …")
def one_class(evaluation: Evaluation, _scores: ClassScores, name: str) -> Evaluation:
    """Return the evaluation of one class against the rest, which is its label 1."""
    return class_evaluation(evaluation, _scores, name)


def counts_of(evaluation: Evaluation, code: int) -> ScoreCounts | None:
    """Return the score counts of a class, of its own scores or of those that were counted for every class."""
    if evaluation.y_score is not None:
        return count_scores(evaluation, code)
    scores = scores_in_view(evaluation)
    if scores is None or evaluation.labels[code] not in scores.classes:
        return None
    return cache.scores(one_class(evaluation, scores, evaluation.labels[code]), 1)


@cache.kept(8, "Computing how exact the areas are …")
def largest_errors(evaluation: Evaluation) -> tuple[float, float]:
    """Return how far AUC and average precision of a class may lie from those of the exact scores, at most."""
    scores = scores_in_view(evaluation)
    largest = {"roc_auc": 0.0, "average_precision": 0.0}
    classes = () if scores is None else [one_class(evaluation, scores, name) for name in scores.classes]
    for of_class in classes:
        errors = cache.binning_errors(of_class) or {}
        largest = {key: max(error, errors.get(key, 0.0)) for key, error in largest.items()}  # passes over NaN
    return largest["roc_auc"], largest["average_precision"]
