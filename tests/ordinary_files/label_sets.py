"""Draw files with several labels a row: delimited, as lists, or as 0/1 columns."""

import json
import random
from collections.abc import Callable, Sequence

from tests.ordinary_files import rows, words
from tests.ordinary_files.drawn import Reading, Sheet
from tests.ordinary_files.extras import add_features, add_id, add_text, add_weights

Part = tuple[Sheet, Reading]
_WAYS: tuple[tuple[str, Callable[[Sequence[str]], object]], ...] = (
    ("|", "|".join),
    (",", ",".join),
    (", ", ", ".join),
    (";", ";".join),
    ("; ", "; ".join),
    ("json", lambda labels: json.dumps(list(labels))),
    ("python", lambda labels: str(list(labels))),
    ("list", list),
)


def draw_label_sets(
    sheet: Sheet, *, empty: bool = True
) -> tuple[Sequence[str], list[frozenset[str]], list[frozenset[str]]]:
    """Draw true and predicted sets; in some files rows without a label, also the last ones."""
    random = sheet.random
    labels = random.choice(words.TAGS)
    n, accuracy = random.choice(rows.N_ROWS), random.choice((0.9, 0.7, 1.0, 0.5))
    share = random.choice((0.0, 0.0, 0.2, 0.5)) if empty else 0.0
    truth = [frozenset() if random.random() < share else _draw_set(random, labels) for _ in range(n)]
    pred = [true if random.random() < accuracy else _change_set(random, true, labels) for true in truth]
    if share and random.random() < 0.5:
        n_last = random.randint(1, 2)
        truth[-n_last:] = pred[-n_last:] = [frozenset()] * n_last
        sheet.traits.append("empty sets at the end")
    sheet.traits += [f"{n} rows", f"{share} empty", f"labels {'/'.join(labels)}"]
    return labels, truth, pred


def _draw_set(random: random.Random, labels: Sequence[str]) -> frozenset[str]:
    return frozenset(random.sample(list(labels), random.choice((1, 1, 1, 2, 2, 3))))


def _change_set(random: random.Random, labels: frozenset[str], space: Sequence[str]) -> frozenset[str]:
    return labels ^ {random.choice(list(space))}


def draw_sets(random: random.Random) -> Part:
    """Draw a file whose cells hold several labels."""
    sheet = Sheet(random)
    labels, truth, pred = draw_label_sets(sheet)
    if not any(len(cell) > 1 for cell in (*truth, *pred)):
        truth[0] = frozenset(labels[:2])
        sheet.traits.append("one set")
    truth_name, pred_name = random.choice(words.SET_PAIRS)
    mark, join = random.choice(_WAYS)
    sheet.traits.append(f"written {mark}")
    add_id(sheet, len(truth))
    sheet.add(**{truth_name: [join(sorted(cell)) for cell in truth], pred_name: [join(sorted(cell)) for cell in pred]})
    add_text(sheet, len(truth))
    add_features(sheet, len(truth), 2)
    warned = add_weights(sheet, len(truth))
    roles = {"truth": [truth_name], "prediction": [pred_name]}
    return sheet, Reading(tuple(truth), tuple(pred), roles=roles, warned=warned)


def draw_flags(random: random.Random) -> Part:
    """Draw a file with 0/1 columns of every label, for truth and prediction."""
    sheet = Sheet(random)
    labels, truth, pred = draw_label_sets(sheet)
    (before, after), (of_pred, behind_pred) = random.choice(
        (
            (("true_", ""), ("pred_", "")), (("", "_true"), ("", "_pred")), (("gold_", ""), ("pred_", "")),
            (("", ""), ("pred_", "")), (("label_", ""), ("pred_", "")), (("y_true_", ""), ("y_pred_", "")),
            (("actual_", ""), ("predicted_", "")),
        )
    )  # fmt: skip
    add_id(sheet, len(truth))
    names = [f"{before}{label}{after}" for label in labels], [f"{of_pred}{label}{behind_pred}" for label in labels]
    for cells, columns in ((truth, names[0]), (pred, names[1])):
        sheet.add_block(
            {name: [int(label in cell) for cell in cells] for name, label in zip(columns, labels, strict=True)}
        )
    add_text(sheet, len(truth))
    sheet.traits.append(f"{before}*{after} beside {of_pred}*{behind_pred}")
    return sheet, Reading(tuple(truth), tuple(pred), roles={"truth": names[0], "prediction": names[1]})
