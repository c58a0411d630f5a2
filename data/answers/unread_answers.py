"""Find why no rule could read an answer, and which answers are labels that the model made up."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from data.answers.vocabulary import ROOM, Find, Vocabulary, normalise, strip_marks


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TOOL_MARKS = (
    "[invalid]", "['invalid']", '["invalid"]', "[missing]", "NOT_PARSABLE", "NOT_PARSEABLE", "UNPARSEABLE",
    "UNPARSABLE", "answer-not-found", "[no_answer]", "[noanswer]",
)  # fmt: skip
"""Marks of evaluation tools for an answer that they could not parse: never read as a label unless it is one exactly."""
NO_ANSWERS = _words(
    "none null nan n/a na n invalid missing unknown unparsed unparseable unparsable undefined error no_answer noanswer "
    "not_parsable not_parseable notparsable no-answer"
) | {"no answer", "not parsable", "not parseable", "no label found"}
"""Whole answers that say there is none, in lower case and without decorations."""

_REFUSAL = re.compile(
    r"[\s\"'*_>]*(?:unfortunately|apologies|my apologies|i apologi[sz]e|(?:i['’]?m |i am |we['’]re |we are )?"
    r"(?:(?:so|very|really|terribly) )?sorry\b|sorry\b|as an? (?:ai|artificial|large|language)\b|"
    r"(?:i['’]?m |i am |we are )?(?:unable|not (?:able|sure|certain|comfortable|allowed))\b|no idea\b|"
    r"(?:(?:i|we) )?(?:can['’]?t|cannot|can not|could not|couldn['’]t|won['’]t|will not)\b|"
    r"(?:i|we) (?:do not|don['’]?t) (?:know|have|want|feel|understand|think i can)\b|"
    r"it(?: is|['’]s) (?:unclear|impossible|not (?:possible|clear))\b|(?:i )?(?:must |have to )?decline\b)",
    re.IGNORECASE | re.ASCII,
)
_REFUSAL_WORDS = _words(
    """
    i im i'm ive me my you we it its sorry apologies cannot can't cant unable not don't dont no none nothing as
    an the this that these is are was be to of for please here sure could would should might maybe perhaps unsure
    unclear unknown unparseable unparsable invalid missing null nan n/a na error undefined answer label
    """
)
_PUNCTUATION = frozenset('.,:;!?"|\n')
_TAIL = 64
_SEPARATOR = r"[\x00-,./:-@\[-^`{-\x7f]"  # what is no letter, digit, hyphen or underscore of ASCII
_FENCES = re.compile("`{3,}")
_SHORTEST_PREFIX = 3
_ECHOED_LABELS, _ECHOED_SHARE = 4, 0.6


MADE_UP = "made up"
"""Reason for an answer in the style of the labels that is not one of them."""


def build_reason(vocabulary: Vocabulary, find: Find) -> Callable[[str, bool], str]:
    """Return the function that says why no rule could read a trimmed answer.

    find : gives the codes of the labels that a text mentions.

    It takes the text, and whether that was part of a sentence: then it is no bare answer, and no made-up label.

    >>> from data.answers.vocabulary import build_mention_finder
    >>> reason = build_reason(Vocabulary(("ham", "spam")), build_mention_finder(("ham", "spam")))
    >>> [reason(text, False) for text in ("", "I cannot say.", "ham or spam", "eggs", "[invalid]")]
    ['empty', 'refusal', 'several labels', 'made up', 'unparseable']
    """
    tool_marks = marks_of_tools(vocabulary.labels)
    most = max(_ECHOED_LABELS, _ECHOED_SHARE * len(vocabulary.labels))
    begins_a_label, is_made_up = _cut_test(vocabulary), _build_style_test(vocabulary)

    def reason(text: str, is_phrase: bool) -> str:
        if not text:
            return "empty"
        if text in tool_marks or is_no_answer(text):
            return "unparseable"
        if _is_cut_off(text):
            return "truncated"
        n = len(set(find(text)))
        if n >= 2:
            return "echo of the prompt" if n >= most else "several labels"
        if refuses(text):
            return "refusal"
        if begins_a_label(text):
            return "truncated"
        return MADE_UP if not is_phrase and is_made_up(text) else "unparseable"

    return reason


def marks_of_tools(labels: Sequence[str]) -> frozenset[str]:
    """Return the words that tools write for a failed parse, without those that are labels."""
    return frozenset(TOOL_MARKS) - set(labels)


def is_no_answer(text: str) -> bool:
    """Return whether a whole answer says that there is none."""
    return len(text.encode()) <= 40 and _lower_each(text.strip(" .\"'`*()[]<>{}!")) in NO_ANSWERS


def _lower_each(text: str) -> str:
    """Return a text in lower case, each character by itself and as one."""
    return text.lower() if text.isascii() else "".join(character.lower()[0] for character in text)


def _is_cut_off(text: str) -> bool:
    """Return true for an object or a code fence that never closes."""
    if "```" in text and sum(len(run) - 2 for run in _FENCES.findall(text)) % 2:
        return True
    return text[0] == "{" and text[-1] != "}" and text.count("{") > text.count("}")


def refuses(text: str) -> bool:
    """Return true for an answer that begins, in English, as a refusal or as not knowing."""
    return _REFUSAL.match(text[:200]) is not None


def _cut_test(vocabulary: Vocabulary) -> Callable[[str], bool]:
    """Return a test for answers that end inside a word of a label: "it is card_arr"."""
    beginnings = _list_beginnings(vocabulary)
    last_words = {re.split(_SEPARATOR, text)[-1].lower() for text in beginnings}

    def begins_a_label(text: str) -> bool:
        if not (text[-1].isalnum() or text[-1] == "_" or text[-1] >= "\x80"):
            return False
        tail = text[-_TAIL:].encode()[-_TAIL:].decode(errors="ignore")
        return _lower_each(re.split(_SEPARATOR, tail)[-1]) in last_words and _ends_inside_word(tail, beginnings)

    return begins_a_label


def _list_beginnings(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the beginnings of labels, cut inside a word; nothing for labels that are short or numbers."""
    style = Style.of(vocabulary.labels)
    if style.numeric or style.longest_bare <= _SHORTEST_PREFIX:
        return frozenset()
    whole = {form for label in vocabulary.labels for form in _list_spellings(label)}
    inside = lambda form, i: form[i - 1] == "_" or (form[i - 1].isalnum() and form[i].isalnum())  # noqa: E731
    beginnings = {
        form[:i] for form in whole for i in range(_SHORTEST_PREFIX, min(len(form), _TAIL)) if inside(form, i)
    }  # fmt: skip
    return frozenset(beginnings - whole)


def _list_spellings(label: str) -> set[str]:
    form = strip_marks(label).casefold()
    return {form, form.replace("_", " ")}


def _ends_inside_word(text: str, beginnings: frozenset[str]) -> bool:
    """Return whether the last words of a text are how a label begins."""
    text = text.casefold()
    starts = [0, *(match.end() for match in re.finditer(_SEPARATOR, text))]
    return any(text[start:] in beginnings for start in starts[-8:])


@dataclass(frozen=True)
class Style:
    """The shared style of labels, by which a bare answer is recognised as meant for one."""

    words: int
    longest: int
    longest_bare: int
    spaces: bool
    numeric: bool

    @classmethod
    def of(cls, labels: Sequence[str]) -> Style:
        """Return the style of a list of labels."""
        names = [strip_marks(label) for label in labels] or [""]
        return cls(
            words=min(6, max(len(re.split(r"[\s_\-]+", name)) for name in names)),
            longest=max((len(label) for label in labels), default=0),
            longest_bare=max(len(name) for name in names),
            spaces=any(" " in name for name in names),
            numeric=all(re.fullmatch(r"-?\d+", name) for name in names),
        )

    def fits(self, answer: str) -> bool:
        """Return whether a whole answer reads as one label of this style, and not as a refusal or a sentence.

        >>> style = Style.of(["card_arrival", "refund"])
        >>> style.fits("lost_card"), style.fits("I cannot say"), style.fits("It is lost.")
        (True, False, False)
        """
        name = strip_marks(answer)
        if len(name) > self.longest + 15 or _PUNCTUATION & set(name):
            return False
        words = name.casefold().replace("_", " ").replace("-", " ").split()
        if not words or name.casefold() in NO_ANSWERS or _REFUSAL_WORDS & set(words):
            return False
        if self.numeric:
            return bool(re.fullmatch(r"-?\d{1,6}", name))
        if self.longest_bare <= 3:  # "(A)", "B", "yes"
            return len(name) <= self.longest_bare and name.rstrip("+#-").isalnum()
        separated = self.spaces or " " not in name
        return separated and len(words) <= max(self.words, 1 if self.spaces else 4) and len(name) >= 2


def _build_style_test(vocabulary: Vocabulary) -> Callable[[str], bool]:
    """Return a test for answers in the style of the labels that are none of them, however they are dressed."""
    style, longest, forms = Style.of(vocabulary.labels), vocabulary.longest + ROOM, frozenset(vocabulary.forms)
    return lambda text: len(text) <= longest and style.fits(text) and normalise(text) not in forms


def find_made_up_labels(answers: Sequence[str], labels: Sequence[str], known: Sequence[str] = ()) -> dict[str, str]:
    """Map normalised made-up labels to one spelling; empty if they are so many that they are free text.

    Of several spellings the one in lower case counts, so that the order of the rows does not matter.

    known : labels outside the label space that a rule names; they keep their spelling.

    >>> find_made_up_labels(["**Eggs**", "eggs", "beans"], ["ham"])
    {'eggs': 'eggs', 'beans': 'beans'}
    """
    given = {normalise(label): label for label in known}
    names = dict(given)
    for answer in answers:
        key, spelling = normalise(answer), strip_marks(answer)
        names[key] = given.get(key) or min(names.get(key, spelling), spelling, key=str.swapcase)
    return names if len(names) - len(known) <= max(50, 2 * len(labels)) else {}
