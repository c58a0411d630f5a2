"""An evaluation is the same after it went from one process to another."""

import dataclasses
import json
import random

import numpy as np
import pyarrow as pa
import pytest

from data.building.rescoring import with_threshold
from data.evaluation import Settings
from data.runs.load import draft_of
from data.runs.understanding import open_draft
from data.samples import SAMPLES
from data.sharing import share
from data.store.evaluation_file import read_evaluation, read_table, write_evaluation
from tests.data.few_rows import EVERY, evaluate


def same(one, other):
    """Return whether two values are equal in type, value, order in memory and, of tables, metadata."""
    if dataclasses.is_dataclass(one):
        fields = [field.name for field in dataclasses.fields(one)]
        return type(one) is type(other) and all(same(getattr(one, name), getattr(other, name)) for name in fields)
    if isinstance(one, np.ndarray):
        flags = one.dtype == other.dtype and one.flags.f_contiguous == other.flags.f_contiguous
        return flags and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, pa.Table):
        return one.schema.equals(other.schema, check_metadata=True) and one.to_pydict() == other.to_pydict()
    return (one.equals(other) if isinstance(one, pa.Array) else one == other) and type(one) is type(other)


def through_a_folder(evaluation, folder):
    write_evaluation(evaluation, folder)
    return read_evaluation(folder)


@pytest.mark.parametrize("key", [sample.key for sample in SAMPLES])
def test_every_sample_comes_back_the_same(key, tmp_path):
    evaluation = open_draft(draft_of(key))
    assert same(evaluation, through_a_folder(evaluation, tmp_path))


@pytest.mark.parametrize("kind", EVERY)
def test_every_kind_of_evaluation_comes_back_the_same(kind, tmp_path):
    assert same(EVERY[kind], through_a_folder(EVERY[kind], tmp_path))


def test_a_share_without_rows_comes_back_the_same(own_store, tmp_path):
    evaluation = open_draft(draft_of(share.share("support-intents-llm", counts_only=True).token))
    assert same(evaluation, through_a_folder(evaluation, tmp_path))


def test_chosen_rows_and_lines_of_counts_come_back(tmp_path):
    for number, (table, settings) in enumerate(
        [
            ({"y": ["a", "b", "a"], "p": [0.1, 0.9, 0.8], "f": ["x", "y", "x"]},
             Settings(truth="y", scores=(("p", "b"),), positive="b", only=("f", "x"))),
            ({"y": ["a", "b", "?"], "y_pred": ["a", "a", "b"], "n": ["3", "2", "1"]},
             Settings(truth="y", pred="y_pred", counts="n")),
        ]
    ):  # fmt: skip
        evaluation = evaluate(table, settings)
        folder = tmp_path / str(number)
        folder.mkdir()
        assert same(evaluation, through_a_folder(evaluation, folder))


def test_predictions_of_another_threshold_come_back(tmp_path):
    evaluation = with_threshold(open_draft(draft_of("screening")), 0.2)
    assert same(evaluation, through_a_folder(evaluation, tmp_path))


def test_damaged_table_is_an_error_or_whole(tmp_path):
    table = pa.table({"text": ["x", "yy", None, "é"], "coded": pa.array(["p", "q", "p", "p"]).dictionary_encode()})
    write_evaluation(table, tmp_path)
    file = tmp_path / "evaluation-1.arrow"
    content, draw, n_errors = file.read_bytes(), random.Random(0), 0
    for _ in range(300):
        damaged = bytearray(content)
        damaged[draw.randrange(len(content))] = draw.randrange(256)
        file.write_bytes(damaged)
        try:
            read_table(file).to_pydict()
        except (pa.ArrowException, ValueError, OSError):
            n_errors += 1
    assert n_errors > 100


@pytest.mark.parametrize(
    "written",
    [
        '["Popen", {}]', '["array", "../../etc/passwd"]', "7", '["tuple"]', '["x", 1]', '["Settings", 7]',
        '["table", []]', '["dict", [["list"], 1]]', '["tuple", ' * 5000 + "1" + "]" * 5000,
    ],
    ids=range(9),
)  # fmt: skip
def test_what_is_no_evaluation_is_an_error(written, tmp_path):
    (tmp_path / "evaluation.json").write_text(written)
    with pytest.raises(ValueError, match="not an evaluation"):
        read_evaluation(tmp_path)


def _places(value):
    """Yield (list or dict, index or key) of everything below a value of JSON."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for place, item in items:
        yield value, place
        yield from _places(item)


def test_swapped_values_of_an_evaluation_are_errors(tmp_path):
    write_evaluation(EVERY["raw"], tmp_path)
    file, draw, n_errors = tmp_path / "evaluation.json", random.Random(0), 0
    content = file.read_text()
    others = [holder[place] for holder, place in _places(json.loads(content))]
    for _ in range(300):
        values = json.loads(content)
        holder, place = draw.choice(list(_places(values)))
        holder[place] = draw.choice([7, "x", [], {}, *others])
        file.write_text(json.dumps(values))
        try:
            read_evaluation(tmp_path)
        except ValueError:
            n_errors += 1
    assert n_errors > 50


def test_table_larger_than_memory_is_no_damage(tmp_path):
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**15,)}
    with (tmp_path / "1.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
    (tmp_path / "evaluation.json").write_text(json.dumps(["array", "1.npy"]))
    with pytest.raises(MemoryError):
        read_evaluation(tmp_path)


def test_no_object_is_unpickled(tmp_path):
    np.save(tmp_path / "1.npy", np.array([object()]), allow_pickle=True)
    (tmp_path / "evaluation.json").write_text(json.dumps(["array", "1.npy"]))
    with pytest.raises(ValueError, match="not an evaluation") as refused:
        read_evaluation(tmp_path)
    assert "allow_pickle" in str(refused.value.__cause__)
