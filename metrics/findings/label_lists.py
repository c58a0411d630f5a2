"""Findings on lists of labels, the same for one label a row and for several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from metrics.finding import LOW_SUPPORT, Finding, Label, describe_unlisted, list_labels
from text.numbers import count, verb

if TYPE_CHECKING:
    from metrics.confusion.counts import ConfusionCounts
    from metrics.confusion.macro_gap import MacroGap
    from metrics.multilabel.set_metrics import MultilabelCounts


def never_predicted_findings(
    counts: ConfusionCounts | MultilabelCounts,
    n_space: int,
    n: int,
    noun: str,
    predicted_as: Callable[[int], Iterable[str | Label]] | None = None,
) -> Iterator[Finding]:
    """Yield the finding on labels with true rows that are never predicted, where there are any.

    n : what their true rows are a share of, counted as `counts` are.
    predicted_as : says what so many rows are predicted as, where one row has one label.
    """
    codes = np.flatnonzero((counts.support > 0) & (counts.predicted == 0))
    outside = int((codes >= n_space).sum())
    if outside == len(codes):  # none, or only labels that the finding on true labels outside the list tells
        return
    codes = codes[np.argsort(-counts.support[codes], kind="stable")]
    lost = int(counts.by_row.support[codes].sum())
    yield Finding(
        "never_predicted",
        "serious",
        (
            *say_never_predicted([counts.labels[code] for code in codes.tolist()], lost, noun),
            *(() if predicted_as is None else predicted_as(lost)),
            describe_unlisted(outside, len(codes)),
        ),
        float(counts.support[codes].sum() / n),
        {"classes": len(codes), **({} if predicted_as is None else {"rows": lost}), "outside": outside},
    )


def say_never_predicted(labels: Sequence[str], n: int, noun: str) -> Iterator[str | Label]:
    """Yield the clause that labels with n true rows are never predicted; a single one is named first.

    >>> list(say_never_predicted(["a"], 2, "class"))
    [Label(name='a'), ' is never predicted. It has 2 true rows.']
    """
    if len(labels) == 1:
        yield Label(labels[0])
        yield f" is never predicted. It has {count(n, 'true row')}."
        return
    yield f"{count(len(labels), noun)} with {count(n, 'true row')} in total are never predicted: "
    yield from list_labels(labels)
    yield "."


def too_few_findings(
    labels: Sequence[str], codes: np.ndarray, n: int, noun: str, code: str = "low_support", what: str = "true rows"
) -> Iterator[Finding]:
    """Yield the finding on labels with too few rows to be judged, where there are any; n : labels that could be."""
    if not len(codes):
        return
    yield Finding(
        code,
        "info",
        (
            f"{count(len(codes), noun)} {verb(len(codes), 'has')} fewer than {LOW_SUPPORT} {what}, too few to tell: ",
            *list_labels([labels[each] for each in codes.tolist()]),
            ".",
        ),
        len(codes) / max(1, n),
        {"classes": len(codes)},
        (labels[int(codes[0])],),
    )


def gap_findings(gap: MacroGap) -> Iterator[Finding]:
    """Yield the finding that macro F1 is far below micro F1, where it is."""
    if not gap.is_far:
        return
    sample = gap.shares()["absent"] >= 0.5
    has_own_reason = gap.shares()["never_true"] < 0.5  # else it only repeats that predicted labels are never true
    yield Finding(
        "macro_far_below_micro_sample" if sample else "macro_far_below_micro",
        "serious" if has_own_reason and not sample else "warning",
        gap.parts(),
        min(1.0, gap.gap),
        gap.numbers(),
    )


def tells_absent(gap: MacroGap) -> bool:
    """Return whether the finding on the gap names the listed classes without true rows."""
    return gap.is_far and "absent" in gap.told_shares()


def absent_findings(labels: Sequence[str], codes: np.ndarray, n: int, noun: str) -> Iterator[Finding]:
    """Yield the finding on listed classes without true rows, where there are any; n : classes that are no invention."""
    if not len(codes):
        return
    yield Finding(
        "absent",
        "info",
        (
            f"{len(codes):,} of {count(n, noun)} {verb(len(codes), 'has')} no true rows: ",
            *list_labels([labels[code] for code in codes]),
            f". {'It' if len(codes) == 1 else 'They'} can't be scored.",
        ),
        len(codes) / n,
        {"classes": len(codes)},
    )


def never_true_findings(
    counts: ConfusionCounts | MultilabelCounts, unknown: np.ndarray, n_space: int, counted: str = "rows"
) -> Iterator[Finding]:
    """Yield the finding on predicted labels that are never true: one where a label list lacks them, one without list.

    unknown : as `confusions.mark_never_true` marks them. counted : what a prediction is, as the
    evidence calls it: with several labels a row some rows have several.
    """
    codes = np.flatnonzero(unknown)
    codes = codes[np.argsort(-counts.predicted[codes], kind="stable")]
    outside = codes >= n_space
    for codes_of_kind, code, what, hint in (
        (codes[outside], "outside_label_space", "not in the label list", ""),
        (codes[~outside], "never_true", "never true", " A label list tells misspelt labels from classes without rows."),
    ):
        if not len(codes_of_kind):
            continue
        times = int(counts.by_row.predicted[codes_of_kind].sum())
        are, they_were = ("is", "It was") if len(codes_of_kind) == 1 else ("are", "They were")
        yield Finding(
            code,
            "warning",
            (
                f"{count(len(codes_of_kind), 'predicted label')} {are} {what}: ",
                *list_labels([counts.labels[code] for code in codes_of_kind]),
                f". {they_were} predicted {count(times, 'time')}.{hint}",
            ),
            min(1.0, float(counts.predicted[codes_of_kind].sum() / counts.n)),
            {counted: times, "labels": len(codes_of_kind)},
        )
