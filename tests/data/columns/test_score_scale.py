"""Scores on a scale of their own: how they are recognised, what holds for them, and what is undefined."""

import dataclasses
import json
import math

import numpy as np
import pyarrow as pa
import pytest
import sklearn.metrics as sk
from hypothesis import given, strategies as st

from data.building.build import build
from data.building.rescoring import scores_alone, with_label_thresholds, with_threshold
from data.errors import DataError
from data.evaluation import Settings
from data.roles.detect import detect
from data.rows.label_issues import find_label_issues
from data.rows.order import list_orders
from data.rows.row_scores import confidence, loss, margin, probability_of
from data.runs.draft_changes import correct_settings
from export.files import every_file
from export.measurement import measure
from export.report.page import html_report
from metrics.catalogue.registry import ROWS
from tests.measured_numbers import numbers_of

N = 120
LABELS = ("a", "b", "c")


def points():
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, N)
    return truth, np.clip(rng.integers(1, 9, N) + 2 * truth, 1, 10), np.minimum(rng.poisson(2 + 3 * truth), 12)


def points_of_sets():
    rng = np.random.default_rng(8)
    label_sets = rng.random((N, 3)) < 0.4
    return label_sets, np.round(rng.gamma(2, 2, (N, 3)) + 3 * label_sets, 3)


TRUTH, DECILES, COUNTS = points()
Y = [str(value) for value in TRUTH]
SETS, SET_SCORES = points_of_sets()
ON_PREDICTIONS = ("accuracy", "macro_f1", "micro_f1", "balanced_accuracy", "mcc", "cohen_kappa")


def evaluate(columns, **changes):
    table = pa.table(columns)
    found = detect(table)
    settings = dataclasses.replace(found.settings, **changes)
    return build(table, settings, name="t", content_sha256="0", notes=found.notes, warnings=found.warnings)


def sets():
    truth = [";".join(name for name, on in zip(LABELS, row, strict=True) if on) for row in SETS]
    return {"labels": truth, **{f"score_{name}": SET_SCORES[:, i] for i, name in enumerate(LABELS)}}


@pytest.mark.parametrize(
    ("name", "values", "scale"),
    [
        ("score", [0, 3, 12, 1], "score"),
        ("score", [1.5, 3.0, 2.5, 9.0], "score"),
        ("score", [-9.0, -3.0, -2.5, -1.0], "score"),
        ("score", [20.0, 3.0, 100.0, 40.0], "score"),
        ("score", [200.0, 850.0, 400.0, 620.0], "score"),
        ("percentile_score", [20.0, 3.0, 99.0, 40.0], "score"),
        ("probability", [1.5, 3.0, 12.0, 2.0], "score"),
        ("score", [-2.0, 3.0, 0.5, 1.0], "logit"),
        ("logit", [0.5, 3.0, 2.5, 1.0], "logit"),
        ("margin", [0.5, 3.0, 2.5, 1.0], "logit"),
        ("decision_function", [0.5, 3.0, 2.5, 1.0], "logit"),
        ("score_pct", [20.0, 3.0, 100.0, 40.0], "probability"),
        ("score", ["20%", "3%", "100%", "40%"], "probability"),
        ("score", [0.2, 0.03, 1.0, 0.4], "probability"),
        ("logit", [0.2, 0.03, 1.0, 0.4], "probability"),
    ],
)
def test_scale_follows_signs_and_names(name, values, scale):
    assert evaluate({"y_true": ["0", "1", "1", "0"], name: values}).settings.scale == scale


@pytest.mark.parametrize(
    ("name", "values", "scale", "said"),
    [
        ("logits", np.linspace(0.05, 0.95, N), "probability", "named like a logit, but all values lie in 0 to 1"),
        ("score_pct", np.linspace(0.05, 0.95, N), "probability", "named like per cent, but no value lies above 1"),
        ("logit", np.linspace(0.05, 9.5, N), "logit", "named like a logit, but no value lies below 0"),
        ("prob", np.linspace(-4, 4, N), "logit", "named like a probability, but values lie outside 0 to 1, on both"),
        (
            "prob",
            np.r_[np.full(9, 60.0), np.linspace(0, 1, N - 9)],
            "probability",
            "but most lie in 0 to 1: taken as per",
        ),
        (
            "score",
            np.r_[1.2, 1.3, np.linspace(0, 1, N - 2)],
            "score",
            "Only 2 of 120 values in 'score' lie outside 0 to 1",
        ),
    ],
)
def test_name_and_values_that_disagree_warn(name, values, scale, said):
    found = evaluate({"y_true": Y, name: values})
    assert found.settings.scale == scale
    assert sum(said in text and "Choose the scale if that is wrong" in text for text in found.receipt.warnings) == 1


@pytest.mark.parametrize(("mark", "n", "warned"), [(-1, 9, True), (999, 2, True), (-1, 1, False), (999, 31, False)])
def test_number_for_missing_scores_is_warned_of(mark, n, warned):
    scores = [mark] * n + [(place + 1) / 100 for place in range(60 - n)]
    found = detect(pa.table({"y": [*"01"] * 30, "score": pa.array(scores, pa.float64())}))
    said = f"All {n} values outside 0 to 1 in 'score' are {mark}, as if these scores were missing"
    assert any(text.startswith(said) for text in found.warnings) == warned


def test_marker_with_few_values_above_1_ranks():
    marker = np.r_[1.2, np.linspace(0, 0.99, N - 1)]
    table = pa.table({"y_true": Y, "marker": marker})
    found = detect(table, given={"score": "marker"})
    built = build(table, found.settings, name="t", content_sha256="0")
    assert built.scale == "score" and numbers_of(built)["roc_auc"] == pytest.approx(sk.roc_auc_score(TRUTH, marker))
    assert any("Only 1 of 120 values in 'marker' lies outside 0 to 1" in text for text in found.warnings)


def test_scores_adding_up_to_100_are_per_cent(rng):
    parts = np.round(100 * rng.dirichlet(np.ones(3), 30), 1)
    found = evaluate({"truth": list("abc") * 10, **{f"score_{k}": parts[:, i] for i, k in enumerate("abc")}})
    assert found.settings.scale == "probability" and found.y_score.max() <= 1.0


def test_log_probabilities_of_classes_stay_logits(rng):
    parts = rng.dirichlet(np.ones(3), 30)
    found = evaluate({"truth": list("abc") * 10, **{f"score_{k}": np.log(parts[:, i]) for i, k in enumerate("abc")}})
    assert found.settings.scale == "logit"
    np.testing.assert_allclose(found.y_score, parts)


@pytest.mark.parametrize(
    ("name", "good", "bad", "said"),
    [
        ("score", "{:.0f}%", "850%", "'score', row 8: '850%' is not per cent"),
        ("score", "{:.0f}%", "-5%", "'score', row 8: '-5%' is not per cent"),
        ("score_pct", "{:.1f}", "850", "'score_pct', row 8: '850"),
    ],
)
def test_bad_per_cent_cell_is_refused_by_name(name, good, bad, said):
    cells = [good.format(value) for value in np.linspace(1, 99, N)]
    cells[7] = bad
    with pytest.raises(DataError) as error:
        evaluate({"y_true": Y, name: cells})
    assert said in str(error.value) and "'score'" in str(error.value)


def test_bad_probability_is_refused_by_name():
    values = np.linspace(0.01, 0.99, N)
    for bad in (37.0, 1.5, -3.0):
        values[7] = bad
        said = f"'score', row 8: {bad:g} is not a probability between 0 and 1, as all other scores are"
        with pytest.raises(DataError, match=said):
            evaluate({"y_true": Y, "score": values})


def test_all_bad_per_cent_cells_are_counted():
    cells = np.linspace(1, 99, N)
    cells[:7] = 200
    with pytest.raises(DataError, match=r"row 5: '200.0' and 2 more cells are not per cent"):
        evaluate({"y_true": Y, "score_pct": cells})


@pytest.mark.parametrize("values", [DECILES, COUNTS, DECILES * 100.0], ids=["deciles", "counts", "points"])
def test_ranking_holds_and_predictions_are_undefined(values):
    found = evaluate({"y_true": Y, "score": values})
    assert (found.scale, found.threshold, found.has_predictions) == ("score", None, False)
    assert found.n_scored == N and found.n_missing_pred == 0 and math.isnan(found.effective_threshold)
    numbers = numbers_of(found)
    assert numbers["roc_auc"] == pytest.approx(sk.roc_auc_score(TRUTH, values))
    assert numbers["average_precision"] == pytest.approx(sk.average_precision_score(TRUTH, values))
    best = numbers["best_thresholds"]["f1"]
    assert best["value"] == pytest.approx(max(sk.f1_score(TRUTH, values >= cut) for cut in np.unique(values)))
    for key in (*ON_PREDICTIONS, "log_loss", "brier"):
        assert math.isnan(numbers[key]) and "scale of their own" in numbers["undefined_because"][key]
    assert math.isnan(numbers["threshold"]) and math.isnan(numbers["at_threshold"]["tp"])
    assert {name: row["support"] for name, row in numbers["per_class"].items()} == {
        "0": int((TRUTH == 0).sum()), "1": int(TRUTH.sum())
    }  # fmt: skip
    first = numbers["findings"][0]
    assert first["code"] == "no_threshold" and f"Recommended: {best['threshold']:.5g}" in first["text"]
    json.dumps(numbers)


def test_given_threshold_makes_predictions():
    by_option = evaluate({"y_true": Y, "score": DECILES}, threshold=6.0)
    by_view = with_threshold(evaluate({"y_true": Y, "score": DECILES}), 6.0)
    for found in (by_option, by_view):
        numbers = numbers_of(found)
        assert found.has_predictions and found.threshold == 6.0
        assert numbers["accuracy"] == pytest.approx(sk.accuracy_score(TRUTH, DECILES >= 6))
        assert numbers["at_threshold"]["tp"] == ((DECILES >= 6) & (TRUTH == 1)).sum()
        assert set(numbers["undefined_because"]) == {row.key for row in ROWS if row.eats == "probabilities"}
        assert math.isnan(numbers["log_loss"])
    assert by_option.fingerprint == by_view.fingerprint


def test_predictions_of_the_file_are_used():
    pred = np.where(DECILES > 6, "1", "0")
    found = evaluate({"y_true": Y, "y_pred": pred, "score": DECILES + 0.5})
    numbers = numbers_of(found)
    assert found.has_predictions and found.scale == "score" and math.isnan(numbers["threshold"])
    assert numbers["accuracy"] == pytest.approx(sk.accuracy_score(Y, pred))
    assert not any(finding["code"] in ("no_threshold", "threshold_far_from_best") for finding in numbers["findings"])
    alone = scores_alone(found)
    assert not alone.has_predictions and alone.scored.all() and alone.fingerprint != found.fingerprint


def test_rows_without_score_are_not_scored():
    values = DECILES.astype(float)
    values[3] = np.nan
    found = evaluate({"y_true": Y, "score": values})
    assert found.n_scored == N - 1 and found.n_missing_pred == 1 and not found.scored[3]


def test_multi_label_scores_rank_without_predictions():
    found = evaluate(sets())
    assert (found.task, found.scale, found.has_predictions, found.n_scored) == ("multilabel", "score", False, N)
    numbers = numbers_of(found)
    for i, name in enumerate(LABELS):
        assert numbers["roc_auc_per_class"][name] == pytest.approx(sk.roc_auc_score(SETS[:, i], SET_SCORES[:, i]))
        assert numbers["per_class"][name]["support"] == SETS[:, i].sum()
    for key in ("subset_accuracy", "hamming_loss", "micro_f1", "samples_f1", "jaccard_macro"):
        assert math.isnan(numbers[key]) and "no threshold" in numbers["undefined_because"][key]
    cut = numbers_of(with_threshold(found, 5.0))
    assert cut["subset_accuracy"] == pytest.approx(sk.accuracy_score(SETS, SET_SCORES >= 5))
    each = np.array([4.0, 5.0, 6.0])
    assert numbers_of(with_label_thresholds(found, each))["micro_f1"] == pytest.approx(
        sk.f1_score(SETS, each <= SET_SCORES, average="micro")
    )


def test_highest_class_score_predicts_with_a_warning(rng):
    truth = rng.integers(0, 3, N)
    values = np.round(rng.gamma(2, 2, (N, 3)) + 3 * (truth[:, None] == np.arange(3)), 3)
    names = [LABELS[code] for code in truth]
    found = evaluate({"truth": names, **{f"score_{name}": values[:, i] for i, name in enumerate(LABELS)}})
    numbers = numbers_of(found)
    assert found.scale == "score" and any("Check that all classes share it" in text for text in found.receipt.warnings)
    assert numbers["accuracy"] == pytest.approx(np.mean(values.argmax(axis=1) == truth))
    assert numbers["roc_auc_macro"] == pytest.approx(
        np.mean([sk.roc_auc_score(truth == i, values[:, i]) for i in range(3)])
    )
    assert math.isnan(numbers["log_loss"]) and math.isnan(numbers["brier"])


def test_two_class_columns_keep_the_positive_one():
    found = evaluate({"y_true": Y, "score_0": COUNTS[::-1] * 1.0, "score_1": DECILES * 1.0})
    assert found.scale == "score" and found.has_predictions  # the higher one is predicted
    assert numbers_of(found)["roc_auc"] == pytest.approx(sk.roc_auc_score(TRUTH, DECILES))


def test_nothing_about_rows_needs_a_probability():
    found, every = evaluate({"y_true": Y, "score": DECILES}), np.arange(N)
    assert loss(found, every) is None and confidence(found, every) is None and margin(found, every) is None
    assert find_label_issues(found) is None and np.isnan(probability_of(found, 1)).all()
    assert margin(with_threshold(found, 6.0), every).tolist() == np.abs(DECILES - 6.0).tolist()
    assert list_orders(found) == ("", "file")


@given(st.floats(0.01, 1e6))
def test_positive_factor_leaves_ranking_numbers(factor):
    plain, scaled = (
        numbers_of(evaluate({"y_true": Y, "score": values}, scale="score")) for values in (DECILES, DECILES * factor)
    )
    for key in ("roc_auc", "average_precision"):
        assert scaled[key] == pytest.approx(plain[key], abs=1e-12)
    for rule, best in plain["best_thresholds"].items():
        assert scaled["best_thresholds"][rule]["value"] == pytest.approx(best["value"], abs=1e-12)
        assert scaled["best_thresholds"][rule]["threshold"] == pytest.approx(best["threshold"] * factor)
    many, more = (
        numbers_of(
            evaluate({**sets(), **{f"score_{k}": SET_SCORES[:, i] * by for i, k in enumerate(LABELS)}}, scale="score")
        )
        for by in (1.0, factor)
    )
    assert more["roc_auc_per_class"] == pytest.approx(many["roc_auc_per_class"], abs=1e-12)


def test_scale_can_be_said_by_a_person():
    table = pa.table({"y_true": Y, "score": COUNTS / 12})
    found = detect(table, given={"scale": "score"}).settings
    assert found.scale == "score"
    assert not build(table, found, name="t", content_sha256="0").has_predictions
    corrected = correct_settings(table, detect(table).settings, {"scale": "score"})
    assert corrected.scale == "score"
    turned = correct_settings(table, corrected, {"positive": "0"})
    assert turned.scale == "score" and turned.positive == "0"


def test_settings_stored_before_read_as_before():
    """An older version stored "logit" for positive values and "probability" for per cent; both still mean that."""
    old = Settings(truth="y_true", scores=(("score", "1"),), positive="1", scale="logit")
    table = pa.table({"y_true": Y, "score": DECILES})
    found = build(table, old, name="t", content_sha256="0")
    assert (found.scale, found.threshold, found.has_predictions) == ("logit", 0.0, True)
    percent = dataclasses.replace(old, scale="probability")
    table = pa.table({"y_true": Y, "score": np.linspace(0, 100, N)})
    assert build(table, percent, name="t", content_sha256="0").y_score.max() == 1.0


def test_report_says_what_is_undefined():
    page = html_report(evaluate({"y_true": Y, "score": DECILES})).decode()
    assert "Nothing is predicted" in page and "scale of their own" in page
    assert 'id="curves"' in page and 'id="confusion"' not in page
    page = html_report(evaluate(sets())).decode()
    assert "Nothing is predicted" in page and 'id="outcomes-of-labels"' not in page


def test_whole_scores_named_so_are_no_predictions():
    found = detect(pa.table({"y_true": Y, "decile_score": DECILES})).settings
    assert (found.truth, found.pred, found.scores, found.scale) == ("y_true", None, (("decile_score", "1"),), "score")
    unnamed = detect(pa.table({"reoffended": Y, "decile_score": DECILES})).settings
    assert (unnamed.truth, unnamed.pred, unnamed.scale) == ("reoffended", None, "score")


def test_files_without_predictions_hold_no_matrix():
    for columns in ({"y_true": Y, "score": DECILES}, sets()):
        files = every_file(measure(evaluate(columns)))
        assert "roc.svg" in files and not any("confusion" in name or "outcomes" in name for name in files)
        assert "absent" not in files["classes.csv"].decode()


def two_scores(scale, n=N):
    rng = np.random.default_rng(5)
    raw = rng.normal(0, 1, (n, 2)) + np.eye(2)[TRUTH[:n]] * 2 - [0.5, 1.5]
    return {"one-vs-rest": 1 / (1 + np.exp(-raw)), "logit": raw, "points": 3 * (raw - raw.min())}[scale]


@pytest.mark.parametrize("names", [("p_0", "p_1"), ("p_1", "p_0")])
@pytest.mark.parametrize("scale", ["one-vs-rest", "logit", "points"])
def test_higher_of_two_scores_is_predicted(scale, names):
    scores = two_scores(scale)
    columns = {name: scores[:, int(name[-1])] for name in names}
    found = evaluate({"y_true": Y} | columns)
    numbers = numbers_of(found)
    assert numbers["accuracy"] == pytest.approx(np.mean(scores.argmax(axis=1) == TRUTH))
    score = scores[:, 1] - scores[:, 0] if scale == "logit" else scores[:, 1]
    assert numbers["roc_auc"] == pytest.approx(sk.roc_auc_score(TRUTH, score))
    if scale == "logit":
        assert numbers["log_loss"] == pytest.approx(sk.log_loss(TRUTH, 1 / (1 + np.exp(-score))))
        return
    assert math.isnan(numbers["log_loss"]) and "no probabilities" in numbers["undefined_because"]["log_loss"]
    assert found.threshold is None and math.isnan(numbers["threshold"])
    cut = numbers_of(with_threshold(found, 0.4))
    assert cut["accuracy"] == pytest.approx(np.mean((scores[:, 1] >= 0.4) == TRUTH))


def test_two_probabilities_keep_their_threshold():
    scores = two_scores("one-vs-rest")
    scores = (scores / scores.sum(axis=1, keepdims=True)).round(2)
    found = evaluate({"y_true": Y, "p_0": scores[:, 0], "p_1": scores[:, 1]})
    assert (found.scale, found.threshold) == ("probability", 0.5)


def test_scores_of_classes_without_a_sum_say_why(rng):
    scores = rng.random((N, 3))
    numbers = numbers_of(evaluate({"truth": list("abc") * 40} | {f"p_{k}": scores[:, i] for i, k in enumerate("abc")}))
    assert math.isnan(numbers["log_loss"]) and "do not add up to 1" in numbers["undefined_because"]["log_loss"]
