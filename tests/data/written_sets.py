"""Sets of labels written in every way: name -> the tables (predictions, then labels)."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.data.evaluations import Multi
from tests.data.written import Table


def _sets(e: Multi, written: Callable[[list[str]], Any]) -> Table:
    """A column of sets each."""
    truth, pred = ([written(names) for names in e.sets(which)] for which in (e.truth, e.pred))
    return {"id": e.ids, "y_true": truth, "y_pred": pred}


def _columns(e: Multi, template: str, which: np.ndarray) -> Table:
    """A column a label."""
    return {template.format(name): which[:, code].tolist() for code, name in enumerate(e.labels)}


def _truth(e: Multi, template: str = "true_{}") -> Table:
    return _columns(e, template, e.truth.astype(int))


def _pred(e: Multi, template: str = "pred_{}") -> Table:
    return _columns(e, template, e.pred.astype(int))


def _lines(e: Multi) -> Table:
    """A line for every row and label."""
    found = [
        (i, *pair) for i, row in zip(e.ids, e.scores.tolist(), strict=True) for pair in zip(e.labels, row, strict=True)
    ]
    return {key: [line[place] for line in found] for place, key in enumerate(("id", "label", "score"))}


def _labels(e: Multi, delimiter: str) -> Table:
    return {"id": e.ids, "labels": _sets(e, delimiter.join)["y_true"]}


BOTH: dict[str, Callable[[Multi], list[Table]]] = {
    "bar": lambda e: [_sets(e, "|".join)],
    "semicolon": lambda e: [_sets(e, ";".join)],
    "semicolon and blank": lambda e: [_sets(e, "; ".join)],
    "comma": lambda e: [_sets(e, ",".join)],
    "JSON": lambda e: [_sets(e, json.dumps)],
    "Python": lambda e: [_sets(e, repr)],
    "Python tuple": lambda e: [_sets(e, lambda names: repr(tuple(names)))],
    "lists": lambda e: [_sets(e, list)],
    "0/1": lambda e: [_truth(e) | _pred(e)],
    "truth values": lambda e: [_columns(e, "true_{}", e.truth) | _columns(e, "pred_{}", e.pred)],
    "0/1 behind": lambda e: [{"id": e.ids} | _truth(e, "{}_true") | _pred(e, "{}_pred")],
    "0/1 and scores": lambda e: [_truth(e) | _pred(e) | _columns(e, "p_{}", e.scores)],
    "sets and scores": lambda e: [_sets(e, "|".join) | _columns(e, "p_{}", e.scores)],
    "two files": lambda e: [{"id": e.ids, "pred": _sets(e, "|".join)["y_pred"]}, _labels(e, ";")],
}
"""Truth and predictions."""

SCORES: dict[str, Callable[[Multi], list[Table]]] = {
    "0/1 and scores alone": lambda e: [{"id": e.ids} | _truth(e, "{}") | _columns(e, "p_{}", e.scores)],
    "scores and 0/1 apart": lambda e: [{"id": e.ids} | _columns(e, "{}", e.scores), {"id": e.ids} | _truth(e, "{}")],
    "scores and sets apart": lambda e: [{"id": e.ids} | _columns(e, "{}", e.scores), _labels(e, "|")],
    "long form and sets": lambda e: [_lines(e), _labels(e, "|")],
    "long form and 0/1": lambda e: [_lines(e), {"id": e.ids} | _truth(e, "{}")],
}
"""Truth and scores, from which the predictions are made at 0.5."""
