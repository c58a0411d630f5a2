"""Read the footer of a Parquet file that `cli.py run` or the client wrote: model, label list, parser, scale, sample.

A file may say anything there: it is read as a claim of whoever wrote the file, within limits, and shown as text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from data import environment
from data.errors import DataError
from data.evaluation import Scale
from data.limits import RUN_RECORD_BYTES
from data.parser.parser import Parser
from text.numbers import count, verb
from text.quoting import list_items, quote

RUN_METADATA = b"blindspot_run"
_COMPARED = ("model", "revision", "server", "settings", "prompt", "label list", "few shots", "data", "sample", "parser")


def read_run(content: bytes | None) -> tuple[str | None, tuple[str, ...]]:
    """Return label list, parser, scale and digests of a run as JSON, and notes on how the file was made.

    Nothing is refused because of it: what cannot be used is left out, and a note says so.

    >>> read_run(None), read_run(b"{}")[0]
    ((None, ()), None)
    """
    if content is None:
        return None, ()
    try:
        record: dict[str, Any] = json.loads(content[: RUN_RECORD_BYTES + 1])
        labels, parser = _labels(record["labels"]), record.get("parser")
        read = None if parser is None else Parser.from_json(parser).to_json()
        choices = {"labels": labels, "parser": read, "scale": _scale(record.get("scale")), "made": _digests(record)}
        return json.dumps(choices), (_sentence(record, labels, parser),)
    except (DataError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None, (
            "The file says that a run of Blindspot wrote it, but not how: name label list and parser by hand.",
        )


def run_choices(run: str) -> tuple[tuple[str, ...], Parser | None, Scale | None]:
    """Return label list, parser and scale of scores that `read_run` gave; drafts of before have no scale."""
    record = json.loads(run)
    parser = None if record["parser"] is None else Parser.from_json(record["parser"])
    return tuple(record["labels"]), parser, record.get("scale")


def find_run_differences(runs: Sequence[str | None]) -> str:
    """Return what differs between the runs of Blindspot that wrote files, as a sentence; "" where others did.

    >>> find_run_differences(['{"made": {"model": "1", "prompt": "2"}}', '{"made": {"model": "3", "prompt": "2"}}'])
    'Runs of Blindspot wrote these files. They differ in model; prompt is the same.'
    """
    made = [json.loads(run).get("made") for run in runs if run is not None]
    if len(made) < max(2, len(runs)) or not all(made):
        return ""
    names = [name for name in _COMPARED if any(name in digests for digests in made)]
    differ = [name for name in names if len({digests.get(name) for digests in made}) > 1]
    same = [name for name in names if name not in differ]
    parts = [f"They differ in {list_items(differ, len(differ), quoted=False)}" if differ else "They do not differ"]
    if differ and same:
        parts.append(f"{list_items(same, len(same), quoted=False)} {verb(len(same), 'is')} the same")
    return f"Runs of Blindspot wrote these files. {'; '.join(parts)}."


def _digests(record: Mapping[str, Any]) -> dict[str, str]:
    """Return a digest of all that makes one run another: it takes little room, whatever the file says."""
    values = {
        **dict(record["identity"]),
        **{name: record[name] for name in ("sample", "data", "parser") if name in record},
    }
    texts = {name: json.dumps(values[name], sort_keys=True) for name in _COMPARED if name in values}
    return {name: hashlib.sha256(text.encode()).hexdigest()[:12] for name, text in texts.items()}


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


def _sentence(record: dict[str, Any], labels: list[str], parser: Any) -> str:
    """Return how the file was made, for the receipt."""
    identity, sample = dict(record["identity"]), dict(record["sample"])
    parts = [f"model {quote(identity['model'], 60)}"]
    if "revision" in identity:
        parts.append(f"revision {quote(str(identity['revision'])[:12])}")
    if "prompt" in identity:
        parts.append(f"prompt {quote(str(identity['prompt'])[:12])}")
    parts.append(f"{count(int(sample['rows']))} of {int(record['data']['rows']):,} ({quote(sample['how'])})")
    parts.append(f"label list of {count(len(labels), 'label')}")
    if "scale" in record:
        parts.append(f"scores on the scale {quote(record['scale'])}")
    if parser is not None:
        parts.append(f"parser {quote(parser['name'])}")
    return f"Written by a run of Blindspot: {list_items(parts, limit=len(parts), characters=100, quoted=False)}."
