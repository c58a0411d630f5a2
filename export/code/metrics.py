"""The lines that compute one metric with scikit-learn from the arrays that the lines before them made.

They use `y_true`, `y_pred`, `labels`, `space`, `scores`, and `weight` where a line of the file is many rows; `{w}`
stands for the weights. The last line of each gives `value`.
"""

from __future__ import annotations

RATE = "metrics.{which}_score(y_true, y_pred, labels={over}, average=None, zero_division=np.nan{w})"
SEEN = "seen = [label for label in labels if label in {*y_true, *y_pred}]"
SUPPORTED = "supported = [label for label in labels if label in {*y_true}]"
SUPPORT = "support = np.array([np.sum(np.where(y_true == label, {count}, 0)) for label in supported])"

# One label a row: confusion counts.
CONFUSION: dict[str, tuple[str, ...]] = {
    "accuracy": ("value = metrics.accuracy_score(y_true, y_pred{w})",),
    "accuracy_parsed": (
        "read = y_pred != {unparsed}",
        "value = metrics.accuracy_score(y_true[read], y_pred[read]{w_read}) if read.any() else np.nan",
    ),
    "parse_rate": ("value = np.average(y_pred != {unparsed}{ww})",),
    "baseline_accuracy": ("value = max(np.average(y_true == label{ww}) for label in {*y_true})",),
    "majority_share": ("value = max(np.average(y_true == label{ww}) for label in {*y_true})",),
    "normalised_entropy": (
        "share = np.array([np.average(y_true == label{ww}) for label in {*y_true}])",
        "share = share[share > 0]",
        "value = min(1.0, -(share * np.log(share)).sum() / np.log(len(share))) if len(share) > 1 else np.nan",
    ),
    "balanced_accuracy": (
        SUPPORTED,
        'value = metrics.recall_score(y_true, y_pred, labels=supported, average="macro"{w})',
    ),
    "cohen_kappa": ("value = metrics.cohen_kappa_score(y_true, y_pred{w})",),
    "matthews_correlation": ("value = metrics.matthews_corrcoef(y_true, y_pred{w})",),
    "macro_precision_predicted": (
        "predicted = [label for label in labels if label in {*y_pred}]",
        'value = metrics.precision_score(y_true, y_pred, labels=predicted, average="macro"{w})',
    ),
    "macro_gap": (
        'micro = metrics.f1_score(y_true, y_pred, labels=labels, average="micro"{w})',
        'value = micro - metrics.f1_score(y_true, y_pred, labels=space, average="macro", zero_division=0{w})',
    ),
    "max_macro_f1": (
        "never_true = {never_true}  # labels that only predictions hold",
        "value = np.mean([label in {*y_true} for label in space if label not in never_true])",
    ),
}
for _which in ("f1", "precision", "recall"):
    _rate = RATE.replace("{which}", _which)
    CONFUSION[f"macro_{_which}_seen"] = (SEEN, f"value = {_rate.replace('{over}', 'seen')}.mean()")
    CONFUSION[f"macro_{_which}_supported"] = (SUPPORTED, f"value = {_rate.replace('{over}', 'supported')}.mean()")
    CONFUSION[f"macro_{_which}_space"] = (f"value = {_rate.replace('{over}', 'space')}.mean()",)
    CONFUSION[f"micro_{_which}"] = (
        f'value = metrics.{_which}_score(y_true, y_pred, labels=labels, average="micro", zero_division=np.nan{{w}})',
    )
    CONFUSION[f"weighted_{_which}"] = (
        SUPPORTED,
        SUPPORT,
        f"value = np.average({_rate.replace('{over}', 'supported')}, weights=support)",
    )
CONFUSION["macro_f1_space"] = (
    "# a class that is neither true nor predicted counts as 0 here",
    'value = metrics.f1_score(y_true, y_pred, labels=space, average="macro", zero_division=0{w})',
)

# One class against the rest: `is_true` and `is_pred`, bool (n,).
FOUR = "tn, fp, fn, tp = metrics.confusion_matrix(is_true, is_pred, labels=[False, True]{w}).ravel().astype(float)"
_SCORE = "value = metrics.{name}(is_true, is_pred, zero_division=np.nan{{w}})"
ONE_CLASS: dict[str, tuple[str, ...]] = {
    "precision": (_SCORE.format(name="precision_score"),),
    "recall": (_SCORE.format(name="recall_score"),),
    "f1": (_SCORE.format(name="f1_score"),),
    "f_beta": ("value = metrics.fbeta_score(is_true, is_pred, beta=2, zero_division=np.nan{w})",),
    "support": (FOUR, "value = tp + fn"),
    "predicted": (FOUR, "value = tp + fp"),
    "specificity": (FOUR, "value = tn / (tn + fp)"),
    "false_positive_rate": (FOUR, "value = fp / (fp + tn)"),
    "negative_predictive_value": (FOUR, "value = tn / (tn + fn)"),
    "youden_j": (FOUR, "value = tp / (tp + fn) + tn / (tn + fp) - 1"),
    "class_accuracy": (FOUR, "value = (tp + tn) / (tp + fp + fn + tn)"),
    "class_jaccard": (FOUR, "value = tp / (tp + fp + fn)"),
    "predicted_share": (FOUR, "value = (tp + fp) / (tp + fp + fn + tn)"),
    "expected_cost": (FOUR, "value = (1 * fp + 1 * fn) / (tp + fp + fn + tn)  # both mistakes cost 1"),
}

# Scores of one class: `is_true` and `score`, rows with a score.
_AT = (
    "fpr, tpr, _ = metrics.roc_curve(is_true, score, drop_intermediate=False)",
    "tp, fp = tpr * is_true.sum(), fpr * (~is_true).sum()",
)
SCORES: dict[str, tuple[str, ...]] = {
    "roc_auc": ("value = metrics.roc_auc_score(is_true, score)",),
    "average_precision": ("value = metrics.average_precision_score(is_true, score)",),
    "best_f1": (*_AT, "value = (2 * tp / (tp + fp + is_true.sum())).max()"),
    "best_youden_j": (*_AT[:1], "value = (tpr - fpr).max()"),
    "best_balanced_accuracy": (*_AT[:1], "value = ((tpr + 1 - fpr) / 2).max()"),
    "lowest_cost": (
        *_AT,
        "value = (1 * fp + 1 * (is_true.sum() - tp)).min() / len(is_true)  # both mistakes cost 1",
    ),
}

# A score for each of several classes: `one_class(i)` gives `is_true` and `score` of column i.
RANKED: dict[str, tuple[str, ...]] = {
    "macro_roc_auc": (
        "found = [one_class(i) for i in range(scores.shape[1])]",
        "value = np.mean([metrics.roc_auc_score(t, s) for t, s in found if t.any() and not t.all()])",
    ),
    "weighted_roc_auc": (
        "found = [one_class(i) for i in range(scores.shape[1])]",
        "found = [(t, s) for t, s in found if t.any() and not t.all()]",
        "areas = [metrics.roc_auc_score(t, s) for t, s in found]",
        "value = np.average(areas, weights=[t.sum() for t, _ in found])",
    ),
    "macro_average_precision": (
        "found = [one_class(i) for i in range(scores.shape[1])]",
        "value = np.mean([metrics.average_precision_score(t, s) for t, s in found if t.any()])",
    ),
}

# Probabilities: binary `is_true`, `score`; several classes `column` (of the true class) and `scores`.
BINARY: dict[str, tuple[str, ...]] = {
    "log_loss": ("value = metrics.log_loss(is_true, score, labels=[False, True])",),
    "brier_score": ("value = np.mean((score - is_true) ** 2)",),
}
LOGITS: dict[str, tuple[str, ...]] = {
    "log_loss": ("value = np.logaddexp(0, np.where(is_true, -score, score)).mean()",),
    "brier_score": ("value = np.mean((np.exp(-np.logaddexp(0, -score)) - is_true) ** 2)",),
}
CLASSES: dict[str, tuple[str, ...]] = {
    "log_loss": (
        "given = scores[np.arange(len(column)), column]",
        "eps = np.finfo(float).eps  # as scikit-learn's log_loss keeps probabilities away from 0 and 1",
        "value = -np.log(np.clip(given, eps, 1 - eps)).mean()",
    ),
    "brier_score": (
        "error = scores - np.eye(scores.shape[1])[column]",
        "value = (error**2).sum(axis=1).mean(){half}",
    ),
}

# Several labels a row: `y_true` and `y_pred`, bool (n, L).
FOUR_EACH = "tn, fp, fn, tp = metrics.multilabel_confusion_matrix(y_true, y_pred).reshape(-1, 4).T.astype(float)"
_LABEL = {
    "f1": ("2 * tp", "2 * tp + fp + fn"),
    "precision": ("tp", "tp + fp"),
    "recall": ("tp", "tp + fn"),
    "jaccard": ("tp", "tp + fp + fn"),
}
MANY: dict[str, tuple[str, ...]] = {
    "subset_accuracy": ("value = metrics.accuracy_score(y_true, y_pred)  # every label of a row right",),
    "per_label_accuracy": ("value = 1 - metrics.hamming_loss(y_true, y_pred)",),
    "hamming_loss": ("value = metrics.hamming_loss(y_true, y_pred)",),
    "labels_per_row_true": ("value = y_true.sum(axis=1).mean()",),
    "labels_per_row_pred": ("value = y_pred.sum(axis=1).mean()",),
}
for _which, (_part, _whole) in _LABEL.items():
    _name = "jaccard_{}" if _which == "jaccard" else f"multilabel_{{}}_{_which}"
    MANY[_name.format("micro")] = (FOUR_EACH, f"value = ({_part}).sum() / ({_whole}).sum()")
    MANY[_name.format("macro")] = (FOUR_EACH, f"value = (({_part}) / ({_whole})).mean()  # 0/0 of a label: undefined")
    MANY[_name.format("samples")] = (
        f'value = metrics.{_which}_score(y_true, y_pred, average="samples", zero_division=0)',
    )
    if _which != "jaccard":
        MANY[_name.format("weighted")] = (
            FOUR_EACH,
            f"asked = tp + fn > 0\nvalue = np.average((({_part}) / ({_whole}))[asked], weights=(tp + fn)[asked])",
        )
