"""A day where the model will run, as a component: prevalence and threshold move its numbers in the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from charts import lab as payload
from data.evaluation import Evaluation
from export.deciding.decision import Decision
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.deployed.in_use import InUse
from metrics.thresholds.slider_stops import stops
from text.intervals import bounds, name_level, write_amounts
from ui.text.component import component, sent_by, update_component
from ui.view import cache, measurement, state, url
from ui.view.address import end_page

_KEY = "deployed.day"
_SHARES = ("precision", "npv")
_mount = component(
    __file__, "day", '<div class="day" role="group" aria-label="A day"></div>', folder="../lab_component"
)


@cache.kept(16)
def _curve(evaluation: Evaluation, code: int, _scores: ScoreCounts) -> dict[str, Any]:
    """Return what stays while a slider moves: the scores that one can tell apart, and their counts."""
    name = f"day-{evaluation.fingerprint[:24]}-{code}"
    return {"id": name, "n_pos": _scores.n_pos, "n_neg": _scores.n_neg, "stops": payload.frame(stops(_scores))}


def draw_day(evaluation: Evaluation, code: int, scores: ScoreCounts, decision: Decision) -> None:
    """Draw the sliders and the table of a day; what is let go stands in the link."""

    def released() -> None:
        values = read_values(sent_by(_KEY, "released"))
        if "prev" in values:
            url.put(prev=values["prev"])
        if "t" in values:
            state.put_threshold(evaluation, code, values["t"])
        end_page("thresholds")

    curve = _curve(evaluation, code, scores)
    _mount(data=curve, key=_KEY, on_released_change=released)
    update_component(curve["id"], "place", place_payload(scores, decision), key=f"{_KEY}.place")


def place_payload(scores: ScoreCounts, decision: Decision) -> dict[str, Any]:
    """Return the place, both thresholds with their counts, and the intervals that are written below the numbers."""
    place = decision.place
    return {
        "prevalence": place.prevalence,
        "rows": place.rows,
        "costFp": place.cost_fp,
        "costFn": place.cost_fn,
        "used": payload.threshold_counts(scores, decision.in_use),
        "chosen": payload.threshold_counts(scores, decision.threshold),
        "within": {"used": _write_ends(decision.used), "chosen": _write_ends(decision.use)},
        "level": name_level(measurement.level()),
    }


def _write_ends(use: InUse | None) -> dict[str, str]:
    if use is None:
        return {}
    return {
        name: (bounds if name in _SHARES else write_amounts)(estimate.low, estimate.high)
        for name, estimate in use._asdict().items()
    }


def read_values(value: Any) -> dict[str, Any]:
    """Return the parameters that the page sent and that the address can hold; a page can be made to send anything.

    >>> read_values({"t": "0.25", "prev": None}), read_values({"t": "x", "prev": "0.01"}), read_values("0.25")
    ({'t': 0.25}, {'prev': 0.01}, {})
    """
    sent = value if isinstance(value, Mapping) else {}
    values = {}
    for name in ("t", "prev"):
        text = sent.get(name)
        try:
            values[name] = url.PARAMETERS[name].parse(text if isinstance(text, str) else "")
        except ValueError:
            continue
    return values
