"""Build the exported tables: every class, the confusion matrix, the findings; labels as they are in the file."""

from __future__ import annotations

import numpy as np
import pandas as pd

from data.rows.row_table import UNPARSED
from export.class_result import name_class_states
from export.evaluation.label_sets_result import list_swaps
from export.measurement import Measurement
from metrics.catalogue.registry import class_formulas
from metrics.confusion.counts import UNPARSEABLE


def class_table(measured: Measurement) -> pd.DataFrame:
    """Return every label with its numbers; an empty cell is undefined (0/0)."""
    frame = pd.DataFrame({"class": list(measured.evaluation.labels), **measured.class_columns})
    for key, areas in measured.areas.items():
        frame[key] = [areas.get(code) for code in range(len(frame))]
    for key in class_formulas(measured.evaluation.task):
        rates = [measured.number(key, code) for code in range(len(frame))]
        frame[f"{key}_low"] = [rate.low for rate in rates]
        frame[f"{key}_high"] = [rate.high for rate in rates]
    frame["kind"] = name_class_states(measured)
    return frame


def matrix_table(measured: Measurement) -> pd.DataFrame:
    """Return the whole confusion matrix, rows truth, columns prediction; with a column for rows in which no label
    was found.

    Several labels a row: the four outcomes of every label instead.
    """
    if measured.many:
        c = measured.labels
        return pd.DataFrame({"label": list(c.labels), "tp": c.tp, "fp": c.fp, "fn": c.fn, "tn": c.tn})
    counts = measured.confusion
    matrix, names = counts.matrix(), list(counts.labels)
    if not counts.n_unparsed:
        matrix = matrix[:, : len(names)]
    frame = pd.DataFrame(matrix)
    frame.insert(0, "", pd.Series(names, dtype=object))
    frame.columns = pd.Index(["true \\ predicted", *names, *([UNPARSED] if counts.n_unparsed else [])])
    return frame


def cell_table(measured: Measurement) -> pd.DataFrame:
    """Return the cells of the matrix that hold rows, the fullest first: true label, predicted label, rows, share of
    the truth. Where rows have weights, each cell's stands beside its rows, and shares are of it.

    What a matrix of many classes is easier to read as.
    """
    counts = measured.weighted_confusion
    weights = {} if counts.counted is None else {"sum of weights": counts.rows * counts.unit}
    order = np.argsort(-counts.rows, kind="stable")
    names = {UNPARSEABLE: UNPARSED}
    return pd.DataFrame(
        {
            "true": [counts.labels[code] for code in counts.true[order].tolist()],
            "predicted": [names.get(code) or counts.labels[code] for code in counts.pred[order].tolist()],
            "rows": counts.by_row.rows[order],
            **{name: column[order] for name, column in weights.items()},
            "share of true": counts.rows[order] / counts.support[counts.true[order]],
        }
    )


def swap_table(measured: Measurement) -> pd.DataFrame:
    """Return which label was predicted instead of which, most rows first."""
    weight = [] if measured.evaluation.units is None else ["weight"]
    return pd.DataFrame(list_swaps(measured), columns=["missed", "predicted", "rows", *weight])


def finding_table(measured: Measurement) -> pd.DataFrame:
    """Return the findings, the most serious first."""
    columns = ("severity", "code", "text")
    return pd.DataFrame(
        {name: [getattr(f, name) for f in measured.findings] for name in columns}, columns=list(columns)
    )
