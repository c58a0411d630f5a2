"""Score a drawn file without options, as the command does, and judge the numbers by the true reading."""

import contextlib
import dataclasses
import io
import json
import math
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cli
from tests.ordinary_files.drawn import Drawn
from tests.ordinary_files.oracle import count_by_label, count_cells, measure_accuracy, measure_log_loss, measure_roc_auc

RIGHT, ASKED, REFUSED, WARNED, SILENT = "right", "asked", "refused", "wrong with a warning", "WRONG IN SILENCE"
OUTCOMES = (RIGHT, ASKED, REFUSED, WARNED, SILENT)
_GUESS = re.compile(r" Best guess: (?P<command>.*)$", re.MULTILINE)
_DOUBTS = re.compile(
    r"\b(weights?|sets?|several labels|roles?|transposed|other way round|rows are|differ only|each line)\b"
)


class Verdict(NamedTuple):
    """Say what became of a file, what is wrong, what was said, the roles taken, and what the best guess led to."""

    outcome: str
    wrong: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    guess: str = ""


def judge(drawn: Drawn, folder: Path) -> Verdict:
    """Score a file and judge it."""
    options = write_files(drawn, folder)
    status, out, err = run(options)
    if status != 0:
        guess = _try_guess(drawn, err) if not drawn.reading.open else ""
        contents = [content for _, content in drawn.files]
        is_own = len(contents) > len(set(contents))  # a perfect model's file, and its own labels: nobody can tell
        if drawn.reading.open or is_own:
            return Verdict(RIGHT, said=(err,))
        return Verdict(ASKED if re.search(r"[ (]--", err) else REFUSED, said=(err.strip(),), guess=guess)
    return judge_numbers(drawn, json.loads(out))


def write_files(drawn: Drawn, folder: Path) -> list[str]:
    """Write the files; return the arguments that score them."""
    for name, content in drawn.files:
        (folder / name).write_bytes(content)
    first, *labels = [str(folder / name) for name, _ in drawn.files]
    return [first, *(argument for name in labels for argument in ("--labels", name))]


def run(arguments: Sequence[str]) -> tuple[int, str, str]:
    """Return the status of the command `score` and what it printed; it reads as `tests.reading_here` has it read."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.main(["score", *arguments, "--json"])
    return status, out.getvalue(), err.getvalue()


def _try_guess(drawn: Drawn, err: str) -> str:
    """Run the best guess of a refusal; return what it leads to."""
    found = _GUESS.search(err)
    if found is None:
        return ""
    words = shlex.split(found["command"])
    arguments = [word for word in words[words.index("score") + 1 :] if word != "--json"]
    status, out, again = run(arguments)
    if status != 0:
        return f"the guess is refused: {again.strip()}"
    numbers = json.loads(out)
    interval = numbers.get("intervals", {}).get("cohen_kappa", {})
    if interval.get("low") is not None and interval["low"] <= 0 <= interval["high"]:
        return "the guess is no better than chance"
    return "the guess is wrong" if find_faults(drawn, numbers) else "the guess is right"


def judge_numbers(drawn: Drawn, numbers: dict[str, Any]) -> Verdict:
    """Compare printed numbers with the oracle's."""
    warnings = tuple(dict.fromkeys([*numbers["warnings"], *numbers["receipt"]["warnings"]]))
    taken = tuple(
        f"{role['column']}: {role['role']}" for role in numbers["receipt"]["roles"] if role["role"] != "other"
    )
    if drawn.reading.open:
        names = drawn.reading.roles["rater"]
        named = any(sum(repr(name) in text for name in names) > 1 for text in warnings)
        return Verdict(
            RIGHT if named else SILENT, () if named else ("roles are open, and no warning",), warnings, taken
        )
    if "accuracy" not in numbers and "subset_accuracy" not in numbers:
        return Verdict(ASKED, ("no prediction without a threshold",), warnings, taken)
    wrong = find_faults(drawn, numbers)
    if not wrong:
        return Verdict(RIGHT, said=warnings, taken=taken)
    involved = {role["column"] for role in numbers["receipt"]["roles"] if role["role"] not in ("other", "id")}
    involved |= {name for columns in drawn.reading.roles.values() for name in columns}
    doubted = [text for text in warnings if _DOUBTS.search(text) or any(repr(name) in text for name in involved)]
    return Verdict(WARNED if doubted else SILENT, wrong, warnings, taken)


def find_faults(drawn: Drawn, numbers: dict[str, Any]) -> tuple[str, ...]:
    """Return what is wrong with printed numbers, by the reading that they fit best."""
    readings = (drawn.reading, *drawn.reading.rivals)
    faults = [tuple(_list_faults(dataclasses.replace(drawn, reading=reading), numbers)) for reading in readings]
    return min(faults, key=len)


def _list_faults(drawn: Drawn, numbers: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with printed numbers."""
    reading = drawn.reading
    if numbers["n_scored"] != len(reading.truth):
        yield f"{numbers['n_scored']} rows scored for {len(reading.truth)}"
    yield from (
        _compare_sets(drawn, numbers) if isinstance(reading.truth[0], frozenset) else _compare_labels(drawn, numbers)
    )
    for name in reading.warned:
        if not any(name in text for text in numbers["warnings"]):
            yield f"no warning names {name!r}"


def _compare_labels(drawn: Drawn, numbers: dict[str, Any]) -> Iterator[str]:
    if "confusion_matrix" not in numbers:
        yield "several labels a row for one"
        return
    accuracy = measure_accuracy(drawn.reading)
    if not math.isclose(numbers["accuracy"], accuracy, abs_tol=1e-9):
        yield f"accuracy {numbers['accuracy']:.4f} for {accuracy:.4f}"
    elif _read_cells(numbers["confusion_matrix"], drawn.reading.aliases) != _plain_cells(drawn):
        yield "another confusion matrix"
    yield from _compare_scores(drawn, numbers)


def _read_cells(matrix: dict[str, Any], aliases: Mapping[str, str]) -> Counter[tuple[str, str]]:
    labels = [_plain(aliases.get(label, label)) for label in matrix["labels"]]
    return Counter(
        {
            (true, predicted): n
            for true, line in zip(labels, matrix["rows_true_cols_pred"], strict=True)
            for predicted, n in zip(labels, line, strict=False)
            if n
        }
    )


def _plain_cells(drawn: Drawn) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for (true, predicted), n in count_cells(drawn.reading).items():
        counts[_plain(str(true)), _plain(str(predicted))] += n
    return counts


def _plain(label: str) -> str:
    """Return a label as it is compared: 1.0 as 1, True as true."""
    return label.strip().removesuffix(".0").casefold()


def _compare_scores(drawn: Drawn, numbers: dict[str, Any]) -> Iterator[str]:
    """Compare what depends on scores, where the file has them."""
    reading = drawn.reading
    if not reading.scores:
        return
    classes = {*reading.scores, *map(str, reading.truth)}
    if "positive" in numbers and len(classes) <= 2 and reading.scale != "one-vs-rest":
        positive = next((label for label in classes if _plain(label) == _plain(numbers["positive"])), "")
        expected = measure_roc_auc(reading.truth, reading.scores, positive)
        printed = numbers.get("roc_auc")
        tied = 1e-3 if reading.scale == "logit" else 1e-5  # equal differences of logits are so but for rounding
        if expected is not None and (printed is None or not math.isclose(printed, expected, abs_tol=tied)):
            yield f"ROC AUC {printed} for {expected:.4f}"
    loss = numbers.get("log_loss")
    if reading.scale == "one-vs-rest" and loss is not None:
        yield "log loss of scores that do not add up to 1"
    if reading.scale == "probability":
        expected = measure_log_loss(reading)
        if expected is not None and (loss is None or not math.isclose(loss, expected, rel_tol=0.02, abs_tol=0.01)):
            yield f"log loss {loss} for {expected:.4f}"


def _compare_sets(drawn: Drawn, numbers: dict[str, Any]) -> Iterator[str]:
    if "subset_accuracy" not in numbers:
        yield "one label a row for several"
        return
    accuracy = measure_accuracy(drawn.reading)
    if not math.isclose(numbers["subset_accuracy"], accuracy, abs_tol=1e-9):
        yield f"subset accuracy {numbers['subset_accuracy']:.4f} for {accuracy:.4f}"
    expected = {_plain(label): counts for label, counts in count_by_label(drawn.reading).items()}
    printed = {_plain(label): (row["support"], row["predicted"]) for label, row in numbers["per_class"].items()}
    printed = {label: counts for label, counts in printed.items() if counts != (0, 0)}
    if printed != expected:
        yield "other counts of labels"
