"""Labels in texts as whole words: held against a slow search through one text after the other."""

import re

from hypothesis import given, strategies as st

from data.answers.vocabulary import build_mention_finder, forms

LABELS = (
    "valid", "invalid", "card_arrival", "card", "not spam", "(A)", "(B)", "B", "été", "spam", "refund",
    "a very long label with words", "a very long label without words",
)  # fmt: skip
PIECES = (
    "valid", "Invalid", "card", "_", "card arrival", "-", " ", "spam", "not spam", "NOT_SPAM", "(A)", "(b)", "B", "Été",
    "ÉTÉ", "é", "漢", "“", "”", ".", "+", "#", "&", "'t", "JSP",
    "a very long label with words", "a very long label without words", "\n", "x",
    "refund",
)  # fmt: skip


def lowered(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def is_joined_in_front(text: str, begin: int) -> bool:
    """Return whether a mark in front of a place is part of the word there."""
    if begin == 0 or not text[begin].isalnum():
        return False
    mark, beyond = text[begin - 1], text[begin - 2 : begin - 1] if begin > 1 else " "
    if mark == "&":
        return beyond.isalnum()
    if mark != ".":
        return False
    if beyond.isalpha():
        upper = text[begin : begin + 2]
        return "a" <= text[begin] <= "z" or ("A" <= beyond <= "Z" and upper.isascii() and upper.isupper())
    return beyond not in ".!_" and not beyond.isalnum()


def is_joined_behind(text: str, end: int) -> bool:
    """Return whether a mark behind a place is part of the word there."""
    own, mark, beyond, more = text[end - 1], text[end : end + 1], text[end + 1 : end + 2], text[end + 1 : end + 3]
    if not own.isalnum():
        return False
    if mark == "'":
        return own in "nN" and beyond == "t" and not text[end + 2 : end + 3].isalnum()
    if mark == "-":
        return own.isascii() and (("A" <= own <= "Z" and beyond != "-") or not (beyond.isspace() or beyond == "-"))
    if mark == ".":
        is_capital = "A" <= own <= "Z" and len(more) == 2 and more.isascii() and more.isalpha() and more.isupper()
        return own.isalpha() and (is_capital or "a" <= beyond <= "z")
    return {"#": beyond != "#", "+": not beyond.isalnum(), "&": beyond.isalnum()}.get(mark, False)


def glued(own: str, other: str, beyond: str) -> bool:
    """Return whether a word goes on: with a letter, or with a hyphen or underscore and then a letter."""
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
                    or is_joined_in_front(text, begin)
                    or is_joined_behind(text, end)
                ):
                    hits.add((begin, -len(wanted.encode()), end, code))
    codes, reached = [], 0
    for begin, _, end, code in sorted(hits):
        if begin >= reached:
            codes.append(code)
        reached = max(reached, end)
    return codes


@given(st.lists(st.sampled_from(PIECES), max_size=7).map("".join))
def test_mentions_equal_a_slow_search(text):
    assert build_mention_finder(LABELS)(text) == slowly(text)


def test_long_texts_are_searched_whole():
    assert build_mention_finder(LABELS)("refund " + "x " * 600_000 + "card") == [10, 3]


def test_labels_alike_short_or_long_are_skipped():
    assert forms(["Cat", "cat", "A", "1", "dog.", "x" * 300]) == {"dog": 4}
    assert list(build_mention_finder(("Cat", "cat", "A", "1", "dog."))("Cat cat A 1 dog")) == [4]
    assert not build_mention_finder(())("A") and not build_mention_finder(("A",))("A")


def test_labels_with_one_beginning_are_told_apart():
    labels = tuple(f"the same beginning {i:04d}" for i in range(5000))
    assert build_mention_finder(labels)("The_same_beginning 0123! the same beginning 4999.") == [123, 4999]
