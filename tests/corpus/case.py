"""A broken or odd file and what is promised for it: numbers, numbers with something said, or one sentence."""

from collections.abc import Callable
from dataclasses import dataclass

from data.process.limits import Limits

SMALL = Limits(n_bytes=8 << 20, expanded_bytes=24 << 20, rows=150_000, columns=300, cell_chars=20_000)
"""Limits of one file here: bombs go off early, and the tests stay quick."""

ENDINGS = ("csv", "tsv", "txt", "jsonl", "json", "parquet", "xlsx", "npy", "npz")


@dataclass(frozen=True)
class Case:
    """One file.

    kind : the damage. name : what tells it apart. upload : the name that it comes under.
    content : its bytes, or what makes them where they are many.
    n, accuracy : rows, and the share that is right of those scored; None = the file is refused.
    says : what the warnings and notes, or the refusal, hold; a tuple means any of these.
    options : what a person says on the command line.
    """

    kind: str
    name: str
    upload: str
    content: bytes | Callable[[], bytes]
    n: int | None
    accuracy: float | None
    says: tuple[str | tuple[str, ...], ...]
    options: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"

    def made(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content()


class Corpus:
    """Cases under construction; a name without an ending is a CSV's.

    >>> corpus = Corpus()
    >>> corpus.kind = "header"
    >>> corpus.refused("nothing below", b"a,b\\n", "no rows")
    >>> str(corpus.cases[0]), corpus.cases[0].upload
    ('header: nothing below', 'nothing_below.csv')
    """

    def __init__(self) -> None:
        self.kind = ""
        self.cases: list[Case] = []

    def scored(
        self,
        name: str,
        content: bytes | Callable[[], bytes],
        n: int,
        accuracy: float,
        *says: str | tuple[str, ...],
        upload: str = "",
        options: tuple[str, ...] = (),
    ) -> None:
        """The file is read, `n` rows with this accuracy, and all of `says` is said."""
        self._add(name, content, n, accuracy, says, upload, options)

    def refused(
        self,
        name: str,
        content: bytes | Callable[[], bytes],
        *says: str | tuple[str, ...],
        upload: str = "",
        options: tuple[str, ...] = (),
    ) -> None:
        """One sentence that holds the file's name and all of `says`."""
        self._add(name, content, None, None, says, upload, options)

    def _add(self, name, content, n, accuracy, says, upload, options) -> None:
        ending = name.rpartition(".")[2].lower() if "." in name else ""
        file = name.replace(" ", "_") if ending in (*ENDINGS, "gz", "zst") else name.replace(" ", "_") + ".csv"
        self.cases.append(Case(self.kind, name, upload or file, content, n, accuracy, says, options))
