"""The title of Overview says what is right, and what that hides."""

import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Settings
from data.samples import SAMPLES
from export.measurement import measure
from export.overview.amounts import amount_of
from tests.opened_runs import open_run
from ui.overview.finding_list import title_of
from ui.view import measurement

TITLES = {
    "screening": (
        "93 of 100 `cancer` rows were predicted as `healthy`; 16 of 9,900 `healthy` rows were predicted as `cancer`"
    ),
    "support-intents": "57.2 % accurate, but 15 classes with 277 true rows in total are never predicted",
    "support-intents-llm": "55.7 % accurate, but no label was found in 122 of 600 answers (20.3 %)",
    "digits": "93.2 % accurate, but its confidence is 79.2 % on average: too low",
}


@pytest.mark.parametrize("sample", TITLES)
def test_title_is_the_finding(sample):
    evaluation = open_run(sample)
    title = title_of(evaluation, measurement.find_ranked(evaluation))
    assert title.replace("\u00a0", " ") == TITLES[sample]


def test_title_says_both_accuracies_once():
    evaluation = open_run("movie-genres")
    finding = next(f for f in measurement.find_ranked(evaluation) if f.code == "subset_far_below_per_label")
    title = title_of(evaluation, [finding])
    assert title.count("right in every label") == 1 and title.endswith("\u00a0% of single label decisions are right")


def test_title_says_the_accuracy_once():
    truth = ["a"] * 6 + ["b"] * 5 + ["c"] * 4
    table = pa.table({"y": truth, "y_pred": ["b"] * 6 + ["b"] * 2 + ["a"] * 3 + ["c"] * 4})
    evaluation = build(table, Settings(truth="y", pred="y_pred"), name="d", content_sha256="no better")
    title = title_of(evaluation, measurement.find_ranked(evaluation))
    assert title.replace("\u00a0", " ") == "40.0 % accurate, which is no better than always predicting `a`"


@pytest.mark.parametrize("sample", [sample.key for sample in SAMPLES])
def test_amounts_are_parts_of_their_base(sample):
    evaluation = open_run(sample)
    findings = measurement.find_ranked(evaluation)
    amounts = [amount_of(measure(evaluation), finding) for finding in findings]
    shares = [amount.share for amount in amounts if amount is not None and amount.share is not None]
    assert any(amounts)
    assert all(0 <= share <= 1 for share in shares)


def test_labels_off_the_list_are_no_classes():
    """Of 77 classes 59 have few rows; six labels that are not in the list are predicted, too."""
    evaluation = open_run("support-intents-llm")
    few = next(finding for finding in measurement.find_ranked(evaluation) if finding.code == "low_support")
    amount = amount_of(measure(evaluation), few)
    assert amount is not None and (amount.n, amount.base) == ("59", "of 77 classes")
