"""Every class against the rest on the page: the weakest first, twelve at a time, and into the lab with one click."""

import json

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from tests.ceiling import CEILING_SECONDS
from tests.opened_pages import shown_tables

K, N = 30, 600


def scores():
    rng = np.random.default_rng(0)
    truth = np.concatenate([np.arange(29), rng.integers(29, size=571)])  # the last of 30 classes has no true row
    score = rng.dirichlet(np.ones(30), size=600)
    score[np.arange(600), truth] += rng.random(600) * np.linspace(0.05, 1, 30)[truth]
    return truth, np.round(score / score.sum(axis=1, keepdims=True), 6)


def script():
    import pyarrow as pa
    import streamlit as st

    from data.building.build import build
    from data.evaluation import Settings
    from tests.ui.thresholds.test_one_vs_rest import scores
    from ui.thresholds import one_vs_rest
    from ui.view.address import begin_page, end_page

    truth, score = scores()
    names = [f"*c{code:02d}*" for code in range(30)]
    table = pa.table({"y": [names[code] for code in truth]} | {f"p{i}": score[:, i] for i in range(30)})
    pairs = tuple((f"p{i}", name) for i, name in enumerate(names))[: st.session_state.get("scored", 30)]
    st.session_state["labels"] = names
    begin_page("thresholds")
    one_vs_rest.section(build(table, Settings(truth="y", scores=pairs), name="t", content_sha256=f"many{len(pairs)}"))
    end_page("thresholds")


def opened():
    app = AppTest.from_function(script, default_timeout=CEILING_SECONDS).run()
    assert not app.exception
    return app


def said(app):
    return "\n".join(str(part.value) for part in [*app.markdown, *app.caption, *app.text])


def names_shown(app):
    (wall,) = (part.proto for part in app.get("bidi_component") if part.proto.component_name == "blindspot_curve_wall")
    return [curve["name"] for curve in json.loads(wall.json)["curves"]]


def by_auc():
    truth, score = scores()
    auc = {f"*c{code:02d}*": roc_auc_score(truth == code, score[:, code]) for code in range(29)}
    return sorted(auc, key=auc.__getitem__), auc


def test_weakest_twelve_come_first():
    app, (order, auc) = opened(), by_auc()
    assert names_shown(app) == order[:12]
    assert "**1 to 12** of 29 classes by ROC AUC" in said(app)
    assert f"Macro ROC AUC **{np.mean(list(auc.values())):.3f}**" in said(app)
    assert "1 class without rows on both sides has no ROC AUC." in said(app)


def test_pages_hold_every_class_once():
    app, (order, _) = opened(), by_auc()
    seen = names_shown(app)
    for _page in range(2):
        next(button for button in app.button if button.key == "rest.after").click().run()
        seen += names_shown(app)
    assert seen == order and "**25 to 29** of 29" in said(app)
    assert next(button for button in app.button if button.key == "rest.after").disabled
    next(button for button in app.button if button.key == "rest.before").click().run()
    assert names_shown(app) == order[12:24]


def test_other_evaluation_begins_with_its_weakest():
    app = opened()
    next(button for button in app.button if button.key == "rest.after").click().run()
    app.session_state["scored"] = 13
    app.run()
    assert not app.exception and "**1 to 12** of 13 classes by ROC AUC" in said(app)
    next(button for button in app.button if button.key == "rest.after").click().run()
    assert "**13** of 13 classes by ROC AUC" in said(app) and len(names_shown(app)) == 1
    app.session_state["scored"] = 5
    app.run()
    assert "**5 classes** by ROC AUC" in said(app)


def lines_of(app):
    """Return the texts of the table's cells: class, ROC AUC with its interval, average precision, true rows."""
    cells = shown_tables(app)["ROC AUC of 30 classes, the weakest first"]
    return [[(cell["text"], cell.get("value"), cell.get("ends")) for cell in line] for line in cells]


def test_table_holds_every_class_with_interval():
    lines, (order, auc), (truth, _) = lines_of(opened()), by_auc(), scores()
    assert [line[0][0] for line in lines] == [*order, "*c29*"]
    assert [line[1][1] for line in lines[:29]] == pytest.approx(sorted(auc.values()))
    assert all(line[1][2] for line in lines[:29]) and lines[-1][1][0] == "undefined"
    assert [line[3][1] for line in lines] == [np.sum(truth == int(line[0][0][2:4])) for line in lines]


def test_areas_of_few_rows_are_grey():
    """By the rows of the class: under 30 for the AUC, under 100 for average precision."""
    app, (truth, _) = opened(), scores()
    for line in shown_tables(app)["ROC AUC of 30 classes, the weakest first"][:29]:
        n_true = np.sum(truth == int(line[0]["text"][2:4]))
        moods = [cell.get("mood") for cell in line[1:3]]
        assert moods[1] == "few" and (moods[0] == "few" or n_true >= 30)


def test_long_computation_is_done_in_parts(monkeypatch):
    whole = lines_of(opened())
    monkeypatch.setattr("ui.thresholds.one_vs_rest._CELLS", 4 * N)
    assert lines_of(opened()) == whole
