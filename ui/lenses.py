"""The overview's tiles, and the same predictions through five lenses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from charts import label_sets
from charts import lenses as charts
from data.evaluation import Evaluation
from metrics import averages, confusions, labels, matrix, multilabel
from metrics.curves import roc_auc
from ui import blocks, cache
from ui.blocks import md, number, percent, rows

CARD = 262
"""Width of a lens in pixels: three beside each other on a laptop, five on a wide screen."""


def top_tiles(evaluation: Evaluation) -> None:
    """The numbers one asks for first, each beside what it has to be compared with."""
    if evaluation.task == "multilabel":
        _multilabel_tiles(evaluation)
        return
    counts = cache.confusion(evaluation)
    baseline, balance = labels.baseline_accuracy(counts), labels.class_balance(counts)
    majority = counts.labels[int(np.argmax(counts.support))]
    tiles = st.columns(4)
    with tiles[0]:
        note = f"Always answering {md(majority, 30)} would score {percent(baseline)}."
        blocks.tile(
            "Accuracy",
            percent(labels.accuracy(counts)),
            note,
            "Share of scored rows with the right label; unparseable answers count as wrong.",
        )
    with tiles[1]:
        note = (
            f"Micro F1 is {number(averages.micro(counts, 'f1'))}. "
            f"Over the {rows(int((counts.support > 0).sum()), 'class')} "
            "with true rows."
        )
        blocks.tile(
            "Macro F1",
            number(averages.macro(counts, "f1", over="supported")),
            note,
            "The plain mean of F1 over the classes with true rows: every class counts the same.",
        )
    with tiles[2]:
        never, absent = len(confusions.never_predicted(counts)), len(confusions.absent(counts))
        blocks.tile(
            "Classes never predicted",
            f"{never:,} of {int((counts.support > 0).sum()):,}",
            f"Not the same: {rows(absent, 'class')} the file never asks about."
            if absent
            else "Of those with true rows; the file asks about every class of the label space.",
        )
    with tiles[3]:
        _fourth_tile(evaluation, balance)


def _fourth_tile(evaluation: Evaluation, balance: labels.ClassBalance) -> None:
    counts = cache.confusion(evaluation)
    if counts.n_unparsed:
        note = f"Accuracy over the parsed rows alone is {percent(labels.accuracy_parsed(counts))}."
        blocks.tile("Unparseable answers", percent(counts.n_unparsed / counts.n), note)
    elif evaluation.positive is not None and evaluation.y_score is not None:
        scores = cache.scores(evaluation, evaluation.positive)
        auc = roc_auc(scores) if scores is not None else float("nan")
        blocks.tile(
            "ROC AUC", number(auc), f"0.5 is guessing. Positive class {md(evaluation.labels[evaluation.positive], 30)}."
        )
    else:
        note = "1 means all classes are equally frequent in the truth."
        blocks.tile(
            "Class balance",
            number(balance.normalised_entropy),
            f"{note} The largest class holds {percent(balance.majority_share)}.",
        )


def _multilabel_tiles(evaluation: Evaluation) -> None:
    counts = cache.multilabel(evaluation)
    tiles = st.columns(4)
    with tiles[0]:
        blocks.tile(
            "Subset accuracy",
            percent(multilabel.subset_accuracy(counts)),
            "Rows right in every label. This is what scikit-learn's accuracy_score returns.",
        )
    with tiles[1]:
        blocks.tile(
            "Mean per-label accuracy",
            percent(multilabel.per_label_accuracy(counts)),
            "Single label decisions that are right: 1 − Hamming loss.",
        )
    with tiles[2]:
        blocks.tile(
            "Micro F1",
            number(multilabel.f1(counts, "micro")),
            f"Every label decision the same. Macro F1, every label the same: {number(multilabel.f1(counts, 'macro'))}.",
        )
    with tiles[3]:
        per_row = multilabel.labels_per_row(counts)
        blocks.tile(
            "Labels per row",
            f"{per_row.mean_pred:.2f}",
            f"predicted; the truth has {per_row.mean_true:.2f}. {rows(counts.n_empty_true)} without any true label.",
        )


def five(evaluation: Evaluation) -> None:
    """Five pictures of one set of predictions, each with the sentence it makes one believe."""
    cards = _multilabel_cards(evaluation) if evaluation.task == "multilabel" else _single_cards(evaluation)
    row = st.container(horizontal=True)
    for title, figure, believe in cards:
        with row.container(border=True, width=CARD, height="stretch"):
            st.markdown(f"**{title}**")
            st.plotly_chart(figure, key=f"lens.{title}", config={"displayModeBar": False})
            st.caption(believe)


def labels_per_row(evaluation: Evaluation) -> None:
    """How many labels the truth and the model give a row, as a picture and as a table."""
    per_row = multilabel.labels_per_row(cache.multilabel(evaluation))
    st.subheader("Labels per row")
    st.plotly_chart(label_sets.labels_per_row_figure(per_row), key="per_row", config={"displaylogo": False})
    frame = pd.DataFrame(
        {
            "labels in a row": per_row.n_labels,
            "rows in the truth": per_row.true_rows,
            "rows predicted": per_row.pred_rows,
        }
    )
    blocks.table_twin(frame, "labels_per_row")


def _single_cards(evaluation: Evaluation) -> list[tuple[str, object, str]]:
    counts = cache.confusion(evaluation)
    per = labels.per_class(counts)
    accuracy, baseline = labels.accuracy(counts), labels.baseline_accuracy(counts)
    asked = per.support > 0
    weakest = np.flatnonzero(asked)[np.argmin(per.f1[asked])]
    micro, macro = averages.micro(counts, "f1"), averages.macro(counts, "f1", over="space")
    worst = confusions.confusions(counts, limit=1)
    parsed = 1 - counts.n_unparsed / counts.n
    gain = accuracy - baseline
    believe_matrix = "“It makes no mistakes.”"
    if worst:
        pred = "an unparseable answer" if worst[0].pred < 0 else md(counts.labels[worst[0].pred], 24)
        believe_matrix = (
            f"“Its favourite mistake: {md(counts.labels[worst[0].true], 24)} becomes {pred}, {worst[0].rows:,} times.”"
        )
    block = matrix.arrange(counts, order="support", normalise="row", worst=12 if len(counts.labels) > 12 else None)
    return [
        (
            "Accuracy",
            charts.accuracy_lens(accuracy, baseline),
            (
                f"“It is right {percent(accuracy)} of the time” — {'only ' if gain < 0.1 else ''}{100 * gain:+.1f} "
                "points against always saying the same."
            ),
        ),
        (
            "F1 of each class",
            charts.f1_lens(per.f1[asked]),
            (
                f"“It depends on the class”: the weakest, {md(counts.labels[weakest], 24)}, "
                f"has F1 {number(per.f1[weakest], 2)}."
            ),
        ),
        (
            "Macro against micro",
            charts.macro_micro_lens(micro, macro),
            (
                f"“Rare classes {'suffer' if micro - macro > 0.1 else 'do about as well'}”: micro {number(micro)}, "
                f"macro over all {rows(counts.n_space, 'class')} {number(macro)}."
            ),
        ),
        ("Confusion matrix", charts.confusion_lens(block), believe_matrix),
        (
            "Parse rate",
            charts.parse_lens(parsed),
            "“Every prediction is a label.”"
            if parsed == 1
            else f"“{percent(1 - parsed)} of answers hold no label”: not a wrong answer, no answer.",
        ),
    ]


def _multilabel_cards(evaluation: Evaluation) -> list[tuple[str, object, str]]:
    counts = cache.multilabel(evaluation)
    per = multilabel.per_label(counts)
    subset, single = multilabel.subset_accuracy(counts), multilabel.per_label_accuracy(counts)
    micro, macro = multilabel.f1(counts, "micro"), multilabel.f1(counts, "macro", over="seen")
    asked = np.flatnonzero(per.support > 0)
    weakest = asked[np.argmin(np.nan_to_num(per.f1[asked]))]
    jaccard = multilabel.jaccard(counts, "samples")
    noes = 1 - float(per.support.sum()) / max(1, counts.n * len(counts.labels))
    return [
        (
            "Subset accuracy",
            charts.accuracy_lens(subset, None, ("every label right", "")),
            f"“{'Only ' if subset < 0.5 else ''}{percent(subset)} of rows are fully right.”",
        ),
        (
            "Per-label accuracy",
            charts.accuracy_lens(single, noes, ("model", "always no")),
            f"“{percent(single)} of decisions are right” — never giving any label would score {percent(noes)}.",
        ),
        (
            "F1 of each label",
            charts.f1_lens(per.f1[asked]),
            f"“It depends on the label”: {md(counts.labels[weakest], 24)} has F1 {number(per.f1[weakest], 2)}.",
        ),
        (
            "Macro against micro",
            charts.macro_micro_lens(micro, macro),
            (
                f"“Rare labels {'suffer' if micro - macro > 0.1 else 'do about as well'}”: "
                f"micro {number(micro)}, macro {number(macro)}."
            ),
        ),
        (
            "Overlap with the truth",
            charts.accuracy_lens(jaccard, None, ("overlap", "")),
            f"“A row's labels overlap the truth by {percent(jaccard)}” (Jaccard, mean over rows).",
        ),
    ]
