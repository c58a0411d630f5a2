"""The labels that an answer may name, and what an answer and a label have to share to be the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

_FENCE = "```"
_LANGUAGE = re.compile(r"[a-z]*", re.IGNORECASE)
_LEAD_WORDS = "answer|label|class|category|intent|prediction|output"
_LEAD_TEXT = rf"(?:the )?(?:final )?(?:{_LEAD_WORDS})\s*(?::|=|is:)\s*"
_LEAD = re.compile(_LEAD_TEXT, re.IGNORECASE)
_MARKS = " \t\r\n\"'`´‘’“”„«»*$#.,;:!?()[]{}<>\\"
_JOINED_IN_FRONT = ".!<>"
"""Those of the marks that can be part of the word behind them."""
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
_REMEMBERED = 8_192
MAX_MENTION_BYTES = 256
"""Longer labels are not looked for."""
ROOM = 60
"""Characters that an answer may be longer than the longest label and still be read as one with something around it."""


def normalise(text: str) -> str:
    """Return a text without what surrounds a label in an answer: case, quotes, bold, fences, "Answer:", a full stop.

    >>> normalise('Answer: **"Card_Arrival".**')
    'card arrival'
    """
    text = strip_marks(_remove_fence(text.strip()))
    lead = _LEAD.match(text) if ":" in text or "=" in text else None
    if lead and lead.end() < len(text):
        text = strip_marks(text[lead.end() :])
    return " ".join(text.replace("_", " ").split()).casefold()


def _remove_fence(text: str) -> str:
    """Return the content of a code block that is the whole text, without the language after the first fence."""
    if len(text) < 2 * len(_FENCE) or not (text.startswith(_FENCE) and text.endswith(_FENCE)):
        return text
    inside = text[len(_FENCE) : -len(_FENCE)]
    language = _LANGUAGE.match(inside)
    return inside[language.end() if language else 0 :].strip()


def strip_marks(text: str) -> str:
    """Return a text without quotes, brackets, markup and punctuation at its ends; itself if nothing else is in it.

    >>> strip_marks("**C#**."), strip_marks("# C"), strip_marks("(>50K)"), strip_marks("<b>")
    ('C#', 'C', '>50K', 'b')
    """
    inside = text.strip(_MARKS)
    if not inside:
        return text.strip()
    if text[0] == inside[0] and "#" not in text:  # no other mark behind a word is part of it
        return inside
    before, _, behind = text.partition(inside)
    if behind[:1] == "#" and before[-1:] != "#" and _BEHIND.match(text, len(before) + len(inside)):
        inside += "#"
    if before and before[-1] in _JOINED_IN_FRONT and _IN_FRONT.match(text, len(before)):
        inside = before[-1] + inside
    return inside


def has_joined_marks(text: str, start: int, end: int) -> bool:
    """Return whether a mark that is part of a word is attached to text[start:end].

    >>> has_joined_marks("C#", 0, 1), has_joined_marks("**C**.", 2, 3), has_joined_marks("-1", 1, 2)
    (True, False, True)
    """
    return _IN_FRONT.match(text, start) is not None or _BEHIND.match(text, end) is not None


def lower_ascii(text: str) -> str:
    """Return a text with A to Z in lower case; no other character changes, so that positions stay.

    >>> lower_ascii("The ÄNSWER")
    'the Änswer'
    """
    return text.lower() if text.isascii() else text.encode().lower().decode()


@dataclass(frozen=True)
class Vocabulary:
    """The labels that an answer may name, with the look-ups that the rules need.

    labels : their codes are their places.
    """

    labels: tuple[str, ...]

    @cached_property
    def exact(self) -> dict[str, int]:
        """Map labels to codes."""
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def normalised(self) -> dict[str, int]:
        """Map normalised labels to codes; labels that become one when normalised are left to the exact match."""
        code_of_form = dict(zip(self.forms, range(len(self.labels)), strict=True))
        return {text: code for text, code in code_of_form.items() if text not in self.ambiguous}

    @cached_property
    def read_normalised(self) -> Callable[[str], int]:
        """Return the code of a label without what surrounds it, -1 where it is none; frequent texts are read once."""
        exact, forms = self.exact, self.normalised

        @lru_cache(maxsize=_REMEMBERED)
        def read(text: str) -> int:
            code = exact.get(strip_marks(text))
            return forms.get(normalise(text), -1) if code is None else code

        return read

    @cached_property
    def ambiguous(self) -> frozenset[str]:
        """Return the texts that several labels become when normalised."""
        return frozenset(text for text, n in Counter(self.forms).items() if n > 1)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Return the labels normalised."""
        return tuple(map(normalise, self.labels))

    @cached_property
    def longest(self) -> int:
        """Count the characters of the longest label."""
        return max(map(len, self.labels), default=0)

    @cached_property
    def letters(self) -> dict[str, int]:
        """Map letters to codes: labels that are letters, grades or numbers themselves, else A for the first of 26."""
        letters = [strip_marks(label).upper() for label in self.labels]
        if all(len(letter) <= 3 and letter.isascii() and letter.rstrip("+#-").isalnum() for letter in letters):
            times = Counter(letters)
            return {letter: code for code, letter in enumerate(letters) if times[letter] == 1}
        return {chr(65 + code): code for code in range(len(letters))} if len(letters) <= 26 else {}


Find = Callable[[str], Sequence[int]]
"""Gives the codes of the labels that a text mentions, in order."""


def forms(labels: Sequence[str]) -> dict[str, int]:
    """Map the forms of labels to search for to codes; without those of one character, too long, or ambiguous.

    >>> forms(["Card_arrival", "(A)", "B", "7"])
    {'card arrival': 0, '(a)': 1}
    """
    code_of_form: dict[str, int | None] = {}
    for code, label in enumerate(labels):
        inner = strip_marks(label)
        inner = inner if len(inner) > 1 else label.strip()
        form = " ".join(inner.replace("_", " ").split()).lower()
        if len(form) > 1 and len(form.encode(errors="replace")) <= MAX_MENTION_BYTES:
            code_of_form[form] = code if code_of_form.get(form, code) == code else None
    return {form: code for form, code in code_of_form.items() if code is not None}


@lru_cache(maxsize=8)
def build_mention_finder(labels: tuple[str, ...]) -> Find:
    """Return a function that gives the codes of the labels in a text, in order.

    >>> find = build_mention_finder(("valid", "invalid", "card_arrival"))
    >>> find("Not valid: invalid."), find("card arrival?"), find("none")
    ([0, 1], [2], [])
    """
    codes = {case: code for form, code in reversed(forms(labels).items()) for case in _cases(form)}
    if not codes:
        return lambda _: ()
    n_known = min((3, *map(len, codes)))
    sizes: dict[str, set[int]] = {}
    for case in codes:
        sizes.setdefault(case[:n_known], set()).add(len(case))
    longest_first = {begins: sorted(lengths, reverse=True) for begins, lengths in sizes.items()}
    starts = _starts(longest_first)

    def find(text: str) -> list[int]:
        low = lower_ascii(text)
        same = low.replace("_", " ").replace("\t", " ").replace("\n", " ").replace("\r", " ")
        mentioned, reached = [], 0
        for match in starts.finditer(same):
            start = match.start()
            for size in longest_first[same[start : start + n_known]]:
                end = start + size
                code = codes.get(same[start:end]) if end <= len(same) else None
                if code is not None and is_whole(text, start, end):
                    if start >= reached:
                        mentioned.append(code)
                    reached = max(reached, end)
                    break
        return mentioned

    return find


def _cases(form: str) -> list[str]:
    """Return a label as it may be written; A to Z, which the texts have in lower case, in one way only."""
    if form.isascii():
        return [form]
    return list(dict.fromkeys(map(lower_ascii, (form, form.upper(), form.capitalize(), form.title()))))


def _starts(begins: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of where a label may begin, by its first two or three characters and the one in front."""
    followed: dict[str, dict[str, str]] = {}
    for text in begins:
        lasts = followed.setdefault(text[0], {})
        lasts[text[1]] = lasts.get(text[1], "") + re.escape(text[2:])
    parts = []
    for first, lasts in followed.items():
        start = re.escape(first)
        inside = f"(?<![a-z0-9]{start})" if first.isascii() and first.isalnum() else ""
        rest = "|".join(re.escape(second) + (f"[{third}]" if third else "") for second, third in lasts.items())
        parts.append(f"{start}{inside}(?={rest})")
    return re.compile("|".join(parts))


def is_whole(text: str, start: int, end: int) -> bool:
    """Return whether text[start:end] begins and ends where words do.

    >>> is_whole("node.js", 0, 4), is_whole("It is node.", 6, 10), is_whole("invalid", 2, 7)
    (False, True, False)
    """
    before, after = text[max(0, start - 2) : start][::-1], text[end : end + 2]
    if _word_continues(text[start], before) or _word_continues(text[end - 1], after):
        return False
    return not has_joined_marks(text, start, end)


def _word_continues(edge: str, beyond: str) -> bool:
    """Return whether a word continues: with a letter, or with an underscore or hyphen and then a letter."""
    if not beyond or not edge.isalnum():
        return False
    if beyond[0].isalnum():
        return not (_is_unspaced(edge) or _is_unspaced(beyond[0]))
    more = beyond[1:]
    return edge.isascii() and beyond[0] in "-_" and bool(more) and (more >= "\x80" or more.isalnum())


def _is_unspaced(character: str) -> bool:
    """Return true for scripts without spaces between words."""
    return character >= "\u2e80" or "\u0e00" <= character <= "\u0eff" or "\u1000" <= character <= "\u109f"
