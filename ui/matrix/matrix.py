"""The confusion page's pieces: the controls, the matrix, the rows of what is chosen in it, the table twin."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.selection import Only, Which
from metrics.confusion.axis import Group
from metrics.confusion.class_order import LEAST, TIMES_AVERAGE, Order
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.matrix import Block, arrange
from metrics.confusion.worst_confusions import takeaway
from text.numbers import count
from text.visible import keep_together, show
from ui.matrix import class_groups, matrix_table, standouts
from ui.matrix.matrix_view import Codes, matrix_view
from ui.rows import left_out, rows_behind
from ui.text.markdown import md, percent
from ui.view import cache, controls, fragment, url, which

BESIDE = 30
"""With more rows the matrix needs more room before the sentences stand beside it and not below (assets/page.css)."""
TOO_MANY, MOST = 2000, 1000
"""Above 2,000 classes the whole table would not fit into memory: it shows the worst 1,000 unless asked otherwise."""
ANCHOR = "rows-of-a-cell"
_NORMALISE = {"none": "Counts", "row": "Share of truth", "column": "Share of prediction", "all": "Share of all"}
_ORDER = {
    "label": "Label",
    "support": "Support",
    "recall": "Worst recall",
    "worst": "Most errors",
    "cluster": "Confused together",
}


@fragment.of_run
def explore(evaluation: Evaluation) -> None:
    """The matrix and all that follows from it: what is chosen here changes nothing outside."""
    counts = cache.confusion(evaluation)
    block = controls_row(evaluation, counts)
    chosen = which.which_in_view(evaluation)
    chosen = replace(chosen, text="")  # what is searched for on other pages is not asked for here
    with st.container(horizontal=True, key="around-few" if len(block.row_codes) <= BESIDE else "around-many"):
        with st.container():
            picture(evaluation, counts, block, chosen)
        with st.container():
            standouts.standing_out(evaluation, counts)
        with st.container():
            standouts.in_words(evaluation, counts)
    chosen_rows(evaluation, counts, chosen)
    said = "" if chosen == Which() else f":material/arrow_upward: {_chosen_in_words(evaluation, chosen)}"
    matrix_table.table_twin(counts, block, lambda true, pred: pick(evaluation, true, pred), said)
    url.end("confusion")


def controls_row(evaluation: Evaluation, counts: ConfusionCounts) -> Block:
    """The choices above the matrix, and the arranged counts."""
    n, names = len(counts.labels), names_of(evaluation.fingerprint, counts.labels)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        controls.choose("norm", "Colour shows", _NORMALISE, help="Rows are the truth, columns the prediction.")
        order = controls.choose_of_many("order", "Order of classes", list(_ORDER), _ORDER.__getitem__)
    worst = 0
    picked: Codes | None = None
    groups: tuple[Group, ...] = ()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        about = "Leaves the diagonal empty, so that the mistakes fill the colour scale."
        controls.tick("errors", "Errors only", help=about)
        about = "Colours follow the logarithm of the value, so that rare cells are seen beside frequent ones."
        controls.tick("log", "Logarithmic colours", help=about)
        if n > 2:
            worst = _worst(n)
            picked, groups = class_groups.choose(counts.labels, names)
    if n > TOO_MANY and not worst and picked is None:
        worst = MOST
        st.caption(f"With {n:,} classes, the {MOST:,} with the most errors are shown; “other” adds up the rest.")
    return arranged(evaluation, counts, order, worst, picked, groups)


def _worst(n: int) -> int:
    """Of n classes, how many are shown; 0 = all."""
    key = "matrix.worst"
    st.session_state[key] = min(url.get("worst"), n, MOST) or None
    about = "The other classes are added up in one row and one column named “other”. Empty shows all classes."
    st.number_input(
        f"Worst k of {n:,} classes", 0, min(n, MOST), key=key, help=about, width=180, placeholder="all",
        on_change=lambda: url.put(worst=st.session_state[key] or 0),
    )  # fmt: skip
    return int(st.session_state[key] or 0)


def arranged(
    evaluation: Evaluation,
    counts: ConfusionCounts,
    order: Order = "label",
    worst: int = 0,
    picked: Codes | None = None,
    groups: tuple[Group, ...] = (),
) -> Block:
    """The counts as a block; for the same choices the same block again, so that it need not be sent again."""
    key = repr((order, worst, picked, groups))
    return _arranged(evaluation.fingerprint, key, order, worst, counts, picked, groups)


@st.cache_resource(show_spinner="Arranging the matrix …", max_entries=8)
def _arranged(
    fingerprint: str,
    key: str,
    _order: Order,
    _worst: int,
    _counts: ConfusionCounts,
    _picked: Codes | None,
    _groups: tuple[Group, ...],
) -> Block:
    return arrange(_counts, order=_order, worst=_worst or None, classes=_picked, groups=_groups)


@st.cache_resource(show_spinner=False, max_entries=16)
def names_of(fingerprint: str, _labels: tuple[str, ...]) -> list[str]:
    """All labels, fit for a list to choose from."""
    return [show(label, 80) for label in _labels]


def picture(evaluation: Evaluation, counts: ConfusionCounts, block: Block, chosen: Which) -> None:
    """The matrix; what is chosen in it goes into the view."""
    wrong, n = counts.n - int(counts.correct.sum()), counts.n
    st.markdown(f"**{keep_together(takeaway(counts, md))}**")
    share = percent(wrong / n) if n else "undefined"
    st.caption(f"{wrong:,} of {count(n)} {'is' if wrong == 1 else 'are'} wrong ({share}).")
    matrix_view(
        block,
        counts.labels,
        fingerprint=evaluation.fingerprint,
        normalise=url.get("norm"),
        errors_only=url.get("errors"),
        log=url.get("log"),
        selected=None if chosen.others else (chosen.true, _predicted(chosen)),
        rows=not left_out.rows_left_out(evaluation),
        key="matrix",
        on_pick=lambda true, pred: pick(evaluation, true, pred),
        on_toggle=lambda name: class_groups.toggle(block.groups, name),
    )
    if chosen != Which():
        st.caption(f":material/arrow_downward: {_chosen_in_words(evaluation, chosen)}")
    if url.get("order") == "cluster" and not any(group.codes for group in block.groups):
        framed = [outline for outline in block.outlines if outline.kind == "cluster"]
        st.caption(
            f"{count(len(framed), 'frame')} around classes that are taken for each other at least {TIMES_AVERAGE:g} "
            f"times as often as any two classes are on average, and for at least {LEAST:.0%} of their rows."
        )


def _chosen_in_words(evaluation: Evaluation, chosen: Which) -> str:
    link = "" if left_out.rows_left_out(evaluation) else f" · [to the rows](#{ANCHOR})"
    return which.words(evaluation, chosen, "Chosen") + link


def pick(evaluation: Evaluation, true: Codes, pred: Codes) -> None:
    """Put a cell, a block, a row or a column into the view; with errors only, its errors. Neither side clears it."""
    holds_right = bool(true or pred) and (not (true and pred) or bool(set(true) & set(pred)))
    only: Only = "errors" if url.get("errors") and holds_right else "all"
    url.put(**which.view_of(evaluation, standouts.as_counted(evaluation, Which(true, pred, only=only))), row=0)


def chosen_rows(evaluation: Evaluation, counts: ConfusionCounts, chosen: Which) -> None:
    """Two lists that choose a cell, and the rows in it."""
    st.subheader("The rows of a cell" if not left_out.rows_left_out(evaluation) else "A cell", anchor=ANCHOR)
    _lists(evaluation, counts, chosen)
    if chosen == Which():
        st.caption("Click a cell, drag over a block, click a name, choose labels here, or choose a sentence.")
        return
    rows_behind.behind(evaluation, chosen, key="cell")


def _lists(evaluation: Evaluation, counts: ConfusionCounts, chosen: Which) -> None:
    """The true and the predicted label of the rows; several at once come from the matrix."""
    names, every = names_of(evaluation.fingerprint, counts.labels), [(code,) for code in range(len(counts.labels))]

    def named(codes: Codes) -> str:
        if len(codes) == 1:
            return "(unparseable)" if codes[0] == UNPARSEABLE else names[codes[0]]
        return f"{len(codes):,} labels" if codes else "any"

    def changed() -> None:
        pick(evaluation, st.session_state["cell.true"], st.session_state["cell.pred"])

    sides = (("true", "True label", chosen.true), ("pred", "Predicted label", _predicted(chosen)))
    for place, (side, title, codes) in zip(st.columns(2), sides, strict=True):
        several = [codes] if len(codes) > 1 else []
        unparsed = [(UNPARSEABLE,)] if side == "pred" and counts.n_unparsed else []
        st.session_state[f"cell.{side}"] = codes
        place.selectbox(
            title, [(), *several, *unparsed, *every], format_func=named, key=f"cell.{side}", on_change=changed
        )


def _predicted(chosen: Which) -> Codes:
    return (UNPARSEABLE,) if chosen.only == "unparseable" and not chosen.pred else chosen.pred
