"""Tell marks around a word of an answer from those that are part of it, as in C#."""

from __future__ import annotations

import re

_MARKS = " \t\r\n\"'`´‘’“”„«»*$#.,;:!?()[]{}<>\\"
_IN_FRONT = re.compile(
    r"(?<=[.!])(?<![\w.!][.!])(?=[^\W_])"  # .NET, .5, !spam; the dots of ...spam are none
    r"|(?<=[<>!])(?<![\w/][<>!])(?==?\d)(?!=?\d[\w.,]*+>)"  # >50K, <=50K, != 3; <5> and <b>5</b> are tags
    r"|(?<=[<>!=]=)(?=\d)"
    r"|(?<=[-\u2212])(?<![^\W_][-\u2212])(?=\d)"  # -1, and Option-1 is none
    r"|(?<=[~\u2248\u2260\u00ac\u00b1\u2264\u2265])(?<!~~)(?=[^\W_])"
    r"|(?<=[^\W_][&@])(?=[^\W_])|(?<=[^\W_])(?=[.+<>\-\u2212][^\W_])"  # the T of AT&T, the .NET of ASP.NET
    r"|(?<=\d[.,:])(?=\d)"  # the 5 of 3.5
    r"|(?<=[^\W\d_]\.)(?=[a-z])|(?<=[A-Z]\.)(?=[A-Z]{2})"  # the js of node.js, the NET of ASP.NET
)
_BEHIND = re.compile(
    r"(?<=[^\W_])#(?!#)"  # C#; ##spam## is markup
    r"|(?<=[^\W_]|\+)\+(?![^\W_])"  # C++, AB+; cat+dog are two words
    r"|(?<=[A-Za-z0-9])[-\u2212](?![\s>-])|(?<=[A-Z])[-\u2212](?![>-])"  # A-, AB- blood; no- it is
    r"|(?<=[^\W_])[&@](?=[^\W_])"  # the AT of AT&T
    r"|(?<=\d)[.,:](?=\d)"  # the 3 of 3.5
    r"|(?<=[^\W\d_])\.(?=[a-z])|(?<=[A-Z])\.(?=[A-Z]{2})"  # the node of node.js, the ASP of ASP.NET
    r"|(?<=[nN])['’][tT](?![^\W_])"  # the won of won't
)


def strip_marks(text: str) -> str:
    """Return a text without quotes, brackets, markup and punctuation at its ends; itself if nothing else is in it.

    >>> strip_marks("**C#**."), strip_marks("# C"), strip_marks("(>50K)"), strip_marks("<b>")
    ('C#', 'C', '>50K', 'b')
    """
    start = len(text) - len(text.lstrip(_MARKS))
    end = len(text.rstrip(_MARKS))
    if start >= end:
        return text.strip()
    is_paired = text[start - 1 : start] == text[end : end + 1]
    end += not is_paired and _BEHIND.match(text, end) is not None
    start -= _IN_FRONT.match(text, start) is not None
    return text[start:end]


def has_joined_marks(text: str, start: int, end: int) -> bool:
    """Return whether a mark that is part of a word is attached to text[start:end].

    >>> has_joined_marks("C#", 0, 1), has_joined_marks("**C**.", 2, 3), has_joined_marks("-1", 1, 2)
    (True, False, True)
    """
    return _IN_FRONT.match(text, start) is not None or _BEHIND.match(text, end) is not None


def is_whole(text: str, start: int, end: int) -> bool:
    """Return whether text[start:end] begins and ends where words do.

    >>> is_whole("node.js", 0, 4), is_whole("It is node.", 6, 10), is_whole("invalid", 2, 7)
    (False, True, False)
    """
    before, after = text[max(0, start - 2) : start][::-1], text[end : end + 2]
    if _word_continues(text[start], before) or _word_continues(text[end - 1], after):
        return False
    return not has_joined_marks(text, start, end)


def _word_continues(own: str, beyond: str) -> bool:
    """Return whether a word continues: with a letter, or with an underscore or hyphen and then a letter."""
    if not beyond or not own.isalnum():
        return False
    if beyond[0].isalnum():
        return not (_is_unspaced(own) or _is_unspaced(beyond[0]))
    more = beyond[1:]
    return own.isascii() and beyond[0] in "-_" and bool(more) and (more >= "\x80" or more.isalnum())


def _is_unspaced(character: str) -> bool:
    """Return true for scripts without spaces between words."""
    return character >= "\u2e80" or "\u0e00" <= character <= "\u0eff" or "\u1000" <= character <= "\u109f"
