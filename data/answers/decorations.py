"""What surrounds an answer and is no part of it: formulas, boxes, bold, quotes, brackets, fences, a full stop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from data.answers.spans import Spans
from data.parser.rule_kinds import DECORATIONS

_PAIRS: dict[str, tuple[tuple[str, str], ...]] = {
    "dollars": (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")),
    "boxed": tuple((f"\\{name}{{", "}") for name in ("text", "textbf", "textit", "mathrm", "mathbf", "texttt")),
    "bold": (("***", "***"), ("**", "**"), ("*", "*")),
    "quotes": (
        ('"', '"'), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"),
        ("‹", "›"), ("「", "」"),
    ),
    "brackets": (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")),
    "fence": (("```", "```"),),
    "full stop": (),
}  # fmt: skip
_BOXED = (b"\\boxed{", b"\\fbox{")
_ROUNDS = 8
_LOWER = np.zeros(256, dtype=bool)
_LOWER[[*b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]] = True


def undecorated(spans: Spans, names: Sequence[str]) -> Spans:
    r"""The answers without decorations, however they are nested, up to eight deep.

    names : of `DECORATIONS`; empty = all of them. "boxed" leaves what stands in the last box, wherever it is.

    >>> import pyarrow as pa
    >>> from data.answers.spans import Texts
    >>> texts = Texts(pa.array(["**$B$**.", r"So \boxed{\text{ham}} it is", '"a" or "b"']))
    >>> undecorated(texts.spans, []).strings().to_pylist()
    ['B', 'ham', '"a" or "b"']
    """
    chosen = tuple(names) or tuple(DECORATIONS)
    left = _unboxed(spans.trimmed) if "boxed" in chosen else spans.trimmed
    for _ in range(_ROUNDS):
        before = left
        for name in chosen:
            left = _without(left, name)
        if left is before:
            break
    return left


def _without(spans: Spans, name: str) -> Spans:
    if name == "full stop":
        size = spans.size
        single = spans.at(spans.end - 1) == ord(".")
        ends = (size > 1) & single & (spans.at(spans.end - 2) != ord("."))
        return spans.moved(ends, spans.start, spans.end - 1).trimmed if ends.any() else spans
    for opening, closing in _PAIRS[name]:
        spans = _peeled(spans, opening.encode(), closing.encode(), fence=name == "fence")
    return spans


def _peeled(spans: Spans, opening: bytes, closing: bytes, *, fence: bool) -> Spans:
    """The spans without this pair at their ends; `(A) or (B)` is no pair, as its bracket closes before."""
    rows = np.flatnonzero((spans.size > len(opening) + len(closing)) & (spans.at(spans.start) == opening[0]))
    for place, byte in enumerate(opening):
        rows = rows[spans.at(spans.start[rows] + place) == byte]
    for place, byte in enumerate(closing):
        rows = rows[spans.at(spans.end[rows] - len(closing) + place) == byte]
    if not len(rows):
        return spans
    inner = Spans(spans.texts, spans.start[rows] + len(opening), spans.end[rows] - len(closing))
    alone = inner.first(closing) < 0
    rows, inner = rows[alone], inner[alone]
    inner = (_without_language(inner) if fence else inner).trimmed
    filled = inner.size > 0
    if not filled.any():
        return spans
    start, end = spans.start.copy(), spans.end.copy()
    start[rows[filled]], end[rows[filled]] = inner.start[filled], inner.end[filled]
    return Spans(spans.texts, start, end)


def _without_language(spans: Spans) -> Spans:
    """What stands in a fence without the name of a language in front of the first line break."""
    line_end = spans.first_line_end
    named = line_end >= 0
    start = spans.start.copy()
    rows = np.flatnonzero(named)
    for _ in range(20):
        rows = rows[_LOWER[spans.at(start[rows])]]
        if not len(rows):
            break
        start[rows] += 1
    return spans.moved(named & (spans.at(start) == 10), start, spans.end)


def _unboxed(spans: Spans) -> Spans:
    for needle in _BOXED:
        found = spans.last(needle)
        rows = np.flatnonzero(found >= 0)
        if not len(rows):
            continue
        start, end = spans.start.copy(), spans.end.copy()
        for row in rows.tolist():
            begins = int(found[row]) + len(needle)
            closes = _closing(spans, begins, int(spans.end[row]))
            if closes > begins:
                start[row], end[row] = begins, closes
        spans = Spans(spans.texts, start, end).trimmed
    return spans


def _closing(spans: Spans, begins: int, end: int, most: int = 10_000) -> int:
    """Where the brace closes that was opened before `begins`; -1 if it does not."""
    depth = 1
    for place, byte in enumerate(bytes(spans.texts.data[begins : min(end, begins + most)])):
        depth += (byte == 123) - (byte == 125)
        if not depth:
            return begins + place
    return -1
