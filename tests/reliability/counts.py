"""Say how much the tests of this folder do: a little in the whole suite, all of it in `make reliability`."""

import os

LONG = os.environ.get("RELIABILITY") == "long"


def many(quick: int, long: int) -> int:
    """A count for each of the two.

    >>> many(3, 3)
    3
    """
    return long if LONG else quick
