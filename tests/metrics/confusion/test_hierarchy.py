"""Groups of classes by label prefix and from pasted lines, against what a person would put together."""

import pytest
from hypothesis import given, strategies as st

from metrics.confusion.axis import Group
from metrics.confusion.hierarchy import best_separator, by_prefix, collapse, from_lines, levels

BANK = ("card:lost", "card:stolen", "fees:cash:abroad", "fees:card", "refund", ":odd", "top-up:failed")


@pytest.mark.parametrize(
    ("labels", "separator", "groups"),
    [
        (BANK, ":", (Group("card", (0, 1)), Group("fees", (2, 3)))),
        (("a/b/c", "a/d", "a/b/e"), "/", (Group("a", (0, 1, 2)),)),
    ],
)
def test_beginnings_up_to_the_separator_make_groups(labels, separator, groups):
    assert by_prefix(labels, separator) == groups


@given(st.lists(st.text("ab:_", max_size=5), unique=True, max_size=12), st.sampled_from([":", "_", "::"]))
def test_groups_agree_up_to_the_separator(labels, separator):
    groups = by_prefix(labels, separator)
    group_of = {code: group.name for group in groups for code in group.codes}
    for i, one in enumerate(labels):
        for j, other in enumerate(labels):
            alike = separator in one and separator in other and one.split(separator)[0] == other.split(separator)[0]
            if i != j and alike and one.split(separator)[0]:
                assert group_of[i] == group_of[j] == one.split(separator)[0]
            elif i != j and i in group_of and j in group_of:
                assert group_of[i] != group_of[j]


def test_a_separator_of_nothing_is_refused():
    with pytest.raises(ValueError, match="separator"):
        by_prefix(("a", "b"), "")


@pytest.mark.parametrize(
    ("labels", "separator"),
    [
        (BANK, ":"),
        (("card_lost", "card_stolen", "top up", "top down", "top left"), " "),
        (("same:a", "same:b", "same:c"), ""),
        (("a", "b"), ""),
    ],
)
def test_best_separator_makes_several_groups(labels, separator):
    assert best_separator(labels) == separator


@pytest.mark.parametrize("parted", [",", "\t", ";", " , ", ";  "])
def test_pasted_lines_group_the_classes_they_name(parted):
    text = "\n".join(
        f"{label}{parted}{group}" for label, group in (("lost", "card"), ("fees", "money"), ("stolen", "card"))
    )
    assert from_lines(text, ("fees", "lost", "refund", "stolen")).groups == (
        Group("card", (1, 3)),
        Group("money", (0,)),
    )


def test_label_may_hold_the_separator():
    labels = ("lost, or stolen", "a;b", 'say "x"')
    text = '"lost, or stolen",card\na;b,letters\n"say ""x""",words'
    assert from_lines(text, labels).groups == (Group("card", (0,)), Group("letters", (1,)), Group("words", (2,)))
    assert from_lines("lost, or stolen,card", labels).groups == (Group("card", (0,)),)


def test_heading_is_no_line_of_labels():
    assert from_lines("Label,Group\na,x", ("a",)).unknown == ()
    assert from_lines("b,x\na,x", ("a",)).unknown == ("b",)


def test_a_class_called_label_is_no_heading():
    assert from_lines("label,x\na,x", ("a", "label")).groups == (Group("x", (0, 1)),)


def test_unusable_line_is_named_and_loses_nothing():
    pasted = from_lines("a,x\n\nno group here\na,y\nb,\n,x\nzzz,x\nb,y", ("a", "b"))
    assert pasted.groups == (Group("x", (0,)), Group("y", (1,)))
    assert pasted.unknown == ("zzz",)
    assert pasted.twice == ("a",)
    assert pasted.unreadable == (3, 5, 6)


def test_million_commas_are_read_at_once():
    assert from_lines("," * 1_000_000, ("a",)) == ((), (), (), (1,))


def test_collapsing_changes_nothing_else():
    groups = by_prefix(BANK, ":")
    assert [group.collapsed for group in collapse(groups, [1])] == [False, True]
    assert collapse(collapse(groups, [0, 1]), []) == groups


DEEP = ("bank:card:lost", "bank:card:stolen", "bank:fees", "bank:card", "shop:back:late", "shop:back:never", "other")


@pytest.mark.parametrize(
    ("level", "wanted"),
    [
        (1, {"bank": (0, 1, 2, 3), "shop": (4, 5)}),
        (2, {"bank:card": (0, 1), "bank": (2, 3), "shop:back": (4, 5)}),
        (9, {"bank:card": (0, 1), "bank": (2, 3), "shop:back": (4, 5)}),
    ],
)
def test_deeper_level_splits_the_groups_above(level, wanted):
    assert {group.name: group.codes for group in by_prefix(DEEP, ":", level)} == wanted
    assert levels(DEEP, ":") == 2
