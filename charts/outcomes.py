"""Draw the outcomes of reading free text answers: rows by how a label was read, or why none was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import plotly.graph_objects as go

from charts.theme import ACCENT, MODEL, PAGE_TEXT, REFERENCE, figure, hatch, note
from text.numbers import count, percent
from text.visible import hover_text, plotly_text

Kind = Literal["label", "not listed", "nothing"]
_KINDS: dict[Kind, tuple[str, str, str]] = {
    "label": ("a label", MODEL, ""),
    "not listed": ("not in the label list", REFERENCE, "x"),
    "nothing": ("no label found", ACCENT, "/"),
}


class Outcome(NamedTuple):
    """One outcome of reading answers.

    kind : whether a label of the label space was read, one that is not in the label list, or none.
    rows, answers : how many scored rows, and how many distinct answers among them.
    """

    name: str
    kind: Kind
    rows: int
    answers: int


def outcome_bars(outcomes: Sequence[Outcome]) -> go.Figure:
    """Return rows of every outcome, in the order given; what was read is told by colour and hatching.

    A bar's `customdata` begins with the outcome's name as it was given.
    """
    total = sum(outcome.rows for outcome in outcomes)
    if not total:
        return note(figure("How the answers were read", height=220), "No scored rows.")
    kinds = [kind for kind in _KINDS if any(outcome.kind == kind for outcome in outcomes)]
    height = 96 + 22 * len(kinds) + 27 * len(outcomes)  # on a phone each kind takes a line of the legend
    fig = figure(takeaway(outcomes), height=height, legend_rows=len(kinds), barmode="overlay", bargap=0.22)
    for kind in kinds:
        _bars(fig, [(place, outcome) for place, outcome in enumerate(outcomes) if outcome.kind == kind], total)
    fig.update_yaxes(
        tickmode="array",
        tickvals=np.arange(len(outcomes)),
        ticktext=[plotly_text(outcome.name) for outcome in outcomes],
        range=[len(outcomes) - 0.5, -0.5],
        showgrid=False,
    )
    widest = max(outcome.rows for outcome in outcomes)
    return fig.update_xaxes(title_text="rows", range=[0, 1.25 * widest], rangemode="tozero")


def _bars(fig: go.Figure, placed: Sequence[tuple[int, Outcome]], total: int) -> None:
    """Return the bars of one kind, as one trace, so that the legend has one line for them."""
    name, colour, shape = _KINDS[placed[0][1].kind]
    fig.add_trace(
        go.Bar(
            name=name,
            x=[outcome.rows for _, outcome in placed],
            y=[place for place, _ in placed],
            orientation="h",
            marker={"color": colour, "pattern": hatch(shape)},
            text=[plotly_text(f"{outcome.rows:,} ({percent(outcome.rows / total)})") for _, outcome in placed],
            textposition="outside",
            textfont={"color": PAGE_TEXT},
            # a chosen bar is marked by the control below: fading the others would make their numbers unreadable
            selected={"textfont": {"color": PAGE_TEXT}},
            unselected={"marker": {"opacity": 1}, "textfont": {"color": PAGE_TEXT}},
            cliponaxis=False,
            customdata=[
                [outcome.name, hover_text(outcome.name), f"{outcome.rows:,}", f"{outcome.answers:,}"]
                for _, outcome in placed
            ],
            hovertemplate="%{customdata[1]}<br><b>%{customdata[2]} rows</b>, %{customdata[3]} different answers"
            "<extra></extra>",
        )
    )


def takeaway(outcomes: Sequence[Outcome]) -> str:
    """Return the picture in one sentence.

    >>> takeaway([Outcome("exact", "label", 6, 2), Outcome("refusal", "nothing", 4, 3)])
    '4 rows without a label: refusal'
    >>> takeaway([Outcome("exact", "label", 6, 2), Outcome("normalised", "label", 2, 2)])
    'A label was found in all 8 rows'
    """
    total = sum(outcome.rows for outcome in outcomes)
    failed = [outcome for outcome in outcomes if outcome.kind == "nothing" and outcome.rows]
    made_up = sum(outcome.rows for outcome in outcomes if outcome.kind == "not listed")
    beyond = f"; in {made_up:,} it is not in the label list" if made_up else ""
    if not failed:
        return f"A label was found in all {total:,} rows{beyond}"
    n = sum(outcome.rows for outcome in failed)
    most = sorted(failed, key=lambda outcome: -outcome.rows)[:3]
    why = ", ".join(f"{outcome.name} {outcome.rows:,}" for outcome in most) if len(failed) > 1 else most[0].name
    return f"{count(n)} without a label: {why}"
