"""Give a column that both of two joined files have one role at most: truth, prediction, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from data.columns.column import Column
from data.columns.column_names import parse_name
from data.columns.name_ranks import rank
from data.columns.plain_names import LABELS_SUFFIX, PREDICTIONS_SUFFIX
from data.columns.role_names import fold
from data.evaluation import Settings
from data.roles.search import Search
from text.quoting import quote

_PREDICTED = ("prediction", "raw", "score")


class Shared(NamedTuple):
    """A column of both files: its names in the joined table, and whether it holds the same wherever both are filled."""

    predictions: str
    labels: str
    same: bool


def find_shared(columns: Mapping[str, Column]) -> list[Shared]:
    """Find the columns of both files.

    >>> table = pa.table({"region (predictions)": ["n", "s"], "region (labels)": ["n", None]})
    >>> find_shared({name: Column(table, name) for name in table.column_names})
    [Shared(predictions='region (predictions)', labels='region (labels)', same=True)]
    """
    names = [name.removesuffix(PREDICTIONS_SUFFIX) for name in columns if name.endswith(PREDICTIONS_SUFFIX)]
    pairs = [(name + PREDICTIONS_SUFFIX, name + LABELS_SUFFIX) for name in names if name + LABELS_SUFFIX in columns]
    return [Shared(first, two, _hold_same(columns[first], columns[two])) for first, two in pairs]


def _hold_same(first: Column, second: Column) -> bool:
    """Return whether two columns are equal in every row in which both are filled, and there is one."""
    left, right = _comparable(first.array), _comparable(second.array)
    if left.type != right.type:
        left, right = left.cast(pa.string()), right.cast(pa.string())
    return bool(pc.all(pc.equal(left, right), min_count=1).as_py())


def _comparable(array: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return numbers as float64 and everything else as text."""
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind)
    return array.cast(kind).cast(pa.float64() if is_number else pa.string())


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
    """Return whether a truth or a prediction that lacks may be the second of two columns that hold the same.

    Without a name for it, such a column is one of labels: most of its values recur.
    """
    truths = {name for name, (role, _) in search.roles.items() if role == "truth"}
    names = {name for shared in search.shared if shared.same for name in shared[:2]}
    named = any(rank(name, role) is not None for name in names for role in ("truth", "prediction"))
    recurring = {name for name in names if not search.columns[name].mostly_differs}
    return named or (bool(recurring) and truths <= recurring)


def is_same_in_both(search: Search, column: Column) -> bool:
    """Return whether a column stands for two that hold the same in both files."""
    return not column.file and any(shared.same and column.name in shared[:2] for shared in search.shared)


def find_namesake(search: Search, name: str) -> str | None:
    """Return the column of the predictions file that is called as this one of the labels file."""
    return next((shared.predictions for shared in search.shared if shared.labels == name), None)


def find_only_differing(search: Search, like: Sequence[Column]) -> list[Column]:
    """Return the one column of the labels that the predictions have, too, with other values."""
    names = {shared.labels for shared in search.shared if not shared.same}
    differing = [column for column in like if column.name in names]
    return differing if len(differing) == 1 else []


def warn_of_other_classes(search: Search, settings: Settings) -> None:
    """Warn where a score is named after a value of another column, and was taken as that of another class."""
    truth = settings.truth
    if truth is None or settings.encoding != "single":
        return
    others = [c for c in search.columns.values() if c.name != truth and not (c.is_continuous or c.is_free)]
    for name, label in settings.scores:
        stems = {fold(reading.stem) for reading in parse_name(name) if reading.kind == "score"} - {fold(label)}
        column = next((c for c in others if stems & {fold(value) for value in c.sample.values[:1000]}), None)
        if column is not None:
            search.warnings.append(
                f"{quote(name)} is named after a value of {quote(column.name)}, and was taken as the score of "
                f"{quote(label)} in {quote(truth)}. Choose another column of true labels (--truth) if that is wrong."
            )
