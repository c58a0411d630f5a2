"""Small records as they are stored: JSON in exactly one spelling, with a checksum in front, at most 64 kB.

Any changed byte makes another spelling or another checksum, so damage is told from content.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from data.errors import DataError
from data.limits import MAX_RECORD_BYTES

FORMAT = 1
_HEAD, _MIDDLE, _TAIL = b'{"checksum":"', b'","record":', b"}\n"
_DIGEST = 64
_DAMAGED = "What is stored behind this link is damaged; ask for a new link, or upload the file again."


class Damaged(DataError):
    """An error: what is stored is not what was written."""


class Newer(DataError):
    """An error: what is stored was written by a newer version of the program."""


def encode(record: dict[str, Any]) -> bytes:
    """Return a record as bytes.

    Raises
    ------
    DataError
        it takes more than 64 kB.

    Examples
    --------
    >>> decode(encode({"title": "nightly"}))
    {'title': 'nightly'}
    """
    text = json.dumps({**record, "format": FORMAT}, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")
    content = _seal(text)
    if len(content) > MAX_RECORD_BYTES:
        raise DataError(
            f"The settings and notes of this evaluation take {len(content) >> 10:,} kB; at most "
            f"{MAX_RECORD_BYTES >> 10} kB can be kept. Use fewer or shorter column names, labels and notes."
        )
    return content


def _seal(text: bytes) -> bytes:
    return _HEAD + hashlib.sha256(text).hexdigest().encode() + _MIDDLE + text + _TAIL


def decode(content: bytes) -> dict[str, Any]:
    """Read back what `encode` wrote.

    Raises
    ------
    Damaged
        a byte is not as it was written.
    Newer
        a newer version wrote it.
    """
    text = content[len(_HEAD) + _DIGEST + len(_MIDDLE) : -len(_TAIL)]
    if len(content) > MAX_RECORD_BYTES or content != _seal(text):
        raise Damaged(_DAMAGED)
    try:
        record: dict[str, Any] = json.loads(text)
        newer = record.pop("format") > FORMAT
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Damaged(_DAMAGED) from None
    if newer:
        raise Newer("A newer version of Blindspot made this link; update the server to open it.")
    return record
