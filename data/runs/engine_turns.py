"""Open an engine when it is a query's turn, report its progress, and stop it once nobody waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from data.engines.engine import Engine, open_engine
from data.engines.row_source import RowSource
from data.errors import DataError
from data.limits import SOURCE_QUERIES_AT_ONCE
from data.runs.sources import Source

Report = Callable[[float], object]
"""Called with the share that is done; raises where nobody waits for the query any more."""
_TURNS = threading.BoundedSemaphore(SOURCE_QUERIES_AT_ONCE)
_PAUSE = 0.2  # seconds between two looks at a query's progress


@contextmanager
def open_in_turn(
    source: Source, folder: RowSource, report: Report, *, others: Sequence[RowSource] = ()
) -> Iterator[Engine]:
    """Open an engine when it is this query's turn; it reports its progress, and stops once nobody waits.

    others : sources that are joined with it.
    """
    while not _TURNS.acquire(timeout=_PAUSE):
        report(0.0)
    try:
        with (
            closing(open_engine(
                source.engine, folder, memory_bytes=source.memory_bytes, threads=source.threads, others=others
            )) as engine,
            stop_unwanted(engine.cancel, report, engine.progress),
        ):  # fmt: skip
            yield engine
    finally:
        _TURNS.release()


@contextmanager
def stop_unwanted(cancel: Callable[[], None], report: Report, progress: Callable[[], float] = float) -> Iterator[None]:
    """Report the progress of a query while it runs; cancel it once nobody waits for it.

    progress : gives the share that is done; by default nothing is known of it.
    """
    done, stopped = threading.Event(), list[BaseException]()

    def watch() -> None:
        while not done.wait(_PAUSE):
            try:
                report(max(0.0, progress()))
            except BaseException as error:  # nobody waits any more: the query ends, and its thread says why
                stopped.append(error)
                while not done.is_set():
                    cancel()
                    time.sleep(_PAUSE)
                return

    watcher = threading.Thread(target=watch, daemon=True, name="source-progress")
    watcher.start()
    try:
        yield
    except DataError:
        if stopped:
            raise stopped[0] from None
        raise
    finally:
        done.set()
        watcher.join()
