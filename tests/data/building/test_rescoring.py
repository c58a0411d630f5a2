"""Another parser over the same answers gives what building anew with it gives, to the last sentence."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.answers.parsed_answers import count_rows_by_outcome
from data.building.build import build
from data.building.rescoring import with_parser
from data.errors import DataError
from data.evaluation import Evaluation, Settings
from data.parser.parser import STANDARD, Parser, Rule

TEXTS = (
    "ham", "Spam.", "The answer is ham.", "answer: eggs", "eggs", "**Eggs**", "beans", "ham or spam", "", None,
    "I cannot say.",
    '{"label": "spam"}', "spam, spam, spam", "A", "(B)", "<think>ham</think> spam", "truth",
)  # fmt: skip
RULES = (
    Rule("exact"), Rule("normalised"), Rule("strip_thinking"), Rule("after_last"), Rule("json_field", ("label",)),
    Rule("strip"), Rule("choice_letter"), Rule("only_mentioned"), Rule("last_mentioned"),
    Rule("alias", (), (("beans", "ham"), ("eggs", "breakfast"))),
)  # fmt: skip
PARSERS = st.none() | st.lists(st.sampled_from(RULES), min_size=1, max_size=4).map(lambda r: Parser("p", tuple(r)))
WITH_LABELS = st.sampled_from(
    [Parser("own", STANDARD.rules, ("spam", "ham", "eggs")), Parser("two", (Rule("exact"),), ("ham", "spam", "no"))]
)


def built(table: pa.Table, given_: Settings) -> Evaluation:
    return build(table, given_, name="t", content_sha256="0", notes=["a note"], warnings=["a warning"])


def made(truths, answers, **more) -> pa.Table:
    return pa.table({"y": pa.array(truths, pa.string()), "output": pa.array(answers, pa.string()), **more})


def assert_same(one: Evaluation, other: Evaluation) -> None:
    for field in dataclasses.fields(Evaluation):
        mine, yours = getattr(one, field.name), getattr(other, field.name)
        if field.name == "answers":
            assert mine.texts.equals(yours.texts) and mine.parser == yours.parser and mine.column == yours.column
            for name in ("codes", "outcomes", "labels"):
                assert np.array_equal(getattr(mine, name), getattr(yours, name)), name
        elif field.name == "rows":
            assert mine.equals(yours, check_metadata=True)
        elif isinstance(mine, np.ndarray):
            assert np.array_equal(mine, yours, equal_nan=field.name == "y_score"), field.name
        else:
            assert mine == yours, field.name


def either(work):
    """Return what it makes, or its error as text: both ways must fail alike."""
    try:
        return work()
    except DataError as error:
        return str(error)


@given(
    st.lists(st.tuples(st.sampled_from(["ham", "spam", "eggs", None]), st.sampled_from(TEXTS)), max_size=14),
    st.sampled_from([None, ("ham", "spam"), ("spam", "ham", "eggs", "tofu")]),
    st.lists(PARSERS | WITH_LABELS, min_size=1, max_size=4),
    st.sampled_from([(), (("eggs", "ham"),)]),
    st.sampled_from([(), (("ham", "beans"),)]),
)  # fmt: skip
def test_reading_again_is_building_anew(rows, label_set, parsers, merge, names):
    table = made(["ham", "spam", *(t for t, _ in rows)], ["ham", "spam", *(a for _, a in rows)])
    start = Settings(truth="y", raw="output", label_set=label_set, merge=merge, class_names=names)
    found = either(lambda: built(table, start))
    for parser in parsers:
        if isinstance(found, str):
            return
        labels = label_set or (parser.labels if parser else None)
        anew = either(lambda p=parser, s=labels: built(table, dataclasses.replace(start, parser=p, label_set=s)))
        found = either(lambda f=found, p=parser: with_parser(f, p))
        if isinstance(anew, str):
            assert found == anew
        else:
            assert_same(found, anew)


def test_the_rows_that_count_and_scores_stay():
    table = made(
        ["ham", "spam", "ham", "spam"],
        ["eggs", "It is ham", "ham", "spam"],
        run=["1", "1", "2", "2"],
        p=[0.1, 0.2, 0.3, 0.4],
    )
    start = Settings(truth="y", raw="output", scores=(("p", "spam"),), positive="spam", only=("run", "1"))
    parser = Parser("p", (Rule("only_mentioned"),))
    anew = built(table, dataclasses.replace(start, parser=parser))
    found = with_parser(built(table, start), parser)
    assert_same(found, anew)
    own = Parser("own", (Rule("only_mentioned"),), ("ham", "spam", "tofu"))
    with pytest.raises(DataError):
        built(table, dataclasses.replace(start, parser=own, label_set=own.labels, positive="eggs"))
    again = with_parser(found, own)
    assert again.labels[:3] == own.labels and again.row_numbers.tolist() == [0, 1] and again.n_rows == 2
    assert_same(with_parser(again, parser), anew)


def test_a_threshold_keeps_making_the_predictions():
    table = made(["ham", "spam", "ham", "spam"], ["eggs", "It is ham", "ham", "spam"], p=[0.1, 0.2, 0.3, 0.4])
    start = Settings(truth="y", raw="output", scores=(("p", "spam"),), positive="spam", threshold=0.25)
    parser = Parser("p", (Rule("only_mentioned"),))
    assert_same(with_parser(built(table, start), parser), built(table, dataclasses.replace(start, parser=parser)))


def test_the_fingerprint_and_the_receipt_name_the_parser():
    found = built(made(["ham", "spam"], ["ham", "spam or so"]), Settings(truth="y", raw="output"))
    other = with_parser(found, Parser("mine", (Rule("only_mentioned"),)))
    assert found.fingerprint != other.fingerprint != with_parser(found, Parser("mine", (Rule("exact"),))).fingerprint
    assert with_parser(other, None).fingerprint == found.fingerprint
    assert "The parser 'mine' read the answers in 'output'; rows by outcome: mentioned 2." in other.receipt.notes
    assert not any("'standard'" in note for note in other.receipt.notes)


def test_predictions_that_are_labels_have_no_parser():
    found = built(pa.table({"y": ["a", "b"], "pred": ["a", "a"]}), Settings(truth="y", pred="pred"))
    with pytest.raises(DataError, match="no answers that a parser reads"):
        with_parser(found, STANDARD)


def test_outcomes_are_counted_over_scored_rows():
    found = built(
        made(["ham", "spam", None, "ham", "ham"], ["ham", "spam", "ham", None, "?"]), Settings(truth="y", raw="output")
    )
    assert count_rows_by_outcome(found.answers, found.scored) == {"exact": 2, "empty": 1, "unparseable": 1}


def test_improbable_share_of_mentions_is_a_warning():
    truths = ["ham", "spam", "spam"] * 20
    answers = [f"Options are ham and spam. No. {i}: {truth}" for i, truth in enumerate(truths)]
    start = Settings(truth="y", raw="output", parser=Parser("first", (Rule("first_mentioned"),)))
    found = built(made(truths, answers), start)
    (doubt,) = [text for text in found.receipt.warnings if text.startswith("The parser")]
    assert "read 60 of 60 rows by mention" in doubt and "'ham' is 100 % of them but 33 % of the true labels" in doubt
    last = with_parser(found, Parser("last", (Rule("last_mentioned"),)))
    assert not any(text.startswith("The parser") for text in last.receipt.warnings)
    few = built(made(truths[:15], answers[:15]), start)
    assert not any(text.startswith("The parser") for text in few.receipt.warnings), "too few rows to say so"


def test_labels_of_the_parser_only_give_a_warning():
    parser = Parser("p", (Rule("exact"), Rule("alias", (), (("junk", "spamm"),))))
    found = built(made(["ham", "spam"], ["ham", "junk"]), Settings(truth="y", raw="output", parser=parser))
    assert found.labels == ("ham", "spam", "spamm") and found.y_pred.tolist() == [0, 2]
    assert any("names labels that are not in the label list: 'spamm'" in text for text in found.receipt.warnings)
