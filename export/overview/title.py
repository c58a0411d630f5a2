"""The title of Overview and of the report: the most important finding in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from export.measurement import Measurement
from metrics.finding import Finding, Label, split_sentence
from metrics.findings import outcome_sentences
from metrics.findings.worst_parts import head_of, headline
from text.numbers import percent

Parts = Sequence[str | Label]


def title_parts(measurement: Measurement, findings: Sequence[Finding]) -> Parts:
    """Return the title, without a full stop: what is right, and what that hides."""
    evaluation = measurement.evaluation
    if not evaluation.has_predictions:
        return ("Nothing is predicted yet: choose a threshold",)
    if evaluation.positive is not None:
        leading = headline(findings)
        *lead, _ = outcome_sentences.lead(measurement.confusion, evaluation.positive)
        return lead if leading is None else head_of(leading)
    if measurement.many:
        right = f"{percent(measurement.number('subset_accuracy').value)} of rows are right in every label"
    else:
        right = f"{percent(measurement.number('accuracy').value)} accurate"
    return (right, *_serious_clause(findings))


def _serious_clause(findings: Sequence[Finding]) -> Parts:
    """Return the first clause of the most serious finding; of equally serious ones, one that counts something."""
    worst = [finding for finding in findings if finding.severity == findings[0].severity and finding.severity != "info"]
    if not worst:
        return (", and nothing serious stands out",)
    if worst[0].code == "subset_far_below_per_label":  # the title began with its other half
        return (f", and {percent(worst[0].evidence['per_label_accuracy'])} of single label decisions are right",)
    if worst[0].code == "no_better_than_majority":  # the title began with the accuracy
        first, majority = worst[0].parts[:2]
        assert isinstance(first, str)
        compared = first.split(" ", 1)[1].removeprefix(f"{percent(worst[0].evidence['accuracy'])} ")
        return f", which {compared}", majority
    if worst[0].code == "miscalibrated" and "mean_confidence" in worst[0].evidence:
        mean, right = (worst[0].evidence[name] for name in ("mean_confidence", "share"))
        return (f", but its confidence is {percent(mean)} on average: too {'high' if mean > right else 'low'}",)
    leading = headline(findings)
    if leading is not None:
        return ". ", *head_of(leading)
    heads = [split_sentence(finding.parts)[0] for finding in worst]
    counting = next((head for head in heads if _counts(head)), None)
    if counting is None:
        return ". ", *heads[0]
    first, *rest = counting
    follows = isinstance(first, str) and first.startswith("No label")
    return ", but ", f"n{first[1:]}" if follows and isinstance(first, str) else first, *rest


def _counts(head: Parts) -> bool:
    """Return whether a clause counts rows or classes: it begins with a class, a number, or "No label was found in"."""
    return isinstance(head[0], Label) or head[0][:1].isdigit() or head[0].startswith("No label")
