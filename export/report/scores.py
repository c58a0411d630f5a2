"""The part of the report about scores: ROC and precision-recall curves, and what a threshold gives."""

from __future__ import annotations

import math
from typing import Any

from export.measurement import Measurement
from export.numbers import score_numbers
from export.pictures.curves import Line, choose_curves, pr_picture, roc_picture
from export.pictures.words import text
from export.report import markup
from export.report.markup import Cell
from text.numbers import count, number


def lines(found: Measurement) -> list[Line]:
    """Return the curves to draw: the positive class of a binary task, else the classes with the lowest ROC AUC."""
    e = found.evaluation
    if e.positive is not None:
        counts = found.scores.get(e.positive)
        at = None if math.isnan(e.effective_threshold) else e.effective_threshold
        return [] if counts is None else [Line(found.names[e.labels[e.positive]], counts, at)]
    return [Line(found.names[e.labels[code]], found.scores[code]) for code in choose_curves(found.scores)]


def titles(found: Measurement) -> tuple[str, str]:
    """Return the takeaways of the two pictures, plain text."""
    drawn = lines(found)
    if found.positive_scores is not None:
        share = drawn[0].counts.n_pos / max(1, drawn[0].counts.n)
        return (
            f"ROC AUC is {number(found.number('roc_auc').value)}; guessing gives 0.5",
            f"Average precision is {number(found.number('average_precision').value)}; guessing gives {number(share)}",
        )
    what = "label" if found.many else "class"
    many = f"the {count(len(drawn), what)} with the lowest ROC AUC"
    return f"ROC curves of {many}, one-vs-rest", f"Precision and recall of {many}, one-vs-rest"


def curves(found: Measurement) -> str:
    """Return both pictures, how many classes they show, and the table of every class or of the thresholds."""
    drawn, (roc, pr) = lines(found), titles(found)
    if not drawn:
        return "<p>No curve is defined: a score needs rows of its class and rows of others.</p>"
    pictures = markup.picture(roc_picture(drawn, roc), "roc") + markup.picture(pr_picture(drawn, pr), "pr")
    return f'<div class="pair">{pictures}</div>{_describe_curves(found, len(drawn))}{_table(found)}'


def _describe_curves(found: Measurement, n_drawn: int) -> str:
    without = sum(counts.n_without_score for counts in found.scores.values())
    parts = []
    if found.evaluation.positive is None:
        parts.append(
            f"Drawn: {n_drawn:,} of {len(found.scores):,}, those with the lowest ROC AUC. The table of "
            f"{'labels' if found.many else 'classes'} has both areas of all."
        )
    if without:
        parts.append(f"{without:,} missing scores are left out.")
    return f'<p class="note">{" ".join(parts)}</p>' if parts else ""


def _table(found: Measurement) -> str:
    n = score_numbers(found)
    if not n:
        return ""
    if math.isnan(n["threshold"]):
        return _best(n)
    at = n["at_threshold"]
    keys = [key for key in at if key not in ("threshold",)]
    body = [[text(_TITLES.get(key, key.replace("_", " "))), _cell(at[key])] for key in keys]
    now = markup.table("at-threshold", f"At score ≥ {n['threshold']:.6g}", ["number", "value"], body, sort=False)
    return f'<div class="pair"><div>{now}</div><div>{_best(n)}</div></div>'


def _best(n: dict[str, Any]) -> str:
    best = [
        [text(_TITLES.get(key, key.replace("_", " "))), _threshold(b["threshold"]), _cell(b["value"])]
        for key, b in n["best_thresholds"].items()
    ]
    caption = "Best thresholds on these rows; expect slightly worse on new data"
    return markup.table("best-thresholds", caption, ["for", "threshold", "value"], best, sort=False)


_TITLES = {
    "tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives", "f1": "F1",
    "youden_j": "Youden's J", "mcc": "Matthews correlation", "npv": "negative predictive value",
    "fpr": "false positive rate", "tpr": "recall", "cost": "cost a row (both mistakes cost 1)",
}  # fmt: skip


def _threshold(value: float) -> Cell:
    return Cell("none: nothing is predicted as positive" if value == float("inf") else f"{value:.6g}", value)


def _cell(value: float | int) -> Cell:
    return Cell(f"{value:,}" if isinstance(value, int) else number(value), float(value))
