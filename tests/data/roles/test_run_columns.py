"""Files that hold several evaluations: asked about, answered, switched; and exactly what a file of these rows gives."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.columns.column import Column
from data.errors import ChoiceNeeded, DataError, NotUsableYet
from data.evaluation import FileFacts
from data.roles.detect import detect
from data.roles.run_columns import ALL_ROWS, ask_for_rows, select_run
from data.rows.row_table import build_rows_frame
from data.runs import load, understanding
from data.runs.draft_changes import answer, correct
from data.runs.load import Draft, Given, draft_of, keep
from data.store import store
from tests.opened_runs import accuracy, open_run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path / "store"))
    return tmp_path


FILTERS = {
    "id": ["0", "0", "1", "1", "2", "2"],
    "target": ["A", "A", "B", "B", "A", "A"],
    "prediction": ["A", "A", "[invalid]", "B", "A", "B"],
    "filter": ["strict", "flexible"] * 3,
}


def draft(folder, columns, **given_) -> str:
    """The token of a draft as an upload makes it, without the reading process."""
    table = pa.table(columns)
    path = folder / "t.parquet"
    store.write_canonical(table, path)
    facts = (FileFacts("t.csv", "CSV", len(table), tuple(table.column_names), 1, "0" * 64),)
    wanted = Given(**given_)
    understood = understanding.understand([table], facts, wanted)
    return keep(Draft("t.csv", facts, (store.put_table(path),), wanted, *understood[:3]))


# -- what is asked ----------------------------------------------------------------------------------------


def test_filters_of_the_same_ids_are_asked_about():
    with pytest.raises(ChoiceNeeded, match=r"2 values of 'filter' \('strict', 'flexible'\) for the same 'id'") as asked:
        detect(pa.table(FILTERS))
    assert (asked.value.column, asked.value.values) == ("filter", ("strict", "flexible"))


@pytest.mark.parametrize("ids", [None, range(20), [f"{row}.png" for row in range(20)]])
@pytest.mark.parametrize("name", ["model", "Epoch", "repetition_number", "prompt"])
def test_parts_of_the_same_labels_are_asked_about(name, ids):
    true = [*"abbaababbb"]
    columns = {} if ids is None else {"id": ids}
    columns |= {name: ["x"] * 10 + ["y"] * 10, "y_true": true * 2, "y_pred": [*"abbaababba", *"aabaababbb"]}
    with pytest.raises(ChoiceNeeded, match=r"\('x', 'y'\) for the same true labels in the same order") as asked:
        detect(pa.table(columns))
    assert (asked.value.column, asked.value.values) == (name, ("x", "y"))
    for other in ({"y_true": [*true, *true[::-1]]}, {name: ["x", "y"] * 10}, {"y_true": ["a"] * 20}):
        assert detect(pa.table(columns | other)).settings.truth == "y_true"


@pytest.mark.parametrize("labels", ["aaaaaabbbb", "ababababab", "abcabcabca", "aaaabbbccc"])
def test_parts_of_regular_labels_are_not_asked_about(labels):
    """Stratified folds of sorted rows have the same labels in the same order, and so have different pairs."""
    columns = {"Resample": ["x"] * 10 + ["y"] * 10, "y_true": [*labels] * 2, "y_pred": [*"abbaababba"] * 2}
    assert detect(pa.table(columns)).settings.pred == "y_pred"


@pytest.mark.parametrize("name", ["Resample", ".config", "epoch", "repetition_number", "scorer", "Prompt"])
def test_every_column_that_repeats_ids_is_asked_about(name):
    columns = {("row_ids" if key == "id" else name if key == "filter" else key): v for key, v in FILTERS.items()}
    with pytest.raises(ChoiceNeeded) as asked:
        detect(pa.table(columns))
    assert asked.value.column == name


@pytest.mark.parametrize(
    "changed",
    [
        {"id": ["0", "1", "2", "3", "4", "5"]},  # no id repeats: folds, for example
        {"filter": ["strict"] * 6},  # one value
        {"filter": ["strict", "strict", "flexible", "flexible", "strict", "strict"]},  # tells no repetition apart
        {"filter": ["0.5", "0.25", "0.125", "0.75", "0.1", "0.2"]},  # fractions
        {"id": [None, None, None, None, "1", "2"]},  # rows without an id repeat none
    ],
)
def test_single_evaluation_asks_nothing(changed):
    assert detect(pa.table(FILTERS | changed)).settings.only is None


def test_more_distinct_run_column_is_asked_about():
    table = pa.table({"id": ["0"] * 6 + ["1"] * 6, "filter": (["a"] * 3 + ["b"] * 3) * 2, "epoch": list("123") * 4})
    found = ask_for_rows([Column(table, "filter"), Column(table, "epoch")], Column(table, "id"))
    assert found is not None and found.column == "epoch" and "repeat within one of them" in str(found)


def test_one_row_twice_does_not_hide_the_question():
    columns = {"id": [str(i // 2) for i in range(40)], "epoch": ["1", "2"] * 20}
    columns["id"][0] = columns["id"][38] = "7"
    table = pa.table(columns)
    assert ask_for_rows([Column(table, "epoch")], Column(table, "id")) is not None


# -- the rows that count ----------------------------------------------------------------------------------


def test_unknown_value_is_refused_by_name():
    table = pa.table(FILTERS)
    with pytest.raises(DataError, match=r"No row has 'x' in column 'filter', which holds 'strict', 'flexible'"):
        select_run(table, ("filter", "x"))
    with pytest.raises(DataError, match="no column 'epoch' to choose rows by"):
        select_run(table, ("epoch", "1"))
    assert select_run(table, ALL_ROWS) == (table, None) and select_run(table, None) == (table, None)


LABELS = st.sampled_from(["a", "b", "c", None])
ROWS = st.lists(
    st.tuples(LABELS, LABELS, st.floats(0, 1), st.sampled_from(["x", "y", "z"])), min_size=4, max_size=60
)  # fmt: skip


@given(rows=ROWS, encode=st.booleans())
def test_chosen_rows_equal_a_file_of_them(rows, encode):
    truth, pred, score, run = (list(column) for column in zip(*rows, strict=True))
    columns = {"y_true": pa.array(truth, pa.string()), "y_pred": pa.array(pred, pa.string()), "score": pa.array(score)}
    if encode:
        columns = {name: a.dictionary_encode() if name != "score" else a for name, a in columns.items()}
    table = pa.table(columns | {"run": run, "id": [str(i % 7) for i in range(len(rows))]})
    chosen = [i for i, value in enumerate(run) if value == run[0]]
    cut = table.take(chosen)
    try:
        alone = detect(cut, ask=False)
        expected = build(cut, alone.settings, name="t", content_sha256="0")
    except DataError as error:
        with pytest.raises(DataError) as same:
            understanding._detect(table, Given(only=("run", run[0])), (FileFacts("t", "CSV", 1, (), 1, ""),))
            build(table, load.dataclasses.replace(alone.settings, only=("run", run[0])), name="t", content_sha256="0")
        assert str(same.value) == str(error)
        return
    found = understanding._detect(table, Given(only=("run", run[0])), (FileFacts("t", "CSV", 1, (), 1, ""),))
    e = build(table, found.settings, name="t", content_sha256="0")
    assert (e.labels, e.task, e.positive, e.score_codes) == (
        expected.labels, expected.task, expected.positive, expected.score_codes
    )  # fmt: skip
    assert np.array_equal(e.y_true, expected.y_true) and np.array_equal(e.y_pred, expected.y_pred)
    assert np.array_equal(e.scored, expected.scored)
    assert (e.y_score is None) == (expected.y_score is None)
    if e.y_score is not None:
        assert np.array_equal(e.y_score, expected.y_score, equal_nan=True)
    assert e.row_numbers.tolist() == chosen and len(e.rows) == len(chosen) == e.n_rows
    assert e.receipt.warnings == expected.receipt.warnings and e.fingerprint != expected.fingerprint


def test_rows_page_shows_file_row_numbers():
    e = build(pa.table(FILTERS), detect_only("flexible"), name="t", content_sha256="0")
    assert build_rows_frame(e, np.arange(3))["row"].tolist() == [2, 4, 6]
    assert any("Only the 3 of 6 rows with 'filter' = 'flexible'" in note for note in e.receipt.notes)


def detect_only(value):
    facts = (FileFacts("t", "CSV", 1, (), 1, ""),)
    return understanding._detect(pa.table(FILTERS), Given(only=("filter", value)), facts).settings


# -- drafts ------------------------------------------------------------------------------------------------


def test_answering_a_draft_makes_another_draft(folder):
    run = draft(folder, FILTERS)
    assert draft_of(run).question == ("filter", ("strict", "flexible"))
    with pytest.raises(NotUsableYet, match="Choose which one is evaluated"):
        open_run(run)
    strict, flexible, every = (open_run(answer(run, choice)) for choice in ("strict", "flexible", None))
    assert [accuracy(e) for e in (strict, flexible, every)] == pytest.approx([2 / 3, 2 / 3, 2 / 3])
    assert strict.n_unparsed == 1 and flexible.n_unparsed == 0
    assert (strict.n_rows, every.n_rows) == (3, 6) and len({strict.fingerprint, flexible.fingerprint}) == 2
    assert any("repeated id" in text for text in every.receipt.warnings)
    with pytest.raises(DataError, match="no 'x' among"):
        answer(run, "x")
    with pytest.raises(DataError, match="one evaluation"):
        answer(draft(folder, FILTERS | {"id": list("012345")}), "strict")


def test_the_choice_can_be_switched_by_a_correction(folder):
    first = answer(draft(folder, FILTERS), "strict")
    settings_ = draft_of(first).settings
    second = open_run(correct(first, settings_, {"only": ("filter", "flexible")}))
    assert second.settings.only == ("filter", "flexible") and second.row_numbers.tolist() == [1, 3, 5]
    moved = correct(first, settings_, {"truth": "prediction", "pred": "target"})
    assert open_run(moved).row_numbers.tolist() == [0, 2, 4]
    assert draft_of(moved).question == ("filter", ("strict", "flexible"))


def test_choice_before_upload_is_not_asked_again(folder):
    e = open_run(draft(folder, FILTERS, only=("filter", "strict")))
    assert e.n_rows == 3 and e.settings.only == ("filter", "strict")
