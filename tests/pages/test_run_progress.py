"""Overview says how far a run in progress is, and goes on to its newest predictions."""

import dataclasses
import json
import time

import pyarrow as pa
import pyarrow.parquet as pq

from data.runs import load
from data.runs.draft import Draft, pack_draft
from data.store.run_progress import RunProgress, read_progress, write_progress
from tests.opened_pages import open_page, texts

UPLOAD = "0123456789abcdef" * 2


def answered(path, n: int) -> Draft:
    """Return the draft of a run that has answered n rows."""
    table = pa.table({"truth": ["a", "b"] * n, "answer": ["a", "a"] * n}).slice(0, n)
    about = {"identity": {"model": "m"}, "labels": ["a", "b"], "data": {"rows": 9}, "sample": {"rows": 9, "how": "all"}}
    pq.write_table(table.replace_schema_metadata({"blindspot_run": json.dumps(about)}), path)
    return dataclasses.replace(load.read_draft([(path, "p.parquet")], load.Given()), upload=UPLOAD)


def progress(app) -> list[str]:
    return [one.proto.text for one in app.get("progress")]


def test_page_goes_on_to_the_newest_answers(tmp_path):
    first, second = (answered(tmp_path / "p.parquet", n) for n in (4, 6))
    write_progress(UPLOAD, RunProgress(pack_draft(first.to_json()), 4, 9, False, time.time()))
    run = load.keep(first)
    app = open_page("overview", run=run)
    assert progress(app) == ["4 of 9 rows are answered (44 %). The run goes on, and this page refreshes itself."]
    write_progress(UPLOAD, RunProgress(pack_draft(second.to_json()), 6, 9, False, time.time() - 600))
    app.run()
    assert not app.exception and "6 rows" in texts(app) and app.query_params["run"] != [run]
    assert "The run has been silent for 3 minutes: run the same command again" in progress(app)[0]
    again = open_page("overview", run=run)  # the older address, opened anew
    assert "6 rows" in texts(again) and again.query_params["run"] != [run]
    write_progress(UPLOAD, RunProgress(pack_draft(second.to_json()), 6, 9, True, time.time()))
    assert progress(app.run()) == []


def test_damaged_progress_is_none(tmp_path):
    assert read_progress("../" + UPLOAD) is None and read_progress("f" * 32) is None
