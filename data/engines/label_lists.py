"""Kinds of columns; lists of labels, alike ones found without a loop over rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types as kinds


def is_number(kind: pa.DataType) -> bool:
    """Return whether a column's values are numbers, of which scores may be made."""
    return bool(kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_decimal(kind))


def is_label_list(kind: pa.DataType) -> bool:
    """Return whether a column holds lists of texts or whole numbers, which may be sets of labels."""
    if not (kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind)):
        return False
    item = kind.value_type.value_type if kinds.is_dictionary(kind.value_type) else kind.value_type
    return bool(kinds.is_string(item) or kinds.is_large_string(item) or kinds.is_integer(item))


def unique_lists(array: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Return the code of every list, and the list that each code stands for; null has no code.

    >>> codes, lists = unique_lists(pa.array([["a"], None, ["a", "b"], [], ["a"]]))
    >>> codes.to_pylist(), lists.to_pylist()
    ([0, None, 1, 2, 0], [['a'], ['a', 'b'], []])
    """
    codes = write_lists(array, array.flatten().unique()).dictionary_encode()
    seen, first = np.unique(codes.indices.fill_null(-1).to_numpy(zero_copy_only=False), return_index=True)
    return codes.indices, array.take(pa.array(first[seen >= 0]))


def write_lists(array: pa.Array, items: pa.Array) -> pa.Array:
    """Return lists as texts that are alike where the lists are: the places of their members among items."""
    places = pc.fill_null(pc.index_in(array.flatten(), value_set=items, skip_nulls=False), -1).cast(pa.string())
    lengths = pc.fill_null(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False)
    offsets = pa.array(np.append(0, np.cumsum(lengths)).astype(np.int64))
    texts = pc.binary_join(pa.LargeListArray.from_arrays(offsets, places), ",")
    return pc.if_else(pc.is_valid(array), texts, pa.scalar(None, texts.type))
