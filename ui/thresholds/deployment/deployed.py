"""Choose as deployed: controls on the left, pictures in the middle, the decision sheet on the right."""

from __future__ import annotations

import math

import streamlit as st

from charts.deployment import Mark, benefit_figure, limits_figure
from data.evaluation import Evaluation
from export.deciding.decision import Asked, Decision, correct, decide, probabilities_of
from export.deciding.decision_result import decision_result
from export.deciding.threshold_now import Now
from export.measurement import Measurement
from export.result.kinds import Lead, Result, Sentence, Words
from export.result.markdown import write_markdown
from export.result.written import write_words
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.choose import Rule
from text.visible import keep_together
from ui.text.chart import draw_chart
from ui.text.markdown import md
from ui.thresholds import lab
from ui.thresholds.deployment.day import draw_day
from ui.thresholds.deployment.place import choose_place, place_in_view
from ui.view import cache, measurement, state, url
from ui.view.address import go_to
from ui.view.data_table import draw_sentences, hand_out

_HELPS = "Net benefit: the model helps where its line is highest"
_UNTRUSTED = "Net benefit cannot be trusted: the scores are too far from the truth"


@cache.kept(64, "Trying every threshold …")
def _decide(measured: Measurement, code: int, asked: Asked, now: Now, _scores: ScoreCounts) -> Decision:
    return decide(measured, code, _scores, asked, now)


def decision_in_view(evaluation: Evaluation, code: int, scores: ScoreCounts) -> Decision:
    """Return the decision on one class for the place in view, by weight where rows have weights."""
    now = state.threshold_now(evaluation, code)
    return _decide(measurement.measure(evaluation), code, place_in_view(), now, lab.weigh(evaluation, code, scores))


def sheet_in_view(evaluation: Evaluation, code: int, scores: ScoreCounts) -> Result:
    """Return the decision sheet of one class for the place in view."""
    return decision_result(measurement.measure(evaluation), decision_in_view(evaluation, code, scores))


def title(evaluation: Evaluation, code: int, scores: ScoreCounts) -> str:
    """Return the headline of the sheet as Markdown."""
    return _markdown(sheet_in_view(evaluation, code, scores).headline)


def draw(evaluation: Evaluation, code: int, scores: ScoreCounts) -> None:
    """Draw the three parts, and below them what the numbers rest on.

    evaluation : as the file says, without the view's threshold.
    """
    if not scores.n_pos or not scores.n_neg:
        st.markdown("Choosing needs rows of both classes with a score.")
        return
    decision, result = decision_in_view(evaluation, code, scores), sheet_in_view(evaluation, code, scores)
    with st.container(key="beside-deployed"):
        left, middle, right = st.columns([0.24, 0.43, 0.33], gap="medium")
    with left.container(border=True):
        choose_place(scores)
    with middle:
        _draw_pictures(evaluation, scores, decision)
    with right.container(border=True, key="decision-sheet"):
        draw_day(evaluation, code, scores, decision)
        _draw_sheet(evaluation, result, decision)
    draw_sentences(result.notes, small=True)


def _draw_pictures(evaluation: Evaluation, scores: ScoreCounts, decision: Decision) -> None:
    marks = []
    if decision.used is not None:
        marks.append(Mark("in use now", decision.in_use, decision.used.cost.value, is_chosen=False))
    if decision.use is not None:
        marks.append(Mark("chosen", decision.threshold, decision.use.cost.value, is_chosen=True))
    draw_chart(limits_figure(scores, decision.place, decision.feasible, marks), "deployed.limits")
    probabilities, benefit = probabilities_of(evaluation, scores), decision.benefit
    if isinstance(benefit, str) or isinstance(probabilities, str):  # the reason why there is none
        return
    prevalence = decision.asked.prevalence
    figure = benefit_figure(
        correct(probabilities, prevalence), decision.place, prevalence=prevalence,
        useful=benefit.useful if benefit.is_calibrated else (), of_costs=benefit.probability,
        title=_HELPS if benefit.is_calibrated else _UNTRUSTED,
    )  # fmt: skip
    draw_chart(figure, "deployed.benefit")


def _draw_sheet(evaluation: Evaluation, result: Result, decision: Decision) -> None:
    """Draw each sentence as a link to the page that shows it, the button that takes the threshold, and the file."""
    st.markdown("**Decision sheet**")
    for words, lead in zip(result.sentences, result.leads, strict=True):
        _draw_line(words, lead)
    _offer_threshold(evaluation, decision)
    hand_out("Download the sheet", lambda: write_markdown(result).encode(), "decision-sheet.md", key="deployed.sheet")


def _draw_line(words: Words, lead: Lead) -> None:
    view = {name: url.PARAMETERS[name].parse(text) for name, text in lead.view.items()}
    if lead.page == url.page():  # the costs and the prevalence of the view stay
        view = {name: url.get(name) for name in ("cfp", "cfn", "prev")} | view
    go_to(lead.page, _markdown(words), **view)


def _offer_threshold(evaluation: Evaluation, decision: Decision) -> None:
    """Draw the button that takes the threshold, and the rule of the lowest cost where it is the cheapest of all."""
    if math.isnan(decision.threshold):
        return
    asked, rule = decision.asked, None
    if decision.feasible.threshold == decision.feasible.cheapest:
        rule = Rule("cost", cost_fp=asked.cost_fp, cost_fn=asked.cost_fn, prevalence=asked.prevalence)
    is_in_use = decision.threshold == decision.in_use
    st.button(
        "In use" if is_in_use else "Use this threshold", key="deployed.use",
        type="secondary" if is_in_use else "primary", disabled=is_in_use, icon=":material/check:", width="stretch",
        on_click=state.put_threshold, args=(evaluation, decision.code, decision.threshold, rule),
    )  # fmt: skip


def _markdown(words: Words) -> str:
    """Write a sentence: names of the file are code spans; the person's own words are plain (`read_word`)."""
    return write_words(
        words, lambda part: part.name if isinstance(part, Sentence) else md(part.name, 40), keep_together
    )
