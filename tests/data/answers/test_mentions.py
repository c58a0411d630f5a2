"""Labels in texts as whole words: held against a slow search through one text after the other."""

import re

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from data.answers.mentions import forms, mentioned, mentions, n_mentioned
from data.answers.spans import Spans, Texts

LABELS = (
    "valid", "invalid", "card_arrival", "card", "not spam", "(A)", "(B)", "B", "été", "spam", "refund",
    "a very long label with words", "a very long label without words",
)  # fmt: skip
PIECES = (
    "valid", "Invalid", "card", "_", "card arrival", "-", " ", "spam", "not spam", "NOT_SPAM", "(A)", "(b)", "B", "Été",
    "ÉTÉ", "é", "漢", "“", "”", ".", "a very long label with words", "a very long label without words", "\n", "x",
    "refund",
)  # fmt: skip


def lowered(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def glued(own: str, other: str, beyond: str) -> bool:
    """Whether a word goes on: with a letter, or with a hyphen or underscore and then a letter."""
    if not other:
        return False
    if own.isalnum() and other.isalnum() and own < "\u2e80" and other < "\u2e80":
        return True
    return own.isascii() and own.isalnum() and other in "-_" and bool(beyond) and (beyond.isalnum() or beyond > "\x7f")


def slowly(text: str) -> list[int]:
    """The codes of all mentions, in order."""
    low = lowered(text)
    same = re.sub(r"[_\t\n\r]", " ", low)
    hits = set()
    for form, code in forms(LABELS).items():
        for case in {form, form.upper(), form.capitalize(), form.title()}:
            wanted = lowered(case)
            for begin in range(len(same)):
                end = begin + len(wanted)
                if same[begin:end] == wanted and not (
                    glued(low[begin], low[begin - 1 : begin], low[begin - 2 : begin - 1] if begin > 1 else "")
                    or glued(low[end - 1], low[end : end + 1], low[end + 1 : end + 2])
                ):
                    hits.add((begin, -len(wanted.encode()), end, code))
    codes, reached = [], 0
    for begin, _, end, code in sorted(hits):
        if begin >= reached:
            codes.append(code)
        reached = max(reached, end)
    return codes


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=7).map("".join), max_size=12))
def test_mentions_are_what_a_slow_search_finds(texts):
    spans = Texts(pa.array(texts, pa.string())).spans
    found, n = mentioned(spans, LABELS), n_mentioned(spans, LABELS)
    for row, text in enumerate(texts):
        codes = slowly(text) or [-1]
        assert (found.first[row], found.last[row]) == (codes[0], codes[-1]), text
        assert n[row] == len(set(codes) - {-1}) and found.several[row] == (n[row] > 1), text


def test_mentions_end_with_the_text_and_with_the_part_of_it():
    texts = Texts(pa.array(["val", "id", "valid x spam"]))
    assert mentioned(texts.spans, LABELS).first.tolist() == [-1, -1, 0]
    part = Spans(texts, texts.start[2:] + 5, texts.end[2:])
    assert mentioned(part, LABELS).first.tolist() == [9]
    assert mentioned(Spans(texts, part.start, part.end - 1), LABELS).first.tolist() == [-1]


def test_rows_of_many_megabytes_are_searched_in_parts():
    texts = Texts(pa.array(["refund " + "x " * 600_000 + "card"] * 8 + ["spam"]))
    found = mentioned(texts.spans, LABELS)
    assert found.first.tolist() == [10] * 8 + [9] and found.last.tolist() == [3] * 8 + [9]


def test_labels_alike_of_one_character_or_very_long_are_not_looked_for():
    assert forms(["Cat", "cat", "A", "1", "dog.", "x" * 300]) == {"dog": 4}
    texts = Texts(pa.array(["Cat cat A 1 dog"]))
    assert mentions(texts, ("Cat", "cat", "A", "1", "dog.")).codes.tolist() == [4]
    assert len(mentions(texts, ()).codes) == 0 and mentioned(texts.spans, ("A",)).first.tolist() == [-1]


def test_thousands_of_labels_with_the_same_beginning():
    labels = tuple(f"the same beginning {i:04d}" for i in range(5000))
    order = np.random.default_rng(0).permutation(5000)[:300]
    texts = Texts(pa.array([f"so: The_same_beginning {i:04d}!" for i in order]))
    assert mentioned(texts.spans, labels).first.tolist() == order.tolist()
