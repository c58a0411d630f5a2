"""Test the child that is started before there is a job for it: one waits at most, and none that has ended is used."""

import threading
from typing import Any

import pytest

from data.process import child_process
from data.process.child_process import run_limited, start_ahead
from data.runs.limited_reading import READING

JOB = "tests.data.process.test_child_process:double"


def double(arguments: dict[str, Any], _limits: Any, _progress: Any) -> int:
    """Double a number: the job of these tests."""
    return 2 * arguments["number"]


def ask(number: int) -> int:
    return run_limited(JOB, {"number": number}, what="it", words=READING, places=threading.BoundedSemaphore(1))


@pytest.fixture
def started(monkeypatch):
    """The children that were started; those that still wait are ended."""
    children, start = [], child_process._start
    monkeypatch.setattr(child_process, "_start", lambda *job: children.append(start(*job)) or children[-1])
    monkeypatch.setattr(child_process, "_started_ahead", {})
    yield children
    for child in children:
        child_process._end(child)


def test_one_child_waits_at_most(started):
    start_ahead(JOB)
    start_ahead(JOB)
    assert len(started) == 1
    assert [ask(3), ask(4)] == [6, 8]
    assert len(started) == 2, "the first job went to the child that waited"


def test_child_that_ended_gets_no_job(started):
    start_ahead(JOB)
    started[0].kill()
    started[0].wait()
    assert ask(3) == 6 and len(started) == 2


def test_child_of_other_settings_gets_no_job(started, monkeypatch):
    start_ahead(JOB)
    monkeypatch.setenv("BLINDSPOT_CLASSES", "7")
    assert ask(3) == 6 and len(started) == 2 and started[0].returncode is not None


def test_child_that_waits_too_long_is_ended(started, monkeypatch):
    start_ahead(JOB)
    monkeypatch.setattr(child_process, "MAX_CHILD_WAIT_SECONDS", 0)
    start_ahead(JOB)
    assert len(started) == 2 and started[0].returncode is not None


_REHEARSED: list[bool] = []


def rehearse() -> None:
    """Leave a trace of the rehearsal in this process, for the job that follows."""
    _REHEARSED.append(True)


def was_rehearsed(_arguments: dict[str, Any], _limits: Any, _progress: Any) -> bool:
    """Return whether this process has rehearsed: a job of these tests."""
    return bool(_REHEARSED)


def test_waiting_child_has_rehearsed(started):
    job = "tests.data.process.test_child_process:was_rehearsed"
    start_ahead(job, "tests.data.process.test_child_process:rehearse")
    answers = [run_limited(job, {}, what="it", words=READING, places=threading.BoundedSemaphore(1)) for _ in range(2)]
    assert answers == [True, False] and len(started) == 2


def fail_to_rehearse() -> None:
    """Fail as a rehearsal does where no folder can be written."""
    raise OSError("no folder")


def test_failed_rehearsal_fails_no_job(started, caplog):
    start_ahead(JOB, "tests.data.process.test_child_process:fail_to_rehearse")
    assert ask(3) == 6 and len(started) == 1
    assert "OSError: no folder" in caplog.text
