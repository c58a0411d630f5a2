"""Walk a decision tree to the metric that fits, answered by the numbers of a file where they can answer it.

Nothing here draws. `TREE` holds questions and ends, `answers_from` says what the file answers, `overridden` what the
person answers instead, `walk` how far the answers lead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from metrics.catalogue.chooser_tree import ROOT, TREE
from text.numbers import count, number, verb, write_threshold

LARGEST_OVER_SMALLEST = 3
BALANCED_MINORITY = 0.35
ACCURACY_OVER_BALANCED = 0.05
RARE_POSITIVES = 0.1


class Facts(NamedTuple):
    """Hold what a file says about itself; None = not known. Shares are 0..1.

    task : "binary", "multiclass" or "multilabel". text_answers : the answers were read from text.
    n_unparsed : answers in which no label could be read. positive_share : rows of the positive class.
    has_threshold : the decisions stand (the file's own, or a threshold was chosen).
    own_scale : the scores are on a scale of their own, no probabilities.
    largest, smallest : true rows of the most and of the least frequent class, of those with true rows.
    n_never_predicted : classes with true rows that are never predicted.
    """

    task: str | None = None
    n_classes: int | None = None
    majority_share: float | None = None
    positive_share: float | None = None
    has_scores: bool | None = None
    has_threshold: bool | None = None
    threshold: float | None = None
    text_answers: bool | None = None
    n_unparsed: int | None = None
    own_scale: bool = False
    largest: int | None = None
    smallest: int | None = None
    n_never_predicted: int | None = None
    accuracy: float | None = None
    balanced_accuracy: float | None = None


RULE_OF_ACCURACY = (
    "Accuracy is not recommended in three cases. A class is never predicted. The largest class has over "
    f"{LARGEST_OVER_SMALLEST} times the rows of the smallest. Accuracy is more than {ACCURACY_OVER_BALANCED} above "
    "balanced accuracy."
)


class Answered(NamedTuple):
    """The key of an answer, and in words why it is the answer."""

    answer: str
    because: str


def answers_from(facts: Facts) -> dict[str, Answered]:
    """Return the questions that the numbers of a file answer; the others are the person's.

    >>> answers_from(Facts(task="binary", majority_share=0.99))["balanced"]
    Answered(answer='no', because='The rarer class has 1.0 % of the rows; from 35 % on the two count as balanced.')
    """
    asked = {"binary": "balanced", "multiclass": "balanced_classes"}
    fair = _answer_fair(facts)
    answered_by_data = {
        "task": _task(facts),
        "threshold": _threshold(facts),
        "probabilities": _probabilities(facts),
        "rare": _rare(facts),
        asked.get(facts.task or "", ""): fair,
        "balanced_text": fair if facts.text_answers or facts.n_unparsed else None,
    }
    return {node: answered for node, answered in answered_by_data.items() if answered is not None}


def _task(facts: Facts) -> Answered | None:
    if facts.task == "multilabel":
        return Answered("several", "A row of the file holds a set of labels.")
    if facts.n_unparsed:
        return Answered("text", f"{facts.n_unparsed:,} answers have no label that could be found.")
    if facts.text_answers:
        return Answered("text", "The labels were read from text, and every answer has one.")
    if facts.task == "binary":
        return Answered("two", "The file has two classes and is single-label.")
    if facts.task == "multiclass":
        classes = f"{facts.n_classes:,}" if facts.n_classes else "several"
        return Answered("many", f"The file has {classes} classes and is single-label.")
    return None


def _threshold(facts: Facts) -> Answered | None:
    if facts.has_scores is False:
        return Answered("yes", "The file has predictions and no scores: no threshold can be chosen any more.")
    if facts.has_threshold and facts.threshold is not None:
        return Answered("yes", f"The predictions are made at score ≥ {write_threshold(facts.threshold)}.")
    if facts.has_threshold:
        return Answered("yes", "The file has predictions beside its scores.")
    if facts.has_threshold is False:
        return Answered("no", "The file has scores and no predictions, and no threshold is chosen yet.")
    return None


def _probabilities(facts: Facts) -> Answered | None:
    if facts.has_scores is False:
        return Answered("no", "The file holds no scores.")
    if facts.own_scale:
        return Answered("no", "The scores are on a scale of their own, no probabilities.")
    return None


def _rare(facts: Facts) -> Answered | None:
    share = facts.positive_share
    if share is None or share != share:
        return None
    rule = f"The positive class has {share:.1%} of the rows; under {RARE_POSITIVES:.0%} counts as rare."
    return Answered("yes" if share < RARE_POSITIVES else "no", rule.replace("%", " %"))


def _answer_fair(facts: Facts) -> Answered | None:
    """Return whether accuracy is fair to every class; None where the class sizes are not known."""
    sizes = _minority(facts) if facts.task == "binary" else _sizes(facts)
    if facts.task not in ("binary", "multiclass") or sizes is None:
        return None
    reasons = reasons_against_accuracy(facts)
    return Answered("no", " ".join(reasons)) if reasons else Answered("yes", sizes)


def reasons_against_accuracy(facts: Facts) -> tuple[str, ...]:
    """Return why accuracy is not fair to every class of a single-label file, as sentences; none where it is.

    >>> reasons_against_accuracy(Facts(task="multiclass", largest=293, smallest=17, n_never_predicted=15))
    ('15 classes are never predicted.', 'The largest class has 293 rows, the smallest 17: over 3 times as many.')
    """
    reasons = []
    if facts.n_never_predicted:
        reasons.append(
            f"{count(facts.n_never_predicted, 'class')} {verb(facts.n_never_predicted, 'is')} never predicted."
        )
    if facts.task == "binary" and facts.majority_share is not None and 1 - facts.majority_share < BALANCED_MINORITY:
        reasons.append(str(_minority(facts)))
    elif facts.task != "binary" and (facts.largest or 0) > LARGEST_OVER_SMALLEST * (facts.smallest or math.inf):
        reasons.append(f"{str(_sizes(facts)).removesuffix('.')}: over {LARGEST_OVER_SMALLEST} times as many.")
    accuracy, balanced = facts.accuracy, facts.balanced_accuracy
    if accuracy is not None and balanced is not None and accuracy - balanced > ACCURACY_OVER_BALANCED:
        reasons.append(
            f"Accuracy {number(accuracy)} is more than {ACCURACY_OVER_BALANCED} above balanced accuracy "
            f"{number(balanced)}."
        )
    return tuple(reasons)


def why_not_accuracy(path: Path, facts: Facts | None) -> tuple[str, ...]:
    """Return the answer to "Why not accuracy?" at the end of a path, as sentences; none where accuracy is the end.

    facts : of the open file; None = there is none, and the rule is told.
    """
    if path.end is not None and TREE[path.end].metric.key == "accuracy":
        return ()
    if "label_sets" in path.nodes:
        return ("In a multi-label file accuracy can mean two things: all labels right, or each label by itself.",)
    told = []
    if "probabilities" in path.nodes:
        told.append("Accuracy judges one threshold, and no threshold is chosen yet.")
    if facts is None:
        return (*told, RULE_OF_ACCURACY)
    reasons = reasons_against_accuracy(facts)
    return (*told, *reasons) or ("By the numbers of this file accuracy would be fair; your answers say otherwise.",)


def _minority(facts: Facts) -> str | None:
    if facts.majority_share is None or facts.majority_share != facts.majority_share:
        return None
    minority = 1 - facts.majority_share
    rule = f"The rarer class has {minority:.1%} of the rows; from {BALANCED_MINORITY:.0%} on the two count as balanced."
    return rule.replace("%", " %")


def _sizes(facts: Facts) -> str | None:
    if not facts.largest or not facts.smallest:
        return None
    return f"The largest class has {count(facts.largest)}, the smallest {facts.smallest:,}."


def overridden(by_data: Mapping[str, Answered], by_person: Mapping[str, str]) -> dict[str, Answered]:
    """Return the person's answers over the data's; an answer the tree does not know (an old link's) is passed over.

    >>> overridden({"rare": Answered("no", "40 % positives.")}, {"rare": "yes"})["rare"].because
    'Your answer. The file says “No”: 40 % positives.'
    """
    answers = dict(by_data)
    for node, answer in by_person.items():
        if node not in TREE or answer not in {known.key for known in TREE[node].answers}:
            continue
        data = by_data.get(node)
        because = "Your answer."
        if data is not None:
            label = next(known.label for known in TREE[node].answers if known.key == data.answer)
            because += f" The file says “{label}”: {data.because}"
        answers[node] = Answered(answer, because)
    return answers


class Path(NamedTuple):
    """The nodes from the root as far as the answers lead; `end` or the next `open` question, the other is None."""

    nodes: tuple[str, ...]
    end: str | None
    open: str | None


def walk(answers: Mapping[str, Answered | str]) -> Path:
    """Follow the answers (their keys, by question) from the root.

    >>> walk({"task": "two", "threshold": "yes", "balanced": "yes"})
    Path(nodes=('task', 'threshold', 'balanced', 'right_or_wrong'), end='right_or_wrong', open=None)
    >>> walk({"task": "two"}).open
    'threshold'
    """
    nodes = [ROOT]
    while TREE[nodes[-1]].kind == "question":
        given = answers.get(nodes[-1])
        key = given.answer if isinstance(given, Answered) else given
        step = next((answer.leads_to for answer in TREE[nodes[-1]].answers if answer.key == key), None)
        if step is None:
            return Path(tuple(nodes), None, nodes[-1])
        nodes.append(step)
    return Path(tuple(nodes), nodes[-1], None)
