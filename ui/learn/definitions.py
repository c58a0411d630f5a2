"""Define each metric in one sentence: the first thing that the glossary says of it."""

from __future__ import annotations

_OVER = {
    "seen": "over the classes that are true or predicted somewhere",
    "supported": "over the classes with true rows",
    "space": "over all listed classes",
}
_NAMES = {"f1": "F1", "precision": "Precision", "recall": "Recall"}


def _averages() -> dict[str, str]:
    found = {}
    for name, title in _NAMES.items():
        for over, words in _OVER.items():
            found[f"macro_{name}_{over}"] = f"The plain mean of every class's {_lower(title)}, {words}."
        found[f"micro_{name}"] = f"{title} counted over all rows together, whatever their class."
        found[f"weighted_{name}"] = f"The mean of every class's {_lower(title)}, weighted by its true rows."
        found[f"multilabel_micro_{name}"] = f"{title} counted over all decisions of all labels together."
        found[f"multilabel_macro_{name}"] = f"The plain mean of every label's {_lower(title)}."
        found[f"multilabel_weighted_{name}"] = f"The mean of every label's {_lower(title)}, weighted by its true rows."
        found[f"multilabel_samples_{name}"] = f"The mean of every row's {_lower(title)} over its set of labels."
    return found


def _lower(title: str) -> str:
    return title if title == "F1" else title.lower()


DEFINITIONS: dict[str, str] = {
    **_averages(),
    "accuracy": "The share of rows that are predicted as their true label.",
    "accuracy_parsed": "The share of right rows among those in which a label was found.",
    "parse_rate": "The share of rows in which a label was found.",
    "baseline_accuracy": "The accuracy of always predicting the most frequent class.",
    "balanced_accuracy": "The mean recall of the classes with true rows.",
    "cohen_kappa": "How far agreement exceeds what chance gives for these label frequencies.",
    "matthews_correlation": "The correlation between true and predicted labels, from −1 to 1.",
    "majority_share": "The share of rows whose true class is the most frequent one.",
    "normalised_entropy": "How evenly the true rows are spread over the classes, from 0 to 1.",
    "support": "The number of rows whose true label is the class.",
    "predicted": "The number of rows that are predicted as the class.",
    "precision": "Of the rows predicted as the class, the share that truly are.",
    "recall": "Of the class's true rows, the share that are predicted as the class.",
    "f1": "The harmonic mean of precision and recall: high only if both are.",
    "f_beta": "The mean of precision and recall in which recall counts beta times as much.",
    "specificity": "The share of the other classes' rows that are not predicted as the class.",
    "false_positive_rate": "The share of the other classes' rows that are predicted as the class.",
    "negative_predictive_value": "The share of right rows among those not predicted as the class.",
    "youden_j": "Recall + specificity − 1: 0 is guessing, 1 is perfect.",
    "class_accuracy": "The share of rows for which “this class or another” is predicted correctly.",
    "class_jaccard": "The overlap of true and predicted rows of the class, divided by their union.",
    "predicted_share": "The share of all rows that are predicted as the class.",
    "expected_cost": "What the mistakes cost on average for each row.",
    "macro_precision_predicted": "The plain mean of precision over the classes that are predicted at least once.",
    "macro_gap": "Micro F1 minus macro F1: how much weak classes hide in the overall figure.",
    "max_macro_f1": "The macro F1 of a perfect model, since classes without true rows count as 0.",
    "roc_auc": "The share of pairs in which a positive row scores higher than a negative one.",
    "average_precision": "The mean precision over all levels of recall, from the highest score down.",
    "best_f1": "The highest F1 that any threshold gives on these rows.",
    "best_youden_j": "The highest Youden's J that any threshold gives on these rows.",
    "best_balanced_accuracy": "The highest balanced accuracy that any threshold gives on these rows.",
    "lowest_cost": "The lowest mean cost of a row that any threshold gives.",
    "macro_roc_auc": "The plain mean of every class's ROC AUC, one-vs-rest.",
    "weighted_roc_auc": "The mean of every class's ROC AUC, one-vs-rest, weighted by its true rows.",
    "macro_average_precision": "The plain mean of every class's average precision, one-vs-rest.",
    "log_loss": "The mean of −ln(the probability given to the true label).",
    "brier_score": "The mean squared difference between probabilities and what came true.",
    "subset_accuracy": "The share of rows whose predicted set of labels is exactly the true one.",
    "per_label_accuracy": "The share of right decisions over all rows and labels.",
    "hamming_loss": "The share of wrong decisions over all rows and labels.",
    "jaccard_samples": "The mean overlap of a row's true and predicted labels, divided by their union.",
    "jaccard_micro": "The overlap of all true and predicted labels, divided by their union.",
    "jaccard_macro": "The plain mean of every label's Jaccard index.",
    "labels_per_row_true": "The mean number of true labels of a row.",
    "labels_per_row_pred": "The mean number of predicted labels of a row.",
}
"""A sentence for each metric of the registry, by its name."""
