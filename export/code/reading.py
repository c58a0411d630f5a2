"""Code that reads the file(s) again with pandas: every cell as text, "" where it is empty."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from data.columns.column import distinct
from data.columns.column_names import LABELS_SUFFIX, PREDICTIONS_SUFFIX
from data.columns.run_columns import ALL_ROWS
from data.evaluation import Evaluation, FileFacts
from data.joining.join import marks
from export.code.literals import NotRepeatable, listing, literal
from text.numbers import rows

_PLAIN = (
    re.compile(r"[\d,]+ of [\d,]+ sampled lines? splits? into .*; the first is the header line \(.*\)\.", re.DOTALL),
    re.compile(r"Every line is one cell: no delimiter splits the lines alike; the first is the header line \(.*\)\."),
    re.compile(r"Read as .*", re.DOTALL),  # the encoding, which the code names
    re.compile(r"Column .*: [\d,]+ cells? of nothing but blanks counted as empty\.", re.DOTALL),
)
"""What a reader says of a file that pandas reads the same way."""
_IN_NO_FILE = "\x1f"
"""What separates the columns of a file that has one; readers refuse files that hold such control characters."""
_TEXT = (
    "def text(cell):",
    "    if isinstance(cell, (list, tuple, np.ndarray)):",
    "        return json.dumps(np.asarray(cell, dtype=object).tolist(), ensure_ascii=False)",
    '    if pd.api.types.is_scalar(cell) and pd.isna(cell):',
    '        return ""',
    "    return str(cell).lower() if isinstance(cell, (bool, np.bool_)) else str(cell)",
    "",
)  # fmt: skip


def reading(evaluation: Evaluation, columns: Sequence[str]) -> list[str]:
    """Lines that make `frame`, one text column for each of `columns`.

    Raises
    ------
    NotRepeatable
        pandas would not read the same table.
    """
    wanted = list(dict.fromkeys([*columns, *_only_column(evaluation)]))
    files = evaluation.receipt.files
    if not 1 <= len(files) <= 2:
        raise NotRepeatable("The evaluation does not say which file it was read from.")
    for column in wanted:
        if column not in evaluation.rows.column_names:
            raise NotRepeatable("A column was made while the file was read, so plain pandas has none to read it from.")
    lines = _one(evaluation, files[0], wanted) if len(files) == 1 else _two(evaluation, files, wanted)
    typed = any(file.format != "CSV" for file in files)
    return [*(_TEXT if typed else ()), *lines, *_only(evaluation)]


def _one(evaluation: Evaluation, file: FileFacts, columns: list[str]) -> list[str]:
    _check_columns(evaluation, file, columns, columns)
    return [*_read("frame", file, columns), f"assert len(frame) == {file.n_rows}, 'this is another file'"]


def _two(evaluation: Evaluation, files: Sequence[FileFacts], columns: list[str]) -> list[str]:
    join = evaluation.receipt.join
    if join is not None and join.repeated != "all":
        raise NotRepeatable("Rows that repeat an id of the join do not all count: leave them out of the files first.")
    several = join is not None and join.key is not None and any("," in name for name in join.key)
    if join is None or join.how == "file stem" or several:
        raise NotRepeatable("The two files were joined on parts of file names or on several columns: join them first.")
    sides = [(_side(evaluation, column)) for column in columns]
    own: list[list[str]] = [[], []]
    for place, name in sides:
        own[place].append(name)
    if join.how == "key":
        assert join.key is not None
        for place in (0, 1):
            own[place].append(join.key[place])
    lines: list[str] = []
    for place, variable in enumerate(("predictions", "labels_file")):
        names = list(dict.fromkeys(own[place]))
        kept = [c for c, (side, _) in zip(columns, sides, strict=True) if side == place]
        _check_columns(evaluation, files[place], kept, names)
        lines += [*_read(variable, files[place], names), f"assert len({variable}) == {files[place].n_rows}"]
    return [*lines, *_joined(evaluation, columns, sides)]


def _joined(evaluation: Evaluation, columns: list[str], sides: list[tuple[int, str]]) -> list[str]:
    join = evaluation.receipt.join
    assert join is not None
    if join.how == "row order":
        of = ("predictions", "labels_file")
        parts = [f"{literal(c)}: {of[s]}[{literal(n)}]" for c, (s, n) in _zip(columns, sides)]
        return [f"frame = pd.DataFrame({{{', '.join(parts)}}})  # row by row, in the order of the files"]
    assert join.key is not None
    ours, theirs = map(literal, join.key)
    parts = [
        f"{literal(c)}: predictions[{literal(n)}]" if s == 0
        else f'{literal(c)}: key.map(by_key[{literal(n)}]).fillna("")'
        for c, (s, n) in _zip(columns, sides)
    ]  # fmt: skip
    return [
        f"key = predictions[{ours}]",
        f'by_key = labels_file[labels_file[{theirs}] != ""].drop_duplicates({theirs}).set_index({theirs})',
        f"frame = pd.DataFrame({{{', '.join(parts)}}})",
        "both = key.isin(by_key.index).to_numpy()  # rows of one file only are not scored",
        f"assert both.sum() == {_n_both(evaluation)}, 'these are other files'",
        "frame = frame[both]",
    ]  # fmt: skip


def _zip(columns: list[str], sides: list[tuple[int, str]]) -> Iterable[tuple[str, tuple[int, str]]]:
    return zip(columns, sides, strict=True)


def _n_both(evaluation: Evaluation) -> int:
    if evaluation.settings.only not in (None, ALL_ROWS):
        raise NotRepeatable("Some rows of two joined files were chosen: join the files and choose the rows first.")
    no_truth, no_pred = marks(evaluation.rows)
    if no_truth is None or no_pred is None:
        return evaluation.n_lines
    return int((~(no_truth | no_pred)).sum())


def _side(evaluation: Evaluation, column: str) -> tuple[int, str]:
    """Which file a column of the joined table is from (0 = predictions), and what it is called there."""
    mark = (evaluation.rows.schema.field(column).metadata or {}).get(b"file", b"")
    place = {b"predictions": 0, b"labels": 1}.get(mark)
    if place is None:
        raise NotRepeatable("A column was made while the files were joined, so plain pandas has none to read it from.")
    suffix = (PREDICTIONS_SUFFIX, LABELS_SUFFIX)[place]
    known = evaluation.receipt.files[place].columns
    bare = column if column in known else column.removesuffix(suffix)
    return place, bare


def _check_columns(evaluation: Evaluation, file: FileFacts, joined: list[str], names: list[str]) -> None:
    """Refuse what pandas would read differently: converted formats, rewritten columns, numbers as labels."""
    for note in (*file.notes, *file.warnings):
        if not any(pattern.fullmatch(note) for pattern in _PLAIN):
            raise NotRepeatable(f"Reading {literal(file.name)} took more than pandas does by itself: {note}")
    if file.source is not None or file.format not in ("CSV", "JSON lines", "Parquet"):
        raise NotRepeatable(
            f"The file is {file.source or file.format}: its columns are made while it is read, which takes more than a "
            "few lines."
        )
    for name in names:
        if name not in file.columns or (file.format == "JSON lines" and "." in name):
            raise NotRepeatable("A column was made while the file was read, so plain pandas has none to read it from.")
    labels = {evaluation.settings.truth, evaluation.settings.pred, *(p for p, _ in evaluation.settings.truth_columns)}
    for column in joined:
        if column in labels and pa.types.is_floating(evaluation.rows.column(column).type):
            raise NotRepeatable("The labels are decimal numbers, which text readers may write in another way.")


def _read(variable: str, file: FileFacts, columns: list[str]) -> list[str]:
    name = literal(_bare(file.name))
    if file.format == "Parquet":
        return [
            f"{variable} = pq.read_table({name}, columns={listing(columns)})",
            f"{variable} = {variable}.to_pandas(ignore_metadata=True, types_mapper=pd.ArrowDtype)",
            f"{variable} = {variable}.astype(object).map(text)",
        ]
    encoding = _encoding(file)
    if file.format == "JSON lines":
        if file.compression is not None:
            raise NotRepeatable("The file is packed: unpack it first.")
        return [
            f"with open({name}, encoding={encoding}) as file:",
            "    records = [json.loads(line) for line in file if line.strip()]",
            f"{variable} = pd.DataFrame([{{c: r.get(c) for c in {listing(columns)}}} for r in records], dtype=object)",
            f"{variable} = {variable}.map(text)",
        ]
    lone = ", skip_blank_lines=False" if len(file.columns) == 1 else ""
    packed = f", compression={literal(file.compression)}" if file.compression else ""
    if file.delimiter == " ":
        raise NotRepeatable("The file is not delimited in a way that pandas reads alike.")
    separator = file.delimiter or _IN_NO_FILE
    return [
        f"{variable} = pd.read_csv({name}, sep={literal(separator)}, encoding={encoding}{packed}, dtype=str,",
        f"{' ' * (len(variable) + 15)}keep_default_na=False, index_col=False{lone},",
        f"{' ' * (len(variable) + 15)}usecols={listing(columns)})",
        f'{variable} = {variable}.fillna("")',
    ]  # fmt: skip


def _encoding(file: FileFacts) -> str:
    named = {"UTF-8 with byte order mark": "utf-8-sig"}
    try:
        found = codecs.lookup(named.get(file.encoding or "", file.encoding or "utf-8")).name
    except LookupError:
        raise NotRepeatable(f"Python knows no encoding called {literal(file.encoding)}.") from None
    return literal("utf-8-sig" if found == "utf-8" else found)


def _bare(name: str) -> str:
    """The name without folders or a scheme: code that is copied reads a file beside it, never an address."""
    return name.replace("\\", "/").rpartition("/")[2] or "file"


def _only_column(evaluation: Evaluation) -> list[str]:
    only = evaluation.settings.only
    return [] if only is None or only == ALL_ROWS else [only[0]]


def _only(evaluation: Evaluation) -> list[str]:
    """The rows that were chosen, where some were."""
    only = evaluation.settings.only
    if only is None or only == ALL_ROWS:
        return []
    column, value = only
    n = int(np.isin(distinct(evaluation.rows.column(column)).values, [value]).sum())
    if n != 1:
        raise NotRepeatable("The chosen rows cannot be told by one plain value.")
    said = f"frame = frame[frame[{literal(column)}] == {literal(value)}]"
    return [said, f"assert len(frame) == {evaluation.n_lines}, {literal('wanted: ' + rows(evaluation.n_lines))}"]
