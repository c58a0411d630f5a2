"""Read values without what a library wrote around them, and without spaces that only fill up."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from data.columns.encoding import replace_texts
from text.quoting import list_items, quote

_SCALAR = re.compile(r"(?:np|numpy|jnp|torch)\.(?:u?int|float|bool|str)\d*_?\(([^()]*)\)")
"""A number as NumPy 2 writes it, also inside a list."""
_WRAPPED = re.compile(
    r"tensor\((?P<tensor>[^()]*?)(?:, (?:device|dtype|grad_fn|requires_grad)=[^,()]+)*\)|array\((?P<array>[^()]*?)"
    r"(?:, dtype=\w+)?\)|\[\s*(?P<only>[+-]?\d*\.\d+(?:e[+-]?\d+)?)\s*\]"
)
"""A value as a library writes it: a tensor, an array, or a list of a single fraction."""
_EXPONENT = re.compile(r"[+-]?\d\.\d+e[+-]\d{2,3}", re.ASCII)
"""A number as C's %e and NumPy's `savetxt` write it."""
_BYTES = re.compile(r"b'[^']*'|b\"[^\"]*\"")
_MARKS = re.compile(r"[(\[{'\"]")
_HEAD_CELLS = 100


def read_head(column: pa.Array | pa.ChunkedArray) -> list[str]:
    """Return the first cells of a column as text, without empty ones."""
    return [cell for cell in column.slice(0, _HEAD_CELLS).cast(pa.string()).to_pylist() if cell is not None]


def unwrap_values(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Read texts such as tensor(0.9), np.float64(0.9), [0.9] and b'cat' as the values inside; return also warnings.

    Cells that stand as they are in another column keep their columns as they are: [1.0] beside [1.0, 2.0].

    >>> table = pa.table({"y": ["b'cat'", "b'dog'"], "p": ["b'dog'", None]})
    >>> unwrap_values(table)[0].to_pydict()
    {'y': ['cat', 'dog'], 'p': ['dog', None]}
    """
    inside_by_column = {}
    for name in table.column_names:
        inside = _read_inside(table.column(name))
        if inside:
            inside_by_column[name] = inside
    if not inside_by_column or _stand_elsewhere(table, inside_by_column):
        return table, []
    warnings = []
    for name, inside in inside_by_column.items():
        example = next(value for value, text in inside.items() if value != text)
        warnings.append(
            f"Column {quote(name)} holds values such as {quote(example)}: read as {quote(inside[example])}."
        )
        table = replace_texts(table, name, inside)
    return table, warnings


def _read_inside(column: pa.ChunkedArray) -> dict[str, str]:
    """Return distinct cells of a column → the values inside; nothing where these stand in too few cells, or bare, too.

    Other cells, such as a failed answer, may stand between: fewer, without brackets or quotation marks.
    """
    if pa.types.is_floating(column.type):
        return {}
    first = next((cell for cell in read_head(column) if cell.strip()), "")
    if unwrap_value(first) == first:
        return {}
    values = column.unique().drop_null().cast(pa.string()).to_pylist()
    inside = {value: unwrap_value(value) for value in values}
    others = {value for value, text in inside.items() if value == text}
    unwrapped = {text for value, text in inside.items() if value != text}
    if others & unwrapped or len(others) >= len(unwrapped) or any(map(_MARKS.search, others)):
        return {}
    return inside


def unwrap_value(text: str) -> str:
    """Return the value inside what a library wrote around it, or without an exponent; else the text itself.

    >>> [unwrap_value(text) for text in ("tensor(0.9, device='cuda:0')", "[np.float64(0.9)]", "b'cat'", "[1]", "cat")]
    ['0.9', '0.9', 'cat', '[1]', 'cat']
    >>> [unwrap_value(text) for text in ("1.000000000000000000e+00", "-0.0e+00", "2.5e-01", "1e5")]
    ['1', '0', '0.25', '1e5']
    """
    if _EXPONENT.fullmatch(text):
        return repr(float(text) + 0.0).removesuffix(".0")  # -0.0 + 0.0 is 0.0
    if _BYTES.fullmatch(text):
        try:
            return str(ast.literal_eval(text).decode())
        except (ValueError, SyntaxError):
            return text
    text = _SCALAR.sub(r"\1", text)
    wrapped = _WRAPPED.fullmatch(text)
    return unwrap_value(wrapped[wrapped.lastgroup or 0]) if wrapped else text


def without_padding(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Take spaces off the cells of columns whose cells all have them, as behind every comma; return also a warning.

    Columns of few values alone, such as labels; a space that tells two values apart stays, in one column or in two.

    >>> table = pa.table({"y": ["cat", "dog"], "p": pa.array([" cat", " dog"]).dictionary_encode()})
    >>> without_padding(table)[0].column("p").to_pylist(), without_padding(table)[1]
    (['cat', 'dog'], ["Spaces at the ends of the cells of 'p' were left out, as they only fill up."])
    """
    trimmed_by_column = {}
    for name in table.column_names:
        column = table.column(name)
        if not pa.types.is_dictionary(column.type) or not any(_has_spaces(chunk.dictionary) for chunk in column.chunks):
            continue
        values = column.unique().drop_null().cast(pa.string())
        if _is_padded(values):
            trimmed = pc.utf8_trim_whitespace(values)
            trimmed_by_column[name] = dict(zip(values.to_pylist(), trimmed.to_pylist(), strict=True))
    if not trimmed_by_column or _stand_elsewhere(table, trimmed_by_column):
        return table, []
    for name, trimmed in trimmed_by_column.items():
        table = replace_texts(table, name, trimmed)
    named = list_items(trimmed_by_column, 4)
    return table, [f"Spaces at the ends of the cells of {named} were left out, as they only fill up."]


def _has_spaces(values: pa.Array) -> bool:
    """Return whether a value begins or ends with a space."""
    return not pc.utf8_trim_whitespace(values).equals(values)


def _is_padded(values: pa.Array) -> bool:
    """Return whether all values begin with spaces, or all end with them, or spaces make all of them equally long."""
    trimmed = pc.utf8_trim_whitespace(values)
    if not len(values) or trimmed.equals(values) or len(trimmed.unique()) < len(values):
        return False
    before = pc.all(pc.not_equal(pc.utf8_ltrim_whitespace(values), values)).as_py()
    behind = pc.all(pc.not_equal(pc.utf8_rtrim_whitespace(values), values)).as_py()
    return before or behind or len(pc.utf8_length(values).unique()) == 1


def _stand_elsewhere(table: pa.Table, plain_by_column: Mapping[str, Mapping[str, str]]) -> bool:
    """Return whether a cell that would change stands in another column, too, which would keep it."""
    changing = {value for plain in plain_by_column.values() for value, text in plain.items() if value != text}
    wanted = pa.array(sorted(changing), pa.string())
    for name in table.column_names:
        column = table.column(name)
        if name in plain_by_column or pa.types.is_floating(column.type):
            continue
        if pc.any(pc.is_in(column.unique().cast(pa.string()), value_set=wanted)).as_py():
            return True
    return False
