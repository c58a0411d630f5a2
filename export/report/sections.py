"""The parts of the report that every task has: headline numbers, findings, classes, averages, silences."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from export.class_result import class_states
from export.interval_text import NOT_COVERED, TOO_FEW, bounds_of, name_level
from export.limits import MAX_LISTED_LABELS
from export.measurement import Measurement
from export.numbers import clipping, head
from export.pictures.bars import bars_picture
from export.pictures.words import name, percent
from export.report import markup
from export.report.markup import Cell
from metrics.catalogue.undefined import NO_THRESHOLD
from metrics.confusion.average_numbers import average_rows
from metrics.confusion.one_vs_rest import one_against_rest
from metrics.finding import Finding, Label
from metrics.findings import worst_parts
from metrics.findings.outcome_sentences import lead, missed
from text.intervals import bounds
from text.numbers import count, number, write_bound
from text.visible import keep_together, show

SEVERITY = {"serious": "Serious", "warning": "Worth a look", "info": "Good to know"}


def takeaway(found: Measurement) -> str:
    """Return the report in one sentence, HTML."""
    n = found.numbers
    if not found.evaluation.has_predictions:
        return f"Nothing is predicted: {NO_THRESHOLD}. Numbers on the ranking of rows hold."
    leading = worst_parts.headline(found.findings)
    first = "" if leading is None else "".join(map(_part, found.named(worst_parts.head_of(leading)))) + "."
    if first and found.evaluation.positive is not None:
        return first
    return _whole(found, n) + (f" {first}" if first else "")


def _whole(found: Measurement, n: Mapping[str, Any]) -> str:
    """Say how many rows are right, or what became of each class."""
    never = len(n["never_predicted"])
    silent = f"; {count(never, 'label' if found.many else 'class')} never predicted" if never else ""
    if found.many:
        return (
            f"{percent(n['per_label_accuracy'])} of single label decisions are right, {percent(n['subset_accuracy'])} "
            f"of rows are right in every label{silent}."
        )
    positive = found.evaluation.positive
    if positive is not None:
        return "".join(map(_part, found.named(lead(found.confusion, positive))))
    return (
        f"{percent(n['accuracy'])} of {count(n['n_scored'])} are right; always predicting the most frequent class "
        f"would score {percent(n['baseline_accuracy'])}{silent}."
    )


def headline(found: Measurement) -> str:
    """Return the numbers one asks for first, each beside what it has to be compared with."""
    n = found.numbers
    if not found.evaluation.has_predictions:
        tiles = "".join(_tiles_of_ranking(found))
    else:
        tiles = "".join(_many(found) if found.many else _single(found))
    every = markup.table(
        "headline",
        "Headline numbers",
        ["metric", "value", f"{name_level(found.level)} interval", "method"],
        ([title, _with_reason(n, key), *_interval_cells(found, key)] for key, title in head(n)),
        sort=False,
    )
    clipped = "".join(f'<p class="note">{text}</p>' for text in clipping(n).values())
    clipped += f'<p class="note">{NOT_COVERED}</p>'
    return f'<div class="tiles">{tiles}</div>{markup.fold("All headline numbers as a table", every, clipped)}'


def _interval_cells(found: Measurement, key: str) -> list[Cell]:
    """Return the ends of a number's interval and its method, with the clusters behind it."""
    one = found.number(key)
    if one.low != one.low:
        return [Cell(""), Cell("")]
    of = "" if one.clusters is None else f", {count(one.clusters, 'cluster')}"
    few = f", {TOO_FEW}" if one.too_few else ""
    return [Cell(f"{bounds(one.low, one.high)}", one.low), Cell(f"{one.method}{of}{few}")]


def _within(found: Measurement, key: str, *, share: bool = False) -> str:
    """Return a tile's interval; empty where it has none."""
    one = found.number(key)
    return bounds_of(one, share=share) + (f", {TOO_FEW}" if one.too_few else "") if bounds_of(one) else ""


def _with_reason(numbers: dict[str, Any], key: str) -> Cell:
    """Return a number, or why it is undefined."""
    reason = numbers.get("undefined_because", {}).get(key)
    return Cell(f"undefined: {reason}", numbers[key]) if reason else _value(numbers[key])


def _tiles_of_ranking(found: Measurement) -> list[str]:
    """Return the tiles that hold without predictions."""
    n = found.numbers
    if found.many:
        tiles = [("ROC AUC, macro", n["roc_auc_macro"]), ("Average precision, macro", n["average_precision_macro"])]
        about = "Mean of the labels for which it is defined."
        return [markup.tile(title, number(value), about) for title, value in tiles]
    positive = name(found.names[n["positive"]], 40)
    return [
        _tile(found, "roc_auc", "ROC AUC", f"0.5 is guessing. Positive class {positive}."),
        _tile(found, "average_precision", "Average precision", f"Positive class {positive}."),
    ]


def _tile(found: Measurement, key: str, title: str, note: str) -> str:
    """Return the tile of a number; where it is undefined, with the reason in place of the note."""
    reason = found.numbers.get("undefined_because", {}).get(key)
    bound = (found.score_error_bound or {}).get(key, 0)
    if reason or bound > 0:
        note = html.escape(f"{reason.capitalize()}.") if reason else f"± {write_bound(bound)} from binning. {note}"
    return markup.tile(title, number(found.numbers[key]), note, _within(found, key))


def _single(found: Measurement) -> list[str]:
    n = found.numbers
    asked = int((found.confusion.support > 0).sum())
    tiles = [
        markup.tile(
            "Accuracy", percent(n["accuracy"]),
            f"Always predicting the most frequent class scores {percent(n['baseline_accuracy'])}.",
            _within(found, "accuracy", share=True),
        ),
        markup.tile(
            "Macro F1", number(n["macro_f1_supported"]),
            f"Over the {count(asked, 'class')} with true rows.",
            _within(found, "macro_f1_supported"),
        ),
        markup.tile(
            "Balanced accuracy", number(n["balanced_accuracy"]),
            f"Mean recall of the {count(asked, 'class')} with true rows; guessing gives {number(1 / asked)}.",
            _within(found, "balanced_accuracy"),
        ),
        markup.tile(
            "Never predicted", f"{len(n['never_predicted']):,} of {asked:,}",
            f"classes with true rows. {found.gap.without_rows()}",
        ),
    ]  # fmt: skip
    if found.evaluation.positive is not None:
        tiles = [*_outcome_tiles(found, found.evaluation.positive), *tiles]
    if "roc_auc" in n:
        positive = name(found.names[n["positive"]], 40)
        tiles.append(_tile(found, "roc_auc", "ROC AUC", f"0.5 is guessing. Positive class {positive}."))
        scored = found.scores[found.evaluation.positive or 0]  # rows that have a score: what it is the average of
        share = scored.n_pos / max(1, scored.n_pos + scored.n_neg)
        note = f"Guessing gives {number(share)}, the share of positives."
        tiles.append(_tile(found, "average_precision", "Average precision", note))
    elif "roc_auc_macro" in n:
        note = "One class, one-vs-rest, mean of the classes where it is defined."
        tiles.append(markup.tile("ROC AUC, macro", number(n["roc_auc_macro"]), note, _within(found, "roc_auc_macro")))
    return tiles


def _outcome_tiles(found: Measurement, positive: int) -> list[str]:
    """Return recall and precision, with the wrong rows behind each."""
    n, at = found.numbers, one_against_rest(found.confusion, positive)
    label = name(found.names[n["positive"]], 40)
    recall = "".join(map(_part, found.named(missed(found.confusion, positive, at)))) + "."
    precision = f"{at.fp:,} of {count(at.tp + at.fp)} predicted as {label} are wrong."
    return [
        markup.tile("Recall", number(n["recall"]), recall, _within(found, "recall")),
        markup.tile("Precision", number(n["precision"]), precision, _within(found, "precision")),
    ]


def _many(found: Measurement) -> list[str]:
    n = found.numbers
    tiles = [
        markup.tile(
            "Subset accuracy", percent(n["subset_accuracy"]),
            "Rows right in every label: what scikit-learn's accuracy_score returns.",
            _within(found, "subset_accuracy", share=True),
        ),
        markup.tile(
            "Mean per-label accuracy", percent(n["per_label_accuracy"]),
            "Single label decisions that are right: 1 − Hamming loss. "
            "Where labels are rare, most of them are true negatives.",
            _within(found, "per_label_accuracy", share=True),
        ),
        markup.tile(
            "Micro F1", number(n["micro_f1"]),
            "Every decision about one label counts the same.",
            _within(found, "micro_f1"),
        ),
        markup.tile(
            "Samples F1", number(n["samples_f1"]), "Every row counts the same: the mean F1 over rows.",
            _within(found, "samples_f1"),
        ),
    ]  # fmt: skip
    if "roc_auc_macro" in n:
        tiles.append(
            markup.tile(
                "ROC AUC, macro",
                number(n["roc_auc_macro"]),
                "Mean of the labels for which it is defined.",
                _within(found, "roc_auc_macro"),
            )
        )
    return tiles


def findings(found: Measurement) -> str:
    """Return every finding as a sentence, the most serious first."""
    if not found.findings:
        return "<p>Nothing stands out.</p>"
    return f'<ol class="findings">{"".join(map(_finding, found.named_findings))}</ol>'


def _finding(one: Finding) -> str:
    said = "".join(_part(part) for part in one.parts)
    return f'<li class="{one.severity}"><span class="badge">{SEVERITY[one.severity]}</span> <span>{said}</span></li>'


def _part(part: str | Label) -> str:
    return name(part.name) if isinstance(part, Label) else html.escape(keep_together(part))


def _value(value: float) -> Cell:
    return Cell(number(value), value)


def list_class_states(found: Measurement) -> str:
    """List classes never predicted, not in the data, never true, or not in the label list, each kind by itself."""
    noun = "labels" if found.many else "classes"
    titles = {
        "never_predicted": ("Never predicted", f"{noun} with true rows, but no prediction."),
        "absent": ("Not in the data", f"listed {noun} without a true row: they can't be scored."),
        "never_true": ("Never true", "predicted labels without a true row: misspelt or invented."),
        "outside_label_space": ("Not in the label list", "true or predicted labels that the list lacks."),
    }  # fmt: skip
    parts = []
    for key, labels in class_states(found).items():
        title, about = titles[key]
        if key == "never_true" and not labels:
            continue
        more = f" and {len(labels) - MAX_LISTED_LABELS:,} more" if len(labels) > MAX_LISTED_LABELS else ""
        named = " ".join(name(label) for label in labels[:MAX_LISTED_LABELS]) + more if labels else "none"
        parts.append(f"<div><h3>{title}: {len(labels):,}</h3><p class='note'>{about}</p><p>{named}</p></div>")
    return f'<div class="columns">{"".join(parts)}</div>'


def averages(found: Measurement) -> str:
    """Return micro beside macro, each with the classes that it is over, and what the gap is made of."""
    n = found.numbers
    over = "labels" if found.many else "classes"
    values = [
        ("Micro F1", n["micro_f1"], False),
        ("Weighted F1", n["weighted_f1"], False),
        (f"Macro F1, {over} seen", n["macro_f1"], True),
        (f"Macro F1, {over} with true rows", n["macro_f1_supported"], True),
        (f"Macro F1, all listed {over}", n["macro_f1_label_space"], True),
    ]
    noun, macro = "label" if found.many else "class", number(n["macro_f1_supported"])
    title = f"Macro F1 over the {over} with true rows is {macro}, micro F1 {number(n['micro_f1'])}"
    body = [[row.title, *(_value(value) for value in row[1:4])] for row in average_rows(n, noun)]
    table = markup.table("averages-table", "Averages", ["average", "precision", "recall", "F1"], body, sort=False)
    note = "<p class='note'>zero_division=0: scikit-learn's figure, which counts 0/0 as 0.</p>"
    twin = markup.fold("Averages of precision, recall and F1 as a table", table, note)
    return markup.picture(bars_picture(values, title), "averages-chart", _gap(found)) + twin


def _gap(found: Measurement) -> str:
    """Explain why macro F1 differs from micro F1: the sentence of the findings, HTML."""
    return "".join(map(_part, found.named(found.gap.parts())))


def shown_name(found: Measurement) -> str:
    """Return the evaluation's name as plain text."""
    return show(found.evaluation.name)
