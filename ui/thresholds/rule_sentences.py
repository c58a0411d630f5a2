"""Write in Markdown what a rule recommends, costs and leaves out, or why it picks no threshold."""

from __future__ import annotations

import math

from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import NAMES, Rule, measure
from metrics.thresholds.rule_text import name_cap
from metrics.thresholds.threshold_metrics import Best, rates_at
from text.numbers import number, write_amount, write_threshold
from ui.text.markdown import percent

UNKNOWN_ON_NEW_DATA = "Expect worse on new data. A class has too few rows to say how much worse."


def say_rows(counts: float, scores: ScoreCounts, noun: str = "row") -> str:
    """Write counts of a class's scores as rows, or as the weight of rows.

    >>> import numpy as np
    >>> from metrics.scores.curves import score_counts
    >>> scores = score_counts(np.array([True, False]), np.array([0.9, 0.6]))
    >>> say_rows(1, scores), say_rows(5, scores._replace(unit=0.5))
    ('1 row', '2.5 rows')
    """
    rows = counts * scores.unit
    return f"{write_amount(rows)} {noun if rows == 1 else f'{noun}s'}"


def say_threshold(threshold: float) -> str:
    """Write a threshold in words.

    >>> say_threshold(-0.25), say_threshold(math.inf)
    ('score ≥ −0.25', 'a threshold above every score')
    """
    return f"score ≥ {write_threshold(threshold)}" if math.isfinite(threshold) else "a threshold above every score"


def say_best(rule: Rule, best: Best) -> str:
    """Say what a rule recommends, in Markdown.

    >>> say_best(Rule("f1"), Best(0.4, 0.8))
    'The best F1 on these rows is **0.800**, at **score ≥ 0.4**.'
    >>> say_best(Rule("at_least", floor=0.9), Best(0.4, 0.8))
    'Of the thresholds with recall of at least 0.9, the most precise is recommended: **score ≥ 0.4**.'
    """
    cut = f"**{say_threshold(best.threshold)}**"
    if rule.by == "at_least":
        most = "the most precise" if rule.then == "precision" else f"the one with the best {NAMES[rule.then]}"
        return f"Of the thresholds with {NAMES[rule.metric]} of at least {rule.floor:g}, {most} is recommended: {cut}."
    if rule.by == "cost":
        in_use = "" if rule.prevalence is None else f" with {percent(rule.prevalence)} positives"
        return f"The lowest {NAMES['cost']}{in_use} is **{best.value:.4g}**, at {cut}."
    if rule.by == "capacity":
        share = "" if rule.most_rows is not None else " of the rows"
        least = f"The lowest threshold that predicts at most {name_cap(rule)}{share}"
        return f"{least} as positive is {cut}: it predicts **{write_amount(best.value)}**."
    beta = f" with beta {rule.beta:g}" if rule.by == "fbeta" else ""
    return f"The best {NAMES[rule.by]}{beta} on these rows is **{number(best.value)}**, at {cut}."


def say_total_cost(rule: Rule, scores: ScoreCounts, threshold: float, in_use: float) -> str:
    r"""Say what a rule's threshold costs over all rows, and how much less than now; nothing unless cost is the rule.

    >>> import numpy as np
    >>> from metrics.scores.curves import score_counts
    >>> counts = score_counts(np.array([True, False, True, False]), np.array([0.9, 0.6, 0.4, 0.1]))
    >>> say_total_cost(Rule("cost", cost_fn=3), counts, 0.4, 0.5)
    ' All 4 rows cost **1**; at score ≥ 0.5, in use now, they cost 4: 3 less.'
    """
    if rule.by != "cost":
        return ""
    n = scores.n * scores.unit
    then, now = (n * float(measure(rates_at(scores, cut), rule)) for cut in (threshold, in_use))
    rows = f" All {say_rows(scores.n, scores)} cost **{then:,.6g}**"
    if math.isnan(now) or in_use == threshold:
        return f"{rows}."
    change = f"{now - then:,.6g} less" if now > then else "as much"
    return f"{rows}; at {say_threshold(in_use)}, in use now, they cost {now:,.6g}: {change}."


def say_ties(rule: Rule, scores: ScoreCounts, best: Best) -> str:
    """Say that the next lower score would add too many rows at once; nothing unless a capacity is the rule."""
    above = scores.above(best.threshold)
    if rule.by != "capacity" or above >= len(scores.score):
        return ""
    rows = say_rows(scores.tp[above] + scores.fp[above] - best.value / scores.unit, scores)
    return f" The next lower score would add {rows} at once, which is too many."


def say_none_found(rule: Rule, scores: ScoreCounts) -> str:
    """Say why a rule picks no threshold."""
    if not scores.n_pos or not scores.n_neg:
        there, missing = ("positive", "negative") if scores.n_pos else ("negative", "positive")
        return f"Every row is {there}: without {missing} rows this is undefined, and no threshold is best."
    if rule.by == "at_least":
        return f"No threshold reaches a {NAMES[rule.metric]} of {rule.floor:g} on these rows."
    if rule.by == "capacity":
        return "Even the highest threshold predicts more rows as positive: their score is infinite."
    return "This is undefined at every threshold."
