"""The title of Overview: the most important finding in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data.evaluation import Evaluation
from export.interval_text import value_of
from metrics.finding import Finding, Label, Name
from metrics.findings import outcome_sentences
from metrics.findings.worst_parts import head_of, headline
from text.numbers import number, percent
from text.visible import keep_together
from ui.overview.finding_list import Parts, short_labels, split_sentence
from ui.text.markdown import md
from ui.view import cache, measurement


def title_of(evaluation: Evaluation, found: Sequence[Finding]) -> str:
    """Return the page's title as Markdown: accuracy, and what it hides."""
    if not evaluation.has_predictions:
        return "Nothing is predicted yet: choose a threshold"
    leading = headline(found)
    if evaluation.task == "binary" and evaluation.positive is not None and leading is not None:
        return _text(evaluation, head_of(leading))
    if evaluation.task == "binary" and evaluation.positive is not None:
        return _text(evaluation, outcome_sentences.lead(cache.confusion(evaluation), evaluation.positive)).rstrip(".")
    return _right(evaluation) + _serious_clause(evaluation, found)


def _right(evaluation: Evaluation) -> str:
    if evaluation.task == "multilabel":
        right = value_of(measurement.measure(evaluation).number("subset_accuracy"), share=True)
        return f"{right} of rows are right in every label"
    return f"{value_of(measurement.measure(evaluation).number('accuracy'), share=True)} accurate"


def _serious_clause(evaluation: Evaluation, found: Sequence[Finding]) -> str:
    """Return the first clause of the most serious finding; of equally serious ones, one that counts something."""
    worst = [finding for finding in found if finding.severity == found[0].severity and finding.severity != "info"]
    if not worst:
        return ", and nothing serious stands out"
    if worst[0].code == "subset_far_below_per_label":  # the title began with its other half
        return f", and {percent(worst[0].evidence['per_label_accuracy'])} of single label decisions are right"
    if worst[0].code == "no_better_than_majority":  # the title began with the accuracy
        first, majority = worst[0].parts[:2]
        assert isinstance(first, str)
        said = first.split(" ", 1)[1].removeprefix(f"{percent(worst[0].evidence['accuracy'])} ")
        return f", which {_text(evaluation, (said, majority))}"
    if worst[0].code == "miscalibrated" and "mean_confidence" in worst[0].evidence:
        mean, right = (worst[0].evidence[name] for name in ("mean_confidence", "share"))
        return f", but its confidence is {number(mean)} on average: too {'high' if mean > right else 'low'}"
    leading = headline(found)
    if leading is not None:
        return f". {_text(evaluation, head_of(leading))}"
    heads = [split_sentence(finding.parts)[0] for finding in worst]
    counting = next((head for head in heads if _counts(head)), None)
    if counting is None:
        return f". {_text(evaluation, heads[0])}"
    said = _text(evaluation, counting)
    return f", but {'n' + said[1:] if said.startswith('No label') else said}"


def _counts(head: Parts) -> bool:
    """Return whether a clause counts rows or classes: it begins with a class, a number, or "No label was found in"."""
    return isinstance(head[0], Label) or head[0][:1].isdigit() or head[0].startswith("No label")


def _text(evaluation: Evaluation, parts: Parts) -> str:
    short = short_labels(evaluation)
    return "".join(md(_name_of(part, short), 40) if isinstance(part, Label) else keep_together(part) for part in parts)


def _name_of(part: Label, short: Mapping[str, str]) -> str:
    return part.name if isinstance(part, Name) else short.get(part.name, part.name)
