"""Measure how long reading answers again under an edited parser takes, against reading their file."""

import json
import random
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from tests.benchmarks import subject
from tests.benchmarks.stopwatch import Time, take_turns

INTENTS = [f"{('refund', 'card', 'limit')[number % 3]}_question_{number:02d}" for number in range(77)]
TALK = (
    "the customer says that a message was not sent because their card or account might have been blocked before it "
    "could reach us so we should look at what they want and why this matters more than anything else they wrote"
)


def measure(rows: int = 100_000) -> dict[str, float]:
    """Time reading a file of `rows` answers, child process and all, and reading its answers again; medians.

    Ratios are those of the processor's seconds, the child's among them: 20 times as fast is 5 % of the time. Short
    answers: some thousands different ones. Long ones: every answer different, about 300 characters. Every edit is one
    that no run before has made: nothing that is remembered of its result helps; what is remembered of the answers does.
    """
    results: dict[str, float] = {"rows": rows}
    for kind, answers in (("short", _short(rows)), ("long", _reasoned(rows))):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "answers.jsonl")
            _write(path, answers)
            read = partial(subject.read_evaluation, path, truth="target", raw="output", label_set=tuple(INTENTS))
            evaluation = read()
            whole = _typical(read, 5)
        last = _typical(_edits(evaluation, last=True), 11)
        first = _typical(_edits(evaluation, last=False), 11)
        results |= {
            f"{kind} answers: file to evaluation, seconds": whole.wall,
            f"{kind} answers: last rule edited, seconds": last.wall,
            f"{kind} answers: last rule edited: times as fast as reading the file": whole.cpu / last.cpu,
            f"{kind} answers: first rule edited, seconds": first.wall,
            f"{kind} answers: first rule edited: times as fast as reading the file": whole.cpu / first.cpu,
            f"{kind} answers: suggested changes of the parser, seconds": _typical(
                partial(subject.suggest, evaluation), 5
            ).wall,
        }
    return results


def _edits(evaluation: Any, *, last: bool) -> Callable[[], object]:
    """Reads the answers again, each time with another rule at the end, or at the beginning, of the parser."""
    numbers = count()
    return lambda: subject.read_again(evaluation, f"never{next(numbers)}", INTENTS[0], last=last)


def _short(rows: int) -> list[str]:
    draw = random.Random(0)
    dresses: Sequence[Callable[[str, int], str]] = (
        lambda label, n: label,
        lambda label, n: f"**{label}**",
        lambda label, n: f"Answer: {label.replace('_', ' ').title()}.",
        lambda label, n: f"I think it is {label} (sure: {n} %).",
        lambda label, n: "I cannot say.",
        lambda label, n: json.dumps({"intent": label, "confidence": n}),
    )
    return [draw.choice(dresses)(draw.choice(INTENTS), draw.randrange(15)) for _ in range(rows)]


def _reasoned(rows: int) -> list[str]:
    draw = random.Random(1)
    texts = []
    for number in range(rows):
        thought = " ".join(draw.choices(TALK.split(), k=48))
        ending = "" if number % 20 == 0 else f". So the answer is {draw.choice(INTENTS)}."
        texts.append(f"{number}: {thought}{ending}")
    return texts


def _write(path: Path, answers: list[str]) -> None:
    draw = random.Random(2)
    lines = (json.dumps({"id": i, "target": draw.choice(INTENTS), "output": text}) for i, text in enumerate(answers))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _typical(work: Callable[[], object], rounds: int) -> Time:
    work()  # the first finds out where things stand in the answers
    return take_turns(work, rounds=rounds)[0]
