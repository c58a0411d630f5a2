"""Draw the confusion matrix with its numbers as a table, and list the most frequent confusions."""

from __future__ import annotations

from dataclasses import replace

from export.measurement import Measurement
from export.pictures.matrix import Drawn, matrix_picture
from export.result.kinds import Amount, Cell, Column, Count, Label, Result, Share, Table
from export.tables import cell_table
from metrics.confusion.counts import UNPARSEABLE, ConfusionCounts
from metrics.confusion.standouts import matrix_title
from metrics.confusion.worst_confusions import Confusion, confusions
from text.visible import show

WORST = 20
TWIN = 25
"""Up to so many columns the table under the matrix is a matrix; beyond, it lists the cells that hold rows."""
CELLS = 1_000
_NO_LABEL = "no label found"


def confusion_result(measured: Measurement) -> Result:
    """Return the matrix as a picture and as a table."""
    counts = _named_counts(measured)
    drawn = draw_matrix(measured)
    table = _matrix(counts) if len(counts.labels) <= TWIN else _cells(measured)
    notes = [(note,) for note in drawn.notes]
    return Result("confusion", ("Confusion",), (), [table], notes, {}, pictures={"matrix": drawn.canvas})


def draw_matrix(measured: Measurement) -> Drawn:
    """Draw the matrix under its takeaway, with labels by their names."""
    return matrix_picture(_named_counts(measured), matrix_takeaway(measured))


def _named_counts(measured: Measurement) -> ConfusionCounts:
    """Return the confusion counts with labels by their names."""
    return replace(measured.weighted_confusion, labels=tuple(measured.names.values()))


def matrix_takeaway(measured: Measurement) -> str:
    """Say what the matrix shows first, in one sentence, plain text."""
    parts = matrix_title(_named_counts(measured))
    return "".join(part if isinstance(part, str) else show(part.name, 60) for part in parts)


def _matrix(counts: ConfusionCounts) -> Table:
    """Return a line for each true label, and a column for each prediction; cells are weights where rows have any."""
    kind: type[Count | Amount] = Count if counts.counted is None else Amount
    matrix = counts.matrix() if counts.counted is None else counts.matrix() * counts.unit
    titles: list[str | Label] = [Label(label) for label in counts.labels]
    titles += [_NO_LABEL] if counts.n_unparsed else []
    lines = zip(counts.labels, matrix[:, : len(titles)].tolist(), strict=True)
    rows: list[tuple[Cell, ...]] = [(Label(label), *(kind(n) for n in line)) for label, line in lines]
    columns = (Column("true", Label), *(Column(title, kind) for title in titles))
    title = "The matrix as a table: rows are true classes, columns predicted ones"
    title += "" if counts.counted is None else ", cells weights"
    return Table("matrix-table", title, columns, rows, "label", in_order=True, folded=True)


def _cells(measured: Measurement) -> Table:
    """Return a line for each cell that holds rows, the fullest first."""
    cells = cell_table(measured)
    shown = cells.head(CELLS).itertuples(index=False)
    weight = [Amount] if "sum of weights" in cells else []
    kinds: list[type[Label | Count | Amount | Share]] = [Label, Label, Count, *weight, Share]
    columns = tuple(map(Column, cells, kinds))
    rows = [tuple(kind(value) for kind, value in zip(kinds, line, strict=True)) for line in shown]
    left = f"; the first {CELLS:,} of {len(cells):,}" if len(cells) > CELLS else f": {len(cells):,}"
    title = f"Cells of the confusion matrix that hold rows{left}"
    return Table("matrix-table", title, columns, rows, "cell", folded=True)


def worst_result(measured: Measurement) -> Result:
    """List the fullest wrong cells."""
    counts = _named_counts(measured)
    every = confusions(counts)
    sentences = [] if every else [("No row is wrong.",)]
    true = Column("true rows", Count)
    weights = () if counts.counted is None else (Column("weight", Amount), Column("true weight", Amount))
    columns = (
        Column("true", Label), Column("predicted as", Label), Column("rows", Count), *(weights or (true,)),
        Column("share", Share),
    )  # fmt: skip
    rows = [_confusion(counts, confusion) for confusion in every[:WORST]]
    note = (f"The first {WORST} of {len(every):,} confusions.",) if len(every) > WORST else ()
    table = Table("worst-table", "Rows predicted as another class", columns, rows, "confusion", note=note)
    return Result("worst", ("Most frequent confusions",), sentences, [table] if rows else [], (), {})


def _confusion(counts: ConfusionCounts, confusion: Confusion) -> tuple[Cell, ...]:
    predicted = _NO_LABEL if confusion.pred == UNPARSEABLE else Label(counts.labels[confusion.pred])
    true, support = Label(counts.labels[confusion.true]), int(counts.support[confusion.true])
    if counts.counted is None:
        return true, predicted, Count(confusion.rows), Count(support), Share(confusion.share)
    rows = Count(counts.counted.count(confusion.true, confusion.pred))
    weights = Amount(confusion.rows * counts.unit), Amount(support * counts.unit)
    return true, predicted, rows, *weights, Share(confusion.share)
