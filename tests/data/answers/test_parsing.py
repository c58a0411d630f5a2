"""Free answers to labels: declared rules, every outcome, made-up labels apart from chatter, a slow parser."""

import itertools
import json
import re
import string
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, strategies as st

from data.answers.parsing import OUTCOMES, OUTSIDE, READ, parse_answers
from data.answers.vocabulary import has_joined_marks, normalise, strip_marks
from data.errors import DataError
from data.evaluation import UNPARSEABLE
from data.labels.cell_sets import find_set_encoding, parse_list
from data.parser.parser import STANDARD, Parser, Rule
from data.parser.rule_kinds import THINKING_TAGS

INTENTS = ["card_arrival", "refund", "pin_blocked"]


def parser(*rules) -> Parser:
    return Parser("mine", tuple(rule if isinstance(rule, Rule) else Rule(rule) for rule in rules))


def outcome(answer, labels=INTENTS, reader=STANDARD):
    """(what became of one answer, the label that was read)."""
    parsed = parse_answers([answer], labels, reader)
    names = [*labels, *parsed.outside]
    return parsed.names()[0], names[parsed.codes[0]] if parsed.codes[0] >= 0 else None


def left(rule, *texts, labels=INTENTS):
    """Return what one trim rule leaves."""
    return parse_answers(texts, labels, parser(rule)).left


# -- the standard parser ----------------------------------------------------------------------------


FEELINGS = ["anger", "fear", "joy", "love", "surprise"]
MENTIONS = "It is no Refund: the pin blocked it, and card_arrival."
LETTERS = parser(Rule("choice_letter", (), (("x", "refund"), ("y", "pin_blocked"))))
ALIASES = parser("exact", Rule("alias", (), (("money back", "refund"), ("?", "pin_blocked"), ("Lost", "lost_card"))))
CASES: dict[str, list[tuple[str, dict[str, Any], tuple[str, str | None]]]] = {
    "a label is exact": [(answer, {}, ("exact", "refund")) for answer in ("refund", " refund\n", "\u00a0refund\u3000")],
    "labels that differ by blanks stay apart": [
        ("a ", {"labels": ["a", "a "]}, ("exact", "a ")),
        ("a", {"labels": ["a", "a "]}, ("exact", "a")),
    ],
    "what surrounds a label is taken off": [
        (answer, {}, ("normalised", "refund"))
        for answer in (
            "Refund",
            "refund.",
            '"refund"',
            "'refund'",
            "**refund**",
            "$refund$",
            "`refund`",
            "(refund)",
            "REFUND!",
            "```\nrefund\n```",
            "```text\nrefund\n```",
            "Answer: refund",
            "label: **Refund**.",
            "The answer is: refund",
            "“refund”",
            "<think>refund or pin_blocked?</think>\nRefund",
        )
    ],
    "a label is read from a tag, a marker or a field": [
        (answer, {}, ("exact", "refund"))
        for answer in (
            "<answer>refund</answer>",
            "No pin_blocked here.\n<label>\nrefund\n</label> Done.",
            "So [ANSWER]refund",
            "Let me think about pin_blocked. Label: refund",
            "Category: refund\nBecause pin_blocked is wrong",
            "The label is refund",
            '{"label": "refund", "not": "pin_blocked"}',
            '{"label": ["refund"]}',
        )
    ],
    "numbers are labels in fields of labels": [
        ('{"label": 1, "confidence": 0}', {"labels": ["0", "1"]}, ("exact", "1")),
        ('{"confidence": 1}', {"labels": ["0", "1"]}, ("unparseable", None)),
    ],
    "underscores and spaces are the same when normalised": [("Card arrival", {}, ("normalised", "card_arrival"))],
    "the letter of an option needs no brackets": [
        (answer, {"labels": ["(A)", "(B)"]}, ("normalised", "(A)")) for answer in ("A", "(A).", "**A**", "Answer: (A)")
    ],
    "an object with exactly one label is read": [
        ('{"label": "refund", "why": "money is missing"}', {}, ("exact", "refund")),
        ('```json\n{"intent": "Refund"}\n```', {}, ("normalised", "refund")),
        ('{"a": "refund", "b": "pin_blocked"}', {}, ("several labels", None)),
        ('{"a": 1}', {}, ("unparseable", None)),
        ('{"a": ', {}, ("truncated", None)),
    ],
    "labels equal when normalised match exactly only": [
        ("Cat", {"labels": ["Cat", "cat"]}, ("exact", "Cat")),
        ("**cat**", {"labels": ["Cat", "cat"]}, ("normalised", "cat")),
        ("CAT", {"labels": ["Cat", "cat"]}, ("unparseable", None)),
    ],
    "why an answer holds no label": [
        ("I cannot say.", {}, ("refusal", None)),
        ("Sorry", {}, ("refusal", None)),
        ("I’m sorry, but I can’t help with that.", {}, ("refusal", None)),
        ("As an AI language model I have no view.", {}, ("refusal", None)),
        ("not sure", {}, ("refusal", None)),
        ("It is unclear what is meant.", {}, ("refusal", None)),
        ("unknown", {}, ("unparseable", None)),
        ("[invalid]", {}, ("unparseable", None)),
        ("NOT_PARSABLE", {}, ("unparseable", None)),
        ("N/A", {}, ("unparseable", None)),
        ("None", {}, ("unparseable", None)),
        ("null", {}, ("unparseable", None)),
        ("n", {}, ("unparseable", None)),
        ("This is about a refund.", {}, ("unparseable", None)),
        ("x" * 500, {}, ("unparseable", None)),
        ("…", {}, ("unparseable", None)),
        ("need more information", {}, ("unparseable", None)),
        ("refund or pin_blocked", {}, ("several labels", None)),
        ("I cannot choose between refund and pin blocked.", {}, ("several labels", None)),
        ("", {}, ("empty", None)),
        (" \n\t", {}, ("empty", None)),
        ("<think>refund?</think>", {}, ("empty", None)),
        ("<think>it may be a refund", {}, ("truncated", None)),
        ('{"label": "ref', {}, ("truncated", None)),
        ("```json\n{}", {}, ("truncated", None)),
        ("The answer is", {}, ("truncated", None)),
        ("The intent is card_arr", {}, ("truncated", None)),
        ("refu", {}, ("truncated", None)),
        ("the answer is pin_blo", {}, ("truncated", None)),
    ],
    "an answer that lists most labels echoes the prompt": [
        ("Choose one of anger, fear, joy, love.", {"labels": FEELINGS}, ("echo of the prompt", None)),
        ("Choose one of anger, fear, joy.", {"labels": FEELINGS}, ("several labels", None)),
        # three may well be meant
        ("yes, no or maybe", {"labels": ["yes", "no", "maybe"]}, ("several labels", None)),
    ],
    "markers of failed parses are no labels": [
        ("[invalid]", {"labels": ["valid", "invalid"]}, ("unparseable", None)),
        ("invalid", {"labels": ["valid", "invalid"]}, ("exact", "invalid")),
        ("None", {"labels": ["none", "some"]}, ("normalised", "none")),
        ("[invalid]", {"labels": ["[invalid]", "x"]}, ("exact", "[invalid]")),
        ("[invalid]", {"labels": ["valid", "invalid"], "reader": parser("last_mentioned")}, ("unparseable", None)),
    ],
    "a bare answer is a made-up label": [
        (answer, {}, (OUTSIDE, answer)) for answer in ("refund_request", "shipping", "Lost_Card", "card")
    ],
    "labels that are not listed need the style of labels": [
        ("7", {"labels": ["1", "2"]}, (OUTSIDE, "7")),
        ("cat", {"labels": ["1", "2"]}, ("unparseable", None)),
        ("(C)", {"labels": ["(A)", "(B)"]}, (OUTSIDE, "C")),
        ("valid", {"labels": ["(A)", "(B)"]}, ("unparseable", None)),
        ("lost card", {"labels": ["found card", "new phone"]}, (OUTSIDE, "lost card")),
    ],
    "a listed label that no rule reads is not made up": [
        ("$refund$", {"reader": parser("exact")}, ("unparseable", None)),
        ("Refund.", {"reader": parser("exact")}, ("unparseable", None)),
    ],
    "letters may be labels, or listed": [
        ("B.", {"labels": ["(A)", "(B)"], "reader": parser("choice_letter")}, ("letter", "(B)")),
        ("(2)", {"labels": ["1", "2"], "reader": parser("choice_letter")}, ("letter", "2")),
        ("(Y)", {"reader": LETTERS}, ("letter", "pin_blocked")),
        ("A", {"reader": LETTERS}, ("unparseable", None)),
    ],
    "aliases are compared like normalised": [
        ("Money_Back.", {"reader": ALIASES}, ("alias", "refund")),
        ("?", {"reader": ALIASES}, ("alias", "pin_blocked")),
        ("**lost**", {"reader": ALIASES}, (OUTSIDE, "lost_card")),  # a label that the label space lacks
    ],
    "mentions": [
        (MENTIONS, {"reader": parser("first_mentioned")}, ("mentioned", "refund")),
        (MENTIONS, {"reader": parser("last_mentioned")}, ("mentioned", "card_arrival")),
        (MENTIONS, {"reader": parser("only_mentioned")}, ("several labels", None)),
        ("A refund, a REFUND!", {"reader": parser("only_mentioned")}, ("mentioned", "refund")),
        # one character is no mention
        ("A or B", {"labels": ["A", "B"], "reader": parser("last_mentioned")}, ("unparseable", None)),
    ],
}


@pytest.mark.parametrize(
    ("answer", "given", "expected"),
    [
        pytest.param(answer, given, expected, id=f"{fact}: {answer[:60]!a}")
        for fact, cases in CASES.items()
        for answer, given, expected in cases
    ],
)
def test_outcome_of_an_answer(answer, given, expected):
    assert outcome(answer, **given) == expected


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
def test_reasoned_answer_is_read_after_its_marker(answer, code):
    assert parse_answers([answer], ["(A)", "(B)"]).codes.tolist() == [code]


# -- what no rule knows -----------------------------------------------------------------------------


def test_decorated_made_up_label_has_one_code():
    parsed = parse_answers(["shipping", "**Shipping**", "returns"], INTENTS)
    assert parsed.codes.tolist() == [3, 3, 4] and parsed.outside == ("shipping", "returns")


def test_too_many_made_up_labels_are_free_text():
    parsed = parse_answers([f"word{'abcdefghij'[i // 10]}{i % 10}" for i in range(60)], INTENTS)
    assert set(parsed.codes.tolist()) == {UNPARSEABLE} and set(parsed.names()) == {"unparseable"}


def test_sign_leads_to_an_answer_phrase_does_not():
    assert outcome("The answer is shipping", reader=parser(Rule("after_last", ("answer is",)), "exact"))[0] == (
        "unparseable"
    )
    assert outcome("[INST] … [/INST] shipping", reader=parser("after_last", "exact")) == (OUTSIDE, "shipping")
    assert outcome("So:\nshipping", reader=parser("last_line", "exact")) == ("unparseable", None)
    assert outcome('{"label": "shipping"}', reader=parser(Rule("json_field", ("label",)), "exact"))[0] == OUTSIDE
    assert outcome('{"why": "it came", "label": "shipping"}', reader=parser("json_field", "exact"))[0] == OUTSIDE
    framed = ["The answer is refund.", "The answer is shipping.", "As I said, the answer is late."]
    parsed = parse_answers(framed, ["refund", "arrival"], parser("after_last", "normalised"))
    assert parsed.names() == ["normalised", OUTSIDE, "unparseable"] and parsed.outside == ("shipping",)


# -- rule by rule -----------------------------------------------------------------------------------


def test_answer_cut_off_while_thinking_is_truncated():
    assert outcome("<think>a</think>refund<think>b", reader=parser("strip_thinking", "exact")) == ("truncated", None)


MARKER = "the label that I choose for this message is"
MARKERS = Rule("after_last", ("answer is", "Fazit:", "ÜBER"))
FIELDS = Rule("json_field", ("label", "answer"))
TRIMMED: dict[str, list[tuple[Rule | str, str, str]]] = {
    "thinking is left out whatever its tag": [
        ("strip_thinking", "a <THINK>b</THINK> c", "c"),
        ("strip_thinking", "b</think>\n\nc", "c"),
        ("strip_thinking", "c <thinking x=1>b</thinking> ", "c"),
        ("strip_thinking", "<think>a</think>b<think>c</think>d", "d"),
        ("strip_thinking", "[THINK]a[/THINK]b", "b"),
        (Rule("strip_thinking", ("note",)), "<note>a</note>b", "b"),
        (Rule("strip_thinking", ("note",)), "<think>a</think>b", "<think>a</think>b"),
    ],
    "the last marker counts, to the end of its line": [
        (MARKERS, "ANSWER IS a. fazit: b\nc", "b"),
        (MARKERS, "fazit: x answer is\r\n\r\n y \nz", "y"),
        (MARKERS, "Über c", "c"),
        (MARKERS, "über d", "d"),
        (MARKERS, "nothing", "nothing"),
        (Rule("after_last", (MARKER,)), f"{MARKER} a, no: {MARKER.upper()} b", "b"),
        (Rule("after_last", (MARKER,)), "c", "c"),
    ],
    "the first or the last line": [
        ("first_line", "\n\n a \nb\n", "a"),
        ("first_line", "c", "c"),
        ("last_line", "\n\n a \r\n b\r\n\r\n", "b"),
        ("last_line", "c", "c"),
    ],
    "decorations are taken off": [
        ("strip", text, inner)
        for text, inner in (
            ("$B$", "B"), ("$$B$$", "B"), ("\\(B\\)", "B"), ("\\boxed{B}", "B"), ("so $\\boxed{\\text{x y}}$.", "x y"),
            ("**B**", "B"), ("***B***", "B"), ('"B"', "B"), ("“B”", "B"), ("„B“", "B"), ("«B»", "B"), ("`B`", "B"),
            ("[B]", "B"), ("<B>", "B"), ("```\nB\n```", "B"), ("```text\nB\n```", "B"), ("B.", "B"), ("**(B).**", "B"),
            ("B...", "B..."), ("(A) or (B)", "(A) or (B)"), ('"A" or "B"', '"A" or "B"'), ("()", "()"), ("$", "$"),
            ("\\boxed{", "\\boxed{"), ("\\boxed{a_{1}}", "a_{1}"), ("**", "**"), (".", "."),
            ("\\boxed{A}, no: \\boxed{B}", "B"),
        )
    ],
    "only the chosen decorations are taken off": [
        (Rule("strip", ("dollars",)), text, inner)
        for text, inner in (("$B$", "B"), ("**B**", "**B**"), ("$**B**$", "**B**"))
    ],
    "a field of an object wherever it stands": [
        (FIELDS, text, inner)
        for text, inner in (
            ('Sure:\n```json\n{"why": "{x}", "Label": "a"}\n```', "a"), ('{"answer": "b", "x": {"label": "c"}}', "c"),
            ('{"answer": true}', "true"), ('{"answer": ["d"]}', "d"), ('{"answer": "caf\\u00e9"}', "café"),
            ("{'label': 'a'}", "{'label': 'a'}"), ('{"other": "x"}', '{"other": "x"}'), ('{"answer": 1.0}', "1.0"),
            ('\\frac{a}{b} {"answer": "e"}', "e"), ('{"answer": null}', '{"answer": null}'), ('[{"label": "f"}]', "f"),
            ('{"answer": "\\ud800"}', "?"),
        )
    ],
    "a pattern leaves what it finds": [
        (Rule("regex", (pattern,), last=last), text, inner)
        for pattern, last, text, inner in (
            (r"label=(\w+)", False, "label=a label=b", "a"),
            (r"label=(\w+)", True, "label=a label=b", "b"),
            (r"\d+", True, "1 22 333 x", "333"),
            (r"\d+", False, "11 22", "11"),
            (r"(?i)x(y)|z", False, "say Z", "say Z"),
            (r"(?i)x(?:y)|z", False, "say Z", "Z"),
            (r"(?m)^ans: (.*)$", True, "ans: a\nans: b\nrest", "b"),
            (r"(?P<name>b+)c", False, "abbc", "bb"),
            ("é(.)", False, "caféX", "X"),
            ("nope", False, "text", "text"),
        )
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "text", "inner"),
    [
        pytest.param(rule, text, inner, id=f"{fact}: {text[:60]!a} {place}")
        for fact, cases in TRIMMED.items()
        for place, (rule, text, inner) in enumerate(cases)
    ],
)
def test_trim_rule_leaves_a_part(rule, text, inner):
    assert left(rule, text, "untouched") == [inner, "untouched"]


def test_each_answer_is_read_by_itself():
    reader = parser("last_line", Rule("after_last", ("not",)), "json_field", "only_mentioned")
    alone = parse_answers(["It is not spam"], ["not spam", "spam"], reader)
    together = parse_answers(["It is not spam", '{"a": "spam"}', "x"], ["not spam", "spam"], reader)
    assert alone.names()[0] == together.names()[0] == "mentioned" and alone.codes[0] == together.codes[0] == 1


def test_hostile_objects_are_left_alone():
    deep = '{"a":' * 5000 + '"refund"' + "}" * 5000
    large = json.dumps({"label": "refund", "pad": "x" * 30_000})
    number = '{"label": ' + "9" * 5000 + "}"
    for text in (deep, large, number, "{" * 100_000, '{"' * 50_000, '{"a"' + "}" * 1000):
        assert left("json_field", text) == [text]


def test_letters_stand_for_labels_by_their_order():
    reader = parser("choice_letter")
    dressed = ("B", "(B)", "b.", "**B**", '"B"', "Option B", "The correct answer is: (B)")
    for answer in (*dressed, "(B) refund", "B: Refund."):
        assert outcome(answer, reader=reader) == ("letter", "refund"), answer
    for answer in ("E", "(B) shipping", "A or B", "Bad", "B and more", ""):
        assert outcome(answer, reader=reader)[0] != "letter", answer
    assert outcome("A", [f"l{i}" for i in range(27)], reader)[0] != "letter", "there is none for the last"


def test_rules_run_in_order_and_say_which_decided():
    reader = parser("exact", Rule("after_last", ("is",)), "exact", "last_mentioned")
    parsed = parse_answers(["refund", "it is refund", "a refund", "no"], INTENTS, reader)
    assert parsed.rules.tolist() == [0, 2, 3, -1]
    assert parsed.left == ["refund", "refund", "a refund", "no"]


def test_broken_pattern_is_refused_with_its_rule():
    for rule in (Rule("regex", ("(",)), Rule("regex"), Rule("regex", ("a", "b"))):
        with pytest.raises(DataError, match=r"Rule 2 \(regex\)"):
            parse_answers(["a"], INTENTS, parser("exact", rule))


def test_a_pattern_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("data.answers.trim_rules.REGEX_SECONDS", -1.0)
    with pytest.raises(DataError, match="took longer than"):
        parse_answers(["a"], INTENTS, parser(Rule("regex", ("a",))))


def test_what_is_left_of_one_answer():
    parsed = parse_answers(["Hm. The answer is **Refund**.\nBye"], INTENTS)
    assert parsed.left == ["**Refund**."]


# -- large and hostile ------------------------------------------------------------------------------

EVERY = parser(
    "strip_thinking", "after_last", "json_field", "strip", Rule("regex", (r"x(\w+)y",), last=True), "exact",
    "normalised", Rule("alias", (), (("z", "refund"),)), "choice_letter", "last_line", "only_mentioned",
    "first_mentioned",
)  # fmt: skip


def test_nothing_that_an_answer_holds_breaks_a_rule():
    mega = 1_000_000
    texts = [
        "a" * mega, " " * mega, "<think>" * 100_000, "</think>" * 100_000, "{" * mega, "$" * mega, "```" * 300_000,
        "\x00refund\x00", "\u202erefund\u202c", "refund\ufffd", "e\u0301" * 1000, "\n" * mega, "answer is " * 100_000,
        "\\boxed{" * 100_000, "*" * mega, "refund " * 100_000, "\ufdd0refund\ufdd1", "", "'" * 999, "答案是refund。",
        "(" * 999 + "refund" + ")" * 999,
    ]  # fmt: skip
    parsed = parse_answers(texts, INTENTS, EVERY)
    assert len(parsed.codes) == len(texts) == len(parsed.left)
    assert outcome("答案是refund。", reader=EVERY) == ("mentioned", "refund")


def test_thousands_of_long_labels_are_read():
    labels = [f"{'long label ' * (400 if i < 3 else 3)}{i}" for i in range(5000)]
    answers = [labels[0], labels[1].upper(), f"It is {labels[4000].replace(' ', '_')}.", "long label", "other"]
    parsed = parse_answers(answers, labels, parser("exact", "normalised", "only_mentioned"))
    assert parsed.names()[:3] == ["exact", "normalised", "mentioned"]
    assert parsed.codes[:3].tolist() == [0, 1, 4000]


def test_no_answers_and_no_labels():
    assert len(parse_answers([], INTENTS).codes) == 0
    assert parse_answers(["a", ""], []).names()[1] == "empty"


# -- against a slow parser --------------------------------------------------------------------------


def slowly(text: str, labels: list[str], rules: list[Rule]) -> tuple[str | None, str]:
    """(the label, what was left): one text after the other, in plain Python."""
    places = {normalise(label): label for label in labels}
    for rule in rules:
        stripped = text.strip()
        if rule.kind == "exact" and stripped in labels:
            return stripped, stripped
        if rule.kind == "normalised" and len(stripped) <= max(map(len, labels)) + 60:
            found = strip_marks(stripped) if strip_marks(stripped) in labels else places.get(normalise(stripped))
            if found:
                return found, stripped
        if rule.kind.endswith("mentioned"):
            joined = re.sub(r"(?<=[^\W\d_])\.(?=[a-z])|(?<=[A-Z])\.(?=[A-Z]{2})|(?<![\w.])\.(?=\w)", "z", text)
            named = [label for label in re.split(r"[^a-zé]+", joined.lower()) if label in labels]
            if named and not (rule.kind == "only_mentioned" and len(set(named)) > 1):
                return named[-1 if rule.kind == "last_mentioned" else 0], stripped
        if rule.kind == "strip_thinking":
            tag = rf"(?:{'|'.join(THINKING_TAGS)})"
            closed = [m for m in re.finditer(rf"(?i)</{tag}>", text)]
            opened = [m for m in re.finditer(rf"(?i)<{tag}>", text)]
            if opened and (not closed or closed[-1].start() < opened[-1].start()):
                return None, stripped
            if closed:
                behind = text[closed[-1].end() :].strip()
                text = text[: opened[0].start()] if not behind and opened else behind
        if rule.kind == "after_last":
            places_ = [text.lower().rfind(marker) + len(marker) for marker in rule.values if marker in text.lower()]
            if places_:
                rest = text[max(places_) :].lstrip(" \t\r\n:").strip()
                if not rest:
                    return None, stripped
                text = re.split(r"[\r\n]", rest)[0]
        if rule.kind in ("first_line", "last_line"):
            lines = [line.strip() for line in re.split(r"[\r\n]", text) if line.strip()]
            text = lines[0 if rule.kind == "first_line" else -1] if lines else text
        if rule.kind == "regex":
            found_all = [m for m in re.finditer(rule.values[0], text) if m[1].strip()]
            text = found_all[-1 if rule.last else 0][1] if found_all else text
    return None, text.strip()


PIECES = (
    "alpha", "beta", "gamma", "ALPHA", "Beta.", '"gamma"', "answer is ", "label: ", "<think>", "</think>", "\n", " ",
    ": ",
    ".", "x", "**", "answer is alpha", "\r\n", "not ", ",", "É", "v=alpha;", "v=beta;", "",
)  # fmt: skip
RULES = (
    Rule("exact"), Rule("normalised"), Rule("strip_thinking"), Rule("after_last", ("answer is", "label:")),
    Rule("first_line"), Rule("last_line"), Rule("only_mentioned"), Rule("first_mentioned"), Rule("last_mentioned"),
    Rule("regex", (r"v=([a-z]+);",)), Rule("regex", (r"v=([a-z]+);",), last=True),
)  # fmt: skip


@given(
    st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), min_size=1, max_size=12, unique=True),
    st.lists(st.sampled_from(RULES), max_size=6),
)
@example(["</think>\nalpha"], [Rule("first_line"), Rule("strip_thinking")])
def test_the_engine_reads_what_a_slow_parser_reads(texts, rules):
    labels = ["alpha", "beta", "gamma"]
    parsed = parse_answers(texts, labels, Parser("p", tuple(rules)))
    for text, code, name, shown in zip(texts, parsed.codes.tolist(), parsed.names(), parsed.left, strict=True):
        wanted, rest = slowly(text, labels, rules)
        assert (labels[code] if name in READ else None) == wanted, (text, name)
        assert shown == rest, text


@given(st.lists(st.lists(st.sampled_from(RULES), max_size=5), min_size=2, max_size=6))
def test_what_was_remembered_changes_nothing(parsers):
    texts = pa.array([a + b + c for a in PIECES[:14] for b in PIECES[::4] for c in PIECES[::5]]).unique()
    for rules in parsers:
        reader = Parser("p", tuple(rules))
        quick, slow = (parse_answers(texts, ["alpha", "beta", "gamma"], reader, keep=keep) for keep in (True, False))
        for name in ("codes", "outcomes", "rules"):
            assert np.array_equal(getattr(quick, name), getattr(slow, name))
        assert quick.left == slow.left and quick.outside == slow.outside


def test_the_outcomes_that_read_a_label_come_first():
    assert READ == ("exact", "normalised", "alias", "letter", "mentioned") == OUTCOMES[:5]


# -- cells that hold several labels -----------------------------------------------------------------


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
    assert find_set_encoding(cells).delimiter == delimiter


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
    assert find_set_encoding(cells) is None


@pytest.mark.parametrize("mark", string.punctuation + "´‘’“”„«»\n\t")
def test_a_mark_that_joins_a_word_stays(mark):
    for before, word in itertools.product(("", *string.punctuation), ("5", "spam", "NET")):
        place = len(before) + 1
        answer = f"{before}{mark}{word}"
        if has_joined_marks(answer, place, len(answer)):
            assert strip_marks(answer).endswith(f"{mark}{word}")
