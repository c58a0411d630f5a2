"""Read names of one line: of an address, or typed by a person."""

from __future__ import annotations

import csv
import io


def read_names(text: str, *, is_typed: bool = False) -> tuple[str, ...]:
    r"""Read names between commas, as CSV: a name with a comma stands in quotation marks.

    is_typed : spaces around a name are no part of it.

    >>> read_names('a,"b,c"'), read_names(" a"), read_names("")
    (('a', 'b,c'), (' a',), ())
    >>> read_names('a , "b,c"=0.5', is_typed=True)
    ('a', 'b,c=0.5')
    """
    lines = csv.reader(io.StringIO(text, newline=""), skipinitialspace=is_typed)
    return tuple(name.strip() if is_typed else name for line in lines for name in line)
