"""The classes page: the worst first, undefined says why, a class opens beside the table, every list leads to rows."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Settings
from data.rows.selection import find_rows
from export.evaluation.averages_result import averages_result
from export.measurement import measure
from metrics.intervals.statistic import Interval
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_text
from tests.ui.matrix.test_matrix import kept
from ui.classes import class_numbers, class_panel, class_table, list_panel
from ui.limits import SHOWN_CLASSES
from ui.rows.row_choice import only_counted
from ui.view.open_runs import evaluation_of
from ui.view.result_table import result_table


def test_table_puts_the_worst_f1_first():
    e = evaluation_of("support-intents")
    order = class_numbers.worst_first(e)
    rows = class_table.class_table(e, order).rows
    assert [row[0].name for row in rows[:2]] == ["order_change", "voucher_expired"]
    f1, precision, recall, *_ = rows[0][1:]
    assert precision == ("undefined (0 of 0), because no row is predicted as this class", "undefined")
    assert recall[:3] == pytest.approx((0.0, 0.0, 0.148655), abs=1e-6)
    assert recall.about.endswith("(Wilson, 22 rows)") and not recall.few
    assert f1.few and f1.about.endswith("too few rows to tell") and rows[0][-2:] == ((22,), (0,))
    values = [row[1].value for row in rows]
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("support-intents", "15 of 77 classes are never predicted; 11 more have F1 below 0.2"),
        ("support-intents-llm", "1 of 77 classes is never predicted: `delivery_pickup`; 11 more have F1 below 0.2"),
        ("movie-genres", "`documentary` is the weakest label: F1 0.132"),
        ("digits", "`class 8` is the weakest class: F1 0.854"),
    ],
)
def test_title_says_which_classes_are_weak(run, said):
    assert open_page("classes", run=run).title[0].value == said


@pytest.mark.parametrize(
    ("pred", "said"),
    [
        ("aabbcc", "Every class with true rows has F1 1.000"),
        ("bbaacc", "2 of 3 classes have F1 below 0.2"),
        ("abbacc", "`a` and `b` are the weakest: F1 0.500"),
        ("abbbcc", "`a` is the weakest class: F1 0.667"),
    ],
)
def test_title_names_every_weakest_class(module_store, tmp_path, pred, said):
    lines = [f"{truth},{label}" for truth, label in zip("aabbcc", pred, strict=True)]
    run = keep_text(tmp_path / "p.csv", "\n".join(["label,prediction", *lines]))
    assert open_page("classes", run=run).title[0].value == said


def test_panel_says_the_reason_of_each_rate():
    """Few heavy rows decide one rate, the interval of another is wide: each has its own reason."""
    made = Interval(0.5, 0.45, 0.55, 0.02, "Wilson", 0.95, 400, None)
    wide, decided = made._replace(low=0.2, high=0.8), made._replace(few_decide=True)
    said = class_panel._intervals({"F1": decided, "precision": wide, "recall": decided, "accuracy": made})
    assert said.endswith(". F1, recall: too few rows decide it. precision: too few rows to tell.")


def test_averages_that_few_rows_decide_say_so():
    """Of 400 rows 4 are wrong: they decide macro F1, not micro F1."""
    truth = ["a", "b"] * 200
    table = pa.table({"y_true": truth, "y_pred": ["b", "a", "b", "a", *truth[4:]]})
    made = build(table, Settings(truth="y_true", pred="y_pred"), name="t", content_sha256="few")
    (table,) = averages_result(measure(made)).tables
    few = {str(row[0]): row[3].few for row in table.rows}
    assert few["Micro"] == "" and few["Macro, classes seen"] == "too few rows decide it"
    notes = {item.words[0]: item.note[0] for item in list_panel._averages(made).items}
    assert notes["Micro"].endswith("recall 0.990") and notes["Macro, classes seen"].endswith("; too few rows decide it")


def test_level_in_the_address_widens_intervals():
    app = open_page("classes", run="digits", ci="0.99", **{"class": "8"})
    assert "99 % intervals: F1 0.766 to 0.912, Precision 0.713 to 0.912, Recall 0.755 to 0.939" in texts(app)
    app = open_page("classes", run="digits", ci="0.99")
    app.selectbox(key="classes.level").set_value(0.8).run()
    assert dict(app.query_params) == {"run": "digits", "ci": "0.8"}


def test_clusters_that_were_found_widen_intervals():
    said = texts(open_page("classes", run="triage"))
    assert "Rows with the same `template` belong together: 22 clusters." in said


def test_class_opens_beside_the_table_and_closes():
    app = open_page("classes", run="support-intents", **{"class": "order_change"})
    assert app.header[0].value == "`order_change`"
    assert "22 true rows, never predicted" in texts(app)
    assert "Precision is undefined (0 of 0), because no row is predicted as this class." in texts(app)
    app.button(key="class.back").click().run()
    assert dict(app.query_params) == {"run": "support-intents"}
    assert app.header[0].value == "All classes"


def test_chip_filters_the_table_and_opens_rows(monkeypatch):
    shown = []
    monkeypatch.setattr(result_table, "_component", lambda **mount: shown.append(mount["data"]["rows"]))
    app = open_page("classes", run="support-intents")
    app.pills(key="view.list").set_value("never").run()
    assert (len(shown[0]), len(shown[-1])) == (77, 15)
    assert app.header[0].value == "Never predicted: 15 classes"
    assert [link.proto.label for link in app.get("page_link")] == ["Their 277 true rows"]
    app.text_input(key="view.q").set_value("voucher").run()
    assert {row["cells"][0]["text"] for row in shown[-1]} == {"voucher_expired", "voucher_invite", "voucher_points"}


def test_lines_of_a_class_lead_to_their_rows(tmp_path):
    rows = [["a", "a"]] * 5 + [["a", "b"]] * 2 + [["a", ""]] * 3 + [["b", "a"]] * 4 + [["", "a"]]
    for run in (kept(tmp_path, rows), "support-intents"):
        e = evaluation_of(run)
        sections, steps = class_panel._lists(e, 0)
        for item in (item for section in sections for item in section.items):
            assert len(find_rows(e, only_counted(e, steps[item.chosen]))) == int(item.amount.replace(",", ""))


def test_class_balance_counts_the_true_rows():
    e = evaluation_of("support-intents")
    section = list_panel._balance(e)
    support = np.bincount(e.y_true[e.scored], minlength=len(e.labels))
    for item in section.items:
        if item.chosen:
            assert item.amount == f"{support[int(item.chosen)]:,}"
    assert section.items[SHOWN_CLASSES].words == ("71 more classes",)


def test_averages_of_equal_numbers_are_one_line():
    items = {item.words[0]: item for item in list_panel._averages(evaluation_of("support-intents")).items}
    assert [*items] == [
        "Micro",
        "Macro, classes seen",
        "Macro, classes seen, zero_division=0",
        "Weighted by true rows",
        "Weighted by true rows, zero_division=0",
    ]
    same = "".join(items["Macro, classes seen"].note)
    assert same.endswith(". It is the same over classes with true rows and all listed classes")


def test_averages_that_read_alike_stay_apart(monkeypatch):
    monkeypatch.setattr(list_panel, "bounds_of", lambda interval: "")
    rows = pa.table({"y": ["a"] * 3 + ["b"] * 3, "p": ["b"] * 3 + ["a"] * 3})
    settings = Settings(truth="y", pred="p", label_set=("a", "b", "c"))
    items = list_panel._averages(build(rows, settings, name="t", content_sha256="alike")).items
    assert [item.words[0] for item in items if "It is the same over" in "".join(item.note)] == ["Macro, classes seen"]
    assert [item.words[0] for item in items[2:4]] == [
        "Macro, all listed classes", "Macro, all listed classes, zero_division=0"
    ]  # fmt: skip


def test_class_is_drawn_again_in_later_runs():
    app = open_page("classes", run="screening", **{"class": "cancer"})
    for _ in range(2):
        assert not app.run().exception
