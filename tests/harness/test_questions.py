"""Rows to ask about: which are sampled, and what a person is warned of before they cost anything."""

from collections import Counter

import pytest

from data.errors import DataError
from harness.questions import Questions, read_questions, sample, stratified, warnings_of

LABELS = [f"l{n}" for n in range(10)]


@pytest.fixture(scope="module")
def sorted_file(tmp_path_factory):
    """A file of 400 rows, sorted by class: the trap."""
    path = tmp_path_factory.mktemp("questions") / "sorted.csv"
    path.write_text("key,text,intent\n" + "".join(f"k{n},text {n},l{n // 40}\n" for n in range(400)))
    return path


@pytest.fixture(scope="module")
def whole(sorted_file) -> Questions:
    return read_questions(sorted_file, text="text", truth="intent")


def test_questions_are_read_with_their_ids(whole):
    assert (whole.n_file, whole.id, whole.ids()[:2], whole.truths()[-1]) == (400, "key", ["k0", "k1"], "l9")
    assert whole.row(3) == {"key": "k3", "text": "text 3", "intent": "l0"}


def test_missing_column_is_named(sorted_file, tmp_path):
    with pytest.raises(DataError, match=r"sorted.csv has no column 'Intents'; was 'intent' meant\?"):
        read_questions(sorted_file, text="text", truth="Intents")
    with pytest.raises(DataError, match="there is no such file"):
        read_questions(tmp_path / "no.csv", text="text")


def test_sample_is_drawn_by_seed_in_file_order(whole):
    drawn = sample(whole, 50, "random", 7)
    assert list(drawn.numbers) == sorted(drawn.numbers) and len(drawn.table) == 50
    assert drawn.ids() == [f"k{number - 1}" for number in drawn.numbers]
    assert sample(whole, 50, "random", 7).numbers == drawn.numbers != sample(whole, 50, "random", 8).numbers
    assert sample(whole, 50, "first", 7).numbers == tuple(range(1, 51))
    assert sample(whole, 4000, "random", 7) is whole


@pytest.mark.parametrize(("sizes", "limit"), [([40] * 10, 100), ([500, 3, 1, 1], 50), ([5, 5, 5], 2), ([1, 99], 10)])
def test_stratified_sample_keeps_shares(sizes, limit):
    labels = [f"l{code}" for code, size in enumerate(sizes) for _ in range(size)]
    places = stratified(labels, limit, seed=1)
    assert len(set(places)) == len(places) == limit
    drawn = Counter(labels[place] for place in places)
    for code, size in enumerate(sizes):
        assert drawn[f"l{code}"] <= size
        assert limit < len(sizes) or abs(drawn[f"l{code}"] - limit * size / len(labels)) <= len(sizes) - 1
        assert limit < len(sizes) or drawn[f"l{code}"] >= 1


def test_few_classes_of_a_sorted_file_warn(whole):
    first = sample(whole, 60, "first", 0)
    assert "covers 2 of the 10 classes of the file" in " ".join(warnings_of(first, LABELS, whole.truths()))
    assert warnings_of(sample(whole, 100, "stratified", 0), LABELS, whole.truths()) == []


def test_truth_outside_the_label_list_is_warned_of(whole):
    said = " ".join(warnings_of(whole, LABELS[:9], whole.truths()))
    assert "1 true label of 'intent' ('l9'; 40 rows) is not in the label list: no answer can be right there." in said
    assert "cover 10 of the 40 labels of the list" in " ".join(
        warnings_of(whole, [f"l{n}" for n in range(40)], whole.truths())
    )
