"""The rule in force: kept or not, its price, what new data will give, and the findings that it judges."""

import math

import numpy as np
import pytest
import sklearn.metrics as oracle

from metrics.confusion.counts import confusion_counts
from metrics.findings.chosen_threshold import expectation, rule_findings
from metrics.findings.findings import Tables, findings
from metrics.findings.outcome_sentences import lead
from metrics.scores.curves import score_counts
from metrics.thresholds.choose import Rule, choose
from metrics.thresholds.optimism import optimism
from metrics.thresholds.rule_in_force import judge_threshold, usable_threshold
from metrics.thresholds.rule_text import Given, read_rule, read_rules, write_rule, write_rules
from tests.metrics.noise import noise

RULES = ("f1", "fbeta:0.5", "youden_j", "mcc", "balanced_accuracy", "accuracy", "recall:0.9", "precision:0.3",
         "specificity:0.99", "npv:0.95", "cost:1:10", "cost:1:10:0.02", "capacity:37", "capacity:2.5%")  # fmt: skip


@pytest.fixture(scope="module")
def rows():
    """Truth and score of 2,000 rows, about a tenth of them positive."""
    random = np.random.default_rng(3)
    y_true = random.random(2000) < 0.1
    return y_true, np.round(random.normal(y_true * 1.2), 3)


def judged(rows, text, threshold=None):
    scores, rule = score_counts(*rows), read_rule(text)
    threshold = usable_threshold(scores, choose(scores, rule).threshold) if threshold is None else threshold
    return judge_threshold(scores, Given(None, rule), threshold)


def found_with(rows, chosen, threshold):
    y_true, y_score = rows
    y_pred = (y_score >= threshold).astype(int)
    counts = confusion_counts(y_true.astype(int), y_pred, labels=("healthy", "cancer"))
    tables = Tables(len(y_true), counts, scores=score_counts(*rows), positive=1, threshold=threshold, chosen=chosen)
    return {finding.code: finding for finding in findings(tables)}


@pytest.mark.parametrize("text", RULES)
def test_rule_is_read_as_written(text):
    assert write_rule(read_rule(text)) == text


@pytest.mark.parametrize("text", ["", "recall", "recall:2", "recall:nan", "cost:1", "cost:1:-2", "cost:1:2:3", "f1:2",
                                  "fbeta:0", "capacity:x", "capacity:120%", "<b>", "0:f1"])  # fmt: skip
def test_unusable_rule_says_what_was_wanted(text):
    with pytest.raises(ValueError, match="wanted"):
        read_rule(text)


def test_rules_of_labels_are_read_as_written():
    text = "0:f1,3:recall:0.9,12:cost:1:10"
    assert write_rules(read_rules(text)) == text
    assert [given.code for given in read_rules("f1,3:mcc")] == [None, 3] and read_rules("") == ()
    for wrong in ("0:f1,0:mcc", "f1,mcc", "0:,", "99999999999:f1"):
        with pytest.raises(ValueError):
            read_rules(wrong)


@pytest.mark.parametrize("text", RULES)
def test_chosen_threshold_keeps_its_rule(rows, text):
    found = judged(rows, text)
    assert found.kept and found.best == found.threshold


def test_minimum_is_judged_as_scikit_learn_counts(rows):
    y_true, y_score = rows
    found = judged(rows, "recall:0.9")
    pred = y_score >= found.threshold
    assert found.here == pytest.approx(oracle.recall_score(y_true, pred)) and found.here >= 0.9
    assert dict(found.price)["precision"] == pytest.approx(oracle.precision_score(y_true, pred))


@pytest.mark.parametrize("text", [text for text in RULES if not text.startswith("capacity")])
def test_expectation_is_that_of_cross_validation(rows, text):
    found, seen = judged(rows, text), optimism(score_counts(*rows), read_rule(text))
    assert found.expected == (seen.kept if read_rule(text).by == "at_least" else seen.cross_fitted)
    assert found.estimate == (seen.folds, seen.repeats, seen.seed)


def test_threshold_of_elsewhere_is_judged_without_estimate(rows):
    found = judged(rows, "recall:0.9", threshold=2.0)
    assert not found.kept and math.isnan(found.expected) and found.estimate is None
    assert found.best == choose(score_counts(*rows), read_rule("recall:0.9")).threshold
    kept = judged(rows, "recall:0.9", threshold=-9.0)
    assert kept.kept and kept.here == 1.0 and math.isnan(kept.expected)


def test_capacity_counts_flagged_rows(rows):
    assert judged(rows, "capacity:37").here <= 37 and judged(rows, "capacity:37").allowed == 37
    assert not judged(rows, "capacity:37", threshold=0.0).kept
    assert judged(rows, "capacity:2.5%").allowed == 50


def test_rule_without_positives_finds_nothing():
    found = judge_threshold(score_counts(np.zeros(9, bool), np.arange(9.0)), Given(None, Rule("f1")), 3.0)
    assert not found.kept and math.isnan(found.best) and math.isnan(found.expected)
    tables = Tables(9, confusion_counts(np.zeros(9, int), np.zeros(9, int), labels=("a", "b")), chosen=(found,))
    assert "No threshold meets it on these rows." in {f.code: f.text for f in findings(tables)}["rule_not_kept"]


@pytest.mark.parametrize("text", ["recall:0.9", "capacity:2.5%", "cost:1:10", "mcc"])
def test_rule_in_force_silences_other_criteria(rows, text):
    chosen = judged(rows, text)
    found, without = (found_with(rows, given, chosen.threshold) for given in ((chosen,), ()))
    assert not {"threshold_far_from_best", "macro_far_below_micro"} & set(found)
    assert found["rule_kept"].severity == "info"
    if "no_better_than_majority" in without:
        assert without["no_better_than_majority"].severity != "info"
        said = found["no_better_than_majority"]
        assert said.severity == "info" and "This is expected: the threshold was chosen for" in said.text


def test_recall_rule_says_price_and_new_data(rows):
    chosen = judged(rows, "recall:0.8")
    found = found_with(rows, (chosen,), chosen.threshold)
    precision = dict(chosen.price)["precision"]
    assert found["rule_kept"].text == (
        f"Your rule, recall at least 0.8, is met: recall is {chosen.here:.3f}. The price: precision is {precision:.3f}."
    )
    assert found["rule_on_new_data"].text.startswith(
        f"Expect slightly worse on new data: recall about {chosen.expected:.3f}, not {chosen.here:.3f}. "
    )
    assert "5-fold cross-validation, repeated 20 times" in found["rule_on_new_data"].text


def test_broken_rule_is_serious_and_names_threshold(rows):
    found = found_with(rows, (judged(rows, "recall:0.9", threshold=2.0),), 2.0)
    best = choose(score_counts(*rows), read_rule("recall:0.9")).threshold
    assert (
        found["rule_not_kept"].severity == "serious"
        and f"Score ≥ {round(best, 5)} meets it.".replace("-", "−") in found["rule_not_kept"].text
    )
    assert "rule_on_new_data" not in found


def test_expectation_never_promises_better(rows):
    for seed in range(6):
        y_true, y_score = noise(400, seed, shift=1.0)
        chosen = judged((y_true, y_score), "recall:0.8")
        worse = chosen.expected < chosen.here and f"{chosen.expected:.3f}" != f"{chosen.here:.3f}"
        assert ("worse" in expectation(chosen)) == worse


def test_binary_task_leads_with_both_mistakes():
    counts = confusion_counts(np.repeat([0, 0, 1, 1], [9884, 16, 93, 7]), np.repeat([0, 1, 0, 1], [9884, 16, 93, 7]),
                              labels=("healthy", "cancer"))  # fmt: skip
    found = {finding.code: finding for finding in findings(Tables(10_000, counts, positive=1))}
    assert found["missed"].text == "93 of 100 'cancer' rows were predicted as 'healthy': recall is 0.070."
    assert found["false_alarms"].text.startswith("16 of 23 rows predicted as 'cancer' are wrong: precision is 0.304.")
    assert found["missed"].severity == found["false_alarms"].severity == "serious"
    assert not {"confusion", "favourite"} & set(found)


def test_lead_without_wrong_rows_names_both_classes():
    counts = confusion_counts(np.array([0, 0, 1]), np.array([0, 0, 1]), labels=("no", "yes"))
    assert lead(counts, 1) == ("Every row is predicted right: 1 row of ", ("yes",), " and 2 rows of ", ("no",), ".")
    unparsed = confusion_counts(np.array([0, 0, 1]), np.array([0, -2, 1]), labels=("no", "yes"))
    assert "right" not in lead(unparsed, 1)[0]
    one_class = confusion_counts(np.array([0]), np.array([0]), labels=("no", "yes"))
    assert lead(one_class, 1)[:2] == ("No row is ", ("yes",))


def test_unparsed_answers_count_as_missed():
    counts = confusion_counts(np.array([1, 1, 1, 0]), np.array([0, -2, 1, 0]), labels=("no", "yes"))
    assert lead(counts, 1)[:3] == ("2 of 3 ", ("yes",), " rows were") and lead(counts, 1)[3] == " missed"


def test_capacity_of_weights_says_so(rows):
    found = judge_threshold(score_counts(*rows), Given(None, read_rule("capacity:200")), -9.0, is_weighted=True)
    said = next(rule_findings(found)).text
    assert "predicted positive, by weight, is not met: rows of weight 2,000 are predicted positive, and 200" in said
