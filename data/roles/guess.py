"""Asking for roles that nothing in a file says, with the best guess that names and values allow."""

from __future__ import annotations

from collections.abc import Sequence

from data.columns.column import Column
from data.columns.column_names import rank, ranked
from data.errors import DataError, Guess, RolesNeeded
from data.roles.agreement import are_copies, shared_labels, written_twice
from data.roles.find_by_name import asks_question, score_columns
from data.roles.search import Search, is_label_like
from data.roles.set_columns import proposed_predictions
from text.sentences import listed, quoted

_LOOKED_FOR = {
    "truth": "a truth (such as y_true, label or target) and a prediction (y_pred, predicted) or scores (p_spam)",
    "prediction": "a prediction (such as y_pred or predicted), raw answers (output) or scores (p_spam, one a class)",
}
_MOST_COMPARED = 100  # columns


def nothing_usable(what: str, search: Search) -> RolesNeeded:
    """Return the question for a truth, or for predictions: what was found, what is missing, what to do."""
    guess = best_guess(search)
    empty = [name for name, column in search.columns.items() if not column.distinct.values]
    hint = f" {listed(empty, 2, 24)} {'is' if len(empty) == 1 else 'are'} empty in every row." if empty else ""
    truth = next((name for name, (role, _) in search.found.items() if role == "truth"), None)
    if what == "prediction" and truth is not None:
        text = f"True labels found in {quoted(truth)}. Predictions are missing: upload them or choose a column."
        return RolesNeeded(text + _others(search, truth, "y_pred, output, p_spam") + hint, guess)
    found = [
        (word, names[0])
        for word, names in zip(("Predictions", "Scores", "Answers"), _predicted(search, _usable(search)), strict=True)
        if names
    ]
    if what == "truth" and found:
        word, name = found[0]
        text = f"{word} found in {quoted(name)}. True labels are missing: upload them or choose a column."
        return RolesNeeded(text + _others(search, name, "truth, label, y_true") + hint, guess)
    text = (
        f"No usable {what} column was found among {listed(search.columns, 4, 24)}; looked for {_LOOKED_FOR[what]}: "
        "choose them, or upload the file that holds them."
    )
    return RolesNeeded(text + hint, guess)


def _others(search: Search, found: str, names: str) -> str:
    """Return which columns were looked at in vain, and the names that would have been found."""
    others = [name for name in search.columns if name != found]
    return f" No other column is named like one ({names})" + (f": {listed(others, 4, 24)}." if others else ".")


def refuse_copies(search: Search, truth: Column, pred: Column) -> None:
    """Ask where no name told truth and prediction apart, and the one is the other once more.

    Raises
    ------
    RolesNeeded
        at least one of the two was found by its values, and comparing them says nothing about a model.
    """
    two_files = truth.file == "labels" and pred.file == "predictions"
    if two_files or not search.by_values & {truth.name, pred.name}:
        return
    twice = written_twice(truth.name, pred.name)
    if not twice and not are_copies(truth, pred):
        return
    held = "is a second column of the name" if twice else "holds the same as"
    candidates = [c.name for c in search.columns.values() if is_label_like(c, search.label_set) or c.is_number_like]
    raise RolesNeeded(
        f"{quoted(pred.name)} {held} {quoted(truth.name)}, and nothing says which columns are the true labels and the "
        f"predictions. Choose them; candidates are {listed(candidates, 6, 24)}.",
        best_guess(search, (truth, pred)),
    )


def best_guess(search: Search, copies: Sequence[Column] = ()) -> Guess:
    """Return the roles that fit best, however weakly; None = nothing fits.

    copies : two columns of which one repeats the other; the second counts only where nothing else is left.
    """
    columns = [column for column in _usable(search) if column not in copies[1:]]
    preds, scores, raws = _predicted(search, columns)
    pred = next(iter(preds), None)
    truth = _truth(search, columns, pred, _flags(columns, pred) if scores else copies[:1])
    if not (preds or scores or raws) and truth is not None:
        pred = _partner(search.columns[truth], columns) or (copies[1].name if copies else None)
    score = next((name for name in scores if name != truth), None)
    raw = raws[0] if raws and pred is None and score is None else None
    return Guess(truth, pred, raw, score)


def _usable(search: Search) -> list[Column]:
    """Return the columns that hold something and name no rows."""
    return [c for c in search.columns.values() if c.distinct.values and rank(c.name, "id") is None]


def _predicted(search: Search, columns: Sequence[Column]) -> tuple[list[str], list[str], list[str]]:
    """Return the columns of predictions, of scores and of answers, as given or by their names, the best first."""
    given = search.given
    taken = [given.truth, *_found_truth(search)]
    proposed = proposed_predictions(search, columns)
    proposed = [name for name in proposed if is_label_like(search.columns[name], search.label_set)]
    preds = [given.pred] if given.pred is not None else [n for n in proposed if n not in taken]
    scores = given.score_columns() or [column.name for column in score_columns(columns)]
    free = [column.name for column in columns if column.is_free and not column.is_number]
    return preds, scores, [given.raw] if given.raw is not None else ranked(free, "raw")


def _truth(search: Search, columns: Sequence[Column], pred: str | None, last: Sequence[Column]) -> str | None:
    """Return the truth: as given or found, by its name, as a question, by what it shares, or one of the `last`."""
    found = _found_truth(search)
    like = [c for c in columns if c.name != pred and is_label_like(c, search.label_set)]
    named = ranked([c.name for c in like], "truth")
    questions = [c.name for c in like if asks_question(c)]
    shared = [partner] if pred and (partner := _partner(search.columns[pred], like)) else []
    given = [search.given.truth] if search.given.truth else []
    return next(iter([*given, *found, *named, *questions, *shared, *(column.name for column in last)]), None)


def _found_truth(search: Search) -> list[str]:
    return [name for name, (role, _) in search.found.items() if role == "truth" and name not in search.by_values]


def _flags(columns: Sequence[Column], pred: str | None) -> list[Column]:
    """Return the columns of two values, the last first: tables often end with their label."""
    return [c for c in reversed(columns) if c.name != pred and len(c.distinct.values) == 2 and not c.is_continuous]


def _partner(column: Column, others: Sequence[Column]) -> str | None:
    """Return the column that shares the most labels with another, and is no copy of it."""
    shares = {
        other.name: shared_labels(column, other)
        for other in others[:_MOST_COMPARED]
        if other is not column and not other.is_continuous and not are_copies(column, other)
    }
    best = max(shares, key=lambda name: shares[name], default=None)
    return best if best is not None and shares[best] else None


def free_text_named(error: DataError, search: Search) -> RolesNeeded:
    """Return the error for a truth of free text as a question with a guess."""
    return RolesNeeded(str(error), best_guess(search))
