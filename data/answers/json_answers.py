"""Read one field of a JSON object in an answer, alone or inside other text."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from data.answers.vocabulary import ROOM, Vocabulary, lower_ascii
from data.limits import MAX_JSON_ANSWER_BYTES, MAX_JSON_ANSWER_DEPTH, MAX_JSON_ANSWER_FIELDS

LABEL_FIELDS = ("label", "answer", "final_answer", "prediction", "class", "category", "intent", "sentiment", "verdict")
"""Fields that hold the label where several hold one, the surest first."""

_DECODER = json.JSONDecoder(strict=False)  # made once: to make it takes as long as to read a short answer


def read_field(text: str, names: Sequence[str], vocabulary: Vocabulary) -> str | None:
    """Return the value of a field of the object in an answer; None where there is no such field, or no object.

    names : fields in order of preference, casefolded, the shallowest first; empty = the one text field that is a
        label when normalised.

    >>> known = Vocabulary(("ham", "spam"))
    >>> read_field('Sure: {"label": "ham", "why": "it is"}', [], known), read_field('{"why": 1}', [], known)
    ('ham', None)
    """
    start, end = text.find("{"), text.rfind("}") + 1
    if (
        start < 0
        or end <= start
        or end - start > MAX_JSON_ANSWER_BYTES
        or len(text[start:end].encode()) > MAX_JSON_ANSWER_BYTES
    ):
        return None
    fence = lower_ascii(text).rfind("```json") if "```" in text else -1
    fenced = text.find("{", fence) if fence >= 0 else -1
    for begins in dict.fromkeys((start, fenced, text.rfind("{"))):
        fields = _read_object(text[begins:end]) if 0 <= begins < end else None
        if fields is not None:
            return _find_named(fields, names) if names else _only_label(fields, vocabulary)
    return None


def _read_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is; None if it is none."""
    if text[1:].lstrip()[:1] != '"' or text.count("{") + text.count("[") > MAX_JSON_ANSWER_DEPTH:
        return None
    try:
        fields = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _find_named(fields: dict[str, Any], names: Sequence[str]) -> str | None:
    """Return the value of the first of the names that is there, in this object or in those inside it."""
    objects = list(_iterate_objects(fields))
    for name in names:
        for fields_of_object in objects:
            for key, value in fields_of_object.items():
                if key.casefold() == name and (text := _as_text(value)) is not None:
                    return text
    return None


def _iterate_objects(fields: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an object and those inside it, the outer ones first; at most some hundred."""
    queue: deque[Any] = deque([fields])
    for _ in range(MAX_JSON_ANSWER_FIELDS):
        if not queue:
            return
        item = queue.popleft()
        if isinstance(item, dict):
            yield item
            queue.extend(value for value in item.values() if isinstance(value, dict | list))
        else:
            queue.extend(value for value in item if isinstance(value, dict | list))


def _as_text(value: Any) -> str | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    return json.dumps(value) if isinstance(value, bool | int | float) else None


def _only_label(fields: dict[str, Any], vocabulary: Vocabulary) -> str | None:
    """Return the text of the only label among the values of an object, however often it is there.

    A number counts in a field that is named like a label: elsewhere it may be a score. Of several labels, the one in
    such a field counts. Without a label, the text of the surest such field is what the answer says.
    """
    named = {name.casefold(): value for name, value in fields.items()}
    plain = {name: value for name, value in named.items() if isinstance(value, str) or name in LABEL_FIELDS}
    texts = {name: text for name, value in plain.items() if (text := _as_text(value)) is not None}
    codes = {name: code for name, text in texts.items() if (code := _find_code(text, vocabulary)) is not None}
    if len(set(codes.values())) > 1:
        codes = {name: codes[name] for name in LABEL_FIELDS if name in codes}
    if not codes:
        return next((text for name in LABEL_FIELDS if (text := texts.get(name)) is not None), None)
    return texts[next(iter(codes))]


def _find_code(text: str, vocabulary: Vocabulary) -> int | None:
    if len(text) > vocabulary.longest + ROOM:
        return None
    code = vocabulary.exact.get(text, -1)
    code = vocabulary.read_normalised(text) if code < 0 else code
    return None if code < 0 else code
