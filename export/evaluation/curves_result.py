"""Draw ROC and precision-recall curves, with the tables of thresholds."""

from __future__ import annotations

from collections.abc import Mapping

from export.evaluation.threshold_tables import threshold_tables
from export.measurement import Measurement
from export.pictures.curves import choose_curves, pr_picture, roc_picture
from export.pictures.svg import Canvas
from export.result.kinds import Result, Words
from metrics.scores.curves import NamedScores, describe_roc
from text.numbers import count, number

_NO_CURVE = "No curve is defined: a score needs rows of its class and rows of others."


def curves_result(measured: Measurement) -> Result:
    """Return both pictures, how many classes they show, and what thresholds give."""
    pictures = draw_curves(measured)
    sentences: list[Words] = [] if pictures else [(_NO_CURVE,)]
    tables = threshold_tables(measured) if pictures else []
    notes = _describe_curves(measured) if pictures else []
    return Result("curves", ("ROC and precision-recall",), sentences, tables, notes, {}, pictures=pictures)


def draw_curves(measured: Measurement) -> Mapping[str, Canvas]:
    """Draw both curves of the positive class, else of the classes with the lowest ROC AUC; nothing without any."""
    lines = _lines(measured)
    if not lines:
        return {}
    roc, precision_recall = _titles(measured, lines)
    return {"roc": roc_picture(lines, roc), "precision_recall": pr_picture(lines, precision_recall)}


def _lines(measured: Measurement) -> list[NamedScores]:
    e = measured.evaluation
    if e.positive is None:
        scores = measured.by_weight.scores
        return [NamedScores(measured.names[e.labels[code]], scores[code]) for code in choose_curves(scores)]
    counts = measured.by_weight.positive_scores
    return [] if counts is None else [NamedScores(measured.names[e.labels[e.positive]], counts, e.effective_threshold)]


def _titles(measured: Measurement, lines: list[NamedScores]) -> tuple[str, str]:
    """Return the takeaways of the two pictures."""
    if measured.positive_scores is not None:
        guessed = number(lines[0].counts.n_pos / max(1, lines[0].counts.n))
        area, precision = (number(measured.number(key).value) for key in ("roc_auc", "average_precision"))
        roc = f"ROC AUC is {area}; guessing gives 0.5"
        return roc, f"Average precision is {precision}; guessing gives {guessed}"
    many = f"the {count(len(lines), measured.evaluation.class_noun)} with the lowest ROC AUC"
    return f"ROC curves of {many}, one-vs-rest", f"Precision and recall of {many}, one-vs-rest"


def _describe_curves(measured: Measurement) -> list[Words]:
    """Say the shape of one curve, how many classes are drawn, and how many scores are missing."""
    scores = measured.by_weight.positive_scores
    shape = "" if scores is None else describe_roc(scores)
    notes: list[Words] = [(shape,)] if shape else []
    if measured.evaluation.positive is None:
        noun, n_drawn = "labels" if measured.many else "classes", len(_lines(measured))
        drawn = f"Drawn: {n_drawn:,} of {len(measured.scores):,}, those with the lowest ROC AUC."
        notes.append((f"{drawn} The table of {noun} has both numbers of each.",))
    without = sum(counts.n_without_score for counts in measured.scores.values())
    if without:
        notes.append((f"{without:,} missing scores are left out.",))
    return notes
