"""The glossary page's pieces: every metric with its formula and this file's numbers in it."""

from __future__ import annotations

from contextlib import nullcontext

import streamlit as st

from data.evaluation import Evaluation
from export.interval_text import describe
from export.measurement import Measurement
from metrics.catalogue.metric import Metric
from metrics.catalogue.registry import NOTATION, ROWS
from text.visible import show
from ui.learn import measure
from ui.learn.glossary_search import find_metrics
from ui.text.markdown import md
from ui.view import controls, measurement, url

_DIRECTION = {"higher": "higher is better", "lower": "lower is better", "zero": "neither direction is better"}
_TALL = r"\vphantom{\Bigg|}"  # keeps the page from cutting the top of a fraction
_SECTIONS = {
    "confusion counts": "All classes together",
    "confusion counts, one class": "One class",
    "score counts": "Scores of one class",
    "scores per class": "Scores of every class",
    "class scores": "Scores of every class together",
    "calibration": "Calibration",
    "probabilities": "Probabilities",
    "multi-label counts": "Multi-label",
}


def title(evaluation: Evaluation | None) -> str:
    """Say how many metrics there are, and whose numbers stand in them."""
    return f"{len(ROWS)} metrics with their formulas" + ("" if evaluation is None else " and this file's numbers")


def introduction(evaluation: Evaluation | None) -> None:
    """Draw the choice of the class that one-class metrics are about."""
    if evaluation is None:
        st.markdown("Open a file to see its numbers in the formulas.")
    else:
        names = list(evaluation.labels)
        if not url.get("class"):
            url.put(**{"class": names[measure.class_of(evaluation)]})
        controls.choose_of_many("class", "Class for one-class metrics", names, lambda name: show(name, 80))


def search() -> str:
    """Draw the search; return the text to look for."""
    return controls.search("q", "Search", "a name or a topic, such as imbalanced")


def symbols() -> None:
    """Draw what the symbols of the formulas stand for."""
    with st.popover("Symbols", help="What the symbols stand for", width="stretch"):
        st.markdown("  \n".join(f"${symbol}$: {words}" for symbol, words in NOTATION.items()))


def entries(evaluation: Evaluation | None, text: str) -> None:
    """Draw all metrics, grouped by their input; those with numbers from this file first, the first one open.

    text : what to look for; the metrics that match it are drawn without groups, the best match first. Of equal matches
        those for this kind of file come first.
    """
    fitting = sorted(ROWS, key=lambda metric: evaluation is not None and evaluation.task not in metric.tasks)
    metrics = find_metrics(fitting, text)
    if not metrics:
        st.markdown("No metric matches. Try *recall*, *macro*, *threshold* or *kappa*.")
    measured = None if evaluation is None else measurement.measure(evaluation)
    with st.spinner("Putting this file's numbers in …") if measured is not None else nullcontext():
        values = {metric: None if measured is None else measure.value(measured, metric) for metric in metrics}
        if text:
            for metric in metrics:
                _entry(metric, measured, values[metric], expanded=len(metrics) <= 3)
        else:
            _sections(measured, values)


def _sections(measured: Measurement | None, values: dict[Metric, float | None]) -> None:
    """Draw metrics in groups by their input: first the groups that have numbers from this file."""
    known = [metric for metric, value in values.items() if measured is None or value is not None]
    sections = {eats: [metric for metric in values if metric.eats == eats] for eats in _SECTIONS}
    first = next(metric for members in sections.values() for metric in members if metric in known)
    for eats, members in sorted(sections.items(), key=lambda section: not set(section[1]) & set(known)):
        st.header(_SECTIONS[eats])
        for metric in members:
            _entry(metric, measured, values[metric], expanded=metric is first)


def _entry(metric: Metric, measured: Measurement | None, value: float | None, *, expanded: bool) -> None:
    """Draw name, value and definition; formula and numbers only where the entry is open: all of them are slow."""
    shown = "" if value is None else f" · {metric.write(value)}"
    label = f"**{metric.title}**{shown} · :gray[{metric.definition}]"
    key = f"glossary.{metric.eats}.{metric.key}.{expanded}"
    entry = st.expander(label, expanded=expanded, key=key, on_change="rerun")
    if entry.open:
        with entry:
            _formulas(metric, measured)
            low, high = metric.range
            limits = f"{low:g} to {high:g}" if high != float("inf") else f"{low:g} upwards"
            unit = f", in {metric.unit}" if metric.unit not in ("", "share", "p") else ""
            runs = f"**Two runs.** {metric.not_compared}\n\n" if metric.not_compared else ""
            st.markdown(
                f"**When.** {metric.when}\n\n**Pitfall.** {metric.pitfall}\n\n**As a loss.** {metric.as_loss}\n\n{runs}"
                f"**Range.** {limits}{unit}; {_DIRECTION[metric.direction]}. **Source.** {metric.source}"
            )


def _formulas(metric: Metric, measured: Measurement | None) -> None:
    """Draw the formula, this file's numbers in it, and what they are about."""
    formulas, sentences = [metric.formula], []
    if measured is not None:
        worked = measure.worked(measured, metric)
        why_not = measure.reason_undefined(measured.evaluation, metric)
        if worked is not None and why_not:
            sentences = [why_not]
        elif measure.value(measured, metric) is None:
            sentences = [measure.why_not_here(measured.evaluation, metric)]
        else:
            formulas += [] if worked is None else [worked]
            beside = measure.zero_division_note(measured, metric)
            sentences = ([f"{beside}."] if beside else []) + _about(measured, metric)
    # few elements: each costs the server and the browser about as much as its words
    st.markdown("\n\n".join(f"$$\n{_TALL}{formula}\n$$" for formula in formulas))
    if sentences:
        st.caption("  \n".join(sentences))


def _about(measured: Measurement, metric: Metric) -> list[str]:
    """Return the interval of a metric, and what of the file it is about, as sentences."""
    evaluation = measured.evaluation
    interval, about = measure.interval(measured, metric), measure.describe_scope(evaluation, metric)
    sentences = [f"{describe(interval)}."] if interval is not None else []
    return sentences + ([f"On {md(evaluation.name, 40)}, {about}."] if about else [])
