"""JSON around a table: pandas' own layouts written by pandas, columns of cells, rows under a key, and NaN."""

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from data.errors import DataError
from data.evaluation import FileFacts
from data.reading.dispatch import read_table
from tests.csv_files import write_csv

FRAME = pd.DataFrame({"y_true": ["a", "b", "a"], "y_pred": ["a", "a", "b"], "p": [0.25, 0.5, 0.125]})
COLUMNS = {"y_true": ["a", "b", "a"], "y_pred": ["a", "a", "b"], "p": [0.25, 0.5, 0.125]}


def read(folder: Path, content: Any, name: str = "preds.json") -> tuple[dict[str, list[Any]], FileFacts]:
    path = folder / "upload"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    table, facts = read_table(path, name)
    return table.to_pydict(), facts


@pytest.mark.parametrize("orient", ["columns", "index", "records", "split", "table"])
@pytest.mark.parametrize("indent", [0, 2])
def test_every_pandas_layout_gives_the_same_table(tmp_path: Path, orient: Any, indent: int) -> None:
    text = FRAME.to_json(orient=orient, indent=indent)
    assert read(tmp_path, text)[0] == COLUMNS
    assert pd.read_json(io.StringIO(text), orient=orient).to_dict("list") == COLUMNS


@pytest.mark.parametrize("orient", ["columns", "index"])
@pytest.mark.parametrize("index", [["20", "10", "30"], ["mail 1", "mail 2", "label"]], ids=["numbers", "names"])
def test_index_beyond_a_count_is_kept(tmp_path: Path, orient: Any, index: list[str]) -> None:
    text = FRAME.set_index(pd.Index(index)).to_json(orient=orient)
    assert read(tmp_path, text)[0] == {"index": index} | COLUMNS


@pytest.mark.parametrize("labels", [["cat", "dog"] * 5, [0, 1, 2] * 4])
def test_labels_by_id_become_rows(tmp_path: Path, labels: list[Any]) -> None:
    ids = [f"{number}.png" for number in range(len(labels))]
    columns, _ = read(tmp_path, dict(zip(ids, labels, strict=True)))
    assert columns == {"id": ids, "label": [str(label) for label in labels]}


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({f"q{number}": "yes" for number in range(9)}, id="few"),
        pytest.param({f"q{number}": f"text {number}" for number in range(20)}, id="values that do not recur"),
        pytest.param({"y_true": "no"} | {f"q{number}": "yes" for number in range(20)}, id="name of a column"),
        pytest.param({"epochs": 3, "name": "x"} | {f"q{number}": "yes" for number in range(20)}, id="other kinds"),
    ],
)
def test_one_record_stays_one_row(tmp_path: Path, record: dict[str, Any]) -> None:
    assert {name: [str(value)] for name, value in record.items()} == read(tmp_path, record)[0]


def test_lists_of_one_length_become_columns(tmp_path: Path) -> None:
    columns, facts = read(tmp_path, COLUMNS | {"model": "m", "classes": ["a", "b"]})
    assert columns == COLUMNS
    assert any("'model', 'classes'" in text for text in facts.warnings)


def test_cells_of_a_column_may_be_lists(tmp_path: Path) -> None:
    columns, _ = read(tmp_path, {"y_true": [["a"], ["a", "b"]], "y_pred": [[], ["b"]]})
    assert columns == {"y_true": ['["a"]', '["a","b"]'], "y_pred": ["[]", '["b"]']}


@pytest.mark.parametrize("path", [("data",), ("results",), ("run", "rows")])
def test_rows_under_one_key_are_read(tmp_path: Path, path: tuple[str, ...]) -> None:
    document: Any = FRAME.to_dict("records")
    for key in reversed(path):
        document = {key: document, "tag": "x"}
    columns, facts = read(tmp_path, document)
    assert columns == COLUMNS
    assert any(f"under '{'.'.join(path)}'" in text and "tag" in text for text in facts.warnings)


def test_tool_is_recognised_under_a_key(tmp_path: Path) -> None:
    pairs = [[{"label": "a", "score": 0.75}, {"label": "b", "score": 0.25}]] * 2
    columns, facts = read(tmp_path, {"predictions": [{"label": "a", "score": 0.75}, {"label": "b", "score": 0.5}]})
    assert columns == {"prediction": ["a", "b"], "score": [0.75, 0.5]} and facts.source == "Hugging Face pipeline"
    assert read(tmp_path, pairs)[0]["prediction"] == ["a", "a"]


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        ({"train": [{"a": 1}, {"a": 2}], "test": [{"a": 1}, {"a": 2}]}, "'train', 'test'"),
        ({"y_true": ["a", "b"], "y_pred": ["a"]}, "'y_true': 2 cells, 'y_pred': 1 cell"),
        ({"a": {"0": "x"}, "b": {"1": "y"}}, "no cell for row '0'"),
        ({"a": {"k": "x"}, "b": {"k": "y"}}, "object of columns"),
        ({"data": [{"a": 1}]}, "rows under 'data'"),
        ('{"a": [1, 2], "a": [3, 4]}', "key 'a' occurs twice"),
        ('{"run": {"a": 1, "a": 2}, "b": 1}', "key 'a' occurs twice"),
        ('{"data": [{"a": 1}, {"a": 2, "a": 3}]}', "key 'a' occurs twice"),
        ('{"y_true": ["a", "b"], "y_pred": ["a", "b"]', "cut off"),
        ('{"y_true": ["a", "b"], "y_pred": ["a", "b"]} x', "more text follows"),
        ('{"y_true": ["a", "b"], "y_pred": ["a", "b",]}', "not valid JSON"),
        ('{"y_true": ["a", "b" "c"], "y_pred": ["a"]}', "not valid JSON"),
        ('{"y_true" ["a"]}', "not valid JSON"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"a": ' * 100_000 + "1" + "}" * 100_000, "nested too deeply"),
        ('{"a": [1, 2], "b": [3, Infinity]}', "Infinity is not valid JSON"),
    ],
)  # fmt: skip
def test_object_without_a_table_is_one_sentence(tmp_path: Path, document: Any, wanted: str) -> None:
    with pytest.raises(DataError, match=wanted.replace("(", r"\(")) as refusal:
        read(tmp_path, document)
    assert "\n" not in str(refusal.value) and len(str(refusal.value)) < 400


def test_one_plain_object_is_still_one_row(tmp_path: Path) -> None:
    assert read(tmp_path, {"y_true": "a", "y_pred": "b"})[0] == {"y_true": ["a"], "y_pred": ["b"]}
    assert read(tmp_path, {"y_true": ["a"], "y_pred": ["b", "c"]}, "p.jsonl")[0]["y_pred"] == ['["b","c"]']


def test_nan_is_empty_and_named(tmp_path: Path) -> None:
    for name, text in (
        ("p.jsonl", '{"y": "a", "p": NaN}\n{"y": NaN, "p": 0.5}'),
        ("p.json", '{"y": ["a", NaN], "p": [NaN, 0.5]}'),
    ):
        columns, facts = read(tmp_path, text, name)
        assert columns == {"y": ["a", None], "p": [None, 0.5]}
        assert [text.split(" holds")[0] for text in facts.warnings] == ["The key 'y'", "The key 'p'"], facts.warnings
        assert "first: row 2" in facts.warnings[0] and "first: row 1" in facts.warnings[1]


EMPTY_ROWS = [
    ({"id": ["1", None, "3", None], "y_true": ["a", None, "b", None], "p": [0.25, None, 0.5, None]}, 2),
    ({"y_true": [None, "a", None, "b"], "y_pred": [None, "a", None, None]}, 2),
    ({"y_true": ["a|b", None, "b"], "y_pred": ["a", None, "a|b"]}, 3),  # of sets, an empty row is a row
    ({"y_true": ["a", None, "b"], "y_pred": [None, "a", None]}, 3),
]


@pytest.mark.parametrize(("columns", "n_kept"), EMPTY_ROWS)
@pytest.mark.parametrize("one_per_line", [False, True])
def test_empty_rows_count_as_in_csv(tmp_path: Path, columns: Any, n_kept: int, one_per_line: bool) -> None:
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    text = "\n".join(map(json.dumps, rows)) if one_per_line else json.dumps(rows)
    table, facts = read(tmp_path, text, "preds.jsonl" if one_per_line else "preds.json")
    as_csv, of_csv = read_table(write_csv(tmp_path / "p.csv", columns), "p.csv")
    assert table == as_csv.to_pydict() and facts.n_rows == n_kept
    assert facts.warnings == of_csv.warnings
    assert [note for note in of_csv.notes if "left out" in note] == list(facts.notes)


def test_objects_without_keys_are_empty_rows(tmp_path: Path) -> None:
    columns, facts = read(tmp_path, [{"y": "a", "p": "a"}, {}, {"y": None}, {"y": "b", "p": "a"}])
    assert columns == {"y": ["a", "b"], "p": ["a", "a"]}
    assert facts.warnings == ("2 blank rows inside the file skipped: rows 2, 3.",)
