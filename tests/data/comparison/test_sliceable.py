"""Columns that can be cut into slices are cut; of the others it is known why not."""

import pyarrow as pa

from data.building.build import build
from data.comparison.sliceable import cut_columns
from data.evaluation import Settings


def test_columns_are_cut_or_the_reason_is_told():
    n = 600
    table = pa.table(
        {
            "y": ["a", "b"] * 300,
            "p": ["a"] * n,
            "country": ["DE", None, "FR"] * 200,
            "age": [float(i % 70) for i in range(n)],
            "day": [f"2026-{1 + i % 9:02}-{1 + i % 28:02}" for i in range(n)],
            "text": [f"words {i}" for i in range(n)],
            "same": ["x"] * n,
            "code": pa.array([f"c{i % 300}" for i in range(n)]).dictionary_encode(),
        }
    )
    found = cut_columns(build(table, Settings(truth="y", pred="p"), name="d", content_sha256="0"))
    assert {way.columns[0]: len(way.values) for way in found.ways} == {"country": 3, "age": 5, "day": 9}
    assert found.left_out == (
        ("text", "600 different texts"), ("same", "one value only"), ("code", "300 values"),
    )  # fmt: skip
