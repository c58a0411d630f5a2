"""The confusion page: a choice stands in the view, and the panel shows as many rows as it says."""

import csv
import json
import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from data.evaluation import UNPARSEABLE
from data.rows.selection import find_rows
from data.runs import draft_changes, load
from metrics.confusion.axis import Group
from metrics.confusion.class_order import Order
from metrics.confusion.counts import confusion_counts_from_matrix
from metrics.confusion.matrix import arrange
from metrics.findings.tables import count_confusions
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_file
from ui.matrix import families, matrix, matrix_tables, standouts
from ui.matrix.class_groups import read_groups, write_groups
from ui.view.address import read_query
from ui.view.open_runs import evaluation_of


@pytest.fixture
def drawn(monkeypatch):
    """Return what the page hands to the matrix; the picture itself is for a browser."""
    calls: list[dict] = []
    monkeypatch.setattr(matrix, "matrix_view", lambda block, labels, **rest: calls.append({"block": block, **rest}))
    return calls


def rows_said(app: AppTest) -> int:
    """Return the number in the panel's link to the page Rows."""
    labels = [link.proto.label for link in app.get("page_link")]
    (count,) = [match[1] for label in labels if (match := re.fullmatch(r"All ([\d,]+) rows", label))]
    return int(count.replace(",", ""))


HOLES = [["a", "a"]] * 5 + [["a", ""]] * 3 + [["b", "a"]] * 4 + [["", "b"]] * 2 + [["c", "c"]] * 2 + [["", "a"]]
"""Rows without a truth or without a prediction among the others."""


def kept(folder: Path, rows: list[list[str]]) -> str:
    """The run of a file of truths and predictions."""
    path = folder / "file.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["label", "prediction"], *rows])
    return keep_file(path)


def confusion(query: dict[str, str], run: str = "digits") -> AppTest:
    app = open_page("confusion", run=run, **query)
    assert not app.exception
    return app


def slow_count(run: str, true: tuple[int, ...], pred: tuple[int, ...], errors: bool = False) -> int:
    """Rows of a cell or block, one at a time, of the rows that are scored."""
    e = evaluation_of(run)
    assert e is not None
    pairs = zip(e.y_true.tolist(), e.y_pred.tolist(), e.scored.tolist(), strict=True)
    return sum(
        scored and (not true or t in true) and (not pred or p in pred) and not (errors and t == p)
        for t, p, scored in pairs
    )


@pytest.mark.parametrize(
    ("query", "true", "pred"),
    [
        ({"true": "1", "pred": "8"}, (1,), (8,)),
        ({"true": "1"}, (1,), ()),
        ({"block": "0-3/2-5"}, (0, 1, 2, 3), (2, 3, 4, 5)),
        ({"block": "/8-9"}, (), (8, 9)),
    ],
)
def test_link_to_a_cell_shows_its_rows(drawn, query, true, pred):
    app = confusion(query)
    assert rows_said(app) == slow_count("digits", true, pred)
    assert drawn[-1]["selected"] == (true, pred)


def test_title_and_panel_say_what_is_chosen(drawn):
    app = confusion({})
    assert drawn[-1]["selected"] == ((), ())
    assert [one.value for one in app.header] == ["What stands out"]
    app = confusion({"true": "8", "pred": "1"})
    assert [one.value for one in app.title] == ["5 of 87 `class 8` rows were predicted as `class 1`"]
    assert [one.value for one in app.header] == ["Rows: true class `8`, predicted as `class 1`"]
    assert "5.7\u00a0% of the true class. 8 rows were confused the other way." in texts(app)
    app.button(key="cell.back").click().run()
    assert dict(app.query_params) == {"run": "digits"}
    assert [one.value for one in app.header] == ["What stands out"]
    assert [one.value for one in app.title] == ["8 of 102 `class 1` rows were predicted as `class 8`"]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"true": "a"}, "4 of 6 `a` rows are wrong, most often predicted as `b`"),
        ({"true": "a", "only": "errors"}, "4 of 6 `a` rows are wrong, most often predicted as `b`"),
        ({"true": "b"}, "2 of 2 `b` rows are wrong"),  # once each: no label is the most frequent
        ({"true": "c"}, "1 of 8 `c` rows was predicted as `b`"),
        ({"true": "d"}, "5 of 5 `d` rows were predicted correctly"),
        ({"true": "e"}, "`e` has no true rows"),
        ({"pred": "b"}, "4 of 4 rows predicted as `b` are wrong, most often `a` rows"),
        ({"pred": "b", "only": "errors"}, "4 rows of 2 other classes were predicted as `b`"),
        ({"pred": "a"}, "1 of 3 rows predicted as `a` is truly `b`"),
        ({"pred": "d"}, "5 of 5 rows predicted as `d` are right"),
        ({"pred": "f"}, "No row was predicted as `f`"),
    ],
)
def test_title_judges_a_chosen_line(tmp_path, query, sentence):
    cells = {"aa": 2, "ab": 3, "ac": 1, "ba": 1, "be": 1, "cc": 7, "cb": 1, "dd": 5, "ff": 0}
    run = kept(tmp_path, [list(cell) for cell, n in cells.items() for _ in range(n)] + [["f", "c"]])
    assert [title.value for title in confusion(query, run).title] == [sentence]


def test_steps_colour_ordered_labels_alone(drawn, tmp_path):
    run = kept(tmp_path, [["1", "3"], ["2", "2"], ["3", "3"], ["1", "1"]] * 5)
    confusion({"norm": "steps"}, run)
    assert drawn[-1]["normalise"] == "none"
    ordered = draft_changes.correct(run, load.draft_of(run).settings, {"order": ("1", "2", "3")})
    app = confusion({"norm": "steps"}, ordered)
    assert drawn[-1]["normalise"] == "steps" and drawn[-1]["block"].ranks == (0, 1, 2)
    assert "Steps off" in app.selectbox(key="view.norm").options


def test_family_shows_its_wrong_rows(drawn, monkeypatch, tmp_path):
    tables: list[dict] = []
    monkeypatch.setattr(families, "draw_table", lambda table, **rest: tables.append({"table": table, **rest}))
    run = kept(tmp_path, [["a/x", "a/y"], ["a/y", "b/x"], ["b/x", "b/x"], ["b/y", "b/y"]] * 5)
    confusion({}, run)
    assert not tables, "nobody said that labels have groups"
    grouped = draft_changes.correct(run, load.draft_of(run).settings, {"separator": "/"})
    app = confusion({"block": "0-1/", "only": "errors"}, grouped)
    assert tables[-1]["table"].title == "5 of 10 wrong rows (50.0 %) were predicted in the right family"
    assert [[cell.written.text for cell in row[1:]] for row in tables[-1]["table"].rows] == [
        ["10", "1.000", "0.500", "0.667", "10", "5"], ["10", "0.667", "1.000", "0.800", "0", "0"]
    ]  # fmt: skip
    assert tables[-1]["opened"] == "0" and rows_said(app) == 10
    monkeypatch.setattr(matrix.url, "put", lambda **view: tables.append(view))
    tables[-1]["on_choose"]("0")
    assert (tables[-1]["block"], tables[-1]["only"]) == ("0-1/", "errors")


def test_title_of_an_empty_cell_says_so(drawn):
    app = confusion({"true": "0", "pred": "1"})
    assert [one.value for one in app.title] == ["No row of `class 0` was predicted as `class 1`"]
    assert not any("match" in text or "0 %" in text or "0\u00a0%" in text for text in texts(app))


def test_row_in_view_opens_in_the_panel(drawn):
    row = int(np.flatnonzero((evaluation_of("digits").y_true == 1) & (evaluation_of("digits").y_pred == 8))[0]) + 1
    app = confusion({"true": "1", "pred": "8", "row": str(row)})
    app.button(key="cell.row.back").click().run()
    assert "cell.row.back" not in [button.key for button in app.button]


def test_answers_without_a_label_are_a_prediction(drawn):
    e = evaluation_of("support-intents-llm")
    code = e.labels.index("product_availability")
    app = confusion({"true": "product_availability", "only": "unparseable"}, run="support-intents-llm")
    assert rows_said(app) == slow_count("support-intents-llm", (code,), (UNPARSEABLE,))
    assert drawn[-1]["selected"] == ((code,), (UNPARSEABLE,))
    unread = e.y_true[e.y_pred == UNPARSEABLE]
    title = f"{len(unread)} of {e.n_scored:,} rows were left without a label, most often `{{}}` rows"
    fullest = e.labels[np.bincount(unread).argmax()]
    assert confusion({"only": "unparseable"}, run="support-intents-llm").title[0].value == title.format(fullest)


@pytest.mark.parametrize("run", ["support-intents", "support-intents-llm", "digits", "screening", "holes"])
def test_lines_of_the_panel_lead_to_their_rows(run, tmp_path):
    evaluation = evaluation_of(kept(tmp_path, HOLES) if run == "holes" else run)
    found = standouts.find(evaluation)
    assert found.steps
    for item in (item for section in found.sections for item in section.items):
        if not item.chosen:
            assert item.amount == "0"
            continue
        said = [item.amount, *([item.share] if "the other" in item.share else [])]
        numbers = [int(re.match(r"[\d,]+", text)[0].replace(",", "")) for text in said]
        rows = find_rows(evaluation, standouts.as_counted(evaluation, found.steps[item.chosen]))
        assert len(rows) == sum(numbers), item


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("support-intents", "1,077 of 1,319 wrong rows were predicted as one of 9 classes"),
        ("digits", "8 of 102 `class 1` rows were predicted as `class 8`"),
        ("right", "All 2 rows are predicted correctly"),
        ("once", "1 of 1 `a` row was predicted as `b`"),
    ],
)
def test_title_says_what_is_most_often_wrong(run, said, tmp_path):
    files = {"right": [["a", "a"], ["b", "b"]], "once": [["a", "b"], ["b", "b"]]}
    run = kept(tmp_path, files[run]) if run in files else run
    assert standouts.title(evaluation_of(run)) == said


def test_picked_cell_becomes_the_view(drawn):
    app = confusion({"errors": "1"})
    pick = drawn[-1]["on_pick"]
    for true, pred, only in [((1,), (8,), None), ((1,), (), "errors"), ((1, 8), (1, 8), "errors"), ((), (), None)]:
        put = _put(app, pick, true, pred)
        assert put["only"] == (only or "all"), (true, pred)
    assert _put(app, pick, (1, 8), (1, 8))["block"] == "1,8/1,8"


def _put(app, pick, true, pred) -> dict:
    """Return what a pick puts into the view."""
    found: dict = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrix.url, "put", lambda **view: found.update(view))
        patch.setattr(matrix.url, "get", {"errors": True}.__getitem__)
        pick(true, pred)
    return found


def test_whole_row_counts_only_scored_rows(drawn, tmp_path):
    app = confusion({"true": "a", "only": "scored"}, run=kept(tmp_path, HOLES))
    assert rows_said(app) == 5, "three more have no prediction"


def test_all_classes_show_until_a_number_is_typed(drawn):
    app = confusion({})
    field = app.number_input(key="matrix.worst")
    assert field.value is None and field.placeholder == "all"
    app = field.set_value(3).run()
    assert drawn[-1]["block"].n_classes == 3 and app.query_params["worst"] == "3"
    app = app.number_input(key="matrix.worst").set_value(0).run()
    assert app.number_input(key="matrix.worst").value is None and drawn[-1]["block"].n_classes == 10
    assert "worst" not in app.query_params


def test_prefix_grouping_finds_a_separator(drawn):
    app = confusion({}, run="support-intents")
    app.segmented_control(key="view.group").set_value("prefix").run()
    assert app.query_params["group"] == "prefix"
    assert app.query_params["sep"] == "_"
    block = drawn[-1]["block"]
    assert len(block.groups) == 11
    assert {outline.name for outline in block.outlines} == {group.name for group in block.groups}


def test_group_collapses_and_its_counts_add_up(drawn):
    app = confusion({"group": "prefix", "sep": "_"}, run="support-intents")
    whole = drawn[-1]["block"]
    app.button(key="groups.collapse").click().run()
    block = drawn[-1]["block"]
    assert block.rows.shape == (11, 11)
    assert app.query_params["closed"] == "0-10"
    codes = [np.flatnonzero(np.isin(whole.row_codes, block.members(code))) for code in block.row_codes.tolist()]
    slow = [[whole.rows[np.ix_(i, j)].sum() for j in codes] for i in codes]
    assert block.rows.tolist() == slow
    app.button(key="groups.expand").click().run()
    assert "closed" not in app.query_params
    assert drawn[-1]["block"] is whole, "the same block again need not be sent again"


def test_pasted_groups_are_used_and_errors_named(drawn):
    app = confusion({"group": "own"})
    app.text_area(key="groups.lines").set_value("1,round\n8,round\n9,straight\nten,round\n1,straight\nnothing")
    app.button(key="groups.apply").click().run()
    assert app.query_params["map"] == "round=1,8;straight=9"
    assert [(g.name, g.codes) for g in drawn[-1]["block"].groups] == [("round", (1, 8)), ("straight", (9,))]
    said = texts(app)
    assert "1 line names no label of this file: ten." in said
    assert "The first group counts for labels with two: 1." in said
    assert "No label and group on line 6." in said


def test_too_long_groups_are_refused(drawn):
    app = confusion({"group": "own", "map": "a=1"})
    app.text_area(key="groups.lines").set_value(f"1,{'x' * 7000}")
    app.button(key="groups.apply").click().run()
    assert app.query_params["map"] == "a=1"
    assert "7,002 characters in a link, which can carry 6,000: not used" in texts(app)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"group": "own", "map": "a=1;b=1"}, "map=a=1;b=1 in the link: it names no groups"),
        ({"group": "own", "map": "a=77"}, "map=a=77 in the link: it names no groups"),
        ({"pick": "x"}, "pick=x in the link: it names no classes"),
        ({"group": "own", "map": "a=1", "closed": "4"}, "closed=4 in the link: it names no groups"),
        ({"block": "99/1"}, "block=99/1 in the link: this file has no such labels"),
    ],
)
def test_link_to_missing_labels_says_so(drawn, query, said):
    app = confusion(query)
    assert said in texts(app)
    assert drawn[-1]["block"].n == 899


def test_a_chosen_subset_keeps_the_others_as_one(drawn):
    app = confusion({})
    app.multiselect(key="groups.pick").set_value([1, 8, 9]).run()
    assert app.query_params["pick"] == "1,8-9"
    assert drawn[-1]["block"].row_codes.tolist() == [1, 8, 9, -3]
    assert drawn[-1]["block"].n == 899


@pytest.mark.parametrize("order", get_args(Order))
def test_every_order_is_a_choice_and_an_address(drawn, order):
    app = confusion({})
    app.selectbox(key="view.order").set_value(order).run()
    assert read_query({"order": order}, "confusion") == (read_query({}, "confusion")[0] | {"order": order}, [])
    assert (
        drawn[-1]["block"].row_codes.tolist()
        == arrange(count_confusions(evaluation_of("digits")), order=order).row_codes.tolist()
    )


def test_too_many_classes_are_folded_and_named(drawn, tmp_path):
    names = [f"class {i:04d}" for i in range(2500)]
    app = confusion({}, run=kept(tmp_path, [[name, name] for name in names] * 3 + [["class 0007", "class 0009"]]))
    assert "With 2,500 classes, the 1,000 with the most errors are shown" in texts(app)
    assert drawn[-1]["block"].n_classes == 1000
    assert drawn[-1]["block"].n == 7501


def test_colours_and_selection_leave_the_block_alone(drawn):
    confusion({"norm": "all"})
    confusion({"norm": "none", "errors": "1", "log": "1", "true": "1"})
    assert drawn[0]["block"] is drawn[-1]["block"]
    assert (drawn[-1]["normalise"], drawn[-1]["errors_only"], drawn[-1]["log"]) == ("none", True, True)


def test_look_alike_names_stay_apart_in_tables():
    counts = confusion_counts_from_matrix([[1, 0], [0, 2]], ("x" * 300 + "a", "x" * 300 + "b"))
    frame = matrix_tables.matrix_frame(counts.labels, arrange(counts))
    assert frame.shape == (2, 2)
    assert frame.columns.is_unique


groups = st.lists(
    st.tuples(st.text(min_size=1, max_size=6), st.sets(st.integers(0, 30), min_size=1, max_size=5)), max_size=5
)


@given(groups)
def test_groups_survive_the_way_through_an_address(drawn_groups):
    taken: set[int] = set()
    made = []
    for name, codes in dict(drawn_groups).items():
        own = tuple(sorted(codes - taken))
        taken |= codes
        if own:
            made.append(Group(name, own))
    assert read_groups(write_groups(made), 31) == tuple(made)


def test_cell_shows_pictures_of_its_rows():
    evaluation, lists = evaluation_of("digits"), {}
    for part in confusion({"true": "1", "pred": "9"}).get("bidi_component"):
        for section in json.loads(part.proto.json or "{}").get("sections", []):
            lists[section["title"]] = section["items"]
    mistakes, *correct = lists.values()
    cell = np.flatnonzero((evaluation.y_true == 1) & (evaluation.y_pred == 9)) + 1
    assert {int(item["chosen"]) for item in mistakes} == {*cell.tolist()} and all(i["picture"] for i in mistakes)
    assert [*lists][1:] == ["Correct rows of class 1", "Correct rows of class 9"]
    assert all(item["picture"] and not item["chosen"] for items in correct for item in items)
