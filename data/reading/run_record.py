"""Read the footer of a Parquet file that `cli.py run` or the client wrote: model, label list, parser, scale, sample.

A file may say anything there: it is read as a claim of whoever wrote the file, within limits, and shown as text.
"""

from __future__ import annotations

import json
from typing import Any, cast, get_args

from data import environment
from data.errors import DataError
from data.evaluation import Scale
from data.limits import RUN_RECORD_BYTES
from data.parser.parser import Parser
from text.numbers import count
from text.quoting import list_items, quote

RUN_METADATA = b"blindspot_run"


def read_run(content: bytes | None) -> tuple[str | None, tuple[str, ...]]:
    """Return label list, parser and scale of a run as JSON, and notes on how the file was made.

    Nothing is refused because of it: what cannot be used is left out, and a note says so.

    >>> read_run(None), read_run(b"{}")[0]
    ((None, ()), None)
    """
    if content is None:
        return None, ()
    try:
        found: dict[str, Any] = json.loads(content[: RUN_RECORD_BYTES + 1])
        labels, parser = _labels(found["labels"]), found.get("parser")
        read = None if parser is None else Parser.from_json(parser).to_json()
        choices = {"labels": labels, "parser": read, "scale": _scale(found.get("scale"))}
        return json.dumps(choices), (_sentence(found, labels, parser),)
    except (DataError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None, (
            "The file says that a run of Blindspot wrote it, but not how: name label list and parser by hand.",
        )


def run_choices(run: str) -> tuple[tuple[str, ...], Parser | None, Scale | None]:
    """Return label list, parser and scale of scores that `read_run` gave; drafts of before have no scale."""
    found = json.loads(run)
    parser = None if found["parser"] is None else Parser.from_json(found["parser"])
    return tuple(found["labels"]), parser, found.get("scale")


def _scale(value: Any) -> Scale | None:
    """Return the scale of the scores; ValueError where it is none."""
    if value is None or value in get_args(Scale):
        return cast("Scale | None", value)
    raise ValueError


def _labels(values: Any) -> list[str]:
    """Return a label list; ValueError where it is none."""
    right = isinstance(values, list) and all(isinstance(label, str) and label.strip() for label in values)
    if not right or not 0 < len(values) == len(set(values)) <= environment.value("BLINDSPOT_CLASSES"):
        raise ValueError
    if any("\ud800" <= character <= "\udfff" for label in values for character in label):
        raise ValueError
    return list(values)


def _sentence(found: dict[str, Any], labels: list[str], parser: Any) -> str:
    """Return how the file was made, for the receipt."""
    identity, sample = dict(found["identity"]), dict(found["sample"])
    parts = [f"model {quote(identity['model'], 60)}"]
    if "revision" in identity:
        parts.append(f"revision {quote(str(identity['revision'])[:12])}")
    if "prompt" in identity:
        parts.append(f"prompt {quote(str(identity['prompt'])[:12])}")
    parts.append(f"{count(int(sample['rows']))} of {int(found['data']['rows']):,} ({quote(sample['how'])})")
    parts.append(f"label list of {count(len(labels), 'label')}")
    if "scale" in found:
        parts.append(f"scores on the scale {quote(found['scale'])}")
    if parser is not None:
        parts.append(f"parser {quote(parser['name'])}")
    return f"Written by a run of Blindspot: {list_items(parts, limit=len(parts), characters=100, quoted=False)}."
