"""JSON records against a slow reading of the same objects, and the same rows in both layouts."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from data.errors import DataError
from data.process.limits import Limits, ignore_progress
from data.reading.json.records import read_json

LIMITS = Limits()
LIST = st.lists(st.integers() | st.text(max_size=2), max_size=3)
LEAF = st.none() | st.booleans() | st.integers() | st.text(max_size=4) | LIST
VALUE = st.dictionaries(st.sampled_from("xyz"), LEAF, max_size=2)
KEYS = ["a", "b", "c d", "é"]


def read(content: str, *, one_per_line: bool = True) -> dict[str, list[Any]]:
    table, *_ = read_json(content.encode(), LIMITS, ignore_progress, one_per_line=one_per_line)
    return table.to_pydict()


def oracle(records: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """One row at a time, one cell at a time."""
    flat = [dict(_flattened(record)) for record in records]
    names = dict.fromkeys(name for record in flat for name in record)
    return {name: [_text(record.get(name)) for record in flat] for name in names}


def _flattened(record: dict[str, Any]) -> list[tuple[str, Any]]:
    pairs = []
    for key, value in record.items():
        inner = value.items() if isinstance(value, dict) else []
        pairs += [(f"{key}.{name}", cell) for name, cell in inner] or [(key, value)] * (not isinstance(value, dict))
    return pairs


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


RECORD = st.fixed_dictionaries({"n": st.integers()}, optional={**dict.fromkeys(KEYS, LEAF), "m": VALUE})


@given(st.lists(RECORD, min_size=1, max_size=6))
def test_lines_and_arrays_equal_a_slow_reading(records: list[dict[str, Any]]) -> None:
    expected = oracle(records)
    lines = "".join(json.dumps(record, ensure_ascii=len(record) % 2 == 0) + "\n" for record in records)
    assert read(lines) == expected
    assert read(json.dumps(records, indent=1), one_per_line=False) == expected


def test_batches_join_without_a_seam() -> None:
    records: list[dict[str, Any]] = [{"i": i} for i in range(50_001)]
    for i in range(3):
        records[i]["early"] = "x"
    for i in range(45_001, 50_001):
        records[i]["late"] = i / 8
    columns = read("".join(json.dumps(record) + "\n" for record in records))
    assert columns["i"] == [str(i) for i in range(50_001)]
    assert columns["late"] == [i / 8 if i > 45_000 else None for i in range(50_001)]
    assert columns["early"] == ["x"] * 3 + [None] * 49_998


@given(st.integers(0, 60), st.binary(min_size=1, max_size=3), st.booleans())
def test_damage_is_a_sentence_or_still_a_table(at: int, noise: bytes, array: bool) -> None:
    records = [{"y": "a", "p": 0.5}, {"y": "b", "p": 0.25, "m": {"k": [1]}}]
    text = json.dumps(records) if array else "".join(json.dumps(record) + "\n" for record in records)
    damaged = text.encode()[:at] + noise + text.encode()[at + 1 :]
    try:
        table, *_ = read_json(damaged, LIMITS, ignore_progress, one_per_line=not array)
    except DataError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert table.num_rows >= 1


def test_cut_off_file_is_refused_at_any_place() -> None:
    text = json.dumps([{"y": "a"}, {"y": {"k": "b"}["k"]}])
    for end in range(1, len(text)):
        with pytest.raises(DataError):
            read(text[:end], one_per_line=False)


def test_progress_goes_up_to_the_end() -> None:
    shares: list[float] = []
    read_json(b'{"y":1}\n' * 60_000, LIMITS, lambda _, share: shares.append(share), one_per_line=True)
    assert len(shares) == 3 and shares == sorted(shares) and shares[-1] == 1.0
