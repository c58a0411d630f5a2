"""The questions and ends of "Choose a metric", as data: `chooser.py` answers and walks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from metrics.catalogue.metric import Metric, Task
from metrics.catalogue.registry import REGISTRY


class Answer(NamedTuple):
    """One way on from a question: its key (short, for links), what a person reads, and the node it leads to."""

    key: str
    label: str
    leads_to: str


class Node(NamedTuple):
    """A question, or an end that names a metric.

    text : the question, or the end's title. help : a question's explanation.
    answers : a question's ways on. recommended : an end's row of the registry, called with `options`.
    beside : rows of what to read together with it. why, hides : why this metric, and what it will not show.
    """

    id: str
    kind: Literal["question", "end"]
    text: str
    help: str = ""
    answers: tuple[Answer, ...] = ()
    recommended: Metric | None = None
    options: Mapping[str, Any] = {}
    beside: tuple[Metric, ...] = ()
    why: str = ""
    hides: str = ""

    @property
    def metric(self) -> Metric:
        """Return the metric that an end recommends."""
        assert self.recommended is not None
        return self.recommended


def _question(id: str, text: str, help: str, *answers: tuple[str, str, str]) -> Node:
    return Node(id, "question", text, help, tuple(Answer(*answer) for answer in answers))


def _end(
    id: str,
    text: str,
    metric: str,
    *,
    beside: tuple[str, ...],
    why: str,
    hides: str,
    task: Task = "binary",
    **options: Any,
) -> Node:
    """Return an end; `metric` and `beside` are keys of the registry."""
    others = tuple(REGISTRY[task, key] for key in beside)
    recommended = REGISTRY[task, metric]
    return Node(id, "end", text, recommended=recommended, options=options, beside=others, why=why, hides=hides)


_FAIR = (
    "Not if a class is never predicted or has few rows beside the largest. Such classes hardly change an average over "
    "rows."
)
_NODES = (
    _question(
        "task",
        "What does your model predict for each row?",
        "Single-label and multi-label metrics differ, even where they share a name. From the text of a language model "
        "a label has to be read first, which can fail.",
        ("two", "One of two classes", "threshold"),
        ("many", "One of several classes", "balanced_classes"),
        ("several", "Several labels at once", "label_sets"),
        ("text", "Text from which a class is read", "balanced_text"),
    ),
    _question(
        "threshold",
        "Is the decision threshold known?",
        "Known: it is set already, or the file has predictions and no scores. Not known: somebody will choose it "
        "later, or chooses it again every month.",
        ("no", "No", "probabilities"),
        ("yes", "Yes", "balanced"),
    ),
    _question(
        "probabilities",
        "Are the probabilities themselves used?",
        "Yes: they are multiplied by an amount, or shown to a person as “80 % sure”. No: they only put rows in order.",
        ("yes", "Yes", "honest_probabilities"),
        ("no", "No, only their order", "rare"),
    ),
    _question(
        "rare",
        "Is the positive class rare?",
        "With few positives, even a tiny false positive rate gives more false positives than true ones. A ROC curve "
        "does not show this.",
        ("no", "No", "ranking"),
        ("yes", "Yes", "ranking_of_rare"),
    ),
    _question(
        "balanced",
        "Is accuracy fair to both classes?",
        "Not if a class is rare or never predicted: always predicting the other one is then nearly always right.",
        ("yes", "Yes", "right_or_wrong"),
        ("no", "No", "costs"),
    ),
    _question(
        "costs",
        "Which mistake costs more?",
        "A false positive: a negative is predicted as positive, as a good mail in the spam folder. A false negative: "
        "a positive is predicted as negative, as an illness not found.",
        ("same", "About the same", "found_and_right"),
        ("alarm", "A false positive", "fewer_alarms"),
        ("miss", "A false negative", "fewer_misses"),
        ("price", "Both have a price", "price_of_mistakes"),
    ),
    _question(
        "balanced_classes",
        "Is accuracy fair to every class?",
        _FAIR,
        ("yes", "Yes", "right_or_wrong_classes"),
        ("no", "No", "every_class"),
    ),
    _question(
        "balanced_text",
        "Is accuracy fair to every class?",
        _FAIR,
        ("yes", "Yes", "read_answers"),
        ("no", "No", "read_answers_alike"),
    ),
    _question(
        "every_class",
        "What should count the same?",
        "Every class: a class with ten rows counts as much as one with ten thousand. Every row: frequent classes "
        "decide.",
        ("class", "Every class", "classes_alike"),
        ("row", "Every row", "rows_alike"),
    ),
    _question(
        "label_sets",
        "Must a row be right in all its labels?",
        "Yes: a row with one wrong label of five is wrong. No: every label counts by itself.",
        ("yes", "Yes, all of them", "whole_sets"),
        ("no", "No, label by label", "single_labels"),
    ),
    _end(
        "honest_probabilities",
        "Log loss",
        "log_loss",
        beside=("brier",),
        why="It measures the probability given to the true class. A model gains nothing by exaggerating: only "
        "calibrated probabilities keep it low.",
        hides="It does not say whether probabilities are too high or too low. One confident mistake weighs heavily. "
        "Compare it with another log loss.",
    ),
    _end(
        "ranking",
        "ROC curve and AUC",
        "roc_auc",
        beside=("average_precision",),
        why="Without a threshold, the order of the scores can be judged. The AUC is how often a positive row scores "
        "above a negative one. Guessing gives 0.5.",
        hides="It does not say how good the model is at one threshold, nor whether the probabilities are calibrated. "
        "Much of the area may lie where nobody would choose a threshold.",
    ),
    _end(
        "ranking_of_rare",
        "Precision-recall curve and average precision",
        "average_precision",
        beside=("roc_auc",),
        why="Where positives are rare, it matters how many of the predicted positives are true. Precision says this; "
        "the ROC curve does not.",
        hides="It ignores true negatives. Guessing gives the share of positives, so files with different shares cannot "
        "be compared.",
    ),
    _end(
        "right_or_wrong",
        "Accuracy",
        "accuracy",
        beside=("baseline_accuracy",),
        why="The threshold is fixed. Both classes are predicted and about as frequent, so accuracy is fair.",
        hides="It does not say which of the two mistakes is made. It is no longer fair once one class becomes rare.",
    ),
    _end(
        "found_and_right",
        "F1",
        "f1",
        beside=("precision", "recall"),
        why="It is high only if positives are found (recall) and predicted positives are true (precision). True "
        "negatives do not raise it.",
        hides="It does not say which of the two is low, and it ignores true negatives. It changes when the other class "
        "is the positive one.",
    ),
    _end(
        "fewer_alarms",
        "F0.5, mostly precision",
        "f_beta",
        beta=0.5,
        beside=("precision", "recall"),
        why="A false positive costs more, so precision counts more than recall: in F0.5 recall counts half as much.",
        hides="It hides how many positives are missed if precision is high. “Half as much” is a convention, not your "
        "cost.",
    ),
    _end(
        "fewer_misses",
        "F2, mostly recall",
        "f_beta",
        beta=2.0,
        beside=("recall", "precision"),
        why="A false negative costs more, so recall counts more than precision: in F2 recall counts twice as much.",
        hides="It hides how many false positives that takes: predicting every row as positive has a perfect recall. "
        "Look at precision, too. “Twice as much” is a convention, not your cost.",
    ),
    _end(
        "price_of_mistakes",
        "Expected cost",
        "expected_cost",
        beside=("precision", "recall"),
        why="If both mistakes have a price, add them up. The threshold with the lowest cost is the best one.",
        hides="It is only as good as the prices. The cost of a row holds for this share of positives only.",
    ),
    _end(
        "right_or_wrong_classes",
        "Accuracy",
        "accuracy",
        beside=("baseline_accuracy", "macro_f1_supported"),
        why="The classes are predicted and about equally frequent. So the share of right rows treats them alike.",
        hides="It does not say which classes are confused. A class can be missed altogether on new data and accuracy "
        "hardly changes.",
    ),
    _end(
        "classes_alike",
        "Macro F1",
        "macro_f1_supported",
        beside=("balanced_accuracy",),
        why="It is the plain mean of F1 over the classes with true rows. A model that never predicts rare classes "
        "cannot look good.",
        hides="It does not say how many rows are right. Classes with few rows change it by chance. Classes without "
        "true rows are not in it.",
    ),
    _end(
        "rows_alike",
        "Weighted F1",
        "weighted_f1",
        beside=("accuracy", "mcc"),
        why="F1 of each class, weighted by its true rows. Frequent classes decide, as they do in use, and their false "
        "positives lower it.",
        hides="It hides rare classes: all of them can be missed without much of a drop. It need not lie between "
        "weighted precision and recall.",
    ),
    _end(
        "whole_sets",
        "Subset accuracy",
        "subset_accuracy",
        task="multilabel",
        beside=("per_label_accuracy",),
        why="A row is right only if all its labels are. scikit-learn's accuracy_score is this one, too.",
        hides="It hides how close a wrong row is: one wrong label of twenty counts like twenty. It falls as labels are "
        "added.",
    ),
    _end(
        "single_labels",
        "Macro F1 over the labels",
        "macro_f1_label_space",
        task="multilabel",
        beside=("per_label_accuracy", "subset_accuracy"),
        why="Every label is judged by itself and counts the same. Mean per-label accuracy is higher, mostly because it "
        "counts the many true negatives.",
        hides="It does not say whether whole rows are right, nor which labels are weak: see the table of labels. One "
        "label that is neither true nor predicted makes it undefined.",
    ),
    _end(
        "read_answers",
        "Accuracy, with the share of answers with a label",
        "accuracy",
        beside=("parse_rate", "accuracy_parsed", "macro_f1_supported"),
        why="An answer without a label is of no use, so it counts as wrong here. The share of answers with a label "
        "says how much of the loss comes from that.",
        hides="It hides single classes: a model that predicts only a few classes can look good. It also depends on the "
        "rules of the parser.",
    ),
    _end(
        "read_answers_alike",
        "Macro F1, with the share of answers with a label",
        "macro_f1_supported",
        beside=("parse_rate", "accuracy", "accuracy_parsed"),
        why="It is the plain mean of F1 over the classes with true rows. An answer without a label lowers "
        "the recall of its class.",
        hides="It does not say how many rows are right. Classes with few rows change it by chance. It also depends on "
        "the rules of the parser.",
    ),
)

TREE: dict[str, Node] = {node.id: node for node in _NODES}
ROOT = _NODES[0].id
