"""Read the words that a person chose for rows and for being predicted positive: plain words, so no markup."""

from __future__ import annotations

_LONGEST = 30


def read_word(text: str) -> str:
    """Return a word, or a few, of letters and digits; "" stays empty.

    Raises
    ------
    ValueError : the end of a sentence about what was wanted.

    >>> read_word("called in"), read_word("")
    ('called in', '')
    """
    if text and (len(text) > _LONGEST or not all(map(str.isalnum, text.replace("-", " ").split(" ")))):
        raise ValueError("letters, digits, single spaces and hyphens were wanted, 30 at most")
    return text
