"""The open page shows how two files met, and joins them on something else without a new upload."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.errors import DataError
from data.evaluation import JoinReport
from data.runs.draft_changes import correct, rejoin
from data.runs.load import Given, draft_of, keep, read_draft
from tests.csv_files import write_csv
from tests.opened_pages import open_page, texts
from tests.opened_runs import open_run
from ui.open.joining import CHOSEN, FOUND, IN_ORDER, current_pairs

pytestmark = pytest.mark.usefixtures("own_store")
ROOT = Path(__file__).resolve().parents[3]
LEFT = {
    "id": ["a", "b", "a", "c", "z"],
    "part": ["1", "1", "2", "1", "1"],
    "pred": ["x", "y", "y", "x", "x"],
}
RIGHT = {"id": ["q", "c", "b", "a", "d"], "name": ["1", "2", "3", "4", "5"], "label": ["x", "x", "y", "x", "y"]}


@pytest.fixture
def run(tmp_path) -> str:
    paths = [write_csv(tmp_path / "preds.csv", LEFT), write_csv(tmp_path / "labels.csv", RIGHT)]
    return keep(read_draft([(path, path.name) for path in paths], Given()))


def truths(run: str) -> list[str | None]:
    """The true label of every row of the predictions, in their order."""
    return open_run(run).rows.column("label").to_pylist()[: len(LEFT["id"])]


# -- joining again ----------------------------------------------------------------------------------


def test_joining_again_uses_the_stored_files(run):
    by_id = [dict(zip(RIGHT["id"], RIGHT["label"], strict=True)).get(i) for i in LEFT["id"]]
    assert truths(run) == by_id
    in_order = rejoin(run, "")
    assert truths(in_order) == RIGHT["label"] and open_run(in_order).receipt.join.how == "row order"
    back = rejoin(in_order, None)
    assert truths(back) == by_id and draft_of(back).data_ids == draft_of(run).data_ids
    assert open_run(back).fingerprint == open_run(run).fingerprint != open_run(in_order).fingerprint


def test_a_correction_stays_where_its_columns_do(run):
    corrected = correct(run, draft_of(run).settings, {"truth": "pred", "pred": "label"})
    moved = open_run(rejoin(corrected, "(row order)"))
    assert (moved.settings.truth, moved.settings.pred) == ("pred", "label")


def test_what_cannot_be_joined_keeps_nothing(run, tmp_path):
    before = sorted((tmp_path / "store" / "link").iterdir())
    with pytest.raises(DataError, match="share no value"):
        rejoin(run, "id=name")
    with pytest.raises(DataError, match="no column 'nope'"):
        rejoin(run, "nope")
    assert sorted((tmp_path / "store" / "link").iterdir()) == before


def test_one_file_has_nothing_to_join(tmp_path):
    one = {**LEFT, "label": RIGHT["label"]}
    alone = keep(read_draft([(write_csv(tmp_path / "one.csv", one), "one.csv")], Given()))
    with pytest.raises(DataError, match=r"'one\.csv' is one file, so there is nothing to join"):
        rejoin(alone, "")


# -- on the page ------------------------------------------------------------------------------------


def button(app: AppTest, label: str):
    return next(found for found in app.button if found.label == label)


def opened(app: AppTest) -> str:
    value = app.query_params["run"]
    return value[0] if isinstance(value, list) else value


def test_the_report_is_shown_in_numbers_with_examples(run):
    app = open_page("open", run=run)
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["Rows matched"] == "4" and shown["Only in `preds.csv`"] == "1"
    assert shown["Only in `labels.csv`"] == "2" and shown["Repeated ids"] == "1"
    table = next(frame.value for frame in app.dataframe if "for example" in frame.value)
    assert list(zip(table["found"], table["in all"], table["for example"], strict=True)) == [
        ("only in preds.csv", 1, "z"),
        ("only in labels.csv", 2, "q"),
        ("only in labels.csv", 2, "d"),
        ("more than once in preds.csv", 1, "a (2 times)"),
    ]


def test_panel_repeats_nothing_of_the_reading(run):
    said = [text.value for text in open_page("open", run=run).text]
    assert len([text for text in said if "rows matched" in text]) == 1
    assert not any("no prediction:" in text or "repeated id" in text for text in said)


def test_a_join_without_a_rest_is_one_sentence(tmp_path):
    right = {"id": LEFT["id"][1:4], "label": ["y", "x", "x"]}
    left = {name: values[1:4] for name, values in LEFT.items()}
    paths = [write_csv(tmp_path / "p.csv", left), write_csv(tmp_path / "l.csv", right)]
    app = open_page("open", run=keep(read_draft([(path, path.name) for path in paths], Given())))
    assert [text.value for text in app.text if "rows matched" in text.value] == [
        "Joined on 'id': 3 rows matched, 0 only in p.csv, 0 only in l.csv."
    ]
    assert "Rows matched" not in [metric.label for metric in app.metric]


def test_unjoined_files_join_on_filled_in_columns(tmp_path):
    left = {"uid": ["a", "b", "c"], "pred": ["x", "y", "x"]}
    right = {"code": ["c", "d", "b", "a"], "label": ["x", "y", "x", "x"]}
    paths = [write_csv(tmp_path / "p.csv", left), write_csv(tmp_path / "l.csv", right)]
    run = keep(read_draft([(path, path.name) for path in paths], Given()))
    app = open_page("open", run=run)
    assert app.radio(key=f"join.how.{run}").options == [CHOSEN, IN_ORDER]
    assert app.multiselect(key=f"join.left.{run}").value == ["uid"]  # filled in, because the values are shared
    assert app.multiselect(key=f"join.right.{run}").value == ["code"]
    account = "Joined on 'uid' = 'code': 3 rows matched, 0 only in p.csv, 1 only in l.csv ('d')."
    assert account in [text.value for text in app.text]
    assert not any(found.label == "The other file" for found in app.file_uploader)
    button(app, "Join").click().run()
    assert open_run(opened(app)).receipt.join.text == account
    assert "joined on uid = code" in texts(open_page("overview", run=opened(app))).replace("`", "")
    assert open_run(opened(app)).rows.column("label").to_pylist()[:3] == ["x", "x", "x"]


def test_row_order_is_one_choice_away(run):
    app = open_page("open", run=run)
    app.radio(key=f"join.how.{run}").set_value(IN_ORDER)
    button(app, "Join again").click().run()
    assert not app.exception and opened(app) != run
    assert truths(opened(app)) == RIGHT["label"]


def test_other_columns_can_be_chosen(run):
    app = open_page("open", run=run)
    assert app.radio(key=f"join.how.{run}").value == CHOSEN
    assert app.multiselect(key=f"join.left.{run}").value == ["id"] == app.multiselect(key=f"join.right.{run}").value
    app.multiselect(key=f"join.left.{run}").set_value(["id", "part"])
    button(app, "Join again").click().run()
    assert any(
        "You chose 2 columns of the predictions and 1 of the labels. Choose the columns" in text.value
        for text in app.text
    )
    app.multiselect(key=f"join.left.{run}").set_value(["id"])
    app.multiselect(key=f"join.right.{run}").set_value(["name"])
    button(app, "Join again").click().run()
    assert any("share no value" in text.value for text in app.text) and opened(app) == run
    app.radio(key=f"join.how.{run}").set_value(FOUND)
    button(app, "Join again").click().run()
    assert not app.exception and truths(opened(app)) == truths(run)


def repeating(tmp_path) -> str:
    left = {"id": ["a", "a", "b", "c", "d", "d"], "pred": ["x", "y", "y", "x", "y", "y"]}
    right = {"id": ["a", "b", "c", "d"], "label": ["y", "y", "x", "x"]}
    paths = [write_csv(tmp_path / "p.csv", left), write_csv(tmp_path / "l.csv", right)]
    return keep(read_draft([(path, path.name) for path in paths], Given()))


def test_repeated_ids_are_listed_and_counted_as_chosen(tmp_path):
    run = repeating(tmp_path)
    app = open_page("open", run=run)
    assert any("1 id is left out, because its rows repeat it and differ: 'a'." in text.value for text in app.text)
    assert open_run(run).n_scored == 3
    for way, n in (("last", 4), ("all", 6)):
        app = open_page("open", run=run)
        app.radio(key=f"join.repeated.{run}").set_value(way)
        button(app, "Join again").click().run()
        assert not app.exception and open_run(opened(app)).n_scored == n
        again = open_page("open", run=opened(app))
        assert again.radio(key=f"join.repeated.{opened(app)}").value == way


def test_one_file_shows_no_join(tmp_path):
    one = {**LEFT, "label": RIGHT["label"]}
    app = open_page("open", run=keep(read_draft([(write_csv(tmp_path / "one.csv", one), "one.csv")], Given())))
    assert "Join again" not in [found.label for found in app.button]


def test_a_hostile_id_stays_text(tmp_path):
    evil = "![x](http://host/x.png)\u202e"
    left = {"id": [evil, "b", "c", "d"], "pred": ["x", "y", "x", "y"]}
    right = {"id": ["e", "b", "c", "d"], "label": ["x", "y", "x", "x"]}
    paths = [write_csv(tmp_path / "p.csv", left), write_csv(tmp_path / "l.csv", right)]
    app = open_page("open", run=keep(read_draft([(path, path.name) for path in paths], Given())))
    table = next(frame.value for frame in app.dataframe if "for example" in frame.value)
    assert "\u202e" not in "".join(table["for example"]) and "\\u202e" in table["for example"][0]
    for part in app.markdown:
        assert "![x](http" not in part.value.replace("`![x](http", "")


def test_the_columns_of_a_report_are_told_back():
    report = JoinReport("key", ("id,part", "id,run"), 1, 0, 0)
    assert current_pairs(report, ["id", "part"], ["run", "id"]) == (("id", "id"), ("part", "run"))
    assert current_pairs(JoinReport("row order", None, 1, 0, 0), ["id"], ["id"]) == ()
