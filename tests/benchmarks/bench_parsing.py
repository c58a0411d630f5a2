"""Measure how long reading answers again under an edited parser takes, against reading their file.

Run with: python -m tests.benchmarks.bench_parsing [rows]
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

from data.answers.suggestions import suggest_changes
from data.building.rescoring import with_parser
from data.evaluation import Evaluation
from data.parser.parser import STANDARD, Rule
from data.runs.load import Given, read_evaluation

INTENTS = [f"{('refund', 'card', 'limit')[number % 3]}_question_{number:02d}" for number in range(77)]
TALK = (
    "the customer says that a message was not sent because their card or account might have been blocked before it "
    "could reach us so we should look at what they want and why this matters more than anything else they wrote"
)


def measure(rows: int = 100_000) -> dict[str, float]:
    """Seconds to read a file of `rows` answers, child process and all, and to read its answers again (`*_s`, medians).

    `*_ratio` is how many times as fast the second is: 20 is 5 % of the time. Short answers: some thousands different
    ones. Reasoned ones: every answer different, about 300 characters. Every edit is one that no run before
    has made, so that nothing that is remembered of its result helps; what is remembered of the answers does.
    """
    results: dict[str, float] = {"rows": rows}
    for kind, answers in (("short", _short(rows)), ("reasoned", _reasoned(rows))):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "answers.jsonl")
            _write(path, answers)
            given = Given(truth="target", raw="output", label_set=tuple(INTENTS))
            evaluation = read_evaluation([path], given)
            assert evaluation.answers is not None
            read_s = _typical(partial(read_evaluation, [path], given), 5)
        last_s = _typical(_edits(evaluation, last=True), 11)
        first_s = _typical(_edits(evaluation, last=False), 11)
        suggest_s = _typical(partial(suggest_changes, evaluation), 5)
        results |= {
            f"{kind}_different_answers": len(evaluation.answers.texts),
            f"{kind}_file_to_evaluation_s": read_s,
            f"{kind}_last_rule_edited_s": last_s,
            f"{kind}_last_rule_edited_ratio": read_s / last_s,
            f"{kind}_first_rule_edited_s": first_s,
            f"{kind}_first_rule_edited_ratio": read_s / first_s,
            f"{kind}_suggestions_s": suggest_s,
        }
    return results


def _edits(evaluation: Evaluation, *, last: bool) -> Callable[[], object]:
    """Reads the answers again, each time with another rule at the end, or at the beginning, of the parser."""
    numbers = count()

    def edit() -> Evaluation:
        word = f"never{next(numbers)}"
        alias, tag = Rule("alias", (), ((word, INTENTS[0]),)), Rule("strip_thinking", ("think", word))
        rules = (*STANDARD.rules, alias) if last else (tag, *STANDARD.rules[1:])
        return with_parser(evaluation, replace(STANDARD, name="edited", rules=rules))

    return edit


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


def _typical(work: Callable[[], object], rounds: int) -> float:
    seconds = []
    for _ in range(rounds + 1):
        start = perf_counter()
        work()
        seconds.append(perf_counter() - start)
    return median(seconds[1:])  # the first finds out where things stand in the answers


def main() -> None:
    """Print what was measured."""
    for name, value in measure(*map(int, sys.argv[1:2])).items():
        print(f"{name:45} {value:,.4f}")


if __name__ == "__main__":
    main()
