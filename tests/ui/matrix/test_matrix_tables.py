"""The matrix as tables: every line and every cell leads to as many rows as it says."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Evaluation, Settings
from data.rows.selection import Which, find_rows
from metrics.confusion.hierarchy import by_prefix, collapse
from metrics.confusion.matrix import arrange
from metrics.findings.tables import count_confusions
from tests.opened_pages import open_page
from ui.matrix import matrix_tables
from ui.view.open_runs import evaluation_of


@pytest.fixture
def table(monkeypatch):
    """The table as it is shown: its frame, and `choose`, which selects in it."""
    drawn = SimpleNamespace(frame=None)

    def dataframe(frame, *, key, on_select, **_):
        def choose(**selected):
            monkeypatch.setattr(matrix_tables, "selection", {key: selected}.__getitem__)
            on_select()

        drawn.frame, drawn.choose = frame, choose

    monkeypatch.setattr(matrix_tables.st, "dataframe", dataframe)
    return drawn


def evaluation() -> Evaluation:
    """30 classes: four take in rows of all others, neighbours are confused, one label is markup."""
    draw = np.random.default_rng(0)
    names = [f"class {i}" for i in range(29)] + ["<b>**x**"]
    true = draw.integers(30, size=9000)
    kind = draw.random(9000)
    pred = np.select([kind < 0.6, kind < 0.8, kind < 0.9], [true, draw.integers(4, size=9000), true ^ 1], true)
    table = pa.table({"y": [names[code] for code in true], "p": [names[code] for code in pred]})
    return build(table, Settings(truth="y", pred="p"), name="x", content_sha256="0")


def test_lines_of_frequent_classes_lead_to_rows(table):
    e = evaluation()
    listed = matrix_tables.listing(e, arrange(count_confusions(e)), "streaks")
    put: list[Which] = []
    matrix_tables.as_list("streaks", listed, put.append)
    assert len(table.frame) == 4 and listed.title == "All 4 classes predicted too often"
    for line in range(4):
        table.choose(rows=[line])
        found = find_rows(e, put[-1])
        assert len(found) == table.frame["wrong rows"].iloc[line]
        assert len(np.unique(e.y_true[found])) == table.frame["of other classes"].iloc[line]
        assert {e.labels[code] for code in e.y_pred[found]} == {table.frame["predicted as"].iloc[line]}
    table.choose(rows=[])
    assert len(put) == 4, "taking a choice back leaves the rows where they are"


def test_lines_of_pairs_lead_to_both_directions(table):
    e = evaluation()
    put: list[Which] = []
    matrix_tables.as_list("pairs", matrix_tables.listing(e, arrange(count_confusions(e)), "pairs"), put.append)
    assert len(table.frame) > 10
    for line in (0, 3, len(table.frame) - 1):
        table.choose(rows=[line])
        told = table.frame.iloc[line]
        names = {told["class"], told["other class"]}
        pairs = zip(e.y_true, e.y_pred, strict=True)
        slow = [e.labels[t] != e.labels[p] and {e.labels[t], e.labels[p]} == names for t, p in pairs]
        assert find_rows(e, put[-1]).tolist() == np.flatnonzero(slow).tolist()
        assert sum(slow) == told["rows one way"] + told["rows the other way"]


def test_lines_and_cells_lead_to_grouped_rows(table):
    e = evaluation_of("support-intents-llm")
    counts = count_confusions(e)
    block = arrange(counts, worst=5, groups=by_prefix(counts.labels, "_"))
    block = arrange(counts, worst=9, groups=collapse(block.groups, range(3)))
    put: list[Which] = []
    matrix_tables.as_list("confusions", matrix_tables.listing(e, block, "confusions"), put.append)
    for line in range(8):
        table.choose(rows=[line])
        assert len(find_rows(e, put[-1])) == table.frame["rows"].iloc[line]
    picks: list[tuple] = []
    matrix_tables.as_matrix(counts.labels, block, lambda *codes: picks.append(codes))
    for i, name in [(0, table.frame.columns[0]), (2, "(other)"), (1, "(no label found)")]:
        table.choose(cells=[(i, name)])
        assert len(find_rows(e, Which(*picks[-1]))) == table.frame.iloc[i][name]


def test_table_opens_and_closes_after_a_choice():
    app = open_page("confusion", run="digits")
    assert not app.dataframe
    app.button(key="matrix.list").click().run()
    assert not app.exception
    assert app.dataframe[0].value.iloc[0].tolist()[:3] == ["class 1", "class 8", 8]
    app.run()
    assert not app.dataframe
