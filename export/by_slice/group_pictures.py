"""Pictures of groups in words: which groups are marked, and the title of each picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from export.by_slice.groups import RATES, Groups, name_group
from export.pictures.bars import bars_picture
from export.pictures.groups import rate_picture
from export.pictures.svg import Canvas
from metrics.slices.fairness import DIFFERS, FOUR_FIFTHS, Gap, RateMark
from metrics.slices.group_thresholds import Equalised
from text.numbers import count, number, write_amount
from text.visible import show

SHOWN = 12
"""Groups of one picture; the table has all."""
_BASES = {"selection_rate": "row", "tpr": "positive row", "fpr": "negative row", "ppv": "selected row"}


class RatePicture(NamedTuple):
    """A rate of the groups: its name, the takeaway, and what is marked; both in plain text."""

    rate: str
    title: str
    takeaway: str
    marks: list[RateMark]
    gap: Gap

    @property
    def has_four_fifths(self) -> bool:
        """Return whether a line stands at four fifths: only for the share that is selected."""
        return self.rate == "selection_rate"


def rate_pictures(groups: Groups) -> Iterator[RatePicture]:
    """Yield the picture of each rate: the largest groups, in their order, and always the two of the gap."""
    for rate, noun in _BASES.items():
        gap = groups.gaps[rate]
        by_size = sorted(groups.rates, key=lambda group: (group.place not in (gap.lower, gap.higher), -group.n))
        places = {group.place for group in by_size[:SHOWN]}
        marks = [_mark(groups, group.place, rate, noun, gap) for group in groups.rates if group.place in places]
        title = RATES[rate][0].upper() + RATES[rate][1:]
        yield RatePicture(rate, title, _takeaway(rate, gap), marks, gap)


def _mark(groups: Groups, place: int, rate: str, noun: str, gap: Gap) -> RateMark:
    interval = next(group.rates[rate] for group in groups.rates if group.place == place)
    name, few = show(name_group(groups, place), 80), place in gap.left_out
    base = count(interval.n, noun) + (", too few" if few else "")
    within = f" ({number(interval.low)} to {number(interval.high)})" if not math.isnan(interval.low) else ""
    return RateMark(place, name, base, f"{name}: {number(interval.value)}{within}, {base}", interval, few)


def _takeaway(rate: str, gap: Gap) -> str:
    """Return the gap and the ratio of a rate, or that they may be chance."""
    if math.isnan(gap.difference):
        return "too few rows to compare groups"
    if gap.verdict != DIFFERS:
        return f"a gap of {number(gap.difference)} may be chance"
    difference = f"gap {number(gap.difference)} ({number(gap.low)} to {number(gap.high)})"
    ratio = "" if math.isnan(gap.ratio) else f", ratio {number(gap.ratio)}"
    below = ", below four fifths" if rate == "selection_rate" and gap.ratio < FOUR_FIFTHS else ""
    return difference + ratio + below


def count_left_out(groups: Groups) -> int:
    """Return how many groups no picture marks."""
    return max(0, len(groups.rates) - SHOWN)


def describe_cost(groups: Groups, equal: Equalised) -> str:
    """Say how many more rows are wrong with the same rate in every group; with weights, how much more these weigh."""
    more = equal.wrong_then - equal.wrong_now
    if groups.is_weighted:
        side = "more" if more > 0 else "less"
        return f"wrong rows weigh {write_amount(abs(more))} {side}" if more else "wrong rows weigh as much"
    return count(abs(int(more)), f"{'more' if more > 0 else 'fewer'} wrong row") if more else "as many wrong rows"


def wrong_rows(groups: Groups) -> list[tuple[str, float]]:
    """Return the wrong rows, or their weight, now and with the same rate in every group; nothing without an answer."""
    if not groups.equalised:
        return []
    now = ("thresholds in use", groups.equalised[0].wrong_now)
    return [now, *((f"same {equal.rate.replace('_', ' ')}", equal.wrong_then) for equal in groups.equalised)]


def cost_title(groups: Groups) -> str:
    """Return what the same rate in every group costs in rows."""
    title = "; ".join(
        f"the same {equal.rate.replace('_', ' ')}: {describe_cost(groups, equal)}" for equal in groups.equalised
    )
    if not title:
        return ""
    n = groups.equalised[0].n
    return f"{title[:1].upper()}{title[1:]}, of {f'weight {write_amount(n)}' if groups.is_weighted else f'{n:,}'}"


def draw_groups(groups: Groups) -> Mapping[str, Canvas]:
    """Draw the rates of the groups, and the wrong rows with equal rates; by an id of each picture."""
    drawn: dict[str, Canvas] = {}
    for rate in rate_pictures(groups):
        title = f"{rate.title}: {rate.takeaway}"
        drawn[f"groups-{rate.rate}"] = rate_picture(rate.marks, rate.gap, title, four_fifths=rate.has_four_fifths)
    wrong = wrong_rows(groups)
    if wrong:
        texts = [write_amount(n) if groups.is_weighted else f"{n:,}" for _, n in wrong]
        bars = [(name, n, text, place > 0) for place, ((name, n), text) in enumerate(zip(wrong, texts, strict=True))]
        most, axis = max(n for _, n in wrong), "weight of wrong rows" if groups.is_weighted else "wrong rows"
        drawn["groups-cost"] = bars_picture(bars, cost_title(groups), most=most, axis=axis)
    return drawn
