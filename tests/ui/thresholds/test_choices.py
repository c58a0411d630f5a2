"""The cards that choose a threshold and leave rows open: what they say, and what they put into the view."""

import math

import numpy as np
import pytest
import sklearn.metrics as oracle
from scipy.stats import binomtest
from streamlit.testing.v1 import AppTest

from data.runs.written_options import read_each
from metrics.scores.curves import score_counts
from metrics.thresholds.choose import Rule
from metrics.thresholds.optimism import Optimism
from metrics.thresholds.reject_option import FittedBand, fitted_band
from metrics.thresholds.rule_in_force import judge_threshold, usable_threshold
from metrics.thresholds.rule_text import Given, read_cap, read_floor
from metrics.thresholds.threshold_metrics import Best
from tests.opened_pages import open_page, shown_frame, shown_tables, texts
from tests.opened_runs import open_run
from ui.thresholds import rule_in_force, rule_sentences as sentences
from ui.thresholds.reject_option import say_new_data


@pytest.fixture(scope="module")
def screening():
    """Truth and score of a sample."""
    found = open_run("screening")
    assert found.positive is not None and found.y_score is not None
    return found.y_true == found.positive, found.y_score[:, 0]


def opened(run="screening", tab="choose", **query: str) -> AppTest:
    app = open_page("thresholds", run=run, tab=tab, **query)
    assert not app.exception
    return app


def rules(app: AppTest):
    return shown_frame(app, "What other rules choose")


def view(app: AppTest, name: str):
    return app.session_state["view.values"][name]


def best_f1(y_true, y_score):
    every = sorted(
        set(y_score[y_true].tolist()), reverse=True
    )  # between two positives a lower threshold only adds alarms
    values = [oracle.f1_score(y_true, y_score >= t) for t in every]
    place = int(np.argmax(values))
    return every[place], values[place]


def test_best_f1_is_put_into_use_by_click(screening):
    threshold, f1 = best_f1(*screening)
    app = opened()
    assert f"The best F1 on these rows is **{f1:.3f}**, at **score ≥ {round(threshold, 5)}**." in texts(app)
    y_true, y_score = screening
    found, wrong = (y_true & (y_score >= threshold)).sum(), (~y_true & (y_score >= threshold)).sum()
    assert app.title[0].value == (
        f"Score ≥ {round(threshold, 5)} finds {found} of 100 `cancer` rows "
        f"and predicts {wrong} `healthy` rows as `cancer`"
    )
    app.button(key="choices.use").click().run()
    assert view(app, "t") == threshold
    assert app.button(key="choices.use").label == "In use" and app.button(key="choices.use").disabled


def test_table_compares_choices_with_threshold_and_default(screening):
    y_true, y_score = screening
    app = opened(t="0.2")
    ends = "95 % interval"
    first = ["Score ≥", "Predicted positive", "Precision", f"Precision, {ends}", "Recall", f"Recall, {ends}"]
    assert rules(app).columns.tolist() == first
    app.toggle(key="choices.all").set_value(True).run()
    table = rules(app)
    assert table.index[:3].tolist() == ["Best F1", "In use", "Default"]
    now = table.loc["In use"]
    assert float(now["Score ≥"]) == 0.2 and float(table.loc["Default", "Score ≥"]) == 0.5
    written = [line[1]["text"] for line in shown_tables(app)["What other rules choose"]]
    numbers = [text for text in written if text != "above every score"]
    assert len({len(text.partition(".")[2]) for text in numbers}) == 1, "one number of decimals"
    assert now["Predicted positive"] == (y_score >= 0.2).sum()
    six_digits = {"rel": 1e-5}
    assert now["Matthews correlation"] == pytest.approx(oracle.matthews_corrcoef(y_true, y_score >= 0.2), **six_digits)
    lost = best_f1(y_true, y_score)[1] - oracle.f1_score(y_true, y_score >= 0.2)
    assert now["F1 below best"] == pytest.approx(lost, **six_digits)
    below = table[["F1 below best", "Matthews correlation below best", "Cost above best"]]
    is_undefined = below == "undefined"
    assert (below.mask(is_undefined, 0) >= 0).all(axis=None)
    assert is_undefined.sum().tolist() == [0, (table["Matthews correlation"] == "undefined").sum(), 0], (
        "MCC is undefined where nothing is predicted"
    )
    assert table.loc["Best F1", "F1 below best"] == table.loc["Lowest cost", "Cost above best"] == 0


def test_a_constraint_is_typed_in_and_kept(screening):
    y_true, y_score = screening
    app = opened(by="at_least")
    app.number_input(key="choices.floor.least").set_value(0.8).run()
    assert view(app, "floor") == "recall:0.8"
    allowed = [t for t in set(y_score[y_true].tolist()) if (y_score[y_true] >= t).mean() >= 0.8]
    best = max(oracle.precision_score(y_true, y_score >= t) for t in allowed)
    assert "Of the thresholds with recall of at least 0.8, the most precise is recommended" in texts(app)
    flagged = y_score >= max(t for t in allowed if oracle.precision_score(y_true, y_score >= t) == best)
    ends = binomtest(int((y_true & flagged).sum()), int(flagged.sum())).proportion_ci(0.95, method="wilson")
    line = rules(app).loc["Recall at least 0.8"]
    assert line["Precision"] == pytest.approx(best, rel=1e-5)
    assert line["Precision, 95 % interval"] == f"{ends.low:.3f}\u00a0to {ends.high:.3f}"
    app.selectbox(key="choices.floor.metric").select("precision").run()
    assert view(app, "floor") == "precision:0.8"


def test_costs_and_prevalence_move_the_threshold(screening):
    y_true, y_score = screening
    app = opened(by="cost")
    assert "at **a threshold above every score**" in texts(app)  # 1 % positives: an alarm costs more than it finds
    app.number_input(key="choices.cfn").set_value(50.0).run()
    tried = set(y_score[y_true].tolist())
    costs = {t: ((y_score >= t) & ~y_true).sum() + 50 * ((y_score < t) & y_true).sum() for t in tried}
    best = max(t for t, cost in costs.items() if cost == min(costs.values()))
    assert f"score ≥ {round(best, 5)}" in texts(app)
    app.number_input(key="choices.prev").set_value(0.3).run()
    assert view(app, "prev") == 0.3 and "with 30.0\u00a0% positives" in texts(app)
    app.number_input(key="choices.prev").set_value(None).run()
    assert view(app, "prev") is None and f"score ≥ {round(best, 5)}" in texts(app)


def test_nothing_positive_is_a_usable_threshold(screening):
    app = opened(by="cost")
    app.button(key="choices.use").click().run()
    assert view(app, "t") == np.nextafter(screening[1].max(), np.inf)


def test_capacity_a_day_is_rows_of_all_days(screening):
    app = opened(by="capacity", cap="70", days="7")
    assert app.number_input(key="choices.cap.size").value == 10
    assert "10 rows a day are 70 rows in 7 days." in texts(app)
    app.number_input(key="choices.days").set_value(2.5).run()
    assert (app.query_params["cap"], app.query_params["days"]) in (("25", "2.5"), (["25"], ["2.5"]))
    app.segmented_control(key="choices.cap.unit").set_value("rows").run()
    assert "days" not in app.query_params


def test_total_cost_is_that_of_all_rows(screening):
    app = opened(by="cost", cfn="20")
    is_true, score = screening

    def cost(threshold: float) -> int:
        return int(((score >= threshold) & ~is_true).sum() + 20 * ((score < threshold) & is_true).sum())

    least, now = min(map(cost, np.append(np.unique(score), 2))), cost(0.5)
    assert f"All 10,000 rows cost **{least:,}**; at score ≥ 0.5" in texts(app)
    assert f"they cost {now:,}: {now - least:,} less." in texts(app)


def test_a_capacity_is_rows_or_per_cent(screening):
    app = opened(by="capacity", cap="37")
    assert "it predicts **37**" in texts(app)
    app.segmented_control(key="choices.cap.unit").set_value("% of the rows").run()
    assert view(app, "cap") == "37%"
    app.number_input(key="choices.cap.size").set_value(2.5).run()
    assert view(app, "cap") == "2.5%" and "it predicts **250**" in texts(app)


@pytest.mark.parametrize(
    ("name", "text"), [("floor", "recall:2"), ("floor", "<b>:0.5"), ("cap", "many"), ("cap", "120%")]
)
def test_unusable_input_of_the_link_is_named(name, text):
    app = opened(by={"floor": "at_least", "cap": "capacity"}[name], **{name: text})
    assert f"Ignored {name}={text} in the link: " in texts(app)


def test_expectation_on_new_data_names_its_method():
    app = opened()
    [said] = [one for one in app.markdown if "Expect slightly worse on new data" in one.value]
    assert "F1 about 0.213, not 0.245." in said.value
    assert "5-fold cross-validation on the counts, repeated 20 times at random within each class, seed 0" in said.help


def test_band_is_switched_on_and_off(screening):
    app = opened(t="0.1")
    app.radio(key="choices.by").set_value("reject").run()
    low = view(app, "low")
    open_ = ((screening[1] >= low) & (screening[1] < 0.1)).sum()
    assert view(app, "t") == 0.1 and 0.099 * len(screening[1]) < open_ <= 0.1 * len(screening[1])
    assert f"**{open_:,} rows**" in texts(app)
    app.radio(key="choices.by").set_value("f1").run()
    assert view(app, "low") is None


def test_coverage_moves_both_thresholds(screening):
    _, y_score = screening
    app = opened(t="0.1", low="0.05")
    app.slider(key="abstain.coverage").set_value(80).run()
    low, high = view(app, "low"), view(app, "t")
    decided = (y_score >= high) | (y_score < low)
    assert decided.mean() >= 0.8
    assert "No other pair of thresholds decides as many rows with fewer errors." in texts(app)
    assert "On other pages an undecided row counts as negative." in texts(app)
    one_of_several = texts(opened("digits", t="0.6", low="0.2", **{"class": "8"}))
    assert "are undecided" in one_of_several and "On other pages" not in one_of_several


def test_better_band_is_offered():
    app = opened(t="0.2", low="0.02")
    assert "would decide" in texts(app)
    app.button(key="abstain.best").click().run()
    assert "No other pair of thresholds" in texts(app)


def test_lower_threshold_above_upper_leaves_none_open():
    said = texts(opened(t="0.2", low="0.7"))
    assert "The lower threshold 0.7 is above the upper one, 0.2" in said
    assert "No row has a score from 0.2 up to 0.2: all 10,000 are decided." in said


@pytest.mark.parametrize(
    ("read", "text"),
    [
        *(
            (read_floor, text)
            for text in ("", "recall", "recall:", "recall:1.1", "recall:nan", "f1:0.5", "recall:0.5:1")
        ),
        *((read_cap, text) for text in ("-1", "2.5", "101%", "nan", "inf%", "ten", "1e300")),
    ],
)
def test_floor_or_capacity_that_is_none_is_refused(read, text):
    with pytest.raises(ValueError, match="wanted"):
        read(text)


def test_default_capacity_is_a_tenth():
    assert read_cap("") == Rule("capacity", most_share=0.1)


def test_infinite_threshold_becomes_typeable():
    counts = score_counts(np.array([True, False]), np.array([0.9, 0.1]))
    assert usable_threshold(counts, 0.3) == 0.3
    assert 0.9 < usable_threshold(counts, math.inf) < 0.9000001


def test_why_there_is_no_threshold_is_said():
    both = score_counts(np.array([True, False]), np.array([0.1, 0.9]))
    floor = Rule("at_least", metric="precision", floor=0.9, then="recall")
    assert sentences.say_none_found(floor, both) == "No threshold reaches a precision of 0.9 on these rows."
    negatives = score_counts(np.array([False]), np.array([0.5]))
    assert sentences.say_none_found(Rule("f1"), negatives).startswith("Every row is negative: without positive rows")


def test_rows_tied_at_the_next_score_are_counted():
    counts = score_counts(np.array([True, True, False, True]), np.array([0.9, 0.5, 0.5, 0.5]))
    said = sentences.say_ties(Rule("capacity", most_rows=2), counts, Best(0.9, 1.0))
    assert said == " The next lower score would add 3 rows at once, which is too many."


SEEN = Optimism(0.8, 0.75, 0.05, math.nan, 0.3, 0.4, 5, 20, 0)
CLOSE = SEEN._replace(cross_fitted=0.8001, optimism=-0.0001, highest=0.3, repeats=1)


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (SEEN, "Expect worse on new data: F1 about 0.750, not 0.800."),
        (SEEN._replace(cross_fitted=0.79), "Expect slightly worse on new data: F1 about 0.790, not 0.800."),
        (SEEN, "its thresholds went from 0.3 to 0.4"),
        (SEEN, "5-fold cross-validation on the counts, repeated 20 times"),
        (CLOSE, "Expect about the same on new data: F1 about 0.800."),
        (CLOSE, "its thresholds were all 0.3"),
        (CLOSE, "done once at random within each class, seed 0"),
        (SEEN._replace(cross_fitted=0.81), "Expect about the same on new data: F1 about 0.810, here 0.800."),
        (SEEN._replace(cross_fitted=math.nan), "A class has too few rows to say how much worse."),
    ],
)
def test_choice_says_what_new_data_will_give(seen, said):
    scores = score_counts(np.array([True, False, True]), np.array([0.9, 0.4, 0.35]))
    found = judge_threshold(scores, Given(None, Rule("f1")), 0.35, estimate=lambda scores, rule: seen)
    assert (
        found.here == 0.8
        and said in f"{rule_in_force.say_new_data(found, seen)} {rule_in_force.describe_estimate(seen)}"
    )


def test_impossible_choice_is_named_below_the_table():
    app = opened(floor="precision:0.95", by="at_least")
    assert not rules(app).index.str.contains("Precision at least").any()
    said = texts(app)
    assert "No threshold reaches a precision of 0.95 on these rows." in said
    assert "No threshold does this on these rows: Precision at least 0.95." in said


def test_choice_changes_one_labels_own_threshold():
    app = opened("movie-genres", each="4:0.75,0:0.5", t="-0.25", **{"class": "drama"})
    app.button(key="choices.use").click().run()
    genres = open_run("movie-genres")
    precision, recall, _ = oracle.precision_recall_curve(genres.y_true[:, 4], genres.y_score[:, 4])
    best = max(2 * p * r / (p + r) for p, r in zip(precision, recall, strict=True) if r)
    each = read_each(view(app, "each"), genres)
    assert oracle.f1_score(genres.y_true[:, 4], genres.y_score[:, 4] >= each.pop(4)) == pytest.approx(best)
    assert each == {0: 0.5} and view(app, "t") == -0.25


def test_band_ends_at_a_labels_own_threshold():
    app = opened("movie-genres", each="4:0.75", low="0.1", **{"class": "drama"})
    score = open_run("movie-genres").y_score[:, 4]
    assert f"**{((score >= 0.1) & (score < 0.75)).sum():,} rows**" in texts(app)
    app.slider(key="abstain.coverage").set_value(60).run()
    high = read_each(view(app, "each"), open_run("movie-genres"))[4]
    assert high != 0.75 and view(app, "t") is None
    assert ((score >= high) | (score < view(app, "low"))).mean() >= 0.6


def test_reject_option_says_accuracy_on_new_data(screening):
    app = opened(t="0.1", low="0.0187")
    share = math.floor(100 * ((screening[1] >= 0.1) | (screening[1] < 0.0187)).mean())
    fitted = fitted_band(score_counts(*screening), share / 100)
    there = f"the best pair decides {fitted.coverage:.1%} of the rows, and {fitted.accuracy:.1%} of these are right."
    here = f"Here it decides at least {share}%, and {fitted.apparent:.1%} are right."
    assert f"{there} {here}".replace("%", "\u00a0%") in texts(app)


def test_too_few_rows_leave_new_data_open():
    undefined = FittedBand(1.0, float("nan"), float("nan"), 1, 20, 0)
    assert "too few rows to say how much worse" in say_new_data(50, undefined)


def test_least_confident_of_all_classes_are_left():
    app = open_page("thresholds", run="digits", tab="choose", by="reject")
    app.number_input(key="choices.risk").set_value(10).run()
    assert not app.exception and app.session_state["view.values"]["risk"] == 0.1
    assert "at most 10.0 % are wrong (95 % sure)" in texts(app).replace("\N{NO-BREAK SPACE}", " ")
