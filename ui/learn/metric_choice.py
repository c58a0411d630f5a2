"""Draw the page Choose a metric: questions beside their answers, the recommendation, and the tree as a picture."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from data.evaluation import Evaluation
from export.interval_text import describe
from metrics.catalogue.chooser import Answered, Facts, Path, answers_from, overridden, walk, why_not_accuracy
from metrics.catalogue.chooser_tree import TREE, Node
from metrics.confusion import label_metrics, worst_confusions
from text.numbers import count
from text.visible import keep_together
from ui.learn import measure
from ui.learn.flowchart import flowchart
from ui.text.messages import remark
from ui.view import cache, measurement, state, url
from ui.view.address import go_to


class Walked(NamedTuple):
    """The answers in force by question, those of the person, and how far they lead."""

    answers: dict[str, Answered]
    by_person: tuple[str, ...]
    path: Path


def walk_tree(evaluation: Evaluation | None) -> Walked:
    """Walk the tree by the answers of the file and of the person; say which answers of a link fit nowhere."""
    _say_unknown()
    by_person = _by_person()
    by_file = {} if evaluation is None else answers_from(facts_of_file(evaluation))
    answers = overridden(by_file, by_person)
    return Walked(answers, tuple(by_person), walk(answers))


def title(walked: Walked, evaluation: Evaluation | None) -> str:
    """Say the recommended metric with this file's value, or what is missing to recommend one."""
    if walked.path.end is None:
        n_open = sum(name not in walked.answers for name in walked.path.nodes)
        questions = "one question" if n_open == 1 else f"{n_open} questions"
        return f"Answer {questions} to get your metric"
    node = TREE[walked.path.end]
    value = "" if evaluation is None else _value(node, evaluation)
    return f"Your metric: {node.text}, {value} on this file" if value else f"Your metric: {node.text}"


def facts_of_file(evaluation: Evaluation) -> Facts:
    """Return what the file answers of the tree's questions."""
    settings = evaluation.settings
    predictions_given = bool(settings.pred or settings.raw or settings.pred_columns)
    threshold = url.get("t") if state.takes_threshold(evaluation) else None
    known = Facts(
        task=evaluation.task,
        n_classes=evaluation.n_space,
        has_scores=evaluation.y_score is not None,
        has_threshold=predictions_given or threshold is not None or bool(state.own_thresholds(evaluation)),
        threshold=threshold,
        own_scale=evaluation.scale == "score",
    )
    if not evaluation.has_predictions:
        return known._replace(positive_share=_share_of_positives(evaluation))
    if evaluation.task == "multilabel":
        return known
    counts = cache.confusion(evaluation)
    support = counts.support[counts.support > 0]
    positive = evaluation.positive
    return known._replace(
        majority_share=label_metrics.baseline_accuracy(counts),
        largest=int(support.max(initial=0)),
        smallest=int(support.min(initial=counts.n)),
        n_never_predicted=len(worst_confusions.never_predicted(counts)),
        accuracy=label_metrics.accuracy(counts),
        balanced_accuracy=label_metrics.balanced_accuracy(counts),
        positive_share=None if positive is None else float(counts.support[positive] / counts.n),
        text_answers=settings.raw is not None and settings.pred is None,
        n_unparsed=counts.n_unparsed,
    )


def _share_of_positives(evaluation: Evaluation) -> float | None:
    if evaluation.positive is None:
        return None
    scores = cache.scores(evaluation, evaluation.positive)
    return scores.n_pos / scores.n if scores is not None and scores.n else None


def _by_person() -> dict[str, str]:
    """Return the person's answers, as they stand in the URL: question.answer~question.answer."""
    return dict(part.split(".", 1) for part in _parts() if _is_answer(part))


def _parts() -> list[str]:
    return [part for part in url.get("answers").split("~") if part]


def _is_answer(part: str) -> bool:
    node, _, key = part.partition(".")
    return node in TREE and any(answer.key == key for answer in TREE[node].answers)


def _say_unknown() -> None:
    """Say that a link answers what the tree does not ask; such answers are dropped."""
    unknown = [part for part in _parts() if not _is_answer(part)]
    if unknown:
        url.put(answers="~".join(part for part in _parts() if _is_answer(part)))
        remark(
            f"Ignored answers={unknown[0][:40]} in the link: there is no such question or answer "
            f"({count(len(unknown), 'answer')} left out)."
        )


def _answer(node: str, answer: str | None) -> None:
    """Keep a click in the view; None takes the person's answer back."""
    given = _by_person()
    given.pop(node, None)
    if answer is not None and node in TREE:
        given[node] = answer
    url.put(answers="~".join(f"{name}.{key}" for name, key in given.items()))


def questions(walked: Walked) -> None:
    """Draw each question of the path beside its answers, and who gave the answer that counts."""
    for name in walked.path.nodes:
        node = TREE[name]
        if node.kind != "question":
            continue
        given = walked.answers.get(name)
        key = _set_control(name, given)
        with st.container(key=f"beside-question-{name}"):
            left, right = st.columns([0.4, 0.6], vertical_alignment="center", gap="small")
        left.markdown(f"**{node.text}**", help=node.help)
        right.pills(
            node.text, [way.key for way in node.answers], key=key, label_visibility="collapsed",
            format_func={way.key: way.label for way in node.answers}.__getitem__,
            on_change=_take_answer, args=(name, key),
        )  # fmt: skip
        if given is not None:
            right.caption("Your answer." if name in walked.by_person else given.because)
        else:
            right.caption(keep_together(node.help))
    if walked.by_person:
        st.button("Take back all my answers", icon=":material/undo:", type="tertiary", on_click=url.put,
                  kwargs={"answers": ""})  # fmt: skip


def _set_control(name: str, given: Answered | None) -> str:
    """Give the control of a question the answer that counts, and return its key."""
    key = f"answer.{name}"
    st.session_state[key] = None if given is None else given.answer
    return key


def _take_answer(name: str, key: str) -> None:
    _answer(name, st.session_state[key])


def chart(walked: Walked, evaluation: Evaluation | None) -> None:
    """Draw all questions as a tree, with the path so far."""
    end = walked.path.end
    values = {}
    if evaluation is not None and end is not None:
        values[end] = _value(TREE[end], evaluation)
    st.header("All questions")
    flowchart(walked.answers, walked.path, by_person=walked.by_person, values=values, on_answer=_answer)


def _value(node: Node, evaluation: Evaluation) -> str:
    """Write the value of a node's metric without its interval."""
    return measure.value_with_interval(measurement.measure(evaluation), node.metric, node.options).split(" (")[0]


def verdict(walked: Walked, evaluation: Evaluation | None) -> None:
    """Draw the recommended metric: its value on this file, why, what it hides, and what to read beside it."""
    with st.container(border=True):
        if walked.path.end is None:
            _list_ways(walked, evaluation)
            return
        node = TREE[walked.path.end]
        _draw_value(node, evaluation)
        st.markdown(f"**Why.** {node.why}")
        st.markdown(f"**What it hides.** {node.hides}")
        _say_why_not_accuracy(walked, evaluation)
        _read_beside(node, evaluation)
        go_to("glossary", "Formula and numbers", icon=":material/menu_book:", q=node.metric.title)


def _say_why_not_accuracy(walked: Walked, evaluation: Evaluation | None) -> None:
    """Answer why accuracy is not the metric, where it is not."""
    sentences = why_not_accuracy(walked.path, None if evaluation is None else facts_of_file(evaluation))
    if sentences:
        st.markdown(f"**Why not accuracy?** {keep_together(' '.join(sentences))}")


def _list_ways(walked: Walked, evaluation: Evaluation | None) -> None:
    """Say which metric each answer to the open question leads to, with its value on this file."""
    assert walked.path.open is not None
    asked = TREE[walked.path.open]
    ends = {way.label: walk({**walked.answers, walked.path.open: way.key}).end for way in asked.answers}
    if evaluation is None or not any(ends.values()):
        st.markdown("**Your metric** appears here once the questions are answered.")
        if evaluation is None:
            st.caption("An open file answers most of them.")
        _say_why_not_accuracy(walked, evaluation)
        return
    st.markdown(f"**{asked.text}**")
    for label, end in ends.items():
        leads_to = f"{TREE[end].text}, **{_value(TREE[end], evaluation)}**" if end else "one more question"
        st.markdown(f"*{label}*: {leads_to}")
    st.caption("Your answer decides the metric.")
    may_be_accuracy = any(end and TREE[end].metric.key == "accuracy" for end in ends.values())
    if not may_be_accuracy:
        _say_why_not_accuracy(walked, evaluation)


def _draw_value(node: Node, evaluation: Evaluation | None) -> None:
    if evaluation is None:
        st.markdown(f"**{node.text}**")
        st.caption("Open a file to see its value.")
        return
    measured = measurement.measure(evaluation)
    value = measure.value(measured, node.metric, node.options)
    if value is None:
        st.metric(node.text, "not here")
        st.caption(measure.why_not_here(evaluation, node.metric))
        return
    interval = measure.interval(measured, node.metric, node.options)
    st.metric(node.text, node.metric.write(value))
    if interval is not None:
        st.caption(f"{describe(interval)}.")
    notes = [measure.describe_scope(evaluation, node.metric), measure.zero_division_note(measured, node.metric)]
    sentences = ". ".join(note for note in notes if note)
    if sentences:
        st.caption(sentences)


def _read_beside(node: Node, evaluation: Evaluation | None) -> None:
    """Name the numbers to read beside the metric, with this file's values."""
    if evaluation is None:
        return
    measured = measurement.measure(evaluation)
    beside = []
    for metric in node.beside:
        if measure.value(measured, metric) is None:
            continue
        value = measure.value_with_interval(measured, metric)
        note = measure.zero_division_note(measured, metric)
        beside.append(f"{metric.title} {value} ({note})" if note else f"{metric.title} {value}")
    if beside:
        st.caption(f"Read beside it: {', '.join(beside)}.")
