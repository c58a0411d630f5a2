"""Preview files under options, with the roles of their columns: run in the limited process that reads files."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from data.columns.name_ranks import VAGUE, names_confidence, rank
from data.errors import DataError
from data.process.limits import Limits, Progress
from data.reading.csv.preview import Previewed, preview_text
from data.reading.options import Preview, ReadOptions
from data.roles.detect import detect

_NAMED_ROLES = {
    "id": "id",
    "truth": "true label",
    "prediction": "predicted label",
    "raw": "raw answer",
    "score": "score",
}
_ROLES = {**_NAMED_ROLES, "confidence": "confidence"}


def work(arguments: dict[str, Any], limits: Limits, progress: Progress) -> list[list[dict[str, Any] | str]]:
    """Preview files in the limited process."""
    pairs = zip(arguments["files"], arguments["choices"], strict=True)
    return [
        [_preview_or_say(Path(path), name, values, limits) for values in choices] for (path, name), choices in pairs
    ]


def _preview_or_say(path: Path, name: str, values: dict[str, Any], limits: Limits) -> dict[str, Any] | str:
    try:
        return dataclasses.asdict(preview(path, name, ReadOptions.from_json(values), limits))
    except DataError as error:
        return str(error)


def preview(path: Path, name: str, options: ReadOptions, limits: Limits) -> Preview:
    """Preview one file.

    Raises
    ------
    DataError
        it is neither delimited text nor a workbook, or holds nothing.
    """
    previewed = preview_table(path, name, options, limits)
    return dataclasses.replace(previewed.preview, roles=_find_roles(previewed))


def preview_table(path: Path, name: str, options: ReadOptions, limits: Limits) -> Previewed:
    """Preview one file by its kind; errors as `preview`."""
    from data.limits import FILE_HEAD_BYTES
    from data.reading.encodings import decode
    from data.reading.formats import bare_name, recognise_name, recognise_text, settle_kind, unpack

    with path.open("rb") as file:
        named, _ = settle_kind(recognise_name(name), file.read(FILE_HEAD_BYTES))
    if named.kind == "workbook":
        from data.reading.binary.workbook import preview_workbook

        return preview_workbook(path, limits, options)
    if named.kind not in ("delimited", "json"):
        raise DataError("it is neither text nor a workbook.")
    data = path.read_bytes()
    data = unpack(data, named.packing, limits) if named.packing else data
    if recognise_text(data[:FILE_HEAD_BYTES], named.kind)[0] == "json":
        raise DataError("it is JSON, which has no delimiter.")
    text, bare = decode(data, options.encoding), bare_name(name)
    prefer = "\t" if bare.endswith((".tsv", ".tab")) else ","
    return preview_text(text.data, text.encoding, prefer, options, plain=bare.endswith(".txt"))


def _find_roles(previewed: Previewed) -> tuple[str, ...]:
    """Return the role of each column: as the first rows say, or as its name does where they do not say enough."""
    table = previewed.table
    try:
        roles = {role.column: role.role for role in detect(table).roles}
    except DataError:
        roles = {name: _role_by_name(name) for name in table.column_names}
    return tuple(_ROLES.get(roles.get(name, "").partition(" of ")[0], "") for name in table.column_names)


def _role_by_name(name: str) -> str:
    if names_confidence(name):
        return "confidence"
    ranks = {role: rank(name, role) for role in _NAMED_ROLES}
    known = {role: place for role, place in ranks.items() if place is not None and place < VAGUE}
    return min(known, key=lambda role: known[role]) if known else ""
