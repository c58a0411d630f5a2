"""The part of the report that only a task with several labels a row has: two accuracies, and labels per row."""

from __future__ import annotations

from export.measurement import Measurement
from export.pictures.bars import bars_picture
from export.pictures.words import text
from export.report import markup
from export.report.markup import Cell
from metrics.multilabel.set_metrics import labels_per_row
from text.numbers import count, number, percent


def accuracies(found: Measurement) -> str:
    """Draw subset accuracy beside the mean per-label accuracy, and why they differ."""
    n, per_row = found.overall, labels_per_row(found.labels)
    values = [
        ("Subset accuracy", n["subset_accuracy"], True),
        ("Mean per-label accuracy", n["per_label_accuracy"], False),
        ("Jaccard, mean over rows", n["jaccard_samples"], False),
    ]
    title = (
        f"{percent(n['subset_accuracy'])} of rows are right in every label, {percent(n['per_label_accuracy'])} of "
        "single label decisions"
    )
    said = (
        f"The truth gives a row {per_row.mean_true:.2f} labels on average, the predictions {per_row.mean_pred:.2f}. "
        f"{count(found.labels.n_empty_true)} of {found.labels.n:,} have no true label, "
        f"{count(found.labels.n_empty_pred)} no predicted one."
    )
    body = [[name, Cell(number(value), value)] for name, value, _ in values]
    twin = markup.table("accuracies-table", "Two accuracies", ["metric", "value"], body, sort=False)
    picture = markup.picture(bars_picture(values, title), "accuracies-chart", said)
    return picture + markup.fold("The same as a table", twin)


def outcomes(found: Measurement) -> str:
    """Return the four outcomes of every label: what a confusion matrix is where a row has several labels."""
    c = found.labels
    four = zip(c.labels, *(values.tolist() for values in (c.tp, c.fp, c.fn, c.tn)), strict=True)
    body = [[text(label), *(Cell(f"{n:,}", n) for n in counts)] for label, *counts in four]
    columns = ["label", "true positives", "false positives", "false negatives", "true negatives"]
    return markup.table("label-outcomes", "Every label by itself: rows by outcome", columns, body)
