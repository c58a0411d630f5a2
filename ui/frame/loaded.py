"""The evaluation that a page is about: opened or refused, said in one line, or a sample offered instead."""

from __future__ import annotations

import streamlit as st

from data.columns.run_columns import ALL_ROWS
from data.errors import DataError
from data.evaluation import Evaluation
from data.samples import SAMPLES
from metrics.thresholds.rule_text import ONE_FOR_ALL, Given, describe_rule
from text.numbers import count
from ui.frame import unusable
from ui.share import drafts
from ui.text.markdown import count_classes, md
from ui.text.messages import refuse, refuse_error, remark
from ui.view import state, url
from ui.view.url import go_to

_NAMED = 3
"""So many rules of single labels are named; how many more there are is said."""


def need_evaluation(what: str) -> Evaluation:
    """The evaluation in view; with none (or a link that leads nowhere), an inviting page and a stop."""
    found, _ = _opened()
    if found is not None and found.n_scored:
        return found
    if found is not None:
        refuse(
            "No row has both a truth and a prediction, so there is nothing "
            "to compute. Correct the columns on the page Open."
        )
        st.stop()
    st.markdown(f"#### Nothing is loaded yet\n{what}")
    go_to("open", "Open your predictions file", icon=":material/upload_file:")
    st.markdown("… or look at a sample first:")
    sample_cards()
    st.stop()


def evaluation_if_any() -> Evaluation | None:
    """The evaluation in view; None for pages that work without one; a link that leads nowhere is told."""
    found, refused = _opened()
    if refused:
        go_to("open", "Open a file or a sample", icon=":material/upload_file:")
    return found if found is not None and found.n_scored else None


def _opened() -> tuple[Evaluation | None, bool]:
    """The evaluation in view, and whether it was refused; what of the link cannot be used is told."""
    for sentence in url.problems():
        remark(sentence)
    try:
        found = state.evaluation()
    except DataError as error:
        refuse_error(error)
        return None, True
    if found is not None and found.n_scored:
        for sentence in unusable.told(found):
            remark(sentence)
    return found, False


def sample_cards() -> None:
    """The samples, one click away."""
    columns = [column for _ in range(0, len(SAMPLES), 3) for column in st.columns(3)]
    for column, sample in zip(columns, SAMPLES, strict=False):
        with column.container(border=True, height="stretch"):
            with st.container(height="stretch", gap="small"):
                st.markdown(f"**{sample.title}**")
                st.caption(sample.description + (f" {sample.notice}" if sample.notice else ""))
            st.button(
                "Open this sample",
                key=f"sample.{sample.key}",
                on_click=state.open_run,
                args=(sample.key,),
                width="stretch",
            )


def headline(evaluation: Evaluation) -> None:
    """What is being looked at, in one line under the page title; of a shared link one more says what that is."""
    facts = [
        md(evaluation.name),
        count(evaluation.n_rows) + ("" if evaluation.weights is None else f" in {count(evaluation.n_lines, 'line')}"),
        count_classes(evaluation),
        {"binary": "binary", "multiclass": "one class a row", "multilabel": "several labels a row"}[evaluation.task],
    ]
    if evaluation.positive is not None:
        facts.append(f"positive class {md(evaluation.labels[evaluation.positive])}")
    own = state.own_thresholds(evaluation)
    if own:
        facts.append(f"predicted when score >= a threshold of its own for {count(len(own), 'label')}")
    elif evaluation.threshold is not None:
        facts.append(f"predicted when score >= {evaluation.threshold:.6g}")
    elif url.get("t") is not None and not state.takes_threshold(evaluation):
        facts.append(f"score >= {url.get('t'):.6g} holds in the lab on Thresholds only: each row has one class")
    elif not evaluation.has_predictions:
        facts.append("no predictions: no threshold is given")
    elif not (evaluation.settings.pred or evaluation.settings.raw or evaluation.settings.pred_columns):
        facts.append("predicted: the class with the highest score")
    rule = describe_rules(evaluation)
    if rule:
        facts.append(rule)
    if evaluation.settings.only not in (None, ALL_ROWS):
        column, value = evaluation.settings.only
        facts.append(f"only {md(column, 40)} = {md(value, 40)}")
    left = evaluation.n_rows - evaluation.n_scored
    if left:
        facts.append(f":orange[{count(left)} without truth or prediction left out]")
    with st.container(gap="xxsmall"):
        drafts.shared_line(url.get("run"))
        st.caption(" · ".join(facts))


def describe_rules(evaluation: Evaluation) -> str:
    """Name the rules that chose the thresholds in view, as Markdown; empty where a hand set them."""
    given = state.rules_in_view(evaluation)
    if not given:
        return ""
    more = f" and {count(len(given) - _NAMED, 'more rule')}" if len(given) > _NAMED else ""
    return f"chosen by your rule: {', '.join(_describe(evaluation, one) for one in given[:_NAMED])}{more}"


def _describe(evaluation: Evaluation, given: Given) -> str:
    if given.code is not None:
        return f"{describe_rule(given.rule)} for {md(evaluation.labels[given.code], 40)}"
    each = evaluation.task == "multilabel" and given.rule.by not in ONE_FOR_ALL
    return describe_rule(given.rule) + (" of each label" if each else "")
