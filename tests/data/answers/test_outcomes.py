"""Test what became of free text answers, in rows: held against a plain count over the rows."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from data.answers import outcomes
from data.answers.parsing import OUTCOMES
from data.building.build import build
from data.building.rescoring import with_parser
from data.evaluation import UNPARSEABLE, Settings
from data.parser.parser import Parser, Rule

TRUTH = ["ham", "spam", "spam", "ham", "ham", "spam", None, "ham"]
OUTPUT = ["ham", "Spam.", "Spam.", "Spam.", "", None, "ham", "It is ham, I think."]


@pytest.fixture(scope="module")
def evaluation():
    table = pa.table({"y": TRUTH, "output": OUTPUT, "other": ["x"] * 8})
    return build(table, Settings(truth="y", raw="output"), name="demo", content_sha256="0")


def test_scored_rows_are_counted_by_outcome(evaluation):
    found = {one.name: (one.rows, one.answers) for one in outcomes.count_outcomes(evaluation)}
    assert found["exact"] == (1, 1), "the second 'ham' has no truth"
    assert found["normalised"] == (3, 1)
    assert found["empty"] == (2, 2), "an empty text and none at all are two different answers"
    assert sum(rows for rows, _ in found.values()) == evaluation.n_scored == 7


def test_answers_of_an_outcome_come_by_frequency(evaluation):
    seen = []
    for one in outcomes.count_outcomes(evaluation):
        codes = outcomes.find_answers(evaluation, one.name)
        assert len(codes) == one.answers
        rows = [len(outcomes.find_answer_rows(evaluation, int(code))) for code in codes]
        assert rows == sorted(rows, reverse=True) and sum(rows) == one.rows
        seen += [row for code in codes for row in outcomes.find_answer_rows(evaluation, int(code)).tolist()]
    assert sorted(seen) == np.flatnonzero(evaluation.scored).tolist(), "every scored row is behind exactly one answer"


def test_answer_is_shown_with_label_and_truth(evaluation):
    (code,) = outcomes.find_answers(evaluation, "normalised")
    assert outcomes.text_of(evaluation, code) == "Spam."
    assert outcomes.label_of(evaluation, code) == "spam"
    assert outcomes.count_truths(evaluation, code) == Counter({"spam": 2, "ham": 1})
    nothing = [code for code in outcomes.find_answers(evaluation, "empty") if code == len(evaluation.answers.texts)]
    assert len(nothing) == 1 and outcomes.text_of(evaluation, nothing[0]) == ""
    assert outcomes.label_of(evaluation, nothing[0]) is None
    assert outcomes.find_answer_rows(evaluation, nothing[0]).tolist() == [5]


def test_outcome_agrees_with_the_metrics(evaluation):
    for code in range(len(evaluation.answers.texts) + 1):
        counted = evaluation.y_pred[outcomes.find_answer_rows(evaluation, code)].tolist()
        names = {evaluation.labels[pred] if pred != UNPARSEABLE else None for pred in counted}
        assert names <= {outcomes.label_of(evaluation, code)}


def test_rows_that_two_parsers_read_differently(evaluation):
    strict = with_parser(evaluation, Parser("strict", (Rule("exact"),)))
    loose = with_parser(evaluation, Parser("loose", (Rule("exact"), Rule("normalised"), Rule("only_mentioned"))))
    for before, after in ((strict, loose), (loose, strict), (evaluation, strict), (strict, strict)):
        names = [[e.labels[p] if p >= 0 else None for p in e.y_pred[e.scored].tolist()] for e in (before, after)]
        expected = sum(one != other for one, other in zip(*names, strict=True))
        assert outcomes.compare_readings(before, after).rows == expected
    assert outcomes.compare_readings(strict, loose).rows == 4


def test_distinct_answers_have_outcomes_of_the_closed_list(evaluation):
    assert set(evaluation.answers.outcomes.tolist()) <= set(range(len(OUTCOMES)))


def test_predictions_that_are_labels_have_no_answers():
    table = pa.table({"y": ["a", "b"] * 30, "pred": ["a", "a"] * 30, "completion": ["so a"] * 60, "n": list(range(60))})
    plain = build(table, Settings(truth="y", pred="pred"), name="demo", content_sha256="0")
    with pytest.raises(ValueError, match="no answers"):
        outcomes.count_outcomes(plain)
    assert outcomes.find_answer_columns(plain) == ["completion"]


def test_free_text_with_labels_is_offered():
    texts = [f"I would say number {i} is about a refund" for i in range(60)]
    columns = {"y": ["refund", "card"] * 30, "pred": ["refund"] * 60, "zzz": texts, "short": ["x", "y"] * 30}
    message = [f"where is my money, number {i}" for i in range(60)]
    table = pa.table({**columns, "message": message})
    plain = build(table, Settings(truth="y", pred="pred"), name="demo", content_sha256="0")
    assert outcomes.find_answer_columns(plain) == ["zzz"]
