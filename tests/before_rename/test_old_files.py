"""Files of the time when the package was `blindspot` open as before; the commit 810f2d50 wrote each of them."""

import json
import runpy
import shutil
from pathlib import Path

import pyarrow.parquet as pq

from data import environment
from data.reading.run_record import run_choices
from data.sharing import api_keys
from data.store import links
from harness.records import KeyMaker, Records
from tests.reading_here import read_table_here

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SECRET = "blindspot_WZNMFzXDXdznJGo5_l-3sGJPjg59WpG1"  # of key.json; it opened a store that is gone


def test_parquet_of_the_client_keeps_its_label_list(tmp_path):
    _, facts = read_table_here(HERE / "client.parquet", tmp_path)
    assert facts.run is not None and run_choices(facts.run)[0] == ("a;b", "c")
    assert "model 'arrays'" in facts.notes[0]


def test_client_writes_the_metadata_of_old_files(tmp_path):
    from blindspot_eval import save_predictions

    scores = [[2.5, -0.3], [0.2, 1.4], [-1.0, 0.5]]
    path = save_predictions(None, scores, [0, 1, 0], tmp_path / "p.parquet", labels=["a;b", "c"])
    old, new = (pq.read_table(path) for path in (HERE / "client.parquet", path))
    assert new.schema.metadata == old.schema.metadata and new.equals(old)


def test_prepared_file_is_computed_again():
    script = runpy.run_path(str(ROOT / "export" / "recompute" / "recompute.py"))
    prepared = script["read_prepared"](str(HERE / "prepared.parquet"))
    assert (prepared.labels, prepared.task, prepared.cut) == (["a", "b"], "binary", 0.5)
    assert (prepared.y_true.tolist(), prepared.y_pred.tolist()) == ([0, 1, 1], [0, 1, 0])


def test_run_goes_on_from_its_records(tmp_path):
    identity = {"model": "m", "prompt": "p", "settings": {"max_tokens": 16}}
    shutil.copy(HERE / "answers.jsonl", tmp_path / "r")
    with Records(tmp_path / "r", identity) as records:
        assert (records.answers[KeyMaker(identity)("Which?")].raw, records.n_torn) == ("spam", 0)


def test_api_key_still_opens(own_store, monkeypatch):
    place = own_store / "key" / f"{links.digest(SECRET)}.json"
    place.parent.mkdir(parents=True)
    shutil.copy(HERE / "key.json", place)
    made = json.loads(place.read_text())["record"]["made"]
    monkeypatch.setattr(links, "now", lambda: made + 1)
    assert api_keys.find(SECRET).name == "nightly"


def test_settings_keep_their_names():
    assert {name.partition("_")[0] for name in environment.VARIABLES} == {"BLINDSPOT", "PORT"}
