"""The one field that matters of an answer in JSON, alone or inside other text."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from data.answers.spans import Spans
from data.answers.vocabulary import ROOM, Vocabulary, bare, normalise

MAX_CHARACTERS = 20_000
"""Longer objects are not read."""
MAX_DEPTH = 100
MAX_FIELDS = 500


def field_values(spans: Spans, names: Sequence[str], vocabulary: Vocabulary) -> Spans:
    """The value of a field of the object in each answer.

    names : fields in order of preference, in any case, the shallowest first; empty = the one text field that is a
        label when normalised. Where there is no such field, or no object, the answer stays as it is.

    >>> from data.answers.spans import Texts
    >>> texts = Texts(pa.array(['Sure: {"label": "ham", "why": "it is"}', '{"why": 1}']))
    >>> field_values(texts.spans, [], Vocabulary(("ham", "spam"))).strings().to_pylist()
    ['ham', '{"why": 1}']
    """
    start, end = spans.first(b"{"), spans.last(b"}") + 1
    held = np.flatnonzero((start >= 0) & (end > start) & (end - start <= MAX_CHARACTERS))
    wanted = [name.casefold() for name in names]
    fenced, inner = spans.last(b"```json"), spans.last(b"{")
    found: dict[int, str] = {}
    read = _Labels(vocabulary)
    view = spans.texts.view
    for row in held.tolist():
        for begins in dict.fromkeys((int(start[row]), _after(spans, int(fenced[row])), int(inner[row]))):
            fields = _object(view, begins, int(end[row]))
            if fields is not None:
                value = _named(fields, wanted) if wanted else read.only_label(fields)
                if value is not None:
                    found[row] = value
                break
    return spans.replaced(np.array(list(found), dtype=np.int64), pa.array(list(found.values()), pa.string()))


def _after(spans: Spans, fence: int) -> int:
    return spans.texts.lower.find(b"{", fence) if fence >= 0 else -1


def _object(view: memoryview, start: int, end: int) -> dict[str, Any] | None:
    """The JSON object in some bytes; None if they are none."""
    if start < 0 or start >= end:
        return None
    text = str(view[start:end], "utf-8")
    if text[1:].lstrip()[:1] != '"' or text.count("{") + text.count("[") > MAX_DEPTH:
        return None
    try:
        fields = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _named(fields: dict[str, Any], names: Sequence[str]) -> str | None:
    """The value of the first of the names that is there, in this object or in those inside it."""
    objects = list(_objects(fields))
    for name in names:
        for one in objects:
            for key, value in one.items():
                if key.casefold() == name and (text := _as_text(value)) is not None:
                    return text
    return None


def _objects(fields: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An object and those inside it, the outer ones first; at most some hundred."""
    queue: deque[Any] = deque([fields])
    for _ in range(MAX_FIELDS):
        if not queue:
            return
        one = queue.popleft()
        if isinstance(one, dict):
            yield one
            queue.extend(value for value in one.values() if isinstance(value, dict | list))
        else:
            queue.extend(value for value in one if isinstance(value, dict | list))


def _as_text(value: Any) -> str | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    return json.dumps(value) if isinstance(value, bool | int | float) else None


class _Labels:
    """Which texts are labels; every text is looked at once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.known: dict[str, int | None] = {}

    def only_label(self, fields: dict[str, Any]) -> str | None:
        """The text of the only label among the values of an object, however often it is there."""
        texts = [value for value in fields.values() if isinstance(value, str)]
        named = {code: text for text in texts if (code := self._code(text)) is not None}
        return next(iter(named.values())) if len(named) == 1 else None

    def _code(self, text: str) -> int | None:
        if len(text) > self.vocabulary.longest + ROOM:
            return None
        if text not in self.known:
            exact = self.vocabulary.exact
            inner = exact.get(text, exact.get(bare(text)))
            self.known[text] = self.vocabulary.normalised.get(normalise(text)) if inner is None else inner
        return self.known[text]
