"""Estimate a run without asking anything: its first three prompts, tokens, time, cost."""

from __future__ import annotations

import json
from pathlib import Path

from harness.answers import Answer
from harness.models import ModelName, Options
from harness.tally import Price, duration
from text.numbers import count
from text.visible import make_visible

_PROMPTS = 3
_CHARACTERS = 4
"""Of a token in English text, roughly: what is assumed where no tokenizer is at hand."""
_SECONDS = 1.0


def dry_run(prompts: list[str], name: ModelName, options: Options, records: Path, price: Price | None) -> str:
    """Return the first prompts of a run and an estimate, for a person.

    records : where an earlier run kept its answers: they say how long one takes.
    """
    different = list(dict.fromkeys(prompts))
    parts = [f"{name.text}: {count(len(prompts), 'prompt')}, {len(different):,} of them different"]
    for place, prompt in enumerate(prompts[:_PROMPTS], 1):
        parts += [f"--- prompt {place} ---", *(make_visible(line) for line in prompt.split("\n"))]
    n_tokens, how = _tokens(name, different)
    n_output = 0 if name.kind == "classifier" else options.max_tokens * len(different)
    parts += ["---", f"Input: {count(n_tokens, 'token')} ({how}). Output: at most {count(n_output, 'token')}."]
    if price is not None:
        parts.append(f"Cost: at most {price.write(price.cost(n_tokens, n_output))}.")
    elif name.kind == "openai":
        parts.append("Cost: unknown; list the model's prices in a file and name it with --prices.")
    return "\n".join([*parts, _time(records, name, options, len(different))])


def _tokens(name: ModelName, prompts: list[str]) -> tuple[int, str]:
    """Return how many tokens prompts have, and how they were counted."""
    if name.kind == "openai":
        n_characters = sum(map(len, prompts))
        return -(-n_characters // _CHARACTERS), f"a guess: {n_characters:,} characters, {_CHARACTERS} to a token"
    from harness.backends.transformers_models import count_tokens

    return count_tokens(name, prompts), "counted by the model's tokenizer"


def _time(records: Path, name: ModelName, options: Options, n: int) -> str:
    """Return how long the calls take, by those of an earlier run or by an assumption that is named."""
    if name.kind != "openai":
        return "Time: unknown before the first batch; the progress line tells it then."
    known = _earlier_seconds(records)
    each = sum(known) / len(known) if known else _SECONDS
    why = f"as {count(len(known), 'earlier answer')} took" if known else "assumed"
    whole = duration(n * each / options.concurrency)
    return f"Time: {whole} with {count(options.concurrency, 'call')} at a time of {each:.2g} s each ({why})."


def _earlier_seconds(path: Path) -> list[float]:
    if not path.is_file():
        return []
    seconds_of_answers = []
    for line in path.read_bytes().splitlines()[1:]:
        try:
            seconds_of_answers.append(Answer.from_json(json.loads(line)).seconds)
        except (ValueError, TypeError):
            continue
    return [seconds for seconds in seconds_of_answers if seconds is not None]
