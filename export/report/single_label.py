"""The parts of the report that only a task with one label a row has: confusions, and answers that could not be read."""

from __future__ import annotations

from dataclasses import replace

from data.answers.parsing import outcome_title
from export.measurement import Measurement
from export.numbers import parsing
from export.pictures.matrix import matrix_picture
from export.pictures.words import name, percent, text
from export.report import markup
from export.report.markup import Cell
from export.tables import cell_table
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts
from metrics.confusion.standouts import matrix_title
from metrics.confusion.worst_confusions import Confusion, confusions
from text.numbers import count
from text.visible import show

WORST = 20
TWIN = 25
"""Up to so many columns the table under the matrix is a matrix; beyond, it lists the cells that hold rows."""
CELLS = 2_000


def confusion(found: Measurement) -> str:
    """Return the matrix as a picture and as a table."""
    drawn = matrix_picture(_named_counts(found), takeaway(found))
    colours = "Blue: correct. Orange: errors. Each has its own colour scale."
    picture = markup.picture(drawn.canvas, "matrix", " ".join((*drawn.notes, colours)))
    return picture + markup.fold("The same as a table", _twin(found))


def _named_counts(found: Measurement) -> ConfusionCounts:
    """Return the confusion counts with labels by their names."""
    return replace(found.confusion, labels=tuple(found.names.values()))


def takeaway(found: Measurement) -> str:
    """Say what the matrix shows first, in one sentence, plain text."""
    parts = matrix_title(_named_counts(found))
    return "".join(part if isinstance(part, str) else show(part.name, 60) for part in parts)


def _twin(found: Measurement) -> str:
    counts = found.confusion
    if len(counts.labels) <= TWIN:
        columns = [show(label, 60) for label in counts.labels] + (["no label found"] if counts.n_unparsed else [])
        matrix = counts.matrix()[:, : len(columns)]
        body = [
            [text(label), *(Cell(f"{n:,}", n) for n in row)]
            for label, row in zip(counts.labels, matrix.tolist(), strict=True)
        ]
        return markup.table("matrix-table", "Rows: truth. Columns: prediction.", ["true", *columns], body, sort=False)
    cells = cell_table(found)
    body = [
        [text(true), text(pred), Cell(f"{n:,}", n), Cell(percent(share), share)]
        for true, pred, n, share in cells.head(CELLS).itertuples(index=False)
    ]
    left = f"; the first {CELLS:,} of {len(cells):,}" if len(cells) > CELLS else f": {len(cells):,}"
    caption = f"Cells of the confusion matrix that hold rows{left}"
    return markup.table("matrix-table", caption, ["true", "predicted", "rows", "share of true"], body, numeric_from=2)


def worst(found: Measurement) -> str:
    """Return the fullest wrong cells in plain words."""
    every = confusions(found.confusion)
    if not every:
        return "<p>No row is wrong.</p>"
    told = f'<p class="note">The first {WORST} of {len(every):,} kinds of mistakes.</p>' if len(every) > WORST else ""
    sentences = (_sentence(found, one) for one in every[:WORST])
    return f'<ol class="words">{"".join(f"<li>{said}</li>" for said in sentences)}</ol>{told}'


def _sentence(found: Measurement, one: Confusion) -> str:
    counts = _named_counts(found)
    true = name(counts.labels[one.true])
    are = "is" if one.rows == 1 else "are"
    said = f"predicted as {name(counts.labels[one.pred])}" if one.pred != UNPARSEABLE else "without a label"
    support = int(counts.support[one.true])
    of = f"<b>{one.rows:,}</b> of {count(support)} of {true}"
    return f"{of} {are} {said} ({percent(one.share)})."


def answers_without_label(found: Measurement) -> str:
    """Draw accuracy with and without the answers that hold no label, their share, and what became of the answers."""
    n, without = found.confusion.n, found.confusion.n_unparsed
    tiles = (
        markup.tile("Accuracy, no label counts as wrong", percent(found.overall["accuracy"]), f"over all {count(n)}"),
        markup.tile(
            "Accuracy where a label was found", percent(found.overall["accuracy_parsed"]),
            f"over {count(n - without)}",
        ),
        markup.tile("No label found", percent(without / n), f"{without:,} of {count(n)}"),
    )  # fmt: skip
    outcomes = parsing(found.evaluation).get("outcomes", {})
    body = [
        [text(outcome_title(what)), Cell(f"{rows:,}", rows), Cell(percent(rows / n), rows)]
        for what, rows in outcomes.items()
    ]
    table = markup.table("outcomes", "How the answers were read", ["outcome", "rows", "share"], body) if body else ""
    return f'<div class="tiles">{"".join(tiles)}</div>{table}'


def has_unparseable(found: Measurement) -> bool:
    """Return whether some answers could not be read, or answers were parsed at all."""
    return not found.many and (found.evaluation.answers is not None or bool(found.confusion.n_unparsed))
