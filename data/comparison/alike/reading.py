"""Read one run as another one is read: it takes over what was said for the other and not for it."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from data.building.rescoring import with_label_thresholds, with_parser, with_settings, with_threshold
from data.comparison.alike.settings import (
    OF_ITS_FILE,
    fits_list,
    merges_differ,
    name_setting,
    positive_label,
    positives_differ,
    rules_of,
)
from data.errors import DataError
from data.evaluation import CHOICES, Evaluation


def read_all_alike(evaluations: Sequence[Evaluation], names: Sequence[str]) -> tuple[list[Evaluation], list[str]]:
    """Return every run as the first one is read, and a sentence for each that took something over."""
    first = evaluations[0]
    readings = [Reading(first), *(read_alike(run, first) for run in evaluations[1:])]
    sentences = [describe_taken(name, names[0], reading.taken) for name, reading in zip(names, readings, strict=True)]
    return [reading.evaluation for reading in readings], list(filter(None, sentences))


def describe_taken(name: str, first: str, taken: Sequence[str]) -> str:
    """Say what a run took over from another; "" = nothing.

    >>> describe_taken("b.csv", "a.csv", ["parser", "label list"])
    'b.csv takes over from a.csv: parser, label list.'
    """
    return f"{name} takes over from {first}: {', '.join(taken)}." if taken else ""


def label_texts(evaluation: Evaluation, *, truth: bool = False, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
    """Return what a run predicts in lines, or the truth, as text; "" where there is no label; object (n,)."""
    codes = (evaluation.y_true if truth else evaluation.y_pred)[rows]
    if codes.ndim == 2:
        names = np.array(evaluation.labels, dtype=object)
        return np.array([", ".join(names[row]) for row in codes], dtype=object)
    return np.asarray(np.array([*evaluation.labels, "", ""], dtype=object)[codes])


class Reading(NamedTuple):
    """A run as another run is read; `taken` names the settings that it took over."""

    evaluation: Evaluation
    taken: tuple[str, ...] = ()


def read_alike(run: Evaluation, first: Evaluation, *, everything: bool = False) -> Reading:
    """Read a run with what was said for the first run and not for it.

    What would not fit it stays as it is: `find_differences` names it then.

    everything : take over what was said for both, too.
    """
    taken = []
    for words, take in _TAKEN.items():
        with contextlib.suppress(DataError):
            changed = take(run, first, everything)
            if changed is not None:
                run = changed
                taken.append(words)
    return Reading(run, tuple(taken))


def _take_parser(run: Evaluation, first: Evaluation, everything: bool) -> Evaluation | None:
    """Take over the parser; in place of one that was said for the run only where both read the same."""
    parser, other = rules_of(first), rules_of(run)
    if parser is None or other is None or parser.rules == other.rules:
        return None
    changed = with_parser(run, parser)
    may_change = everything or run.settings.parser is None
    return changed if may_change or np.array_equal(label_texts(run), label_texts(changed)) else None


def _take_label_list(run: Evaluation, first: Evaluation, everything: bool) -> Evaluation | None:
    run_list, label_list = run.settings.label_set, first.settings.label_set
    if label_list is None or (run_list is not None and (set(run_list) == set(label_list) or not everything)):
        return None
    if run_list is None and fits_list(run, frozenset(label_list)):
        return None
    return with_settings(run, label_set=label_list)


def _take_merges(run: Evaluation, first: Evaluation, everything: bool) -> Evaluation | None:
    run_merge, merge = run.settings.merge, first.settings.merge
    if run_merge == merge or (run_merge and not everything) or not (everything or merges_differ([run, first])):
        return None
    return with_settings(run, merge=merge)


def _take_choice(run: Evaluation, first: Evaluation, everything: bool, *, name: str) -> Evaluation | None:
    run_value, value = run.settings.choices()[name], first.settings.choices()[name]
    if run_value == value or (run_value and not everything):
        return None
    return with_settings(run, **{name: value})


def _take_groups(run: Evaluation, first: Evaluation, everything: bool) -> Evaluation | None:
    separator, tree = first.settings.separator, first.settings.tree
    has_groups = run.settings.separator or run.settings.tree
    if (run.settings.separator, run.settings.tree) == (separator, tree) or (has_groups and not everything):
        return None
    return with_settings(run, separator=separator, tree=tree)


def _take_class_names(run: Evaluation, first: Evaluation, everything: bool) -> Evaluation | None:
    names = first.settings.class_names
    if run.settings.class_names or not {label for label, _ in names}.intersection(run.labels):
        return None
    return with_settings(run, class_names=names)


def _take_positive(run: Evaluation, first: Evaluation, everything: bool) -> Evaluation | None:
    """Take over the positive class; a run of scores has to have some of this class."""
    positive = positive_label(first)
    if positive is None or not positives_differ([run, first]) or positive not in run.labels:
        return None
    written = {name: label for label, name in run.settings.class_names}.get(positive, positive)
    if run.y_score is not None and written not in dict(run.settings.scores).values():
        return None
    return with_settings(run, positive=written)


def _take_threshold(run: Evaluation, first: Evaluation, everything: bool) -> Evaluation | None:
    return take_threshold(run, first)


def take_threshold(run: Evaluation, first: Evaluation) -> Evaluation | None:
    """Return a run at the threshold of another, where scores are of the same class on the same scale; else None."""
    threshold = first.settings.threshold
    alike = (run.task, run.scale, positive_label(run)) == (first.task, first.scale, positive_label(first))
    if threshold is None or run.settings.threshold is not None or run.y_score is None or not alike:
        return None
    return with_threshold(run, threshold)


def take_label_thresholds(run: Evaluation, first: Evaluation, thresholds: Sequence[float]) -> Evaluation | None:
    """Return a run with a threshold for each label of another one, where scores are on the same scale; else None.

    thresholds : one a score column of `first`, in the order of its `score_codes`.
    """
    alike = (run.task, run.scale) == (first.task, first.scale) == ("multilabel", first.scale)
    of_label = dict(zip((first.labels[code] for code in first.score_codes), thresholds, strict=True))
    scored = [run.labels[code] for code in run.score_codes]
    if run.y_score is None or not alike or not set(scored) <= set(of_label):
        return None
    return with_label_thresholds(run, np.array([of_label[label] for label in scored]))


_BY_RULES = OF_ITS_FILE | {"class_names", "parser", "merge", "separator", "tree"}
"""Choices that no other run takes over, or by a rule of their own."""
_TAKEN: dict[str, Callable[[Evaluation, Evaluation, bool], Evaluation | None]] = {
    "class names": _take_class_names,
    "parser": _take_parser,
    "label list": _take_label_list,
    "merged labels": _take_merges,
    **{name_setting(name): functools.partial(_take_choice, name=name) for name in CHOICES if name not in _BY_RULES},
    "groups of labels": _take_groups,
    "positive class": _take_positive,
    "threshold": _take_threshold,
}
