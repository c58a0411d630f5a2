"""Draw an ordinary file of predictions from a seed."""

import random
from collections.abc import Callable
from functools import partial

from tests.ordinary_files import words
from tests.ordinary_files.answers import draw_answers
from tests.ordinary_files.brought import draw_joined_sets, draw_marks, draw_two_models
from tests.ordinary_files.decisions import draw_decisions
from tests.ordinary_files.drawn import Columns, Drawn, Reading, Sheet, write
from tests.ordinary_files.encodings import (
    draw_awkward_labels,
    draw_gaps,
    draw_models,
    draw_numbered_scores,
    draw_scores_as_predictions,
)
from tests.ordinary_files.label_sets import draw_flags, draw_sets
from tests.ordinary_files.long_form import (
    draw_flag_lines,
    draw_label_lines,
    draw_score_lines,
    draw_score_lines_and_labels,
)
from tests.ordinary_files.single_label import (
    draw_class_scores,
    draw_counts,
    draw_labels,
    draw_matrix,
    draw_positive_score,
    draw_raters,
)
from tests.ordinary_files.tool_tables import draw_idle_scores, draw_parts, draw_tool_tables
from tests.ordinary_files.two_files import split_files
from tests.ordinary_files.variations import repeat_rows, take_more_away, vary

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
    "lines of flags": (1, draw_flag_lines),
    "lines of scores": (2, draw_score_lines),
}
"""Kind → (its share of the files, what draws it); the other files are two."""
_SHARE_OF_TWO = 16
_LATER: dict[str, Callable[[random.Random], tuple[Sheet, Reading]]] = {
    "awkward labels": draw_awkward_labels,
    "scores as predictions": draw_scores_as_predictions,
    "numbered scores": draw_numbered_scores,
    "models": draw_models,
    "rows without a truth": draw_gaps,
}
_SHARE_OF_LATER = 0.15
_SHARE_OF_MARKED = 0.03
_NEWEST: dict[str, Callable[[random.Random], tuple[Sheet, Reading]]] = {
    "decisions": draw_decisions,
    "two models": draw_two_models,
    "marks for none": draw_marks,
    "joined sets": draw_joined_sets,
}
_SHARE_OF_NEWEST = 0.1
_LATEST: dict[str, Callable[[random.Random], tuple[Sheet, Reading]]] = {
    "tool tables": draw_tool_tables,
    "idle scores": draw_idle_scores,
    "parts below each other": draw_parts,
}
_SHARE_OF_LATEST = 0.08
"""Kinds that came later, each chosen by a number of its own: so every other seed stays the file that it was."""
_SPLIT: dict[str, Callable[[random.Random], tuple[Sheet, Columns, Columns, Reading]]] = {
    **{
        kind: partial(split_files, draw=_KINDS[kind][1])
        for kind in ("labels", "positive score", "class scores", "sets")
    },
    "lines of scores": draw_score_lines_and_labels,
    "lines of labels": draw_label_lines,
}
_SHARES_OF_TWO = (4, 2, 4, 2, 2, 1)
_FORMS = ("csv", "csv", "csv", "csv", "tsv", "jsonl", "json", "xlsx", "comma")


def draw_file(seed: int) -> Drawn:
    """Return the file, or the two files, of a seed: always the same one."""
    latest = random.Random(f"{seed} latest")
    if latest.random() < _SHARE_OF_LATEST:
        kind = latest.choice(list(_LATEST))
        return _draw_one(seed, latest, kind, _LATEST[kind])
    newest = random.Random(f"{seed} newest")
    if newest.random() < _SHARE_OF_NEWEST:
        kind = newest.choice(list(_NEWEST))
        return _draw_one(seed, newest, kind, _NEWEST[kind])
    later = random.Random(f"{seed} later")
    if later.random() < _SHARE_OF_LATER:
        kind = later.choice(list(_LATER))
        return _draw_one(seed, later, kind, _LATER[kind])
    marked = random.Random(f"{seed} marks")
    if marked.random() < _SHARE_OF_MARKED:
        return _draw_one(seed, marked, "marked answers", partial(draw_answers, labels=words.MARKED))
    chance = random.Random(seed)
    kind = chance.choices([*_KINDS, "two files"], [*(share for share, _ in _KINDS.values()), _SHARE_OF_TWO])[0]
    form = chance.choice(_FORMS)
    if kind == "two files":
        return _draw_two(seed, chance, form)
    sheet, reading = _KINDS[kind][1](chance)
    form = "csv" if kind == "matrix" else form
    columns = sheet.columns(shuffled=kind != "matrix" and chance.random() < 0.35)
    if kind not in ("counts", "answers"):
        columns, reading = vary(sheet, columns, reading)
    if kind in ("labels", "class scores", "positive score", "sets", "flags"):
        columns, reading = take_more_away(random.Random(f"{seed} more"), sheet, columns, reading)
    files = ((_name_file(kind.replace(" ", "_"), form), write(columns, form)),)
    return Drawn(seed, kind, (*sheet.traits, form), files, reading)


def _draw_one(
    seed: int, chance: random.Random, kind: str, draw: Callable[[random.Random], tuple[Sheet, Reading]]
) -> Drawn:
    form = chance.choice(_FORMS)
    sheet, reading = draw(chance)
    columns = sheet.columns(shuffled=chance.random() < 0.35)
    return Drawn(seed, kind, (*sheet.traits, form), ((_name_file(kind.replace(" ", "_"), form), write(columns, form)),),
                 reading)  # fmt: skip


def _draw_two(seed: int, chance: random.Random, form: str) -> Drawn:
    """Draw predictions and labels; in some files rows of the predictions twice, or the files the wrong way round."""
    of = chance.choices(list(_SPLIT), _SHARES_OF_TWO)[0]
    sheet, predictions, labels, reading = _SPLIT[of](chance)
    by_id = not any(trait.startswith("joined by row order") for trait in sheet.traits)
    if by_id and chance.random() < 0.1:
        predictions = repeat_rows(chance, sheet, predictions)
    parts = [predictions, labels]
    if chance.random() < 0.08 and not any(" (labels)" in name for name in reading.roles["truth"]):
        sheet.traits.append("the wrong way round")
        parts.reverse()
    names = (_name_file("predictions", form), _name_file("labels", form))
    files = tuple((name, write(part, form)) for name, part in zip(names, parts, strict=True))
    return Drawn(seed, f"two files: {of}", (*sheet.traits, form), files, reading)


def _name_file(stem: str, form: str) -> str:
    return f"{stem}.{'csv' if form == 'comma' else form}"
