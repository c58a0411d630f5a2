"""Find which of two classes is positive: named by a person, by its score, by convention, or the rarer."""

from __future__ import annotations

from collections.abc import Sequence

from data.columns.column import Column
from data.columns.role_names import POSITIVE_CLASS, fold
from data.errors import DataError
from data.labels.encode import build_label_space
from data.labels.positive_class import choose_by_convention, choose_positive
from data.roles.score_cuts import compute_mean_scores
from data.roles.search import Pairs, Search
from text.quoting import list_briefly, quote


def find_positive(
    search: Search, truth: Column, labels: Sequence[str], pairs: Pairs, single: str | None
) -> tuple[str, str]:
    """Return the positive class of two, and why it is.

    pairs : scores that name their label. single : the score column that names none.
    """
    if search.given.positive is not None:
        return _given_positive(search.given.positive, labels), "named by you"
    if len(pairs) == 1:
        return pairs[0][1], "the class that has a score column"
    for column in search.open():
        if fold(column.name) not in POSITIVE_CLASS:
            continue
        is_in_every_row = len(column.distinct.values) == 1 and not column.distinct.codes.any()
        if is_in_every_row:
            positive = _match_label(column.distinct.values[0], labels)
            if positive is not None:
                return positive, f"it stands in every row of {quote(column.name)}"
    if single is not None and choose_by_convention(labels) is None:
        means = compute_mean_scores(search.columns[single], truth)
        if len(means) == 2:
            best = max(means, key=lambda label: means[label])
            return best, f"the class whose rows have the higher mean score in {quote(single)}"
    counts = dict(zip(truth.distinct.values, truth.distinct.counts.tolist(), strict=True))
    spelled = build_label_space({"labels": labels, "truth": counts}, space=["labels"]).spelling["truth"]
    return choose_positive(labels, {spelled[v]: n for v, n in counts.items()}, [label for _, label in pairs])


def warn_unused_positive(search: Search, why: str) -> None:
    """Warn that the positive class that a person named has no use."""
    positive = search.given.positive
    if positive is not None:
        search.warnings.append(
            f"The positive class {quote(positive)} is not used: {why}. Give a label list of two, or leave it out."
        )


def _given_positive(positive: str, labels: Sequence[str]) -> str:
    label = _match_label(positive, labels)
    if label is None:
        raise DataError(
            f"The positive class {quote(positive)} is not one of {list_briefly(labels)}: choose one of them."
        )
    return label


def _match_label(text: str, labels: Sequence[str]) -> str | None:
    """Return the label that a text is a spelling of; None where it is of none."""
    spelling = build_label_space({"labels": labels, "positive": [text]}, space=["labels"]).spelling
    meant = spelling["positive"][text]
    return next((label for label in labels if meant in (label, spelling["labels"][label])), None)
