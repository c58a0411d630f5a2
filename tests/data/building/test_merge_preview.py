"""Test that what merging look-alike labels would do is said before it is done, and is what rebuilding then gives."""

import dataclasses
import itertools
import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.building.merge_preview import compute_merged_accuracy, find_merge_candidates
from data.errors import DataError
from data.evaluation import UNPARSEABLE, Settings
from data.limits import MAX_LISTED_MERGES, MAX_REBUILT_MERGES

WORDS = ["cat", "Cat", "cat ", "CAT", "dog", "Dog", "c\u0430t", "bird"]


def built(table, **settings):
    return build(pa.table(table), Settings(truth="y", **settings), name="x", content_sha256="0")


def accuracy(evaluation) -> float:
    """The slow way: row by row."""
    right = [
        np.array_equal(true, pred) and np.all(np.asarray(pred) != UNPARSEABLE)
        for true, pred in zip(evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored], strict=True)
    ]
    return sum(right) / len(right)


def with_merge(evaluation, *pairs):
    settings = dataclasses.replace(evaluation.settings, merge=(*evaluation.settings.merge, *pairs))
    return build(evaluation.rows, settings, name="x", content_sha256="0")


def test_candidate_tells_rows_and_both_accuracies():
    y = ["cat"] * 5 + ["Cat"] + ["dog"] * 4
    evaluation = built({"y": y, "p": ["cat", "cat", "Cat", "Cat", "dog", "cat", "dog", "dog", "dog", "cat"]}, pred="p")
    ((found,), _) = find_merge_candidates(evaluation)
    assert (found.label, found.into, found.why) == ("Cat", "cat", "upper and lower case")
    assert found.rows_true == (1, 5) and found.rows_pred == (2, 4)
    assert (found.accuracy_before, found.accuracy_after) == (0.5, 0.8)


def test_listed_label_wins_over_the_frequent_one():
    table = {"y": ["Cat", "dog", "dog", "dog"], "p": ["cat", "cat", "cat", "dog"]}
    ((found,), _) = find_merge_candidates(built(table, pred="p", label_set=("Cat", "dog")))
    assert (found.label, found.into) == ("cat", "Cat")


def test_those_that_gain_most_come_first():
    table = {"y": ["cat", "dog", "dog", "dog", "bird", "Bird"], "p": ["Cat", "Dog", "Dog", "dog", "bird", "Bird"]}
    found, _ = find_merge_candidates(built(table, pred="p"))
    assert [c.label for c in found] == ["Dog", "Cat", "bird"]
    assert [round(c.accuracy_after - c.accuracy_before, 3) for c in found] == [0.333, 0.167, 0.0]


def test_visibly_different_labels_are_no_candidates():
    assert find_merge_candidates(built({"y": ["a", "b"], "p": ["a", "c"]}, pred="p")) == ([], 0)


@given(
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from([*WORDS, "[invalid]", None])), min_size=1, max_size=30)
)
def test_every_accuracy_is_that_of_the_merge(rows):
    table = {"y": [true for true, _ in rows], "p": pa.array([pred for _, pred in rows], pa.string())}
    try:
        evaluation = built(table, pred="p")
    except DataError:
        return
    if not evaluation.n_scored:
        return
    found, n = find_merge_candidates(evaluation)
    assert n == len(found)
    for candidate in found:
        pair = (candidate.label, candidate.into)
        assert candidate.accuracy_before == accuracy(evaluation)
        assert candidate.accuracy_after == compute_merged_accuracy(evaluation, [pair])
        assert candidate.accuracy_after == accuracy(with_merge(evaluation, pair))
    every = [(candidate.label, candidate.into) for candidate in found]
    assert compute_merged_accuracy(evaluation, every) == accuracy(with_merge(evaluation, *every))


SETS = st.lists(st.sampled_from(["cat", "Cat", "dog", "Dog", "bird"]), max_size=3, unique=True).map("|".join)


@given(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=12))
def test_multilabel_merge_gives_the_built_subset_accuracy(rows):
    table = {"y": [true for true, _ in rows], "p": [pred for _, pred in rows]}
    try:
        evaluation = built(table, pred="p", encoding="delimited", delimiter="|")
    except DataError:
        return
    found, _ = find_merge_candidates(evaluation)
    for candidate in found:
        pair = (candidate.label, candidate.into)
        code = evaluation.labels.index(candidate.label)
        assert candidate.rows_true[0] == evaluation.y_true[:, code].sum()
        assert candidate.accuracy_before == accuracy(evaluation)
        assert candidate.accuracy_after == accuracy(with_merge(evaluation, pair))
    every = [(candidate.label, candidate.into) for candidate in found]
    assert compute_merged_accuracy(evaluation, every) == accuracy(with_merge(evaluation, *every))


def test_merged_0_1_columns_are_one_label():
    table = {"t_cat": [1, 0, 0], "t_Cat": [0, 1, 0], "p_cat": [1, 1, 0], "p_Cat": [0, 0, 1]}
    pairs = {side: tuple((f"{side}_{name}", name) for name in ("cat", "Cat")) for side in "tp"}
    settings = Settings(encoding="multi_hot", truth_columns=pairs["t"], pred_columns=pairs["p"])
    evaluation = build(pa.table(table), settings, name="x", content_sha256="0")
    ((found,), _) = find_merge_candidates(evaluation)
    assert (found.accuracy_before, found.accuracy_after) == (1 / 3, 2 / 3)
    merged = with_merge(evaluation, (found.label, found.into))
    assert len(merged.labels) == 1 and merged.y_true[:, 0].tolist() == [True, True, False]


# -- where merging also changes how predictions are made ---------------------------------------------

SCORES = {"p_cat": [0.3, 0.2, 0.1], "p_Cat": [0.3, 0.2, 0.1], "p_dog": [0.4, 0.6, 0.8]}
LABELLED = tuple((f"p_{name}", name) for name in ("cat", "Cat", "dog"))


def test_scores_of_merged_labels_are_added():
    evaluation = built({"y": ["cat", "dog", "dog"], **SCORES}, scores=LABELLED)
    assert [evaluation.labels[code] for code in evaluation.y_pred] == ["dog", "dog", "dog"]
    ((found,), _) = find_merge_candidates(evaluation)
    merged = with_merge(evaluation, ("Cat", "cat"))
    assert found.accuracy_after == accuracy(merged) == 1.0  # 0.3 + 0.3 > 0.4
    assert merged.task == "binary" and merged.y_score.shape == (3, 1)
    assert any("'p_cat', 'p_Cat' are added up" in note for note in merged.receipt.notes)
    total = merged.y_score[:, 0] if merged.labels[merged.positive] == "cat" else 1 - merged.y_score[:, 0]
    assert total.tolist() == pytest.approx([0.6, 0.4, 0.2])


def test_logits_are_added_up_as_probabilities():
    logits = {name: np.log(values).tolist() for name, values in SCORES.items()}
    evaluation = built({"y": ["cat", "dog", "bird"], **logits}, scores=LABELLED, scale="logit")
    merged = with_merge(evaluation, ("Cat", "cat"))
    assert merged.score_codes == (1, 2)
    assert merged.y_score.tolist() == pytest.approx(np.array([[0.6, 0.4], [0.4, 0.6], [0.2, 0.8]]))


def test_merged_scores_above_1_are_refused():
    evaluation = built({"y": ["cat", "dog"], "a": [0.4, 0.9], "b": [0.5, 0.8], "c": [0.1, 0.2]},
                       scores=(("a", "cat"), ("b", "Cat"), ("c", "dog")))  # fmt: skip
    with pytest.raises(DataError, match=r"'a', 'b', row 2: .* add up to 1\.7, which is no probability"):
        with_merge(evaluation, ("Cat", "cat"))
    assert find_merge_candidates(evaluation).listed[0].accuracy_after is None


def test_multi_label_scores_cannot_be_added_up():
    table = {"y": ["cat|dog", "dog"], "a": [0.4, 0.9], "b": [0.5, 0.8], "c": [0.1, 0.2]}
    scores = (("a", "cat"), ("b", "Cat"), ("c", "dog"))
    evaluation = built(table, scores=scores, encoding="delimited", delimiter="|")
    with pytest.raises(DataError, match="are of labels that you merged"):
        with_merge(evaluation, ("Cat", "cat"))
    assert find_merge_candidates(evaluation).listed[0].accuracy_after is None


def test_only_first_candidates_are_tried_out():
    names = [f"{letter}x" for letter in "abcdefghijklmnop"]
    scores = tuple((f"{i}", name) for i, name in enumerate((*names, *map(str.upper, names))))
    table = {"y": names, **{column: [0.1] * len(names) for column, _ in scores}}
    found, _ = find_merge_candidates(built(table, scores=scores))
    assert len(found) == len(names) and sum(c.accuracy_after is not None for c in found) == MAX_REBUILT_MERGES


def test_large_file_tries_fewer_merges(monkeypatch):
    scores = tuple((f"{i}", name) for i, name in enumerate(("ax", "bx", "cx", "AX", "BX", "CX")))
    evaluation = built({"y": ["ax", "bx"], **{column: [0.1, 0.1] for column, _ in scores}}, scores=scores)
    for rows, tried in ((10_000, 3), (1_300, 2), (10, 1)):
        monkeypatch.setattr("data.building.merge_preview.MAX_REBUILT_ROWS", rows)
        assert sum(one.accuracy_after is not None for one in find_merge_candidates(evaluation).listed) == tried


# -- many -------------------------------------------------------------------------------------------


def spellings(n: int) -> list[str]:
    """So many ways to write one word in upper and lower case."""
    letters = ([letter, letter.upper()] for letter in "abcdefghijklm")
    return ["".join(written) for written in itertools.islice(itertools.product(*letters), n)]


def case_variants(n: int, *, sets: bool):
    names = spellings(n)
    other = names[1:] + names[:1]
    if not sets:
        return built({"y": names * 3, "p": other * 3}, pred="p")
    cells = [";".join(names[i::20]) for i in range(20)]
    table = {"y": cells, "p": [";".join(other[i::20]) for i in range(20)]}
    return built(table, pred="p", encoding="delimited", delimiter=";")


@pytest.mark.parametrize("sets", [False, True], ids=["one label a row", "several labels a row"])
def test_many_spellings_are_compared_with_one(sets, monkeypatch):
    described = []
    monkeypatch.setattr(
        "data.building.merge_preview.describe_difference", lambda one, two: described.append((one, two)) or "case"
    )
    evaluation = case_variants(4_000, sets=sets)
    tracemalloc.start()
    found, n = find_merge_candidates(evaluation)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n == 3_999 and len(found) == MAX_LISTED_MERGES == len(described)
    assert {one.into for one in found} == {found[0].into}
    assert peak < 20e6  # every pair of them takes gigabytes


def test_undescribed_candidates_gain_no_more(monkeypatch):
    evaluation = case_variants(100, sets=False)
    found, n = find_merge_candidates(evaluation)
    monkeypatch.setattr("data.building.merge_preview.MAX_LISTED_MERGES", 1_000)
    every, _ = find_merge_candidates(evaluation)
    assert n == len(every) == 99 and found == every[:MAX_LISTED_MERGES]
    assert [one.accuracy_after for one in every] == sorted((one.accuracy_after for one in every), reverse=True)


def test_set_merges_do_not_depend_on_batches(monkeypatch):
    evaluation = case_variants(60, sets=True)
    whole = find_merge_candidates(evaluation)
    monkeypatch.setattr("data.building.merge_preview._AT_ONCE", 100)
    assert find_merge_candidates(evaluation) == whole


def test_binary_task_of_two_spellings_becomes_one_class():
    evaluation = built({"y": ["yes", "yes", "Yes"], "p": ["Yes", "yes", "Yes"]}, pred="p", positive="Yes")
    ((found,), _) = find_merge_candidates(evaluation)
    assert found.accuracy_after == 1.0 == accuracy(with_merge(evaluation, (found.label, found.into)))


def test_a_merge_beside_others_goes_on_from_them():
    table = {"y": ["cat", "Cat", "CAT", "dog"], "p": ["Cat", "CAT", "cat", "dog"]}
    once = built(table, pred="p", merge=(("Cat", "cat"),))
    assert once.labels == ("CAT", "cat", "dog")
    ((found,), _) = find_merge_candidates(once)
    assert (found.label, found.into, found.accuracy_after) == ("CAT", "cat", 1.0)
    assert accuracy(with_merge(once, ("CAT", "cat"))) == 1.0


def test_label_of_answers_merges_into_the_space():
    table = {"y": ["cat", "horse", "cat"], "output": ["kitty", "horse", "fish"]}
    evaluation = built(table, raw="output")
    assert set(evaluation.labels[evaluation.n_space :]) == {"kitty", "fish"}
    merged = with_merge(evaluation, ("kitty", "cat"))
    assert merged.labels == ("cat", "horse", "fish") and merged.y_pred.tolist() == [0, 1, 2]


def test_merge_to_one_unread_label_is_built():
    table = pa.table({"y": ["ham"] * 4, "output": ["spam"] * 4})
    found = build(table, Settings(truth="y", raw="output", merge=(("HAM", "ham"),)), name="t", content_sha256="0")
    assert found.labels == ("ham",) and found.n_unparsed == 4
