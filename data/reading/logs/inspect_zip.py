"""Inspect's .eval archives: a zip with a JSON file for every sample and epoch, packed with deflate or Zstandard.

Members are read one by one and nothing is written to disk, so their names are names only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.errors import DataError
from data.process.limits import Limits, Progress
from data.reading.cells import check_names, tidy
from data.reading.json.streams import decode, is_blank, past_space
from data.reading.logs.inspect_log import NAME, no_samples, sample_rows, say_status
from data.reading.logs.source import Row, Said, mapping
from data.reading.record_columns import Records
from data.reading.zip_archives import Zipped
from text.numbers import count
from text.quoting import quote

_WHAT = "an Inspect log (.eval)"
_HEADER = "header.json"
_STARTED = "_journal/start.json"
_SAMPLE = re.compile(r"samples/.+_epoch_\d+\.json", re.DOTALL)
_ODD_NAME = re.compile(r"^[/\\]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)|\\|[\x00-\x1f\x7f]")
_MEMBER_SHARE = 4


def read_eval(path: Path, limits: Limits, progress: Progress) -> tuple[pa.Table, dict[str, Any]]:
    """Read an .eval archive.

    Returns
    -------
    table : one row a sample and epoch.
    described : format, source, notes and warnings.

    Raises
    ------
    DataError
        The archive is damaged, encrypted, too large unpacked, or not of Inspect; a sample is not JSON.
    """
    said, records = Said(), Records(limits)
    with Zipped(path, limits, _WHAT) as archive:
        names = _samples(archive, limits)
        if archive.n_replaced:
            again = count(archive.n_replaced, "file")
            said.notes.append(f"{again} of the archive were written again: the last counts.")
        _say_header(archive, said)
        for row in sample_rows(_read(archive, names, progress), said):
            records.add(row)
    table = records.table()
    check_names(table.column_names, limits)
    table, notes, warnings = tidy(table, limits)
    return table, {
        "format": "Inspect log",
        "source": NAME,
        "notes": (*said.notes, *notes),
        "warnings": (*said.warnings, *records.warnings(), *warnings),
    }


def _samples(archive: Zipped, limits: Limits) -> list[str]:
    """The members that are samples.

    Raises
    ------
    DataError
        There are none, a name leads out of the archive, or one is too large to be read as a whole.
    """
    odd = next((name for name in archive.names if _ODD_NAME.search(name)), None)
    if odd is not None:
        raise DataError(f"the archive holds a file named {quote(odd)}, which leads out of it; Inspect writes no such.")
    if _HEADER not in archive.names and _STARTED not in archive.names:
        raise archive.damaged(f"it has neither {_HEADER} nor {_STARTED}")
    names = [name for name in archive.names if _SAMPLE.fullmatch(name)]
    if not names:
        raise no_samples()
    largest = max(names, key=archive.size)
    if archive.size(largest) > limits.expanded_bytes // _MEMBER_SHARE:
        raise DataError(f"the sample {quote(largest)} is too large to be read; its events are most of it.")
    return names


def _say_header(archive: Zipped, said: Said) -> None:
    """Whether the run came to its end; a log without a header is that of one that has not."""
    header = _json(archive, _HEADER) if _HEADER in archive.names else {"status": "started"}
    say_status(header.get("status"), said)


def _read(archive: Zipped, names: list[str], progress: Progress) -> Iterator[Row]:
    for place, name in enumerate(names):
        yield _json(archive, name)
        progress("reading", (place + 1) / len(names))


def _json(archive: Zipped, name: str) -> Row:
    where = f"the file {quote(name)} in the archive"
    try:
        text = archive.read(name).decode()
    except UnicodeDecodeError as error:
        raise DataError(f"{where} is not UTF-8 text (byte {error.start + 1:,}); write the log again.") from None
    value, end = decode(text, past_space(text, 0), where, cut_off=True, infinite=True)
    if not is_blank(text, end):
        raise DataError(f"{where} is not valid JSON: more text follows the object.")
    return mapping(value, 1, f"{where}: value")
