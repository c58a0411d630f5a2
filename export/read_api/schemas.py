"""JSON Schemas of the answers, from their types and the registry of metrics."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from export.numbers import FORMAT
from metrics.catalogue.registry import ROWS
from metrics.finding import SEVERITIES
from metrics.intervals.statistic import Interval

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"}, int: {"type": "integer"}, bool: {"type": "boolean"}, Any: {},
    float: {"type": ["number", "null"]}, type(None): {"type": "null"},
}  # fmt: skip
"""JSON of plain types; a float is null where it is undefined."""


_NO_INTERVAL = Interval(0.0, 0.0, 0.0, 0.0, "", 0.0, 0, None)


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the schema of a type: a tuple of named fields is an object with exactly these.

    >>> schema_of(Sequence[int])
    {'type': 'array', 'items': {'type': 'integer'}}
    """
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(argument) for argument in arguments]}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    if origin is not None and issubclass(origin, Sequence):
        return {"type": "array", "items": schema_of(arguments[0])}
    fields = {name: schema_of(of) for name, of in get_type_hints(kind).items()}
    return object_schema(fields)


def numbers_schema() -> dict[str, Any]:
    """Return the schema of `/numbers`, which is that of the exported file: every number of the registry by its key."""
    numbers = {row.key: {"type": ["number", "null"], "title": row.title, "description": row.definition} for row in ROWS}
    bounds = schema_of(Interval)["properties"]
    interval = object_schema({name: bounds[name] for name in _NO_INTERVAL.to_json()})
    interval["properties"]["effective_n"] = {"type": "number"}  # of rows with weights alone
    interval["properties"]["few_decide"] = {"const": True}  # only where few rows decide it
    finding = {"code": {"type": "string"}, "severity": {"enum": list(SEVERITIES)}, "text": {"type": "string"}}
    text = {"type": "string"}
    fields: dict[str, Any] = {
        "format": {"const": FORMAT}, "blindspot": text, "made": text, "name": text, "fingerprint": text,
        "files": {"type": "array", "items": {"type": "object", "additionalProperties": text}},
        "settings": {"type": "object"}, "threshold": {"type": ["number", "null"]}, "view": {"type": "object"},
        "undefined": {"const": "null"},
        "numbers": {
            "type": "object",
            "properties": numbers | {
                "task": {"enum": ["binary", "multiclass", "multilabel"]},
                "n_rows": {"type": "integer"}, "n_scored": {"type": "integer"},
                "classes": {"type": "array", "items": text},
                "findings": {"type": "array", "items": object_schema(finding)},
                "findings_not_searched": {"type": "object", "additionalProperties": text},  # column: why
                "macro_gap": {"type": "object"},  # with its parts
                "weights": {"type": "object"},  # of rows with weights: their column, their sum, and what has none
            },
            "required": ["task", "n_rows", "n_scored", "classes", "findings"],
        },
        "intervals": {"type": "object", "additionalProperties": interval},
        "filter": {"type": "object"},
    }  # fmt: skip
    required = [name for name in fields if name != "filter"]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


def object_schema(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these fields."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
