"""Decide on a threshold where the model will run: the cheapest within the limits, beside the one in use."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from data.evaluation import Evaluation
from export.deciding.threshold_now import Now, Source
from export.measurement import Measurement
from metrics.catalogue.metric import OWN_SCALE
from metrics.findings.calibration import Calibration, is_far_from_truth, summarise_calibration
from metrics.scores.curves import ScoreCounts
from metrics.scores.probabilities import in_unit
from metrics.scores.reliability import as_probability
from metrics.thresholds.deployed.feasible import Feasible, Limits, find_feasible
from metrics.thresholds.deployed.in_use import (
    UNDEFINED,
    Estimate,
    InUse,
    Place,
    Rates,
    UsefulPrevalence,
    compute_use,
    saving,
    useful_prevalence,
)
from metrics.thresholds.deployed.net_benefit import (
    Span,
    net_benefit,
    shift_probabilities,
    useful_probabilities,
)
from metrics.thresholds.rule_in_force import usable_threshold

NO_LIMITS = Limits()


@dataclass(frozen=True)
class Asked:
    """Say where the model will run and what must hold there, as a person gave it.

    prevalence, rows : None = as in the file. noun, called : the person's words for rows and for being predicted
        positive; "" = ours.
    """

    prevalence: float | None = None
    rows: float | None = None
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    limits: Limits = NO_LIMITS
    noun: str = ""
    called: str = ""

    def place(self, scores: ScoreCounts) -> Place:
        """Return the place, in which what was not given is as on these rows."""
        here = scores.n_pos / scores.n if scores.n else math.nan
        prevalence = here if self.prevalence is None else self.prevalence
        return Place(prevalence, scores.n * scores.unit if self.rows is None else self.rows, self.cost_fp, self.cost_fn)


@dataclass(frozen=True)
class Benefit:
    """Net benefit at the threshold probability of the costs, and where the model helps.

    probability : NaN where both mistakes are free. model, every : of a row, by the model and with every row predicted
    positive; None where a mistake is free. calibration : how far the scores are from the truth on these rows.
    """

    probability: float
    model: Estimate | None
    every: float | None
    useful: tuple[Span, ...]
    calibration: Calibration

    @property
    def is_calibrated(self) -> bool:
        """Return whether the scores are no further from the truth than the numbers can bear."""
        return not is_far_from_truth(self.calibration)


@dataclass(frozen=True)
class Decision:
    """Hold what a threshold does where the model will run.

    threshold : the cheapest within the limits, one that can be typed; NaN = none keeps them.
    use, used : what it and the threshold in use do; None where there is none.
    less : how much less than now a day costs. benefit : or why there is none.
    recall_error, fpr_error : how far the rates may be off inside a bin of scores; 0 = scores were not binned.
    source : where the threshold in use is from.
    """

    asked: Asked
    place: Place
    code: int
    threshold: float
    in_use: float
    feasible: Feasible
    use: InUse | None
    used: InUse | None
    less: Estimate
    useful: UsefulPrevalence | None
    benefit: Benefit | str
    recall_error: float
    fpr_error: float
    source: Source = "given"

    @property
    def benefit_error(self) -> float:
        """Return how far net benefit in a day may be off inside a bin of scores; 0 = scores were not binned."""
        place = self.place
        error = self.recall_error * place.prevalence + self.fpr_error * (1 - place.prevalence) * place.odds
        return place.rows * error


def decide(measured: Measurement, code: int, scores: ScoreCounts, asked: Asked, now: Now) -> Decision:
    """Return the decision for one class against the rest.

    scores : in units of weight where rows have weights. now : the threshold that is compared.
    """
    in_use = now.threshold
    place = asked.place(scores)
    feasible = find_feasible(scores, place, asked.limits)
    threshold = math.nan if math.isnan(feasible.threshold) else usable_threshold(scores, feasible.threshold)
    rates, used = rates_at_threshold(measured, code, threshold), rates_at_threshold(measured, code, in_use)
    less = Estimate(0.0, 0.0, 0.0) if threshold == in_use else UNDEFINED
    if rates is not None and used is not None and threshold != in_use:
        between = rates_at_threshold(measured, code, *sorted((threshold, in_use)))
        assert between is not None
        less = saving(between, place, is_lower=threshold < in_use)
    errors = measured.score_error_bound or {}
    return Decision(
        asked=asked,
        place=place,
        code=code,
        threshold=threshold,
        in_use=in_use,
        feasible=feasible,
        use=None if rates is None else compute_use(rates, place),
        used=None if used is None else compute_use(used, place),
        less=less,
        useful=None if rates is None else useful_prevalence(rates, place.cost_fp, place.cost_fn),
        benefit=find_benefit(measured, code, scores, asked),
        recall_error=errors.get("recall", 0.0),
        fpr_error=errors.get("fpr", 0.0),
        source=now.source,
    )


def rates_at_threshold(measured: Measurement, code: int, threshold: float, below: float = math.inf) -> Rates | None:
    """Return recall and false positive rate with their intervals; None where there is no threshold.

    below : what they are of the scores below it alone; inf = of all.
    """
    rates = measured.at_threshold(code, threshold, below)
    if not rates:
        return None
    recall, fpr = (Estimate(rates[key].value, rates[key].low, rates[key].high) for key in ("recall", "fpr"))
    return Rates(recall, fpr)


def probabilities_of(evaluation: Evaluation, scores: ScoreCounts) -> ScoreCounts | str:
    """Return the counts by probability, or why the scores are none."""
    if evaluation.scale == "score":
        return OWN_SCALE
    probability = as_probability(scores, from_logits=evaluation.scale == "logit")
    if not len(probability) or not in_unit(probability):
        return "some scores lie outside 0 to 1, so they are no probabilities"
    return scores._replace(score=np.asarray(probability))


def find_benefit(measured: Measurement, code: int, scores: ScoreCounts, asked: Asked) -> Benefit | str:
    """Return the net benefit where the model will run, with probabilities corrected for its prevalence; or why not."""
    probabilities = probabilities_of(measured.evaluation, scores)
    if isinstance(probabilities, str):
        return probabilities
    if not scores.n_pos or not scores.n_neg:
        return "every row is of one class"
    if asked.prevalence in (0.0, 1.0):
        return "every row is of one class where the model will run"
    logits = measured.evaluation.scale == "logit"
    calibration = summarise_calibration(
        measured.count.reliability(measured.evaluation, code, scores, from_logits=logits)
    )
    there = correct(probabilities, asked.prevalence)
    both = asked.cost_fp + asked.cost_fn
    probability = asked.cost_fp / both if both > 0 else math.nan
    model = every = None
    if 0 < probability < 1:
        n_above = int((there.score >= probability).sum())
        threshold = float(scores.score[n_above - 1]) if n_above else usable_threshold(scores, math.inf)
        rates = rates_at_threshold(measured, code, threshold)
        model = None if rates is None else compute_use(rates, asked.place(scores)._replace(rows=1.0)).benefit
        every = net_benefit(there, probability, prevalence=asked.prevalence).every
    return Benefit(probability, model, every, useful_probabilities(there, prevalence=asked.prevalence), calibration)


def correct(probabilities: ScoreCounts, prevalence: float | None) -> ScoreCounts:
    """Return probabilities as they are where another share of rows is positive; None = the same share."""
    return probabilities if prevalence is None else shift_probabilities(probabilities, prevalence)
