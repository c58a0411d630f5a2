"""A file that is too large for the server's own process: written in a child, kept on the disk, gone afterwards."""

import os
import signal
import time

import numpy as np
import pyarrow.parquet as pq
import pytest

from data.errors import DataError
from data.rows import made_files
from data.rows.exports import safe_csv
from data.rows.limited_export import make_file
from data.rows.row_files import frame_of
from data.rows.row_table import build_rows_table
from data.sharing import share
from data.store import links, store
from tests.data.few_rows import MANY
from tests.data.rows.test_row_files import repeated

EVERY_ROW = np.arange(MANY.n_lines)


@pytest.fixture(autouse=True)
def nothing_left(own_store):
    """Whatever happens, no file stays: neither on its way nor, once dropped, of those that were made."""
    yield
    made_files.drop_all()
    assert list(store.place().scratch_root().iterdir()) == []


def made(kind="csv", writer=None, rows=EVERY_ROW, **options):
    return make_file(
        MANY, writer or f"data.rows.row_files:write_{kind}", f"rows.{kind}", run="", rows=rows, options=options
    )


def misbehave(evaluation, path, options, rows, say):
    """A writer that begins a file and then does what it is told to; only a test can name it."""
    path.write_bytes(b"half a file")
    how = options["how"]
    if how == "be killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "hoard":
        held = [bytearray(64 << 20)]
        while True:
            held.append(bytearray(64 << 20))
    elif how == "sleep":
        time.sleep(60)
    elif how == "fill the disk":
        with open("/dev/full", "wb") as full:
            full.write(b"x" * 100_000)
    raise KeyError("a mistake")


def test_csv_of_the_child_equals_the_servers():
    file = made(notes=[[2, "=look"]])
    assert file.path.read_bytes() == safe_csv(frame_of(MANY, EVERY_ROW, {2: "=look"}))
    assert file.n_bytes == file.path.stat().st_size and made_files.find(file.token) == file


def test_parquet_of_the_child_holds_the_same():
    wanted = build_rows_table(MANY, EVERY_ROW)
    assert pq.read_table(made("parquet", notes=[]).path).to_pydict() == wanted.to_pydict()


ENDS = {
    "be killed": "Writing rows.csv was stopped by the system, so there is no file; try again, or choose fewer rows.",
    "crash": "Writing rows.csv crashed, so there is no file; choose fewer rows, or another kind of file.",
    "hoard": "Writing rows.csv needs more memory than one download may use; choose fewer rows, or whoever runs the "
    "server can raise it with BLINDSPOT_READING_MB.",
    "sleep": "Writing rows.csv took longer than 5 seconds and was stopped; choose fewer rows, or whoever runs the "
    "server can raise it with BLINDSPOT_SECONDS.",
    "fill the disk": "The server's disk is full, so rows.csv could not be written; try again, or tell whoever runs "
    "the server.",
    "err": "rows.csv could not be written because of a mistake in Blindspot; it was noted in the server's log.",
}


@pytest.mark.parametrize("how", ENDS)
def test_every_failure_is_a_sentence_without_file(how, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_READING_MB", "1024")
    if how == "sleep":
        monkeypatch.setenv("BLINDSPOT_SECONDS", "5")
    with pytest.raises(DataError) as refused:
        made(writer=f"{__name__}:misbehave", how=how)
    assert str(refused.value) == ENDS[how]


def test_full_disk_before_the_child_is_refused(monkeypatch):
    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("data.rows.limited_export.write_evaluation", full)
    with pytest.raises(DataError, match=r"^The server's disk is full, so rows\.csv could not be written;"):
        made(notes=[])


def test_a_refusal_of_the_writer_is_the_sentence(monkeypatch):
    monkeypatch.setenv("BLINDSPOT_EXPORT_MB", "16")
    with pytest.raises(DataError, match=r"^20,000 rows as CSV would be a file of some 19.3 MB; the limit is 16 MB:"):
        make_file(repeated(20_000), "data.rows.row_files:write_csv", "rows.csv", run="", rows=np.arange(20_000),
                  options={"notes": []})  # fmt: skip


def test_the_oldest_of_many_files_goes(monkeypatch):
    monkeypatch.setattr(made_files, "MAX_MADE_FILES", 2)
    first, *others = (made(notes=[]) for _ in range(3))
    with pytest.raises(DataError, match="not kept any more"):
        made_files.find(first.token)
    assert [made_files.find(one.token) for one in others] == others and not first.path.exists()


def test_file_of_a_revoked_link_is_withheld():
    link = share.share("screening")
    file = make_file(
        MANY, "data.rows.row_files:write_csv", "rows.csv", run=link.token, rows=EVERY_ROW, options={"notes": []}
    )
    assert made_files.find(file.token) == file
    links.revoke(links.id_of(link.token), owner_key=link.owner_key)
    with pytest.raises(DataError):
        made_files.find(file.token)
