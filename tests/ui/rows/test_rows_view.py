"""Test what the list and the card are given, against the table of rows; that no text becomes markup."""

import base64
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Settings
from data.rows.order import MISTAKES
from data.rows.row_table import build_rows_frame, read_row_details
from data.rows.selection import Which
from data.samples import SAMPLES
from text.numbers import number
from ui.rows import row_card, row_orders, rows_view
from ui.rows.rows_view import GONE, NONE, outcome_signs, payload
from ui.view.cache import class_name
from ui.view.open_runs import evaluation_of

FILES = Path(rows_view.__file__).parent


def built(table, settings):
    # a digest of its own for every table: what is kept is kept by content
    return build(table, settings, name="demo", content_sha256=str(hash(str(table.schema) + str(table.num_rows))))


def window(evaluation, found=None, start=0):
    found = np.arange(evaluation.n_lines) if found is None else found
    return payload(evaluation, found, start=start, key="list", selection="s")


def by_column(shown):
    """The sent cells under the names of their columns."""
    names = [column["spoken"] or column["kind"] for column in shown["columns"] if column["kind"] != "mark"]
    return [dict(zip(names, cells, strict=True)) for cells in shown["rows"]]


@pytest.mark.parametrize("sample", [sample.key for sample in SAMPLES])
def test_window_holds_the_rows_of_the_table(sample):
    evaluation = evaluation_of(sample)
    found = np.arange(evaluation.n_lines)[::-1]
    shown = by_column(window(evaluation, found, start=30))
    frame = build_rows_frame(evaluation, found[30 : 30 + rows_view.WINDOW])
    assert [cells["row"] for cells in shown] == frame["row"].tolist()
    missing = NONE if evaluation.task == "multilabel" else GONE
    for name, column in (("true", "true label"), ("predicted", "predicted label")):
        assert [cells[name] for cells in shown] == [
            class_name(evaluation, name) if isinstance(name, str) and name else missing for name in frame[column]
        ]
    if "confidence" in frame and evaluation.y_score is not None:
        assert [cells["confidence"][0] for cells in shown] == [number(score) for score in frame["confidence"]]


@pytest.mark.parametrize("sample", [sample.key for sample in SAMPLES])
def test_sign_agrees_with_the_details(sample):
    evaluation = evaluation_of(sample)
    rows = np.arange(0, evaluation.n_lines, max(1, evaluation.n_lines // 50))
    for row, sign in zip(rows.tolist(), outcome_signs(evaluation, rows), strict=True):
        details = read_row_details(evaluation, row)
        unparsed = details["scored"] and evaluation.task != "multilabel" and not details["pred"]
        right = {True: "right", False: "wrong", None: "missing"}[details["right"]]
        assert sign == ("unparseable" if unparsed else right)


def test_window_is_small_for_any_file():
    n = 1_000_000
    table = pa.table({"y": ["a", "b"] * (n // 2), "y_pred": ["a", "a"] * (n // 2), "text": ["some words here"] * n})
    evaluation = built(table, Settings(truth="y", pred="y_pred"))
    shown = window(evaluation, start=n - rows_view.WINDOW)
    assert shown["total"] == n and len(shown["rows"]) == rows_view.WINDOW and shown["rows"][-1][0] == n
    assert len(json.dumps(shown)) < 20_000


def test_counts_show_rows_of_a_line():
    table = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"], "n": ["30", "12"]})
    evaluation = built(table, Settings(truth="y", pred="y_pred", counts="n"))
    assert [cells["rows"] for cells in by_column(window(evaluation))] == [30, 12]
    assert [cells["line"] for cells in by_column(window(evaluation))] == [1, 2], "a line is no row"
    assert row_card.payload(evaluation, 1)["facts"][0] == {
        "name": "rows", "value": "12", "help": "How many rows this line stands for"
    }  # fmt: skip


def hostile():
    bad = "<img src=x onerror=alert(1)>\u202e"
    table = pa.table({"y": [bad, "b"], "y_pred": ["b", "b"], bad: ["one\ntwo **three**", None], "n": [1.5, 2.0]})
    return built(table, Settings(truth="y", pred="y_pred")), bad


def test_invisible_characters_are_made_visible():
    evaluation, _ = hostile()
    sent = json.dumps([window(evaluation), row_card.payload(evaluation, 0)], ensure_ascii=False)
    assert "\u202e" not in sent and "\\\\u202e" in sent


def test_the_card_holds_every_column_in_full():
    evaluation, bad = hostile()
    card = row_card.payload(evaluation, 0)
    shown = {field["name"]: field["text"] for field in card["blocks"] + card["fields"]}
    assert shown[bad.replace("\u202e", "\\u202e")] == "one\ntwo **three**", "lines stay lines"
    assert shown["n"] == "1.5"
    assert set(shown) == {name.replace("\u202e", "\\u202e") for name in evaluation.rows.column_names}
    empty = row_card.payload(evaluation, 1)
    assert GONE in [field["text"] for field in empty["fields"]], "no text is not an empty text"


def test_long_text_says_how_much_is_shown():
    long = "word " * 30_000
    table = pa.table({"y": ["a"], "y_pred": ["a"], "text": [long]})
    evaluation = built(table, Settings(truth="y", pred="y_pred"))
    (block,) = row_card.payload(evaluation, 0)["blocks"]
    assert len(block["text"]) <= row_card.CHARACTERS
    assert block["note"] == "The first 100,000 of 150,000 characters."


def test_highest_scores_mark_true_and_predicted():
    evaluation = evaluation_of("digits")
    row = int(np.flatnonzero(evaluation.y_true != evaluation.y_pred)[0])
    scores = row_card.payload(evaluation, row)["scores"]
    given = evaluation.y_score[row]
    order = np.argsort(-given, kind="stable")[:5]
    assert [score["label"] for score in scores] == [
        f"class {evaluation.labels[evaluation.score_codes[i]]}" for i in order
    ]
    assert [score["share"] for score in scores] == pytest.approx(given[order])
    assert [s["label"] for s in scores if s["predicted"]] == [f"class {evaluation.labels[evaluation.y_pred[row]]}"]


def test_pictures_stand_beside_their_rows():
    evaluation, rows = evaluation_of("digits"), np.array([7, 3])
    listed = rows_view.payload(evaluation, rows, start=0, key="k", selection="s")
    kinds = [column["kind"] for column in listed["columns"] if column["kind"] != "mark"]
    pixels = json.loads(evaluation.rows.column("pixels")[3].as_py())
    drawn = list(base64.b64decode(listed["rows"][1][kinds.index("picture")]))
    assert drawn == [round(ink * 255 / 16) for ink in pixels]
    assert "[" not in listed["rows"][1][kinds.index("text")], "the pixels are no text"
    card = row_card.payload(evaluation, 3)
    assert list(base64.b64decode(card["picture"])) == drawn
    assert "pixels" not in {field["name"] for field in card["fields"] + card["blocks"]}


def test_truth_always_has_its_bar():
    given = {"a": 0.3, "b": 0.2, "c": 0.18, "d": 0.15, "e": 0.12, "f": 0.04, "g": 0.01}
    table = pa.table({"y": ["g", "a"], "y_pred": ["a", "a"], **{f"p_{name}": [p, p] for name, p in given.items()}})
    scores = tuple((f"p_{name}", name) for name in given)
    evaluation = built(table, Settings(truth="y", pred="y_pred", scores=scores))
    card = row_card.payload(evaluation, 0)
    assert [score["label"] for score in card["scores"]] == ["a", "b", "c", "d", "e", "g"]
    assert card["scores"][-1]["truth"] and card["scores"][-1]["share"] == pytest.approx(0.01)
    assert card["score_title"] == "The 5 highest scores, and those of the true and predicted label"
    assert row_card.payload(evaluation, 1)["score_title"] == "The 5 highest scores"


def test_bars_of_logits_are_probabilities():
    evaluation = evaluation_of("movie-genres")
    assert evaluation.scale == "logit"
    for score in row_card.payload(evaluation, 0)["scores"]:
        assert score["share"] == pytest.approx(1 / (1 + np.exp(-float(score["exact"]))), abs=2e-3)


def test_raw_answer_is_shown_with_its_outcome():
    evaluation = evaluation_of("support-intents-llm")
    row = int(np.flatnonzero(evaluation.y_pred == -2)[0])
    card = row_card.payload(evaluation, row)
    assert card["sign"] == "unparseable"
    assert card["blocks"][0]["name"] == "raw answer (raw_output)" and card["blocks"][0]["note"]
    assert [side["none"] for side in card["sides"]] == ["", "(no label found)"]


@pytest.mark.parametrize(
    ("sent", "place"),
    [(3, 3), (3.0, 3), (-1, None), (5, None), (float("nan"), None), (float("inf"), None), ("3", None), (True, None),
     (None, None)],
)  # fmt: skip
def test_a_place_that_the_browser_sends_is_checked(sent, place):
    assert rows_view._place({"at": sent}, "at", 5) == place


@pytest.mark.parametrize(
    "marks", [None, 3, [[1]], [["1", True]], [[1.5, True]], [[float("nan"), True]], [[1, "yes"]], [5], [[True, True]]]
)
def test_marks_of_another_shape_are_passed_over(marks):
    assert rows_view.read_marks({} if marks is None else {"marks": marks}) == []


def test_other_rows_or_another_order_have_another_name():
    evaluation = evaluation_of("digits")
    names = {rows_view.name_of(evaluation, *asked) for asked in ((1, ""), (2, ""), (1, "loss"))}
    assert len(names) == 3 and rows_view.name_of(evaluation, 1, "") in names


@pytest.mark.parametrize("sample", [sample.key for sample in SAMPLES])
def test_order_speaks_of_mistakes_only_above_wrong_rows(sample):
    evaluation = evaluation_of(sample)
    for only in ("errors", "correct", "all"):
        rows = row_orders.ordered(evaluation, Which(only=only))
        first = rows[:1]
        is_wrong = not (evaluation.y_true[first] == evaluation.y_pred[first]).all() and evaluation.scored[first].all()
        words = row_orders.order_in_words(evaluation, MISTAKES, rows)
        assert ("mistake" in words or "wrong" in words) == bool(is_wrong), (only, words)
