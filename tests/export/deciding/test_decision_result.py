"""The decision sheet: its numbers counted row by row, its words, and what it says where something is missing."""

import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from export.deciding.decision import Asked, decide
from export.deciding.decision_result import decision_result
from export.deciding.threshold_now import Now
from export.measurement import measure
from export.report.result_part import report_part
from export.result.terminal import write_terminal
from metrics.findings.calibration import measure_calibration
from metrics.findings.tables import count_scores
from metrics.thresholds.deployed.feasible import Limits
from metrics.thresholds.deployed.in_use import times
from tests.export.test_weights import binary, evaluate, repeated
from tests.opened_runs import open_run

ASKED = Asked(0.006, 10_000, 50, 2_000, Limits(recall=0.5, predicted=600), "people", "called in")


def sheet(run="screening", asked=ASKED, code=None, change=lambda evaluation: evaluation):
    evaluation = change(open_run(run))
    code = evaluation.positive if code is None else code
    scores = count_scores(evaluation, code)
    found = measure(evaluation)
    decision = decide(found, code, scores, asked, Now(evaluation.effective_threshold))
    return decision, decision_result(found, decision)


@pytest.fixture(scope="module")
def rows():
    evaluation = open_run("screening")
    return evaluation.y_true == evaluation.positive, evaluation.y_score[:, 0]


def day(rows, threshold):
    """Rows called, found, missed and called wrongly on a day with 60 positives of 10,000, and what they cost."""
    is_true, score = rows
    found, alarms = 60 * (score[is_true] >= threshold).mean(), 9_940 * (score[~is_true] >= threshold).mean()
    return found + alarms, found, 60 - found, alarms, 50 * alarms + 2_000 * (60 - found)


def test_sheet_says_the_cheapest_day_within_the_limits(rows):
    tried = [(day(rows, threshold), threshold) for threshold in np.unique(rows[1])]
    allowed = [(numbers[4], numbers, score) for numbers, score in tried if numbers[0] <= 600 and numbers[1] >= 30]
    cost, (called, found, missed, alarms, _), threshold = min(allowed)
    decision, result = sheet()
    assert decision.threshold == threshold
    text = write_terminal(result)
    assert f"At score ≥ {threshold:.5f}, of 10,000 people a day {called:.0f} (" in text and "are called in." in text
    assert f"{found:.0f} (34 to 45) of them are 'cancer'; {missed:.0f} (" in text
    now = day(rows, 0.5)[4]
    less = f"{now - cost:,.0f} ({decision.less.low:,.0f} to {decision.less.high:,.0f})"
    assert f"A day costs {cost:,.0f} (" in text and f"That is {less} a day less than now, or 41 %." in text
    ends = [score for _, _, score in allowed]
    assert f"Both limits hold from {min(ends):.5f} to {max(ends):.5f}." in text
    low = 50 * (alarms / 9_940) / (50 * (alarms / 9_940) + 2_000 * (found / 60))
    assert f"Do not use it where fewer than {100 * low:.2f} % (" in text
    assert len(result.leads) == len(result.sentences) and {lead.page for lead in result.leads} > {"thresholds"}
    numbers = result.numbers["decision"]
    assert numbers["day"]["cost"]["value"] == pytest.approx(cost) and numbers["class"] == "cancer"


def test_sheet_says_which_limit_has_to_give(rows):
    _, result = sheet(asked=replace(ASKED, limits=Limits(recall=0.8, predicted=300)))
    tried = [day(rows, threshold) for threshold in np.unique(rows[1])]
    most = max(numbers[1] / 60 for numbers in tried if numbers[0] <= 300)
    fewest = min(numbers[0] for numbers in tried if numbers[1] >= 0.8 * 60)
    text = write_terminal(result)
    assert text.startswith(f"No threshold keeps both limits: recall must give from 0.800 to {most:.3f}")
    said = "The threshold was chosen on the same rows: expect slightly worse on new data."
    assert said not in text and said in write_terminal(sheet()[1])
    assert f"people a day called in must give from 300 to {fewest:.0f}." in text
    assert not result.tables and "Both limits hold" not in text


def test_own_words_are_no_markup():
    _, result = sheet(asked=replace(ASKED, noun="<b>people", called="<i>in"))
    content = report_part(result).content
    assert "&lt;b&gt;people" in content and "<b>people" not in content and "<i>" not in content
    assert content.count('<a href="#') == len(result.sentences)


def test_sheet_and_table_agree_on_net_benefit():
    """Equal costs ask for probability 0.5, which is the threshold in use; by cost alone, no row is predicted cancer."""
    decision, result = sheet(asked=Asked())
    assert not isinstance(decision.benefit, str) and decision.used is not None
    assert times(decision.benefit.model, 10_000) == pytest.approx(decision.used.benefit)
    assert [row[0] for row in result.tables[0].rows] == ["in use now: score ≥ 0.5", "above every score"]


def test_net_benefit_needs_probabilities():
    decision, result = sheet(change=lambda e: replace(e, scale="score", threshold=0.2))
    assert isinstance(decision.benefit, str)
    assert "Net benefit is undefined: the scores are on a scale of their own" in write_terminal(result)


def test_bad_calibration_is_said():
    """Probabilities that are cubed rank the same and promise too little."""
    decision, result = sheet(change=lambda e: replace(e, y_score=np.asarray(e.y_score) ** 0.5), asked=Asked())
    assert not isinstance(decision.benefit, str) and not decision.benefit.is_calibrated
    assert "Net benefit cannot be trusted here. The scores are off by" in write_terminal(result)


def test_one_class_of_several_is_against_the_rest():
    digits = open_run("digits")
    code = digits.labels.index("8")
    _, result = sheet("digits", Asked(), code)
    explore = result.leads[0]
    assert explore.view["class"] == "8" and math.isfinite(result.numbers["decision"]["day"]["cost"]["value"])


def test_binned_scores_bound_the_net_benefit():
    """A recall off by 0.1 moves 6 of 60 rows; a false positive rate off by 0.02 moves 198.8 at 1/40 each."""
    decision, _ = sheet()
    binned = replace(decision, recall_error=0.1, fpr_error=0.02)
    result = decision_result(measure(open_run("screening")), binned)
    assert binned.benefit_error == pytest.approx(6 + 198.8 / 40)
    assert "Net benefit is off by 11 a day at most there." in write_terminal(result)


def weigh(weights, asked):
    e = evaluate(binary(len(weights), w=weights), weights="w")
    measured = measure(e)
    return e, decide(measured, e.positive, measured.weighted_scores(e.positive), asked, Now(0.5))


def test_weighted_sheet_is_that_of_repeated_rows():
    repeats = np.random.default_rng(1).integers(0, 4, 60)
    e, weighted = weigh(repeats.astype(float), Asked(cost_fn=3.0, limits=Limits(recall=0.6)))
    every = measure(repeated(e, repeats))
    rows = decide(every, e.positive, every.positive_scores, weighted.asked, Now(0.5))
    assert (weighted.place, weighted.threshold, weighted.feasible) == (rows.place, rows.threshold, rows.feasible)
    for name in ("use", "used", "useful"):
        pairs = zip(getattr(weighted, name), getattr(rows, name), strict=True)
        assert all(number.value == pytest.approx(again.value, nan_ok=True) for number, again in pairs)
    assert weighted.less.value == pytest.approx(rows.less.value)
    assert weighted.benefit.model.value == pytest.approx(rows.benefit.model.value)
    assert weighted.benefit.useful == rows.benefit.useful and weighted.benefit.every == rows.benefit.every
    calibration, of_rows = weighted.benefit.calibration, rows.benefit.calibration
    assert calibration.error == pytest.approx(of_rows.error)
    finding = measure_calibration(e, measure(e).kept)
    assert calibration == finding and calibration.chance > of_rows.chance
    result = decision_result(measure(e), weighted)
    assert {lead.view["by"] for lead in result.leads if lead.view.get("tab") == "choose"} == {"deployed", "cost"}
    text = write_terminal(result)
    assert "by the weights of rows. Unless its rows are given, a day has the total weight." in text


def test_fractional_weights_are_added_up():
    weights = np.random.default_rng(2).gamma(1.0, 1.0, 60)
    e, decision = weigh(weights, Asked(cost_fn=3.0))
    is_true, score = e.y_true == e.positive, e.y_score[:, 0]

    def cost(threshold):
        return weights[~is_true & (score >= threshold)].sum() + 3 * weights[is_true & (score < threshold)].sum()

    least = min(np.unique(score), key=cost)
    assert decision.threshold == least and decision.use.cost.value == pytest.approx(cost(least))
    assert decision.less.value == pytest.approx(cost(0.5) - cost(least))
    called = score >= 0.25  # what costs of 1 and 3 ask for: net benefit as Vickers and Elkin have it
    tp, fp = weights[is_true & called].sum(), weights[~is_true & called].sum()
    assert decision.benefit.model.value == pytest.approx((tp - fp / 3) / weights.sum())


def test_equal_weights_leave_intervals_of_rows():
    asked = Asked(0.1, 1_000, cost_fn=3.0)
    (_, weighted), (_, rows) = weigh(np.full(60, 2.5), asked), weigh(np.ones(60), asked)
    for name in ("predicted", "missed", "precision", "cost"):
        assert getattr(weighted.use, name) == pytest.approx(getattr(rows.use, name))
    assert weighted.less == pytest.approx(rows.less) and weighted.less.low < weighted.less.value


@pytest.mark.parametrize("label", ["positive", "negative"])
def test_one_class_leaves_no_threshold_to_choose(label):
    table = binary(20, y=np.repeat("yes" if label == "positive" else "no", 20))
    measured = measure(evaluate(table, label_set=("no", "yes")))
    decision = decide(measured, measured.evaluation.positive, measured.positive_scores, ASKED, Now(0.5))
    headline = decision_result(measured, decision).headline
    assert headline == (f"Every row is {label}, so no threshold can be chosen",)


def test_threshold_in_use_saves_exactly_nothing():
    e = open_run("screening")
    measured, scores = measure(e), count_scores(e, e.positive)
    cheapest = decide(measured, e.positive, scores, ASKED, Now(0.5)).threshold
    assert decide(measured, e.positive, scores, ASKED, Now(cheapest)).less == (0, 0, 0)


def test_saving_of_clusters_knows_rows_written_twice():
    """Rows written twice tell nothing new where both belong together."""
    table, asked, savings = binary(60), Asked(0.1, 1_000, cost_fn=3.0), []
    for repeats in (1, 2):
        rows = pa.concat_tables([table] * repeats).append_column("g", pa.array(list(range(60)) * repeats))
        measured = measure(evaluate(rows, cluster="g"))
        savings.append(decide(measured, measured.evaluation.positive, measured.positive_scores, asked, Now(0.5)).less)
    once, twice = savings
    assert twice == pytest.approx(once) and once.low < once.value < once.high


def test_free_misses_have_no_net_benefit():
    _, result = sheet(asked=replace(ASKED, cost_fn=0))
    assert "a missed row costs nothing" in report_part(result).content


@pytest.mark.parametrize(("cost_fn", "verb"), [(200.0, "may cost"), (2_000.0, "costs")])
def test_headline_claims_no_unclear_saving(cost_fn, verb):
    decision, result = sheet(asked=replace(ASKED, cost_fn=cost_fn, limits=Limits()))
    assert (decision.less.low <= 0 <= decision.less.high) == (verb == "may cost")
    assert f" {verb} {decision.less.value:,.0f} a day less than now" in "".join(map(str, result.headline))
