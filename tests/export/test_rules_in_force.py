"""A rule in force in what leaves the pages: the command line, the numbers and the report say the same of it."""

import dataclasses
import json
import math

import numpy as np
import pyarrow as pa
import pytest
import sklearn.metrics as oracle

from cli import main
from data.building.build import build
from data.errors import DataError
from data.samples import FOLDER
from export.evaluation.threshold_tables import threshold_tables
from export.measurement import measure
from export.numbers import numbers, values
from export.report.page import html_report
from export.result.written import write_cell
from export.rules_in_force import choose_by_rule
from metrics.scores.curves import score_counts
from metrics.thresholds.choose import choose
from metrics.thresholds.label_thresholds import cross_fitted
from metrics.thresholds.optimism import optimism
from metrics.thresholds.rule_text import read_rule
from tests.export.evaluations import sample
from tests.export.recompute.test_prepared import sets
from tests.export.test_weights import binary, evaluate, repeated

SCREENING = FOLDER / "screening.csv"


@pytest.fixture(scope="module")
def screening():
    found = sample("screening")
    return found, score_counts(found.y_true == found.positive, found.y_score[:, 0])


@pytest.mark.parametrize("text", ["recall:0.9", "cost:1:10", "capacity:2.5%", "mcc"])
def test_rule_gives_threshold_and_its_figures(screening, text):
    evaluation, scores = screening
    at, chosen = choose_by_rule(evaluation, text)
    rule = read_rule(text)
    (said,) = numbers(measure(at, rule=chosen))["numbers"]["rules_in_force"]
    assert at.threshold == choose(scores, rule).threshold == said["threshold"] and said["rule"] == text
    assert said["kept"] is True
    if rule.by == "capacity":
        assert said["expected_on_new_data"] is None and said["estimated_by"] is None
    else:
        seen = optimism(scores, rule)
        assert said["expected_on_new_data"] == (seen.kept if rule.by == "at_least" else seen.cross_fitted)
        assert said["estimated_by"] == {"method": "cross-validation", "folds": 5, "repeats": 20, "seed": 0}


@pytest.mark.parametrize("text", ["f1", "mcc", "recall:0.8", "cost:1:4", "accuracy", "capacity:20", "capacity:30%"])
@pytest.mark.parametrize("unit", [1.0, 0.1])
def test_weighted_rule_is_that_of_repeated_rows(text, unit):
    """Weights of 0.1 have no exact sum: a capacity of 2 still allows 20 of them."""
    times = np.random.default_rng(1).integers(0, 4, 60)
    e = evaluate(binary(60, w=times * unit), weights="w")
    rule = f"capacity:{20 * unit:g}" if text == "capacity:20" else text
    (_, (said,)), (_, (expected,)) = choose_by_rule(e, rule), choose_by_rule(repeated(e, times), text)
    assert (said.threshold, said.best, said.kept) == (expected.threshold, expected.best, True)
    scale = unit if said.metric == "flagged" else 1.0
    assert said.here == pytest.approx(expected.here * scale)
    assert dict(said.price) == pytest.approx(dict(expected.price))


@pytest.mark.parametrize("rule", ["f1", "micro_f1", "macro_f1"])
def test_weighted_labels_are_those_of_repeated_rows(rule):
    plain = sets()
    times = np.random.default_rng(2).integers(0, 4, plain.n_lines)
    rows = plain.rows.append_column("w", pa.array(times * 0.1))
    settings = dataclasses.replace(plain.settings, weights="w", label_set=plain.labels)
    e = build(rows, settings, name="w", content_sha256="0")
    (at, (said,)), (again, (expected,)) = choose_by_rule(e, rule), choose_by_rule(repeated(e, times), rule)
    assert said.threshold == expected.threshold and (at.y_pred[times > 0].sum(axis=0) > 0).any()
    assert np.array_equal(np.repeat(at.y_pred, times, axis=0), again.y_pred)
    assert said.here == pytest.approx(expected.here) and dict(said.price) == pytest.approx(dict(expected.price))
    assert math.isfinite(said.expected)


def test_given_threshold_is_judged_by_rule(screening):
    at, chosen = choose_by_rule(screening[0], "recall:0.9", keeps_threshold=True)
    assert at.threshold == 0.5 and not chosen[0].kept and chosen[0].estimate is None


def test_labels_get_their_best_thresholds():
    evaluation = sample("movie-genres")
    at, chosen = choose_by_rule(evaluation, "f1")
    found = values(measure(at, rule=chosen))
    y_true, y_score = evaluation.y_true, evaluation.y_score
    best = []
    for place, code in enumerate(evaluation.score_codes):
        precision, recall, _ = oracle.precision_recall_curve(y_true[:, code], y_score[:, place])
        best.append(np.nanmax(2 * precision * recall / np.where(precision + recall > 0, precision + recall, np.nan)))
    (said,) = found["rules_in_force"]
    assert said["metric"] == "macro_f1" and said["value"] == pytest.approx(np.mean(best)) and said["threshold"] is None
    held_out = cross_fitted(y_true, y_score, evaluation.score_codes, otherwise=0.0).each
    expected = np.mean(2 * held_out.tp / (2 * held_out.tp + held_out.fp + held_out.fn))
    assert said["expected_on_new_data"] == pytest.approx(expected) and expected < said["value"]
    codes = {finding["code"] for finding in found["findings"]}
    assert {"rule_kept", "rule_on_new_data"} <= codes


@pytest.mark.parametrize(
    ("key", "rule", "said"),
    [
        ("screening", "recall:2", "was wanted, such as recall:0.95"),
        ("screening", "f1,f1", "one rule was wanted"),
        ("screening", "macro_f1", "a rule such as recall:0.9 was wanted"),
        ("screening", "precision:0.999", "No threshold of these rows follows the rule precision:0.999"),
        ("digits", "f1", "a binary or a multi-label file was wanted"),
        ("movie-genres", "recall:0.9", "one of f1, micro_f1, macro_f1 was wanted"),
        ("support-intents-llm", "f1", "needs scores"),
    ],
)
def test_unusable_rule_is_refused(key, rule, said):
    with pytest.raises(DataError, match=said.replace("(", r"\(")):
        choose_by_rule(sample(key), rule)


def test_command_line_takes_rule(capsys):
    assert main(["score", str(SCREENING), "--rule", "recall:0.9", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["at_threshold"]["recall"] == found["recall"] == found["rules_in_force"][0]["value"] == 0.9
    assert (found["n_missed"], found["n_false_alarms"]) == (10, 1786)
    assert main(["score", str(SCREENING), "--rule", "recall:x"]) == 2
    assert "--rule 'recall:x' cannot be used" in capsys.readouterr().err


def test_report_states_rule_and_expected_figure(screening):
    page = html_report(*choose_by_rule(screening[0], "recall:0.9")[:1],
                       chosen=choose_by_rule(screening[0], "recall:0.9")[1]).decode()  # fmt: skip
    assert "recall at least 0.9, so score ≥ 0.00833. It is met." in page
    assert "Expect slightly worse on new data: recall about 0.893, not 0.900." in page
    assert '10 of 100 <span class="label">cancer</span> rows were predicted as' in page
    assert '"rules_in_force":[{"rule":"recall:0.9"' in page
    assert "<dt>Rule</dt>" not in html_report(screening[0]).decode()


def test_best_thresholds_are_written_alike(screening):
    """The best by F1 is 0.1050367, that by Youden's J 0.00786118: five decimals leave each three digits."""
    table = threshold_tables(measure(screening[0]))[-1]
    assert [write_cell(row[1], str).text for row in table.rows[:2]] == ["0.10504", "0.00786"]
