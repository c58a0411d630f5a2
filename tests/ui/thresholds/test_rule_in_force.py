"""A rule in force stands in the address, judges the findings, and ends when a hand moves the threshold."""

import pytest
from streamlit.testing.v1 import AppTest

from data.runs.written_options import read_each
from metrics.scores.curves import score_counts
from metrics.thresholds.choose import choose
from metrics.thresholds.optimism import optimism
from metrics.thresholds.rule_text import read_rule
from tests.opened_pages import lenses, open_page, texts
from tests.opened_runs import open_run

RECALL = {"by": "at_least", "floor": "recall:0.9"}


@pytest.fixture(scope="module")
def screening():
    """The score counts of the sample's positive class."""
    found = open_run("screening")
    return score_counts(found.y_true == found.positive, found.y_score[:, 0])


def view(app: AppTest, name: str):
    return app.session_state["view.values"][name]


def in_use(app: AppTest) -> dict[str, str]:
    """Return what the address says of the thresholds and their rules."""
    return {name: str(view(app, name)) for name in ("t", "each", "rule") if view(app, name) not in (None, "")}


def overview(**query: str) -> str:
    app = open_page("overview", run="screening", **query)
    assert not app.exception
    return texts(app)


def test_button_puts_rule_beside_threshold(screening):
    app = open_page("thresholds", run="screening", **RECALL)
    app.button(key="choices.use").click().run()
    assert in_use(app) == {"t": repr(choose(screening, read_rule("recall:0.9")).threshold), "rule": "recall:0.9"}
    assert app.button(key="choices.use").label == "In use"
    assert "Your rule: recall at least 0.9" in texts(app)


def test_overview_judges_by_rule(screening):
    rule = read_rule("recall:0.9")
    best, seen = choose(screening, rule), optimism(screening, rule)
    said = overview(t=repr(best.threshold), rule="recall:0.9")
    assert "10 of 100 `cancer` rows were predicted as `healthy`; 1,786 of 9,900 `healthy` rows were" in said
    assert "Your rule, recall at least 0.9, is met: recall is 0.900. The price: precision is 0.048." in said
    assert f"Expect slightly worse on new data: recall about {seen.kept:.3f}, not 0.900." in said
    assert "This is expected: the threshold was chosen for recall at least 0.9, not for accuracy." in said
    assert "it would be 0.245 on these rows" not in said
    assert "Your rule" not in overview(t=repr(best.threshold))


def test_overview_leads_with_both_mistakes():
    app = open_page("overview", run="screening")
    assert "93 of 100 `cancer` rows were predicted as `healthy`; 16 of 9,900" in texts(app)
    assert list(lenses(app).items())[:2] == [("Recall", "0.070"), ("Precision", "0.304")]


def test_hand_ends_rule(screening):
    t = repr(choose(screening, read_rule("recall:0.9")).threshold)
    app = open_page("thresholds", run="screening", t=t, rule="recall:0.9", low="0.001")
    app.number_input(key="abstain.low").set_value(0.002).run()
    assert view(app, "rule") == "recall:0.9", "the lower threshold is another one"
    app.number_input(key="abstain.high").set_value(0.2).run()
    assert in_use(app) == {"t": "0.2"} and "your rule" not in texts(app)


def test_way_back_ends_rule():
    app = open_page("overview", run="screening", t="0.1", rule="f1")
    next(button for button in app.button if button.label.startswith("Back to")).click().run()
    assert in_use(app) == {}


def test_broken_rule_says_so(screening):
    best = choose(screening, read_rule("recall:0.9")).threshold
    said = overview(t="0.5", rule="recall:0.9")
    assert f"Your rule, recall at least 0.9, is not met: recall is 0.070. Score ≥ {round(best, 5)} meets it." in said
    assert "Expect" not in said


@pytest.mark.parametrize(
    ("run", "query", "said"),
    [
        ("screening", {"rule": "f1"}, "Ignored rule=f1 in the link: the link has no threshold chosen by it"),
        ("screening", {"t": "0.1", "rule": "recall:2"}, "such as recall:0.95."),
        ("screening", {"t": "0.1", "rule": "7:f1"}, "Ignored rule=7:f1 in the link: it fits no label of this file"),
        ("screening", {"t": "0.1", "rule": "macro_f1"}, "it fits no label of this file"),
        ("support-intents-llm", {"t": "0.1", "rule": "f1"}, "Ignored rule=f1 in the link: this file has no scores"),
        ("movie-genres", {"t": "0.1", "rule": "recall:0.9"}, "it fits no label of this file"),
    ],
)
def test_unusable_rule_is_told(run, query, said):
    app = open_page("overview", run=run, **query)
    assert not app.exception and said in texts(app) and view(app, "rule") == ""


def test_best_f1_per_label_is_one_judgement():
    app = open_page("thresholds", run="movie-genres", tab="classes")
    app.button(key="label_thresholds.use.the best F1 of each").click().run()
    query = in_use(app)
    assert query["rule"] == "f1" and len(read_each(query["each"], open_run("movie-genres"))) > 5
    assert "Your rule: best F1 of each label" in texts(app)
    said = texts(open_page("overview", run="movie-genres", **query))
    assert "Your rule, best F1 of each label, is met: no other thresholds give a higher macro F1 than" in said
    assert "on new data: macro F1 about" in said


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_threshold_for_all_is_judged_by_mean(average):
    app = open_page("thresholds", run="movie-genres", tab="classes")
    app.button(key=f"label_thresholds.use.best {average} F1").click().run()
    assert in_use(app)["rule"] == f"{average}_f1"
    said = texts(open_page("overview", run="movie-genres", **in_use(app)))
    assert f"Your rule, best {average} F1, is met: no other threshold gives a higher {average} F1 than" in said


def test_rule_of_one_label_stays_while_others_move():
    app = open_page(
        "thresholds", run="movie-genres", tab="choose", each="4:0.75,0:0.5", rule="0:f1", **{"class": "drama"}
    )
    app.button(key="choices.use").click().run()
    assert view(app, "rule") == "0:f1,4:f1"
    said = texts(open_page("overview", run="movie-genres", **in_use(app)))
    assert "Your rule for `drama`, best F1, is met" in said and "Your rule for `action`, best F1, is not met" in said
    app.segmented_control(key="thresholds.step").set_value("classes").run()
    app.button(key="label_thresholds.others").click().run()
    assert view(app, "rule") == "0:f1" and "4:" not in view(app, "each")


def test_rule_of_one_class_is_named_in_lab():
    app = open_page("thresholds", run="digits", **{"class": "8", "by": "at_least", "floor": "recall:0.9"})
    app.button(key="choices.use").click().run()
    assert view(app, "rule") == "8:recall:0.9" and "Your rule: recall at least 0.9 for `class 8`" in texts(app)
    assert app.button(key="choices.use").label == "In use"
