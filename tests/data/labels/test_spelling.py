"""Labels that a reader can hardly tell apart are found, explained and spelled out; others are left in peace."""

import itertools
import unicodedata

import pytest
from hypothesis import given, strategies as st

from data.columns.plain_labels import plain_form
from data.labels.spelling import (
    _DIFFERENCES,
    _LETTERS,
    any_alike,
    describe_difference,
    group_look_alikes,
    keys,
    spell_out_pair,
    warn_of_look_alikes,
)

ALIKE = [
    ("Cat", "cat", "upper and lower case"),
    ("cat", "cat ", "spaces"),
    ("ice cream", "ice  cream", "spaces"),
    ("ice cream", "icecream", "spaces"),
    ("ice cream", "ice\u00a0cream", "spaces"),
    ("not spam", "not_spam", "underscores or hyphens between words"),
    ("not_spam", "not-spam", "underscores or hyphens between words"),
    ("Not Spam", "not_spam", "underscores or hyphens between words and upper and lower case"),
    ("cat", "cat\u200b", "characters that cannot be seen"),
    ("cat", "c\u00adat", "characters that cannot be seen"),
    ("caf\u00e9", "cafe\u0301", "how letters are composed in Unicode"),
    ("M\u00e4dchen", "M\u00c3\u00a4dchen", "UTF-8 that was read as Windows-1252"),
    ("TRUE", "True", "upper and lower case"),
    ("M\u00e4dchen", "Maedchen", "umlauts that are written as two letters"),
    ("cat", "\uff43\uff41\uff54", "forms of the same letters, such as full-width ones"),
    ("cat", "c\u0430t", "letters or signs that are drawn alike"),  # Cyrillic a
    ("COM", "\u0421\u041e\u041c", "letters or signs that are drawn alike"),
    ("Op", "\u039f\u03c1", "letters or signs that are drawn alike"),  # Greek omicron and rho
    ("co-op", "co\u2011op", "letters or signs that are drawn alike"),
    ("it's", "it\u2019s", "letters or signs that are drawn alike"),
    ("01", "1", "zeros in front"),
    ("1", "1.0", "how a number is written"),
    ("1", "+1", "how a number is written"),
    ("\u0412\u0415\u0420\u0410", "\u0432\u0435\u0440\u0430", "upper and lower case"),  # a Cyrillic name
    ("Cat", "cat ", "spaces and upper and lower case"),
]


@pytest.mark.parametrize(("one", "two", "why"), ALIKE)
def test_lookalike_pair_has_a_reason(one, two, why):
    assert group_look_alikes(["dog", one, "bird", two]) == [(one, two)]
    assert describe_difference(one, two) == describe_difference(two, one) == why
    assert any_alike([one, "x"], [two]) and any_alike([two], [one])


@pytest.mark.parametrize(
    "labels",
    [
        ["cat", "dog", "1", "2"],
        ["0", "10", "100"],
        ["1 2", "12"],  # two numbers and one number
        ["resume", "r\u00e9sum\u00e9"],  # an accent is to be seen
        ["a-b", "ab"],
        ["B-PER", "BPER", "I-PER"],
        ["gpt-4", "gpt 4", "gpt_5"],
        ["_spam", "spam"],
        ["l", "1"],
        ["\u0436", "x"],
        ["-1", "1"],
        ["1.5", "15"],
        ["", "x"],
    ],
)
def test_visibly_different_labels_are_no_group(labels):
    assert group_look_alikes(labels) == []
    assert warn_of_look_alikes(labels) == []


def test_confusable_letters_are_listed_once():
    others = [other for letters in _LETTERS.values() for other in letters]
    assert len(set(others)) == len(others)
    for latin, letters in _LETTERS.items():
        for other in letters:
            assert not other.isascii(), unicodedata.name(other)
            assert group_look_alikes([f"x{latin}x", f"x{other}x"]) == [(f"x{latin}x", f"x{other}x")]


def test_group_may_hold_by_its_middle():
    # the first two share their Latin letters, the last two their lower case
    middle = "\u0421\u041e\u041c"
    assert group_look_alikes(["COM", middle, middle.lower()]) == [("COM", middle, middle.lower())]
    assert group_look_alikes([middle.lower(), "COM", middle]) == [(middle.lower(), "COM", middle)]


@given(st.lists(st.text("aAbB 01.\u0430\u00e9e\u0301\u200b", max_size=4), unique=True, max_size=8))
def test_groups_are_what_comparing_every_pair_gives(labels):
    alike = {(a, b) for a in labels for b in labels if a != b and set(keys(a)) & set(keys(b))}
    together = {label: {label} for label in labels}
    for _ in labels:
        for a, b in alike:
            joined = together[a] | together[b]
            for label in joined:
                together[label] = joined
    expected = {frozenset(group) for group in together.values() if len(group) > 1}
    found = group_look_alikes(labels)
    assert {frozenset(group) for group in found} == expected
    assert sum(map(len, found)) == len({label for group in found for label in group})
    assert all(list(group) == sorted(group, key=labels.index) for group in found)


def slow_difference(one: str, two: str) -> str:
    """Every choice of reasons, the small ones first, each from the labels themselves."""
    for n in range(1, len(_DIFFERENCES) + 1):
        for chosen in itertools.combinations(_DIFFERENCES, n):
            left, right = one, two
            for _, step in chosen:
                left, right = step(left), step(right)
            if left == right:
                return " and ".join(name for name, _ in chosen)
    return "more than can be named"


@given(*[st.text("aAbB 01.\u0430\u00e9e\u0301\u200b\uff43", max_size=6)] * 2)
def test_difference_is_the_smallest_of_all(one, two):
    assert describe_difference(one, two) == slow_difference(one, two)


@pytest.mark.parametrize(
    ("one", "two", "why"),
    [
        ("x" * 4_900 + "a", "X" * 4_900 + "a", "upper and lower case"),
        ("x" * 4_900 + "a ", "x" * 4_900 + "A", "spaces and upper and lower case"),
        ("Y" + "x" * 4_900 + "a ", "y" + "x" * 4_900 + "A", "more than can be named"),
        ("7" * 400, "7" * 400 + ".0", "how a number is written"),
        ("0" * 400 + "5", "5", "zeros in front"),
        ("e\u0301" * 300, "\u00e9" * 300, "how letters are composed in Unicode"),
    ],
)
def test_long_labels_compare_differences_only(one, two, why, monkeypatch):
    read = []

    def watched(step):
        return lambda text: read.append(len(text)) or step(text)

    monkeypatch.setattr(
        "data.labels.spelling._DIFFERENCES", tuple((name, watched(step)) for name, step in _DIFFERENCES)
    )
    assert describe_difference(one, two) == describe_difference(two, one) == why
    assert sum(read) <= 4 * len(_DIFFERENCES) * max(len(one), len(two))  # two labels, in both orders


def test_many_groups_around_a_label_are_joined():
    latin, cyrillic = "ABEKMHOPCTYX", "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
    words = list(itertools.product(range(12), repeat=3))
    apart = ["".join(latin[i] for i in word) for word in words] + [
        "".join(cyrillic[i] for i in word).lower() for word in words
    ]
    middle = ["".join(cyrillic[i] for i in word) for word in words]
    found = group_look_alikes([*apart, *middle])
    assert len(found) == len(words) and {len(group) for group in found} == {3}


@given(st.text(max_size=20))
def test_plain_text_shortcut_gives_equal_keys(label):
    # a no-break space in front takes the long way, and goes with the other spaces around
    assert keys(label) == keys("\u00a0" + label)


@pytest.mark.parametrize(
    ("one", "two", "shown"),
    [
        ("Caf\u00e9", "Cafe\u0301", ("Caf\\u00e9", "Cafe\\u0301")),
        ("cat", "cat\u200b", ("cat", "cat\\u200b")),
        ("c\u0430t", "cat", ("c\\u0430t", "cat")),
        ("ice\u00a0cream", "ice cream", ("ice\\u00a0cream", "ice cream")),
        ("Z\u00fcrich", "z\u00fcrich", ("Z\u00fcrich", "z\u00fcrich")),  # what is shared stays as it is
    ],
)
def test_only_what_differs_is_spelled_out(one, two, shown):
    assert spell_out_pair(one, two) == shown


def test_long_labels_are_cut_to_what_differs():
    found = spell_out_pair("x" * 100 + "A" + "y" * 100, "x" * 100 + "a" + "y" * 100)
    assert found == tuple("…" + "x" * 24 + middle + "y" * 24 + "…" for middle in "Aa")


@given(st.text(max_size=12), st.text(max_size=12))
def test_two_labels_never_read_the_same(one, two):
    plain = "\\" not in one + two and "…" not in one + two
    if one != two and plain:
        assert len(set(spell_out_pair(one, two))) == 2


def test_warning_names_two_and_counts_groups():
    (warning,) = warn_of_look_alikes(["Cat", "cat", "dog", "dog ", "bird"])
    assert warning == (
        "The labels 'Cat' and 'cat' differ only by upper and lower case: they stay different classes until you merge "
        "them. 1 more group of labels looks alike, too."
    )
    (unseen,) = warn_of_look_alikes(["caf\u00e9", "cafe\u0301"])
    assert "and look the same" in unseen and r"'caf\u00e9' and 'cafe\u0301'" in unseen


def test_numbers_and_truth_values_have_plain_forms():
    plain = {"1.0": "1", "-0.0": "0", "+1": "1", "+0.0": "0", "TRUE": "true", "1.5": "1.5", "+": "+", "Yes": "Yes"}
    assert {text: plain_form(text) for text in plain} == plain
