"""The confusion page: one row of controls, the matrix, and beside it the panel that answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from data.evaluation import Evaluation
from data.rows.selection import Only, Which
from metrics.confusion.axis import Group
from metrics.confusion.class_order import LEAST, TIMES_AVERAGE, Order
from metrics.confusion.counts import ConfusionCounts
from metrics.confusion.matrix import Block, arrange
from text.numbers import count, percent
from text.visible import show
from ui.matrix import cell_panel, class_groups, matrix_tables, standouts
from ui.matrix.families import draw_families
from ui.matrix.matrix_view import Codes, matrix_view
from ui.rows import left_out, row_choice
from ui.view import controls, fragment, measurement, panel, url
from ui.view.address import end_page
from ui.view.cache import class_names, kept

TOO_MANY, MOST = 2000, 1000
"""Above 2,000 classes the whole table would not fit into memory: it shows the worst 1,000 unless asked otherwise."""
MARKED = 6
_PICTURES = "matrix.pictures"
_NORMALISE = {
    "none": "Number of rows",
    "row": "Share of true class",
    "column": "Share of predicted class",
    "all": "Share of all rows",
}
_WEIGHTED = {"none": "Weight", "all": "Share of all weight"}
_STEPS = {"steps": "Steps off"}
_ORDER = {
    "label": "Label",
    "support": "True rows",
    "recall": "Worst recall",
    "worst": "Most errors",
    "cluster": "Confused together",
}


def title(evaluation: Evaluation) -> str:
    """Write what was chosen in the matrix, or else what it shows first, as Markdown."""
    chosen = _chosen(evaluation)
    return standouts.title(evaluation) if chosen == Which() else cell_panel.headline(evaluation, chosen)


def _chosen(evaluation: Evaluation) -> Which:
    """Return the rows that were chosen in the matrix; other pages search for texts, this one does not."""
    chosen = replace(row_choice.which_in_view(evaluation), text="")
    return chosen if evaluation.units is None else standouts.as_counted(evaluation, chosen)


@fragment.run_fragment
def explore(evaluation: Evaluation, write_title: Callable[[str], None]) -> None:
    """Draw the controls, the matrix and its panel; of what stands outside, a choice here changes the title alone."""
    counts = measurement.measure(evaluation).weighted_confusion
    block = _toolbar(evaluation, counts)
    _explore_block(evaluation, counts, block, url.get("closed"), write_title)


@fragment.run_fragment
def _explore_block(
    evaluation: Evaluation, counts: ConfusionCounts, block: Block, closed: str, write_title: Callable[[str], None]
) -> None:
    """Draw the matrix and its panel; a click in them draws no control anew.

    closed : the collapsed groups when the controls were drawn.
    """
    if url.get("closed") != closed:
        st.rerun()
    write_title(title(evaluation))
    chosen = _chosen(evaluation)
    main, beside = panel.split_panel("confusion", is_open=chosen != Which())
    with main:
        picture(evaluation, counts, block, chosen)
        if evaluation.paths:
            draw_families(evaluation, chosen, lambda rows: put(evaluation, rows))
    with beside:
        if chosen == Which():
            _standing_out(evaluation)
        else:
            cell_panel.draw(evaluation, chosen)
    matrix_tables.open_asked(
        evaluation,
        block,
        pick=lambda true, pred: pick(evaluation, true, pred),
        put=lambda chosen: put(evaluation, chosen),
    )
    end_page("confusion")


def _toolbar(evaluation: Evaluation, counts: ConfusionCounts) -> Block:
    """Draw the choices above the matrix; return the arranged counts."""
    n, names = len(counts.labels), names_of(evaluation)
    groups, picked = class_groups.groups_in_view(counts.labels), class_groups.picked_in_view(counts.labels)
    worst = min(url.get("worst"), n, MOST) if n > 2 else 0
    with panel.toolbar("confusion"):
        colours = _NORMALISE | (_WEIGHTED if counts.counted else {}) | (_STEPS if counts.ranks else {})
        controls.choose_of_many("norm", "Colour", list(colours), colours.__getitem__, width=250)
        order = controls.choose_of_many("order", "Order", list(_ORDER), _ORDER.__getitem__, width=200)
        controls.tick(
            "errors", "Errors only", help="Leaves the diagonal empty, so that the colour scale shows errors only."
        )
        st.space("stretch")
        used = sum([bool(url.get("log")), bool(worst), picked is not None, bool(groups)])
        with st.popover(f"More · {used} in use" if used else "More", key="matrix.more", width="content"):
            about = "Colours follow the logarithm of the value, so that rare cells are seen beside frequent ones."
            controls.tick("log", "Logarithmic colours", help=about)
            if n > 2:
                _choose_worst(n)
                class_groups.choose(counts.labels, names, picked, groups)
            _ways_out()
    if n > TOO_MANY and not worst and picked is None:
        worst = MOST
        st.caption(f"With {n:,} classes, the {MOST:,} with the most errors are shown; “other” adds up the rest.")
    return arrange_block(evaluation, counts, order, worst, picked, groups)


def _choose_worst(n: int) -> None:
    """Draw the field for how many of n classes are shown; empty = all."""
    key = "matrix.worst"
    st.session_state[key] = min(url.get("worst"), n, MOST) or None
    about = (
        "The other classes are added up in one row and one column named “other”. Leave it empty to show all classes."
    )
    st.number_input(
        f"Only the classes with the most errors, of {n:,}", 0, min(n, MOST), key=key, help=about, placeholder="all",
        on_change=lambda: url.put(worst=st.session_state[key] or 0),
    )  # fmt: skip


def _ways_out() -> None:
    """Draw the buttons for the matrix in other forms: tables, a picture."""

    def save() -> None:
        st.session_state[_PICTURES] = st.session_state.get(_PICTURES, 0) + 1

    with st.container(horizontal=True, gap="small"):
        st.button("All confusions as a table", icon=":material/table:", key="matrix.list",
                  on_click=matrix_tables.ask, args=("confusions",))  # fmt: skip
        st.button("Matrix as a table", icon=":material/table:", key="matrix.whole",
                  on_click=matrix_tables.ask, args=("matrix",))  # fmt: skip
        st.button("Save as PNG", icon=":material/image:", key="matrix.picture", on_click=save)


def arrange_block(
    evaluation: Evaluation,
    counts: ConfusionCounts,
    order: Order = "label",
    worst: int = 0,
    picked: Codes | None = None,
    groups: tuple[Group, ...] = (),
) -> Block:
    """Return the counts as a block; for the same choices the same block again, so that it need not be sent again."""
    key = repr((order, worst, picked, groups))
    return _arrange(evaluation, key, order, worst, counts, picked, groups)


@kept(8, "Arranging the matrix …")
def _arrange(
    evaluation: Evaluation,
    key: str,
    _order: Order,
    _worst: int,
    _counts: ConfusionCounts,
    _picked: Codes | None,
    _groups: tuple[Group, ...],
) -> Block:
    return arrange(_counts, order=_order, worst=_worst or None, classes=_picked, groups=_groups)


@kept(16)
def names_of(evaluation: Evaluation) -> list[str]:
    """Return all labels, fit for a list to choose from."""
    return [show(label, 80) for label in class_names(evaluation)]


def picture(evaluation: Evaluation, counts: ConfusionCounts, block: Block, chosen: Which) -> None:
    """Draw the matrix; what is chosen in it goes into the view."""
    matrix_view(
        block,
        class_names(evaluation),
        fingerprint=evaluation.fingerprint,
        normalise=url.get("norm"),
        errors_only=url.get("errors"),
        log=url.get("log"),
        selected=None if chosen.others else (chosen.true, cell_panel.predicted_codes(chosen)),
        rows=not left_out.rows_left_out(evaluation),
        marked=[streak.code for streak in standouts.find(evaluation).streaks[:MARKED]],
        pictures=st.session_state.get(_PICTURES, 0),
        key="matrix",
        on_pick=lambda true, pred: pick(evaluation, true, pred),
        on_toggle=lambda name: class_groups.toggle(block.groups, name),
    )
    if url.get("order") == "cluster" and not any(group.codes for group in block.groups):
        framed = [outline for outline in block.outlines if outline.kind == "cluster"]
        st.caption(
            f"{count(len(framed), 'frame')} around classes that are often confused with each other: at least "
            f"{TIMES_AVERAGE:g} times the average, and at least {percent(LEAST, 0)} of their rows."
        )


def pick(evaluation: Evaluation, true: Codes, pred: Codes) -> None:
    """Put a cell, a block, a row or a column into the view; with errors only, its errors. Neither side clears it."""
    holds_right = bool(true or pred) and (not (true and pred) or bool(set(true) & set(pred)))
    only: Only = "errors" if url.get("errors") and holds_right else "all"
    put(evaluation, Which(true, pred, only=only))


def put(evaluation: Evaluation, chosen: Which) -> None:
    """Put rows into the view, those of them that the matrix counts."""
    url.put(**row_choice.view_of(evaluation, standouts.as_counted(evaluation, chosen)), row=0)


def _standing_out(evaluation: Evaluation) -> None:
    """Draw the panel while nothing is chosen."""
    standing_out = standouts.find(evaluation)
    panel.heading("What stands out")
    left_out.note(evaluation)
    if not standing_out.sections:
        st.markdown("No class is predicted too often, and none is confused with another.")

    def choose(item: str) -> None:
        if item in standing_out.steps:
            put(evaluation, standing_out.steps[item])
        else:
            matrix_tables.ask(item.removeprefix("table:"))

    panel.item_list(standing_out.sections, key="standouts", on_choose=choose)
