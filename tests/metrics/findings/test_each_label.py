"""With several labels a row a label that does badly is found, named and counted; many labels make one finding."""

import numpy as np
import pytest

from metrics.finding import LOW_SUPPORT
from metrics.findings.findings import Tables, findings
from metrics.multilabel.set_metrics import multilabel_counts
from metrics.thresholds.choose import Rule
from metrics.thresholds.rule_in_force import ChosenThreshold
from metrics.thresholds.rule_text import Given


def counts_of(tables, n=100):
    """Counts of labels with (tp, fp, fn) rows of n, each label by itself."""
    truth, pred = np.zeros((n, len(tables)), bool), np.zeros((n, len(tables)), bool)
    for k, (tp, fp, fn) in enumerate(tables):
        truth[: tp + fn, k] = True
        pred[fn : tp + fn + fp, k] = True
    return multilabel_counts(truth, pred, tuple(f"label {k}" for k in range(len(tables))))


def found_in(tables, n=100, **more):
    return {f.code: f for f in findings(Tables(n, multilabel=counts_of(tables, n), **more))}


GOOD = (48, 2, 2)


def test_a_label_that_misses_most_rows_is_found():
    found = found_in([GOOD, (6, 1, 24)])["label_missed"]
    assert found.text == "24 of 30 'label 1' rows were missed: recall is 0.200."
    assert found.severity == "serious" and found.labels == ("label 1",)
    assert found.evidence == {"rows": 24, "support": 30, "recall": 0.2, "labels": 1}
    assert "label_missed" not in found_in([GOOD, (15, 0, 15)])


def test_false_alarms_that_outnumber_hits_are_found():
    found = found_in([GOOD, (10, 30, 2)])["label_false_alarms"]
    assert found.text == (
        "30 of 40 rows predicted as 'label 1' are wrong: precision is 0.250. "
        "Never predicting it would make fewer mistakes."
    )
    assert "label_false_alarms" not in found_in([GOOD, (10, 10, 2)])


def test_a_label_worse_than_always_is_found():
    found = found_in([GOOD, (70, 5, 20)])["label_worse_than_always"]
    assert found.text == (
        "'label 1' is predicted wrongly in 25 of 100 rows. Always predicting it would be wrong in 10."
    )
    assert "label_worse_than_always" not in found_in([GOOD, (85, 5, 5)])


def test_many_labels_make_one_finding():
    found = findings(Tables(100, multilabel=counts_of([GOOD] + [(5 + k, 0, 30) for k in range(20)])))
    missed = [f for f in found if f.code == "label_missed"]
    assert len(missed) == 1 and missed[0].evidence["labels"] == 20
    assert missed[0].text.startswith("30 of 35 'label 1' rows were missed: recall is 0.143. ")
    assert missed[0].text.endswith("missed for 19 other labels: 'label 2', 'label 3', 'label 4' and 16 more.")
    assert len(found) <= 8


def test_too_few_rows_are_no_judgement():
    few = LOW_SUPPORT - 1
    found = found_in([GOOD, (1, few - 1, few - 1), (98 - 2, 2, 0)])
    assert not {"label_missed", "label_false_alarms", "label_worse_than_always"} & set(found)
    assert found["low_support"].text == "1 label has fewer than 10 true rows, too few to tell: 'label 1'."
    assert found["low_negatives"].text == "1 label has fewer than 10 rows without it, too few to tell: 'label 2'."


def test_never_predicted_labels_are_told_once():
    found = found_in([GOOD, (0, 0, 30)])
    assert "label_missed" not in found
    assert found["never_predicted"].text == "'label 1' is never predicted. It has 30 true rows."


def test_never_true_labels_are_told_once():
    found = found_in([GOOD, (0, 20, 0)], listed=(0,))
    assert found["never_true"].evidence == {"predictions": 20, "labels": 1} and "label_false_alarms" not in found
    listed = found_in([GOOD, (0, 20, 0)], listed=(0, 1))
    assert "never_true" not in listed and listed["label_false_alarms"].evidence["rows"] == 20


@pytest.mark.parametrize("code", [1, None])
def test_a_rule_judges_the_labels_it_chose(code):
    rule = Given(code, Rule("at_least", metric="precision", floor=0.9))
    chosen = ChosenThreshold(rule, 0.5, "precision", 0.9, float("nan"), True, 0.5)
    assert "label_missed" not in found_in([GOOD, (6, 1, 24)], chosen=(chosen,))


def test_the_worst_is_the_lowest_by_hand():
    random = np.random.default_rng(3)
    for _ in range(40):
        truth, pred = random.random((2, 200, 6)) < random.random((2, 1, 6))
        counts = multilabel_counts(truth, pred, tuple("uvwxyz"))
        found = {f.code: f for f in findings(Tables(200, multilabel=counts))}
        recall = {
            label: (truth[:, k] & pred[:, k]).sum() / truth[:, k].sum()
            for k, label in enumerate("uvwxyz")
            if truth[:, k].sum() >= LOW_SUPPORT and pred[:, k].any()
        }
        low = {label: value for label, value in recall.items() if value < 0.5}
        assert ("label_missed" in found) == bool(low)
        if low:
            assert found["label_missed"].evidence["labels"] == len(low)
            assert low[found["label_missed"].labels[0]] == min(low.values())
