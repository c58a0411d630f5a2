"""Overview shows a training's metrics over epochs and opens another epoch."""

import json

from data.runs import load
from tests.opened_pages import lenses, open_page, texts
from tests.training import write_training, zip_folder


def test_overview_shows_epochs_and_switches(tmp_path):
    path = zip_folder(write_training(tmp_path / "t"))
    app = open_page("overview", run=load.keep(load.read_draft([(path, "t.zip")], load.Given())))
    before = lenses(app)
    assert "is best at epoch 3 of 5: " in texts(app)
    assert "chosen on these same rows" in texts(app)
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert len(drawn) == 6 and [trace["marker"].get("symbol") for trace in drawn][1::2] == ["star"] * 3
    box = app.selectbox(key="epochs.box")
    assert box.options == ["1", "2", "3", "4", "5"] and box.value == "5"
    box.select("3").run()
    assert not app.exception and lenses(app) != before and app.selectbox(key="epochs.box").value == "3"


def test_other_files_have_no_epochs():
    assert not [box for box in open_page("overview", run="digits").selectbox if box.key == "epochs.box"]
