"""Lists of numbers in a cell become columns, in one order for all rows; lists of labels stay as they are."""

import json

import numpy as np
import pyarrow as pa
import pytest

from data.process.limits import Limits
from data.reading.list_columns import split_lists

PROBABILITIES = [[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]


def cells(lists):
    return [None if values is None else json.dumps(values) for values in lists]


@pytest.mark.parametrize(
    "texts",
    [
        cells(PROBABILITIES),
        [str(values) for values in PROBABILITIES],
        [str(np.array(values)) for values in PROBABILITIES],
    ],
    ids=["JSON", "Python", "numpy"],
)
def test_lists_of_scores_become_a_column_a_place(texts):
    found, notes = split_lists(pa.table({"y": list("aba"), "probabilities": texts, "z": list("123")}), Limits())
    assert found.column_names == ["y", "probabilities_0", "probabilities_1", "z"]
    parts = [found.column(f"probabilities_{place}").to_pylist() for place in (0, 1)]
    assert np.array(parts).T.tolist() == PROBABILITIES
    assert len(notes) == 1 and "'probabilities'" in notes[0]


def test_listed_scores_go_to_their_labels():
    table = pa.table({"labels": cells([["a", "b"], ["b", "a"]]), "scores": cells([[0.9, 0.1], [0.7, 0.3]])})
    found = split_lists(table, Limits())[0]
    assert found.column("scores_a").to_pylist() == [0.9, 0.3] and found.column("scores_b").to_pylist() == [0.1, 0.7]


def test_lists_of_flags_become_text():
    found = split_lists(pa.table({"y_true": cells([[1, 0, 1], None, [0, 0, 0]])}), Limits())[0]
    assert found.to_pydict() == {
        "y_true_0": ["1", None, "0"],
        "y_true_1": ["0", None, "0"],
        "y_true_2": ["1", None, "0"],
    }


@pytest.mark.parametrize(
    ("columns", "limits"),
    [
        ({"y_true": cells([[0, 1], [1, 0]])}, Limits()),  # the labels 0 and 1
        ({"y_true": cells([["a", "b"], ["b", "c"]])}, Limits()),
        ({"scores": cells([[0.5, 0.5], [0.2, 0.3, 0.5]])}, Limits()),
        ({"embedding": cells([[0.5, 0.25], [0.1, 0.2]])}, Limits()),
        ({"scores": cells([[1, 2], [3, 4]])}, Limits()),
        # a row of other labels
        ({"labels": cells([["a", "b"], ["c", "a"]]), "scores": cells([[0.9, 0.1], [0.7, 0.3]])}, Limits()),
        ({"labels": ["[1]", "[0, 1]"], "predictions": ["[1]", "[0]"]}, Limits()),  # several labels
        ({"scores": cells(PROBABILITIES)}, Limits(columns=1)),  # more columns than a table may have
    ],
)
def test_other_lists_stay(columns, limits):
    table = pa.table(columns)
    assert split_lists(table, limits)[0].equals(table)


def test_sparse_vectors_as_objects_keep_their_places():
    """Spark's Parquet and JSON: indices are empty for a dense vector."""
    table = pa.table(
        {
            "probability.size": ["3", None, "3"],
            "probability.indices": ["[0,2]", None, "[1]"],
            "probability.values": ["[0.75,0.25]", "[0.5,0.25,0.25]", "[1.0]"],
        }
    )
    found = split_lists(table, Limits())[0]
    parts = [found.column(f"probability.values_{place}").to_pylist() for place in range(3)]
    assert np.array(parts).T.tolist() == [[0.75, 0, 0.25], [0.5, 0.25, 0.25], [0, 1, 0]]


def test_one_element_lists_are_numbers() -> None:
    table = pa.table({"labels": ["[0.0]", "[1.0]", None], "predictions": ["[0.25]", "[ 7e-1 ]", "[1]"]})
    found, notes = split_lists(table, Limits())
    assert found.to_pydict() == {"labels": ["0.0", "1.0", None], "predictions": [0.25, 0.7, 1.0]}
    assert "'labels' and 'predictions'" in notes[0]


def test_label_beside_class_scores_is_the_label() -> None:
    table = pa.table({"labels": ["[1]", "[0]"], "predictions": ["[0.25, 0.75]", "[0.5, 0.5]"]})
    found = split_lists(table, Limits())[0]
    assert found.to_pydict() == {"labels": ["1", "0"], "predictions_0": [0.25, 0.5], "predictions_1": [0.75, 0.5]}
