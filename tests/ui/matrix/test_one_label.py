"""One label's two-by-two table: a cell is an outcome, and its rows are those it counts."""

import numpy as np
import pytest

from data.rows.selection import Which, find_rows
from tests.opened_pages import open_page
from ui.matrix import one_label
from ui.view.open_runs import evaluation_of


@pytest.fixture
def drawn(monkeypatch):
    calls: list[dict] = []
    monkeypatch.setattr(
        one_label, "matrix_view", lambda block, labels, **rest: calls.append({"block": block, "labels": labels, **rest})
    )
    return calls


@pytest.mark.parametrize("outcome", ["fn", "fp", "tp", "tn"])
def test_framed_cell_counts_its_outcome(drawn, outcome):
    app = open_page("confusion", run="movie-genres", true="comedy", only=outcome)
    assert not app.exception
    call, e = drawn[-1], evaluation_of("movie-genres")
    (i,), (j,) = call["selected"]
    code = e.labels.index("comedy")
    truth, predicted = np.asarray(e.y_true)[:, code], np.asarray(e.y_pred)[:, code]
    n = int(((truth == i) & (predicted == j)).sum())
    assert call["block"].rows[i, j] == n == len(find_rows(e, Which(true=(code,), only=outcome)))
    assert (call["labels"], call["noun"]) == (("not comedy", "comedy"), "label")
    assert app.header[-1].value.endswith(f": {n:,} rows")
    assert call["block"].right.tolist() == np.diag(np.diagonal(call["block"].rows)).tolist()


def test_title_says_how_often_the_label_is_wrong(drawn):
    app = open_page("confusion", run="movie-genres", true="comedy")
    assert drawn[-1]["selected"] == ((1,), (0,)), "the rows that miss the label come first"
    assert app.title[0].value == "`comedy` is wrong in 189 of 2,000 rows"
    app.selectbox(key="view.true").set_value("drama").run()
    assert app.title[0].value.startswith("`drama` is wrong in ")
    assert app.query_params["true"] == "drama"


def test_pair_of_labels_shows_its_rows(drawn, monkeypatch):
    tables: list[dict] = []
    monkeypatch.setattr(one_label, "draw_table", lambda table, **rest: tables.append({"table": table, **rest}))
    app = open_page("confusion", run="movie-genres", true="drama", pred="comedy", only="swap")
    assert not app.exception
    e = evaluation_of("movie-genres")
    drama, comedy = map(e.labels.index, ("drama", "comedy"))
    missed, invented = e.y_true & ~e.y_pred, e.y_pred & ~e.y_true
    n = int((missed[:, drama] & invented[:, comedy]).sum())
    assert app.header[-1].value == f"`comedy` instead: {n:,} rows"
    call = tables[-1]
    assert call["opened"] == f"{drama}:{comedy}" and call["opened"] in {line.chosen for line in call["lines"]}
    (row,) = [row for row in call["table"].rows if (row[0].name, row[1].name) == ("drama", "comedy")]
    monkeypatch.setattr(one_label.url, "put", lambda **view: tables.append(view))
    call["on_choose"](call["opened"])
    assert tables[-1] == {"true": "drama", "pred": "comedy", "only": "swap", "row": 0}
    assert row[2].n == n and row[4].value == n / int(missed[:, drama].sum())


@pytest.mark.parametrize(
    ("true", "pred", "outcome"),
    [
        ((0,), (0,), "tn"),
        ((0,), (1,), "fp"),
        ((1,), (0,), "fn"),
        ((1,), (1,), "tp"),
        ((), (1,), "fp"),
        ((1,), (), "fn"),
        ((0, 1), (0, 1), "fn"),
        ((), (), "fn"),
    ],
)
def test_pick_is_its_outcome(true, pred, outcome):
    assert one_label.outcome_of(true, pred) == outcome
