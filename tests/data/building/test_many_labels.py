"""Thousands of labels and columns: what is found is the same, and each of them is looked at a few times only."""

import itertools
import re
import tracemalloc
from collections import Counter
from time import process_time

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.answers.vocabulary import build_mention_finder
from data.columns import known_tools
from data.columns.column_checks import check_column
from data.columns.name_ranks import names_rows, rank
from data.columns.role_names import fold
from data.errors import DataError, RolesNeeded
from data.joining import key_columns
from data.labels import name_matching
from data.labels.cell_sets import find_inseparable_parts, split
from data.labels.encode import build_label_space
from data.roles import prediction, truth
from data.roles.detect import detect


def test_template_is_made_once(monkeypatch):
    made = []
    real = known_tools._build_pattern
    monkeypatch.setattr(known_tools, "_build_pattern", lambda *of: made.append(of) or real(*of))
    names = [f"{before}t{i}" for before in ("", "predicted_") for i in range(1_000)]
    assert known_tools.recognise(names) is None
    assert len(made) < 1_000
    found = known_tools.recognise([*names, "predicted_t7_probs_yes", "predicted_t7_probs_no"])
    assert found is not None and found.columns["truth"] == ("t7",)
    assert found.scores == (("predicted_t7_probs_yes", "yes"), ("predicted_t7_probs_no", "no"))


def test_whether_a_column_is_there_is_looked_up():
    names = [f"column {i}" for i in range(8_000)]
    table = pa.table({name: [1] for name in names})
    start = process_time()
    for name in names:
        check_column(table, name)
    assert process_time() - start < 3  # each with a list of all names: half a minute
    with pytest.raises(DataError, match="no column 'colum 7'"):
        check_column(table, "colum 7")


def slow_neighbours(cells: list[str]) -> list[tuple[str, str]]:
    """Every pair of neighbours against every cell."""
    lists = {text: split(text, ",") for text in set(cells)}
    together = Counter(pair for labels in lists.values() for pair in itertools.pairwise(labels))
    alone = Counter(label for labels in lists.values() for label in labels)
    some_spaced = any(re.search(r",\S", text) for text in lists)
    found = []
    for (one, two), n in together.items():
        spaced = some_spaced and all(f"{one}, {two}" in text for text, labels in lists.items() if one in labels)
        if n >= (2 if spaced else 4) and n == alone[one] == alone[two]:
            found.append((one, two))
    return sorted(found)


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", ", d", " e"]), max_size=4).map(",".join), max_size=12))
def test_neighbours_between_commas_are_in_every_cell(cells):
    assert find_inseparable_parts(cells) == slow_neighbours(cells)


def test_misspelt_names_are_matched_once(monkeypatch):
    apart = []
    real = name_matching._split_words
    monkeypatch.setattr(name_matching, "_split_words", lambda text: apart.append(text) or real(text))
    letters = ["".join(four) + "ending" for four in itertools.product("abcde", repeat=4)][:300]
    wrong = [name[:5] + "xx"[: i < 150] + name[5:] for i, name in enumerate(letters)]
    found = name_matching.match_names(wrong, letters)
    assert len(found) >= 150 and len(apart) <= 300
    assert all(found[name] == other for name, other in zip(letters, wrong, strict=True) if name in found)


@given(st.lists(st.sampled_from(["refund", "refunds", "refnud", "invoice", "invoicf", "a"]), unique=True))
def test_misspelt_name_needs_one_candidate(names):
    labels = ["refund", "invoice", "invoices", "b"]
    parts = {text: name_matching._split_words(text) for text in (*labels, *names)}
    near = [
        (one, two) for one in labels for two in names if name_matching._differ_by_one_letter(parts[one], parts[two])
    ]
    times = [[pair[place] for pair in near] for place in (0, 1)]
    alone = {one: two for one, two in near if times[0].count(one) == times[1].count(two) == 1}
    assert name_matching._match_one_letter_off(names, labels) == alone


def test_labels_that_begin_alike_are_looked_for_together():
    seconds = []
    for name in ("{:05d} category of things", "category of things {:05d}"):
        labels = tuple(map(name.format, range(5_000)))
        said = [f"not {labels[i % 5_000]}, rather {labels[i * 7 % 5_000]}" for i in range(1, 20_000) if i % 5_000]
        find, start = build_mention_finder(labels), process_time()
        found = list(map(find, said))
        seconds.append(process_time() - start)
        assert found == [[i % 5_000, i * 7 % 5_000] for i in range(1, 20_000) if i % 5_000]
    assert seconds[1] < 4 * seconds[0] + 0.2  # one label after the other at the same place: thirty times as long


def test_label_code_follows_any_vocabulary_spelling():
    space = build_label_space({"truth": ["1", "2"], "predictions": ["1.0", "3.0"]}, space=["truth"])
    assert [space.code(label, "predictions") for label in ("1.0", "2", "3.0", "4")] == [0, 1, 2, None]


def test_too_many_columns_are_left_to_the_person(monkeypatch):
    compared = []
    real = truth.measure_overlap
    for module in (truth, prediction):
        monkeypatch.setattr(module, "measure_overlap", lambda *of: compared.append(of) or real(*of))
    cells = [*["blue", "red", "green", "blue"] * 10, "red"]  # so that none is a copy of another
    few = {f"z{i}": cells[i:] + cells[:i] for i in range(40)}
    with pytest.raises(RolesNeeded, match=r"'z4' and .* could each be the predictions"):
        detect(pa.table(few))
    assert compared
    compared.clear()
    many = pa.table({f"z{i}": cells for i in range(4_000)})
    with pytest.raises(DataError, match="Choose both columns"):
        detect(many)
    assert not compared


NAMES = ("id", "image_id", "ID", "x_id", "y_id", "key", "filename", "column 1", "column 2", "text", "y")


@given(*[st.lists(st.sampled_from(NAMES), unique=True, min_size=1)] * 2, st.integers(1, 5))
def test_key_pairs_come_in_order(left, right, most):
    one, two = (pa.table({name: [name] for name in names}) for names in (left, right))
    same = key_columns.match_column_names(one, two)
    ids = sorted((p for p in same if names_rows(p[0])), key=lambda p: key_columns._rank_id(p[0]))
    pairs = [pair for pair in itertools.product(left, right) if all(map(names_rows, pair))]
    usual = {pair: sum(rank(name, "id") is not None for name in pair) for pair in pairs}
    ids += [pair for pair in pairs if usual[pair] == 2] + [pair for pair in pairs if usual[pair] == 1]
    ids = list(dict.fromkeys(ids))
    texts = [pair for pair in same if pair not in ids]
    for pair in itertools.product(left, right):
        bare = [name.startswith("column") for name in pair]
        if fold(pair[0]) != fold(pair[1]) and (all(bare) or (any(bare) and any(map(names_rows, pair)))):
            texts.append(pair)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_columns, "MAX_TRIED_KEYS", most)
        assert key_columns._find_candidates(one, two) == (ids[:most], texts[:most])


@pytest.mark.parametrize("name", ["column {}", "x{}_id", "n{}"])
def test_wide_files_make_few_key_pairs(name):
    one, two = (pa.table({name.format(i): [cell] for i in range(1, 4_000)}) for cell in "ab")
    tracemalloc.start()
    assert key_columns.find_key(one, two) is None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6
