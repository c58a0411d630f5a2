"""The open page's panel of labels that look alike: which could be one, and what that does to accuracy."""

from __future__ import annotations

import streamlit as st

from data.building.merge_preview import Candidates, MergeCandidate, compute_merged_accuracy, find_merge_candidates
from data.columns.table_metadata import rows_left_out
from data.evaluation import Evaluation
from data.labels.spelling import spell_out_pair
from data.limits import MAX_LISTED_MERGES
from text.numbers import count
from ui.open import correction
from ui.text.markdown import md, percent
from ui.view import cache, fragment

_UNKNOWN = "known once it is applied"


@cache.kept(32, "Comparing the labels …")
def _candidates(evaluation: Evaluation) -> Candidates:
    return find_merge_candidates(evaluation)


@cache.kept(128)
def _accuracy(evaluation: Evaluation, merge: tuple[tuple[str, str], ...]) -> float | None:
    return compute_merged_accuracy(evaluation, merge)


def panel(run: str, evaluation: Evaluation) -> None:
    """Draw the panel; nothing where no labels look alike and none are merged, or where the rows were left out."""
    if rows_left_out(evaluation) or evaluation.settings.class_names:  # a person has said what the labels are
        return
    candidates = _candidates(evaluation)
    if not candidates.n and not evaluation.settings.merge:
        return
    st.header("Labels that look alike" if candidates.n else "Merged labels")
    _draw_merged(run, evaluation)
    if candidates.n:
        _choose(run, evaluation, candidates)


def _draw_merged(run: str, evaluation: Evaluation) -> None:
    """Draw the labels that were merged, each with a button to undo it."""
    merge = evaluation.settings.merge
    for place, (label, other) in enumerate(merge[:MAX_LISTED_MERGES]):
        first, second = spell_out_pair(label, other)
        beside = st.container(horizontal=True, vertical_alignment="center", wrap=False)
        beside.markdown(f":material/merge: {md(first)} counts as {md(second)}.", width="stretch")
        if beside.button("Take back", key=f"merge.back.{place}"):
            correction.apply(run, evaluation.settings, {"merge": (*merge[:place], *merge[place + 1 :])})
    if len(merge) > MAX_LISTED_MERGES:
        st.caption(f"… and {len(merge) - MAX_LISTED_MERGES:,} more.")
    if len(merge) > 1 and st.button("Undo all merges", key="merge.back.all", icon=":material/undo:"):
        correction.apply(run, evaluation.settings, {"merge": ()})


@fragment.run_fragment
def _choose(run: str, evaluation: Evaluation, candidates: Candidates) -> None:
    """Draw the candidates to tick, what the ticked ones do together, and the button that applies them."""
    st.markdown(
        "These labels differ only in details that are hard to see, and count as different classes. Tick a pair to "
        "merge it. Characters that differ are spelled out."
    )
    prefix = f"merge.{evaluation.fingerprint[:16]}"
    if len(candidates.listed) > 1:
        st.button("Tick all", key=f"{prefix}.all", on_click=_tick_all, args=(prefix, len(candidates.listed)))
    ticked = tuple(
        (candidate.label, candidate.into)
        for place, candidate in enumerate(candidates.listed)
        if st.checkbox(_sentence(evaluation, candidate), key=f"{prefix}.{place}")
    )
    if candidates.n > len(candidates.listed):
        st.caption(
            f"{candidates.n:,} labels look like another one: {len(candidates.listed)} are listed here, the others "
            "once these are merged."
        )
    st.markdown(_together(evaluation, ticked))
    if st.button("Merge what is ticked", key=f"{prefix}.apply", type="primary", disabled=not ticked):
        correction.apply(run, evaluation.settings, {"merge": (*evaluation.settings.merge, *ticked)})


def _tick_all(prefix: str, n: int) -> None:
    for place in range(n):
        st.session_state[f"{prefix}.{place}"] = True


def _sentence(evaluation: Evaluation, candidate: MergeCandidate) -> str:
    """Return one candidate: the two labels, why, the rows on each side, and what this merge does alone."""
    label, other = spell_out_pair(candidate.label, candidate.into)
    sides = (
        f"{count(true, 'true row')}, {count(pred, 'predicted row')}"
        for true, pred in zip(candidate.rows_true, candidate.rows_pred, strict=True)
    )
    mine, theirs = sides
    after = _UNKNOWN if candidate.accuracy_after is None else f"**{percent(candidate.accuracy_after)}**"
    return (
        f"{md(label)} ({mine}) into {md(other)} ({theirs}). They differ by {candidate.why}. "
        f"{_measure(evaluation)} {percent(candidate.accuracy_before)} → {after}"
    )


def _measure(evaluation: Evaluation) -> str:
    return "Subset accuracy" if evaluation.task == "multilabel" else "Accuracy"


def _together(evaluation: Evaluation, ticked: tuple[tuple[str, str], ...]) -> str:
    now = _accuracy(evaluation, ())
    if not ticked or now is None:
        return "Nothing is ticked."
    after = _accuracy(evaluation, ticked)
    result = "this cannot be applied" if after is None else f"**{percent(after)}**"
    return f"With what is ticked: {_measure(evaluation).lower()} {percent(now)} → {result}."
