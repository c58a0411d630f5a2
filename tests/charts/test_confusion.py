"""The heatmap says what the block says, cell by cell, whatever the labels contain."""

import html
import json

import numpy as np
import pytest

from charts.confusion import (
    CLICKABLE_CLASSES,
    LABELLED_CLASSES,
    clickable,
    confusion_heatmap,
    confusion_table,
    outcome_sentence,
    two_by_two,
)
from metrics.counts import UNPARSEABLE, ConfusionCounts, confusion_counts
from metrics.matrix import OTHER, arrange


def random_counts(k: int, n: int = 3000, labels=None, unparseable: bool = True) -> ConfusionCounts:
    random = np.random.default_rng(k)
    y_true = random.integers(0, k, n)
    y_pred = np.where(random.random(n) < 0.4, random.integers(0, k, n), y_true)
    if unparseable:
        y_pred[::50] = UNPARSEABLE
    return confusion_counts(y_true, y_pred, labels=labels or tuple(f"class {i}" for i in range(k)))


def sent(fig) -> dict:
    return json.loads(fig.to_json())


def heat(fig) -> np.ndarray:
    return np.asarray(fig.data[0].z, dtype=float)


@pytest.mark.parametrize("normalise", ["none", "row", "column", "all"])
@pytest.mark.parametrize("errors_only", [False, True])
def test_colours_and_counts_are_those_of_the_block(normalise, errors_only):
    counts = random_counts(9)
    block = arrange(counts, normalise=normalise, errors_only=errors_only, worst=5, order="worst")
    fig = confusion_heatmap(block, counts.labels)
    np.testing.assert_allclose(heat(fig), block.values, rtol=1e-6)
    np.testing.assert_array_equal(fig.data[0].customdata, block.rows)


def test_a_click_on_any_cell_gives_its_codes_and_its_numbers():
    counts = random_counts(6)
    block = arrange(counts, worst=4)
    layer = confusion_heatmap(block, counts.labels).data[1]
    assert len(layer.x) == block.rows.size
    for x, y, (true, pred, rows, of_truth, *_) in zip(layer.x, layer.y, layer.customdata, strict=True):
        assert (true, pred) == (block.row_codes[y], block.col_codes[x])
        assert rows.split(" ")[0] == f"{block.rows[y, x]:,}"
        assert of_truth == f"{block.rows[y, x] / block.rows[y].sum():.1%}"
    mixed = next(cell for cell in layer.customdata if cell[:2] == [OTHER, OTHER])
    assert mixed[2].endswith(f"{block.right[-1, -2]} of them right")


def test_truth_runs_down_and_prediction_across():
    counts = confusion_counts(np.array([0]), np.array([2]), labels=("first", "second", "third"))
    fig = confusion_heatmap(arrange(counts), counts.labels)
    assert fig.layout.yaxis.title.text == "truth" and fig.layout.xaxis.title.text == "prediction"
    assert fig.layout.yaxis.range == (2.5, -0.5), "the first class is at the top"
    assert fig.layout.yaxis.ticktext == fig.layout.xaxis.ticktext == ("first", "second", "third")
    assert heat(fig)[0, 2] == 1


def test_hover_and_click_belong_to_one_layer():
    block = arrange(random_counts(10))
    fig = confusion_heatmap(block, random_counts(10).labels)
    assert fig.data[0].hoverinfo == "skip", "otherwise the heatmap takes the pointer and reports no click"
    assert fig.layout.hoverdistance == -1, "anywhere in the cell, not only near its middle"
    assert (fig.data[1].xaxis, fig.layout.xaxis2.matches, fig.layout.yaxis2.matches) == ("x2", "x", "y")


def test_with_very_many_classes_nothing_is_clickable_and_the_names_are_on_hover():
    counts = random_counts(200)
    block = arrange(counts)
    fig = confusion_heatmap(block, counts.labels)
    assert not clickable(block)
    assert len(fig.data) == 1 and "%{y}" in fig.data[0].hovertemplate
    assert not fig.layout.xaxis.showticklabels
    assert "hover for names" in fig.layout.title.text.replace("<br>", " ")
    assert fig.layout.yaxis.ticktext[7] == "class 7"


@pytest.mark.parametrize(
    ("k", "expected"), [(2, True), (77, True), (CLICKABLE_CLASSES, True), (CLICKABLE_CLASSES + 3, False)]
)
def test_clicks_are_offered_as_far_as_they_were_measured(k, expected):
    assert clickable(arrange(random_counts(k, unparseable=False))) is expected


def test_labels_stay_beside_the_cells_as_long_as_they_can_be_read():
    for k in (77, LABELLED_CLASSES - 1):
        counts = random_counts(k)
        layout = confusion_heatmap(arrange(counts), counts.labels).layout
        assert layout.xaxis.showticklabels and len(layout.xaxis.ticktext) == k + 1
        assert layout.height >= 8 * k


HOSTILE = ("<img src=x onerror=alert(1)>", "%{customdata[0]}", "$x$", "a\nb", "re\u202efund", "x" * 4500, "")


def test_hostile_labels_are_inert_in_everything_that_is_sent():
    counts = random_counts(len(HOSTILE), labels=HOSTILE)
    fig = confusion_heatmap(arrange(counts), HOSTILE, title=f"{HOSTILE[0]} and {HOSTILE[2]}")
    text = json.dumps(sent(fig), ensure_ascii=False)
    for raw in ("<img", "$x$", "\u202e", "%{customdata[0]}"):
        assert raw not in text
    assert not any("class" in (trace.hovertemplate or "") or "img" in (trace.hovertemplate or "") for trace in fig.data)


def test_a_tick_is_cut_and_the_hover_has_more_of_the_name():
    labels = ("a" * 100, "b")
    counts = random_counts(2, labels=labels)
    layout = confusion_heatmap(arrange(counts), labels).layout
    assert html.unescape(layout.yaxis.ticktext[0]) == "a" * 39 + "…"
    assert layout.yaxis2.ticktext[0].replace("<br>", "") == "a" * 100


def test_other_and_unparseable_look_unlike_any_class():
    counts = random_counts(5)
    block = arrange(counts, worst=2)
    assert confusion_heatmap(block, counts.labels).layout.xaxis.ticktext[2:] == (
        "<i>other (3 classes)</i>",
        "<i>unparseable</i>",
    )


def test_numbers_are_written_while_there_is_room():
    small, large = random_counts(4), random_counts(30)
    fig = confusion_heatmap(arrange(small, normalise="row"), small.labels)
    assert len(fig.layout.annotations) == 4 * 5
    first = fig.layout.annotations[0]
    assert first.text == f"{arrange(small).shares('row')[0, 0]:.0%}"
    assert not confusion_heatmap(arrange(large), large.labels).layout.annotations


def test_a_written_percentage_rounds_nothing_away():
    counts = confusion_counts(np.repeat([0, 0, 1], [999, 1, 5]), np.repeat([0, 1, 1], [999, 1, 5]), labels=("a", "b"))
    fig = confusion_heatmap(arrange(counts, normalise="row"), counts.labels)
    assert [html.unescape(a.text) for a in fig.layout.annotations] == [">99%", "<1%", "0%", "100%"]


def test_the_folded_classes_do_not_drown_the_others():
    counts = random_counts(60, 20_000)
    block = arrange(counts, worst=5)
    zmax = confusion_heatmap(block, counts.labels).data[0].zmax
    assert zmax == block.rows[:5, [0, 1, 2, 3, 4, 6]].max() < block.rows[5].max()


def test_the_figure_is_the_same_every_time_it_is_made():
    """Streamlit forgets what was selected as soon as the figure differs by a byte."""
    counts = random_counts(12)
    first, second = (confusion_heatmap(arrange(counts, order="cluster"), counts.labels).to_json() for _ in range(2))
    assert first == second


def test_a_cell_can_be_outlined():
    counts = random_counts(5)
    block = arrange(counts, order="worst")
    fig = confusion_heatmap(block, counts.labels, outlined=(3, 1))
    row, column = (int(np.flatnonzero(block.row_codes == code)[0]) for code in (3, 1))
    shape = fig.layout.shapes[-1]
    assert (shape.x0, shape.x1, shape.y0, shape.y1) == (column - 0.5, column + 0.5, row - 0.5, row + 0.5)


def test_nothing_scored_is_drawn_without_a_word_of_complaint():
    counts = confusion_counts(np.array([], dtype=int), np.array([], dtype=int), labels=("a", "b"))
    assert "No scored rows" in confusion_heatmap(arrange(counts), counts.labels).layout.title.text


def test_the_table_holds_every_row_of_the_file_once():
    counts = random_counts(8)
    table = confusion_table(arrange(counts, worst=3), counts.labels)
    assert table["rows"].sum() == counts.n
    assert table["rows"].is_monotonic_decreasing
    np.testing.assert_allclose(table.groupby("true")["share_of_true"].sum(), 1)
    np.testing.assert_allclose(table["share_of_all"].sum(), 1)


def test_the_table_of_errors_holds_the_errors():
    counts = random_counts(8)
    table = confusion_table(arrange(counts, worst=3, errors_only=True), counts.labels)
    assert table["rows"].sum() == counts.n - counts.correct.sum()


def test_one_cell_in_words():
    counts = confusion_counts(np.array([0, 0, 0]), np.array([0, 1, UNPARSEABLE]), labels=("a\n", "b"))
    block = arrange(counts)
    assert outcome_sentence(block, counts.labels, 0, 1) == "1 of the 3 rows that are a\\n was called b"
    assert outcome_sentence(block, counts.labels, 0, UNPARSEABLE).endswith("called unparseable")


def test_two_by_two_puts_missed_rows_below_and_false_alarms_to_the_right():
    fig = two_by_two(10, 5, 3, 100, "spam")
    np.testing.assert_array_equal(fig.data[0].customdata, [[100, 5], [3, 10]])
    assert fig.layout.title.text == "8 of 118 decisions are wrong"
