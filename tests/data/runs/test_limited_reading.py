"""Uploads are read, understood and built in one limited process; the server takes over what it left."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.errors import ChoiceNeeded, DataError, Guess, RolesNeeded
from data.runs import draft_changes, limited_reading, load, understanding
from data.runs.draft import Given
from data.runs.limited_reading import read_and_understand
from data.samples import SAMPLES, load_sample_paths
from data.store import store
from tests.data.store.test_evaluation_file import same


@pytest.fixture(autouse=True)
def nothing_left(own_store):
    yield
    assert list(store.place().scratch_root().iterdir()) == []


def file(folder, text, name="preds.csv"):
    path = folder / name
    path.write_text(text)
    return path, name


@pytest.mark.parametrize("key", [sample.key for sample in SAMPLES][:3])
def test_child_builds_what_the_server_builds(key):
    given = Given(label_set=next(sample for sample in SAMPLES if sample.key == key).label_set)
    draft, evaluation = load.read_and_build(load_sample_paths(key), given)
    assert same(evaluation, understanding.open_draft(draft))


def test_two_files_are_joined_in_the_child(tmp_path, monkeypatch):
    def never(*_):
        raise AssertionError("understood in the server's own process")

    monkeypatch.setattr(understanding, "understand", never)
    sources = [file(tmp_path, "id,y_pred\n1,a\n2,b\n"), file(tmp_path, "id,y_true\n2,b\n1,a\n", "labels.csv")]
    draft, evaluation = load.read_and_build(sources, Given())
    assert evaluation.receipt.join.n_matched == 2 and same(evaluation, understanding.open_draft(draft))
    first, _ = load.read_and_build(sources[:1], Given())
    joined = draft_changes.add_labels(load.keep(first), sources[1])
    assert same(understanding.open_draft(joined), evaluation)


def test_questions_come_back_from_the_child(tmp_path):
    lines = [f"{i},{y},{pred},{of}\n" for i, y in enumerate("ABA") for of, pred in (("strict", y), ("flexible", "A"))]
    source = file(tmp_path, "id,target,prediction,filter\n" + "".join(lines))
    draft, evaluation = load.read_and_build([source], Given())
    assert draft.question == ("filter", ("strict", "flexible")) and evaluation is None and draft.problem
    with pytest.raises(ChoiceNeeded) as asked:
        load.read_evaluation([source[0]], Given())
    assert (asked.value.column, asked.value.values, str(asked.value)) == (*draft.question, draft.problem)


def test_a_guess_comes_back_from_the_child(tmp_path):
    lines = [f"{i % 10},{i % 2},{i % 10}\n" for i in range(30)]
    source = file(tmp_path, "decile_score,flag,decile_score.1\n" + "".join(lines))
    with pytest.raises(RolesNeeded) as asked:
        load.read_evaluation([source[0]], Given())
    assert asked.value.guess == Guess(truth="flag", score="decile_score")
    assert str(asked.value).startswith("preds.csv: ")


@pytest.mark.parametrize("how", ["be_killed", "crash", "fail", "say_nothing"])
def test_a_child_that_ends_badly_leaves_nothing(how, tmp_path, monkeypatch):
    monkeypatch.setattr(limited_reading, "READER", f"tests.data.misbehaving:{how}")
    with pytest.raises(DataError) as refused:
        load.read_and_build([file(tmp_path, "y,y_pred\na,b\n")], Given())
    assert "preds.csv" in str(refused.value)
    assert list((store.place().root / "data").iterdir()) == []


def test_a_full_disk_while_building_is_a_sentence(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "evaluation.json").symlink_to("/dev/full")
    store.place()
    with pytest.raises(DataError, match=r"^The server's disk is full, so preds\.csv could not be kept;"):
        read_and_understand([file(tmp_path, "y,y_pred\na,b\nb,b\n")], folder, Given())


def bomb(path, form):
    """120,000 rows that repeat a text of 1,000 characters: some kB, and 120 MB written out."""
    n = 120_000
    y = pa.DictionaryArray.from_arrays(pa.array(np.arange(n, dtype=np.int32) % 2), ["a", "b"])
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), ["x" * 1_000])
    table = pa.table({"y": y, "y_pred": y, "text": text})
    if form == "parquet":
        pq.write_table(table, path, compression="zstd")
    elif form == "arrow":
        with pa.ipc.new_file(path, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as out:
            out.write_table(table)
    else:
        with pa.CompressedOutputStream(str(path), "zstd") as out:
            out.write(b"y,y_pred,text\n")
            for _ in range(12):
                out.write((f"a,a,{'x' * 1_000}\nb,b,{'x' * 1_000}\n" * 5_000).encode())
    return path, path.name


@pytest.mark.parametrize("form", ["parquet", "arrow", "csv.zst"])
def test_a_bomb_of_repeated_text_is_one_sentence(form, tmp_path, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_EVALUATION_MB", "16")
    source = bomb(tmp_path / f"bomb.{form}", form)
    assert source[0].stat().st_size < 4 << 20
    try:
        said = load.read_and_build([source], Given())[0].problem
    except DataError as error:
        said = str(error)
    assert said.count("; ") <= 2 and f"bomb.{form}" in said
    if form != "arrow":  # such files are not read at all
        assert re.search(r"takes some 1\d\d\b", said) and "the limit is 16 MB" in said


def write_repeated(path, **columns):
    """Write 200,000 rows with one text of 20,000 characters, which are more than Arrow writes out in one array."""
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(200_000, np.int32)), pa.array(["x" * 20_000]))
    pq.write_table(pa.table({**columns, "text": text}), path)
    return path, path.name


def test_labels_too_large_to_join_are_refused(tmp_path):
    """The search for a key overflowed, which was called a mistake in the reader."""
    predictions = file(tmp_path, "id,pred\n1,a\n2,b\n")
    labels = write_repeated(tmp_path / "bomb.parquet", id=np.arange(200_000), label=["a", "b"] * 100_000)
    with pytest.raises(DataError, match=r"^bomb\.parquet: .*the limit is 2 GB\. The largest column is 'text' with 3"):
        load.read_and_build([predictions, labels], Given())


def test_one_of_ten_epochs_may_be_small_enough(tmp_path):
    columns = {"id": np.tile(np.arange(20_000), 10), "epoch": np.repeat(np.arange(10), 20_000)}
    true = ["a", "b"] * 100_000
    run = write_repeated(tmp_path / "run.parquet", **columns, label=true, prediction=true)
    evaluation = load.read_and_build([run], Given(only=("epoch", "3")))[1]
    assert evaluation.n_scored == 20_000
