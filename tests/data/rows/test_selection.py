"""The rows behind a number are those that a plain loop over the file finds."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.rescoring import with_threshold
from data.evaluation import UNPARSEABLE
from data.rows.selection import CONFIDENCE, OUTCOMES, ScoreRange, Which, find_rows, is_right, search_rows
from tests.data.few_rows import BINARY, EVERY, LOGIT, MANY, RAW, SCORED_SETS, SETS, cells, evaluate

ONLY = ["all", "scored", "errors", "correct", "unparseable", "missing", "tp", "fp", "fn", "tn", "swap"]


def score_by_hand(e, i, code):
    """The score of one label in one row, or that of the prediction; None where there is none."""
    if e.y_score is None or (code == CONFIDENCE and e.task == "multilabel"):
        return None
    code = int(e.y_pred[i]) if code == CONFIDENCE else code
    if e.task == "binary" and code in (0, 1):
        score = float(e.y_score[i, 0])
        turned = -score if e.scale == "logit" else 1 - score
        return score if code == e.positive else turned
    return float(e.y_score[i, e.score_codes.index(code)]) if code in e.score_codes else None


def slow(e, which):
    """Row by row, cell by cell."""
    wanted = [{"?"} if code == UNPARSEABLE else {e.labels[code]} for code in which.pred]
    names = {e.labels[code] for code in which.true}
    found = []
    for i in range(e.n_rows):
        truth, answer = cells(e, i)
        many, scored = e.task == "multilabel", bool(e.scored[i])
        truths = truth if many else {truth} - {None}
        answers = answer if many else {answer}
        known = scored or bool(truths)
        if which.only in OUTCOMES:
            (name,) = names
            outcome = {(1, 1): "tp", (0, 1): "fp", (1, 0): "fn", (0, 0): "tn"}[name in truths, name in answers]
            fits = scored and outcome == {"swap": "fn"}.get(which.only, which.only)
            fits = fits and (which.only != "swap" or not any(one & truths for one in wanted))
        else:
            fits = {
                "all": True,
                "scored": scored,
                "errors": scored and truth != answer,
                "correct": scored and truth == answer,
                "unparseable": scored and not many and answer == "?",
                "missing": not scored,
            }[which.only]
            if names:
                fits = fits and known and bool(names & truths) != which.others
        if wanted:
            fits = fits and any(one & answers for one in wanted)
        if which.score is not None:
            score = score_by_hand(e, i, which.score.code)
            fits = fits and score is not None and which.score.low <= score < which.score.high
        if which.text:
            texts = [column[i].as_py() for column in e.rows.itercolumns() if pa.types.is_string(column.type)]
            fits = fits and any(which.text.lower() in (text or "").lower() for text in texts)
        if fits:
            found.append(i)
    return found


def selections(e):
    codes = [(), *((code,) for code in range(len(e.labels))), tuple(range(len(e.labels)))]
    return itertools.product(codes, [*codes, (0, UNPARSEABLE)], (False, True))


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("only", ONLY)
def test_rows_behind_a_cell_equal_a_loop(name, only):
    e = EVERY[name]
    for true, pred, others in selections(e):
        which = Which(true, pred if e.task != "multilabel" else tuple(c for c in pred if c >= 0), others, only)
        if only in OUTCOMES and (len(true) != 1 or (only == "swap" and len(which.pred) != 1)):
            with pytest.raises(ValueError, match=r"give (its|the) code"):
                find_rows(e, which)
        else:
            assert find_rows(e, which).tolist() == slow(e, which), which


labels = st.lists(st.integers(0, 2), max_size=3).map(tuple)
ranges = st.builds(ScoreRange, st.integers(-1, 2), *[st.sampled_from([-math.inf, -0.5, 0, 0.4, 0.7, math.inf])] * 2)
whiches = st.builds(
    Which, labels, labels, st.booleans(), st.sampled_from(ONLY[:6]), st.none() | ranges, st.sampled_from(["", "a", "é"])
)


@given(st.sampled_from(list(EVERY)), whiches)
def test_all_conditions_hold_together(name, which):
    e = EVERY[name]
    k = len(e.labels)
    which = Which(
        *(tuple(c for c in side if c < k) for side in (which.true, which.pred)), *list(vars(which).values())[2:]
    )
    assert find_rows(e, which).tolist() == slow(e, which)


def test_stand_ins_hold_every_case():
    assert BINARY.n_missing_truth == BINARY.n_missing_pred == 1 and BINARY.labels == ("no", "yes")
    assert RAW.n_unparsed == 2 and RAW.labels == ("a thing", "b thing", "c thing")
    assert SETS.task == "multilabel" and SETS.n_missing_truth == 1 and LOGIT.scale == "logit"
    assert MANY.n_space == 3 and MANY.labels == ("a", "b", "c", "x")
    assert SCORED_SETS.score_codes == (0, 1, 2) and np.isnan(SCORED_SETS.y_score).sum() == 2


def test_many_labels_are_looked_up_as_few_are():
    names = [f"c{i}" for i in range(9)]
    rng = np.random.default_rng(0)
    truth, pred = (rng.choice(names, 200).tolist() for _ in range(2))
    e = evaluate({"y_true": [None, *truth[1:]], "y_pred": pred}, label_set=names)
    for codes in [(0, 2, 4, 6, 8), (*range(9), UNPARSEABLE)]:
        for which in (Which(true=codes), Which(pred=codes), Which(true=codes, others=True), Which(codes, codes)):
            assert find_rows(e, which).tolist() == slow(e, which)


@pytest.mark.parametrize("name", EVERY)
def test_labels_that_do_not_exist_have_no_rows(name):
    e = EVERY[name]
    for codes in [(99,), (-7,), (99, 98, 97, 96, 95), (-9, -8, -7, -6, -5)]:
        assert find_rows(e, Which(true=codes)).tolist() == find_rows(e, Which(pred=codes)).tolist() == []
        assert find_rows(e, Which(true=codes[:1], only="tp")).tolist() == []
        assert find_rows(e, Which(score=ScoreRange(99, -math.inf, math.inf))).tolist() == []
    assert find_rows(SETS, Which(pred=(UNPARSEABLE,))).tolist() == []


def test_every_scored_row_is_behind_exactly_one_outcome():
    for e in EVERY.values():
        for code in range(len(e.labels)):
            parts = [find_rows(e, Which(true=(code,), only=outcome)).tolist() for outcome in ("tp", "fp", "fn", "tn")]
            assert sorted(row for part in parts for row in part) == np.flatnonzero(e.scored).tolist()


def test_adjacent_score_ranges_hold_every_score_once():
    edges = [-math.inf, 0.1, 0.45, 0.7, 0.9, math.inf]
    parts = [find_rows(BINARY, Which(score=ScoreRange(1, *pair))).tolist() for pair in itertools.pairwise(edges)]
    assert parts == [[], [0], [1, 5], [3, 4], [2]]


def test_range_without_upper_bound_holds_infinite_scores():
    endless = replace(BINARY, y_score=np.full_like(BINARY.y_score, np.inf))
    assert len(find_rows(endless, Which(score=ScoreRange(1, 0.5, math.inf)))) == BINARY.n_lines
    assert not len(find_rows(endless, Which(score=ScoreRange(1, 0.5, 1e308))))


def test_negative_class_range_uses_its_own_score():
    assert find_rows(BINARY, Which(score=ScoreRange(0, 0.5, 1))).tolist() == [0, 1]
    assert find_rows(LOGIT, Which(score=ScoreRange(0, 0.5, 9))).tolist() == [0, 1]


def test_correct_rows_agree_for_subsets():
    for e in EVERY.values():
        rows = np.array([3, 0, 2, 0])
        assert is_right(e, rows).tolist() == is_right(e)[rows].tolist()
        assert is_right(e).tolist() == [cells(e, i)[0] == cells(e, i)[1] for i in range(e.n_rows)]


def test_with_a_threshold_the_rows_follow():
    moved = with_threshold(BINARY, 0.45)
    yes = moved.labels.index("yes")
    assert find_rows(moved, Which(true=(yes,), only="tp")).tolist() == [1, 2, 5]
    assert find_rows(moved, Which(only="missing")).tolist() == [3, 6]


# -- search -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["alpha", "ALPHA", "al.pha", ".", "été", "yes", "(", "\\", "0.9", "zzz", ""])
def test_search_ignores_case(text):
    columns = [BINARY.rows.column(name).to_pylist() for name in ("y_true", "y_pred", "text")]
    wanted = [i for i in range(7) if any(text.lower() in (column[i] or "").lower() for column in columns)]
    assert search_rows(BINARY, np.arange(7), text).tolist() == (wanted if text else list(range(7)))
    some = np.array([6, 3, 1])
    assert search_rows(BINARY, some, text).tolist() == [i for i in some if not text or i in wanted]


def test_search_reads_dictionary_columns_and_empty_selections():
    table = BINARY.rows
    coded = evaluate(
        pa.table([c.dictionary_encode() for c in table.columns[:2]] + table.columns[2:], table.column_names)
    )
    assert search_rows(coded, np.arange(7), "YES").tolist() == search_rows(BINARY, np.arange(7), "yes").tolist()
    assert search_rows(coded, np.array([], dtype=np.int64), "yes").tolist() == []
