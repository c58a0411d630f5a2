"""Short Python that computes one metric again from prepared.parquet."""

from __future__ import annotations

import re

import numpy as np

from data.evaluation import Evaluation
from export.recompute.prepared import NAME, has_prepared, recomputed_metrics, template
from metrics.catalogue.metric import why_undefined
from metrics.catalogue.registry import REGISTRY

_BEFORE = {
    "confusion counts, one class": "o = outcomes(*one_class(p, k), p.{counted})",
    "score counts": "is_true, score, weight = scores_of(p, k)",
}


def list_offered_metrics(evaluation: Evaluation) -> list[str]:
    """Return the keys of the metrics that the file gives, in the order of the registry."""
    if not has_prepared(evaluation):
        return []
    return [m.key for m in recomputed_metrics(evaluation) if not why_undefined(evaluation, m.eats)]


def classes_of(evaluation: Evaluation, name: str) -> tuple[int, ...]:
    """Return the codes of the classes that a metric can be about, the usual one first; () for one about all."""
    eats = REGISTRY[evaluation.task, name].eats
    if eats not in _BEFORE:
        return ()
    y_true, weights = evaluation.y_true[evaluation.scored], evaluation.weights
    k = len(evaluation.labels)
    rows = None if weights is None else weights[evaluation.scored]
    ones = np.ones(len(y_true), dtype=np.int64) if rows is None else rows
    support = ones @ y_true if y_true.ndim == 2 else np.bincount(y_true, rows, minlength=k)
    codes = evaluation.score_codes if eats == "score counts" else range(k)
    first = max(codes, key=lambda code: (code == evaluation.positive, support[code]))
    return first, *(code for code in codes if code != first)


def python_snippet(evaluation: Evaluation, name: str, code: int | None = None) -> str:
    """Return code that prints one metric and leaves it in `value`; `code` is the class that it is about."""
    metric = REGISTRY[evaluation.task, name]
    counted = "rows" if metric.counts_rows else "weight"
    before = "" if code is None else _BEFORE[metric.eats].format(counted=counted)
    about = [] if code is None else [f"k = {code}  # {evaluation.labels[code]!a}", before]
    lines = [
        f'p = read_prepared("{NAME}")',
        *about,
        f"value = {metric.scikit_learn}",
        f"print({metric.title!a}, value)",
    ]
    head, *parts = re.split(r"(?m)^(?=def )", template().partition("\ndef recompute(")[0])
    functions = {part[4 : part.index("(")]: part.rstrip() for part in parts}
    used, new = set[str](), {"read_prepared"} | _find_called("\n".join(lines), functions)
    while new:
        used |= new
        new = {each for name in new for each in _find_called(functions[name].partition("\n")[2], functions)} - used
    imports = re.findall(r"(?m)^(?:import|from) .+$", head)
    body = "\n\n\n".join(functions[each] for each in functions if each in used)
    called = body + "\n".join(lines)
    needed = []
    for line in imports:
        names = [part.split()[-1] for part in line.split(",")]
        if re.search(rf"\b({'|'.join(names)})\b", called):
            needed.append(line)
    return "\n".join([*needed, "\n", body, "\n", *lines]) + "\n"


def _find_called(code: str, functions: dict[str, str]) -> set[str]:
    return set(re.findall(rf"(?<![.\w])(?:{'|'.join(functions)})\b", code))
