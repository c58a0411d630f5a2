"""Each finding appears when its story is true, with the right figures, and stays away when it is not."""

import numpy as np
import pytest

from metrics.confusion.counts import UNPARSEABLE, confusion_counts
from metrics.confusion.worst_confusions import never_true
from metrics.finding import Label, describe_unlisted
from metrics.findings.findings import Tables, findings
from metrics.multilabel.set_metrics import multilabel_counts
from metrics.scores.curves import score_counts
from text.numbers import count, percent


def of_pairs(pairs, labels, n_space=None, listed=None, ranks=(), **more):
    """Findings of (true, predicted, rows) triples."""
    y_true = np.concatenate([np.full(n, t) for t, _, n in pairs])
    y_pred = np.concatenate([np.full(n, p) for _, p, n in pairs])
    counts = confusion_counts(y_true, y_pred, labels=labels, n_space=n_space, listed=listed, ranks=ranks)
    return {f.code: f for f in reversed(findings(Tables(n_rows=len(y_true), confusion=counts, **more)))}


def test_constant_no_is_no_better_than_majority():
    found = of_pairs([(0, 0, 990), (1, 0, 10)], ("healthy", "cancer"))
    finding = found["no_better_than_majority"]
    assert finding.severity == "serious"
    assert finding.text == "Accuracy 99.0 % is no better than always predicting 'healthy', which would score 99.0 %."
    assert found["never_predicted"].evidence == {"classes": 1, "rows": 10, "outside": 0}


def test_far_errors_are_counted_in_steps():
    rows = [(0, 0, 50), (0, 1, 8), (0, 2, 3), (2, 0, 5), (1, 1, 50), (2, 2, 50), (2, UNPARSEABLE, 4)]
    labels = ("low", "medium", "high")
    assert "steps_off" not in of_pairs(rows, labels)
    finding = of_pairs(rows, labels, ranks=(0, 1, 2))["steps_off"]
    assert finding.text == (
        "8 of 20 wrong rows are off by two steps or more. Most often 'high' was predicted as 'low' (5 rows)."
    )
    assert finding.severity == "info" and finding.evidence == {"rows": 8}
    far = of_pairs([(0, 2, 9), (1, 1, 91)], labels, ranks=(0, 1, 2))["steps_off"]
    assert far.severity == "warning"
    assert "steps_off" not in of_pairs([(0, 1, 9), (1, 1, 91)], labels, ranks=(0, 1, 2))


def test_small_lead_over_the_majority_is_a_lead():
    # 5 of 6 right, 4 of 6 by the majority: one standard error of 4/6 on 6 rows is 19 points
    found = of_pairs([(0, 0, 3), (0, 1, 1), (1, 1, 2)], ("a", "b"))
    finding = found["no_better_than_majority"]
    assert finding.severity == "warning"
    assert finding.text == (
        "Accuracy 83.3 % on 6 rows is not clearly different from always predicting 'a', which would score 66.7 %."
    )


def test_a_good_model_has_no_serious_finding():
    found = of_pairs([(0, 0, 480), (0, 1, 20), (1, 1, 470), (1, 0, 30)], ("a", "b"))
    assert all(f.severity == "info" for f in found.values()), found


def test_gap_of_the_sample_spares_the_model():
    # 2 of 10 classes are asked about and both are nearly always right
    labels = tuple("abcdefghij")
    found = of_pairs([(0, 0, 90), (0, 1, 10), (1, 1, 95), (1, 0, 5)], labels, n_space=10)
    finding = found["macro_far_below_micro_sample"]
    assert "macro_far_below_micro" not in found
    assert "is 8 listed classes without true rows ('c', 'd', 'e' and 5 more)" in finding.text
    assert "A perfect model could reach 0.200." in finding.text
    assert finding.evidence["max_macro_f1"] == pytest.approx(0.2)
    parts = sum(finding.evidence[key] for key in ("from_absent", "from_never_predicted", "from_other"))
    assert parts == pytest.approx(finding.evidence["gap"])


def test_gap_of_never_predicted_classes_is_the_models():
    labels = tuple("abcdef")
    found = of_pairs([(0, 0, 500), *[(i, 0, 20) for i in range(1, 6)]], labels)
    finding = found["macro_far_below_micro"]
    assert finding.severity == "serious"
    assert "All of the gap is 5 classes that are never predicted ('b', 'c', 'd' and 2 more)." in finding.text
    assert "listed" not in finding.text


def test_two_class_gap_names_its_class():
    found = of_pairs([(0, 0, 960), (0, 1, 10), (1, 0, 28), (1, 1, 2)], ("healthy", "cancer"))
    assert found["macro_far_below_micro"].text == (
        "Macro F1 over both classes is 0.538, far below micro F1 0.962. All of the gap is the rare class "
        "'cancer' (F1 0.095)."
    )


def test_of_several_weak_classes_the_weakest_is_named():
    found = of_pairs([(0, 0, 900), (1, 1, 1), (1, 0, 9), (2, 2, 3), (2, 0, 7)], ("a", "b", "c"))
    assert found["macro_far_below_micro"].text.endswith(
        " All of the gap is 2 rare classes with an F1 below micro F1. The weakest is 'b' (F1 0.182)."
    )


def test_no_share_of_the_gap_is_above_all():
    gap, better = "of the gap is 2 listed classes without true rows", "do better on average than micro F1."
    # exactly all: every class with true rows has the same F1
    assert f". All {gap} ('c', 'd'). A perfect" in sentence([(0, 0, 9), (0, 1, 1), (1, 1, 9), (1, 0, 1)], 4)
    # more than all
    rows = [(0, 0, 90), (0, 1, 10), (1, 1, 40), (2, 2, 40)]
    assert f". All {gap} ('d', 'e'). The other classes {better}" in sentence(rows, 5)
    # less than all, with a class never predicted that the others nearly make up for
    rows = [(0, 0, 30), (1, 1, 30), (0, 1, 6), (2, 0, 4)]
    found = sentence(rows, 5)
    assert "More than half of the gap is the class 'c', which is never predicted. The rest is 2 listed" in found
    assert better in found
    # none of it the sample's
    rows = [(0, 0, 30), (1, 1, 30), (2, 0, 10)]
    assert f". All of the gap is the class 'c', which is never predicted. The other classes {better}" in sentence(
        rows, 3
    )


def sentence(pairs: list[tuple[int, int, int]], n_space: int) -> str:
    found = of_pairs(pairs, tuple("abcdefghij"[:n_space]), n_space=n_space)
    return next(finding.text for code, finding in found.items() if code.startswith("macro_far"))


def test_the_worst_confusion_reads_as_a_sentence():
    found = of_pairs([(0, 0, 268), (0, 1, 42), (1, 1, 300)], ("refund", "billing"))
    finding = found["confusion"]
    assert finding.text == "42 of 310 'refund' rows were predicted as 'billing' (13.5 %)."
    assert finding.labels == ("refund", "billing")


def test_label_names_stay_apart_from_our_words():
    found = of_pairs([(0, 0, 268), (0, 1, 42), (1, 1, 300)], ("**bold**", "b"))
    names = [part for part in found["confusion"].parts if isinstance(part, Label)]
    assert names == [Label("**bold**"), Label("b")]
    assert (
        found["confusion"].sentence(lambda name: f"<{len(name)}>")
        == "42 of 310 <8> rows were predicted as <1> (13.5 %)."
    )


def test_unparseable_answers_give_both_accuracies():
    found = of_pairs([(0, 0, 60), (1, 1, 20), (0, UNPARSEABLE, 20)], ("a", "b"))
    assert "No label was found in 20 of 100 answers (20.0 %)" in found["unparseable"].text
    assert "80.0 % with them counted wrong and 100.0 % over the other rows" in found["unparseable"].text


def test_outside_labels_are_told_by_side():
    labels = ("a", "b", "made up", "not offered")
    found = of_pairs([(0, 0, 50), (1, 1, 40), (0, 2, 7), (3, 0, 5)], labels, n_space=2)
    assert found["outside_label_space"].evidence == {"rows": 7, "labels": 1}
    truth = found["truth_outside_label_space"]
    assert truth.evidence == {"rows": 5, "labels": 1, "true_labels": 3, "accuracy_at_most": pytest.approx(97 / 102)}
    assert truth.text == (
        "1 of the 3 true labels is not in the label list: 'not offered'. A model that predicts only listed labels "
        "cannot predict it: 5 rows, so its accuracy is 95.1 % at most."
    )


def test_unlisted_never_predicted_classes_are_explained():
    # of 7 true labels the set holds 3; of these one is never predicted, of the others all
    labels = tuple("abcdefg")
    pairs = [(0, 0, 40), (1, 1, 30), (2, 0, 10), *[(code, 0, 5) for code in (3, 4, 5, 6)]]
    found = of_pairs(pairs, labels, n_space=3)
    never = found["never_predicted"]
    assert never.evidence == {"classes": 5, "rows": 30, "outside": 4}
    assert never.text.endswith(" 4 of them are not in the label list, which explains these.")
    outside = found["truth_outside_label_space"]
    assert "4 of the 7 true labels are not in the label list: 'd', 'e', 'f' and 1 more" in outside.text
    assert "cannot predict them: 20 rows, so its accuracy is 80.0 % at most." in outside.text
    inside = of_pairs(pairs, labels)
    assert inside["never_predicted"].evidence["outside"] == 0 and "label list" not in inside["never_predicted"].text
    assert "truth_outside_label_space" not in inside


def test_predictions_beyond_the_label_set_are_found():
    found = of_pairs([(0, 0, 60), (1, 1, 30), (2, 2, 6), (2, 0, 4)], ("a", "b", "beyond"), n_space=2)
    text = found["truth_outside_label_space"].text
    assert text.endswith("so its accuracy is 90.0 % at most. (6 rows of them were predicted right all the same.)")


@pytest.mark.parametrize(
    ("outside", "never", "said"),
    [
        (0, 3, ""),
        (1, 1, " It is not in the label list, which explains it."),
        (3, 3, " All of them are not in the label list, which explains it."),
        (1, 3, " 1 of them is not in the label list, which explains this one."),
        (2, 3, " 2 of them are not in the label list, which explains these."),
    ],
)
def test_never_predicted_says_how_many_are_unlisted(outside, never, said):
    assert describe_unlisted(outside, never) == said


def test_multilabel_truth_beyond_the_set_is_found():
    truth = np.array([[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0]], dtype=bool)
    pred = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    tables = Tables(4, multilabel=multilabel_counts(truth, pred, ("a", "b", "c")), n_space=2)
    found = {f.code: f for f in findings(tables)}
    outside = found["truth_outside_label_space"]
    # 6 true labels in all, 2 of them 'c'
    assert outside.evidence == {"labels": 1, "true_labels": 3, "recall_at_most": pytest.approx(4 / 6)}
    assert "1 of the 3 true labels is not in the label list: 'c'. " in outside.text and "66.7 %" in outside.text
    assert "never_predicted" not in found  # 'c' alone, and it is told
    assert "truth_outside_label_space" not in {f.code for f in findings(Tables(4, multilabel=tables.multilabel))}
    assert "absent" not in found


def test_a_favourite_names_what_feeds_it():
    found = of_pairs([(0, 0, 50), (1, 0, 60), (2, 0, 40), (1, 1, 5), (2, 2, 30)], ("balance", "card", "fee"))
    finding = found["favourite"]
    assert finding.text == (
        "100 rows of 2 other classes were predicted as 'balance'. Most often 'card' (60 rows), 'fee' (40 rows). "
        "The model predicts 'balance' 150 times, but it has only 50 true rows."
    )
    assert "confusion" not in found  # the same rows
    never_true = of_pairs([(1, 0, 60), (2, 0, 40), (1, 1, 50), (2, 2, 30)], ("balance", "card", "fee"))["favourite"]
    assert never_true.text.endswith("The model predicts 'balance' 100 times, but it has no true rows.")


def test_few_rows_are_flagged():
    found = of_pairs([(0, 0, 50), (1, 1, 9)], ("a", "b"))
    assert found["low_support"].evidence == {"classes": 1}
    assert "low_support" not in of_pairs([(0, 0, 50), (1, 1, 10)], ("a", "b"))


def scored(scores_of_positives, scores_of_negatives, threshold):
    y = np.r_[np.ones(len(scores_of_positives), bool), np.zeros(len(scores_of_negatives), bool)]
    counts = score_counts(y, np.r_[scores_of_positives, scores_of_negatives])
    confusion = confusion_counts(y.astype(int), y.astype(int), labels=("no", "yes"))
    tables = Tables(n_rows=len(y), confusion=confusion, scores=counts, positive=1, threshold=threshold)
    return {f.code: f for f in findings(tables)}


def test_threshold_far_from_best_has_both_f1():
    found = scored(np.linspace(0.2, 0.4, 50), np.linspace(0.0, 0.19, 50), threshold=0.39)
    finding = found["threshold_far_from_best"]
    assert finding.evidence["best_threshold"] == pytest.approx(0.2)
    assert finding.evidence["best_f1"] == 1.0
    assert "threshold_far_from_best" not in scored(np.linspace(0.2, 0.4, 50), np.linspace(0.0, 0.19, 50), threshold=0.2)


def test_backwards_score_asks_for_the_positive_class():
    assert (
        "Is the positive class the other one?"
        in scored(np.linspace(0, 0.4, 50), np.linspace(0.5, 1, 50), 0.5)["reversed_score"].text
    )


def test_subset_accuracy_far_below_per_label_accuracy():
    y_true = np.array([[0, 1, 0], [1, 1, 0]], bool)
    y_pred = np.array([[0, 1, 1], [1, 0, 0]], bool)
    found = {
        f.code: f for f in findings(Tables(n_rows=2, multilabel=multilabel_counts(y_true, y_pred, ("x", "y", "z"))))
    }
    assert found["subset_far_below_per_label"].evidence == {
        "subset_accuracy": 0.0,
        "per_label_accuracy": pytest.approx(2 / 3),
    }


def test_rows_without_truth_or_prediction_are_counted():
    found = of_pairs([(0, 0, 5), (1, 1, 5)], ("a", "b"), n_missing_truth=3, n_missing_pred=1)
    assert found["missing_truth"].text == "3 of 10 rows have no true label and are left out of every metric."
    assert found["missing_prediction"].text == "1 of 10 rows has no predicted label and is left out of every metric."
    assert found["missing_prediction"].evidence == {"rows": 1}


def test_serious_findings_come_first():
    found = of_pairs([(0, 0, 990), (1, 0, 10), (0, UNPARSEABLE, 100)], ("a", "b"))
    severities = [f.severity for f in reversed(found.values())]
    order = {"serious": 0, "warning": 1, "info": 2}
    assert sorted(severities, key=order.__getitem__) == severities


@pytest.mark.parametrize("empty", [Tables(n_rows=0), Tables(n_rows=3, n_missing_truth=3)])
def test_nothing_scored_gives_no_invented_finding(empty):
    assert all(f.code.startswith("missing") for f in findings(empty))


def test_numbers_in_words():
    assert [count(1, "class"), count(2, "class"), count(0)] == ["1 class", "2 classes", "0 rows"]
    assert [percent(1.0), percent(0.9996), percent(0.0)] == ["100.0 %", "> 99.9 %", "0.0 %"]


def test_invented_labels_are_one_finding():
    pairs = [(0, 0, 50), (1, 1, 40), (0, 2, 9), (1, 3, 2)]
    outside = of_pairs(pairs, ("a", "b", "made up", "B"), n_space=2)
    assert outside["outside_label_space"].text == (
        "2 predicted labels are not in the label list: 'made up', 'B'. They were predicted 11 times."
    )
    assert not {"favourite", "confusion", "absent", "never_true"} & set(outside)
    without_list = of_pairs(pairs, ("a", "b", "made up", "B"), listed=(0, 1))
    assert without_list["never_true"].text == (
        "2 predicted labels are never true: 'made up', 'B'. They were predicted 11 times. A label list tells "
        "misspelt labels from classes without rows."
    )
    assert not {"favourite", "confusion", "absent", "outside_label_space"} & set(without_list)


def test_never_predicted_classes_are_not_told_twice():
    # always the same answer: where the rows go is part of the finding
    found = of_pairs([(0, 0, 40), (1, 0, 30), (2, 0, 30)], ("a", "b", "c"))
    assert found["never_predicted"].text == (
        "2 classes with 60 true rows in total are never predicted: 'b', 'c'. 60 of these rows were predicted as 'a'."
    )
    assert not {"favourite", "confusion"} & set(found)


def test_classes_not_in_the_data_are_told_once():
    gap = of_pairs([(0, 0, 90), (0, 1, 10), (1, 1, 95), (1, 0, 5)], tuple("abcdefghij"))
    assert "macro_far_below_micro_sample" in gap and "absent" not in gap
    small = of_pairs([(i, i, 20) for i in range(19)], tuple("abcdefghijklmnopqrst"))
    assert "macro_far_below_micro_sample" not in small
    assert small["absent"].text == "1 of 20 classes has no true rows: 't'. It can't be scored."


def test_no_two_findings_are_about_the_same_cells():
    random = np.random.default_rng(0)
    for _ in range(60):
        k = int(random.integers(2, 7))
        matrix = random.poisson(random.choice([0.3, 5, 40], (k, k)))
        pairs = [(t, p, int(matrix[t, p])) for t in range(k) for p in range(k) if matrix[t, p]]
        if pairs:
            check_cells(of_pairs_all(pairs, tuple("abcdefg"[:k]), listed=tuple(range(int(random.integers(k))))))


def of_pairs_all(pairs, labels, **more):
    counts = confusion_counts(*(np.repeat([p[i] for p in pairs], [p[2] for p in pairs]) for i in (0, 1)),
                              labels=labels, **more)  # fmt: skip
    return counts, findings(Tables(n_rows=counts.n, confusion=counts))


def check_cells(made):
    counts, found = made
    favourites = {f.labels[0] for f in found if f.code == "favourite"}
    never = {counts.labels[c] for c in np.flatnonzero((counts.support > 0) & (counts.predicted == 0))}
    invented = {counts.labels[c] for c in never_true(counts)}
    assert not favourites & invented
    for finding in found:
        if finding.code == "confusion":
            assert finding.labels[0] not in never and finding.labels[1] not in favourites | invented
    assert sum(f.code in ("absent", "macro_far_below_micro_sample") for f in found) <= 1
