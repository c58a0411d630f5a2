"""What is raised when a file, a setting or a parser cannot be used; it says so in one sentence."""


class DataError(ValueError):
    """One sentence for the person: file, row or column, what came, what was wanted, what to do."""


class NotUsableYet(DataError):
    """The file was read and kept, but nothing can be scored before a person says which column is what."""


class ChoiceNeeded(DataError):
    """The file holds several evaluations (filters, epochs, repetitions): a person says which one.

    column, values : the column that tells them apart, and what it holds, in file order.
    """

    def __init__(self, text: str, column: str, values: tuple[str, ...]) -> None:
        super().__init__(text)
        self.column, self.values = column, values


class NotNow(DataError):
    """Nothing is wrong with what came: the server cannot do it at the moment, and trying again later may help."""
