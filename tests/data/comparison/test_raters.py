"""Raters are found by names and values; a rater judged by others is an evaluation; pairs say what is preferred."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.columns.rater_columns import RaterColumns, find_raters, find_sides
from data.comparison.judge_evaluation import Judged, judged_evaluation, read_judged, write_judged
from data.comparison.ratings_table import pair_sides, ratings_of_columns
from data.errors import DataError
from data.evaluation import MISSING, Settings
from export.rating.agreement import biases, ratings_of
from metrics.agreement.agreement import Agreement
from tests.opened_runs import open_run

PEOPLE = ("anna", "ben", "chloe", "dmitri")
JUDGES = ("judge_large", "judge_large_swapped", "judge_small")
WHERE = RaterColumns((*PEOPLE, *JUDGES))


@pytest.mark.parametrize("sample", ["screening", "digits", "support-intents", "triage", "movie-genres"])
def test_files_of_one_model_have_no_raters(sample):
    assert find_raters(open_run(sample).rows) is None


def test_raters_are_found_as_columns_and_as_lines():
    assert find_raters(open_run("answer-ratings").rows) == WHERE
    lines = pa.table({"Item": ["1", "1", "2"], "Annotator": ["a", "b", "a"], "Label": ["x", "y", "x"]})
    assert find_raters(lines) == RaterColumns(lines=("Item", "Annotator", "Label"))
    assert find_raters(lines.slice(0, 1)) is None


def test_judge_is_a_classifier_against_the_majority():
    e = open_run("answer-ratings")
    judged = Judged(WHERE, "judge_large", "majority", PEOPLE)
    assert read_judged(write_judged(judged)) == judged
    found = judged_evaluation(e, judged)
    votes = np.array([e.rows.column(name).to_pylist() for name in PEOPLE], dtype=object)
    agreed = 0
    for own, row in zip(e.rows.column("judge_large").to_pylist(), votes.T, strict=True):
        counts = sorted(((list(row).count(name), name) for name in ("a", "b", "tie")), reverse=True)
        agreed += counts[0][0] > counts[1][0] and counts[0][1] == own
    assert int((found.y_true == found.y_pred)[found.scored].sum()) == agreed
    strict = judged_evaluation(e, judged._replace(how="unanimous"))
    assert strict.n_scored < found.n_scored < 300 and strict.fingerprint != found.fingerprint


def test_lines_become_a_row_a_unit():
    rating = ["x", "x", "y", "x", "x", "y"]
    rows = pa.table({"id": list("112212"), "rater": list("abbacc"), "rating": rating, "second": rating})
    lines = build(rows, Settings(truth="rating", pred="second"), name="d", content_sha256="0")
    where = RaterColumns(lines=("id", "rater", "rating"))
    found = judged_evaluation(lines, Judged(where, "c", "majority", ("a", "b")))
    assert found.n_rows == 2 and found.n_scored == 1 and found.n_missing_truth == 1


@pytest.mark.parametrize("judge", ["nobody", "anna"])
def test_raters_that_are_not_there_are_refused(judge):
    with pytest.raises(DataError, match="not in this file"):
        judged_evaluation(open_run("answer-ratings"), Judged(WHERE, judge, "majority", PEOPLE))


def test_pairs_show_order_length_and_names():
    e = open_run("answer-ratings")
    table = ratings_of_columns(e.rows, WHERE.columns)
    sides, found = pair_sides(e.rows, table)
    assert sides == (0, 1) and [(one.kind, one.name) for one in found][:2] == [("first", "first"), ("longer", "words")]
    words = [np.array(e.rows.column(f"words_{end}").to_pylist(), dtype=float) for end in "ab"]
    assert np.array_equal(found[1].codes == MISSING, words[0] == words[1])
    agreement = Agreement(ratings_of(table), judge=4, models=(5, 6))
    prefer, again = biases(e.rows, table, agreement)
    first, longer = prefer[0].preferences, prefer[1].preferences
    assert first[6].share.low > 0.75 and first[5].share.low < 0.5 + 0.05, "the small judge takes what stands first"
    assert longer[4].bounds.low > 0 and longer[4].people.value < longer[4].share.value
    own = np.array(e.rows.column("judge_large").to_pylist())
    better = np.where(words[0] > words[1], "a", "b")
    decided = np.isin(own, ["a", "b"]) & (words[0] != words[1])
    assert longer[4].share.value == pytest.approx((own == better)[decided].mean())
    assert [(one.rater, one.again) for one in again] == [(4, 5)] and 0.8 < again[0].same.value < 1


TEXTS = [f"an answer of its own, number {n}" for n in range(24)]


@pytest.mark.parametrize(
    ("categories", "columns", "stems"),
    [
        (["yes", "no"], {"p_yes": [0.5], "p_no": [0.5]}, None),
        (["good", "bad"], {"n_good": [1], "n_bad": [2]}, None),
        (["1", "2", "3", "4", "5", "6"], {"words_1": [3], "words_2": [4]}, None),
        (["a", "b"], {"judge_a": ["a"], "judge_b": ["b"]}, None),
        (["a", "b"], {"words a": [3], "words b": [4]}, ["words"]),
        (["model_a", "model_b", "tie"], {"answer_model_a": TEXTS, "answer_model_b": TEXTS}, ["answer"]),
        (["model a", "model b"], {"words_model a": TEXTS, "words_model b": TEXTS}, ["words"]),
        (
            ["A", "B", "tie"],
            {"reward_a": [0.1], "reward_b": [0.2], "tokens_a": [3], "tokens_b": [4]},
            ["reward", "tokens"],
        ),
    ],
)
def test_sides_are_answers_not_classes(categories, columns, stems):
    sides = find_sides(pa.table(columns), categories, raters=("judge_a", "judge_b"))
    assert (None if sides is None else list(sides.stems)) == stems


def test_rewards_are_no_lengths():
    table = pa.table({"r": ["a", "b"], "s": ["a", "a"], "reward_a": [5, 1], "reward_b": [2, 2]})
    assert pair_sides(table, ratings_of_columns(table, ["r", "s"])) == ((0, 1), [])
