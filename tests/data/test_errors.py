"""Errors keep their kind and what they carry when they get another sentence."""

import pytest

from data.bad_rows import BadRows, BadRowsFound
from data.errors import (
    ChoiceNeeded,
    CommaUnclear,
    DataError,
    FinalError,
    Guess,
    NotNow,
    NotUsableYet,
    RolesNeeded,
    ScoresUnusable,
    name_file_in_error,
)

ERRORS = [
    DataError("a"),
    FinalError("a"),
    NotUsableYet("a"),
    NotNow("a"),
    ScoresUnusable("a"),
    CommaUnclear("a", "1,234"),
    ChoiceNeeded("a", "epoch", ("1", "2")),
    RolesNeeded("a", Guess(truth="y")),
    BadRowsFound("a", BadRows(3, (("more values", 1),), ())),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_reworded_error_keeps_kind_and_what_it_carries(error: DataError) -> None:
    reworded = name_file_in_error("p.csv", error)
    assert str(reworded) == "p.csv: a" and str(error) == "a"
    assert type(reworded) is type(error)
    assert vars(reworded) == vars(error) and reworded.details() == error.details()
