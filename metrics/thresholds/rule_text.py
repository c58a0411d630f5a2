"""Rules for thresholds as text, and back: what a link says, what the command line takes, what a person reads."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from metrics.thresholds.choose import COUNTERPART, NAMES, Rule
from text.numbers import count, percent, write_exact

ONE_FOR_ALL = ("micro_f1", "macro_f1")
"""Rules that look at all labels of a multi-label task and pick one threshold for all."""

DEFAULT_CAP = "10%"
_PLAIN = ("f1", "youden_j", "mcc", "balanced_accuracy", "accuracy", *ONE_FOR_ALL)
_WANTED = "f1, mcc, recall:0.9, cost:1:10 or capacity:10% was wanted, for example"


class Given(NamedTuple):
    """A rule and the label whose threshold it chooses: a code, or None for the positive class or every label."""

    code: int | None
    rule: Rule


def read_floor(text: str) -> Rule:
    """Read a minimum as the URL writes it, "recall:0.95".

    Raises
    ------
    ValueError : it is none.

    >>> read_floor("precision:0.9") == Rule("at_least", metric="precision", floor=0.9, then="recall")
    True
    """
    metric, _, number = text.partition(":")
    floor = _number(number, 0.0, 1.0)
    if metric not in COUNTERPART or floor is None:
        raise ValueError(f"{', '.join(COUNTERPART)} with a number from 0 to 1 was wanted, such as recall:0.95")
    return Rule("at_least", metric=metric, floor=floor, then=COUNTERPART[metric])


def read_cap(text: str) -> Rule:
    """Read a capacity as the URL writes it: "500" rows or "2.5%" of them; "" is 10 %.

    Raises
    ------
    ValueError : it is none.

    >>> read_cap("500").most_rows, read_cap("2.5%").most_share
    (500, 0.025)
    """
    text = text.strip() or DEFAULT_CAP
    try:
        number = Decimal(text.removesuffix("%"))
    except InvalidOperation:
        number = Decimal(-1)
    number = number if number.is_finite() else Decimal(-1)
    if text.endswith("%") and 0 <= number <= 100:
        return Rule("capacity", most_share=float(number / 100))
    if not text.endswith("%") and 0 <= number <= 10**12 and number == int(number):
        return Rule("capacity", most_rows=int(number))
    raise ValueError("a whole number of rows or a percentage was wanted, such as 500 or 2.5%")


def read_rule(text: str) -> Rule:
    """Read one rule.

    Raises
    ------
    ValueError : the end of a sentence about what is wrong with it.

    >>> read_rule("recall:0.9") == Rule("at_least", metric="recall", floor=0.9)
    True
    >>> read_rule("cost:1:10").cost_fn, read_rule("capacity:2.5%").most_share, read_rule("fbeta:0.5").beta
    (10.0, 0.025, 0.5)
    """
    name, _, rest = text.strip().partition(":")
    if name in _PLAIN and not rest:
        return Rule(name)
    if name in COUNTERPART:
        return read_floor(text.strip())
    if name == "capacity":
        return read_cap(rest)
    if name == "fbeta" and (beta := _number(rest, 0.01, 100.0)) is not None:
        return Rule(name, beta=beta)
    if name == "cost":
        return _read_cost(rest.split(":"))
    raise ValueError(_WANTED)


def _read_cost(parts: list[str]) -> Rule:
    costs = [_number(part, 0.0, 1e9) for part in parts[:2]]
    share = _number(parts[2], 0.0, 1.0) if len(parts) == 3 else None
    if len(costs) < 2 or None in costs or len(parts) > 3 or (len(parts) == 3 and share is None):
        raise ValueError("costs and a share were wanted, such as cost:1:10 or cost:1:10:0.02")
    return Rule("cost", cost_fp=costs[0] or 0.0, cost_fn=costs[1] or 0.0, prevalence=share)


def _number(text: str, low: float, high: float) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if low <= value <= high else None  # NaN is on no side


def write_rule(rule: Rule) -> str:
    """Write the text that `read_rule` reads.

    >>> write_rule(Rule("at_least", metric="recall", floor=0.9)), write_rule(Rule("capacity", most_share=0.025))
    ('recall:0.9', 'capacity:2.5%')
    """
    if rule.by == "at_least":
        return f"{rule.metric}:{write_exact(rule.floor)}"
    if rule.by == "capacity":
        share = 100 * (rule.most_share or 0.0)
        return f"capacity:{rule.most_rows}" if rule.most_rows is not None else f"capacity:{share:.10g}%"
    if rule.by == "fbeta":
        return f"fbeta:{write_exact(rule.beta)}"
    if rule.by == "cost":
        costs = f"cost:{write_exact(rule.cost_fp)}:{write_exact(rule.cost_fn)}"
        return costs if rule.prevalence is None else f"{costs}:{write_exact(rule.prevalence)}"
    return rule.by


def read_rules(text: str) -> tuple[Given, ...]:
    """Read the rules of a link, commas between them: "recall:0.9", or of labels by their code "0:f1,3:recall:0.9".

    Raises
    ------
    ValueError : the end of a sentence about what is wrong with it.

    >>> [(given.code, write_rule(given.rule)) for given in read_rules("0:f1,3:recall:0.9")]
    [(0, 'f1'), (3, 'recall:0.9')]
    """
    rules: dict[int | None, Rule] = {}
    for part in text.split(",") if text else ():
        code, _, rest = part.partition(":")
        of = int(code) if code.isascii() and code.isdigit() and len(code) < 10 else None
        if of in rules:
            raise ValueError(f"{'label ' + code if of is not None else 'a rule'} stands there twice")
        rules[of] = read_rule(part if of is None else rest)
    return tuple(Given(code, rule) for code, rule in rules.items())


def write_rules(given: tuple[Given, ...]) -> str:
    """Write the text that `read_rules` reads.

    >>> write_rules((Given(None, Rule("f1")), Given(3, Rule("mcc"))))
    'f1,3:mcc'
    """
    return ",".join(("" if code is None else f"{code}:") + write_rule(rule) for code, rule in given)


def name_rule(rule: Rule) -> str:
    """Name a rule in a few words, for a table.

    >>> name_rule(Rule("fbeta", beta=2)), name_rule(Rule("at_least")), name_rule(Rule("capacity", most_share=0.1))
    ('Best F-beta, beta 2', 'Recall at least 0.95', 'Positive at most 10.0 %')
    """
    if rule.by == "at_least":
        return f"{'NPV' if rule.metric == 'npv' else rule.metric.capitalize()} at least {rule.floor:g}"
    if rule.by == "capacity":
        return f"Positive at most {name_cap(rule)}"
    if rule.by == "cost":
        return "Lowest cost"
    return f"Best {NAMES[rule.by]}" + (f", beta {rule.beta:g}" if rule.by == "fbeta" else "")


def name_cap(rule: Rule) -> str:
    """Name how many rows a capacity allows, in rows or as a share."""
    return count(rule.most_rows) if rule.most_rows is not None else percent(rule.most_share or 0.0)


def describe_rule(rule: Rule) -> str:
    """Describe a rule inside a sentence, with its costs.

    >>> describe_rule(Rule("at_least", floor=0.9)), describe_rule(Rule("capacity", most_share=0.1))
    ('recall at least 0.9', 'at most 10.0 % of the rows predicted positive')
    >>> describe_rule(Rule("cost", cost_fn=10))
    'lowest cost (a false positive costs 1, a false negative 10)'
    """
    if rule.by == "capacity":
        return f"at most {name_cap(rule)}{'' if rule.most_rows is not None else ' of the rows'} predicted positive"
    if rule.by == "cost":
        share = "" if rule.prevalence is None else f", with {percent(rule.prevalence)} positives in use"
        return f"lowest cost (a false positive costs {rule.cost_fp:g}, a false negative {rule.cost_fn:g}{share})"
    if rule.by == "at_least":
        return f"{NAMES[rule.metric]} at least {rule.floor:g}"
    return f"best {NAMES[rule.by]}" + (f" with beta {rule.beta:g}" if rule.by == "fbeta" else "")
