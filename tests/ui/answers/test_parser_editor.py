"""The editor of a parser: rules in, widgets, rules out."""

import pytest
from streamlit.testing.v1 import AppTest

from data.parser.parser import STANDARD, Parser, Rule, parser_from_text, to_text
from data.parser.rule_kinds import HELP, MATCH_RULES, TRIM_RULES
from tests.ceiling import CEILING_SECONDS
from ui.answers.parser_editor import (
    KINDS,
    add_rule,
    move_rule,
    pairs_as_text,
    pairs_from_text,
    problems_of,
    remove_rule,
)

LABELS = ("ham", "spam", "a = b")


def script() -> None:
    """Keeps the rules as the parsing page does: what the editor returns comes in again."""
    import streamlit as st

    from data.parser.parser import STANDARD
    from ui.answers import parser_editor

    rules = st.session_state.setdefault("rules", STANDARD.rules)
    edited = parser_editor.edit(rules, ("ham", "spam", "a = b"), parser_editor.problems_of(rules))
    if edited != rules:
        st.session_state["rules"] = edited
        st.session_state["edits"] = st.session_state.get("edits", 0) + 1
        st.rerun()


def editor(*rules: Rule) -> AppTest:
    app = AppTest.from_function(script, default_timeout=CEILING_SECONDS)
    if rules:
        app.session_state["rules"] = rules
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def rules_of(app: AppTest) -> tuple[Rule, ...]:
    return app.session_state["rules"]


def kinds(app: AppTest) -> list[str]:
    return [rule.kind for rule in rules_of(app)]


EVERY = (
    Rule("strip_thinking", ("think",)),
    Rule("in_tag", ("answer",)),
    Rule("after_last", ("answer is", "[/INST]")),
    Rule("json_field", ("label",)),
    Rule("first_line"),
    Rule("last_line"),
    Rule("strip", ("dollars", "bold")),
    Rule("regex", ("x=(a|b)",), last=True),
    Rule("exact"),
    Rule("normalised"),
    Rule("alias", (), (("junk", "spam"), ("x", "a = b"))),
    Rule("choice_letter", (), (("A", "ham"),)),
    Rule("only_mentioned"),
    Rule("first_mentioned"),
    Rule("last_mentioned"),
)


def test_every_rule_is_drawn_and_comes_back():
    assert {rule.kind for rule in EVERY} == {*TRIM_RULES, *MATCH_RULES} == set(KINDS) == set(HELP)
    app = editor(*EVERY)
    assert "edits" not in app.session_state
    assert rules_of(app) == EVERY
    for rule in EVERY:
        assert any(KINDS[rule.kind].title in text.value for text in app.markdown), rule.kind


def test_nothing_changes_by_itself():
    app = editor(*STANDARD.rules)
    app = checked(app.run())
    assert rules_of(app) == STANDARD.rules and "edits" not in app.session_state


def test_a_marker_is_added_and_taken_away():
    app = editor(Rule("after_last", ("answer is",)), Rule("exact"))
    app = checked(app.multiselect(key="parser.0.after_last.values").set_value(["answer is", "Label ->"]).run())
    assert rules_of(app)[0].values == ("answer is", "Label ->")
    app = checked(app.multiselect(key="parser.0.after_last.values").set_value(["Label ->"]).run())
    assert rules_of(app) == (Rule("after_last", ("Label ->",)), Rule("exact"))
    assert app.session_state["edits"] == 2, "one edit is one change"


def test_a_pattern_and_which_match_counts():
    app = editor(Rule("regex", ("a",)))
    app = checked(app.text_input(key="parser.0.regex.pattern").set_value(r"(\w+)\.$").run())
    app = checked(app.toggle(key="parser.0.regex.last").set_value(True).run())
    assert rules_of(app) == (Rule("regex", (r"(\w+)\.$",), last=True),)


def test_invalid_pattern_is_marked_and_kept():
    app = editor(Rule("exact"), Rule("regex", ("a",)))
    app = checked(app.text_input(key="parser.1.regex.pattern").set_value("(unclosed").run())
    assert app.text_input(key="parser.1.regex.pattern").value == "(unclosed"
    said = [text.value for text in app.text]
    assert len(said) == 1 and "Rule 2 (regex)" in said[0] and "(unclosed" in said[0]
    app = checked(app.text_input(key="parser.1.regex.pattern").set_value("(closed)").run())
    assert not app.text and problems_of(rules_of(app)) == {}


def test_aliases_are_lines():
    app = editor(Rule("alias"))
    app = checked(app.text_area(key="parser.0.alias.pairs").set_value("junk = spam\n\n  fine=ham \n").run())
    assert rules_of(app) == (Rule("alias", (), (("junk", "spam"), ("fine", "ham"))),)
    assert app.text_area(key="parser.0.alias.pairs").value == "junk = spam\nfine = ham"


def test_rules_move_and_keep_their_options():
    app = editor(Rule("regex", ("a",)), Rule("regex", ("b",), last=True), Rule("exact"))
    app = checked(app.button(key="icon.parser.down.0").click().run())
    assert rules_of(app) == (Rule("regex", ("b",), last=True), Rule("regex", ("a",)), Rule("exact"))
    assert app.text_input(key="parser.0.regex.pattern").value == "b"
    assert app.toggle(key="parser.0.regex.last").value is True
    app = checked(app.button(key="icon.parser.up.2").click().run())
    assert kinds(app) == ["regex", "exact", "regex"] and rules_of(app)[2].values == ("a",)
    assert app.session_state["edits"] == 2


def test_first_rule_cannot_move_up():
    app = editor(Rule("exact"), Rule("normalised"))
    assert app.button(key="icon.parser.up.0").disabled and app.button(key="icon.parser.down.1").disabled
    assert not app.button(key="icon.parser.down.0").disabled


def test_removed_rule_leaves_its_place_to_another():
    app = editor(Rule("regex", ("a",)), Rule("regex", ("b",)))
    app = checked(app.button(key="icon.parser.remove.0").click().run())
    assert rules_of(app) == (Rule("regex", ("b",)),)
    assert app.text_input(key="parser.0.regex.pattern").value == "b"


def test_a_rule_is_added_where_it_matters():
    app = editor(Rule("first_line"), Rule("exact"))
    app = checked(app.selectbox(key="parser.kind").set_value("strip").run())
    app = checked(app.button(key="parser.add").click().run())
    app = checked(app.selectbox(key="parser.kind").set_value("only_mentioned").run())
    app = checked(app.button(key="parser.add").click().run())
    assert kinds(app) == ["first_line", "strip", "exact", "only_mentioned"]


def test_rules_from_elsewhere_replace_the_screen():
    app = editor(Rule("regex", ("a",)))
    app.session_state["rules"] = (Rule("regex", ("other",), last=True),)
    app = checked(app.run())
    assert app.text_input(key="parser.0.regex.pattern").value == "other"
    assert rules_of(app) == (Rule("regex", ("other",), last=True),)


@pytest.mark.parametrize(("value", "untouched"), [("two\nlines", 2), (" space in front", 1)])
def test_values_no_widget_holds_stay(value, untouched):
    app = editor(Rule("after_last", (value,)), Rule("alias", (), ((value, "spam"),)))
    assert rules_of(app) == (Rule("after_last", (value,)), Rule("alias", (), ((value, "spam"),)))
    assert len([text for text in app.caption if "exported file" in text.value]) == untouched


def test_pairs_survive_as_text():
    pairs = (("junk", "spam"), ("1 = 1", "ham"), ("x", "a = b"))
    assert pairs_from_text(pairs_as_text(pairs), LABELS) == pairs
    assert pairs_from_text("no equals sign", LABELS) == (("no equals sign", ""),)
    assert problems_of([Rule("alias", (), (("no equals sign", ""),))]) != {}


def test_moving_adding_and_removing_lose_nothing():
    for place in range(len(EVERY)):
        assert sorted(map(repr, (*remove_rule(EVERY, place), EVERY[place]))) == sorted(map(repr, EVERY))
        if place:
            assert move_rule(move_rule(EVERY, place, -1), place - 1, 1) == EVERY
    for kind in KINDS:
        more = add_rule((Rule("first_line"), Rule("exact")), kind)
        assert sorted(rule.kind for rule in more) == sorted(["first_line", "exact", kind])


def test_edited_parser_is_exported_and_read_back():
    parser = Parser("mine", EVERY)
    assert parser_from_text(to_text(parser)) == parser
