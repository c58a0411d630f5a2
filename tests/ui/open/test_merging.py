"""The panel of look-alike labels, and every page of a file of counts, in the running app."""

import itertools
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.rows.selection import Which, find_rows
from tests.opened_pages import lenses, open_page, texts
from tests.opened_runs import keep_text, open_run
from ui.rows import rows_view
from ui.view.pages import PAGES

ROOT = Path(__file__).resolve().parents[3]
LABELS = "y_true,y_pred\ncaf\u00e9,cafe\u0301\ncaf\u00e9,caf\u00e9\ncat,Cat\ncat,cat\ndog,dog \ndog,cat\n"


def run_of(folder: Path, text: str) -> str:
    return keep_text(folder / "p.csv", text)


def merges(app: AppTest):
    return [box for box in app.checkbox if box.key and box.key.startswith("merge.")]


def shown_run(app: AppTest) -> str:
    run = app.query_params["run"]
    return run if isinstance(run, str) else run[0]


def test_candidates_are_listed_with_differences_and_accuracy(tmp_path):
    app = open_page("open", run=run_of(tmp_path, LABELS))
    said = [box.label.replace("\u00a0", " ") for box in merges(app)]
    assert len(said) == 3
    (cafe,) = [text for text in said if "caf" in text]
    assert r"`cafe\u0301` (0 true rows, 1 predicted row) into `caf\u00e9` (2 true rows, 1 predicted row)" in cafe
    assert "composed in Unicode" in cafe and "Accuracy 33.3 % → **50.0 %**" in cafe
    assert any("`dog\u2423`" in text and "spaces" in text for text in said)
    assert not any(box.value for box in merges(app))
    assert "Nothing is ticked." in texts(app)


def test_ticked_labels_are_merged_and_unmerged(tmp_path):
    run = run_of(tmp_path, LABELS)
    app = open_page("open", run=run)
    boxes = merges(app)
    for box in boxes:
        if "`Cat`" in box.label or "`dog" in box.label:
            box.check()
    app.run()
    assert "accuracy 33.3\u00a0% → **66.7\u00a0%**" in texts(app)
    next(button for button in app.button if button.label == "Merge what is ticked").click()
    app.run()
    assert not app.exception
    merged = open_run(shown_run(app))
    assert dict(merged.settings.merge) == {"Cat": "cat", "dog ": "dog"}
    assert (merged.y_true == merged.y_pred).sum() == 4
    assert "`Cat` counts as `cat`." in texts(app) and "Labels merged" in texts(app)
    assert len(merges(app)) == 1
    next(button for button in app.button if button.label == "Take back").click()
    app.run()
    back = open_run(shown_run(app))
    assert len(back.settings.merge) == 1
    next(button for button in app.button if button.label == "Take back").click()
    app.run()
    assert open_run(shown_run(app)).settings.merge == ()
    assert (open_run(run).y_true == open_run(shown_run(app)).y_true).all()


def test_tick_all_ticks_what_is_listed(tmp_path):
    app = open_page("open", run=run_of(tmp_path, LABELS))
    next(button for button in app.button if button.label == "Tick all").click()
    app.run()
    assert all(box.value for box in merges(app))
    assert "→ **83.3\u00a0%**" in texts(app)


def test_many_look_alikes_say_how_many(tmp_path):
    names = ["".join(letters) for letters in itertools.product("aA", "bB", "cC", "dD", "eE", "fF")]
    lines = [f"{one},{two}" for one, two in zip(names, names[1:] + names[:1], strict=True)] * 2
    app = open_page("open", run=run_of(tmp_path, "\n".join(["y_true,y_pred", *lines])))
    assert len(merges(app)) == 40
    assert "63 labels look like another one: 40 are listed here, the others once these are merged." in texts(app)


def test_a_file_without_look_alikes_has_no_panel(tmp_path):
    app = open_page("open", run=run_of(tmp_path, "y_true,y_pred\na,b\nb,b\n"))
    assert "look alike" not in texts(app) and not merges(app)


def test_hostile_labels_stay_text_in_the_panel(tmp_path):
    app = open_page("open", run=run_of(tmp_path, "y_true,y_pred\n**a** `x`,**A** `x`\nb,b\n"))
    (box,) = merges(app)
    assert box.label.startswith("`` **A** `x` `` (0 true rows, 1 predicted row) into `` **a** `x` `` (")


# -- a file of counts ---------------------------------------------------------------------------------

COUNTS = "Actual,Predicted,nPredictions\ncat,cat,500\ncat,dog,30\ndog,cat,70\ndog,dog,400\n"


@pytest.mark.parametrize("page", PAGES)
def test_every_page_runs_with_a_file_of_counts(tmp_path, page):
    app = open_page(page, run=run_of(tmp_path, COUNTS))
    if page in ("overview", "confusion", "classes", "rows", "thresholds"):
        assert "1,000 rows in 4 lines" in texts(app)
    if page == "open":
        assert "This file holds counts, not rows" in texts(app)
    if page == "overview":
        assert lenses(app)["Accuracy"] == "90.0 %"
    if page == "thresholds":
        assert "This file holds counts, not rows" in texts(app)


def test_rows_page_shows_lines_with_their_counts(tmp_path):
    run = run_of(tmp_path, COUNTS)
    app = open_page("rows", run=run, only="errors")
    assert "This file holds counts, not rows" in texts(app)
    assert app.title[0].value == "100 of 1,000 rows are wrong"
    evaluation = open_run(run)
    shown = rows_view.payload(evaluation, find_rows(evaluation, Which(only="errors")), start=0, key="", selection="")
    weight = [column["kind"] for column in shown["columns"] if column["kind"] != "mark"].index("weight")
    assert [cells[weight] for cells in shown["rows"]] == [30, 70]


def test_the_cell_of_a_matrix_says_its_rows(tmp_path):
    app = open_page("confusion", run=run_of(tmp_path, COUNTS), true="dog", pred="cat")
    assert app.title[0].value == "70 of 470 `dog` rows were predicted as `cat`"


def test_counts_are_taken_back_to_rows(tmp_path):
    app = open_page("open", run=run_of(tmp_path, COUNTS))
    next(box for box in app.selectbox if box.label == "Rows per line").select("")
    next(button for button in app.button if button.label == "Apply").click()
    app.run()
    assert not app.exception
    evaluation = open_run(shown_run(app))
    assert evaluation.n_rows == 4 and evaluation.weights is None


def test_labels_of_4500_characters_are_cut(tmp_path):
    one, other = "x" * 4_500 + "a", "x" * 4_500 + "A"
    run = run_of(tmp_path, f"y_true,y_pred\n{one},{other}\n{one},{one}\n{other},b\nb,b\n")
    for page in ("open", "overview", "confusion", "classes", "rows"):
        app = open_page(page, run=run)
        assert max(len(part.value) for part in [*app.markdown, *app.caption, *app.text]) < 2_000
        if page == "open":
            (box,) = merges(app)
            assert "`…xxxxxxxxxxxxxxxxxxxxxxxxA`" in box.label
