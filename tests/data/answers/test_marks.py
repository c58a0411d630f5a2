"""Marks that are part of a word: no label is read from a word that only begins or ends like it."""

import pytest

from data.answers.parsing import parse_answers
from data.parser.parser import STANDARD, Parser, Rule

WORDS = (
    ("C", "C++", "C#"), ("F", "F#", "C"), ("A", "A+", "A-", "B"), ("AB", "AB+", "AB-", "O"), ("AA", "AA+", "AA-", "A"),
    ("NET", ".NET", "ASP.NET", "ASP"), ("node", "node.js", "js"), ("AT", "AT&T", "BT"), ("D", "R&D", "R"),
    ("3", "3.5", "-3", "5", ".5", "+3"), ("10", "10.5", "10,000", "-10", "10:30", "10+", "30"), ("can", "can't", "not"),
    (">50K", "<50K", "50K", "<=50K"), ("GPT-3", "GPT-3.5", "GPT-4", "GPT-4o"), ("won", "won't", "lost"),
    ("spam", "!spam", "≠spam", "ham"), ("Objective-C", "Objective-C++", "Swift"), ("home", "home@work", "work"),
)  # fmt: skip
"""Words of which each is another label, though one may stand inside another."""
FORMS = (
    "{}", "**{}**", "{}.", "{},", "{}!", '"{}"', "`{}`", "({})", "# {}", "```\n{}\n```", "Answer: {}", "Label: **{}**.",
    "The answer is {}.", "<answer>{}</answer>", '{{"label": "{}"}}', "<b>{}</b>", "*{}*", "## {} ##", "I say {} here.",
)  # fmt: skip
BARE = FORMS[:15]  # of these the standard parser reads the label
PARSERS = {
    "standard": STANDARD,
    "letters": Parser("letters", (Rule("choice_letter"),)),
    "mentions": Parser("mentions", (Rule("only_mentioned"),)),
    "first": Parser("first", (Rule("normalised"), Rule("first_mentioned"))),
}


def read(answers: list[str], labels: tuple[str, ...], parser: Parser) -> list[str | None]:
    parsed = parse_answers(answers, labels, parser)
    return [(*labels, *parsed.outside)[code] if code >= 0 else None for code in parsed.codes]


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_no_word_is_read_as_another(words):
    for absent in words:
        labels = tuple(word for word in words if word != absent)
        asked = [(form.format(word), word) for form in FORMS for word in words]
        for name, parser in PARSERS.items():
            for (answer, word), label in zip(asked, read([answer for answer, _ in asked], labels, parser), strict=True):
                assert label not in {*labels} - {word}, (name, answer, labels)


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_a_word_in_marks_is_read(words):
    asked = [(form.format(word), word) for form in BARE for word in words]
    found = read([answer for answer, _ in asked], words, STANDARD)
    assert list(zip((answer for answer, _ in asked), found, strict=True)) == asked


@pytest.mark.parametrize(
    "end", [".", ",", "!", "?", ";", ":", "…", ")", "]", '"', "**", "`", " - yes", " – yes", "- yes", "'s", "/x"]
)
def test_a_word_before_ordinary_marks_is_mentioned(end):
    assert read([f"It is ham{end}"], ("ham", "spam"), PARSERS["mentions"]) == ["ham"]


@pytest.mark.parametrize(
    "front", ["...", "…", "#", "(", "**", '"', "l'", "l’", "x=", "x: ", "/", "- ", "> ", "<b>", "~~"]
)
def test_a_word_behind_ordinary_marks_is_mentioned(front):
    assert read([f"It is {front}ham"], ("ham", "spam"), PARSERS["mentions"]) == ["ham"]
