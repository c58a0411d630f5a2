"""The rows behind a finding, for those findings that are about some rows."""

from __future__ import annotations

from zlib import crc32

from data.evaluation import Evaluation
from data.rows.selection import Only, Which
from metrics.finding import Finding
from ui.rows import rows_behind as drill
from ui.view import which as view
from ui.view.class_lists import class_lists, support

_MISTAKES = ("no_better_than_majority", "subset_far_below_per_label")
"""Findings about all the mistakes."""
_OUTCOMES: dict[str, Only] = {"label_missed": "fn", "label_false_alarms": "fp", "label_worse_than_always": "fn"}
"""Findings about one label of several a row, and which of its rows they are about."""


def link(evaluation: Evaluation, finding: Finding) -> None:
    """A link from a finding to its rows; nothing where it has none, or is shown on the page Rows anyway."""
    which = rows_behind(evaluation, finding)
    if which is not None and finding.page != "rows":
        drill.link(evaluation, which, "Rows", key=f"finding.{finding.code}.{crc32(finding.text.encode())}")


def rows_behind(evaluation: Evaluation, finding: Finding) -> Which | None:
    """The rows that a finding is about; None where it is about none, or about the whole file."""
    if {"true", "pred", "only"} & set(finding.view):
        return view.read(evaluation, finding.view)[0]
    if finding.code == "unparseable":
        return Which(only="unparseable")
    if finding.code in _MISTAKES:
        return Which(only="errors")
    if finding.code == "empty_label_sets":
        return Which(tuple(range(len(evaluation.labels))), others=True, only="scored")
    if finding.code in _OUTCOMES and finding.view.get("class") in evaluation.labels:
        return Which((evaluation.labels.index(finding.view["class"]),), only=_OUTCOMES[finding.code])
    if finding.code == "favourite" and finding.view.get("class") in evaluation.labels:
        return counted(evaluation, Which(pred=(evaluation.labels.index(finding.view["class"]),)))
    true, pred = _classes(evaluation, finding.code)
    return counted(evaluation, Which(true, pred)) if true or pred else None


def counted(evaluation: Evaluation, which: Which) -> Which:
    """The same rows without those that no metric counts, where the file has such rows."""
    everything = evaluation.n_scored == evaluation.n_rows or which.only != "all"
    return which if everything else Which(which.true, which.pred, which.others, "scored", which.score, which.text)


def _classes(evaluation: Evaluation, code: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """True and predicted classes of a finding about a list of classes."""
    lists, (true, predicted) = class_lists(evaluation), support(evaluation)
    outside = lists["outside"]
    if code == "outside_label_space":
        return (), tuple(outside[(predicted[outside] > 0) & (true[outside] == 0)].tolist())
    if code == "never_true":
        return (), tuple(lists["never_true"].tolist())
    chosen = {
        "never_predicted": lists["never"],
        "low_support": lists["low"],
        "truth_outside_label_space": outside[true[outside] > 0],
    }
    return tuple(chosen[code].tolist()) if code in chosen else (), ()
