"""The open page says what it takes, asks where it has to, and shows the values that columns are chosen by."""

from pathlib import Path
from unittest.mock import Mock

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from data.errors import DataError
from data.evaluation import ColumnRole, Receipt
from data.reading.formats import NAMED, recognise_name
from data.runs import load, understanding
from data.runs.uploads import kept
from export import file_reading
from tests.opened_pages import lenses, new_tab, open_page, texts
from tests.reading_here import preview_here, reading_here
from ui.open.again import split, uploads
from ui.text.markdown import md

pytestmark = pytest.mark.usefixtures("own_store")
ROOT = Path(__file__).resolve().parents[3]


def opened(folder: Path, text: str, given: load.Given | None = None) -> AppTest:
    path = folder / "p.csv"
    path.write_text(text, encoding="utf-8")
    app = new_tab()
    app.query_params["run"] = load.keep(load.read_draft([(path, path.name)], given or load.Given()))
    return app.run()


@pytest.mark.parametrize("name", [".xlsx", ".npy", ".npz", "CSV", "TSV", "JSON lines", "Parquet", ".zst", ".gz"])
def test_upload_help_names_the_formats(name):
    assert name in NAMED


@pytest.mark.parametrize(
    "ending", ["csv", "tsv", "txt", "jsonl", "json", "parquet", "xlsx", "npy", "npz", "csv.zst", "eval"]
)
def test_what_the_upload_names_is_read(ending):
    assert recognise_name(f"p.{ending}") is not None


def test_columns_are_chosen_by_their_values(tmp_path):
    """Each column is listed with three values; what was asked for before the file was read stays."""
    given = load.Given(class_names=(("a", "apple"),), label_set=("a", "b"))
    app = opened(tmp_path, "id,label,label\n" + "".join(f"{i},{'ab'[i % 2]},**a**\n" for i in range(9)), given)
    assert "cannot be used yet" in texts(app) and "'label' is now 'label (2)'" in texts(app)
    truth = next(box for box in app.selectbox if box.label == "True label")
    assert truth.options == ["none", "id — 0, 1, 2", "label — a, b", "label (2) — **a**"]
    assert [area.value for area in app.text_area if "one a line" in area.label] == ["a\nb", "a=apple"]


def test_question_has_a_way_to_other_files(tmp_path):
    app = opened(tmp_path, "id,pred\n1,a\n2,b\n")
    assert "needs a choice" in app.title[0].value and "Open this sample" not in texts(app)
    app.button(key="open.other").click().run()
    assert "run" not in app.query_params and "See what accuracy hides" in app.title[0].value
    assert app.get("file_uploader")[0].label == "Predictions"
    assert "open.other" not in [button.key for button in app.button]


def test_uploaded_bytes_go_once_kept(monkeypatch):
    """Streamlit would hold them as long as the tab is open; a file that is refused stays, to be told of again."""
    freed = []
    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", lambda _, session, file: freed.append(file))
    for refusal in (None, DataError("Too many files.")):
        monkeypatch.setattr(uploads.quota, "take", Mock(side_effect=refusal))
        app = new_tab().run()
        app.file_uploader(key="upload.predictions.0").upload("p.csv", b"truth,pred\n" + b"a,a\nb,b\n" * 9).run()
        assert len(freed) == 1 and ("Too many files." in texts(app)) is (refusal is not None)


def test_upload_is_written_without_a_copy():
    content = b"y,y_pred\na,a\n" * 1000
    file = UploadedFile(UploadedFileRec("1", "a.csv", "text/csv", content), FileURLs(file_id="1"))
    with uploads._on_disk([file]) as [(path, name)]:
        assert (path.read_bytes(), name) == (content, "a.csv")
    assert file.getvalue() is content


def test_true_labels_alone_ask_for_predictions():
    app = new_tab().run()
    assert "The predictions are missing." not in texts(app)
    app.file_uploader(key="upload.labels.0").upload("t.csv", b"id,label\n1,a\n2,b\n").run()
    assert "The predictions are missing. Upload them, too" in texts(app)


def test_two_text_files_are_joined_in_order(tmp_path):
    """They have neither ids nor a header line, and both are said once."""
    files = [(tmp_path / "preds.txt", "preds.txt"), (tmp_path / "labels.txt", "labels.txt")]
    for (path, _), labels in zip(files, ("aabbabab", "aabbabba"), strict=True):
        path.write_text("".join(f"{label}\n" for label in labels), encoding="utf-8")
    run = load.keep(load.read_draft(files, load.Given()))
    said = texts(open_page("open", run=run))
    assert "Joined by row order: 8 rows of each file." in said
    assert said.count("preds.txt and labels.txt: There is no header line") == 1
    assert lenses(open_page("overview", run=run))["Accuracy"] == "75.0 %"


def test_plain_file_shows_no_warning(tmp_path):
    lines = (f"{i},{'abc'[i % 3]},{'abbc'[i % 4]}\n" for i in range(60))
    app = opened(tmp_path, "id,y_true,y_pred\n" + "".join(lines))
    assert "no warnings" in texts(app)
    (notes,) = [place for place in app.expander if place.label.startswith("How the file was read: 1 note")]
    assert not notes.proto.expanded and "61 of 61 sampled lines split into 3 cells at the comma" in texts(app)


def test_a_question_is_no_error(tmp_path):
    app = opened(tmp_path, "id,filter,label,prediction\n" + "".join(f"{i},{f},a,{f}\n" for i in range(4) for f in "ab"))
    assert "Which `filter` should be evaluated?" in texts(app) and "cannot be used" not in texts(app)


def test_headline_names_the_rows_that_count(tmp_path):
    text = "id,filter,label,prediction\n" + "".join(f"{i},{f},a,{f}\n" for i in range(4) for f in "ab")
    app = opened(tmp_path, text, load.Given(only=("filter", "a")))
    assert "only `filter` = `a`" in texts(app)


def test_labels_come_before_scores_in_roles():
    names = ("score of a", "id", "prediction", "score of b", "truth of x", "truth", "join")
    roles = [ColumnRole(str(i), role, "") for i, role in enumerate(names)]
    assert [role.role for role in file_reading.roles(Receipt(roles=tuple(roles)))] == [
        "truth of x", "truth", "prediction", "id", "join", "score of a", "score of b",
    ]  # fmt: skip


def test_the_page_says_what_the_command_line_says(tmp_path):
    scores = ["2.5", "-1", "-0.5", "0.25"]
    app = opened(tmp_path, "y_true,score,age\n" + "".join(f"{'ab'[i % 2]},{s},{i}\n" for i, s in enumerate(scores)))
    evaluation = understanding.open_draft(load.draft_of(app.query_params["run"]))
    facts = [f"{fact.term}: {fact.sentence(md)}" for fact in file_reading.facts(evaluation)]
    assert len(facts) == 3 and "logits" in facts[1]
    for sentence in [*facts, *file_reading.notes(evaluation.receipt), file_reading.kept_columns(evaluation, md)]:
        assert sentence in texts(app)


def copies(first: str, second: str) -> str:
    return f"{first},sex,{second}\n" + "".join(f"{i % 10},{i % 2},{i % 10}\n" for i in range(30))


def test_copies_are_asked_with_the_best_guess(tmp_path):
    app = opened(tmp_path, copies("decile_score", "decile_score.1"))
    assert "cannot be used yet" in texts(app) and "'decile_score.1' is a second column" in texts(app)
    chosen = {box.label: box.value for box in app.selectbox}
    assert (chosen["True label"], chosen["Predicted label"]) == ("sex", "")
    assert app.multiselect[0].value == ["decile_score"]
    next(button for button in app.button if button.label == "Apply").click()
    app.run()
    assert not app.exception and "How we read your file" in texts(app)


def test_file_is_read_without_bad_scores(tmp_path):
    for cells, shown in (("high", "'high'"), ("85%", "'85%'"), ("1e999", "inf (or a number too large)")):
        app = opened(tmp_path, f"y_true,y_pred,p\na,a,0.5\nb,b,{cells}\n" + "b,a,0.25\n" * 3)
        chosen = {box.label: box.value for box in app.selectbox}
        assert (chosen["True label"], chosen["Predicted label"]) == ("y_true", "y_pred")
        assert "in another file?" not in texts(app)
        app.button(key="by_hand.scores").click().run()
        run = app.query_params["run"]
        app = open_page("overview", run=run, reading=True)
        assert "Scores were not read, as you chose. Choose score columns to read them." in texts(app)
        assert app.multiselect[0].value == []
        app.multiselect[0].set_value(["p"])
        next(button for button in app.button if button.label == "Apply").click()
        app.run()
        assert f"row 2: {shown} is not a finite number" in texts(app) and not app.exception


@pytest.mark.parametrize("header", ["label;prediction;score", "label;note;logit"])
@pytest.mark.parametrize(("number", "low"), [("1.234", 1.123), ("1234", 1123.0)])
def test_doubtful_commas_have_a_button_each(header, number, low):
    lines = ["yes;yes;1,234", "no;yes;3,331", "yes;no;2,345", "no;no;1,123"] * 3
    app = new_tab().run()
    app.file_uploader(key="upload.predictions.0").upload("p.csv", "\n".join([header, *lines]).encode()).run()
    assert "'1,234' may be 1.234 or 1234, and no cell says which." in texts(app)
    assert "Say whether its comma is decimal or between thousands." in texts(app)
    assert next(box for box in app.selectbox if box.label == "True label").value == "label"
    (button,) = [button for button in app.button if button.label == f"Read 1,234 as {number}"]
    button.click().run()
    evaluation = understanding.open_draft(load.draft_of(app.query_params["run"]))
    assert evaluation.rows[header.split(";")[2]].to_numpy().min() == low


def test_samples_keep_their_place_below_an_upload():
    app = new_tab().run()
    before = _button_places(app.main)
    app.file_uploader(key="upload.predictions.0").upload("empty.csv", b"").run()
    assert "it is empty" in texts(app) and before and _button_places(app.main) == before


def _button_places(block):
    """Return the places of the buttons in a block: the indices of the blocks that lead to each."""
    places = []
    for index, child in block.children.items():
        if child.type == "button":
            places.append([index])
        places += [[index, *place] for place in _button_places(child)] if hasattr(child, "children") else []
    return places


def test_doubtful_logits_of_classes_are_asked():
    text = "\n".join(["label;logit_yes;logit_no", *["yes;3,250;1,500", "no;1,125;2,750"] * 6])
    app = new_tab().run()
    app.file_uploader(key="upload.predictions.0").upload("p.csv", text.encode()).run()
    assert "Column 'logit_yes': '3,250' may be 3.250 or 3250, and no cell says which." in texts(app)
    next(button for button in app.button if button.label == "Read 3,250 as 3.250").click().run()
    evaluation = understanding.open_draft(load.draft_of(app.query_params["run"]))
    assert (evaluation.y_true == evaluation.y_pred).all()
    assert evaluation.rows["logit_no"].to_pylist()[:2] == [1.5, 2.75]


def test_words_on_the_page_name_no_option(tmp_path):
    app = opened(tmp_path, "y_true,y_pred\n0,cat\n1,dog\n")
    said = "Choose other columns. If they mean the same, name the classes, such as '0=cat'."
    assert said in texts(app)


@pytest.mark.parametrize("header", ["y_true,y_pred", "y_true,y_pred,p"])
def test_names_join_numbers_and_words(tmp_path, header):
    """Of 12 rows one of class 0 and two of class 1 are predicted as the other; the score is found as well."""
    rows = [(0, "cat", 0.25)] * 5 + [(0, "dog", 0.75)] + [(1, "dog", 0.8)] * 4 + [(1, "cat", 0.1)] * 2
    cells = [",".join(map(str, row[: header.count(",") + 1])) for row in rows]
    app = opened(tmp_path, "\n".join([header, *cells]))
    next(area for area in app.text_area if area.label.startswith("Names of classes")).set_value("0=cat\n1=dog")
    next(button for button in app.button if button.label == "Apply").click()
    app.run()
    evaluation = understanding.open_draft(load.draft_of(app.query_params["run"]))
    assert evaluation.labels == ("cat", "dog") and (evaluation.y_true == evaluation.y_pred).sum() == 9
    assert (evaluation.y_score is not None) == header.endswith(",p")


def test_a_missing_truth_says_what_was_found(tmp_path):
    app = opened(tmp_path, "prediction,text\n" + "".join(f"{'ab'[i % 2]},hello {i}\n" for i in range(9)))
    assert "Predictions found in 'prediction'. True labels are missing: upload them or choose a column." in texts(app)
    assert "Are the true labels in another file?" in texts(app)
    chosen = {box.label: box.value for box in app.selectbox}
    assert (chosen["True label"], chosen["Predicted label"]) == ("", "prediction")


def test_missing_predictions_say_what_was_found(tmp_path):
    app = opened(tmp_path, "label,text\n" + "".join(f"{'ab'[i % 2]},hello {i}\n" for i in range(9)))
    assert "True labels found in 'label'. Predictions are missing: upload them or choose a column." in texts(app)
    assert "Are the predictions in another file?" in texts(app)
    assert {box.label: box.value for box in app.selectbox}["True label"] == "label"


@pytest.mark.parametrize("columns", ["y_true,y_pred,p", "id,prob_a,prob_b"])
def test_infinite_scores_leave_the_form(tmp_path, columns):
    app = opened(tmp_path, f"{columns}\na,0.5,0.5\nb,0.1,inf\nc,0.8,0.2\n")
    assert "holds inf (infinite) in 1 row, first row 2" in texts(app)
    assert "True label" in {box.label for box in app.selectbox} and not app.exception


def test_unread_file_offers_its_split(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "preview_files", preview_here)
    monkeypatch.setattr(split, "preview_files", preview_here)
    path = tmp_path / "p.csv"
    path.write_text("Report\n\nfoo;bar\n" + "".join(f"**a{i}**;{'ab'[i % 2]}\n" for i in range(12)), encoding="utf-8")
    with reading_here():
        run = load.keep(kept.read_and_keep([(path, path.name)], load.Given())[0])
        app = new_tab()
        app.query_params["run"] = run
        app.run()
        assert "cannot be used yet" in texts(app) and "data starts at line 3" in texts(app)
        assert {group.label: group.value for group in app.button_group} == {
            "Delimiter": ";", "Header in line": 3, "Decimals": ".",
        }  # fmt: skip
        app.button_group(key=f"read.{run}.0.header").set_value(0).run()
        assert "| Header line | 3 | **none** |" in texts(app) and "| Rows | 12 | **14** |" in texts(app)
        app.number_input(key=f"read.{run}.0.header_line").set_value(8).run()
        assert "| Header line | 3 | **8** |" in texts(app) and "| Rows | 12 | **7** |" in texts(app)
        app.button(key="read.back").click().run()
        app.button(key="read.again").click().run()
        assert not app.exception and "Choose what each column is" in texts(app)


def test_count_of_warnings_opens_them(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("Report\n\nid;y_true;y_pred\n" + "".join(f"{i};a;{'ab'[i % 2]}\n" for i in range(9)))
    app = open_page("overview", run=load.keep(load.read_draft([(path, path.name)], load.Given())))
    warning = "2 lines above the table left out"
    assert warning not in texts(app) and app.button(key="reading.warnings").label == ":orange[1 warning]"
    app.button(key="reading.warnings").click().run()
    assert warning in texts(app)
