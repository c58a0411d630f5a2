"""Write a decision as a result: one page of sentences, each with the page that shows it, and a table of a day."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from export.deciding.decision import Benefit, Decision
from export.interval_text import compare_with_now
from export.measurement import Measurement
from export.result.kinds import Amount, Column, Label, Lead, Number, Result, Sentence, Table, Unknown, Words
from metrics.findings.calibration import describe_calibration
from metrics.thresholds.deployed.feasible import FLOORS, Loosened, Thresholds
from metrics.thresholds.deployed.in_use import Estimate, InUse, times
from text.intervals import name_level
from text.numbers import count, number, percent, write_amount, write_bound, write_threshold

_LISTED = 3
"""Ranges that a sentence names."""


class Line(NamedTuple):
    """A sentence of the sheet, and where it leads."""

    words: Words
    lead: Lead


def decision_result(measured: Measurement, decision: Decision) -> Result:
    """Return the decision sheet: a headline, sentences, the table of a day, and what it rests on."""
    writer = _Writer(measured, decision)
    lines = list(writer.lines())
    return Result(
        name="decision",
        title=("Decision sheet",),
        sentences=[line.words for line in lines],
        tables=[] if decision.use is None else [writer.table()],
        notes=list(writer.notes()),
        numbers={"decision": decision_numbers(measured, decision)},
        headline=writer.headline(),
        leads=[line.lead for line in lines],
    )


class _Writer:
    """Write the parts of one sheet in the words that the person chose."""

    def __init__(self, measured: Measurement, decision: Decision) -> None:
        self.measured, self.decision = measured, decision
        asked, label = decision.asked, measured.evaluation.labels[decision.code]
        self.noun: str | Label = Sentence(asked.noun) if asked.noun else "rows"
        self.called: str | Label = Sentence(asked.called) if asked.called else "predicted positive"
        self.positive = Label(measured.names.get(label, label))
        self.label = label

    def headline(self) -> Words:
        """Say the finding that leads, without a full stop."""
        decision, less = self.decision, self.decision.less
        if decision.use is None:
            return self._why_none()
        where = _at(decision.threshold, decision.feasible.threshold).removeprefix("At ").capitalize()
        n_limits = len(decision.asked.limits.given)
        within = f", within {_all_limits(n_limits)}" if n_limits else ""
        if math.isnan(less.value):
            return (f"{where} costs {write_amount(decision.use.cost.value)} a day{within}",)
        verb = "may cost" if less.value and less.low <= 0 <= less.high else "costs"
        return (f"{where} {verb} {compare_with_now(less.value, per=' a day')}{within}",)

    def _why_none(self) -> Words:
        decision, scores = self.decision, self.measured.scores_of(self.decision.code)
        assert scores is not None
        if not scores.n_pos or not scores.n_neg:
            return (f"Every row is {'positive' if scores.n_pos else 'negative'}, so no threshold can be chosen",)
        ways = decision.feasible.loosened
        way_out = (": ", *self._write_loosened(ways[0])) if ways else ()
        return (f"No threshold keeps {_all_limits(len(decision.asked.limits.given))}", *way_out)

    def lines(self) -> Iterator[Line]:
        """Yield the sentences, the outcome of a day first."""
        decision = self.decision
        if decision.use is not None:
            yield from self._outcome(decision.use)
            yield from self._cost(decision.use)
            yield from self._useful()
        yield from self._limits()
        yield from self._benefit()

    def _view(self, tab: str, **more: str) -> Lead:
        several = {} if self.measured.evaluation.task == "binary" else {"class": self.label}
        return Lead("thresholds", {"tab": tab, **several, **more})

    def _matrix(self) -> Lead:
        """Lead to the matrix at the threshold, or to the classes where there is none."""
        e = self.measured.evaluation
        if e.task != "binary" or not e.has_predictions:
            return self._classes()
        return Lead("confusion", {"t": repr(self.decision.threshold)})

    def _classes(self) -> Lead:
        threshold = {"t": repr(self.decision.threshold)} if self.measured.evaluation.task == "binary" else {}
        return Lead("classes", {"class": self.label, **threshold})

    def _outcome(self, use: InUse) -> Iterator[Line]:
        decision = self.decision
        where, rows = _at(decision.threshold, decision.feasible.threshold), write_amount(decision.place.rows)
        yield Line(
            (f"{where}, of {rows} ", self.noun, f" a day {_with_ends(use.predicted)} are ", self.called, "."),
            self._view("explore", t=repr(decision.threshold)),
        )
        yield Line(
            (f"{_with_ends(use.found)} of them are ", self.positive, f"; {_with_ends(use.missed)} are missed."),
            self._matrix(),
        )
        precision = use.precision
        if not math.isnan(precision.value):
            yield Line(
                (
                    f"Precision is {Number(*precision).written.whole}: {_one_in(precision.value)} ",
                    self.called,
                    " is right.",
                ),
                self._classes(),
            )

    def _cost(self, use: InUse) -> Iterator[Line]:
        decision, total = self.decision, f"A day costs {_with_ends(use.cost)}"
        lead = self._view("choose", by="cost")
        if decision.used is None or math.isnan(decision.less.value):
            yield Line((f"{total}.",), lead)
            return
        less, before = decision.less, decision.used.cost.value
        share = f", or {percent(abs(less.value) / before, 0)}" if before > 0 and less.value else ""
        yield Line((f"{total}. That is {compare_with_now(*less, per=' a day')}{share}.",), lead)

    def _useful(self) -> Iterator[Line]:
        useful = self.decision.useful
        if useful is None or math.isnan(useful.low.value):
            return
        lead = self._view("choose", by="deployed")
        yield Line(
            (f"Do not use it where fewer than {percent(useful.low.value, 2)}{_share_ends(useful.low)} are ",
             self.positive, ": there it costs less if none is ", self.called, "."), lead,
        )  # fmt: skip
        if useful.high.value < 1:
            yield Line(
                (f"Nor where more than {percent(useful.high.value)} are: it costs less if all are ", self.called, "."),
                lead,
            )

    def _limits(self) -> Iterator[Line]:
        decision, lead = self.decision, self._view("choose", by="deployed")
        names = list(decision.asked.limits.given)
        if names and decision.use is not None:
            yield Line((f"{_all_hold(len(names))} {_write_ranges(decision.feasible.every)}.",), lead)
        for way in decision.feasible.loosened:
            start = "To keep the others, " if len(way.limits) == 1 else "No single limit is enough: "
            yield Line((start, *self._write_loosened(way), "."), lead)

    def _write_loosened(self, way: Loosened) -> Words:
        parts: list[str | Label] = []
        for place, (name, wanted, reached) in enumerate(way.limits):
            parts += [" and "] if place else []
            parts += [*self._limit_name(name), f" must give from {_amount_of(name, wanted)} to "]
            parts += [_amount_of(name, reached)]
        return tuple(parts)

    def _limit_name(self, name: str) -> Words:
        if name == "predicted":
            return (self.noun, " a day ", self.called)
        return ("the cost of a day",) if name == "cost" else (name,)

    def _benefit(self) -> Iterator[Line]:
        benefit = self.decision.benefit
        lead = self._view("calibration")
        if isinstance(benefit, str):
            yield Line((f"Net benefit is undefined: {benefit}.",), lead)
            return
        if not benefit.is_calibrated:
            yield Line((f"Net benefit cannot be trusted here. {describe_calibration(benefit.calibration)[0]}.",), lead)
            return
        if benefit.useful:
            widest = max(benefit.useful, key=lambda span: span.high - span.low)
            span = f"from {widest.low:.2g} to {widest.high:.2g}"
            n_more = len(benefit.useful) - 1
            more = f", and in {count(n_more, 'narrower range')}" if n_more else ""
            yield Line((f"The model helps at threshold probabilities {span}{more}.",), lead)
        else:
            yield Line(("The model helps at no threshold probability.",), lead)
        yield from self._benefit_of_costs(benefit, lead)

    def _benefit_of_costs(self, benefit: Benefit, lead: Lead) -> Iterator[Line]:
        if benefit.model is None or benefit.every is None:
            return
        rows = self.decision.place.rows
        a_day, every = _with_ends(times(benefit.model, rows)), write_amount(rows * benefit.every)
        asked = f"At probability ≥ {write_threshold(benefit.probability)}, which these costs ask for"
        yield Line((f"{asked}, net benefit is {a_day} a day; {every} with all ", self.called, "."), lead)

    def table(self) -> Table:
        """Return what the threshold does in a day, beside the one in use."""
        decision = self.decision
        columns = [
            Column("threshold", str), Column("predicted positive", Amount), Column("found", Amount),
            Column("missed", Amount), Column("false positives", Amount), Column("precision", Number),
            Column("NPV", Number), Column("cost", Amount), Column("net benefit", Amount),
        ]  # fmt: skip
        rows = [_row("in use now: ", decision.in_use, decision.used)] if decision.used is not None else []
        assert decision.use is not None
        rows.append(_row("", decision.threshold, decision.use))
        return Table("decision-day", "A day where the model will run", columns, rows, noun="threshold", in_order=True)

    def notes(self) -> Iterator[Words]:
        """Yield what the numbers rest on."""
        decision, asked = self.decision, self.decision.asked
        yield from self._source_of_now()
        here = "as in this file" if asked.prevalence is None else "as given"
        yield (f"Prevalence there is {percent(decision.place.prevalence, 2)}, {here}; it is taken as known.",)
        if decision.place.odds > 0:
            yield (f"Net benefit: rows found, less {write_amount(decision.place.odds)} for each false positive.",)
        yield ("Only the mix of classes may differ there (label shift): recall and specificity stay as on these rows.",)
        costs = f"A false positive costs {asked.cost_fp:,g}, a missed row {asked.cost_fn:,g}."
        limits = [f"{name} {'at least' if name in FLOORS else 'at most'} {limit:g}"
                  for name, limit in asked.limits.given.items()]  # fmt: skip
        yield (f"{costs} Limits: {'; '.join(limits)}." if limits else costs,)
        brackets = f"In brackets: {name_level(self.measured.level)} intervals."
        chosen = "The threshold was chosen on the same rows: expect slightly worse on new data."
        yield (brackets if decision.use is None else f"{brackets} {chosen}",)
        if self.measured.evaluation.units is not None:
            rows = " Unless its rows are given, a day has the total weight." if asked.rows is None else ""
            yield (f"All numbers here are by the weights of rows.{rows}",)
        if max(decision.recall_error, decision.fpr_error) > 0:
            yield (
                "Scores are grouped into bins. Numbers are exact at the lower ends of bins, where all thresholds tried "
                f"here lie. Between them, recall is off by {write_bound(decision.recall_error)} at most, "
                f"the false positive rate by {write_bound(decision.fpr_error)}.",
            )
        if decision.benefit_error > 0:
            yield (f"Net benefit is off by {write_amount(decision.benefit_error)} a day at most there.",)
        if isinstance(decision.benefit, Benefit) and asked.prevalence is not None:
            yield ("For net benefit, the probabilities are corrected for that prevalence.",)

    def _source_of_now(self) -> Iterator[Words]:
        """Yield what the threshold in use has to do with the predictions of the file, unless somebody gave it."""
        decision, now = self.decision, f"score ≥ {write_threshold(self.decision.in_use)}"
        if decision.used is None or decision.source == "given":
            return
        if decision.source == "predictions":
            yield (f"Now means {now}: the predictions of this file follow from it.",)
            return
        yield (f"The predictions of this file follow no threshold of its scores, so now means {now}.",)


def _at(threshold: float, exact: float) -> str:
    """Say at which score; exact : the threshold before it was rounded, infinite = above every score."""
    return "At a threshold above every score" if math.isinf(exact) else f"At score ≥ {write_threshold(threshold)}"


def _all_limits(n: int) -> str:
    return {1: "the limit", 2: "both limits"}.get(n, f"all {n} limits")


def _all_hold(n: int) -> str:
    return {1: "The limit holds", 2: "Both limits hold"}.get(n, f"All {n} limits hold")


def _with_ends(estimate: Estimate) -> str:
    return Amount(*estimate).written.whole


def _share_ends(estimate: Estimate) -> str:
    return "" if math.isnan(estimate.low) else f" ({percent(estimate.low, 2)} to {percent(estimate.high, 2)})"


def _one_in(precision: float) -> str:
    return f"1 in {write_amount(1 / precision)}" if precision > 0 else "none"


def _amount_of(name: str, value: float) -> str:
    return number(value) if name in FLOORS else write_amount(value)


def _write_ranges(ranges: list[Thresholds] | tuple[Thresholds, ...]) -> str:
    """Write thresholds from the lowest to the highest of each range.

    >>> _write_ranges([Thresholds(0.1, 0.2), Thresholds(0.5, math.inf)])
    'from 0.1 to 0.2 and from 0.5 up'
    """
    shown = map(_write_range, ranges[:_LISTED])
    more = f" and in {len(ranges) - _LISTED:,} further ranges" if len(ranges) > _LISTED else ""
    return " and ".join(shown) + more


def _write_range(run: Thresholds) -> str:
    low = write_threshold(run.low)
    if math.isinf(run.high):
        return f"from {low} up"
    return f"at {low}" if run.low == run.high else f"from {low} to {write_threshold(run.high)}"


def _row(before: str, threshold: float, use: InUse) -> tuple[Any, ...]:
    """Return the cells of a threshold in the table of a day; before : words in front of its name."""
    name = f"score ≥ {write_threshold(threshold)}" if use.predicted.value else "above every score"
    benefit = Unknown("a missed row costs nothing") if math.isnan(use.benefit.value) else Amount(*use.benefit)
    return (
        f"{before}{name}", Amount(*use.predicted), Amount(*use.found), Amount(*use.missed), Amount(*use.false_alarms),
        _share(use.precision), _share(use.npv), Amount(*use.cost), benefit,
    )  # fmt: skip


def _share(share: Estimate) -> Number | Unknown:
    """Return the cell of precision or NPV, undefined where no row is predicted that way."""
    return Unknown("nothing is predicted so") if math.isnan(share.value) else Number(*share)


def decision_numbers(measured: Measurement, decision: Decision) -> dict[str, Any]:
    """Return everything in full precision, by the keys of the JSON."""
    asked, place, benefit = decision.asked, decision.place, decision.benefit
    return {
        "class": measured.evaluation.labels[decision.code],
        "prevalence": place.prevalence,
        "rows_a_day": place.rows,
        "cost_fp": place.cost_fp,
        "cost_fn": place.cost_fn,
        "limits": asked.limits.given,
        "threshold": decision.threshold,
        "threshold_in_use": decision.in_use,
        "day": _use_numbers(decision.use),
        "day_in_use": _use_numbers(decision.used),
        "saving": decision.less._asdict(),
        "useful_prevalence": None if decision.useful is None
        else {key: end._asdict() for key, end in decision.useful._asdict().items()},
        "feasible": [[run.low, run.high] for run in decision.feasible.every],
        "loosened": [
            {"threshold": way.threshold,
             "limits": {name: {"wanted": wanted, "reached": reached} for name, wanted, reached in way.limits}}
            for way in decision.feasible.loosened
        ],
        "net_benefit": {"undefined": benefit} if isinstance(benefit, str) else _benefit_numbers(benefit),
    }  # fmt: skip


def _use_numbers(use: InUse | None) -> dict[str, Any] | None:
    return None if use is None else {name: number._asdict() for name, number in use._asdict().items()}


def _benefit_numbers(benefit: Benefit) -> dict[str, Any]:
    return {
        "threshold_probability": benefit.probability,
        "model": None if benefit.model is None else benefit.model._asdict(),
        "treat_all": benefit.every,
        "helps": [list(span) for span in benefit.useful],
        "is_calibrated": benefit.is_calibrated,
    }
