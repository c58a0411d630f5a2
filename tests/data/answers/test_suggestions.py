"""Suggestions say what a change of the parser gives, and give exactly that."""

import numpy as np
import pyarrow as pa
import pytest

from data.answers.parser_edits import find_near_labels
from data.answers.suggestions import suggest_changes
from data.building.build import build
from data.building.rescoring import with_parser
from data.evaluation import UNPARSEABLE, Settings
from data.parser.parser import STANDARD, Parser, Rule
from tests.opened_runs import accuracy

EXACT = Parser("mine", (Rule("exact"),))
TRUTHS = ["ham", "spam", "eggs"] * 20


def evaluation(answers, parser=EXACT, truths=TRUTHS):
    table = pa.table({"y": list(truths), "output": list(answers)})
    return build(table, Settings(truth="y", raw="output", parser=parser), name="t", content_sha256="0")


def dressed(how, parser=EXACT):
    """Every third answer is a label and right, the others are dressed up."""
    return evaluation([t if i % 3 == 0 else how(t, i) for i, t in enumerate(TRUTHS)], parser)


@pytest.mark.parametrize(
    ("how", "parser", "change"),
    [
        (lambda t, i: f"${t}$", EXACT, "strip `$…$`"),
        (lambda t, i: f"**{t}**", EXACT, "strip `**…**`"),
        (lambda t, i: f"Long ago… {i}: \\boxed{{{t}}}", EXACT, "strip `\\boxed{…}`"),
        (lambda t, i: f"<think>ham or spam {i}?</think>{t}", EXACT, "leave out the thinking"),
        (lambda t, i: f'{{"label": "{t}", "n": {i}}}', EXACT, "read a field of a JSON object"),
        (
            lambda t, i: f'{{"result": "{t}", "not": "{TRUTHS[i + 1 - 3]}", "n": {i}}}',
            Parser("mine", (Rule("json_field"), Rule("exact"))),
            "read the JSON field `result`",
        ),
        (lambda t, i: f"ham or spam? {i}\nverdict: {t}", EXACT, "read what follows the last `verdict:`"),
        (lambda t, i: f"It may be ham, or spam. {i}\n{t}", EXACT, "read the last line"),
        (lambda t, i: f"{t}\nIt may be ham, or spam. {i}", EXACT, "read the first line"),
        (lambda t, i: f"({'BCA'[i % 3]})", EXACT, None),
        (lambda t, i: f"{t[0]}{t[1:]}.", STANDARD, None),
        (lambda t, i: f"I would call message {i} {t}", EXACT, "read the only label mentioned"),
    ],
)
def test_suggestion_reads_the_answers_as_promised(how, parser, change):
    found = dressed(how, parser)
    offered = suggest_changes(found)
    if change is not None:
        assert change in [one.text[: one.text.rindex(": ")] for one in offered]
    for one in offered:
        after = with_parser(found, one.parser)
        assert one.accuracy_before == accuracy(found) and one.accuracy_after == accuracy(after)
        read = [(e.y_pred[e.scored] >= 0) & (e.y_pred[e.scored] < e.n_space) for e in (found, after)]
        assert one.n_more_parsed == read[1].sum() - read[0].sum() > 0
        assert f"{one.n_more_parsed:,} more row" in one.text
        assert f"accuracy {100 * one.accuracy_before:.1f} % → {100 * one.accuracy_after:.1f} %" in one.text


def test_letters_are_read_as_labels_in_order():
    found = dressed(lambda t, i: f"({'ABC'[sorted(set(TRUTHS)).index(t)]})")
    best = suggest_changes(found)[0]
    assert best.text == "read the letter of a choice: 40 more rows get a label, accuracy 33.3 % → 100.0 %"
    assert best.parser.rules == (Rule("exact"), Rule("choice_letter"))


def test_marker_is_added_to_the_others():
    parser = Parser("mine", (Rule("after_last", ("answer is",)), Rule("exact")))
    best = suggest_changes(dressed(lambda t, i: f"case {i} label: {t}", parser))[0]
    assert Rule("after_last", ("answer is", "label:")) in best.parser.rules and best.accuracy_after == 1


def test_change_brings_the_normalised_rule():
    best = suggest_changes(dressed(lambda t, i: f"case {i}: ham, spam? The answer is {t.upper()}."))[0]
    assert best.text.startswith(
        "read what follows the last `answer is`, however it is written: 40 more rows get a label"
    )


def test_frequent_misspellings_become_aliases():
    truths = ["refund", "login"] * 20
    found = evaluation(["refunnd" if t == "refund" else t for t in truths], STANDARD, truths)
    (one,) = [one for one in suggest_changes(found) if one.aliases]
    assert one.aliases == (("refunnd", "refund"),) and one.n_more_parsed == 20 and one.accuracy_after == 1
    assert "refunnd" not in one.text, "what the file holds stands beside the sentence, not in it"


def test_constant_mentions_are_doubtful():
    found = dressed(lambda t, i: f"Message {i} (ham, spam, eggs?) is {t}")
    offered = {one.text.partition(":")[0]: one for one in suggest_changes(found)}
    first, last = "read the first label mentioned", "read the last label mentioned"
    assert "'ham' would be 100 %" in offered[first].doubtful and not offered[last].doubtful
    assert list(offered).index(last) < list(offered).index(first)


def test_nothing_is_suggested_where_nothing_would_read_more():
    assert suggest_changes(evaluation(TRUTHS)) == []
    assert suggest_changes(dressed(lambda t, i: f"no idea {i}")) == []
    labels = build(
        pa.table({"y": ["a", "b"], "p": ["a", "a"]}), Settings(truth="y", pred="p"), name="t", content_sha256="0"
    )
    assert suggest_changes(labels) == []


def test_all_answers_are_counted_at_the_end():
    n = 6_000
    truths = np.array(["ham", "spam"])[np.arange(n) % 2]
    found = evaluation([f"#{i} I say {t}" for i, t in enumerate(truths)], EXACT, truths)
    assert (found.y_pred == UNPARSEABLE).all()
    assert [one.n_more_parsed for one in suggest_changes(found)] == [n]


@pytest.mark.parametrize(
    ("answer", "labels", "label"),
    [
        ("card arrivals", ["card_arrival"], "card_arrival"),
        ("card-arrival", ["card_arrival"], "card_arrival"),
        ("refnud", ["refund", "fund"], "refund"),
        ("invalid", ["valid"], None),
        ("unlocked", ["locked"], None),
        ("not locked", ["nut locked"], None),
        ("level 2", ["level 3"], None),
        ("carded", ["carder", "cardes"], None),
        ("cart", ["cat"], None),
        ("", ["a"], None),
    ],
)
def test_which_answers_nearly_spell_a_label(answer, labels, label):
    assert find_near_labels([answer], labels) == ([(answer, label)] if label else [])


WORDS = dict(zip(TRUTHS, ["0", "1", "2"] * 20, strict=True))


def test_words_beside_numbers_are_offered_as_a_mapping():
    answers = [TRUTHS[(i + 1) % 60] if i % 5 == 0 else t for i, t in enumerate(TRUTHS)]
    found = evaluation(answers, STANDARD, [WORDS[t] for t in TRUTHS])
    assert "If the answers hold words, say which number is which" in found.receipt.warnings[0]
    mapping = suggest_changes(found)[0]
    assert dict(mapping.aliases) == WORDS and "Check each" in mapping.doubtful
    assert mapping.accuracy_after == accuracy(with_parser(found, mapping.parser)) == 0.8
    named = Settings(truth="y", raw="output", class_names=tuple((code, word) for word, code in WORDS.items()))
    again = build(found.rows, named, name="t", content_sha256="0")
    assert accuracy(again) == 0.8 and set(again.labels) == set(WORDS)


def test_sentences_beside_numbers_have_no_mapping():
    found = evaluation([f"It is {t}, number {i}" for i, t in enumerate(TRUTHS)], STANDARD, [WORDS[t] for t in TRUTHS])
    assert suggest_changes(found) == []
