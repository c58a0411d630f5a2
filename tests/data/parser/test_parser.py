"""A parser as JSON: what is written is read back, and everything else is refused in one sentence."""

import json

import pytest

from data.errors import DataError
from data.limits import MAX_PATTERN_CHARS
from data.parser.parser import STANDARD, Parser, Rule, check_pattern, parser_from_text, to_text
from data.parser.rule_kinds import HELP, MATCH_RULES, TRIM_RULES

FULL = Parser(
    "everything",
    (
        Rule("strip_thinking", ("think",)),
        Rule("after_last", ("answer is", "[/INST]")),
        Rule("json_field", ("label",)),
        Rule("strip", ("dollars", "full stop")),
        Rule("regex", (r"label=(\w+)",), last=True),
        Rule("exact"),
        Rule("alias", (), (("junk", "spam"), ("ü", "ham"))),
        Rule("choice_letter", (), (("A", "ham"),)),
    ),
    ("ham", "spam"),
)


@pytest.mark.parametrize("parser", [STANDARD, FULL, *(Parser(k, (Rule(k),)) for k in (*TRIM_RULES, *MATCH_RULES))])
def test_what_is_written_is_read_back(parser):
    if parser.name == "regex":
        parser = Parser("regex", (Rule("regex", ("a",)),))
    assert Parser.from_json(parser.to_json()) == parser
    assert parser_from_text(to_text(parser), "x.json") == parser


def test_parser_may_be_a_list_of_names():
    text = '\ufeff["exact", {"rule": "after_last", "values": ["answer is"]}]'
    assert parser_from_text(text, "/tmp/two rules.json") == Parser(
        "two rules", (Rule("exact"), Rule("after_last", ("answer is",)))
    )
    assert parser_from_text('{"rules": ["exact"]}', "served.v2.json").name == "served.v2"
    assert parser_from_text('{"rules": ["exact"], "name": "own"}', "served.json").name == "own"


def test_every_rule_is_explained():
    assert set(HELP) == {*TRIM_RULES, *MATCH_RULES}


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (1, "'1' came"),
        (None, "missing came"),
        ({}, "missing; a list of 1 to 50 rules"),
        ({"rules": []}, "0 rules; a list of 1 to 50"),
        ({"rules": ["exact"] * 51}, "51 rules; a list of 1 to 50"),
        ({"rules": "exact"}, "has 'exact'; a list"),
        ({"rules": ["exact"], "extra": 1}, "'extra', which is none of name, rules and labels"),
        ({"rules": ["exact"], "name": ""}, "name is ''"),
        ({"rules": ["exact"], "name": "x" * 101}, "name is 'x"),
        ({"rules": ["exact"], "name": "\ud800"}, "name is"),
        ({"rules": ["exact"], "name": None}, "name is missing"),
        ({"rules": ["exact"], "labels": []}, "labels are 0 labels"),
        ({"rules": ["exact"], "labels": "ab"}, "labels are 'ab'"),
        ({"rules": ["exact"], "labels": ["a", 1]}, "Label 2 of the parser is '1'"),
        ({"rules": ["exact"], "labels": ["a", "a"]}, "'a' twice"),
        ({"rules": ["exact"], "labels": ["a" * 4501]}, "a text of 4,501 characters"),
        ({"rules": ["exact"], "labels": [str(i) for i in range(5001)]}, "5,001 labels"),
        ({"rules": ["exact", "guess"]}, "Rule 2 is 'guess'; there are strip_thinking"),
        ({"rules": ["exact", 7]}, "Rule 2 is '7'"),
        ({"rules": [{"rule": ["exact"]}]}, "Rule 1 is a list"),
        ({"rules": [{"kind": "exact"}]}, "Rule 1 is missing"),
        ({"rules": [{"rule": "exact", "values": ["a"]}]}, "Rule 1 (exact) has 'values'; it takes no options"),
        ({"rules": [{"rule": "strip", "last": True}]}, "Rule 1 (strip) has 'last'; it takes values"),
        ({"rules": [{"rule": "regex", "values": ["a"], "last": 1}]}, "last is '1'; true or false"),
        ({"rules": [{"rule": "after_last", "values": "is"}]}, "values is 'is'; a list"),
        ({"rules": [{"rule": "after_last", "values": ["a"] * 101}]}, "values is 101 values"),
        ({"rules": [{"rule": "after_last", "values": [1]}]}, "a value is '1'"),
        ({"rules": [{"rule": "after_last", "values": [" "]}]}, "a value is ' '"),
        ({"rules": [{"rule": "after_last", "values": ["x" * 501]}]}, "a text of 501 characters"),
        ({"rules": [{"rule": "after_last", "values": ["\udfff"]}]}, "a value is"),
        ({"rules": [{"rule": "strip", "values": ["hats"]}]}, "no decoration 'hats'; there are dollars"),
        ({"rules": [{"rule": "strip_thinking", "values": ["<think>"]}]}, "'<think>' is not the name of a tag"),
        ({"rules": [{"rule": "alias", "pairs": {"a": "b"}}]}, "pairs is an object; a list"),
        ({"rules": [{"rule": "alias", "pairs": [["a"]]}]}, "a pair is a list"),
        ({"rules": [{"rule": "alias", "pairs": [["a", None]]}]}, "a label is missing"),
        ({"rules": [{"rule": "alias", "pairs": [["a", "b"], ["a", "c"]]}]}, "'a' stands for 'b' and 'c'"),
        ({"rules": [{"rule": "alias", "pairs": [[str(i), "b"] for i in range(2001)]}]}, "2,001 pairs"),
        (
            {"rules": [{"rule": "alias", "pairs": [[f"{i} {j}", "b"] for i in range(1001)]} for j in range(2)]},
            "lists 2,002 aliases and letters",
        ),
        ({"rules": [{"rule": "choice_letter", "pairs": [["long", "b"]]}]}, "'long' is not a letter"),
        ({"rules": ["regex"]}, "Rule 1 (regex) has 0 patterns; exactly one"),
        ({"rules": [{"rule": "regex", "values": ["a", "b"]}]}, "has 2 patterns"),
        ({"rules": ["exact", {"rule": "regex", "values": ["(a"]}]}, "Rule 2 (regex): the pattern '(a' is not valid"),
        ({"rules": [{"rule": "regex", "values": ["(?=a)"]}]}, "RE2 syntax was wanted, which has no look-ahead"),
        ({"rules": [{"rule": "regex", "values": [r"(a)\1"]}]}, "is not valid"),
        ({"rules": [{"rule": "regex", "values": ["a*"]}]}, "matches an empty text"),
        ({"rules": [{"rule": "regex", "values": ["a" * (MAX_PATTERN_CHARS + 1)]}]}, "301 characters; at most 300"),
        ({"rules": [{"rule": "regex", "values": ["(a{100}){100}"]}]}, "repeats something 10,000 times"),
        ({"rules": [{"rule": "regex", "values": ["a{1,999999999999999999999}"]}]}, "repeats something"),
    ],
)
def test_wrong_parser_is_refused_in_one_sentence(values, says):
    with pytest.raises(DataError) as error:
        Parser.from_json(values)
    text = str(error.value)
    assert says in text and len(text) < 400 and "\n" not in text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON (line 1)"),
        ("{", "not JSON"),
        ('{"rules":\n["exact",]}', "not JSON (line 2)"),
        ("[" * 100_000, "nested too deep"),
        ('"exact"', "a JSON object with rules"),
        ("[1e999]", "Rule 1 is 'inf'"),
        ('{"rules": ["exact"], "labels": [' + '"a",' * 100_000 + '"b"]}', "larger than 256 kB"),
        ('["exact"]' + " " * (256 << 10), "larger than 256 kB"),
        ("9" * 5000, "not JSON"),
    ],
)
def test_wrong_parser_text_is_refused_in_one_sentence(text, says):
    with pytest.raises(DataError) as error:
        parser_from_text(text, "x.json")
    assert says in str(error.value) and len(str(error.value)) < 400


@pytest.mark.parametrize("pattern", ["a+", "(?i)yes|no", r"\blabel: (\w+)$", "x{1,20}", r"(?P<l>[A-D])\)"])
def test_patterns_of_re2_are_taken(pattern):
    check_pattern(pattern, "Rule 1 (regex)")


def test_json_that_is_read_back_is_json():
    assert json.loads(to_text(FULL)) == FULL.to_json()
