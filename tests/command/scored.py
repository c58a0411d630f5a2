"""Check `score --json`: the keys of each task, and the numbers that scikit-learn gives."""

import math
import warnings

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

from cli import main
from tests.metrics.pairs import matthews

EVERY_TASK = {
    "task", "n_rows", "n_scored", "n_missing_truth", "n_missing_pred", "classes", "micro_f1", "micro_precision",
    "micro_recall", "macro_f1", "macro_f1_supported", "macro_f1_label_space", "macro_precision",
    "macro_precision_supported", "macro_precision_label_space", "macro_recall", "macro_recall_supported",
    "macro_recall_label_space", "weighted_f1", "weighted_precision", "weighted_recall", "per_class",
    "never_predicted", "absent", "outside_label_space", "findings", "warnings", "receipt",
}  # fmt: skip
ONE_LABEL = {
    "n_unparsed", "accuracy", "accuracy_parsed", "baseline_accuracy", "balanced_accuracy", "cohen_kappa", "mcc",
    "confusion_matrix",
}  # fmt: skip
ONE_SCORE = {
    "threshold", "roc_auc", "average_precision", "at_threshold", "best_thresholds", "log_loss", "brier",
    "log_loss_clipping",
}  # fmt: skip
SCORES = {"roc_auc_per_class", "average_precision_per_class", "roc_auc_macro", "roc_auc_weighted"}
MANY_LABELS = {"subset_accuracy", "per_label_accuracy", "hamming_loss", "samples_f1", "jaccard_samples"}
POSITIVE = {"positive", "recall", "precision", "n_missed", "n_false_alarms"}
KEYS = EVERY_TASK | ONE_LABEL | ONE_SCORE | SCORES | MANY_LABELS | POSITIVE


def sure(function, *args, **options):
    """Return what scikit-learn says, None where it warns that it is undefined."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = float(function(*args, **options))
    undefined = any(issubclass(w.category, UndefinedMetricWarning) for w in caught) or math.isnan(value)
    return None if undefined else value


def agree(found, wanted, what=""):
    if wanted is None:
        assert found is None, what
    else:
        assert found == pytest.approx(wanted, abs=1e-12), what


def has_keys(found: dict, wanted: set[str]) -> None:
    assert wanted - set(found) == set()
    assert (KEYS - wanted) & set(found) == set(), "keys that make no sense here"


def check_hard(found: dict, truth: list[str], pred: list[str]) -> None:
    """Everything that scikit-learn knows about hard labels."""
    for name, function in {
        "accuracy": sk.accuracy_score,
        "balanced_accuracy": sk.balanced_accuracy_score,
        "mcc": matthews,
    }.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "y_pred contains classes not in y_true": of no effect on the value
            agree(found[name], float(function(truth, pred)), name)
    agree(found["cohen_kappa"], sure(sk.cohen_kappa_score, truth, pred), "kappa")
    top = max(truth.count(label) for label in set(truth)) / len(truth)
    assert found["baseline_accuracy"] == pytest.approx(top, abs=1e-12)
    for which, function in {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}.items():
        asked = sorted(set(truth))
        agree(found[f"macro_{which}"], sure(function, truth, pred, average="macro"), which)
        agree(found[f"micro_{which}"], sure(function, truth, pred, average="micro"), which)
        # a class without true rows weighs nothing, so its undefined recall takes no part
        agree(found[f"weighted_{which}"], sure(function, truth, pred, average="weighted", labels=asked), which)
        agree(found[f"macro_{which}_supported"], sure(function, truth, pred, average="macro", labels=asked), which)
        for label in found["classes"]:
            wanted = sure(function, truth, pred, average="macro", labels=[label])
            agree(found["per_class"][label][which], wanted, f"{which} of {label}")
    for label, row in found["per_class"].items():
        assert (row["support"], row["predicted"]) == (truth.count(label), pred.count(label))
    table = found["confusion_matrix"]
    wanted = sk.confusion_matrix(truth, pred, labels=table["labels"])
    assert np.array_equal(table["rows_true_cols_pred"], wanted)


def made(n: int = 60, names=("ant", "bee", "cow"), seed: int = 0) -> tuple[list[str], list[str], np.ndarray]:
    """Truth, noisy predictions, and probabilities whose highest is the prediction."""
    random = np.random.default_rng(seed)
    logits = random.normal(size=(n, len(names)))
    truth = random.integers(len(names), size=n)
    logits[np.arange(n), truth] += 1
    proba = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return [names[i] for i in truth], [names[i] for i in proba.argmax(axis=1)], proba


def scored_text(capsys, *arguments) -> str:
    assert main(["score", *map(str, arguments)]) == 0
    return capsys.readouterr().out
