"""Small files that a person writes: their text as it is, or not at all."""

import pytest

from data.errors import DataError
from data.runs.written_options import read_small_file


def test_byte_order_mark_is_not_in_the_text():
    assert read_small_file("\ufeffcafé\n".encode(), "labels.txt") == "café\n"


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_another_encoding_is_refused_rather_than_replaced(encoding):
    with pytest.raises(DataError, match=r"'labels\.txt' is no text in UTF-8"):
        read_small_file("café".encode(encoding), "labels.txt")
