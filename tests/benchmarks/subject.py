"""Name what the benchmarks measure of this tree: its functions, and what stands on its pages.

`paired.py` gives an older tree such a module of its own, so that the same work from outside measures both trees.
What needs more than numpy is imported where it is used: `peers.py` runs in an environment with little.
"""

import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from metrics.catalogue.registry import REGISTRY
from metrics.confusion import worst_confusions
from metrics.confusion.counts import ConfusionCounts, confusion_counts
from metrics.confusion.label_metrics import evenness as class_balance
from metrics.confusion.macro_gap import macro_gap
from metrics.outcomes import F1, PRECISION, RECALL
from metrics.scores.curves import (
    ScoreCounts,
    average_precision,
    precision_recall_curve,
    roc_auc,
    roc_curve,
    score_counts,
)
from metrics.thresholds.threshold_metrics import best_thresholds, rates_at

__all__ = [
    "REGISTRY", "ConfusionCounts", "ScoreCounts", "average_precision", "best_thresholds", "class_balance",
    "confusion_counts", "macro_gap", "per_class", "precision_recall_curve", "roc_auc", "roc_curve", "score_counts",
    "worst_confusions",
]  # fmt: skip

SERVER_FOLDERS = ("web", "data", "text", "assets")
"""The folders that `server.py` imports; the first holds `start.py`."""
OVERVIEW = '.st-key-heading h1:has-text("accurate")'
"""Stands on the page once a file that was opened has its numbers."""
CELL_SENTENCE = "{true} rows were predicted as {pred}"
CELL_ROWS = ".panel-list li"
EXPORT = "Export"
"""The page of the menu that has been renamed."""


def per_class(counts: ConfusionCounts) -> Any:
    """Return precision, recall and F1 of every class."""
    rates = {"precision": PRECISION, "recall": RECALL, "f1": F1}
    return SimpleNamespace(**{name: formula.value(counts) for name, formula in rates.items()})


def every_rate_at(counts: ScoreCounts, threshold: float) -> object:
    """Look one threshold up."""
    return rates_at(counts, threshold).to_dict()


def read_evaluation(path: Path, **given: Any) -> Any:
    """Read a file as the app does, in a child process, and build its evaluation."""
    from data.runs import load

    return load.read_evaluation([path], load.Given(**given))


def report_of(path: Path) -> object:
    """Return every number of a file."""
    from export.measurement import measure
    from export.numbers import values
    from metrics.findings.worst_parts import NO_PARTS

    return values(measure(read_evaluation(path), known_parts=NO_PARTS))


def read_table(path: Path) -> Any:
    """Read a file in the child process, and the Parquet that it wrote."""
    from data.store.store import read_canonical
    from tests.data.sandboxed import read_files

    with tempfile.TemporaryDirectory() as folder:
        return read_canonical(read_files([(path, path.name)], folder)[0].table_path)


def keep(path: Path) -> str:
    """Keep a file in the store; return its run."""
    from data.runs import load

    return load.keep(load.read_draft([(path, path.name)], load.Given()))


def read_again(evaluation: Any, word: str, label: str, *, last: bool) -> object:
    """Read answers under a parser whose last rule, or whose first, is another."""
    from data.building.rescoring import with_parser
    from data.parser.parser import STANDARD, Rule

    alias, tag = Rule("alias", (), ((word, label),)), Rule("strip_thinking", ("think", word))
    rules = (*STANDARD.rules, alias) if last else (tag, *STANDARD.rules[1:])
    return with_parser(evaluation, replace(STANDARD, name="edited", rules=rules))


def suggest(evaluation: Any) -> object:
    """Suggest changes of the parser."""
    from data.answers.suggestions import suggest_changes

    return suggest_changes(evaluation)
