"""The choose page's pieces: the flowchart, answered by the file and by the person, and its verdict."""

from __future__ import annotations

import streamlit as st

from data.evaluation import Evaluation
from metrics.catalogue.chooser import Answered, Facts, Path, answers_from, overridden, walk
from metrics.catalogue.chooser_tree import TREE, Node
from metrics.catalogue.registry import REGISTRY
from metrics.confusion import label_metrics
from text.numbers import count, number
from ui.learn import measure
from ui.learn.flowchart import flowchart
from ui.text.messages import remark
from ui.text.tile import tile
from ui.view import cache, state, url
from ui.view.url import go_to


def introduction(evaluation: Evaluation | None) -> None:
    """What the chart does, and about which file."""
    if evaluation is None:
        st.markdown("Answer a few questions about your task. With a file loaded, most of them are answered from it.")
    else:
        st.markdown(
            "What the file can answer is answered (hover to read the rule); the rest is yours. Click any answer to "
            "change it, click a question to take your answer back."
        )


def facts(evaluation: Evaluation) -> Facts:
    """What the file says about itself."""
    known = Facts(task=evaluation.task, n_classes=evaluation.n_space, has_scores=evaluation.y_score is not None)
    own_predictions = bool(evaluation.settings.pred or evaluation.settings.raw or evaluation.settings.pred_columns)
    threshold = url.get("t") if state.takes_threshold(evaluation) else None
    by_threshold = threshold is not None or bool(state.own_thresholds(evaluation))
    known = known._replace(has_threshold=own_predictions or by_threshold, threshold=threshold)
    known = known._replace(own_scale=evaluation.scale == "score")
    if not evaluation.has_predictions:
        return known._replace(positive_share=_share_of_positives(evaluation))
    if evaluation.task == "multilabel":
        return known
    counts = cache.confusion(evaluation)
    balance = label_metrics.class_balance(counts)
    positive = evaluation.positive
    return known._replace(
        normalised_entropy=balance.normalised_entropy,
        majority_share=balance.majority_share,
        positive_share=None if positive is None else float(counts.support[positive] / counts.n),
        text_answers=evaluation.settings.raw is not None and evaluation.settings.pred is None,
        n_unparsed=counts.n_unparsed,
    )


def _share_of_positives(evaluation: Evaluation) -> float | None:
    scores = None if evaluation.positive is None else cache.scores(evaluation, evaluation.positive)
    return None if scores is None or not scores.n else scores.n_pos / scores.n


def _by_person() -> dict[str, str]:
    """The person's answers, as they stand in the URL: question.answer~question.answer."""
    pairs = (part.split(".", 1) for part in _parts() if _is_answer(part))
    return {node: answer for node, answer in pairs}


def _parts() -> list[str]:
    return [part for part in url.get("answers").split("~") if part]


def _is_answer(part: str) -> bool:
    node, _, answer = part.partition(".")
    return node in TREE and answer in {known.key for known in TREE[node].answers}


def _say_unknown() -> None:
    """That a link answers what the chart does not ask; such answers are dropped."""
    unknown = [part for part in _parts() if not _is_answer(part)]
    if unknown:
        url.put(answers="~".join(part for part in _parts() if _is_answer(part)))
        remark(
            f"The link says answers={unknown[0][:40]}, but the chart has no such question or answer; "
            f"{count(len(unknown), 'answer')} of the link left out."
        )


def _answer(node: str, answer: str | None) -> None:
    """Keep a click in the view; None takes the person's answer back."""
    given = _by_person()
    given.pop(node, None)
    if answer is not None and node in TREE:
        given[node] = answer
    url.put(answers="~".join(f"{name}.{key}" for name, key in given.items()))


def chart(evaluation: Evaluation | None) -> Path:
    """The flowchart with the path so far; returns the path."""
    _say_unknown()
    by_person = _by_person()
    by_data = answers_from(facts(evaluation)) if evaluation is not None else {}
    answers = overridden(by_data, by_person)
    path = walk(answers)
    values = {} if evaluation is None else {path.end: _value(TREE[path.end], evaluation)} if path.end else {}
    flowchart(answers, path, by_person=tuple(by_person), values=values, on_answer=_answer)
    _same_in_words(path, answers)
    return path


def _value(node: Node, evaluation: Evaluation) -> str:
    value = measure.value(evaluation, node.metric, node.options)
    return "" if value is None else number(value)


def _same_in_words(path: Path, answers: dict[str, Answered]) -> None:
    """The open question as buttons (the keyboard's and the reader's way), and the path as text."""
    if path.open is not None:
        question = TREE[path.open]
        st.markdown(f"**{question.text}** {question.help}")
        for column, answer in zip(st.columns(len(question.answers)), question.answers, strict=True):
            column.button(
                answer.label,
                key=f"answer.{question.id}.{answer.key}",
                on_click=_answer,
                args=(question.id, answer.key),
                width="stretch",
            )
    with st.expander("The path in words"):
        for name in path.nodes:
            if name in answers and TREE[name].kind == "question":
                label = next(way.label for way in TREE[name].answers if way.key == answers[name].answer)
                st.markdown(f"- {TREE[name].text} **{label}.** {answers[name].because}")
        st.button("Take back all my answers", on_click=url.put, kwargs={"answers": ""})


def verdict(path: Path, evaluation: Evaluation | None) -> None:
    """The metric the path leads to: its value on this file, why, and what it would hide."""
    if path.end is None:
        return
    node = TREE[path.end]
    metric = REGISTRY[node.metric]
    st.subheader(f"Your metric: {node.text}")
    left, right = st.columns([0.3, 0.7], gap="large")
    with left:
        if evaluation is None:
            st.caption("Load a file to see its value.")
        else:
            value = measure.value(evaluation, node.metric, node.options)
            if value is None:
                tile(node.text, "not here", "This file does not hold what the metric needs.")
            else:
                notes = measure.about(evaluation, node.metric), measure.beside_undefined(evaluation, node.metric)
                tile(node.text, number(value), ". ".join(filter(None, notes)))
        for name in node.beside:
            beside = None if evaluation is None else measure.value(evaluation, name, {})
            if evaluation is not None and beside is not None:
                filled = measure.beside_undefined(evaluation, name)
                told = f" ({filled})" if filled else ""
                st.caption(f"Read beside it: {REGISTRY[name].title} {number(beside)}{told}")
    with right:
        st.markdown(f"**Why.** {node.why}\n\n**What it would hide.** {node.hides}")
        st.latex(metric.formula)
        go_to("glossary", "All about it in the glossary", icon=":material/menu_book:", q=metric.title)
