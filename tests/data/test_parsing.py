"""Free answers to labels: few named rules, distinct answers once, made-up labels apart from chatter."""

import pytest

from data.evaluation import UNPARSEABLE
from data.label_sets import parse_list, set_encoding
from data.parsing import EMPTY, NO_LABEL, OUTSIDE, Rule, parse_answers

INTENTS = ["card_arrival", "refund", "pin_blocked"]


def outcome(answer, labels=INTENTS):
    parsed = parse_answers([answer], labels)
    names = [*labels, *parsed.outside]
    return parsed.outcomes[0], names[parsed.codes[0]] if parsed.codes[0] >= 0 else None


@pytest.mark.parametrize("answer", ["refund", " refund\n"])
def test_an_answer_that_is_a_label_is_exact(answer):
    assert outcome(answer) == ("exact", "refund")


@pytest.mark.parametrize(
    "answer",
    [
        "Refund", "refund.", '"refund"', "'refund'", "**refund**", "$refund$", "`refund`", "(refund)", "REFUND!",
        "```\nrefund\n```", "```text\nrefund\n```", "Answer: refund", "label: **Refund**.", "The answer is: refund",
        "“refund”",
    ],
)  # fmt: skip
def test_what_surrounds_a_label_is_taken_off(answer):
    assert outcome(answer) == ("normalised", "refund")


def test_underscores_and_spaces_are_the_same_when_normalised():
    assert outcome("Card arrival") == ("normalised", "card_arrival")


@pytest.mark.parametrize("answer", ["A", "(A).", "**A**", "Answer: (A)"])
def test_an_option_letter_is_found_with_and_without_brackets(answer):
    assert outcome(answer, ["(A)", "(B)"]) == ("normalised", "(A)")


def test_an_object_with_exactly_one_label_is_read():
    assert outcome('{"label": "refund", "why": "money is missing"}') == ("json", "refund")
    assert outcome('```json\n{"intent": "Refund"}\n```') == ("json", "refund")
    assert outcome('{"a": "refund", "b": "pin_blocked"}')[1] is None
    assert outcome('{"a": 1}')[1] is None
    assert outcome('{"a": ')[1] is None


@pytest.mark.parametrize(
    "answer",
    [
        "I cannot say.", "Sorry", "unknown", "[invalid]", "NOT_PARSABLE", "N/A", "None", "null", "not sure",
        "the answer is refund because the money is missing", "refund or pin_blocked", "This is about a refund.",
        "x" * 500, "…", "need more information",
    ],
)  # fmt: skip
def test_chatter_and_refusals_hold_no_label(answer):
    assert outcome(answer) == (NO_LABEL, None)


def test_empty_answers_are_unparseable_and_counted_apart():
    parsed = parse_answers(["", "  \n"], INTENTS, rows=[3, 4])
    assert parsed.codes.tolist() == [UNPARSEABLE] * 2 and parsed.counts == {EMPTY: 7}


@pytest.mark.parametrize("answer", ["refund_request", "shipping", "Lost_Card"])
def test_a_bare_answer_in_the_labels_style_is_a_label_the_model_made_up(answer):
    assert outcome(answer) == (OUTSIDE, answer)


def test_made_up_labels_need_the_style_of_the_labels():
    assert outcome("7", ["1", "2"]) == (OUTSIDE, "7")
    assert outcome("cat", ["1", "2"]) == (NO_LABEL, None)
    assert outcome("(C)", ["(A)", "(B)"]) == (OUTSIDE, "C")
    assert outcome("valid", ["(A)", "(B)"]) == (NO_LABEL, None)
    assert outcome("lost card", ["found card", "new phone"]) == (OUTSIDE, "lost card")


def test_one_made_up_label_has_one_code_however_it_is_dressed():
    parsed = parse_answers(["shipping", "**Shipping**", "returns"], INTENTS)
    assert parsed.codes.tolist() == [3, 3, 4] and parsed.outside == ("shipping", "returns")


def test_too_many_made_up_labels_are_free_text():
    parsed = parse_answers([f"word{'abcdefghij'[i // 10]}{i % 10}" for i in range(60)], INTENTS)
    assert set(parsed.codes.tolist()) == {UNPARSEABLE} and parsed.counts == {NO_LABEL: 60}


def test_labels_that_become_one_when_normalised_are_only_matched_exactly():
    labels = ["Cat", "cat"]
    assert outcome("Cat", labels) == ("exact", "Cat")
    assert outcome("**cat**", labels) == ("normalised", "cat")
    assert outcome("CAT", labels) == (NO_LABEL, None)


def test_rules_are_tried_in_order_and_counted_by_rows():
    rules = (Rule("first", lambda a, v: 0 if "x" in a else None), Rule("second", lambda a, v: 1))
    parsed = parse_answers(["x", "y"], INTENTS, rows=[2, 5], rules=rules)
    assert parsed.codes.tolist() == [0, 1] and parsed.counts == {"first": 2, "second": 5}


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('["a", "b"]', ("a", "b")),
        ("['a', 'b']", ("a", "b")),
        ("[]", ()),
        ("[1, 2]", ("1", "2")),
        ("['it\\'s']", ("it's",)),
        ("[__import__('os')]", None),
        ("[['a']]", None),
        ("['a'", None),
        ("a", None),
        ("[" * 5000 + "]" * 5000, None),
    ],
)
def test_lists_are_parsed_and_never_evaluated(text, labels):
    assert parse_list(text) == labels


@pytest.mark.parametrize(
    ("cells", "delimiter"),
    [
        (["a|b", "b|c", "a"], "|"),
        (["drama;comedy", "comedy", "drama;horror", "horror;comedy"], ";"),
        (["a, b", "b", "a, c", "b, c"], ","),
        (
            ["haze", "clear water", "clear", "haze water", "clear water road", "haze road", "haze water road", "road"],
            " ",
        ),
    ],
)
def test_delimiters_count_where_the_parts_recur(cells, delimiter):
    assert set_encoding(cells).delimiter == delimiter


@pytest.mark.parametrize(
    "cells",
    [
        ["a,b", "dog"], ["Paris, France", "Lyon, France", "Rome, Italy", "Milan, Italy"], ["a|b", "other"],
        ["very negative", "negative", "neutral", "positive", "very positive"], ["video game/tv", "other"],
        ["light blue", "dark blue", "light red", "dark red", "light green", "dark green"], ["=cmd|' /C calc'!A0", "x"],
        ["not spam", "spam"], [],
    ],
)  # fmt: skip
def test_a_delimiter_in_a_name_makes_no_set(cells):
    assert set_encoding(cells) is None


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("First (A) looks right. So the answer is (B).", 1),
        ("The answer is (A). No, wait: the answer is (B).", 1),
        ("So the Answer is:\n(A)", 0),
        ("So the answer is (C).", UNPARSEABLE),
        ("The answer is (A) or (B).", UNPARSEABLE),
        ("ẞİ: the answer is (a).", 0),
    ],
)
def test_a_reasoned_answer_is_read_after_its_last_marker(answer, code):
    assert parse_answers([answer], ["(A)", "(B)"]).codes.tolist() == [code]
