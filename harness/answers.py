"""One answer of a model, and what may have gone wrong with it."""

from __future__ import annotations

import base64
import functools
import os
import re
from typing import Any, NamedTuple

REFUSED, TOO_LONG, NO_ANSWER, NOT_TAKEN = "refused", "too long", "no answer", "not taken"
TIMEOUT, RATE_LIMIT, SERVER_ERROR = "timeout", "rate limit", "server error"
ASKED_AGAIN = (TIMEOUT, RATE_LIMIT, SERVER_ERROR)
"""Errors that may pass: the next run of the same command asks these rows again."""
KEY = "OPENAI_API_KEY"
"""The environment variable of the key of a model's server."""
HIDDEN_KEY = "[API key]"
_SHORTEST_KEY = 16
"""A shorter one is a placeholder such as "none", which an answer may hold by chance."""
_DETAIL = 300
_IN_ADDRESSES = str.maketrans("+/", "-_")
"""Two characters of Base64, and those in their place where it is part of an address."""


class Answer(NamedTuple):
    """Hold what a model gave for one prompt.

    raw : its text; None where it gave none.
    error : "", or the reason why the row has no usable answer. detail : the server's own words, cut.
    seconds : how long the call took; None where the row was one of a batch.
    finish : why the text ended, in the server's words: stop, length, content_filter.
    model : the model that the server says has answered.
    logits : one a label, of a classifier.
    """

    raw: str | None = None
    error: str = ""
    detail: str = ""
    seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    finish: str = ""
    model: str = ""
    logits: tuple[float, ...] | None = None

    @property
    def is_final(self) -> bool:
        """Return whether nothing would be gained by asking again."""
        return self.error not in ASKED_AGAIN

    def to_json(self) -> dict[str, Any]:
        """Return what a line of the records holds: everything that differs from its default.

        >>> Answer("spam", finish="stop").to_json()
        {'raw': 'spam', 'finish': 'stop'}
        """
        return {key: value for key, value in self._asdict().items() if value not in (None, "")} | (
            {"raw": ""} if self.raw == "" else {}
        )

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Answer:
        """Read what `to_json` wrote; keys that this version does not know are left out.

        >>> Answer.from_json(Answer("spam", logits=(0.5,)).to_json()) == Answer("spam", logits=(0.5,))
        True
        """
        if not _FIELDS.issuperset(values):
            values = {key: value for key, value in values.items() if key in _FIELDS}
        if "logits" in values:
            values = {**values, "logits": tuple(values["logits"])}
        return cls(**values)


_FIELDS = frozenset(Answer._fields)


def failed_answer(error: str, detail: str, seconds: float | None = None) -> Answer:
    """Return the answer of a row that got none.

    >>> failed_answer(TIMEOUT, "no word for 60 s").is_final
    False
    """
    return Answer(error=error, detail=" ".join(detail.split())[:_DETAIL], seconds=seconds)


def clean_answer(answer: Answer) -> Answer:
    r"""Return an answer that can be written: without half characters, and without the key if a server sent it back.

    >>> clean_answer(Answer("a\ud800")).raw
    'a\ufffd'
    """
    pattern = _key_pattern(os.environ.get(KEY, "").strip())
    return answer._replace(
        raw=None if answer.raw is None else _clean_text(answer.raw, pattern),
        detail=_clean_text(answer.detail, pattern),
        finish=_clean_text(answer.finish, pattern),
        model=_clean_text(answer.model, pattern),
    )


def _clean_text(text: str, key_pattern: str) -> str:
    """Replace lone surrogates, which no UTF-8 file can hold, and the key of a server in its usual forms."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return re.sub(key_pattern, HIDDEN_KEY, text) if key_pattern else text


@functools.cache
def _key_pattern(key: str) -> str:
    """Return a pattern of a key that a server sent back: as it is, escaped, in hexadecimal digits or within Base64.

    It is empty where there is no key, or one so short that an answer may hold it by chance.

    Three bytes become four characters of Base64, so a key within a longer text has three forms. The characters that
    depend on what stands around it are left out.
    """
    if len(key) < _SHORTEST_KEY:
        return ""
    data = key.encode()
    forms = [key]
    for n_before in range(3):
        n_whole = (n_before + len(data)) // 3 * 3 - n_before
        encoded = base64.b64encode(bytes(n_before) + data[:n_whole]).decode()
        known = encoded[4:] if n_before else encoded
        forms += [known, known.translate(_IN_ADDRESSES)]
    escaped = ["".join(map(_match_escaped, form)) for form in dict.fromkeys(forms)]
    return "|".join([*escaped, f"(?i:{data.hex()})"])


def _match_escaped(character: str) -> str:
    """Return a pattern of a character as it is, or as JSON and addresses write it."""
    code = ord(character)
    return rf"(?:\\{{0,2}}{re.escape(character)}|(?i:\\{{1,2}}u{code:04x}|%{code:02x}))"
