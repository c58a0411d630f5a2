"""What stands out in the matrix, as sentences: each leads to its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.selection import Which
from metrics.confusion import standouts, worst_confusions
from metrics.confusion.counts import ConfusionCounts
from text.numbers import count
from ui.matrix import standout_tables
from ui.text.markdown import md, percent
from ui.view import url
from ui.view.which import view_of

STREAKS, PAIRS, CONFUSIONS = 3, 3, 10
COLUMN, EMPTY, BOTH = ":material/view_column:", ":material/check_box_outline_blank:", ":material/sync_alt:"
_NAMED = 4

Said = tuple[str, Which | None]
"""A sentence in Markdown, and the rows it is about; None where there are none."""


class Found(NamedTuple):
    """All that stands out, and the largest confusions."""

    streaks: Sequence[standouts.Streak]
    both_ways: Sequence[standouts.BothWays]
    empty: Sequence[Said]
    largest: Sequence[worst_confusions.Confusion]


def standing_out(evaluation: Evaluation, counts: ConfusionCounts) -> None:
    """Bright columns, rows and columns that are empty, pairs confused both ways. Two classes are a pair anyway."""
    found = _found(evaluation.fingerprint, counts)
    parts = {
        "streaks": _streaks(counts, found.streaks[:STREAKS]),
        "empty": found.empty,
        "pairs": _both_ways(counts, found.both_ways[:PAIRS]),
    }
    if not any(parts.values()) and len(counts.labels) <= 2:
        return
    st.subheader("What stands out")
    if not any(parts.values()):
        st.markdown("No bright column, no empty row or column, and no two classes confused both ways.")
    for kind, said in parts.items():
        for i, (sentence, step) in enumerate(said):
            _line(evaluation, sentence, step, f"aid.{kind}.{i}")

    def put(which: Which) -> None:
        url.put(**_view(evaluation, which))

    if len(found.streaks) > STREAKS:
        standout_tables.all_streaks(counts, found.streaks, put)
    if len(found.both_ways) > PAIRS:
        standout_tables.all_pairs(counts, found.both_ways, put)


@st.cache_resource(show_spinner=False, max_entries=16)
def _found(fingerprint: str, _counts: ConfusionCounts) -> Found:
    pairs = standouts.both_ways(_counts) if len(_counts.labels) > 2 else []
    return Found(
        standouts.streaks(_counts), pairs, _empty(_counts), worst_confusions.confusions(_counts, limit=CONFUSIONS)
    )


def in_words(evaluation: Evaluation, counts: ConfusionCounts) -> None:
    """The largest confusions as sentences."""
    st.subheader("In words")
    ranked = _found(evaluation.fingerprint, counts).largest
    if not ranked:
        st.markdown("No confusions: every scored row got its true label.")
    for confusion in ranked:
        true, support = confusion.true, int(counts.support[confusion.true])
        gone = confusion.pred == UNPARSEABLE
        called = "could not be parsed" if gone else f"called {md(counts.labels[confusion.pred], 40)}"
        name = md(counts.labels[true], 40)
        sentence = f"**{confusion.rows:,} of {support:,}** {name} {called} ({percent(confusion.share)})"
        _line(evaluation, sentence, Which((true,), (confusion.pred,)), f"pair.{true}.{confusion.pred}")


def as_counted(evaluation: Evaluation, which: Which) -> Which:
    """The rows of a whole row or column of the matrix: those it counts, which have both a truth and a prediction."""
    whole = which.only == "all" and bool(which.true) != bool(which.pred)
    return replace(which, only="scored") if whole and evaluation.n_scored < evaluation.n_rows else which


def _line(evaluation: Evaluation, sentence: str, step: Which | None, key: str) -> None:
    beside = st.container(horizontal=True, vertical_alignment="center", wrap=False)
    beside.markdown(sentence, width="stretch")
    if step is not None:
        view = _view(evaluation, step)
        beside.button("", key=key, icon=":material/table_rows:", on_click=url.put, kwargs=view, help="Show these rows")


def _view(evaluation: Evaluation, step: Which) -> dict[str, object]:
    return view_of(evaluation, as_counted(evaluation, step)) | {"row": 0}


def _streaks(counts: ConfusionCounts, found: Sequence[standouts.Streak]) -> list[Said]:
    return [
        (
            f"{COLUMN} {md(counts.labels[streak.code], 40)} absorbs **{count(streak.rows)}** "
            f"of {count(streak.classes, 'other class')}: a bright column.",
            standout_tables.of_streak(streak),
        )
        for streak in found
    ]


def _both_ways(counts: ConfusionCounts, found: Sequence[standouts.BothWays]) -> list[Said]:
    said: list[Said] = []
    for pair in found:
        one, other = (md(counts.labels[code], 40) for code in (pair.one, pair.other))
        sentence = f"{BOTH} {one} and {other} are confused both ways: **{pair.there:,}** there, **{pair.back:,}** back."
        said.append((sentence, standout_tables.of_pair(pair)))
    return said


def _empty(counts: ConfusionCounts) -> list[Said]:
    """Three kinds of empty, never taken for one another."""
    empty = standouts.empty(counts)
    said: list[Said] = []
    if len(empty.never_predicted):
        n, support = len(empty.never_predicted), int(counts.support[empty.never_predicted].sum())
        said.append((
            f"{EMPTY} **{_are(n)} never predicted**, though {_theirs(support, n)}: "
            f"{_names(counts, empty.never_predicted)}. {_their(n, 'column')} empty.",
            Which(true=tuple(empty.never_predicted.tolist())),
        ))  # fmt: skip
    if len(empty.never_right):
        n, support = len(empty.never_right), int(counts.support[empty.never_right].sum())
        said.append((
            f"{EMPTY} **{_are(n)} never right**: {_theirs(support, n)}, and not one of them is recognised: "
            f"{_names(counts, empty.never_right)}. {_their(n, 'cell on the diagonal', 'cells on the diagonal')} empty.",
            Which(true=tuple(empty.never_right.tolist())),
        ))  # fmt: skip
    if len(empty.absent):
        said.append(_absent(counts, empty.absent))
    if len(empty.never_true):
        said.append(_never_true(counts, empty.never_true))
    return said


def _absent(counts: ConfusionCounts, codes: np.ndarray) -> Said:
    n, predicted = len(codes), int(counts.predicted[codes].sum())
    sentence = (
        f"{EMPTY} **{count(n, 'listed class')} {'has' if n == 1 else 'have'} no true rows** in this file: "
        f"{_names(counts, codes)}. {_their(n, 'row')} empty: {'it' if n == 1 else 'they'} can't be scored"
    )
    return _predicted(sentence, predicted, codes)


def _never_true(counts: ConfusionCounts, codes: np.ndarray) -> Said:
    n, predicted = len(codes), int(counts.predicted[codes].sum())
    sentence = (
        f"{EMPTY} **{count(n, 'predicted label')} {'is' if n == 1 else 'are'} never true**: "
        f"{_names(counts, codes)}. {_their(n, 'row')} empty, and no list names {'it' if n == 1 else 'them'}"
    )
    return _predicted(sentence, predicted, codes)


def _predicted(sentence: str, predicted: int, codes: np.ndarray) -> Said:
    """The sentence, with how many rows are predicted as these classes and the way to them."""
    if not predicted:
        return f"{sentence}.", None
    them = "it" if len(codes) == 1 else "one of them"
    said = f"{sentence}, though {count(predicted)} {'was' if predicted == 1 else 'were'} predicted as {them}."
    return said, Which(pred=tuple(codes.tolist()))


def _are(n: int) -> str:
    return f"{count(n, 'class')} {'is' if n == 1 else 'are'}"


def _theirs(support: int, n: int) -> str:
    return f"{count(support)} {'is' if support == 1 else 'are'} {'its own' if n == 1 else 'theirs'}"


def _their(n: int, what: str, several: str = "") -> str:
    return f"Its {what} is" if n == 1 else f"Their {several or what + 's'} are"


def _names(counts: ConfusionCounts, codes: np.ndarray) -> str:
    shown = ", ".join(md(counts.labels[code], 40) for code in codes[:_NAMED])
    return shown + (f" and {len(codes) - _NAMED:,} more" if len(codes) > _NAMED else "")
