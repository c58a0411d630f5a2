"""Draw an ordinary file of predictions from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.ordinary_files.answers import draw_answers
from tests.ordinary_files.drawn import Drawn, Reading, Sheet, write
from tests.ordinary_files.label_sets import draw_flags, draw_sets
from tests.ordinary_files.single_label import (
    draw_class_scores,
    draw_counts,
    draw_labels,
    draw_matrix,
    draw_positive_score,
    draw_raters,
)
from tests.ordinary_files.two_files import split_files

_KINDS: dict[str, tuple[int, Callable[[random.Random], tuple[Sheet, Reading]]]] = {
    "labels": (28, draw_labels),
    "positive score": (12, draw_positive_score),
    "class scores": (20, draw_class_scores),
    "sets": (9, draw_sets),
    "flags": (3, draw_flags),
    "matrix": (4, draw_matrix),
    "counts": (2, draw_counts),
    "raters": (2, draw_raters),
    "answers": (4, draw_answers),
}
"""Kind → (how many of 100 files, what draws it); the other files are two."""
_SPLIT = ("labels", "labels", "positive score", "class scores", "class scores", "sets")


def draw_file(seed: int) -> Drawn:
    """Return the file, or the two files, of a seed: always the same one."""
    chance = random.Random(seed)
    kinds = [*_KINDS, "two files"]
    shares = [*(share for share, _ in _KINDS.values()), 16]
    kind = chance.choices(kinds, shares)[0]
    form = chance.choice(("csv", "csv", "csv", "csv", "tsv", "jsonl"))
    if kind == "two files":
        of = chance.choice(_SPLIT)
        sheet, predictions, labels, reading = split_files(chance, _KINDS[of][1])
        files = ((f"predictions.{form}", write(predictions, form)), (f"labels.{form}", write(labels, form)))
        return Drawn(seed, f"two files: {of}", tuple(sheet.traits), files, reading)
    sheet, reading = _KINDS[kind][1](chance)
    form = "csv" if kind == "matrix" else form
    shuffled = kind != "matrix" and chance.random() < 0.35
    columns = sheet.columns(shuffled=shuffled)
    return Drawn(
        seed, kind, tuple(sheet.traits), ((f"{kind.replace(' ', '_')}.{form}", write(columns, form)),), reading
    )
