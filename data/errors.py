"""Errors about a file, a setting or a parser that cannot be used, each in one sentence."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from text.quoting import quote


class DataError(ValueError):
    """An error about the data. Its sentence names file, row or column, what came, what was wanted, what to do."""

    def reworded(self, text: str) -> Self:
        """Return the same error, with what it carries, with another sentence."""
        error = type(self).__new__(type(self), text)
        error.__dict__.update(self.__dict__)
        return error

    def details(self) -> dict[str, Any]:
        """Return what another process needs besides the sentence to raise the same error, as JSON."""
        return {}


class FinalError(DataError):
    """A refusal that no other way of reading the file would change: it is too large, or holds no rows."""

    def details(self) -> dict[str, Any]:
        return {"final": True}


class NotUsableYet(DataError):
    """The file was read and kept, but nothing can be scored before a person says which column is what."""


class ChoiceNeeded(DataError):
    """The file holds several evaluations (filters, epochs, repetitions): a person says which one.

    column, values : the column that tells them apart, and what it holds, in file order.
    """

    def __init__(self, text: str, column: str, values: tuple[str, ...]) -> None:
        super().__init__(text)
        self.column, self.values = column, values


class Guess(NamedTuple):
    """The columns that fit the roles best where nothing says them; None = none does."""

    truth: str | None = None
    pred: str | None = None
    raw: str | None = None
    score: str | None = None


class RolesNeeded(DataError):
    """A question for the roles of the columns, which nothing says; a person chooses, beginning from the best guess."""

    def __init__(self, text: str, guess: Guess) -> None:
        super().__init__(text)
        self.guess = guess


class CommaUnclear(DataError):
    """A question whether the commas of a column are decimal or between thousands.

    number : one of its cells. guess : what the other columns may be.
    """

    def __init__(self, text: str, number: str) -> None:
        super().__init__(text)
        self.number, self.guess = number, Guess()


class ScoresUnusable(DataError):
    """Scores that cannot be used, in a file that can be evaluated without them."""


class NotNow(DataError):
    """A refusal because the server cannot do it at the moment; trying again later may help."""


def name_file_in_error(name: str, error: DataError) -> DataError:
    """Put the file's name in front of an error, unless it is there already."""
    text = str(error)
    if name in text:
        return error
    shown = quote(name).strip("'")
    return error.reworded(f"{shown}: {text}")
