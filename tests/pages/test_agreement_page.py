"""The page Agreement: what was found, what a person chooses, a judge as an evaluation, and what is missing."""

import pytest
from sklearn.metrics import cohen_kappa_score

from data.runs.draft import Given
from tests.opened_pages import open_page, shown_tables, texts
from tests.opened_runs import keep_file

SEVEN = "columns,7,anna,ben,chloe,dmitri,judge_large,judge_large_swapped,judge_small"
JUDGED = f"{SEVEN},judge_large,majority,anna,ben,chloe,dmitri"


def test_agreement_shows_judge_people_and_bias():
    app = open_page("agreement", run="answer-ratings")
    assert (
        app.title[0].value == "`judge_large` matches the majority of people in 77.8\N{NO-BREAK SPACE}% of the units; "
        "one person does in 74.7\N{NO-BREAK SPACE}% on average"
    )
    said, tables = texts(app), shown_tables(app)
    assert "7 raters, 3 of them models · 600 units" in said and "337 units on which raters disagree" in said
    # counted by hand from the four columns of people
    assert "Two people or more rated 299 units: 256 have a majority, 43 a tie. All people agree in 150." in said
    ceiling = {cells[0]["text"]: cells for cells in tables["Against the majority of the other people"]}
    assert [cell["text"] for cell in ceiling["judge_large"][1:3]] == ["judge", "77.8 %"]
    assert ceiling["anna"][1]["text"] == "person"
    large = ceiling["judge_large"][2]
    assert large["ends"] == "72.4\u00a0to 82.5\u00a0%" and large["about"] == "Wilson"
    assert {cells[0]["text"] for cells in tables["Agreement on each category"]} == {"a", "b", "tie"}
    longer = {cells[0]["text"]: cells for cells in tables["Prefers the longer answer"]}
    assert longer["judge_large"][3]["text"].startswith("+7.7 points")
    assert longer["anna"][3]["text"] == "no difference found"
    rates = [cells[2] for cells in tables["True rates, corrected for the judge's errors"]]
    assert [rate["text"] for rate in rates] == ["48.6 %", "41.8 %", "undefined"]
    app.button(key="agreement.open").click().run()
    assert app.query_params["judged"] == JUDGED


def test_pair_shows_where_they_differ():
    app = open_page("agreement", run="answer-ratings", pair="chloe,judge_small", show="agreement", ci="0.9")
    said = texts(app)
    assert "They agree in 41.1 % of 263 units" in said and "one is stricter" in said
    assert "Where they differ" in str([part.proto.json for part in app.get("bidi_component")])
    app.button(key="agreement.pair.back").click().run()
    assert "pair" not in app.query_params and "Most contested" in [head.value for head in app.header]


def test_order_of_labels_weights_kappa(tmp_path):
    """Words have an order once a person gave it; the panel then has both weighted kappas, as scikit-learn has."""
    names = ("low", "medium", "high")
    label, prediction = [names[i % 3] for i in range(60)], [names[min(2, i % 3 + i % 5 // 4)] for i in range(60)]
    path = tmp_path / "ordered.csv"
    path.write_text("label,prediction\n" + "".join(f"{a},{b}\n" for a, b in zip(label, prediction, strict=True)))
    said = {
        order: texts(open_page("agreement", run=keep_file(path, Given(order=order)), raters="label,prediction",
                               pair="label,prediction"))
        for order in ((), names)
    }  # fmt: skip
    assert "Weighted by steps" not in said[()]
    linear, quadratic = (cohen_kappa_score(label, prediction, labels=names, weights=w) for w in ("linear", "quadratic"))
    assert f"Weighted by steps, kappa is {linear:.3f} (" in said[names]
    assert f"By their squares, it is {quadratic:.3f} (" in said[names]


@pytest.mark.parametrize("page", ["overview", "confusion", "classes", "rows"])
def test_judge_is_an_evaluation_on_all_pages(page):
    app = open_page(page, run="answer-ratings", judged=JUDGED)
    assert "the truth is the majority of `anna`, `ben`, `chloe` and 1 more" in texts(app)
    if page == "overview":
        assert "Accuracy 77.8 %" in texts(app)
        app.button(key="judged.back").click().run()
        assert "judged" not in app.query_params and "Accuracy 77.8 %" not in texts(app)


def test_judge_that_is_not_there_is_told():
    app = open_page("overview", run="digits", judged=JUDGED)
    assert "Ignored the judge in the link." in texts(app)


def test_file_of_one_model_offers_to_name_raters():
    app = open_page("agreement", run="digits")
    assert app.title[0].value == "No second rater was found"
    app.multiselect(key="agreement.columns").set_value(["label", "predicted"]).run()
    assert app.query_params["raters"] == "label,predicted" and "93.2\N{NO-BREAK SPACE}%" in texts(app)
    refused = open_page("agreement", run="digits", raters="label,nothing")
    assert refused.title[0].value == "These raters cannot be compared" and not refused.exception


def test_lines_of_ratings_open_as_rater_columns(tmp_path):
    path = tmp_path / "lines.csv"
    verdicts = [(f"i{i}", who, "good" if (i * 7 + at) % 3 else "bad") for i in range(30) for at, who in
                enumerate(("ann", "bob", "gpt4"))]  # fmt: skip
    path.write_text("item,annotator,label\n" + "".join(",".join(one) + "\n" for one in verdicts))
    app = open_page("open", run=keep_file(path))
    app.button(key="open.raters").click().run()
    assert app.title[0].value.startswith("`rater gpt4` matches the majority of people in")
    assert "3 raters, 1 of them a model · 30 units" in texts(app)


def test_raters_without_a_shared_unit_cannot_be_compared(tmp_path):
    path = tmp_path / "raters.csv"
    said = ["good" if i % 3 else "bad" for i in range(12)]
    lines = [f"{i},{one if i < 6 else ''},{'' if i < 6 else one}" for i, one in enumerate(said)]
    path.write_text("\n".join(["unit,rater_anna,rater_ben", *lines]))
    app = open_page("agreement", run=keep_file(path))
    assert app.title[0].value == "These raters cannot be compared"
    assert "No two of these raters have rated the same unit" in texts(app)
