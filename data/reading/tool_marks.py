"""Take off what some tools write around a label before the table is kept, and recognise the tool of a table."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from data.columns.encoding import encode, replace_texts
from data.columns.known_tools import Recognised
from data.columns.verdicts import AS_SCORED, choose_verdict, find_verdict_columns
from data.labels.cell_sets import parse_list
from text.json_text import read_json
from text.numbers import count
from text.quoting import list_items, quote

_PUNCTUATION = str.maketrans("", "", string.punctuation)


def _as_exact(text: str) -> str:
    """Return the text as Inspect's `exact` and lm-evaluation-harness with its options compare it."""
    bare = text.casefold().translate(_PUNCTUATION)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


FORMS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("as they are written", lambda text: text),
    ("without spaces at their ends", str.strip),
    ("without spaces at their ends and regardless of case", lambda text: text.strip().casefold()),
    (
        "without spaces and punctuation at their ends and regardless of case",
        lambda text: text.strip(string.whitespace + string.punctuation).casefold(),
    ),
    ("regardless of case, punctuation, articles and spaces", _as_exact),
)
"""Forms of a text for comparison, plainest first: a name, and the function."""
STRIPPED = 1
"""The form of a log without verdicts, of a tool that strips."""


def choose_form(
    truth: Sequence[str], pred: Sequence[str], truth_codes: np.ndarray, pred_codes: np.ndarray, verdicts: np.ndarray
) -> int:
    """Return the place in `FORMS` of the plainest form that agrees with most verdicts.

    Parameters
    ----------
    truth, pred : distinct texts. truth_codes, pred_codes : int (n,), -1 where a cell is empty.
    verdicts : float64 (n,), 1 = right, 0 = wrong, NaN = no verdict.

    >>> codes = np.array([0, 1])
    >>> choose_form([" ham", " spam"], ["ham", "eggs"], codes, codes, np.array([1.0, 0.0]))
    1
    """
    agreeing = []
    for _, form in FORMS:
        places: dict[str, int] = {}
        ours, theirs = (
            np.array([*(places.setdefault(form(text), len(places)) for text in texts), -1 - side])[codes]
            for side, (texts, codes) in enumerate(((truth, truth_codes), (pred, pred_codes)))
        )
        agreeing.append(int(((verdicts == 1) == (ours == theirs))[~np.isnan(verdicts)].sum()))
    return int(np.argmax(agreeing))


def read_labels(truth: Sequence[str], pred: Sequence[str], place: int) -> tuple[list[str], list[str]]:
    """Return distinct true labels without spaces at their ends, and predictions as the true label they are compared to.

    A prediction that two true labels could be stays as it is written, and true labels stay apart.

    >>> read_labels([" Ham", " spam"], ["ham.", "spam", "eggs"], 3)
    (['Ham', 'spam'], ['Ham', 'spam', 'eggs'])
    """
    if place == 0:
        return list(truth), list(pred)
    form, labels = FORMS[place][1], [text.strip() for text in truth]
    known, meant = set(labels), dict[str, set[str]]()
    for label in labels:
        meant.setdefault(form(label), set()).add(label)

    def read(text: str) -> str:
        bare = text.strip()
        meanings = meant.get(form(text), set())
        return bare if bare in known or len(meanings) != 1 else next(iter(meanings))

    return labels, [read(text) for text in pred]


_NUMBERED = re.compile(r"(\d+):(.*)", re.DOTALL)
_ESCAPED = re.compile(r"'(?=[\s\u200b-\u200d]*[=@+-])")
_NOT_SUBMITTED = ("draft", "discarded")
"""Statuses of an answer in Argilla that its person has not given, or has taken back."""
_LABEL_KEYS = ("label", "labels", "answer", "expected", "output", "class", "category", "prediction", "response")


def remove_tool_marks(table: pa.Table, known: Recognised) -> tuple[pa.Table, list[str]]:
    """Remove the marks that a tool puts around labels; return the table, and a sentence on every change.

    >>> from data.columns.known_tools import recognise
    >>> weka = pa.table({"inst#": ["1"], "actual": ["1:I"], "predicted": ["2:S"], "error": ["+"]})
    >>> found, notes = remove_tool_marks(weka, recognise(weka.column_names))
    >>> found.column("actual").to_pylist(), found.column("predicted").to_pylist(), len(notes)
    (['I'], ['S'], 1)
    """
    change = _CHANGES.get(known.tool)
    return change(table, known) if change is not None else (table, [])


def _clean_weka(table: pa.Table, known: Recognised) -> tuple[pa.Table, list[str]]:
    """Read `1:I` as the label I, which is the first of the labels, and `1:?` as a label that nobody knows."""
    names = [*known.columns["truth"][:1], *known.columns["pred"][:1]]
    cells = [encode(table.column(name)) for name in names]
    numbered = [[_NUMBERED.fullmatch(text) for text in encoded.dictionary.to_pylist()] for encoded in cells]
    pairs = {match.groups() for column in numbered for match in column if match and match[2] != "?"}
    consistent = len({number for number, _ in pairs}) == len(pairs) == len({label for _, label in pairs})
    if not pairs or not consistent or not all(match for column in numbered for match in column):
        return table, []
    for name, column in zip(names, numbered, strict=True):
        labels = {match[0]: match[2] for match in column if match}
        table = replace_texts(table, name, {text: None if label == "?" else label for text, label in labels.items()})
    notes = [f"The numbers in front of the labels in {list_items(names)} (1:label) were taken off."]
    unknown = sum(table.column(name).null_count for name in names) - sum(encoded.null_count for encoded in cells)
    return table, notes + ([f"{count(unknown, 'label')} written as ? counted as not known."] if unknown else [])


def _clean_promptfoo(table: pa.Table, known: Recognised) -> tuple[pa.Table, list[str]]:
    """Take off the apostrophe in front of what a spreadsheet would run as a formula."""
    changed = []
    for name in table.column_names:
        if pa.types.is_floating(table.column(name).type):
            continue
        encoded = encode(table.column(name))
        texts = {text: text[1:] if _ESCAPED.match(text) else text for text in encoded.dictionary.to_pylist()}
        if any(text != plain for text, plain in texts.items()):
            table = replace_texts(table, name, texts)
            changed.append(name)
    if not changed:
        return table, []
    return table, [
        f"The apostrophe that promptfoo puts in front of =, +, - and @ was taken off in {list_items(changed)}."
    ]


def _clean_phoenix(table: pa.Table, known: Recognised) -> tuple[pa.Table, list[str]]:
    """Read a reference or an answer that is a JSON object with one label in it as that label."""
    notes = []
    for name in (*known.columns["truth"][:1], *known.columns["pred"][:1]):
        texts = encode(table.column(name)).dictionary.to_pylist()
        values = [read_json(text) for text in texts]
        key = _find_label_key(values)
        if key is not None:
            plain = [_plain(value[key]) for value in values]
            notes.append(f"Column {quote(name)} holds JSON objects: {quote(key)} was taken from each.")
        elif values and all(isinstance(value, str) for value in values):
            plain = values
        else:
            continue
        table = replace_texts(table, name, dict(zip(texts, plain, strict=True)))
    return table, notes


def _clean_argilla(table: pa.Table, known: Recognised) -> tuple[pa.Table, list[str]]:
    """Read the label that all people submitted as the true one; where they differ, or nobody did, there is none."""
    notes = []
    for name in known.columns["truth"]:
        table, left_out = _without_unsubmitted(table, name)
        encoded = encode(table.column(name))
        lists: list[Any] = [_read_answers(text) for text in encoded.dictionary.to_pylist()]
        if not all(isinstance(answers, list | tuple) for answers in lists):
            notes += left_out
            continue  # one person's labels
        different = [{_plain(answer) for answer in answers if answer is not None} for answers in lists]
        labels = [next(iter(answers)) if len(answers) == 1 else None for answers in different]
        is_split = pa.array([len(answers) > 1 for answers in different], pa.bool_())
        n_split = is_split.take(encoded.indices).true_count
        table = replace_texts(table, name, dict(zip(encoded.dictionary.to_pylist(), labels, strict=True)))
        split = f" In {count(n_split, 'row')} they differ: no true label." if n_split else ""
        notes += [f"Column {quote(name)}: the label that all people gave is the true one.{split}", *left_out]
    return table, notes


def _without_unsubmitted(table: pa.Table, name: str) -> tuple[pa.Table, list[str]]:
    """Leave out people's drafts and what they discarded, by the column of their statuses; say how many."""
    if f"{name}.status" not in table.column_names:
        return table, [f"No status says which answers in {quote(name)} are drafts or discarded: all of them count."]
    answers = table.column(name).cast(pa.string()).to_pylist()
    statuses = table.column(f"{name}.status").cast(pa.string()).to_pylist()
    rows = list(zip(answers, statuses, strict=True))
    submitted = {row: _list_submitted(*row) for row in set(rows)}
    n_left_out = sum(submitted[row][1] for row in rows)
    cells = pa.array([submitted[row][0] for row in rows], pa.string()).dictionary_encode()
    place = table.schema.get_field_index(name)
    table = table.set_column(place, table.schema.field(place).with_type(cells.type), pa.chunked_array([cells]))
    if not n_left_out:
        return table, []
    return table, [f"{count(n_left_out, 'answer')} in {quote(name)} left out: drafts, or discarded."]


def _list_submitted(text: str | None, status: str | None) -> tuple[str | None, int]:
    """Return the cell of a record with the answers that people submitted, and how many they did not."""
    answers, statuses = _read_answers(text), _read_answers(status)
    if not isinstance(answers, list | tuple):  # of one person
        return (None, 1) if text is not None and status in _NOT_SUBMITTED else (text, 0)
    if not isinstance(statuses, list | tuple) or len(statuses) != len(answers):
        return text, 0
    kept = [answer for answer, status in zip(answers, statuses, strict=True) if status not in _NOT_SUBMITTED]
    return json.dumps(kept), len(answers) - len(kept)


def _read_answers(text: str | None) -> Any:
    """Return the answers that a cell lists, be they none; None where it is no list."""
    answers = None if text is None else read_json(text)
    return parse_list(text) if answers is None and text is not None else answers


def _as_scored(table: pa.Table, known: Recognised) -> tuple[pa.Table, list[str]]:
    """Read labels as the tool's own scorer compares them, by its verdicts; without verdicts, strip Inspect's."""
    truths, preds = known.columns["truth"], known.columns["pred"]
    if not truths or not preds or pa.types.is_floating(table.column(preds[0]).type):
        return table, []
    if len(preds) > 1 and known.alike("pred"):  # which of them counts is asked later
        return table, []
    truth, pred = (encode(table.column(name)) for name in (truths[0], preds[0]))
    if not all(pa.types.is_string(encoded.dictionary.type) for encoded in (truth, pred)):
        return table, []
    texts = [encoded.dictionary.to_pylist() for encoded in (truth, pred)]
    codes = [encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False) for encoded in (truth, pred)]
    right = np.array([*texts[0], None], dtype=object)[codes[0]] == np.array([*texts[1], ""], dtype=object)[codes[1]]
    verdict = choose_verdict(table, find_verdict_columns(table.column_names, known.tool, preds[0]), right)
    if verdict is None:
        place = STRIPPED if known.tool == "Inspect" else 0
    else:
        place = choose_form(texts[0], texts[1], codes[0], codes[1], verdict[1])
    read = read_labels(texts[0], texts[1], place)
    for name, before, after in zip((truths[0], preds[0]), texts, read, strict=True):
        table = replace_texts(table, name, dict(zip(before, after, strict=True))) if after != before else table
    if list(read) == texts:
        return table, []
    why = f", which agrees best with {quote(verdict[0])}" if verdict else ""
    names = list_items([truths[0], preds[0]])
    return table, [f"The labels in {names} are compared {FORMS[place][0]}, {AS_SCORED}{why}."]


def _promptfoo_as_scored(table: pa.Table, known: Recognised) -> tuple[pa.Table, list[str]]:
    table, notes = _clean_promptfoo(table, known)
    table, more = _as_scored(table, known)
    return table, notes + more


_CHANGES: dict[str, Callable[[pa.Table, Recognised], tuple[pa.Table, list[str]]]] = {
    "Weka": _clean_weka,
    "promptfoo": _promptfoo_as_scored,
    "Inspect": _as_scored,
    "lm-evaluation-harness": _as_scored,
    "OpenAI Evals": _as_scored,
    "Phoenix": _clean_phoenix,
    "Argilla": _clean_argilla,
}


def _find_label_key(values: Sequence[Any]) -> str | None:
    """Return the key whose plain value is the label: the only one, or the one that is called so."""
    if not values or not all(isinstance(value, dict) for value in values):
        return None
    keys = [key for key in values[0] if all(key in value and _is_plain(value[key]) for value in values)]
    if len(keys) == 1 and all(len(value) == 1 for value in values):
        return str(keys[0])
    return next((name for name in _LABEL_KEYS if name in keys), None)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def _plain(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)
