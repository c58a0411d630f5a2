"""Rows with the same or nearly the same text are found, and those with two truths are shown first."""

import numpy as np
import pyarrow as pa
import pytest

from data.evaluation import Settings
from data.rows.near_duplicates import find_near_duplicates, find_text_columns
from tests.data.few_rows import BINARY, MANY, RAW, SETS, evaluate

SAME = ["Where is my card?", "where  is my CARD", "ｗhere-is/my card!", "Where is my car", "Is my card where?"]


def groups(e, column="text", **how):
    found = find_near_duplicates(e, column, **how)
    assert found.starts[-1] == len(found.rows) and len(found) == len(found.starts) - 1
    return [found.group(place).tolist() for place in range(len(found))]


def texts(values, truth=None):
    truth = truth or ["a", "b", *["a"] * (len(values) - 2)]
    return evaluate({"y": truth, "p": ["a"] * len(values), "text": values}, Settings(truth="y", pred="p"))


def test_case_punctuation_spaces_and_width_make_no_difference():
    assert groups(texts(SAME), similarity=1) == [[0, 1, 2]]
    assert find_near_duplicates(texts(SAME), "text", similarity=1).n_compared == 0


def test_accents_digits_and_words_do_make_one():
    assert (
        groups(texts(["résumé one", "resume one", "order 12", "order 13", "order 1 2", "नमस्ते", "नमसत"]), similarity=1)
        == []
    )


def test_texts_of_signs_must_be_equal():
    assert groups(texts(["!!!", "???", " !!! ", "", None, "   ", ""])) == [[0, 2]]


def test_typing_errors_are_nearly_the_same():
    long = "please tell me where the card is that you sent to my old address in may"
    e = texts([long, "hello there", long.replace("card", "cart"), "good bye then", long.upper() + "!!"])
    assert groups(e) == [[0, 2, 4]]
    found = find_near_duplicates(e, "text")
    assert found.same.tolist() == [False] and found.n_rows == 5 and found.n_texts == found.n_compared == 4
    assert groups(e, similarity=1) == [[0, 4]] and find_near_duplicates(e, "text", similarity=1).same.tolist() == [True]


def test_conflicting_groups_come_first_then_large():
    values = ["x y", "u v", "x y", "u v", "x y", "s t", "q r", "s t", "q r", None]
    truth = ["a", "b", "a", "b", "a", "a", "b", "b", None, "a"]
    e = texts(values, truth)
    assert groups(e, similarity=1) == [[5, 7], [0, 2, 4], [1, 3], [6, 8]]
    found = find_near_duplicates(e, "text", similarity=1)
    assert found.differ.tolist() == [True, False, False, False], "a missing truth is no other truth"
    assert found.group_of(7) == 0 and found.group_of(4) == 1 and found.group_of(8) == 3 and found.group_of(9) is None
    assert found.n_rows == 9 and found.n_texts == 4


def test_truths_of_several_labels_differ_as_sets():
    e = evaluate(
        {"y": ['["a", "b"]', '["b", "a"]', '["a"]', '["a", "b"]', None, "[]"], "p": ["[]"] * 6, "text": list("xxyyzz")},
        Settings(truth="y", pred="p", encoding="json"),
    )
    found = find_near_duplicates(e, "text", similarity=1)
    assert [found.group(place).tolist() for place in range(3)] == [[2, 3], [0, 1], [4, 5]]
    assert found.differ.tolist() == [True, False, False]


def test_encoded_and_chunked_columns_are_read_alike():
    e = texts(SAME)
    pieces = pa.chunked_array([SAME[:2], SAME[2:]])
    for column in (pieces, pieces.dictionary_encode(), pieces.cast(pa.large_string())):
        table = e.rows.set_column(2, "text", column)
        other = evaluate(table, Settings(truth="y", pred="p"))
        assert groups(other, similarity=1) == [[0, 1, 2]]


def test_wrong_column_or_similarity_is_refused():
    with pytest.raises(ValueError, match="in texts"):
        find_near_duplicates(BINARY, "score")
    for similarity in (0, -1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="above 0"):
            find_near_duplicates(BINARY, "text", similarity=similarity)


def test_a_column_without_any_text_has_no_groups():
    e = texts([None, None, ""])
    assert groups(e) == [] and find_near_duplicates(e, "text").n_texts == 0


def test_longest_free_text_column_is_first():
    n = 30
    e = evaluate(
        {
            "y": ["a", "b"] * 15,
            "output": [f"a long answer that thinks about it for a while {i} and says b" for i in range(n)],
            "title": [f"title {i}" for i in range(n)],
            "body": [f"a body with more words in it {i}" for i in range(n)],
            "uuid": [f"{i:032x}" for i in range(n)],
            "when": [f"2026-11-21 10:{i:02d}:00" for i in range(n)],
            "chinese": [f"我的卡在哪里呢{i}" for i in range(n)],
            "n": list(range(n)),
            "empty": pa.array([None] * n, pa.string()),
        },
        Settings(truth="y", raw="output"),
    )
    assert find_text_columns(e) == ["body", "chinese", "title", "output"]
    assert find_text_columns(MANY) == [] and find_text_columns(SETS) == [] and find_text_columns(RAW) == ["output"]
    assert np.isin(find_text_columns(BINARY), ["text"]).all()
