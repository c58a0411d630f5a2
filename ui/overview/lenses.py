"""The same predictions through five lenses."""

from __future__ import annotations

import numpy as np
import streamlit as st

from charts import lenses as charts
from data.evaluation import Evaluation
from data.rows.selection import Which
from metrics.confusion import label_metrics, matrix, worst_confusions
from metrics.confusion.macro_gap import macro_gap, macro_gap_of_labels, mark_rare
from metrics.multilabel import set_metrics
from metrics.multilabel.set_metrics import MultilabelCounts, PerLabel
from text.numbers import number
from ui.overview.row_links import Step, draw, mistakes, most_missed, most_wrong
from ui.text.markdown import gap_text, md, percent
from ui.view import cache

CARD = 262
"""Width of a lens in pixels: three beside each other on a laptop, five on a wide screen."""
Card = tuple[str, object, str, Step | None]
"""Title, picture, what it makes one believe, and the rows to check that on."""


def five(evaluation: Evaluation) -> None:
    """Five pictures of one set of predictions, each with the sentence it makes one believe."""
    cards = _multilabel_cards(evaluation) if evaluation.task == "multilabel" else _single_cards(evaluation)
    row = st.container(horizontal=True, key="lenses")
    for title, figure, believe, step in cards:
        with row.container(border=True, width=CARD, height="stretch"):
            st.markdown(f"**{title}**")
            st.plotly_chart(figure, key=f"lens.{title}", config={"displayModeBar": False})
            st.caption(believe)
            draw(evaluation, f"lens.{title}", step)()


def _single_cards(evaluation: Evaluation) -> list[Card]:
    counts = cache.confusion(evaluation)
    per = label_metrics.per_class(counts)
    accuracy, baseline = label_metrics.accuracy(counts), label_metrics.baseline_accuracy(counts)
    asked = per.support > 0
    weakest = np.flatnonzero(asked)[np.argmin(per.f1[asked])]
    gap = macro_gap(counts)
    worst = worst_confusions.confusions(counts, limit=1)
    parsed = 1 - counts.n_unparsed / counts.n
    believe_matrix = "“It makes no mistakes.”"
    if worst:
        pred = "an unparseable answer" if worst[0].pred < 0 else md(counts.labels[worst[0].pred], 24)
        believe_matrix = (
            f"“Its favourite mistake: {md(counts.labels[worst[0].true], 24)} becomes {pred}, {worst[0].rows:,} times.”"
        )
    block = matrix.arrange(counts, worst=12 if len(counts.labels) > 12 else None)
    return [
        (
            "Accuracy",
            charts.accuracy_lens(accuracy, baseline),
            (
                f"“It is right {percent(accuracy)} of the time” — {against_the_same(accuracy - baseline)} always "
                "saying the same."
            ),
            mistakes(counts.n - int(counts.correct.sum())),
        ),
        (
            "F1 of each class",
            charts.f1_lens(per.f1[asked]),
            (
                f"“It depends on the class”: the weakest, {md(counts.labels[weakest], 24)}, "
                f"has F1 {number(per.f1[weakest], 2)}."
            ),
            ("Its rows", Which((int(weakest),))),
        ),
        (
            "Macro against micro",
            charts.macro_micro_lens(gap.micro_f1, gap.macro_f1_space),
            gap_text(gap),
            rarest(per.support, "class"),
        ),
        (
            "Confusion matrix",
            charts.confusion_lens(block),
            believe_matrix,
            ("These rows", Which((worst[0].true,), (worst[0].pred,))) if worst else None,
        ),
        (
            "Parse rate",
            charts.parse_lens(parsed),
            "“Every prediction is a label.”"
            if parsed == 1
            else f"“{percent(1 - parsed)} of answers hold no label”: not a wrong answer, no answer.",
            ("These rows", Which(only="unparseable")) if counts.n_unparsed else None,
        ),
    ]


def rarest(support: np.ndarray, noun: str) -> Step | None:
    """The rows of the class with the fewest true rows; None where no class is rare."""
    rare = np.flatnonzero(mark_rare(support))
    return (f"Rows of the rarest {noun}", Which((int(rare[np.argmin(support[rare])]),))) if len(rare) else None


def against_the_same(gain: float) -> str:
    """What accuracy gains on one and the same answer to everything, as the beginning of a comparison with it.

    >>> against_the_same(0.25), against_the_same(0.032), against_the_same(-0.001), against_the_same(0.0)
    ('25.0 points better than', 'only 3.2 points better than', '0.1 points worse than', 'as often as')
    """
    if not gain:
        return "as often as"
    points = f"{100 * abs(gain):.1f}" if abs(gain) >= 0.0005 else "less than 0.1"
    return f"{points} points worse than" if gain < 0 else f"{'only ' if gain < 0.1 else ''}{points} points better than"


def _multilabel_cards(evaluation: Evaluation) -> list[Card]:
    counts = cache.multilabel(evaluation)
    per = set_metrics.per_label(counts)
    subset, single = set_metrics.subset_accuracy(counts), set_metrics.per_label_accuracy(counts)
    asked = np.flatnonzero(per.support > 0)
    jaccard = set_metrics.jaccard(counts, "samples")
    noes = 1 - float(per.support.sum()) / max(1, counts.n * len(counts.labels))
    found = [
        (
            "Subset accuracy",
            charts.accuracy_lens(subset, None, ("every label right", "")),
            f"“{'Only ' if subset < 0.5 else ''}{percent(subset)} of rows are fully right.”",
            mistakes(round(counts.n * (1 - subset))),
        ),
        (
            "Per-label accuracy",
            charts.accuracy_lens(single, noes, ("model", "always no")),
            f"“{percent(single)} of decisions are right” — never giving any label would score {percent(noes)}.",
            most_wrong(counts),
        ),
        (
            "Overlap with the truth",
            charts.accuracy_lens(jaccard, None, ("overlap", "")),
            f"“A row's labels overlap the truth by {percent(jaccard)}” (Jaccard, mean over rows).",
            most_missed(counts),
        ),
    ]
    return [*found[:2], *_label_cards(evaluation, counts, per, asked), *found[2:]] if len(asked) else found


def _label_cards(evaluation: Evaluation, counts: MultilabelCounts, per: PerLabel, asked: np.ndarray) -> list[Card]:
    """What differs between the labels that have true rows; `asked` are their codes, at least one."""
    weakest = asked[np.argmin(np.nan_to_num(per.f1[asked]))]
    gap = macro_gap_of_labels(counts, evaluation.n_space, evaluation.listed)
    return [
        (
            "F1 of each label",
            charts.f1_lens(per.f1[asked]),
            f"“It depends on the label”: {md(counts.labels[weakest], 24)} has F1 {number(per.f1[weakest], 2)}.",
            ("Its true rows", Which((int(weakest),))),
        ),
        (
            "Macro against micro",
            charts.macro_micro_lens(gap.micro_f1, gap.macro_f1_space),
            gap_text(gap),
            rarest(per.support, "label"),
        ),
    ]
