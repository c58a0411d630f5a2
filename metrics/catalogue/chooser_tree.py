"""The questions and ends of "Choose a metric", as data: `chooser.py` answers and walks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple


class Answer(NamedTuple):
    """One way on from a question: its key (short, for links), what a person reads, and the node it leads to."""

    key: str
    label: str
    leads_to: str


class Node(NamedTuple):
    """A question, or an end that names a metric.

    text : the question, or the end's title. help : a question's explanation.
    answers : a question's ways on. metric : an end's name in the registry, called with `options`.
    beside : registry names of what to read together with it. why, hides : why this metric, and what it will not show.
    """

    id: str
    kind: Literal["question", "end"]
    text: str
    help: str = ""
    answers: tuple[Answer, ...] = ()
    metric: str = ""
    options: Mapping[str, Any] = {}
    beside: tuple[str, ...] = ()
    why: str = ""
    hides: str = ""


def _question(id: str, text: str, help: str, *answers: tuple[str, str, str]) -> Node:
    return Node(id, "question", text, help, tuple(Answer(*answer) for answer in answers))


def _end(id: str, text: str, metric: str, *, beside: tuple[str, ...], why: str, hides: str, **options: Any) -> Node:
    return Node(id, "end", text, metric=metric, options=options, beside=beside, why=why, hides=hides)


_NODES = (
    _question(
        "task",
        "What does your model predict for each row?",
        "Metrics for one label a row and for several are different things, even where they share a name. Text that a "
        "language model wrote has to be read into a label first, which can fail.",
        ("two", "One of two classes", "threshold"),
        ("many", "One of several classes", "balanced_classes"),
        ("several", "Several labels at once", "label_sets"),
        ("text", "Text, read into a class", "read_answers"),
    ),
    _question(
        "threshold",
        "Is the decision threshold known?",
        "Known: it is set already, or only decisions are left and no scores. Not known: whoever uses the scores will "
        "draw the line later, or draws it again every month.",
        ("no", "No", "probabilities"),
        ("yes", "Yes", "balanced"),
    ),
    _question(
        "probabilities",
        "Are the probabilities themselves used?",
        "For instance multiplied by an amount, shown to a person as “80 % sure”, or compared between models. If they "
        "only put rows in order, the answer is no.",
        ("yes", "Yes", "honest_probabilities"),
        ("no", "No, only their order", "rare"),
    ),
    _question(
        "rare",
        "Is the positive class rare?",
        "With few positives even a tiny false positive rate means more false alarms than hits. A ROC curve does not "
        "show it: it never looks at how many of the alarms are true.",
        ("no", "No", "ranking"),
        ("yes", "Yes", "ranking_of_rare"),
    ),
    _question(
        "balanced",
        "Are the two classes balanced?",
        "If one class has nearly all rows, always saying that class is right nearly always, and useless.",
        ("yes", "Yes", "right_or_wrong"),
        ("no", "No", "costs"),
    ),
    _question(
        "costs",
        "Which mistake costs more?",
        "A false alarm calls a negative positive (a good mail in the spam folder); a miss calls a positive negative "
        "(an illness not found).",
        ("same", "About the same", "found_and_right"),
        ("alarm", "A false alarm", "fewer_alarms"),
        ("miss", "A miss", "fewer_misses"),
        ("price", "Both have a price", "price_of_mistakes"),
    ),
    _question(
        "balanced_classes",
        "Are the classes balanced?",
        "If a few classes have most of the rows, the others hardly show in an average over rows.",
        ("yes", "Yes", "right_or_wrong_classes"),
        ("no", "No", "every_class"),
    ),
    _question(
        "every_class",
        "What should count the same?",
        "Every class: a class with ten rows weighs as much as one with ten thousand. Every row: the classes that come "
        "often decide.",
        ("class", "Every class", "classes_alike"),
        ("row", "Every row", "rows_alike"),
    ),
    _question(
        "label_sets",
        "Must a row be right in all its labels?",
        "Yes: a row with one wrong label of five is wrong. No: every label is a decision of its own.",
        ("yes", "Yes, all of them", "whole_sets"),
        ("no", "No, label by label", "single_labels"),
    ),
    _end(
        "honest_probabilities",
        "Log loss",
        "log_loss",
        beside=("brier_score",),
        why="It asks how much probability went to what turned out true, so a model gains nothing by exaggerating or by "
        "hedging: only honest probabilities win.",
        hides="Which way the probabilities are off, and whether a decision would change. A single sure mistake weighs "
        "heavily, and a log loss says little without another one to compare it with.",
    ),
    _end(
        "ranking",
        "ROC curve and AUC",
        "roc_auc",
        beside=("average_precision",),
        why="Without a threshold one can judge the order of the scores: the AUC is how often a positive outscores a "
        "negative, over all thresholds at once. Guessing gives 0.5 whatever the balance.",
        hides="How good the model is at the one threshold that will be used, and whether the scores are honest "
        "probabilities. Much of the area may lie where nobody would put a threshold.",
    ),
    _end(
        "ranking_of_rare",
        "Precision-recall curve and average precision",
        "average_precision",
        beside=("roc_auc",),
        why="Where positives are rare, the question is how many of the alarms are true. Precision asks exactly that; "
        "the ROC curve beside it does not.",
        hides="Everything about rightly rejected rows. Its no-skill level is the share of positives, so files with "
        "different shares cannot be compared.",
    ),
    _end(
        "right_or_wrong",
        "Accuracy",
        "accuracy",
        beside=("baseline_accuracy",),
        why="With a fixed threshold and both classes about as frequent, the share of right rows says what one thinks "
        "it says.",
        hides="Which of the two mistakes is made. And it stops being a fair figure as soon as the balance shifts.",
    ),
    _end(
        "found_and_right",
        "F1",
        "f1",
        beside=("precision", "recall"),
        why="It is high only if the positives are found (recall) and the alarms are true (precision), and the many "
        "easy negatives cannot lift it.",
        hides="Which of the two is the weak one, and everything about rightly rejected rows. It changes when the other "
        "class is the positive one.",
    ),
    _end(
        "fewer_alarms",
        "F0.5, mostly precision",
        "f_beta",
        beta=0.5,
        beside=("precision", "recall"),
        why="A false alarm hurts more, so the share of true alarms (precision) weighs more than finding all positives: "
        "in F0.5 recall counts half as much.",
        hides="How many positives are missed, if precision is high. “Half as much” is a convention, not your price.",
    ),
    _end(
        "fewer_misses",
        "F2, mostly recall",
        "f_beta",
        beta=2.0,
        beside=("recall", "precision"),
        why="A miss hurts more, so finding the positives (recall) weighs more than how many alarms are true: in F2 "
        "recall counts twice as much.",
        hides="How many false alarms that takes. Calling everything positive has a perfect recall; look at the "
        "precision, too. “Twice as much” is a convention, not your price.",
    ),
    _end(
        "price_of_mistakes",
        "Expected cost",
        "expected_cost",
        beside=("precision", "recall"),
        why="If both mistakes have a price, add them up: the cheapest threshold is the best one, and no convention "
        "stands between the number and what it means.",
        hides="How sure the prices are. The cost per row holds for this share of positives only.",
    ),
    _end(
        "right_or_wrong_classes",
        "Accuracy",
        "accuracy",
        beside=("baseline_accuracy", "macro_f1_supported"),
        why="With classes about equally frequent, the share of right rows treats them about alike.",
        hides="Which classes are confused with which: a class can be lost altogether and the figure hardly moves.",
    ),
    _end(
        "classes_alike",
        "Macro F1",
        "macro_f1_supported",
        beside=("balanced_accuracy",),
        why="F1 is computed for each class that has true rows, and the plain mean is taken, so a model that never "
        "predicts rare classes cannot look good.",
        hides="How many rows are right. Classes with a handful of rows move it by luck, and classes without true "
        "rows are not in it.",
    ),
    _end(
        "rows_alike",
        "Weighted F1",
        "weighted_f1",
        beside=("accuracy", "matthews_correlation"),
        why="F1 of each class, weighted by its true rows: frequent classes decide, as they do in use, and false alarms "
        "for them still cost.",
        hides="Rare classes: all of them can be lost without much of a drop. It need not even lie between weighted "
        "precision and recall.",
    ),
    _end(
        "whole_sets",
        "Subset accuracy",
        "subset_accuracy",
        beside=("per_label_accuracy",),
        why="A row is right only if its whole set of labels is. (scikit-learn's accuracy_score means this one, too.)",
        hides="How near the misses are: one wrong label of twenty counts like twenty. It falls as labels are added.",
    ),
    _end(
        "single_labels",
        "Macro F1 over the labels",
        "multilabel_macro_f1",
        beside=("per_label_accuracy", "subset_accuracy"),
        why="Every label is judged on its own and counts the same. Mean per-label accuracy would be kinder, but mostly "
        "because it counts the many easy noes.",
        hides="Whether whole rows are right, and which labels are weak: read the table of labels beside it. One label "
        "that is neither true nor predicted anywhere leaves it undefined.",
    ),
    _end(
        "read_answers",
        "Accuracy, with the parse rate",
        "accuracy",
        beside=("parse_rate", "accuracy_parsed", "macro_f1_supported"),
        why="Whoever uses the answers gets nothing from one that cannot be read: it counts as wrong here. The parse "
        "rate beside it says how much of the loss is the wording and not the knowledge.",
        hides="Classes: a model that falls back on a few favourite answers can look fair. And how far the reading "
        "rules, not the model, made the figure.",
    ),
)

TREE: dict[str, Node] = {node.id: node for node in _NODES}
ROOT = _NODES[0].id
