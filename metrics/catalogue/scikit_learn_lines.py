"""The expression that computes each metric of the registry with scikit-learn, one row a metric.

It uses the functions of `export/recompute/recompute.py`: `p` is the prepared file, `k` the code of a class, `o` its
outcomes against the rest; `is_true`, `score` and `weight` are the rows with a score for it.
"""

from __future__ import annotations

_SIDES = "p.y_true, p.y_pred"
_SET_RATES = ("f1", "precision", "recall", "jaccard")

LINES: dict[str, str] = {
    "accuracy": f"metrics.accuracy_score({_SIDES}, sample_weight=p.weight)",
    "accuracy_parsed": "share(p.weight[p.y_true == p.y_pred].sum(), p.weight[p.y_pred >= 0].sum())",
    "parse_rate": "np.average(p.y_pred >= 0, weights=p.weight)",
    "baseline_accuracy": "rates(p).support.max() / p.weight.sum()",
    "majority_share": "rates(p).support.max() / p.weight.sum()",
    "normalised_entropy": "evenness(rates(p).support)",
    "balanced_accuracy": "macro(rates(p), 'recall', 'supported')",
    "cohen_kappa": f"metrics.cohen_kappa_score({_SIDES}, sample_weight=p.weight)",
    "matthews_correlation": f"metrics.matthews_corrcoef({_SIDES}, sample_weight=p.weight)",
    "macro_precision_predicted": "macro(rates(p), 'precision', 'predicted')",
    "macro_gap": "micro(p, metrics.f1_score) - macro(rates(p), 'f1', 'space')",
    "max_macro_f1": "highest_macro_f1(p, rates(p))",
    **{f"macro_{which}_{over}": f"macro(rates(p), '{which}', '{over}')"
       for which in _SET_RATES[:3] for over in ("seen", "supported", "space")},
    **{f"micro_{which}": f"micro(p, metrics.{which}_score)" for which in _SET_RATES[:3]},
    **{f"weighted_{which}": f"weighted(rates(p), '{which}')" for which in _SET_RATES[:3]},
    # one class against the rest
    "precision": "share(o.tp, o.tp + o.fp)",
    "recall": "share(o.tp, o.tp + o.fn)",
    "f1": "share(2 * o.tp, 2 * o.tp + o.fp + o.fn)",
    "f_beta": "share(5 * o.tp, 5 * o.tp + 4 * o.fn + o.fp)  # beta is 2",
    "support": "o.tp + o.fn",
    "predicted": "o.tp + o.fp",
    "specificity": "share(o.tn, o.tn + o.fp)",
    "false_positive_rate": "share(o.fp, o.fp + o.tn)",
    "negative_predictive_value": "share(o.tn, o.tn + o.fn)",
    "youden_j": "share(o.tp, o.tp + o.fn) + share(o.tn, o.tn + o.fp) - 1",
    "class_accuracy": "(o.tp + o.tn) / p.weight.sum()",
    "class_jaccard": "share(o.tp, o.tp + o.fp + o.fn)",
    "predicted_share": "(o.tp + o.fp) / p.weight.sum()",
    "expected_cost": "(o.fp + o.fn) / p.weight.sum()  # both mistakes cost 1",
    # scores
    "roc_auc": "roc_auc(is_true, score, weight)",
    "average_precision": "average_precision(is_true, score, weight)",
    "best_f1": "best(is_true, score, weight)['f1']['value']",
    "best_youden_j": "best(is_true, score, weight)['youden_j']['value']",
    "best_balanced_accuracy": "best(is_true, score, weight)['balanced_accuracy']['value']",
    "lowest_cost": "best(is_true, score, weight)['cost']['value']  # both mistakes cost 1",
    "macro_roc_auc": "mean_of_classes(p, roc_auc)",
    "weighted_roc_auc": "mean_of_classes(p, roc_auc, weigh=True)",
    "macro_average_precision": "mean_of_classes(p, average_precision)",
    "log_loss": "log_loss(p)",
    "brier_score": "brier_score(p)",
    # several labels a row
    "subset_accuracy": "metrics.accuracy_score(*both_sides(p))  # every label of a row right",
    "per_label_accuracy": f"1 - metrics.hamming_loss({_SIDES})",
    "hamming_loss": f"metrics.hamming_loss({_SIDES})",
    "labels_per_row_true": "p.y_true.sum(axis=1).mean()",
    "labels_per_row_pred": "p.y_pred.sum(axis=1).mean()",
    "jaccard_micro": "micro(p, metrics.f1_score) / (2 - micro(p, metrics.f1_score))",
    "jaccard_macro": "macro(rates(p), 'jaccard', 'all')",
    "jaccard_samples": "metrics.jaccard_score(*both_sides(p), average='samples', zero_division=0)",
    **{f"multilabel_micro_{which}": f"micro(p, metrics.{which}_score)" for which in _SET_RATES[:3]},
    **{f"multilabel_macro_{which}": f"macro(rates(p), '{which}', 'all')" for which in _SET_RATES[:3]},
    **{f"multilabel_weighted_{which}": f"weighted(rates(p), '{which}')" for which in _SET_RATES[:3]},
    **{f"multilabel_samples_{which}": f"metrics.{which}_score(*both_sides(p), average='samples', zero_division=0)"
       for which in _SET_RATES[:3]},
}  # fmt: skip
