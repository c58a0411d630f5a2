"""Sessions of Spark: one Spark a process at a master's address, or Spark Connect; each source gets its own session."""

from __future__ import annotations

import logging
import os
import re
import socket
import threading
import warnings
from typing import Any, Protocol
from urllib.parse import urlsplit

from data import environment
from data.errors import DataError
from data.limits import MIN_SPARK_BYTES, SPARK_CONNECT_SECONDS

_STARTING = threading.Lock()
_SETTINGS = {
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.legacy.parquet.nanosAsLong": "true",  # else no column of such a file can be read
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",  # parts of hive folders are text
}


VIEWS = ("blindspot_source", "blindspot_rows")
"""Views that a session may hold: the rows of its source, and the same with their places."""


class Session(Protocol):
    """A session of Spark, and the control of its queries."""

    spark: Any

    def tag(self) -> None:
        """Mark the queries of this thread as those of the session."""

    def progress(self) -> float:
        """Return the share of tasks under way that are done; below 0 where it is not known."""

    def cancel(self) -> None:
        """Stop the queries of the session, from another thread."""

    def close(self) -> None:
        """Drop what the session holds."""


def open_session(memory_bytes: int, name: str) -> Session:
    """Open a session at the address of BLINDSPOT_SPARK; its settings make Spark read columns as the other engines do.

    memory_bytes : of a Spark that is started in this process. name : unique among all sessions.

    Raises
    ------
    DataError
        too little memory, no Java, or nobody answers at the address.
    """
    address = str(environment.value("BLINDSPOT_SPARK"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # about pandas, which is not used here
        with _STARTING:
            session: Session = (
                _ConnectSession(address, name) if address.startswith("sc://") else _start(address, memory_bytes, name)
            )
    for key, value in _SETTINGS.items():
        session.spark.conf.set(key, value)
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # it prints queries that fail
    return session


def _start(address: str, memory_bytes: int, name: str) -> _ClassicSession:
    """Return a session of the Spark of this process, which is started if it does not run."""
    if memory_bytes < MIN_SPARK_BYTES:
        raise DataError("Spark needs 512 MiB of memory or more: allow more.")
    os.environ.setdefault("PYSPARK_PIN_THREAD", "true")
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(address).appName("Blindspot")
    for key, value in _start_settings(address, memory_bytes).items():
        builder = builder.config(key, value)
    try:
        return _ClassicSession(builder.getOrCreate().newSession(), name)
    except (PySparkException, OSError, RuntimeError):
        raise DataError("Spark does not start: check BLINDSPOT_SPARK, and that Java 17 is installed.") from None


def _start_settings(address: str, memory_bytes: int) -> dict[str, str]:
    settings = {
        "spark.driver.memory": f"{memory_bytes >> 20}m",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
    }
    if address.startswith("local"):
        settings |= {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.ui.enabled": "false",
        }
    return settings


class _ClassicSession:
    """A session of the Spark of this process."""

    def __init__(self, spark: Any, name: str) -> None:
        self.spark, self._group = spark, name

    def tag(self) -> None:
        """Mark the queries of this thread, as `Session.tag`."""
        self.spark.sparkContext.setJobGroup(self._group, "Blindspot", interruptOnCancel=True)

    def progress(self) -> float:
        """Return the share of tasks that are done, as `Session.progress`."""
        tracker = self.spark.sparkContext.statusTracker()
        of_session = tracker.getJobIdsForGroup(self._group)  # also those that ended
        jobs = [tracker.getJobInfo(job) for job in {*of_session} & {*tracker.getActiveJobsIds()}]
        stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
        known = [stage for stage in stages if stage is not None]
        n_tasks = sum(stage.numTasks for stage in known)
        return sum(stage.numCompletedTasks for stage in known) / n_tasks if n_tasks else -1.0

    def cancel(self) -> None:
        """Stop the queries, as `Session.cancel`."""
        self.spark.sparkContext.cancelJobGroup(self._group)

    def close(self) -> None:
        """Drop the session's views; Spark runs on for the next source."""
        for view in VIEWS:  # listing them would make Spark create a folder for tables
            self.spark.catalog.dropTempView(view)


class _ConnectSession:
    """A session of a Spark Connect server."""

    def __init__(self, address: str, name: str) -> None:
        _check_answers(address)
        from pyspark.errors import PySparkException
        from pyspark.sql.connect.session import SparkSession

        self._tag, self._share = name, -1.0
        try:
            self.spark = SparkSession.builder.remote(address).create()
            self.spark.registerProgressHandler(self._note)
        except PySparkException:
            raise DataError("Spark Connect refuses a session: check BLINDSPOT_SPARK, and the server's log.") from None

    def _note(self, stages: Any = None, done: bool = False, **_: Any) -> None:
        n_tasks = sum(stage.num_tasks for stage in stages or ())
        self._share = sum(stage.num_completed_tasks for stage in stages or ()) / n_tasks if n_tasks else -1.0

    def tag(self) -> None:
        """Mark the queries of this thread, as `Session.tag`."""
        self._share = -1.0
        self.spark.addTag(self._tag)

    def progress(self) -> float:
        """Return the share of tasks that are done, as `Session.progress`."""
        return self._share

    def cancel(self) -> None:
        """Stop the queries, as `Session.cancel`."""
        self.spark.interruptTag(self._tag)

    def close(self) -> None:
        """End the session."""
        self.spark.stop()


def _check_answers(address: str) -> None:
    """Refuse an address where nobody answers: Spark's own client tries for many minutes."""
    url = urlsplit(re.sub(";.*", "", address))
    try:
        socket.create_connection((url.hostname or "", url.port or 15002), SPARK_CONNECT_SECONDS).close()
    except (OSError, ValueError):
        raise DataError("Spark Connect does not answer: check BLINDSPOT_SPARK, and that the server runs.") from None
