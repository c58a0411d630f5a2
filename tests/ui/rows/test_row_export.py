"""Rows as files: every row of the list, and marks and notes beside the rows they are on."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from data.building.build import build
from data.evaluation import Settings
from data.rows import made_files
from data.rows.exports import safe_csv
from data.rows.row_table import build_rows_frame
from tests.ceiling import CEILING_SECONDS
from ui.rows import row_export
from ui.rows.row_export import frame_of

TABLE = pa.table({"y": list("abab"), "y_pred": list("aabb"), "text": ["=1+1", "two", "three", None]})
E = build(TABLE, Settings(truth="y", pred="y_pred"), name="demo", content_sha256="0")


def test_notes_stand_beside_their_rows():
    frame = frame_of(E, np.array([3, 0, 1]), {1: "odd", 2: "", 3: "not listed"})
    assert frame["row"].tolist() == [4, 1, 2]
    assert frame["marked"].tolist() == [False, True, True]
    assert [note if isinstance(note, str) else None for note in frame["note"]] == [None, "odd", ""]


def test_without_marks_there_are_no_columns_for_them():
    pd.testing.assert_frame_equal(frame_of(E, np.arange(4), {}), build_rows_frame(E, np.arange(4)))


def test_mark_on_a_missing_row_is_left_out():
    assert frame_of(E, np.arange(4), {99: "gone", 2: "here"})["marked"].tolist() == [False, True, False, False]


@pytest.mark.parametrize("note", ["=cmd()", "@here", "plain"])
def test_note_is_safe_in_csv_exact_in_parquet(note):
    frame = frame_of(E, np.array([1]), {2: note})
    read = pd.read_csv(io.BytesIO(safe_csv(frame)), keep_default_na=False)
    assert read["note"][0] == (note if note == "plain" else "'" + note)
    assert pq.read_table(io.BytesIO(row_export._write("parquet", E, np.array([1]), {2: note})))["note"].to_pylist() == [
        note
    ]


def large() -> None:
    import numpy as np

    from tests.data.rows.test_row_files import repeated
    from ui.rows import row_export
    from ui.view.address import begin_page

    begin_page("rows")

    evaluation = repeated(100_000)
    row_export.download(evaluation, np.arange(evaluation.n_lines), key="x")


def small() -> None:
    import numpy as np

    from tests.ui.rows.test_row_export import E
    from ui.rows import row_export
    from ui.view.address import begin_page

    begin_page("rows")

    row_export.download(E, np.arange(4), key="x")


def test_few_rows_take_one_click():
    app = AppTest.from_function(small).run()
    assert [button.proto.label for button in app.get("download_button")] == ["CSV", "Parquet"]


def test_many_rows_are_handed_out_from_disk(own_store):
    app = AppTest.from_function(large, default_timeout=CEILING_SECONDS).run()
    assert not app.get("download_button") and not app.get("link_button")
    app.button(key="x.these.parquet.make").click().run()
    (link,) = app.get("link_button")
    assert link.proto.label.startswith("Download Parquet · ") and "/download/" in link.proto.url
    made = made_files.find(link.proto.url.rpartition("/")[2])
    assert pq.read_table(made.path).num_rows == 100_000
    made_files.drop_all()


def test_too_many_rows_say_so_in_place(own_store, monkeypatch):
    monkeypatch.setenv("BLINDSPOT_EXPORT_MB", "16")
    app = AppTest.from_function(large, default_timeout=CEILING_SECONDS).run()
    app.button(key="x.these.csv.make").click().run()
    assert not app.get("link_button") and not app.exception
    assert any(text.value.startswith("100,000 rows as CSV would be a file of some 96.") for text in app.text)
