"""Compare the accuracies of a multi-label file, and list outcomes of labels, and labels predicted for others."""

from __future__ import annotations

import numpy as np

from export.measurement import Measurement
from export.pictures.bars import bars_picture
from export.result.kinds import Cell, Column, Count, Label, Number, Result, Share, Table, Words
from metrics.multilabel.set_metrics import labels_per_row
from text.numbers import count

LISTED_SWAPS = 20
"""Pairs of labels in a table; the JSON and label_swaps.csv hold all."""


def accuracies_result(measured: Measurement) -> Result:
    """Set subset accuracy beside the mean per-label accuracy, and say how many labels a row has."""
    cells = {
        "Subset accuracy": Share(measured.overall["subset_accuracy"]),
        "Mean per-label accuracy": Share(measured.overall["per_label_accuracy"]),
        "Jaccard, mean over rows": Number(measured.overall["jaccard_samples"]),
    }
    texts = [cell.written.text for cell in cells.values()]
    bars = [(title, cell.value, text, place == 0)
            for place, ((title, cell), text) in enumerate(zip(cells.items(), texts, strict=True))]  # fmt: skip
    subset, per_label, _ = texts
    takeaway = f"{subset} of rows are right in every label, {per_label} of single label decisions"
    columns = (Column("metric", str), Column("value", Number))
    table = Table("accuracies-table", "Two accuracies", columns, [*cells.items()], "metric", in_order=True, folded=True)
    return Result(
        "accuracies", ("Subset accuracy is not per-label accuracy",), [_labels_per_row(measured)], [table], (), {},
        pictures={"accuracies-chart": bars_picture(bars, takeaway)},
    )  # fmt: skip


def _labels_per_row(measured: Measurement) -> Words:
    counts, means = measured.labels, labels_per_row(measured.by_weight.labels)
    given = f"The truth gives a row {means.mean_true:.2f} labels on average, the predictions {means.mean_pred:.2f}."
    without_true = f"{count(counts.n_empty_true)} of {counts.n:,} have no true label"
    return (f"{given} {without_true}, {count(counts.n_empty_pred)} no predicted one.",)


def outcomes_result(measured: Measurement) -> Result:
    """List the four outcomes of every label: what a confusion matrix is where a row has several labels."""
    counts = measured.labels
    titles = ("true positives", "false positives", "false negatives", "true negatives")
    outcomes = (rows.tolist() for rows in (counts.tp, counts.fp, counts.fn, counts.tn))
    lines = zip(counts.labels, *outcomes, strict=True)
    rows: list[tuple[Cell, ...]] = [(Label(label), *(Count(n) for n in of_label)) for label, *of_label in lines]
    columns = (Column("label", Label), *(Column(title, Count) for title in titles))
    table = Table("label-outcomes", "Every label by itself: rows by outcome", columns, rows, "label")
    return Result("outcomes-of-labels", ("Outcomes of every label",), (), [table], (), {})


def list_swaps(measured: Measurement) -> list[dict[str, str | float]]:
    """Return which label was predicted instead of which, most rows first, as the JSON has it.

    Where rows have weights, each pair has their sum, too.
    """
    e, swaps = measured.evaluation, measured.label_swaps
    of_pairs = {"rows": swaps.rows} if e.units is None else {"rows": swaps.rows, "weight": _units(measured) * e.unit}
    columns = {name: column.tolist() for name, column in of_pairs.items()}
    return [
        {"missed": e.labels[true], "predicted": e.labels[pred], **{name: cells[n] for name, cells in columns.items()}}
        for n, (true, pred) in enumerate(zip(swaps.missed.tolist(), swaps.predicted.tolist(), strict=True))
    ]


def _units(measured: Measurement) -> np.ndarray:
    """Return the rows of each pair of labels, or their units of weight, in the order of the pairs."""
    wanted, k = measured.label_swaps, len(measured.evaluation.labels)
    if measured.evaluation.units is None:
        return wanted.rows
    weighted = measured.by_weight.label_swaps
    code = weighted.missed * k + weighted.predicted
    order = np.argsort(code)
    places = np.searchsorted(code[order], wanted.missed * k + wanted.predicted)
    units: np.ndarray = weighted.rows[order][places]
    return units


def swaps_result(measured: Measurement) -> Result:
    """List the first pairs of a missed label and one predicted instead; files hold all: there may be K² - K.

    Where rows have weights, the share is of them.
    """
    labels, swaps, missed = list(measured.names.values()), measured.label_swaps, measured.labels.fn
    share_of_missed = _units(measured) / measured.by_weight.labels.fn[swaps.missed]
    pairs = zip(*(column[:LISTED_SWAPS].tolist() for column in (*swaps, share_of_missed)), strict=True)
    rows: list[tuple[Cell, ...]] = [
        (
            Label(labels[true]), Label(labels[pred]), Count(n), Count(int(missed[true])), Share(of_missed),
        )
        for true, pred, n, of_missed in pairs
    ]  # fmt: skip
    share = "share" if measured.evaluation.units is None else "share, by weight"
    columns = (
        Column("missed", Label, about="True, not predicted"),
        Column("predicted instead", Label, about="Predicted, not true"),
        Column("rows", Count),
        Column("all misses", Count, about="Rows where the label is true and not predicted"), Column(share, Share),
    )  # fmt: skip
    notes: list[str | Label] = ["A row with several such labels is in several pairs, so their rows do not add up."]
    if len(swaps.rows) > LISTED_SWAPS:
        notes.append(f" The first {LISTED_SWAPS} of {count(len(swaps.rows), 'pair')}; label_swaps.csv holds all.")
    title = "Missed labels, and what was predicted instead"
    table = Table("label-swaps-table", title, columns, rows, "pair", note=tuple(notes))
    sentences = [] if rows else [("No row misses a label where another was predicted instead.",)]
    tables = [table] if rows else []
    return Result("label-swaps", ("Labels predicted instead of others",), sentences, tables, (), {})
