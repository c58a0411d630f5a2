"""Give a column that both of two joined files have one role at most: truth, prediction, or none."""

from __future__ import annotations

from collections.abc import Sequence

from data.columns.column import Column
from data.columns.column_names import rank
from data.columns.shared_columns import Shared
from data.roles.search import Search
from text.quoting import list_items, quote

_PREDICTED = ("prediction", "raw", "score")


def keep_one_of_shared(search: Search) -> None:
    """Set one of two columns apart that hold the same in both files: an ordinary column, or the truth of both.

    The one that stays counts as of neither file. Flags stay twice where several others differ: they may be the labels
    of which a model is always right.
    """
    differing = [shared for shared in search.shared if not shared.same and _are_flags(search, shared)]
    for shared in search.shared:
        if shared.same and not (len(differing) > 1 and _are_flags(search, shared)):
            _keep_one(search, shared)


def _are_flags(search: Search, shared: Shared) -> bool:
    return search.columns[shared.labels].is_flag and search.columns[shared.predictions].is_flag


def _keep_one(search: Search, shared: Shared) -> None:
    given = search.given.columns()
    is_predicted = rank(shared.labels, "truth") is None and any(rank(shared.labels, r) is not None for r in _PREDICTED)
    kept, left = (shared.predictions, shared.labels) if is_predicted else (shared.labels, shared.predictions)
    if left in given:
        kept, left = left, kept
    if left in given:
        return
    search.columns[kept].file = ""
    search.take(left, "other", f"both files have it, and it holds the same as {quote(kept)}")


def split_shared(search: Search) -> None:
    """Count both columns that hold the same in both files, each as of its file."""
    for shared in search.shared:
        search.columns[shared.predictions].file = "predictions"
        search.columns[shared.labels].file = "labels"


def may_split(search: Search) -> bool:
    """Return whether a truth or a prediction that lacks may be the second of two columns that hold the same."""
    truths = {name for name, (role, _) in search.found.items() if role == "truth"}
    names = {name for shared in search.shared if shared.same for name in shared[:2]}
    return bool(names) and truths <= names


def is_same_in_both(search: Search, column: Column) -> bool:
    """Return whether a column stands for two that hold the same in both files."""
    return not column.file and any(shared.same and column.name in shared[:2] for shared in search.shared)


def find_namesake(search: Search, name: str) -> str | None:
    """Return the column of the predictions file that is called as this one of the labels file."""
    return next((shared.predictions for shared in search.shared if shared.labels == name), None)


def find_only_differing(search: Search, like: Sequence[Column]) -> list[Column]:
    """Return the one column of the labels that the predictions have, too, with other values."""
    names = {shared.labels for shared in search.shared if not shared.same}
    found = [column for column in like if column.name in names]
    return found if len(found) == 1 else []


def warn_of_equal_columns(search: Search, truths: Sequence[str], predictions: Sequence[str]) -> None:
    """Warn where truth and prediction hold the same in every row: a perfect model, or one column of both files."""
    equal = {shared.labels: shared.predictions for shared in search.shared if shared.same}
    pairs = [(name, equal[name]) for name in truths if equal.get(name) in predictions]
    if not pairs:
        return
    names = list_items(name for pair in pairs for name in pair)
    what = "The prediction holds" if len(pairs) == 1 else "These predictions hold"
    search.warnings.append(
        f"{what} the same as the truth in every row: {names}. Choose other columns (--truth, --pred), unless the model "
        "is perfect."
    )
