"""Several labels a row: the bars are the counts."""

import html

import numpy as np

from charts.label_sets import label_bars, labels_per_row_figure
from metrics.multilabel.set_counts import multilabel_counts
from metrics.multilabel.set_metrics import labels_per_row, per_label

Y_TRUE = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0]], dtype=bool)
Y_PRED = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]], dtype=bool)
LABELS = ("drama", "<i>war</i>", "love", "unused")
COUNTS = multilabel_counts(Y_TRUE, Y_PRED, LABELS)


def test_rows_by_how_many_labels_they_have_and_were_given():
    fig = labels_per_row_figure(labels_per_row(COUNTS))
    truth, model = fig.data
    for trace, matrix in ((truth, Y_TRUE), (model, Y_PRED)):
        found = dict(zip(trace.x, trace.y, strict=True))
        assert {n: rows for n, rows in found.items() if rows} == {
            n: (matrix.sum(axis=1) == n).sum() for n in set(matrix.sum(axis=1))
        }
    assert html.unescape(fig.layout.title.text).replace("<br>", " ") == "A row has 1.50 labels; the model gives it 1.50"
    assert truth.marker.pattern.shape != model.marker.pattern.shape


def test_labels_stand_weakest_first_and_the_undefined_are_counted():
    fig = label_bars(per_label(COUNTS), LABELS)
    f1 = fig.data[0]
    assert list(f1.x) == sorted(f1.x) and len(f1.x) == 3
    assert [html.unescape(text) for text in fig.layout.yaxis.ticktext] == ["love", "<i>war</i>", "drama"]
    assert "1 undefined" in fig.layout.annotations[-1].text
    assert "<i>war" not in fig.to_json()


def test_precision_and_recall_stand_on_the_bar_of_their_label():
    fig, per = label_bars(per_label(COUNTS), LABELS), per_label(COUNTS)
    _, precision, recall = fig.data
    np.testing.assert_array_equal(np.asarray(precision.x, dtype=float), per.precision[[2, 1, 0]])
    np.testing.assert_array_equal(np.asarray(recall.x, dtype=float), per.recall[[2, 1, 0]])
    assert precision.marker.symbol != recall.marker.symbol


def test_more_labels_than_fit_are_left_out_and_that_is_said():
    random = np.random.default_rng(0)
    counts = multilabel_counts(
        random.random((90, 60)) < 0.3, random.random((90, 60)) < 0.3, [f"g{i}" for i in range(60)]
    )
    fig = label_bars(per_label(counts), counts.labels, shown=10)
    assert list(fig.data[0].x) == sorted(per_label(counts).f1)[:10]
    assert "the 10 weakest of 60 labels" in fig.layout.annotations[-1].text
