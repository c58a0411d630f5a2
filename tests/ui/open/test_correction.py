"""Correcting what was understood of a file, where the page says how it was read."""

import dataclasses

import pytest
from streamlit.testing.v1 import AppTest

from data.comparison.row_groups import clusters_in_use
from data.runs import load, understanding
from tests.opened_pages import open_page, run_in_address, texts
from tests.opened_runs import keep_file


@pytest.mark.parametrize("column", ["day", "weight", "seed"])
def test_unchanged_form_says_so(tmp_path, column):
    path = tmp_path / "p.csv"
    path.write_text(
        f"label,prediction,{column}\n" + "".join(f"{'ab'[i % 2]},{'ab'[i % 3 % 2]},{i % 4}\n" for i in range(60))
    )
    run = keep_file(path)
    app = open_page("overview", run=run, reading="1")
    press(app, "Apply")
    assert "The form holds what is in use, so no number changes." in texts(app) and not app.toast
    assert run_in_address(app) == run


def test_file_of_names_gives_classes_their_names(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("label,prediction\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(60)))
    app = open_page("overview", run=keep_file(path), reading="1")
    assert "'names.csv' is no text in UTF-8" in texts(apply(app, "correct.names.0", b"\xff\xfe"))
    apply(app, "correct.names.1", b"0,cat\n1,dog\n2,bird\n")
    run = app.query_params["run"]
    assert dict(load.draft_of(run).settings.class_names) == {"0": "cat", "1": "dog", "2": "bird"}
    assert "bird" in texts(open_page("overview", run=run)), "the link brings the names"


def test_columns_of_run_parts_are_chosen(tmp_path):
    """A training's epochs under another name reach Overview; seeds make questions clusters."""
    path = tmp_path / "p.csv"
    lines = [f"q{i % 20},{i // 20},{10 * (i // 20)},{'ab'[i % 2]},{'ab'[i % 3 % 2]}" for i in range(60)]
    path.write_text("id,round,step,label,prediction\n" + "\n".join(lines) + "\n")
    app = open_page("overview", run=keep_file(path), reading="1")
    choose(app, "Seeds", "round")
    draft = load.draft_of(app.query_params["run"])
    assert draft.settings.run_parts == (("seed", "round"),)
    assert clusters_in_use(understanding.open_draft(draft)).n == 20
    choose(app, "Seeds", "")
    choose(app, "Epochs", "round")
    app = open_page("overview", run=app.query_params["run"])
    assert app.selectbox(key="epochs.box").options == ["0", "1", "2"] and app.selectbox(key="epochs.box").value == "2"


def test_true_and_predicted_labels_are_swapped(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("label,prediction\n" + "".join(f"{'ab'[i % 2]},{'ab'[i % 3 % 2]}\n" for i in range(60)))
    app = open_page("overview", run=keep_file(path), reading="1")
    before = load.draft_of(app.query_params["run"]).settings
    press(app.run(), "Swap true and predicted labels")
    after = load.draft_of(app.query_params["run"]).settings
    assert (after.truth, after.pred) == (before.pred, before.truth)


@pytest.mark.parametrize(
    ("labels", "field", "proposal", "setting", "value"),
    [
        ("123", "Order of the labels", "1, 2, 3", "order", ("1", "2", "3")),
        (["a/x", "a/y", "b/x", "b/y"], "Separator of groups", "/", "separator", "/"),
    ],
)
def test_structure_is_proposed_and_taken_back(tmp_path, labels, field, proposal, setting, value):
    path = tmp_path / "p.csv"
    lines = (f"{labels[i % len(labels)]},{labels[i % 2]}\n" for i in range(60))
    path.write_text("label,prediction\n" + "".join(lines))
    app = open_page("overview", run=keep_file(path), reading="1")
    choose(app, field, proposal)
    assert load.draft_of(app.query_params["run"]).settings.to_json()[setting] == value
    page = open_page("overview", run=app.query_params["run"], reading="1")
    choose(page, field, "")
    assert setting not in load.draft_of(page.query_params["run"]).settings.to_json()


def test_tree_is_uploaded_and_taken_back(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("label,prediction\n" + "".join(f"{'abc'[i % 3]},{'ab'[i % 2]}\n" for i in range(60)))
    app = apply(open_page("overview", run=keep_file(path), reading="1"), "correct.tree.0", b"a,x\nb,x\nc,y")
    settings = load.draft_of(app.query_params["run"]).settings
    assert settings.tree == (("a", "x"), ("b", "x"), ("c", "y"))
    page = open_page("overview", run=app.query_params["run"], reading="1")
    choose(page, "Separator of groups", "")
    assert load.draft_of(page.query_params["run"]).settings == dataclasses.replace(settings, tree=())


def choose(app: AppTest, title: str, column: str) -> None:
    (box,) = [box for box in app.run().selectbox if box.label == title]
    box.select(column)
    press(app, "Apply")


def apply(app: AppTest, key: str, names: bytes) -> AppTest:
    app.run().file_uploader(key=key).upload("names.csv", names, "text/csv")
    press(app, "Apply")
    return app


def press(app: AppTest, label: str) -> None:
    (button,) = [button for button in app.button if button.label == label]
    button.click().run()
    assert not app.exception
