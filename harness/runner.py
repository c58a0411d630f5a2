"""Ask a model about rows: what is recorded already is not asked again, what finishes is recorded at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Any

from harness.answers import Answer
from harness.models import Asked, Model
from harness.records import KeyMaker, Records


@dataclass(eq=False)
class Run:
    """Prompts of n rows, asked of one model.

    render : the prompt of the row at a place, from 0. order : places in the order in which they are asked.
    row_hashes : a hash of all that a row's prompt is made of; empty = every prompt is made to know its key.
    keys : the key of every row. Rows with the same prompt share a key: it is asked once.
    """

    render: Callable[[int], str]
    n: int
    model: Model
    records: Records
    identity: dict[str, Any]
    order: Sequence[int] = ()
    row_hashes: Sequence[str] = ()
    keys: list[str] = field(init=False)

    def __post_init__(self) -> None:
        make, known = KeyMaker(self.identity), self.records.row_keys
        hashes = self.row_hashes or [""] * self.n
        self.keys = [known.get(row) or make(self.render(place)) for place, row in enumerate(hashes)]
        self._rows: dict[str, list[int]] = {}
        for place, key in enumerate(self.keys):
            self._rows.setdefault(key, []).append(place)

    @property
    def n_shared(self) -> int:
        """Return the rows whose prompt another row before them has, too."""
        return self.n - len(self._rows)

    def answer(self, place: int) -> Answer | None:
        """Return what is recorded for a row; None = it was not asked."""
        return self.records.answers.get(self.keys[place])

    @cached_property
    def to_ask(self) -> list[str]:
        """Return the keys that have no final answer as the run begins, in the order in which they are asked."""
        known = self.records.answers
        order = self.order or range(self.n)
        keys = dict.fromkeys(self.keys[place] for place in order)
        return [key for key in keys if key not in known or not known[key].is_final]

    @property
    def n_known(self) -> int:
        """Return the rows that have a final answer."""
        left = set(self.to_ask)
        return sum(key not in left for key in self.keys)

    def start(self, watch: Callable[[list[int], bool], bool]) -> None:
        """Ask what is not recorded yet.

        watch : told the places that have an answer, and whether it was recorded before; returns whether to go on.

        Raises
        ------
        DataError
            the model, its server or the disk cannot be used; what has finished is kept.
        """
        left = self.to_ask
        again = set(left)
        if not watch([p for p, key in enumerate(self.keys) if key in self.records.answers and key not in again], True):
            return
        if left:
            with _Background(lambda group: self._keep(group, watch)) as keeper:
                self.model.ask(self._prompts(left), keeper.keep)

    def _prompts(self, keys: list[str]) -> Iterator[Asked]:
        for key in keys:
            yield key, self.render(self._rows[key][0])

    def _keep(self, group: list[tuple[str, Answer]], watch: Callable[[list[int], bool], bool]) -> bool:
        rows = {key: self.row_hashes[self._rows[key][0]] for key, _ in group} if self.row_hashes else None
        self.records.append(group, rows)
        return watch([place for key, _ in group for place in self._rows[key]], False)


class _Background:
    """Keep finished answers in a thread, one group at a time, while the model works on the next ones."""

    def __init__(self, keep: Callable[[list[tuple[str, Answer]]], bool]) -> None:
        self._keep, self._pool = keep, ThreadPoolExecutor(1)
        self._last: Future[bool] | None = None

    def keep(self, group: list[tuple[str, Answer]]) -> bool:
        """Wait for the group before, and begin to keep this one; returns whether to go on."""
        goes_on = self._last is None or self._last.result()
        self._last = self._pool.submit(self._keep, group)
        return goes_on

    def __enter__(self) -> _Background:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._pool.shutdown()  # waits: what has finished is kept, also where the model failed
        if error is None and self._last is not None:
            self._last.result()
