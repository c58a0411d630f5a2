"""Editing the rules of a parser: rules in, widgets, rules out.

What is edited lives outside (in the evaluation, or where a rule is still wrong in the session): whenever other rules
come in than were drawn last, every widget is set to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from data.errors import DataError
from data.parser.parser import Rule
from data.parser.rule_kinds import ANSWER_TAGS, DECORATIONS, HELP, MARKERS, MATCH_RULES, THINKING_TAGS, TRIM_RULES
from ui.limits import MAX_TEXT_CHARS
from ui.text.messages import remark

_DRAWN = "parser.drawn"


@dataclass(frozen=True)
class Kind:
    """A kind of rule in a few plain words.

    values : what its values are called; empty = it has none. `usual` are offered to pick from, as others may be typed.
    pairs : what the first half of a pair is called; empty = it has no pairs.
    """

    title: str
    values: str = ""
    usual: tuple[str, ...] = ()
    pairs: str = ""


KINDS: Mapping[str, Kind] = {
    "strip_thinking": Kind("Leave out the thinking", "Tags", THINKING_TAGS),
    "in_tag": Kind("What stands in a tag", "Tags", ANSWER_TAGS),
    "after_last": Kind("The text after a marker", "Markers", (*MARKERS, "####", "label:", "final answer")),
    "json_field": Kind("A field of a JSON object", "Fields", ("label", "answer", "class", "category", "prediction")),
    "first_line": Kind("The first line"),
    "last_line": Kind("The last line"),
    "strip": Kind("Remove decorations", "Decorations", tuple(DECORATIONS)),
    "regex": Kind("The part that a pattern finds", "Pattern"),
    "exact": Kind("Exactly a label"),
    "normalised": Kind("A label, however it is written"),
    "alias": Kind("Another name of a label", pairs="other name"),
    "choice_letter": Kind("The letter of a choice", pairs="letter"),
    "only_mentioned": Kind("The only label mentioned"),
    "first_mentioned": Kind("The first label mentioned"),
    "last_mentioned": Kind("The last label mentioned"),
}
"""The closed list of rules, in the order in which they are offered."""


def edit(rules: Sequence[Rule], labels: Sequence[str], problems: Mapping[int, str]) -> tuple[Rule, ...]:
    """Draw the rules for editing; returns them as the person has them now.

    Parameters
    ----------
    rules : what to edit, in order.
    labels : the labels that a pair may end in.
    problems : what is wrong with a rule, as a sentence, by its place; it is shown beside the rule.
    """
    rules = tuple(rules)
    fresh = st.session_state.get(_DRAWN) != rules
    st.session_state[_DRAWN] = rules
    edited, asked = [], None
    for place, rule in enumerate(rules):
        with st.container(border=True, gap="xxsmall"):
            number, options, buttons = st.columns([0.4, 0.38, 0.22], vertical_alignment="center")
            with number:
                _title(place, rule)
            with options:
                edited.append(_options(place, rule, labels, fresh))
            with buttons:
                asked = _buttons(place, len(rules)) or asked
            if place in problems:
                remark(problems[place], "serious")
    asked = _add() or asked
    return asked(tuple(edited)) if asked else tuple(edited)


Change = Callable[[tuple[Rule, ...]], tuple[Rule, ...]]


def problems_of(rules: Sequence[Rule]) -> dict[int, str]:
    """Say what keeps each rule from working, by its place; a rule that works is not listed.

    >>> list(problems_of([Rule("exact"), Rule("regex", ("(",))]))
    [1]
    """
    problems = {}
    for place, rule in enumerate(rules):
        try:
            Rule.from_json(rule.to_json(), place + 1)
        except DataError as error:
            problems[place] = str(error)
    return problems


def move_rule(rules: tuple[Rule, ...], place: int, by: int) -> tuple[Rule, ...]:
    """Return the rules with one of them elsewhere.

    >>> [rule.kind for rule in move_rule((Rule("exact"), Rule("strip")), 1, -1)]
    ['strip', 'exact']
    """
    kept = [*rules[:place], *rules[place + 1 :]]
    kept.insert(place + by, rules[place])
    return tuple(kept)


def remove_rule(rules: tuple[Rule, ...], place: int) -> tuple[Rule, ...]:
    """Return the rules without one of them."""
    return rules[:place] + rules[place + 1 :]


def add_rule(rules: tuple[Rule, ...], kind: str) -> tuple[Rule, ...]:
    """Return the rules with one more: a match rule at the end, a trim rule where it still matters.

    That is in front of the reading rules at the end, as no rule behind it would read what it leaves.

    >>> [rule.kind for rule in add_rule((Rule("first_line"), Rule("exact"), Rule("normalised")), "strip")]
    ['first_line', 'strip', 'exact', 'normalised']
    """
    place = len(rules)
    while kind in TRIM_RULES and place and rules[place - 1].kind in MATCH_RULES:
        place -= 1
    return (*rules[:place], Rule(kind), *rules[place:])


def pairs_from_text(text: str, labels: Sequence[str]) -> tuple[tuple[str, str], ...]:
    r"""Return pairs from lines `text = label`; where "=" stands twice, the label is the longest end that is one.

    >>> pairs_from_text("yes = spam\na = b = ham", ["spam", "ham", "b = ham"])
    (('yes', 'spam'), ('a', 'b = ham'))
    """
    return tuple(_pair(line, set(labels)) for line in text.splitlines() if line.strip())


def _pair(line: str, labels: set[str]) -> tuple[str, str]:
    parts = line.split("=")
    cuts = [("=".join(parts[:i]).strip(), "=".join(parts[i:]).strip()) for i in range(1, len(parts))]
    return next((cut for cut in cuts if cut[1] in labels), cuts[-1] if cuts else (line.strip(), ""))


def pairs_as_text(pairs: Sequence[tuple[str, str]]) -> str:
    """Return pairs as the lines that `pairs_from_text` reads."""
    return "\n".join(f"{text} = {label}" for text, label in pairs)


def _title(place: int, rule: Rule) -> None:
    kind = KINDS[rule.kind]
    does = ":blue-badge[match]" if rule.kind in MATCH_RULES else ":gray-badge[trim]"
    st.markdown(f"{place + 1}. **{kind.title}** {does}", help=HELP[rule.kind])


def _options(place: int, rule: Rule, labels: Sequence[str], fresh: bool) -> Rule:
    """Return the widgets of a rule's own options."""
    kind, key = KINDS[rule.kind], f"parser.{place}.{rule.kind}"
    if not _writable(rule):
        st.caption("Its values hold line breaks or spaces at their ends: edit them in the exported file.")
        return rule
    if rule.kind == "regex":
        pattern = _set(f"{key}.pattern", rule.values[0] if rule.values else "", fresh)
        text = st.text_input(kind.values, key=pattern, placeholder=r"such as  Answer: (\w+)")
        last = st.toggle("The last match counts", key=_set(f"{key}.last", rule.last, fresh))
        return Rule(rule.kind, (text,) if text else (), (), last)
    if kind.values:
        offered = dict.fromkeys((*rule.values, *kind.usual))
        chosen = st.multiselect(
            kind.values,
            list(offered),
            format_func=lambda value: DECORATIONS.get(value, value) if rule.kind == "strip" else value,
            key=_set(f"{key}.values", list(rule.values), fresh),
            accept_new_options=rule.kind != "strip",
            placeholder="the usual ones" + "; type to add others" * (rule.kind != "strip"),
        )
        return Rule(rule.kind, tuple(chosen))
    if kind.pairs:
        shown = pairs_as_text(rule.pairs)
        about = f"{kind.pairs} = label, one a line"
        text = st.text_area(about.capitalize(), key=_set(f"{key}.pairs", shown, fresh), height="content",
                            max_chars=MAX_TEXT_CHARS)  # fmt: skip
        return rule if text == shown else Rule(rule.kind, (), pairs_from_text(text, labels))
    return rule


def _set(key: str, value: Any, fresh: bool) -> str:
    """Give a widget its value where other rules came in, or where leaving the page made it forget."""
    if fresh or key not in st.session_state:
        st.session_state[key] = value
    return key


def _writable(rule: Rule) -> bool:
    """Return whether the widgets can hold a rule to the letter."""
    if KINDS[rule.kind].pairs:
        return all(half == half.strip() and len(half.splitlines()) <= 1 for pair in rule.pairs for half in pair)
    return all(value.strip() and len(value.splitlines()) == 1 for value in rule.values)


def _buttons(place: int, n: int) -> Change | None:
    """Draw the buttons up, down and remove; return the one that was pressed."""
    rule = f"rule {place + 1}"
    with st.container(horizontal=True, gap="xxsmall", horizontal_alignment="right"):
        up = st.button(f"Move {rule} up", key=f"icon.parser.up.{place}", icon=":material/arrow_upward:",
                       help="Move up", disabled=not place)  # fmt: skip
        down = st.button(f"Move {rule} down", key=f"icon.parser.down.{place}", icon=":material/arrow_downward:",
                         help="Move down", disabled=place == n - 1)  # fmt: skip
        away = st.button(f"Remove {rule}", key=f"icon.parser.remove.{place}", icon=":material/delete:",
                         help="Remove this rule")  # fmt: skip
    if away:
        return lambda rules: remove_rule(rules, place)
    if up or down:
        return lambda rules: move_rule(rules, place, -1 if up else 1)
    return None


def _add() -> Change | None:
    """Draw the list of rules to add; return the chosen one."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox(
            "Add a rule",
            list(KINDS),
            format_func=lambda name: f"{KINDS[name].title} ({'match' if name in MATCH_RULES else 'trim'})",
            key="parser.kind",
            help="Trim rules shorten the answer. The first match rule that finds a label wins.",
        )
        wanted = st.button("Add", key="parser.add", icon=":material/add:")
    st.caption(HELP[kind])
    return (lambda rules: add_rule(rules, kind)) if wanted else None
