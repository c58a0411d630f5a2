"""The page Slices: what is worse is its title; a slice opens its rows and becomes the filter."""

import numpy as np
import pytest
from sklearn.metrics import matthews_corrcoef, roc_auc_score

from data.comparison.slice_columns import slices_by
from tests.opened_pages import open_page, shown_tables, texts
from tests.opened_runs import keep_file, open_run
from ui.frame.menu import empty_pages


def upload(folder, columns: dict[str, list[str]]) -> str:
    path = folder / "p.csv"
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines))
    return keep_file(path)


def labels(n: int, wrong: np.ndarray) -> dict[str, list[str]]:
    truth = np.arange(n) % 2
    return {"label": ["ab"[t] for t in truth], "prediction": ["ab"[t] for t in truth ^ wrong]}


@pytest.fixture(scope="module")
def run(_store, tmp_path_factory) -> str:
    """600 rows; those of BR are often wrong, the others seldom; a column of texts, and one of one value."""
    rng = np.random.default_rng(5)
    country = rng.choice(["DE", "FR", "BR"], 600, p=[0.45, 0.45, 0.1])
    wrong = np.where(country == "BR", rng.random(600) < 0.6, rng.random(600) < 0.1)
    channel = rng.choice(["web", "shop", ""], 600)
    texts = [f"words {i}" for i in range(600)]
    columns = labels(600, wrong) | {"country": list(country), "channel": list(channel), "text": texts, "v": ["1"] * 600}
    return upload(tmp_path_factory.mktemp("file"), columns)


def slices_of(app) -> list[list[dict]]:
    """Cells of every slice: name, rows, metric, difference to the rest, p."""
    return next(cells for title, cells in shown_tables(app).items() if title.endswith(" by slice"))


def test_the_worst_slice_is_the_title(run):
    app = open_page("slices", run=run)
    assert app.title[0].value.startswith("Accuracy is ") and "where `country` = `BR`" in app.title[0].value
    rows = slices_of(app)
    assert rows[0][0]["text"] == "country = BR" and rows[0][3]["mood"] == "worse" and rows[0][4]["text"] == "< 0.001"
    said = texts(app)
    assert "`text` (600 different texts)" in said
    assert "`v` (one value only)" in said


def test_lowest_slices_stand_where_none_is_worse(tmp_path):
    columns = labels(60, np.arange(60) % 6 == 0) | {"region": [["east", "west"][i // 2 % 2] for i in range(60)]}
    app = open_page("slices", run=upload(tmp_path, columns))
    assert app.title[0].value == "No slice is worse than the rest in accuracy"
    found = [row[3]["value"] for row in slices_of(app)]
    assert len(found) == 2 and found == sorted(found)


def test_column_shows_every_value_and_missing(run):
    app = open_page("slices", run=run, column="channel", metric="recall", **{"class": "b"})
    found = shown_tables(app)["Recall of b by slice"]
    assert {row[0]["text"] for row in found} == {"web", "shop", "missing"}
    assert sum(row[1]["value"] for row in found) == 600
    crossed = open_page("slices", run=run, column="channel", cross="country")
    assert len(slices_of(crossed)) == 9 and not crossed.exception


def test_slices_are_listed_by_scores(_store):
    evaluation, chosen = open_run("triage"), {"column": "channel", "metric": "roc_auc"}
    app = open_page("slices", run="triage", slice="channel=mail", **chosen)
    (cells,) = (cells for title, cells in shown_tables(app).items() if title.endswith("by ROC AUC, the worst first"))
    is_true, channel = evaluation.y_true == evaluation.positive, np.array(evaluation.rows["channel"].to_pylist())
    for name, _, auc, difference, p in cells:
        inside = channel == name["text"]
        areas = [roc_auc_score(is_true[rows], evaluation.y_score[rows, 0]) for rows in (inside, ~inside)]
        assert (auc["value"], difference["value"]) == pytest.approx((areas[0], areas[0] - areas[1]), abs=1e-6)
        assert 0 <= p["value"] <= 1
    assert app.title[0].value.startswith(f"ROC AUC is {cells[0][2]['value']:.3f} where `channel` = `phone`")
    assert any(header.value == "`channel` = `mail`" for header in app.header) and "1,218 of 2,400 rows" in texts(app)
    worst = open_page("slices", run="triage", metric="roc_auc")
    assert "accuracy" in worst.title[0].value.lower() and not worst.exception


def test_several_classes_have_numbers_of_one():
    evaluation, chosen = open_run("digits"), {"column": "ink", "metric": "class_mcc", "class": "8"}
    app = open_page("slices", run="digits", **chosen)
    cells = next(cells for title, cells in shown_tables(app).items() if "correlation" in title)
    way, code = slices_by(evaluation.rows, "ink"), evaluation.labels.index("8")
    truth, predicted = evaluation.y_true == code, evaluation.y_pred == code
    inside = [way.codes == place for place in range(len(way.values))]
    expected = sorted(matthews_corrcoef(truth[rows], predicted[rows]) for rows in inside)
    assert [row[2]["value"] for row in cells] == pytest.approx(expected)
    assert app.title[0].value.startswith("One-vs-rest Matthews correlation of")
    assert "of" in {box.label for box in app.selectbox}


def test_other_numbers_cross_names_with_commas(tmp_path):
    columns = labels(80, np.arange(80) % 6 == 0)
    columns |= {
        '"size, cm"': ["SL"[i // 2 % 2] for i in range(80)],
        "region": [["eu", "us"][i // 4 % 2] for i in range(80)],
    }
    run = upload(tmp_path, columns)
    app = open_page("slices", run=run, column="size, cm", cross="region", metric="mcc")
    assert not app.exception
    (cells,) = (cells for title, cells in shown_tables(app).items() if "by Matthews correlation" in title)
    assert {row[0]["text"] for row in cells} == {"S, eu", "S, us", "L, eu", "L, us"}


def test_a_slice_without_scored_rows_opens(tmp_path):
    region = ["eu", "us", "de"] * 30
    columns = labels(90, np.arange(90) % 6 == 0) | {"region": region}
    pred = ["" if at == "de" else label for at, label in zip(region, columns["prediction"], strict=True)]
    run = upload(tmp_path, columns | {"prediction": pred})
    app = open_page("slices", run=run, column="region", metric="mcc", slice="region=de")
    assert not app.exception and any("`de`" in header.value for header in app.header)


def test_a_slice_opens_and_becomes_the_filter(run):
    app = open_page("slices", run=run, slice="country=BR")
    assert any(header.value == "`country` = `BR`" for header in app.header)
    n = next(row[1]["text"] for row in slices_of(app) if row[0]["text"] == "country = BR")
    assert f"{n} of 600 rows" in texts(app)
    app.button(key="slice.filter").click().run()
    assert app.button(key="filter.0").label == "`country` = `BR`" and f"{n} of 600 rows" in texts(app)
    assert "where `country`" not in app.title[0].value


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"v": ["1"] * 300}, "`v` (one value only)"),
        ({"text": [f"words {i}" for i in range(300)]}, "`text` (300 different texts)"),
        ({}, "no columns besides labels"),
    ],
)
def test_columns_that_cannot_be_cut_are_named(_store, tmp_path, columns, words):
    name = upload(tmp_path, labels(300, np.arange(300) % 9 == 0) | columns)
    app = open_page("slices", run=name)
    assert empty_pages(open_run(name))["slices"].short == ("no groups" if columns else "no columns")
    assert words in texts(app) and app.title[0].value == "Slices: no column to slice by"


def test_groups_show_gaps_or_too_few_rows(run):
    app = open_page("slices", run=run, mode="groups", column="country")
    tables = shown_tables(app)
    assert {cells[0]["text"] for cells in tables["Rates of the groups"]} == {"DE", "FR", "BR"}
    assert [cells[5]["text"] for cells in tables["Gaps between groups"] if cells[0]["text"] == "accuracy"] == [
        "differs"
    ]
    assert "BR" in app.title[0].value
    other = open_page("slices", run=run, mode="groups", column="channel")
    assert other.title[0].value == "No gap between the groups of `channel` is more than chance"


def test_groups_of_a_label_are_compared(_store, tmp_path):
    rng = np.random.default_rng(4)
    sex, has = rng.choice(["f", "m"], 400), rng.random((400, 2)) < 0.5
    found = has & ~((sex == "f")[:, None] & (rng.random((400, 2)) < [0.5, 0.0]))
    sets = {name: ["|".join(np.array(["rude", "spam"])[row]) for row in rows]
            for name, rows in (("labels", has), ("predicted_labels", found))}  # fmt: skip
    run = upload(tmp_path, sets | {"sex": list(sex)})
    recall = [found[has[:, 0] & (sex == one), 0].mean() for one in "fm"]
    app = open_page("slices", run=run, mode="groups", **{"class": "rude"})
    assert app.selectbox(key="view.class").value == "rude"
    assert app.title[0].value == f"Recall (TPR) is {recall[0]:.3f} for `f` and {recall[1]:.3f} for `m`"


def test_groups_open_with_the_largest_gap(_store, tmp_path):
    rng = np.random.default_rng(3)
    team, sex, template = rng.integers(0, 2, 600), rng.integers(0, 2, 600), rng.integers(0, 12, 600)
    wrong = (rng.random(600) < 0.1 + 0.4 * sex + 0.1 * team) | (template == 3)
    columns = labels(600, wrong) | {
        "nr": [str(i) for i in range(600)], "team": [f"t{i}" for i in team], "template": [f"m{i}" for i in template],
        "sex": ["fm"[i] for i in sex],
    }  # fmt: skip
    own = upload(tmp_path, columns)
    app = open_page("slices", run=own, mode="groups")
    assert app.selectbox(key="view.column").value == "sex"
    assert app.selectbox(key="view.column").options == ["sex", "team", "template"]
    assert open_page("slices", run=own, mode="groups", column="team").selectbox(key="view.column").value == "team"


@pytest.mark.parametrize("columns", [{}, {"column": "input_tokens", "cross": "output_tokens"}], ids=["all", "crossed"])
def test_no_slice_is_worse_where_none_is_listed(_store, columns):
    app = open_page("slices", run="support-intents-run" if columns else "digits", **columns)
    assert app.title[0].value.startswith("No slice ") and "No slice is worse." in texts(app)
    assert not any(row[3].get("mood") == "worse" for row in slices_of(app))


def test_derived_columns_are_searched_where_chosen(tmp_path):
    rng = np.random.default_rng(4)
    wrong = rng.random(600) < 0.2
    days = [f"2026-{1 + i // 100:02}-{1 + i % 28:02}" for i in range(600)]
    columns = {"day": days, "correct": [str(not one) for one in wrong], "site": list(rng.choice(["n", "s"], 600))}
    own = upload(tmp_path, labels(600, wrong) | columns)
    app = open_page("slices", run=own)
    assert "Not searched: `correct` (says where the prediction is right)." in texts(app)
    assert "`correct`" not in app.title[0].value and "correct" in app.selectbox(key="view.column").options
    overview = texts(open_page("overview", run=own))
    assert "Not searched for worse slices: `correct` (says where the prediction is right)." in overview
    app = open_page("slices", run=own, column="correct", slice="correct=False")
    assert app.title[0].value == "Accuracy is 0.0\xa0% where `correct` = `False`, 100.0\xa0% elsewhere"
    assert "Not searched" not in texts(app) and len(slices_of(app)) == 2
    groups = open_page("slices", run=own, mode="groups").selectbox(key="view.column")
    assert groups.value == "site" and groups.options[-1] == "correct"
    moved = texts(open_page("slices", run=own, mode="time"))
    assert "Not compared: `correct` (says where the prediction is right)." in moved
    alone = open_page("slices", run=upload(tmp_path, labels(600, wrong) | {"correct": columns["correct"]}))
    assert alone.title[0].value.startswith("Slices: every column follows from") and not alone.exception
    assert "Choose a column to see all of its slices." in texts(alone)


def test_times_say_what_moved(run):
    app = open_page("slices", run="triage", mode="time")
    words = app.title[0].value.split()
    assert words[:3] == ["From", "`2026-05`", "on,"] and "`urgent`," in words
    assert [row[0]["text"] for row in slices_of(app)] == [f"2026-0{month}" for month in range(1, 7)]
    (chart,) = app.get("plotly_chart")
    levels = "83.9 % before 2026-05, 78.4 % from then on"
    assert chart.proto.alt == f"Accuracy is {levels}: no single period is clearly worse"
    (moved,) = (cells for cells in shown_tables(app).values() if cells[0][0]["text"] == "True label")
    assert [cells[0]["text"] for cells in moved[1:3]] == ["Score of urgent", "Predicted label"]
    other = open_page("slices", run="screening", mode="files", **{"with": "run.digits"})
    assert "have no label in common" in texts(other)
    same = open_page("slices", run="triage", mode="files", **{"with": "run.triage"})
    name = "`Message triage, two models`"
    assert same.title[0].value == f"In {name}, nothing moved more than chance explains"
    later = open_page("slices", run="triage", mode="time", since="2026-06")
    assert later.title[0].value.startswith("From `2026-06` on")
    assert open_page("slices", run=run, mode="time").title[0].value == "Over time: no column of dates"


def test_unknown_parts_of_a_link_are_named(run):
    app = open_page("slices", run=run, column="nope", slice="country=XX")
    said = [text.value for text in app.text]
    assert "Ignored column=nope in the link: this file has no such column to slice by." in said
    assert "Ignored the slice 'country' = 'XX' in the link: this file has no such slice." in said
    assert "slice" not in app.query_params and "column" not in app.query_params


def test_two_days_are_compared(_store, tmp_path):
    days = {"day": ["2026-01-01"] * 100 + ["2026-01-02"] * 100}
    app = open_page("slices", run=upload(tmp_path, labels(200, np.arange(200) % 9 == 0) | days), mode="time")
    assert app.title[0].value == "From `2026-01-02` on, nothing moved more than chance explains"


def test_slices_of_one_row_cannot_be_told(_store, tmp_path):
    codes = [f"c{i}" for i in range(150)]
    app = open_page(
        "slices", run=upload(tmp_path, labels(150, np.arange(150) % 9 == 0) | {"branch": codes}), column="branch"
    )
    assert app.title[0].value == "The slices by `branch` have too few rows to tell"
    assert {row[4]["text"] for row in slices_of(app)} == {"too few rows to tell"}


def test_repeated_questions_open_with_their_answers(_store, tmp_path):
    """The part is offered where questions repeat; a question left open is no slice of another part."""
    ids, seeds = [f"q{i // 4}" for i in range(40)], [str(i % 4) for i in range(40)]
    truth = ["ab"[i // 4 % 2] for i in range(40)]
    answers = ["ba"["ab".index(label)] if i % 5 == 0 else label for i, label in enumerate(truth)]
    own = upload(tmp_path, {"id": ids, "seed": seeds, "label": truth, "prediction": answers})
    app = open_page("slices", run=own, mode="repeats", slice="id=q0")
    assert app.title[0].value == "8 of 10 repeated questions are answered right only sometimes"
    assert [cells[0]["text"] for cells in shown_tables(app)[_DIVIDED]][:2] == ["q0", "q1"]
    assert "3 of 4 answers are right" in texts(app)
    assert "Ignored" not in texts(open_page("slices", run=own, slice="id=q0"))


_DIVIDED = "Questions with right and wrong answers, the most divided first"
