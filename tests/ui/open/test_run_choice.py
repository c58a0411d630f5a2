"""A file with several evaluations: one click chooses, and the correction form switches later."""

from pathlib import Path

import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from data.evaluation import FileFacts
from data.runs import understanding
from data.runs.load import Draft, Given, keep
from data.store import store
from tests.opened_pages import new_tab, texts

pytestmark = pytest.mark.usefixtures("own_store")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def opened(tmp_path):
    """The open page of a table that was just uploaded."""

    def open_table(columns: dict[str, list[str]]) -> AppTest:
        table = pa.table(columns)
        store.write_canonical(table, tmp_path / "t.parquet")
        facts = (FileFacts("t.csv", "CSV", len(table), tuple(table.column_names), 1, "0" * 64),)
        understood = understanding.understand([table], facts, Given())
        data_id = store.put_table(tmp_path / "t.parquet")
        app = new_tab()
        app.query_params["run"] = keep(Draft("t.csv", facts, (data_id,), Given(), *understood[:3]))
        return app.run()

    return open_table


def repeated(values: list[str]) -> dict[str, list[str]]:
    """One row a value for each of four ids; the first value's answers are right, the others' all wrong."""
    n = len(values)
    return {
        "id": [str(i) for i in range(4) for _ in values],
        "label": [label for label in "abab" for _ in values],
        "prediction": [label if v == 0 else "ba"["ab".index(label)] for label in "abab" for v in range(n)],
        "filter": values * 4,
    }


def said(app: AppTest) -> str:
    return texts(app).replace("\xa0", " ")


def test_buttons_ask_and_one_click_shows_the_numbers(opened):
    app = opened(repeated(["strict", "__loose__"]))
    assert not app.exception and "2 values of" in said(app)
    labels = [button.label for button in app.button]
    assert "`strict`" in labels and "`__loose__`" in labels and "Every row by itself" in labels
    app.button("question.0").click().run()
    assert not app.exception and "Accuracy 100.0 %" in said(app)
    app.button(key="reading.open").click().run()
    picker = next(box for box in app.selectbox if box.label == "Rows that are evaluated")
    assert len(picker.options) == 3
    picker.select_index(1)
    next(button for button in app.button if button.label == "Apply").click().run()
    assert not app.exception and "Accuracy 0.0 %" in said(app)


def test_every_row_by_itself_is_an_answer_too(opened):
    app = opened(repeated(["strict", "loose"]))
    app.button("question.all").click().run()
    assert not app.exception and "Accuracy 50.0 %" in said(app)


def test_many_values_come_in_a_list(opened):
    app = opened(repeated([f"epoch {i}" for i in range(8)]))
    assert len(next(box for box in app.selectbox if box.label == "One of").options) == 8
    app.button("question.take").click().run()
    assert not app.exception and "Accuracy 100.0 %" in said(app)
