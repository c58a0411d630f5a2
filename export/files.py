"""Write every exported file beside the report: numbers, tables, pictures; by name, and as one zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from data.evaluation import Evaluation
from data.rows.exports import safe_csv
from data.rows.row_files import CELL, SMALL
from export import tables
from export.evaluation.confusion_result import matrix_takeaway
from export.evaluation.curves_result import draw_curves
from export.limits import MAX_MATRIX_CLASSES
from export.measurement import Measurement, level_of, measure
from export.numbers import numbers_json
from export.pictures.matrix import matrix_picture
from export.pictures.svg import as_file
from export.recompute import prepared
from export.recompute.prepared import has_prepared, script
from metrics.thresholds.rule_in_force import unpack_chosen

_NUMBER = 8
ABOUT = {
    "numbers.json": "Every number in full precision, the settings, the file's hash, the view and Blindspot's version.",
    "classes.csv": "One line for each class, with numbers in full precision.",
    "confusion_matrix.csv": "Rows are true labels, columns are predicted labels.",
    "confusion_cells.csv": "Cells of the confusion matrix that hold rows, with their weight where rows have any.",
    "label_outcomes.csv": "The four outcomes of every label.",
    "label_swaps.csv": "Which label was predicted instead of which, in how many rows; also their weight, if any.",
    "findings.csv": "The findings, as sentences.",
    "confusion_matrix.svg": "The confusion matrix as a picture.",
    "roc.svg": "The ROC curve as a picture.",
    "precision_recall.svg": "The precision–recall curve as a picture.",
    "prepared.parquet": "True label, prediction and scores of every scored row.",
    "recompute.py": "Computes every number again from prepared.parquet with scikit-learn, beside ours.",
}
"""A sentence about every file for the page Export."""


def every_file(
    measured: Measurement, view: Mapping[str, Any] | None = None, more: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """Return name and content of every file; more : as in `export.numbers.numbers`."""
    return {**small_files(measured, view, more), **prepared_files(measured.evaluation)}


def small_files(
    measured: Measurement, view: Mapping[str, Any] | None = None, more: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """Return name and content of every file that does not grow with the rows."""
    return {"numbers.json": numbers_json(measured, view=view, more=more), **csv_files(measured), **svg_files(measured)}


def prepared_files(evaluation: Evaluation) -> dict[str, bytes]:
    """Return the rows that the numbers are of, and the script that computes them again; nothing where no row may
    leave.
    """
    if not has_prepared(evaluation):
        return {}
    return {prepared.NAME: prepared.prepared_file(evaluation), prepared.SCRIPT: script(evaluation)}


def name_files(evaluation: Evaluation) -> list[str]:
    """Return the names of the files that can be made without a process of their own, in order.

    A picture of curves is not made where no class has scores of true and of other rows.
    """
    many, predicted = evaluation.task == "multilabel", evaluation.has_predictions
    is_large, is_weighted = len(evaluation.labels) > MAX_MATRIX_CLASSES, evaluation.units is not None
    cells = [] if is_large else ["confusion_matrix.csv"]
    cells += ["confusion_cells.csv"] if is_large or is_weighted else []
    names = ["numbers.json", "classes.csv", "findings.csv"]
    names += (["label_outcomes.csv", "label_swaps.csv"] if many else cells) if predicted else []
    names += ["confusion_matrix.svg"] if predicted and not many else []
    names += ["roc.svg", "precision_recall.svg"] if evaluation.score_codes else []
    if has_prepared(evaluation) and prepared.is_small(evaluation):
        names += [prepared.NAME, prepared.SCRIPT]
    return names


def write_zip(evaluation: Evaluation, path: Path, options: Mapping[str, Any], rows: object, say: object) -> None:
    """Write every file as one zip: what a process of its own does for many classes.

    options : "view" and "more", as in `every_file`; "chosen", as `pack_chosen` gives them.
    """
    chosen, view = tuple(map(unpack_chosen, options.get("chosen", ()))), options["view"]
    measured = measure(evaluation, level_of(view), rule=chosen)
    path.write_bytes(zip_files(every_file(measured, view, options.get("more"))))


def are_small(evaluation: Evaluation) -> bool:
    """Return whether the files take so little memory that no process of their own is needed: cells times labels."""
    k = len(evaluation.labels)
    longest = max((len(label.encode("utf-8", "replace")) for label in evaluation.labels), default=0)
    n_cells = min(evaluation.n_lines, k * k)
    return k * k * _NUMBER + n_cells * 2 * (longest + CELL) <= SMALL


def csv_files(measured: Measurement) -> dict[str, bytes]:
    """Return the tables, formula-safe."""
    made = {"classes.csv": tables.class_table(measured), "findings.csv": tables.finding_table(measured)}
    if not measured.evaluation.has_predictions:
        return {name: safe_csv(frame) for name, frame in made.items()}
    if measured.many:
        made["label_outcomes.csv"] = tables.matrix_table(measured)
        made["label_swaps.csv"] = tables.swap_table(measured)
    elif len(measured.confusion.labels) <= MAX_MATRIX_CLASSES:
        made["confusion_matrix.csv"] = tables.matrix_table(measured)
    if "confusion_cells.csv" in name_files(measured.evaluation):
        made["confusion_cells.csv"] = tables.cell_table(measured)
    return {name: safe_csv(frame) for name, frame in made.items()}


def svg_files(measured: Measurement) -> dict[str, bytes]:
    """Return the pictures that this task has."""
    made = {}
    if not measured.many and measured.evaluation.has_predictions:
        made["confusion_matrix.svg"] = matrix_picture(measured.weighted_confusion, matrix_takeaway(measured)).canvas
    made |= {f"{name}.svg": canvas for name, canvas in draw_curves(measured).items()}
    return {name: as_file(canvas) for name, canvas in made.items()}


def zip_files(files: Mapping[str, bytes]) -> bytes:
    """Return the files as one zip; the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return buffer.getvalue()
