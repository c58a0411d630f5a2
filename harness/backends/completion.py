"""Read the body of a chat completion: a server may send anything."""

from __future__ import annotations

import json
from typing import Any

from harness import answers
from harness.answers import Answer, failed_answer
from text.quoting import cut

_LARGEST_COUNT = 2**53
"""Of tokens: what is larger is no count, and would not fit a column of numbers."""


def read_completion(body: bytes, seconds: float) -> Answer:
    """Return the answer that a completion holds; a server error where it is no completion.

    body : the response, as it was sent. seconds : how long the call took.

    >>> read_completion(b'{"choices": [{"message": {"content": "spam"}}]}', 0.5).raw
    'spam'
    >>> read_completion(b"<html>", 0.5).error
    'server error'
    """
    try:
        completion = json.loads(body)
    except (ValueError, RecursionError):
        return failed_answer(answers.SERVER_ERROR, "the server sent no JSON", seconds)
    choices = completion.get("choices") if isinstance(completion, dict) else None
    if not isinstance(choices, list):
        return failed_answer(answers.SERVER_ERROR, "the server sent no completion", seconds)
    usage = _mapping(completion.get("usage"))
    measures: dict[str, Any] = {
        "seconds": seconds,
        "model": cut(_text(completion.get("model")), 200),
        "input_tokens": _token_count(usage.get("prompt_tokens")),
        "output_tokens": _token_count(usage.get("completion_tokens")),
    }
    if not choices:
        return Answer(error=answers.NO_ANSWER, detail="the server sent no choice", **measures)
    choice = _mapping(choices[0])
    measures["finish"] = cut(_text(choice.get("finish_reason")), 60)
    return _answer(choice, measures, seconds)


def _answer(choice: dict[str, Any], measures: dict[str, Any], seconds: float) -> Answer:
    """Return the text of a choice, or why it has none."""
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else message
    if not isinstance(message, dict) or not isinstance(text, str | None):
        return failed_answer(answers.SERVER_ERROR, "the server sent a message that holds no text", seconds)
    refusal = _text(message.get("refusal"))
    if refusal or measures["finish"] == "content_filter":
        return Answer(text or refusal or None, answers.REFUSED, cut(refusal or "content filter", 200), **measures)
    if text is None:
        return Answer(error=answers.NO_ANSWER, detail="the server sent no text", **measures)
    return Answer(text, **measures)


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _token_count(value: Any) -> int | None:
    """Return a number of tokens; None for what is none, such as a text."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_COUNT:
        return value
    return None
