"""Warn of scores that may not be what they were taken for, and of columns that may be scores."""

from __future__ import annotations

from collections.abc import Sequence

from data.columns.column import Column
from data.columns.name_ranks import rank
from data.columns.plain_names import split_words
from data.columns.role_names import OUTPUT_WORDS
from data.roles.score_cuts import (
    NEARLY_ALL,
    compute_mean_scores,
    follow_truth,
    is_separated,
    measure_best_cut,
    measure_highest,
)
from data.roles.search import Pairs, Search
from text.numbers import percent, verb
from text.quoting import list_items, quote


def warn_of_hard_scores(search: Search, pairs: Pairs) -> None:
    """Warn of scores that are only 0 and 1: predictions, or those of a tree that was never pruned."""
    if pairs and all(search.columns[name].is_flag for name, _ in pairs):
        search.warnings.append(
            f"{list_items([name for name, _ in pairs], 4, 24)} {verb(len(pairs), 'holds')} only 0 and 1, as "
            "predictions do. ROC AUC, curves and calibration need the model's probabilities."
        )


def warn_of_unused(search: Search, block: Pairs, truth: Column, pred: Column) -> None:
    """Warn of columns that are named after the labels, and seem to be scores by their names, or by their highest."""
    if len(block) < 2:
        return
    names = list_items([name for name, _ in block], 4, 24)
    if measure_highest(search.columns, block, pred) > NEARLY_ALL:
        search.warnings.append(
            f"{names} were not used. Their highest is the predicted label, so they may be its scores: choose them as "
            "the score columns (--scores)."
        )
    elif follow_truth(search.columns, block, truth) or all(split_words(name) & OUTPUT_WORDS for name, _ in block):
        search.warnings.append(
            f"{names} were not used. Their highest is often not the label in {quote(pred.name)}: they may be another "
            "model's scores. Choose the columns of one model."
        )


def warn_of_other_model(search: Search, pairs: Pairs, labels: Sequence[str], pred: Column) -> None:
    """Warn of a prediction that is often not the label of the highest score, and is not cut out by a threshold."""
    if search.given.pred is not None or not 1 < len(pairs) == len(labels):
        return
    share = measure_highest(search.columns, pairs, pred)
    if share < NEARLY_ALL and not is_separated(search.columns[pairs[0][0]], pred):
        search.warnings.append(
            f"{quote(pred.name)} is the label of the highest score in only {percent(share)} of the rows. It may be "
            "another model's: choose the columns of one model."
        )


def warn_of_no_threshold(search: Search, score: Column, pred: Column) -> None:
    """Warn of a prediction that no threshold on the one score makes, even in nearly all rows."""
    if search.given.pred is not None or len(pred.distinct.values) != 2:
        return
    share = measure_best_cut(score, pred)
    if share < NEARLY_ALL:
        search.warnings.append(
            f"No threshold on {quote(score.name)} makes {quote(pred.name)}: the best one agrees in {percent(share)} of "
            "the rows. It may be another model's: choose the columns of one model."
        )


def warn_of_one_side(search: Search, truth: Column, score: Column, positive: str) -> None:
    """Warn of a score from 0.5 on for both true labels: it may be how sure a model was of either label."""
    if search.given.score_columns() or search.given.threshold is not None or not score.is_in_unit_range:
        return
    if score.range[0] >= 0.5 and len(truth.distinct.values) == 2 and score.is_continuous:
        search.warnings.append(
            f"{quote(score.name)} is never below 0.5, so every row is predicted as {quote(positive)}. If it is the "
            "confidence in the predicted label, choose the column of predictions (--pred)."
        )


def warn_of_unnamed(search: Search, name: str) -> None:
    """Warn of a score that nothing but its values tells: any column of shares would do."""
    if not search.given.score_columns():
        search.warnings.append(
            f"The score was found by its values only: {quote(name)}. Check it, and choose another column if it is "
            "wrong (--score)."
        )


def note_others(search: Search, taken: Pairs, candidates: Sequence[str]) -> None:
    """Name the other columns that could be scores: several models in one file, for example."""
    others = [] if search.given.score_columns() else candidates
    others = [name for name in others if not search.is_known(name, "confidence")]
    names = [name for name, _ in taken]
    alike = any(_are_versions(name, other) for name in names for other in others)
    if others:
        (search.warnings if alike else search.notes).append(
            f"{list_items(others)} may hold scores, too: {list_items(names)} was taken; choose another if that is "
            "wrong."
        )


def _are_versions(name: str, other: str) -> bool:
    """Return whether two names share a word, and do not differ in the kind of score: p_spam_v1, p_spam_v2."""
    words = split_words(name), split_words(other)
    return bool(words[0] & words[1]) and all(rank(word, "score") is None for word in words[0] ^ words[1])


def warn_backwards(search: Search, truth: Column, name: str, label: str) -> None:
    """Warn of a score that is lower on the rows of its own label than on the others."""
    means = compute_mean_scores(search.columns[name], truth)
    others = [mean for other, mean in means.items() if other != label]
    if label in means and others and means[label] < max(others):
        search.warnings.append(
            f"The score {quote(name)} is lower on the rows of {quote(label)} than on the others (mean "
            f"{means[label]:.3g} against {max(others):.3g}). If it is the score of the other class, choose that as the "
            "positive class."
        )
