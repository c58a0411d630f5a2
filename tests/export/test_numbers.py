"""The whole report against scikit-learn, which is given the labels as strings and "unparseable" as one more."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from sklearn import metrics as sk

from metrics.confusion.counts import MISSING
from tests.measured_numbers import numbers_of
from tests.metrics.findings.test_tables import Rows
from tests.metrics.pairs import (
    MANY,
    RATES,
    Pairs,
    many_classes,
    matthews,
    pairs,
    pairs_of,
    scikit_learn,
    scikit_learn_rates,
)

pytestmark = pytest.mark.filterwarnings("ignore:A single label was found")


def rows_of(p: Pairs, **more) -> Rows:
    task = "binary" if p.n_space == 2 else "multiclass"
    return Rows(task, p.labels, p.y_true, p.y_pred, n_space=p.n_space, **more)


def assert_same(found: float, wanted: float, what: str = "") -> None:
    assert math.isnan(found) if math.isnan(wanted) else found == pytest.approx(wanted, abs=1e-12), what


def check(found: dict, p: Pairs) -> None:
    """Every number on hard labels that scikit-learn can give; it compares the labels themselves."""
    truth, answer, names = p.truth, p.answer, list(p.names)
    true = [name for name in names if name in set(truth)]
    seen = [name for name in names if name in {*truth, *answer}]
    n_true, n_pred = ({name: side.count(name) for name in seen} for side in (truth, answer))
    parsed = [(t, a) for t, a in zip(truth, answer, strict=True) if a in set(names)]
    assert_same(found["accuracy"], scikit_learn(sk.accuracy_score, truth, answer))
    assert_same(found["accuracy_parsed"], np.mean([t == a for t, a in parsed]) if parsed else math.nan)
    assert_same(found["baseline_accuracy"], max(n_true[name] for name in true) / len(truth))
    assert_same(found["balanced_accuracy"], scikit_learn(sk.recall_score, truth, answer, labels=true, average="macro"))
    assert_same(found["cohen_kappa"], scikit_learn(sk.cohen_kappa_score, truth, answer))
    assert_same(found["mcc"], matthews(truth, answer))
    for average, end, over in (
        ("micro", "", names),
        ("macro", "", seen),
        ("macro", "_supported", true),
        ("weighted", "", true),
    ):
        for which, wanted in scikit_learn_rates(truth, answer, labels=over, average=average).items():
            assert_same(found[f"{average}_{which}{end}"], wanted, f"{average} {which}{end}")
    each = sk.precision_recall_fscore_support(truth, answer, labels=seen, average=None, zero_division=np.nan)
    for which, values in zip(RATES, each[:3], strict=True):
        for name, value in zip(seen, values, strict=True):
            assert_same(found["per_class"][str(name)][which], value, f"{which} of {name}")
    space = names[: p.n_space]
    assert_same(
        found["macro_f1_label_space"], sk.f1_score(truth, answer, labels=space, average="macro", zero_division=0)
    )
    for name in seen:
        row = found["per_class"][str(name)]
        assert (row["support"], row["predicted"]) == (n_true[name], n_pred[name])
    assert found["never_predicted"] == [str(name) for name in true if not n_pred[name]]
    assert found["absent"] == [str(name) for name in space if name not in true]
    assert found["outside_label_space"] == [str(name) for name in names[p.n_space :]]
    assert found["classes"] == [str(name) for name in space]
    matrix = np.array(found["confusion_matrix"]["rows_true_cols_pred"])
    assert found["confusion_matrix"]["labels"] == [str(name) for name in names]
    known = np.array([str(name) in {str(name) for name in seen} for name in names])
    assert np.array_equal(matrix[np.ix_(known, known)], sk.confusion_matrix(truth, answer, labels=seen))
    assert matrix.sum() == len(parsed) and found["n_unparsed"] == len(truth) - len(parsed)
    unparsed = found["confusion_matrix"].get("unparsed_per_true", [0] * len(names))
    assert np.array_equal(matrix.sum(axis=1) + unparsed, [n_true.get(name, 0) for name in names])


@settings(max_examples=25)
@given(pairs(min_rows=1).filter(lambda p: p.truth))
@example(pairs_of(["only"], 1, [0, 0], [0, -2]))
@example(pairs_of(["a", "b", "c"], 2, [0, 1, -1, 0], [2, -2, 0, -1]))
def test_the_report_equals_scikit_learn(p):
    found = numbers_of(rows_of(p, positive=1 if p.n_space == 2 else None))
    check(found, p)
    assert found["n_rows"] == len(p.y_true) and found["n_scored"] == len(p.truth)
    assert found["n_missing_truth"] == (p.y_true == MISSING).sum()
    assert found["n_missing_pred"] == (p.y_pred == MISSING).sum()


def test_a_thousand_classes_equal_scikit_learn():
    p = many_classes(n=8_000)
    found = numbers_of(rows_of(p))
    assert len(found["per_class"]) == MANY
    check(found, p)


@settings(max_examples=30)
@given(pairs(min_rows=1), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(p, random):
    order = list(range(len(p.y_true)))
    random.shuffle(order)
    shuffled = p._replace(y_true=p.y_true[order], y_pred=p.y_pred[order])
    assert repr(numbers_of(rows_of(p))) == repr(numbers_of(rows_of(shuffled)))


def test_without_any_scored_row_everything_is_undefined():
    found = numbers_of(rows_of(pairs_of(["a", "b", "c"], 3, [-1, 0], [0, -1])))
    assert found["n_scored"] == 0 and found["n_rows"] == 2
    for name in ("accuracy", "baseline_accuracy", "balanced_accuracy", "cohen_kappa", "mcc", "macro_f1", "micro_f1"):
        assert math.isnan(found[name])
    assert {f["code"] for f in found["findings"]} == {"missing_truth", "missing_prediction"}


# -- scores -----------------------------------------------------------------------------------------

GRID = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5, 0.75, 1.0])


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from([0, 1, MISSING]), GRID), min_size=1), st.sampled_from([None, 0.25, 0.6]))
def test_one_score_equals_scikit_learn(rows, threshold):
    y_true, score = np.array([t for t, _ in rows], dtype=np.int32), np.array([s for _, s in rows])
    cut = 0.5 if threshold is None else threshold
    p = Rows("binary", ("no", "yes"), y_true, (score >= cut).astype(np.int32), y_score=score.reshape(-1, 1),
             score_codes=(1,), positive=1, threshold=threshold)  # fmt: skip
    found = numbers_of(p)
    truth, score = y_true[y_true != MISSING] == 1, score[y_true != MISSING]
    if not len(truth):
        assert math.isnan(found["roc_auc"]) and math.isnan(found["log_loss"])
        return
    both = 0 < truth.sum() < len(truth)
    assert_same(found["roc_auc"], sk.roc_auc_score(truth, score) if both else math.nan)
    assert_same(found["average_precision"], sk.average_precision_score(truth, score) if truth.any() else math.nan)
    assert_same(found["log_loss"], sk.log_loss(truth, score, labels=[False, True]))
    assert_same(found["brier"], float(np.mean((score - truth) ** 2)))
    at, called = found["at_threshold"], score >= cut
    assert found["threshold"] == cut == at["threshold"] and found["positive"] == "yes"
    wanted = [(truth & called).sum(), (~truth & called).sum(), (truth & ~called).sum(), (~truth & ~called).sum()]
    assert [at[key] for key in ("tp", "fp", "fn", "tn")] == wanted
    for key, value in {"precision": found["per_class"]["yes"]["precision"], "accuracy": found["accuracy"]}.items():
        assert_same(at[key], value, "predictions made by the threshold: both views are the same")
    best = found["best_thresholds"]["f1"]
    if truth.any():
        tried = [sk.f1_score(truth, score >= t, zero_division=0) for t in (*score, math.inf)]
        assert_same(best["value"], max(tried))
        assert_same(sk.f1_score(truth, score >= best["threshold"], zero_division=0), best["value"])
    else:
        assert math.isnan(best["value"])


def test_logits_give_the_losses_of_their_sigmoid():
    logits, truth = np.array([[2.0], [-1.0], [0.5], [-3.0]]), np.array([1, 0, 0, 1], dtype=np.int32)
    p = Rows("binary", ("0", "1"), truth, (logits[:, 0] >= 0).astype(np.int32), y_score=logits, score_codes=(1,),
             scale="logit", positive=1)  # fmt: skip
    found = numbers_of(p)
    proba = 1 / (1 + np.exp(-logits[:, 0]))
    assert_same(found["log_loss"], sk.log_loss(truth, proba))
    assert_same(found["brier"], sk.brier_score_loss(truth, proba))
    assert found["threshold"] == 0


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 2), *[st.integers(1, 9)] * 3), min_size=1, max_size=30))
def test_a_score_per_class_equals_scikit_learn(rows):
    y_true = np.array([row[0] for row in rows], dtype=np.int32)
    weights = np.array([row[1:] for row in rows], dtype=float)
    proba = weights / weights.sum(axis=1, keepdims=True)
    names = ("a", "b", "c")
    p = Rows("multiclass", names, y_true, proba.argmax(axis=1).astype(np.int32), y_score=proba, score_codes=(0, 1, 2))
    found = numbers_of(p)
    aucs = {}
    for code, name in enumerate(names):
        truth = y_true == code
        if 0 < truth.sum() < len(truth):
            aucs[name] = sk.roc_auc_score(truth, proba[:, code])
        assert_same(found["roc_auc_per_class"][name], aucs.get(name, math.nan))
        average = sk.average_precision_score(truth, proba[:, code]) if truth.any() else math.nan
        assert_same(found["average_precision_per_class"][name], average)
    assert_same(found["roc_auc_macro"], float(np.mean(list(aucs.values()))) if aucs else math.nan)
    support = [(y_true == names.index(name)).sum() for name in aucs]
    assert_same(
        found["roc_auc_weighted"], float(np.average(list(aucs.values()), weights=support)) if sum(support) else math.nan
    )
    assert_same(found["log_loss"], sk.log_loss(y_true, proba, labels=[0, 1, 2]))
    assert_same(found["brier"], float(((proba - np.eye(3)[y_true]) ** 2).sum(axis=1).mean()))


# -- several labels a row ---------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.lists(st.tuples(*[st.booleans()] * 6), min_size=1, max_size=30))
def test_label_sets_equal_scikit_learn(rows):
    cells = np.array(rows, dtype=bool)
    truth, pred = cells[:, :3], cells[:, 3:]
    found = numbers_of(Rows("multilabel", ("a", "b", "c"), truth, pred))
    assert_same(found["subset_accuracy"], sk.accuracy_score(truth, pred))
    assert_same(found["hamming_loss"], sk.hamming_loss(truth, pred))
    assert_same(found["per_label_accuracy"], 1 - sk.hamming_loss(truth, pred))
    for average in ("samples", "micro"):
        wanted = sk.jaccard_score(truth, pred, average=average, zero_division=0)
        defined = average == "samples" or (truth | pred).any()
        assert_same(found[f"jaccard_{average}"], wanted if defined else math.nan)
    assert_same(found["samples_f1"], sk.f1_score(truth, pred, average="samples", zero_division=0))
    seen, supported = np.flatnonzero((truth | pred).any(axis=0)), np.flatnonzero(truth.any(axis=0))
    for average, end, over in (
        ("micro", "", None),
        ("macro", "", seen),
        ("macro", "_supported", supported),
        ("weighted", "", supported),
    ):
        nothing = over is not None and not len(over)
        rates = {} if nothing else scikit_learn_rates(truth, pred, labels=over, average=average)
        for which in RATES:
            assert_same(found[f"{average}_{which}{end}"], rates.get(which, math.nan), f"{average} {which}{end}")
    assert_same(found["macro_f1_label_space"], sk.f1_score(truth, pred, average="macro", zero_division=0))
    assert found["n_rows_without_true_label"] == sum(not any(row[:3]) for row in rows)
    swaps = Counter(
        (missed, other) for t, p in zip(truth, pred, strict=True) for i, missed in enumerate("abc")
        for j, other in enumerate("abc") if t[i] and not p[i] and p[j] and not t[j]
    )  # fmt: skip
    assert {(swap["missed"], swap["predicted"]): swap["rows"] for swap in found["label_swaps"]} == swaps
    assert found["n_rows_without_predicted_label"] == sum(not any(row[3:]) for row in rows)
    assert found["absent"] == [name for i, name in enumerate("abc") if i not in supported]


def test_threshold_is_listed_only_if_used():
    sets = np.array([[True, False], [False, True]])
    scores = np.array([[0.9, 0.2], [0.1, 0.7]])
    own = Rows("multilabel", ("a", "b"), sets, sets, y_score=scores, score_codes=(0, 1))
    assert "threshold" not in numbers_of(own) and numbers_of(own)["roc_auc_macro"] == 1.0
    own.threshold = 0.3
    assert numbers_of(own)["threshold"] == 0.3


def test_unlisted_labels_differ_from_absent_ones():
    truth = np.array([[True, False, False], [True, False, False]])
    pred = np.array([[True, False, True], [False, False, True]])
    found = numbers_of(Rows("multilabel", ("a", "b", "made up"), truth, pred, n_space=2))
    assert (found["classes"], found["absent"], found["outside_label_space"]) == (["a", "b"], ["b"], ["made up"])
    assert_same(found["macro_f1"], (2 / 3 + 0) / 2)
    assert_same(found["macro_f1_label_space"], (2 / 3 + 0) / 2)
    assert_same(found["macro_f1_supported"], 2 / 3)
