"""Records: what is written comes back, and any change is told from content."""

import hashlib
from typing import Any

import pytest
from hypothesis import given, strategies as st

from data.errors import DataError
from data.store import records

RECORD: dict[str, Any] = {"title": "préds\u202e 夜", "ends": 1_795_000_000, "views": [{"page": "confusion"}], "of": ""}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=9), inside, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=9).filter(lambda key: key != "format"), JSON, max_size=5))
def test_what_is_encoded_comes_back(record: dict[str, Any]) -> None:
    assert records.decode(records.encode(record)) == record


def test_text_that_is_no_unicode_comes_back() -> None:
    record = {"name": "file-\udcff.csv"}  # as Python reads a file name that is not UTF-8
    assert records.decode(records.encode(record)) == record


def test_every_change_of_every_byte_is_damage() -> None:
    whole = records.encode(RECORD)
    n = 0
    for at in range(len(whole)):
        for flipped in [1 << bit for bit in range(8)] + [0xFF]:
            changed = bytearray(whole)
            changed[at] ^= flipped
            with pytest.raises(records.Damaged):
                records.decode(bytes(changed))
            n += 1
    assert n == 9 * len(whole) > 1_700


def test_every_cut_addition_and_swap_is_damage() -> None:
    whole = records.encode(RECORD)
    wrong = [whole[:at] for at in range(len(whole))] + [whole + b" ", b" " + whole, whole * 2, whole[:-1] + b"\r\n"]
    wrong += [whole[:at] + whole[at + 1 : at + 2] + whole[at : at + 1] + whole[at + 2 :] for at in range(80, 120)]
    for content in wrong:
        if content != whole:
            with pytest.raises(records.Damaged):
                records.decode(content)


@given(st.binary(max_size=300))
def test_no_other_bytes_are_a_record(content: bytes) -> None:
    with pytest.raises(records.Damaged):
        records.decode(content)


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{}", b"1", b'{"format":"x"}', b'{"format":null}', b"[" * 60_000, b"\xff"]
)
def test_checksum_of_other_bytes_is_damage(text: bytes) -> None:
    with pytest.raises(records.Damaged):
        records.decode(records._seal(text))


def test_what_a_newer_version_wrote_says_so() -> None:
    newer = records._seal(b'{"format": 2, "shape": "unknown"}')
    with pytest.raises(records.Newer, match="newer version"):
        records.decode(newer)


def test_64_kilobytes_fit_and_more_does_not() -> None:
    spare = records.MAX_RECORD_BYTES - len(records.encode({"x": ""}))
    assert len(records.encode({"x": "a" * spare})) == records.MAX_RECORD_BYTES
    assert records.decode(records.encode({"x": "a" * spare})) == {"x": "a" * spare}
    with pytest.raises(DataError, match="64 kB"):
        records.encode({"x": "a" * (spare + 1)})
    too_long = records._seal(b'{"format": 1, "x": "%s"}' % (b"a" * records.MAX_RECORD_BYTES))
    with pytest.raises(records.Damaged):
        records.decode(too_long)


def test_checksum_covers_the_record_as_stored() -> None:
    content = records.encode({"x": 1})
    record = content.partition(b'"record":')[2].removesuffix(b"}\n")
    assert content.startswith(b'{"checksum":"' + hashlib.sha256(record).hexdigest().encode())
