"""Numbers set in LaTeX: the parts that a formula with a file's own numbers is made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

_ROUNDING = 1e-12
TERMS = 4
"""A longer sum is shown as its first two terms, dots, and its last."""


def number(value: float) -> str:
    r"""Return a number to four decimals, or to more where four would make it look like a whole number it is not.

    Sums of weights such as 0.1 are whole where they are so but for rounding.

    >>> number(1234567), number(0.83800), number(0.99999), number(0.0000123), number(float("nan"))
    ('1{,}234{,}567', '0.838', '0.99999', '1.23 \\cdot 10^{-5}', '\\text{undefined}')
    >>> number(sum([0.1] * 10))
    '1'
    """
    value = float(value)
    if math.isnan(value):
        return r"\text{undefined}"
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    if math.isclose(value, round(value), rel_tol=_ROUNDING):
        return f"{round(value):,}".replace(",", "{,}")
    if abs(value) < 0.001:
        digits, exponent = f"{value:.2e}".split("e")
        return rf"{digits.rstrip('0').rstrip('.')} \cdot 10^{{{int(exponent)}}}"
    decimals = next((d for d in range(4, 17) if round(value, d) != round(value)), 16)
    return f"{value:,.{decimals}f}".rstrip("0").rstrip(".").replace(",", "{,}")


def fraction(above: float | str, below: float | str) -> str:
    r"""Return a fraction of two numbers or two pieces of LaTeX.

    >>> print(fraction(419, 500))
    \frac{419}{500}
    """
    return rf"\frac{{{_set(above)}}}{{{_set(below)}}}"


def total(values: Iterable[float | str]) -> str:
    r"""Return a sum, shortened when it is long; an empty one is 0.

    >>> print(total([1, 2, 3, 4, 5]))
    1 + 2 + \dots + 5
    """
    terms = list(values)
    shown = [_set(term) for term in (terms if len(terms) <= TERMS else [*terms[:2], terms[-1]])]
    if len(terms) > TERMS:
        shown.insert(2, r"\dots")
    return " + ".join(shown) or "0"


def mean(values: Sequence[float] | Iterable[float]) -> str:
    r"""Return the mean as a sum over how many there are.

    >>> print(mean([0.5, 1.0]))
    \frac{0.5 + 1}{2}
    """
    terms = list(values)
    return fraction(total(terms), len(terms))


def result(worked: str, value: float) -> str:
    r"""Return the formula and its value; "=" only if the value is shown in full.

    >>> print(result(fraction(1, 3), 1 / 3))
    \frac{1}{3} \approx 0.3333
    >>> print(result(fraction(0.8, 1000), 0.0008))
    \frac{0.8}{1{,}000} = 8 \cdot 10^{-4}
    """
    shown = number(value)
    plain = shown.replace("{,}", "").replace(r" \cdot 10^{", "e").removesuffix("}")
    exact = math.isnan(value) or math.isinf(value) or float(plain) == value
    return f"{worked} {'=' if exact else chr(92) + 'approx'} {shown}"


def _set(value: float | str) -> str:
    return value if isinstance(value, str) else number(value)
