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
    first, evidence = worst[0], worst[0].evidence
    if first.code == "subset_far_below_per_label":  # the title began with its other half
        return (f", and {percent(evidence['per_label_accuracy'])} of single label decisions are right",)
    if first.code == "no_better_than_majority":
        return _compare_with_majority(first)
    if first.code == "miscalibrated" and "mean_confidence" in evidence:
        mean_confidence = evidence["mean_confidence"]
        direction = "high" if mean_confidence > evidence["share"] else "low"
        return (f", but its confidence is {percent(mean_confidence)} on average: too {direction}",)
    leading = headline(findings)
    if leading is not None:
        return ". ", *head_of(leading)
    clauses = [split_sentence(finding.parts)[0] for finding in worst]
    counting = next((clause for clause in clauses if _counts(clause)), None)
    if counting is None:
        return ". ", *clauses[0]
    begin, *rest = counting
    if isinstance(begin, str) and begin.startswith("No label"):
        begin = begin.replace("No", "no", 1)  # it goes on after a comma
    return ", but ", begin, *rest


def _compare_with_majority(finding: Finding) -> Parts:
    """Return the clause of accuracy beside the largest class, without the accuracy, with which the title began."""
    sentence, majority = finding.parts[:2]
    assert isinstance(sentence, str)
    _, predicate = sentence.split(" ", 1)
    accuracy = percent(finding.evidence["accuracy"])
    return f", which {predicate.removeprefix(f'{accuracy} ')}", majority


def _counts(clause: Parts) -> bool:
    """Return whether a clause counts rows or classes: it begins with a class, a number, or "No label was found in"."""
    begin = clause[0]
    return isinstance(begin, Label) or begin[:1].isdigit() or begin.startswith("No label")
