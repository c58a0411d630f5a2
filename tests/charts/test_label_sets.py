"""Several labels a row: the bars are the counts."""

import html

import numpy as np

from charts.label_sets import labels_per_row_figure
from metrics.multilabel.set_counts import multilabel_counts
from metrics.multilabel.set_metrics import labels_per_row

Y_TRUE = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0]], dtype=bool)
Y_PRED = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]], dtype=bool)
LABELS = ("drama", "<i>war</i>", "love", "unused")
COUNTS = multilabel_counts(Y_TRUE, Y_PRED, LABELS)


def test_rows_are_drawn_by_true_and_predicted_labels():
    fig = labels_per_row_figure(labels_per_row(COUNTS))
    truth, model = fig.data
    for trace, matrix in ((truth, Y_TRUE), (model, Y_PRED)):
        found = dict(zip(trace.x, trace.y, strict=True))
        assert {n: rows for n, rows in found.items() if rows} == {
            n: (matrix.sum(axis=1) == n).sum() for n in set(matrix.sum(axis=1))
        }
    assert (
        html.unescape(fig.layout.title.text).replace("<br>", " ")
        == "A row has 1.50 true and 1.50 predicted labels on average"
    )
    assert truth.marker.pattern.shape != model.marker.pattern.shape
