"""Say how the files of an evaluation were read: one source for the page, the command line and the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from data.columns.counted_metadata import read_counted
from data.columns.table_metadata import is_part, rows_left_out
from data.columns.weight_columns import TotalWeight, add_weights
from data.evaluation import ColumnRole, Evaluation, FileFacts, Filtered, JoinReport, Receipt
from data.labels.class_names import names_in_sentences
from data.process.limits import format_size
from data.roles.run_columns import ALL_ROWS
from export.interval_text import FEW_DECIDE
from metrics.catalogue.metric import NO_THRESHOLD
from metrics.finding import Label
from metrics.limits import few_by_weight
from text.numbers import count, write_threshold
from text.quoting import quote
from text.visible import show

ROLES = 100
"""At most so many columns with a role are listed."""
KEPT = 12
"""At most so many columns without a role are named."""
SCALES = {
    "probability": "probabilities",
    "logit": "logits",
    "score": "on a scale of their own, so log loss, Brier score and calibration are undefined",
}
_FIRST = ("truth", "prediction", "raw")
_ROLES = {"truth": "true label", "prediction": "predicted label", "raw": "raw answer"}
_NAMED = 4
"""So many columns are named in one line."""
_DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", " ": "space"}
ROWS_ONCE = "Numbers of rows count every row once."
"""The part of an evaluation that weights do not change."""
BY_WEIGHT = f"Rates are by weight, in findings too. {ROWS_ONCE}"
"""The note on what weights change, and what not."""
CHOOSE_BY_ROWS = "Numbers of rows here are weights. Prediction sets count every row once."
"""The same of the page Thresholds."""
NOT_WEIGHTED = "Not weighted: every row counts once here, whatever its weight."
"""The note of an analysis that weighs no rows."""


def count_classes(evaluation: Evaluation) -> str:
    """Count the classes or labels, those that are not in the label list apart."""
    counted = count(evaluation.n_space, evaluation.class_noun)
    outside = len(evaluation.labels) - evaluation.n_space
    return f"{counted} and {outside:,} not in the label list" if outside else counted


class Fact(NamedTuple):
    """One decision that the numbers depend on; `parts` are our words (str) and uploaded names (`Label`)."""

    term: str
    parts: tuple[str | Label, ...]

    def sentence(self, mark: Callable[[str], str] = quote) -> str:
        """Return the decision in words, every uploaded name passed through `mark`.

        >>> Fact("Predictions", ("in the column ", Label("y_pred"))).sentence()
        "in the column 'y_pred'"
        """
        return "".join(mark(part.name) if isinstance(part, Label) else part for part in self.parts)


def facts(evaluation: Evaluation) -> list[Fact]:
    """Return what decides the numbers: where predictions come from, the scores' scale, positive class, chosen rows."""
    e = evaluation
    listed = [Fact("Predictions", predictions(e))]
    if e.y_score is not None:
        listed.append(Fact("Scores", (f"{SCALES[e.scale]}; a threshold means score ≥ threshold, on this scale",)))
    if e.positive is not None:
        listed.append(Fact("Positive class", (Label(names_in_sentences(e)[e.labels[e.positive]]),)))
    if e.settings.only is not None and e.settings.only != ALL_ROWS:
        column, value = e.settings.only
        listed.append(Fact("Only rows with", (Label(column), " = ", Label(value))))
    if e.filtered is not None:
        listed.append(Fact("Filter", _filter_parts(e, e.filtered)))
    weights = describe_weights(e)
    return listed if weights is None else [*listed, weights]


def describe_weights(evaluation: Evaluation) -> Fact | None:
    """Say by which column numbers are weighted, and how much the rows tell; None where every row counts once."""
    weights = add_weights(evaluation)
    return None if weights is None else describe_total(weights)


def describe_total(weights: TotalWeight) -> Fact:
    """Say the column of weights, their total and how much the rows tell."""
    tell = f"as much as {weights.effective_n:,.1f} rows of equal weight"
    if few_by_weight(weights.n_deciding, weights.rows):
        tell += f"; {FEW_DECIDE}"
    weight = f"weight {weights.total:,.6g} of {count(weights.rows)}"
    return Fact("Weighted", ("by ", Label(weights.column), f": {weight}, {tell}"))


def note_unweighted(*evaluations: Evaluation) -> list[str]:
    """Return the note of an analysis that weighs no rows; nothing where no file has weights in use."""
    return [NOT_WEIGHTED] if any(evaluation.settings.weights for evaluation in evaluations) else []


def _filter_parts(evaluation: Evaluation, filtered: Filtered) -> tuple[str | Label, ...]:
    parts: list[str | Label] = []
    for column, value in filtered.conditions:
        if parts:
            parts.append(" and ")
        parts += [Label(column), " = ", Label(value)] if value else [Label(column), " is missing"]
    return (*parts, f": {evaluation.n_rows:,} of {count(filtered.n_rows)}")


def are_highest(evaluation: Evaluation) -> bool:
    """Return whether the class with the highest score is predicted: the file has no predictions, and no threshold."""
    if not evaluation.has_predictions or evaluation.threshold is not None or evaluation.task == "multilabel":
        return False
    settings, counted = evaluation.settings, read_counted(evaluation.rows)
    if counted is not None and counted.highest is not None and counted.highest == settings.pred:
        return True
    return settings.pred is None and settings.raw is None


def predictions(evaluation: Evaluation) -> tuple[str | Label, ...]:
    """Return where the predictions come from, with the threshold that made them."""
    settings = evaluation.settings
    if not evaluation.has_predictions:
        return (f"none, because {NO_THRESHOLD}",)
    if evaluation.threshold is not None:
        return (f"predicted when score ≥ {write_threshold(evaluation.threshold)}",)
    if are_highest(evaluation):
        return ("predicted: the class with the highest score (the first on a tie)",)
    if settings.pred is not None:
        return "in the column ", Label(settings.pred)
    if settings.raw is not None:
        return "labels read from the answers in ", Label(settings.raw)
    counted = read_counted(evaluation.rows)
    if counted is not None and counted.cuts:
        cuts = set(counted.cuts.values())
        threshold = write_threshold(min(cuts)) if len(cuts) == 1 else "its own threshold"
        return (f"predicted when a label's score ≥ {threshold}",)
    return ("a column of 0 and 1 for each label",)


def file_facts(file: FileFacts, *, part: bool = False) -> str:
    """Return rows, columns, size and format of a file; `part`: only a part of it was shared, so no size.

    >>> file_facts(FileFacts("p.csv", "CSV", 2, ("y", "p"), 120, "0", delimiter=";", encoding="UTF-8"))
    '2 rows, 2 columns, 120 bytes · CSV · separated by semicolon · UTF-8'
    """
    extent = f"{count(file.n_rows)}, {count(len(file.columns), 'column')}"
    extent += " were shared of it" if part else f", {format_size(file.n_bytes)}"
    separated = f"separated by {_DELIMITERS.get(file.delimiter, quote(file.delimiter))}" if file.delimiter else ""
    return " · ".join(filter(None, [extent, file.format, separated, file.encoding, file.compression]))


def summary(evaluation: Evaluation, mark: Callable[[str], str], n_warnings: int) -> str:
    """Return in one line the columns used, where predictions come from, and whether there are no warnings.

    mark : writes the name of a column.
    """
    with_role = [role for role in roles(evaluation.receipt) if role.role not in ("highest score", "join")]
    labels = [role for role in with_role if not role.role.startswith("score")]
    parts = [f"{name_role(role)} {mark(role.column)}" for role in labels[:_NAMED]]
    if len(labels) > _NAMED:
        parts.append(count(len(labels) - _NAMED, "more column"))
    if len(with_role) > len(labels):
        parts.append(count(len(with_role) - len(labels), "score column"))
    if not (evaluation.settings.pred or evaluation.settings.raw or evaluation.settings.pred_columns):
        parts.append(str(predictions(evaluation)[0]))
    if evaluation.receipt.join is not None:
        parts.append(_write_join(evaluation.receipt.join, mark))
    if not n_warnings:
        parts.append("no warnings")
    return " · ".join(parts)


def _write_join(join: JoinReport, mark: Callable[[str], str]) -> str:
    """Write by what the rows of two files were joined."""
    if join.key is None:
        return f"joined by {join.how}"
    left, right = (mark(column) for column in join.key)
    return f"joined on {left}" if left == right else f"joined on {left} = {right}"


def roles(receipt: Receipt) -> list[ColumnRole]:
    """Return the columns with a role: the labels first, and the scores, which may be many, last."""
    return sorted((role for role in receipt.roles if role.role != "other"), key=_place)


def name_role(role: ColumnRole) -> str:
    """Return what a column is used as, in the words of the pages."""
    return _ROLES.get(role.role, role.role)


def _place(role: ColumnRole) -> int:
    kind = role.role.split(" ")[0]
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST) + (kind == "score")


def more_roles(receipt: Receipt) -> str:
    """Return how many columns with a role are not listed, or ""."""
    n = len(roles(receipt)) - ROLES
    return f"… and {count(n, 'more column')} with a role." if n > 0 else ""


def kept_columns(evaluation: Evaluation, mark: Callable[[str], str] = quote) -> str:
    """Return the columns that play no role, as a sentence; "" without such, or where the rows were left out."""
    names = [role.column for role in evaluation.receipt.roles if role.role == "other"]
    if not names or rows_left_out(evaluation):
        return ""
    more = f" and {len(names) - KEPT:,} more" if len(names) > KEPT else ""
    return f"Other columns, shown on the page Rows: {', '.join(mark(name) for name in names[:KEPT])}{more}."


def notes(receipt: Receipt) -> list[str]:
    """Return what was done to the files and to their rows; of two files each note names its own."""
    named = len(receipt.files) > 1
    of_files = [f"{show(file.name, 40)}: {note}" if named else note for file in receipt.files for note in file.notes]
    joined = join_sentences(receipt.join)
    return [*of_files, *(note for note in receipt.notes if note not in joined)]


def join_sentences(report: JoinReport | None) -> tuple[str, ...]:
    """Return all that is said of a join, which is said once and by itself; () for one file."""
    return () if report is None else (report.text, *report.warnings)


def join_note(receipt: Receipt) -> list[str]:
    """Return how two files were joined, unless it is a warning or there is one file: one sentence, or none."""
    text = receipt.join.text if receipt.join is not None else ""
    return [text] if text and text not in receipt.warnings else []


def reading_lines(evaluation: Evaluation) -> list[str]:
    """Return how the files were read as lines of plain text, names quoted: what the page shows above its forms."""
    receipt = evaluation.receipt
    lines = [f"{show(file.name)}: {file_facts(file, part=is_part(evaluation))}" for file in receipt.files]
    lines += join_note(receipt)
    lines += [f"{show(role.column)}: {show(name_role(role))} ({show(role.why)})" for role in roles(receipt)[:ROLES]]
    lines += [f"{fact.term}: {fact.sentence()}" for fact in facts(evaluation)]
    return [line for line in (*lines, more_roles(receipt), kept_columns(evaluation)) if line]
