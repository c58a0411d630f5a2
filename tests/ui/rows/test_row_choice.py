"""Test which rows are meant: what a link says can be read back, and what it cannot mean is said."""

import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.evaluation import UNPARSEABLE, Settings
from data.rows.selection import CONFIDENCE, ScoreRange, Which, find_rows
from ui.rows.row_choice import read, read_codes, score_words, view_of, words, write_codes
from ui.view.address import read_query, write_query

LABELS = ("ham", "spam", "it's `odd`", "x" * 300, "", "a/b,c:d", "ads")


def evaluation(labels=LABELS):
    names = [labels[i % len(labels)] or None for i in range(40)]
    scores = {f"p_{i}": np.full(40, 1 / len(labels)) for i in range(len(labels))}
    table = pa.table({"y": names, "y_pred": names[::-1], **scores, "text": ["hello"] * 40})
    settings = Settings(
        truth="y",
        pred="y_pred",
        scores=tuple((f"p_{i}", name) for i, name in enumerate(labels) if name),
        label_set=tuple(name for name in labels if name),
    )
    return build(table, settings, name="demo", content_sha256="0")


E = evaluation()
CODES = st.lists(st.integers(0, len(E.labels) - 1), unique=True).map(sorted).map(tuple)
PRED = st.tuples(CODES, st.booleans()).map(lambda pair: pair[0] + ((UNPARSEABLE,) if pair[1] else ()))
SCORES = st.one_of(
    st.none(),
    st.builds(
        ScoreRange,
        st.sampled_from([CONFIDENCE, *E.score_codes]),
        st.floats(allow_nan=False),
        st.floats(allow_nan=False),
    ),
)


@given(
    true=CODES,
    pred=PRED,
    others=st.booleans(),
    only=st.sampled_from(["all", "scored", "errors", "correct", "missing", "tp", "fp", "fn", "tn"]),
    score=SCORES,
    text=st.text(st.characters(codec="utf-8"), max_size=50),
)
def test_a_selection_survives_the_way_through_the_url(true, pred, others, only, score, text):
    if only in ("tp", "fp", "fn", "tn"):
        true, others = (true or (0,))[:1], False
    which = Which(true, pred, others and bool(true), only, score, text)
    values, problems = read_query(write_query(view_of(E, which), "rows"), "rows")
    found, more = read(E, values)
    assert problems == more == []
    if which.pred == (UNPARSEABLE,) and only == "all":
        which = Which(true, (), which.others, "unparseable", score, text)
    assert found == which


@given(true=CODES, pred=PRED)
def test_what_comes_back_selects_the_same_rows(true, pred):
    which = Which(true, pred)
    back, _ = read(E, view_of(E, which))
    np.testing.assert_array_equal(find_rows(E, back), find_rows(E, which))


@given(st.sets(st.integers(0, 500)), st.booleans())
def test_codes_are_written_as_ranges_and_read_back(codes, unparsed):
    given_codes = (*sorted(codes), *((UNPARSEABLE,) if unparsed else ()))
    text = write_codes(given_codes)
    assert read_codes(text, 501) == given_codes
    assert all(not re.search(rf"(^|,){low}(,{low + 1})(,|$)", text) for low in codes), "neighbours share a range"


def test_thousand_adjacent_classes_are_short_in_links():
    assert write_codes(range(1000)) == "0-999"


def test_label_stands_in_the_link_by_name():
    view = view_of(E, Which((1,), (3,)))
    assert (view["true"], view["pred"], view["block"]) == ("spam", "", "/3")


def test_label_replaces_a_block():
    assert read(E, {"true": "ham", "block": "1-2/3"})[0] == Which((0,), (3,))


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ({"true": "nobody"}, "no such label"),
        ({"block": "0-99/"}, "this file has no such labels"),
        ({"block": "x"}, "this file has no such labels"),
        ({"block": "3-1/"}, "this file has no such labels"),
        ({"block": "-1/"}, "this file has no such labels"),
        ({"score": "0:low:high"}, "no range of a score"),
        ({"score": "0:0.5"}, "no range of a score"),
        ({"score": "99:0:1"}, "no range of a score"),
        ({"score": "0:nan:1"}, "no range of a score"),
        ({"only": "tp"}, "needs a true label"),
        ({"only": "fn", "block": "0-1/"}, "needs a true label"),
    ],
)
def test_unusable_values_are_named_and_left_out(view, said):
    found, problems = read(E, view)
    assert found == Which() if "block" not in view or view["block"] != "0-1/" else Which((0, 1))
    assert len(problems) == 1 and said in problems[0]


def test_score_without_scores_is_named():
    table = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"]})
    plain = build(table, Settings(truth="y", pred="y_pred"), name="demo", content_sha256="0")
    found, problems = read(plain, {"score": "-1:0.5:1.0"})
    assert found == Which() and problems == ["Ignored the range of scores in the link: this file has no scores."]


def test_binary_score_says_both_classes():
    table = pa.table({"y": ["no", "yes", "no"], "p": [0.1, 0.8, 0.7]})
    settings = Settings(truth="y", scores=(("p", "yes"),), positive="yes")
    binary = build(table, settings, name="demo", content_sha256="0")
    other = 1 - binary.positive
    which, problems = read(binary, {"score": f"{other}:0.5:inf"})
    assert problems == [] and find_rows(binary, which).tolist() == [0]


@pytest.mark.parametrize(
    ("which", "text"),
    [
        (Which(), "**5 rows**"),
        (Which((0,), (1,)), "**5 rows**: true class `ham`, predicted as `spam`"),
        (Which((0,), (UNPARSEABLE,)), "**5 rows**: true class `ham`, no label found in the answer"),
        (Which((0, 1)), "**5 rows**: true class `ham` or `spam`"),
        (Which((0, 1, 4)), "**5 rows**: true class `ham`, `spam` or `a/b,c:d`"),
        (Which((0,), others=True), "**5 rows**: true class other than `ham`"),
        (Which((0, 1), others=True), "**5 rows**: true class other than `ham` and `spam`"),
        (Which((0,), only="fn"), "**5 rows**: where `ham` is true but not predicted"),
        (Which(only="errors", text="hi"), "**5 rows**: wrong, containing `hi`"),
        (Which((2,)), "**5 rows**: true class `` it's `odd` ``"),
        (Which(tuple(range(6))), "**5 rows**: true class `ham`, `spam`, `` it's `odd` `` or 3 others"),
    ],
)
def test_rows_are_said_in_words(which, text):
    assert words(E, which, 5) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.5, 0.75, "score of `spam` 0.5 or more, below 0.75"),
        (0.5, np.inf, "score of `spam` 0.5 or more"),
        (-np.inf, 0.25, "score of `spam` below 0.25"),
        (-np.inf, np.inf, "any score of `spam`"),
        (0.9, float(np.nextafter(1, 2)), "score of `spam` 0.9 or more, up to 1"),
    ],
)
def test_score_range_says_whether_it_holds_its_end(low, high, text):
    assert score_words(E, ScoreRange(1, low, high)) == text
    assert score_words(E, ScoreRange(CONFIDENCE, low, high)) == text.replace("score of `spam`", "confidence")


def test_a_hostile_label_stays_inside_its_code_span():
    bad = evaluation(("`![](http://x/y.png)`", "b"))
    said = words(bad, Which((0,)), 1)
    assert said == "**1 row**: true class `` `![](http://x/y.png)` ``"
