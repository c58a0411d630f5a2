"""Patterns that a person writes: what is accepted of RE2 syntax before any answer is searched."""

from __future__ import annotations

import re

from data.errors import DataError
from text.quoting import quote

MAX_PATTERN = 300
_REPEATED = 1_000
_COUNT = re.compile(r"\{(\d+)(?:,(\d*))?\}")


def check_pattern(pattern: str, where: str) -> None:
    """DataError if a pattern is too long, repeats too often, matches nothing at all, or is not RE2.

    >>> check_pattern("label: (a|b)", "Rule 1 (regex)")
    """
    import pyarrow as pa  # not above: whoever reads a file without a parser does not wait for it
    import pyarrow.compute as pc

    if len(pattern) > MAX_PATTERN:
        raise DataError(f"{where}: the pattern has {len(pattern):,} characters; at most {MAX_PATTERN} are allowed.")
    times = 1
    for low, high in _COUNT.findall(pattern):
        times *= max(1, int(low[:9]), int(high[:9] or 0))
    if times > _REPEATED or times * len(pattern) > 20 * _REPEATED:
        raise DataError(f"{where}: the pattern repeats something {times:,} times; write * or + instead of a number.")
    try:
        pc.match_substring_regex(pa.array([""]), pattern)  # by itself first: an error names what the person wrote
        pc.match_substring_regex(pa.array([""]), f"({pattern})")
        empty = pc.match_substring_regex(pa.array([""]), f"^(?:{pattern})$")
    except (pa.ArrowInvalid, UnicodeEncodeError) as error:
        reason = str(error).partition(": ")[2].partition(";")[0].strip()
        raise DataError(
            f"{where}: the pattern {quote(pattern)} is not valid ({quote(reason, 60)}); RE2 syntax was wanted, "
            "which has no look-ahead and no back-references."
        ) from None
    if empty[0].as_py():
        raise DataError(f"{where}: the pattern {quote(pattern)} matches an empty text, so it finds nothing.")
