"""Write the values of a key in another form: names of files without folder and ending, texts in another spelling."""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

_FOLDER = r"^.*[/\\]"
_ENDING = r"^(.+?)(?:\.(?:nii|tar))?\.[A-Za-z][A-Za-z0-9]{0,4}$"


class Spelling(NamedTuple):
    """A difference in spelling. name : what is ignored. patterns : are replaced. small : letters are made small."""

    name: str
    patterns: tuple[tuple[str, str], ...] = ()
    small: bool = False


_SINGLE = (
    Spelling("case", small=True),
    Spelling("spaces", ((r"\s+", ""),)),
    Spelling("a .0 at the end", ((r"\.0+$", ""),)),
    Spelling("zeros in front", ((r"^0+([0-9])", r"\1"),)),
)
SPELLINGS = (
    *_SINGLE,
    Spelling(
        " or ".join(spelling.name for spelling in _SINGLE),
        sum((spelling.patterns for spelling in _SINGLE), ()),
        small=True,
    ),
)
"""Each difference by itself, then all of them together."""


def respell(values: pa.Array, spelling: Spelling) -> pa.Array:
    """Return texts without a difference in spelling.

    >>> respell(pa.array(["007", "7"]), SPELLINGS[3]).to_pylist()
    ['7', '7']
    """
    for pattern, text in spelling.patterns:
        values = pc.replace_substring_regex(values, pattern, text)
    return pc.utf8_lower(values) if spelling.small else values


def has_file_names(values: pa.Array) -> bool:
    """Return whether half of the values look like names of files."""
    matched = pc.match_substring_regex(values, rf"[/\\]|{_ENDING}")
    return bool(2 * (pc.sum(matched).as_py() or 0) >= max(1, len(values) - values.null_count))


def stems(values: pa.Array, *, ending: bool = True) -> pa.Array:
    """Return file names without their folder, and without their ending if wanted.

    >>> stems(pa.array(["a/b/clip_01.wav", "clip_02", "scan.nii.gz"])).to_pylist()
    ['clip_01', 'clip_02', 'scan']
    """
    bare = pc.replace_substring_regex(values, _FOLDER, "")
    return pc.replace_substring_regex(bare, _ENDING, r"\1") if ending else bare
