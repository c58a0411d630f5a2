"""Files, one a task and one of groups. Every label, column name, id, text and file name is an attempt at something."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from data.runs import load
from data.runs.draft import Given

ABROAD = "http://evil.example"
"""No test's browser finds it: asking for it is counted."""
LABELS = (
    f"<img src={ABROAD}/i.png onerror='window.hostile=1'>mk01",
    "<img src=x onerror=hostile=1>mk02",
    "<a href=javascript:hostile=1>mk03</a>",
    f"![mk04]({ABROAD}/m.png)",
    "[mk05](javascript:hostile=1)",
    f"{ABROAD}/mk06",
    "$\\rule{90em}{90em}mk07$",
    ":red[mk08]",
    ":material/skull:mk09 :smile:",
    "%{customdata}mk10 %{x}",
    "${mk11} {{7*7}}",
    "a\u202emk12\u200b\u2066",
    "`mk13``x` *y*",
    "</script><script>hostile=1</script>mk14",
    "=cmd|' /C calc'!A0mk15",
    "&lt;b&gt;mk16&amp;",
    "<svg onload=hostile=1>mk17",
    "**mk18** __init__ a -> b",
    "# mk19",
    "mk20 " + "long " * 150,
)
# Without a slash: what stands before one is no part of a name.
NAME = "![mk21](x)<b>mk22:red[mk23]$x$\u202e%{x}.jsonl"  # its marks stand in the 40 characters that are shown
TRUTH, PRED, RAW = "<img src=x onerror=hostile=1>mk24", ":red[mk25]", "$\\rule{9em}{9em}mk26$"
TEXT, ID, OTHER = f"![mk27]({ABROAD}/t.png)", "[mk28](javascript:hostile=1)", "=cmd|' /C calc'!A0mk29"
TITLE = f"![mk30]({ABROAD}/r.png) :red[mk31] <img src=x onerror=hostile=1>"
GROUPS = ("<b>mk35</b>", "%{y} mk36", "$mk37$", "mk38 " + "long " * 150, "a\u202emk39")
"""Names of groups, which a hover text names."""
NOTE = f"<img src=x onerror=hostile=1>mk32\n# mk33 ![mk34]({ABROAD}/n.png)"


class Case(NamedTuple):
    """A file and what is said of it while it is opened."""

    rows: list[dict[str, Any]]
    given: Given


def _around(i: int) -> dict[str, Any]:
    """The columns that are neither truth nor prediction."""
    text = f"{LABELS[i % len(LABELS)]} and {LABELS[(i * 7 + 3) % len(LABELS)]} in row {i}"
    return {TEXT: text, ID: f"{LABELS[i % len(LABELS)]}{i}", OTHER: LABELS[(i * 3) % len(LABELS)]}


def _pick(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes of truth and prediction: every class is there, two in three right, the last one never predicted."""
    chance = np.random.default_rng(5)
    true = np.arange(n) % k
    pred = np.where(chance.random(n) < 0.66, true, chance.integers(k, size=n))
    return true, np.where(pred == k - 1, 0, pred)


def multiclass() -> Case:
    """Every label, with a score for each."""
    true, pred = _pick(200, len(LABELS))
    chance = np.random.default_rng(6)
    columns = tuple(f"score {label}" for label in LABELS)
    rows = []
    for i, (t, p) in enumerate(zip(true, pred, strict=True)):
        scores = chance.dirichlet(np.ones(len(LABELS)))
        scores[p], scores[scores.argmax()] = scores.max(), scores[p]
        found = dict(zip(columns, scores.tolist(), strict=True))
        rows.append({TRUTH: LABELS[t], PRED: LABELS[p], **_around(i), **found})
    return Case(rows, Given(truth=TRUTH, pred=PRED))


def binary() -> Case:
    """Two labels and one score."""
    two, chance = (LABELS[1], LABELS[7]), np.random.default_rng(7)
    rows = []
    for i in range(120):
        true, score = i % 2, round(float(np.clip(chance.normal(0.35 + 0.3 * (i % 2), 0.2), 0, 1)), 3)
        rows.append({TRUTH: two[true], PRED: two[score >= 0.5], RAW: score, **_around(i)})
    return Case(rows, Given(truth=TRUTH, pred=PRED, scores=(RAW,), positive=two[1]))


def multilabel() -> Case:
    """Lists of labels, with a score for each."""
    few, chance = LABELS[:12], np.random.default_rng(8)
    rows = []
    for i in range(120):
        has = chance.random(len(few)) < 0.25
        scores = np.clip(chance.normal(0.3 + 0.4 * has, 0.2), 0, 1).round(3)
        names = [label for label, one in zip(few, has, strict=True) if one]
        predicted = [label for label, one in zip(few, scores, strict=True) if one >= 0.5]
        columns = {f"score_{label}": float(one) for label, one in zip(few, scores, strict=True)}
        rows.append({TRUTH: names, PRED: predicted, **_around(i), **columns})
    return Case(rows, Given(truth=TRUTH, pred=PRED))


def answers() -> Case:
    """A language model's answers, some of them unparseable."""
    true, pred = _pick(120, 10)
    rows = []
    for i, (t, p) in enumerate(zip(true, pred, strict=True)):
        said = f"I do not know {LABELS[15]}" if i % 11 == 0 else LABELS[p]
        rows.append({TRUTH: LABELS[t], RAW: said, **_around(i)})
    return Case(rows, Given(truth=TRUTH, raw=RAW, label_set=LABELS[:10]))


def groups() -> Case:
    """Two classes, and a column of five groups of 24 rows each."""
    rows = []
    for i in range(120):
        label = "yes" if i % 2 else "no"
        predicted = "yes" if i % 3 else "no"
        rows.append({"truth": label, "prediction": predicted, "group": GROUPS[i % len(GROUPS)]})
    return Case(rows, Given(truth="truth", pred="prediction", positive="yes"))


CASES: dict[str, Callable[[], Case]] = {
    "multiclass": multiclass, "binary": binary, "multilabel": multilabel, "answers": answers, "groups": groups,
}  # fmt: skip


def keep(case: Case, folder: Path) -> str:
    """Read a file as the app does and keep it as a draft in the store that BLINDSPOT_STORE names; returns its run."""
    path = folder / "upload"
    path.write_text("".join(json.dumps(row) + "\n" for row in case.rows), encoding="utf-8")
    draft = load.read_draft([(path, NAME)], case.given)
    assert not draft.problem, draft.problem
    return load.keep(draft)
