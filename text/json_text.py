"""Read JSON that may be none."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str | bytes) -> Any:
    """Return what a text holds as JSON; None where it is none, or nested too deeply.

    >>> read_json('{"a": 1}'), read_json("{")
    ({'a': 1}, None)
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
