"""One number in a box; those on top of the overview, each beside what it is compared with and a step to its rows."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.evaluation import Evaluation
from data.rows.selection import Which
from metrics.catalogue.undefined import one_class_only
from metrics.confusion import averages, label_metrics, one_vs_rest, worst_confusions
from metrics.confusion.macro_gap import macro_gap, macro_gap_of_labels
from metrics.finding import Label
from metrics.findings import outcome_sentences
from metrics.multilabel import set_metrics
from metrics.scores.curves import roc_auc
from text.numbers import count, number
from ui.overview.row_links import draw, mistakes, most_missed, most_wrong, weakest
from ui.text.markdown import gap_text, md, percent
from ui.text.tile import tile, tile_row
from ui.view import cache


def top_tiles(evaluation: Evaluation) -> None:
    """The numbers one asks for first, each beside what it has to be compared with."""
    if evaluation.task == "multilabel":
        _multilabel_tiles(evaluation)
        return
    if evaluation.positive is not None:
        _binary_tiles(evaluation, evaluation.positive)
        return
    counts = cache.confusion(evaluation)
    with tile_row("top"):
        _accuracy_tile(evaluation)
        asked = count(int((counts.support > 0).sum()), "class")
        note = f"Over the {asked} with true rows. {gap_text(macro_gap(counts))}"
        tile(
            "Macro F1",
            number(averages.macro(counts, "f1", over="supported")),
            note,
            "The plain mean of F1 over the classes with true rows: every class counts the same.",
            step=draw(evaluation, "macro", weakest(counts)),
        )
        codes = worst_confusions.never_predicted(counts)
        never = len(codes)
        tile(
            "Classes never predicted",
            f"{never:,} of {int((counts.support > 0).sum()):,}",
            macro_gap(counts).without_rows(),
            step=draw(evaluation, "never", ("Their rows", Which(tuple(codes.tolist()))) if never else None),
        )
        _fourth_tile(evaluation)


def lead(evaluation: Evaluation) -> None:
    """The one sentence that a binary task opens with: what is missed, and what is a false alarm."""
    if evaluation.task == "binary" and evaluation.positive is not None:
        said = outcome_sentences.lead(cache.confusion(evaluation), evaluation.positive)
        st.markdown("#### " + "".join(md(part.name, 40) if isinstance(part, Label) else part for part in said))


def _binary_tiles(evaluation: Evaluation, positive: int) -> None:
    """Recall and precision first: what is missed and what is a false alarm, each with its rows."""
    counts = cache.confusion(evaluation)
    at, name = one_vs_rest.one_against_rest(counts, positive), md(counts.labels[positive], 30)
    with tile_row("top"):
        tile(
            "Recall",
            number(one_vs_rest.recall(counts, positive)),
            f"{at.tp:,} of {count(at.tp + at.fn)} of {name} {'is' if at.tp == 1 else 'are'} found.",
            "Share of the rows of the positive class that were predicted as it.",
            step=draw(evaluation, "recall", ("Missed rows", Which((positive,), only="errors")) if at.fn else None),
        )
        tile(
            "Precision",
            number(one_vs_rest.precision(counts, positive)),
            f"{at.tp:,} of {count(at.tp + at.fp)} predicted as {name} {'is' if at.tp == 1 else 'are'} right.",
            "Share of the rows predicted as the positive class that are of it.",
            step=draw(
                evaluation, "precision", ("False alarms", Which(pred=(positive,), only="errors")) if at.fp else None
            ),
        )
        _accuracy_tile(evaluation)
        _fourth_tile(evaluation)


def _accuracy_tile(evaluation: Evaluation) -> None:
    counts = cache.confusion(evaluation)
    majority = counts.labels[int(np.argmax(counts.support))]
    tile(
        "Accuracy",
        percent(label_metrics.accuracy(counts)),
        f"Always answering {md(majority, 30)} would score {percent(label_metrics.baseline_accuracy(counts))}.",
        "Share of scored rows with the right label; unparseable answers count as wrong.",
        step=draw(evaluation, "accuracy", mistakes(counts.n - int(counts.correct.sum()))),
    )


def _fourth_tile(evaluation: Evaluation) -> None:
    counts = cache.confusion(evaluation)
    balance = label_metrics.class_balance(counts)
    if counts.n_unparsed:
        note = f"Accuracy over the parsed rows alone is {percent(label_metrics.accuracy_parsed(counts))}."
        step = draw(evaluation, "unparsed", ("These rows", Which(only="unparseable")))
        tile("Unparseable answers", percent(counts.n_unparsed / counts.n), note, step=step)
    elif evaluation.positive is not None and evaluation.y_score is not None:
        scores = cache.scores(evaluation, evaluation.positive)
        auc = roc_auc(scores) if scores is not None else float("nan")
        reason = one_class_only(scores).get("roc_auc") if scores is not None else None
        tile(
            "ROC AUC",
            number(auc),
            f"{reason.capitalize() if reason else '0.5 is guessing'}. "
            f"Positive class {md(evaluation.labels[evaluation.positive], 30)}.",
            step=draw(evaluation, "auc", ("Its true rows", Which((evaluation.positive,)))),
        )
    else:
        note = "1 means all classes are equally frequent in the truth."
        tile(
            "Class balance",
            number(balance.normalised_entropy),
            f"{note} The largest class holds {percent(balance.majority_share)}.",
            step=draw(evaluation, "balance", ("Its rows", Which((int(np.argmax(counts.support)),)))),
        )


def _multilabel_tiles(evaluation: Evaluation) -> None:
    counts = cache.multilabel(evaluation)
    subset = set_metrics.subset_accuracy(counts)
    wrong, missed = mistakes(round(counts.n * (1 - subset)) if counts.n else 0), most_missed(counts)
    every = tuple(range(len(counts.labels)))
    with tile_row("top"):
        tile(
            "Subset accuracy",
            percent(subset),
            "Rows right in every label. This is what scikit-learn's accuracy_score returns.",
            step=draw(evaluation, "subset", wrong),
        )
        tile(
            "Mean per-label accuracy",
            percent(set_metrics.per_label_accuracy(counts)),
            "Single label decisions that are right: 1 − Hamming loss.",
            step=draw(evaluation, "single", most_wrong(counts)),
        )
        tile(
            "Micro F1",
            number(set_metrics.f1(counts, "micro")),
            gap_text(macro_gap_of_labels(counts, evaluation.n_space, evaluation.listed)),
            "Every label decision counts the same; in macro F1 every label does.",
            step=draw(evaluation, "micro", missed),
        )
        per_row = set_metrics.labels_per_row(counts)
        tile(
            "Labels per row",
            f"{per_row.mean_pred:.2f}",
            f"predicted; the truth has {per_row.mean_true:.2f}. {count(counts.n_empty_true)} without any true label.",
            step=draw(
                evaluation,
                "empty",
                ("Those rows", Which(every, others=True)) if counts.n_empty_true else None,
            ),
        )
