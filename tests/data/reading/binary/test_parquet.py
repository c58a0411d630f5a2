"""Parquet columns against Arrow's own to_pylist, over row groups, encodings and types."""

import datetime
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from data.errors import DataError
from data.process.limits import Limits, ignore_progress
from data.reading.binary.parquet import read_parquet

LIMITS = Limits()


def read(path: Path, table: pa.Table, **options: Any) -> pa.Table:
    pq.write_table(table, path, **options)
    return read_parquet(path, LIMITS, ignore_progress)[0]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=40),
    st.integers(1, 20),
    st.booleans(),
    st.sampled_from([pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]),
)
def test_text_survives_row_groups_and_encodings(
    tmp_path: Path, values: list[str | None], group: int, use_dictionary: bool, kind: pa.DataType
) -> None:
    column = pa.array(values, pa.string()).cast(kind) if not pa.types.is_dictionary(kind) else pa.array(values, kind)
    table = read(tmp_path / "x.parquet", pa.table({"y": column}), row_group_size=group, use_dictionary=use_dictionary)
    assert table.column("y").to_pylist() == values


def test_values_of_every_kind_become_text_or_scores(tmp_path: Path) -> None:
    day = datetime.date(2024, 5, 6)
    columns: dict[str, tuple[pa.Array, list[Any]]] = {
        "int64": (pa.array([9007199254740993, -1, None]), ["9007199254740993", "-1", None]),
        "bool": (pa.array([True, None, False]), ["true", None, "false"]),
        "float64": (pa.array([0.1, 1.0, float("nan")]), [0.1, 1.0, None]),
        "decimal": (pa.array([Decimal("0.25"), None, Decimal("1.50")]), [0.25, None, 1.5]),
        "tenths": (pa.array([Decimal("0.1"), None, Decimal("0.3")], pa.decimal128(10, 6)), [0.1, None, 0.3]),
        "money": (pa.array([Decimal("3"), None, Decimal("4")], pa.decimal128(5, 0)), ["3", None, "4"]),
        "day": (pa.array([day, None, day]), ["2024-05-06", None, "2024-05-06"]),
        "floats": (pa.array([[0.5, float("nan")], [], None]), ["[0.5,null]", "[]", None]),
    }
    written = pa.table({name: array for name, (array, _) in columns.items()})
    table = read(tmp_path / "x.parquet", written, row_group_size=2)
    assert table.to_pydict() == {name: expected for name, (_, expected) in columns.items()}


def test_huge_dictionary_label_is_not_multiplied(tmp_path: Path) -> None:
    label = "x" * 20_000
    codes = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), [label])
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"y": codes}), path, store_schema=False)
    before = pa.total_allocated_bytes()
    table, *_ = read_parquet(path, LIMITS, ignore_progress)
    assert table.column("y")[99_999].as_py() == label and table.nbytes < 1 << 20
    assert pa.total_allocated_bytes() - before < 10 << 20


def test_strange_column_is_left_out_alone(tmp_path: Path) -> None:
    bad = pa.array([b"ok"] * 5 + [b"\xff"])
    pq.write_table(pa.table({"y": list("abcabc"), "raw": bad}), tmp_path / "x.parquet", row_group_size=2)
    table, described = read_parquet(tmp_path / "x.parquet", LIMITS, ignore_progress)
    assert table.to_pydict() == {"y": list("abcabc")}
    assert described["warnings"] == (
        "Left out, because it holds neither text nor numbers: 'raw'. Write it as text to use it.",
    )


def test_deep_columns_are_not_read(tmp_path: Path) -> None:
    kind, value = pa.int32(), 1
    for _ in range(60):
        kind, value = pa.struct([("a", kind)]), {"a": value}  # type: ignore[assignment]
    pq.write_table(pa.table({"y": ["a"], "deep": pa.array([value], kind)}), tmp_path / "x.parquet")
    table, described = read_parquet(tmp_path / "x.parquet", LIMITS, ignore_progress)
    assert table.to_pydict() == {"y": ["a"]} and "deep" in described["warnings"][0]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 900), st.binary(min_size=1, max_size=8))
@example(701, b"\x00")  # a dictionary index without an entry
def test_damage_is_a_sentence_or_still_a_table(tmp_path: Path, at: int, noise: bytes) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"y": ["a", "b", "a"] * 9, "p": [0.5, None, 0.25] * 9}), path)
    content = bytearray(path.read_bytes())
    at %= len(content) - 16
    content[at : at + len(noise)] = noise
    path.write_bytes(content)
    try:
        table, *_ = read_parquet(path, Limits(rows=1000), ignore_progress)
    except (DataError, MemoryError):
        return
    assert table.num_rows <= 1000


def test_the_limits_hold_while_reading(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"y": [json.dumps({"i": i}) for i in range(5000)]}), path)
    for limits, says in ((Limits(rows=4999), "5,000 rows"), (Limits(expanded_bytes=1000), "unpacks to")):
        with pytest.raises(DataError, match=says):
            read_parquet(path, limits, ignore_progress)
