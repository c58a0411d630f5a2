"""Several labels a row: every way to write a set, one set in two ways on the two sides, and names of columns."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.errors import DataError
from data.evaluation import Settings
from data.labels.cell_sets import (
    SetEncoding,
    find_inseparable_parts,
    find_likely_delimiter,
    find_set_encoding,
    find_similar_encoding,
    find_words_for_none,
    parse_list,
)
from data.labels.name_matching import match_names, note_spellings
from data.roles.detect import detect
from data.runs.draft_changes import correct_settings
from data.runs.tables import join_tables

TAGS = ("child speech", "music", "noise", "video game")


# -- one cell ---------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(st.lists(TEXTS, max_size=5))
def test_written_sets_read_back_from_every_tool(labels):
    assert parse_list(json.dumps(labels)) == tuple(labels)
    assert parse_list(json.dumps(labels, ensure_ascii=False)) == tuple(labels)
    assert parse_list(str(labels)) == tuple(labels)
    of_numpy = [np.str_(label) for label in labels]  # which cannot end in a NUL
    assert parse_list(str(of_numpy)) == tuple(str(label) for label in of_numpy)
    if labels:
        assert parse_list(str(tuple(labels))) == tuple(labels)
        assert set(parse_list(str(set(labels)))) == set(labels)


@given(st.lists(st.text("abc '\"é-,", min_size=1, max_size=6), min_size=2, max_size=9))
def test_numpy_array_is_not_joined_to_one_label(labels):
    assert parse_list(str(np.array(labels, dtype=object))) == tuple(labels)


OTHER_TEXTS = (
    "a", "", "[", "[a, b]", "('a')", "(A)", "(1)", "(1, 2)", "{1}", "{}", "{'a': 1}", "['a' + 'b']", "['a', 'b' 'c']",
    "['a',, 'b']", "[[1], [2]]", "['a', None]", "[__import__('os').getcwd()]", "[f'{1}']", "[b'a']", r"['\x4']",
    "[" * 60 + "]" * 60, "['a', " * 40_000 + "]", "['" + "a" * 100_001 + "']",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        *((text, ()) for text in ("[]", "[ ]", "()", "set()", "[\n]")),
        *((text, None) for text in OTHER_TEXTS),
        ("[1, 2.50, -3, True]", ("1", "2.5", "-3", "true")),
        ("[1 2.50 -3 True]", ("1", "2.5", "-3", "true")),
    ],
)
def test_text_is_a_list_or_none(text, labels):
    assert parse_list(text) == labels


def test_other_side_tells_the_encoding():
    semi = SetEncoding("delimited", ";")
    assert find_similar_encoding(["a;b", "b"], ["a", "b"], semi) == semi
    assert find_similar_encoding(['["a"]', "[]"], ["a", "b"], semi) == SetEncoding("json", None)
    assert find_similar_encoding(["a,b", "b,c"], ["a", "b", "c"], semi) == SetEncoding("delimited", ",")
    assert find_similar_encoding(["a", "b"], ["a", "b"], SetEncoding("json", None)) == SetEncoding("json", None)
    assert find_similar_encoding(["x y", "z"], ["a", "b"], semi) == semi


def test_word_for_none_stands_always_alone():
    assert find_words_for_none(["a;b", "None", "-"], SetEncoding("delimited", ";")) == ("-", "None")
    assert find_words_for_none(["a;none", "none"], SetEncoding("delimited", ";")) == ()


# -- both sides, each in its own way ----------------------------------------------------------------


def flags(n=60, seed=0):
    random = np.random.default_rng(seed)
    truth = random.random((n, len(TAGS))) < 0.45
    truth[:4] = [[True, True, False, False], [False, True, True, False], [False] * 4, [False, False, True, True]]
    pred = truth ^ (random.random(truth.shape) < 0.2)
    pred[3] = False
    return truth, pred


def columns(name, matrix, way):
    """Columns that hold a bool matrix in one way."""
    sets = [[tag for tag, flag in zip(TAGS, row, strict=True) if flag] for row in matrix]
    if way == "hot":
        return {f"{name}_{tag}": [str(int(x)) for x in matrix[:, code]] for code, tag in enumerate(TAGS)}
    written = {
        "json": json.dumps,
        "python": str,
        "numpy": lambda labels: str(np.array(labels, dtype=object)),
        ";": lambda labels: "".join(f"{label};" for label in labels) or None,
        "|": lambda labels: "|".join(labels) or None,
        ", ": lambda labels: ", ".join(labels) or None,
    }[way]
    return {name: [written(labels) for labels in sets]}


WAYS = ["json", "python", "numpy", ";", "|", ", ", "hot"]


@pytest.mark.parametrize("pred_way", WAYS)
@pytest.mark.parametrize("truth_way", WAYS)
def test_both_sides_may_be_written_differently(truth_way, pred_way):
    truth, pred = flags()
    table = pa.table({**columns("truth", truth, truth_way), **columns("pred", pred, pred_way)})
    found = detect(table)
    evaluation = build(table, found.settings, name="t", content_sha256="0")
    order = [TAGS.index(label) for label in evaluation.labels]
    assert sorted(order) == [0, 1, 2, 3] and evaluation.task == "multilabel"
    assert np.array_equal(evaluation.y_true, truth[:, order]) and np.array_equal(evaluation.y_pred, pred[:, order])
    assert evaluation.n_scored == len(truth)
    assert Settings.from_json(json.loads(json.dumps(found.settings.to_json()))) == found.settings
    one_way = found.settings.pred_encoding is None
    assert one_way == (truth_way == pred_way or {truth_way, pred_way} <= {"json", "python", "numpy"})
    assert ("pred_encoding" in found.settings.to_json()) == (not one_way)


@pytest.mark.parametrize(("truth_way", "pred_way"), [(";", "json"), ("hot", "json"), ("json", "hot"), (";", "hot")])
def test_two_files_may_be_written_in_different_ways(truth_way, pred_way):
    truth, pred = flags()
    ids = [f"r{row}" for row in range(len(truth))]
    names = ("truth", "pred") if "hot" not in (truth_way, pred_way) else ("tag", "tag")
    labels = pa.table({"id": ids[::-1], **columns(names[0], truth[::-1], truth_way)})
    table, _ = join_tables([pa.table({"id": ids, **columns(names[1], pred, pred_way)}), labels], None)
    found = detect(table)
    evaluation = build(table, found.settings, name="t", content_sha256="0")
    order = [TAGS.index(label) for label in evaluation.labels]
    assert np.array_equal(evaluation.y_true, truth[:, order]) and np.array_equal(evaluation.y_pred, pred[:, order])


def test_the_difference_is_said():
    truth, pred = flags()
    table = pa.table({**columns("truth", truth, ";"), **columns("pred", pred, "json")})
    assert "'truth' holds its labels separated by ';', 'pred' as lists: both were read." in detect(table).notes


def test_a_correction_keeps_how_the_predictions_are_written():
    truth, pred = flags()
    table = pa.table({**columns("truth", truth, ";"), **columns("pred", pred, "json")})
    found = detect(table).settings
    assert correct_settings(table, found, {"space": "truth"}).pred_encoding == "json"


def test_plain_labels_beside_lists_are_still_refused():
    truth, _ = flags()
    table = pa.table({**columns("truth", truth, "json"), "pred": ["music"] * len(truth)})
    with pytest.raises(DataError, match="both must be lists"):
        detect(table)


def test_word_for_none_is_a_label_with_warning():
    table = pa.table({"truth": ["a;b", "b;c", "none", "a;c"] * 4, "pred": ["a;b", "b;c", "a", "a;c"] * 4})
    found = detect(table)
    assert any("'none' always stands alone in 'truth'" in text for text in found.warnings)
    assert "none" in build(table, found.settings, name="t", content_sha256="0").labels


def test_empty_sets_are_rows_that_count():
    table = pa.table({"truth": ['["a"]', "[]", '["a", "b"]', "[]"], "pred": ['["a"]', '["b"]', "[]", "[]"]})
    evaluation = build(table, detect(table).settings, name="t", content_sha256="0")
    assert evaluation.n_scored == 4 and evaluation.y_true.sum(axis=1).tolist() == [1, 0, 2, 0]


def test_both_encodings_are_found_by_values_alone():
    assert find_set_encoding(["a;b;", "b;", "c;a;"]) == SetEncoding("delimited", ";")
    assert find_set_encoding(["['a' 'b']", "[]", "['c']"]) == SetEncoding("json", None)


# -- names of columns -------------------------------------------------------------------------------


def spelled(tag, how):
    return {
        "same": tag,
        "case": tag.title(),
        "underscore": tag.replace(" ", "_"),
        "together": "".join(tag.title().split()),
        "prefix": f"score_{tag}",
        "odd prefix": f"tagger7 {tag}",
        "suffix": f"{tag}_score",
    }[how]


@pytest.mark.parametrize("how", ["same", "case", "underscore", "together", "prefix", "odd prefix", "suffix"])
@pytest.mark.parametrize("truth_way", [";", "hot"])
@pytest.mark.parametrize("seed", [0, 1])
def test_score_columns_meet_labels_in_any_spelling(how, truth_way, seed):
    if how == "odd prefix" and truth_way == "hot":
        pytest.skip("0/1 columns meet columns of known prefixes")
    truth, _ = flags()
    scores = np.random.default_rng(7).random(truth.shape)
    order = np.random.default_rng(seed).permutation(len(TAGS))
    ids = [f"r{row}" for row in range(len(truth))]
    named = columns("y", truth, truth_way)
    if truth_way == "hot":
        named = {name.removeprefix("y_"): cells for name, cells in named.items()}
    predictions = pa.table({"id": ids, **{spelled(TAGS[k], how): scores[:, k] for k in order}})
    table, _ = join_tables([predictions, pa.table({"id": ids[::-1], **{n: c[::-1] for n, c in named.items()}})], None)
    found = detect(table)
    evaluation = build(table, found.settings, name="t", content_sha256="0")
    labels = [TAGS.index(label) for label in evaluation.labels]
    codes = [TAGS.index(evaluation.labels[code]) for code in evaluation.score_codes]
    assert np.array_equal(evaluation.y_true, truth[:, labels]) and np.array_equal(evaluation.y_score, scores[:, codes])
    said = any("spelled differently" in text and "= 'child speech'" in text for text in found.notes)
    assert said == (how in ("case", "underscore", "together"))


def test_near_spellings_are_matched_with_a_warning():
    truth = ["café noir", "ambulance", "percussive sound", "rain"] * 10
    scores = np.random.default_rng(0).dirichlet(np.ones(4), 40)
    names = ["p_cafe noir", "p_ambulance", "p_percusive sound", "p_rain"]
    found = detect(pa.table({"truth": truth, **dict(zip(names, scores.T, strict=True))}))
    assert dict(found.settings.scores)["p_percusive sound"] == "percussive sound"
    assert dict(found.settings.scores)["p_cafe noir"] == "café noir"
    [warning] = [text for text in found.warnings if "a letter differ" in text]
    assert "'percusive sound' = 'percussive sound'" in warning and "'cafe noir' = 'café noir'" in warning


@pytest.mark.parametrize(
    ("names", "labels", "wanted"),
    [
        (["a", "B"], ["b", "A"], {"b": "B", "A": "a"}),
        (["Cat", "cat"], ["cat", "CAT"], {"cat": "cat", "CAT": "Cat"}),
        (["CAT"], ["cat", "Cat"], {}),  # which of the two?
        (["class 1", "class 3"], ["class 1", "class 2"], {"class 1": "class 1"}),  # a digit is never a slip
        (["grade b", "grade c"], ["grade b", "grade a"], {"grade b": "grade b"}),  # too short
        (["typea", "typeb"], ["typea", "typec"], {"typea": "typea"}),  # the last letter is often the difference
        (["rain", "sirens"], ["rain", "siren"], {"rain": "rain", "siren": "sirens"}),
        (["rain", "sirne"], ["rain", "siren"], {"rain": "rain", "siren": "sirne"}),  # swapped
        (["rain", "sirenn", "ssiren"], ["rain", "siren"], {"rain": "rain"}),  # two could be meant
        (["sirens", "x", "y"], ["siren", "rain", "wind"], {}),  # nothing else says that these are labels
        (["1.0", "0"], ["1", "0"], {"1": "1.0", "0": "0"}),
        ([], ["a"], {}),
    ],
)
def test_ambiguous_names_are_not_matched(names, labels, wanted):
    assert match_names(names, labels) == wanted


@given(st.lists(st.text("abAB_ 1", min_size=1, max_size=4), unique=True, max_size=6), st.randoms())
def test_equal_names_match_in_any_order(names, random):
    labels = [*names]
    random.shuffle(labels)
    assert match_names(names, labels) == {name: name for name in names}


def test_only_what_is_spelled_differently_is_listed():
    notes, warnings = note_spellings("score", {"a": "a", "b c": "B_C", "siren": "sirens", "1": "1.0"})
    assert notes == ("Matched although spelled differently: the score columns 'B_C' = 'b c'.",)
    assert len(warnings) == 1 and "'sirens' = 'siren'" in warnings[0] and "'a'" not in warnings[0]


def test_inseparable_neighbours_may_hold_a_comma():
    cells = ["sad, lonely,happy", "happy", "sad, lonely", "angry,happy", "angry"]
    assert find_inseparable_parts(cells) == [("sad", "lonely")]
    assert find_inseparable_parts([*cells, "lonely"]) == []
    assert find_inseparable_parts([*cells, "lonely,sad"]) == []


def test_equal_spacing_needs_four_cells():
    cells = ["a,b,c", "a,b,d", "a,b", "c,d", "c", "d"]
    assert find_inseparable_parts(cells) == [] and find_inseparable_parts([*cells, "a,b,c,d"]) == [("a", "b")]


def test_decimal_commas_of_whole_numbers_are_no_sets():
    assert find_set_encoding(["0,0", "1,0"]) is None and find_likely_delimiter(["0,0", "1,0"], ["0", "1"]) is None
    assert find_set_encoding(["0,1", "1,0", "0,2", "2"]) == SetEncoding("delimited", ",")
