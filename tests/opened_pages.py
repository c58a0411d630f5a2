"""The app in Streamlit's page test: a page opened by its link, and the text that it shows."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.ceiling import CEILING_SECONDS
from ui.view.pages import PAGES

APP = Path(__file__).resolve().parents[1] / "app.py"


def new_tab() -> AppTest:
    """The app in a new tab, before its first run."""
    return AppTest.from_file(str(APP), default_timeout=CEILING_SECONDS)


def open_source(monkeypatch: pytest.MonkeyPatch, folder: Path) -> tuple[AppTest, str]:
    """A tab in which the first source of a folder was opened by its button, and the run in its address."""
    monkeypatch.setenv("BLINDSPOT_SOURCES", str(folder / "sources.toml"))
    st.cache_data.clear()
    tab = new_tab().run()
    tab.button(key="source.0").click().run()
    return tab, run_in_address(tab)


def run_in_address(tab: AppTest) -> str:
    """The run that the address names."""
    run = tab.query_params["run"]
    return run[0] if isinstance(run, list) else run


def open_page(page: str, **query: object) -> AppTest:
    """A page as its link opens it in a new tab."""
    app = new_tab()
    if page != "open":  # before the first run, a page is told by its file's name
        assert Path(PAGES[page].script).stem == page
        app.switch_page(PAGES[page].script)
    return run_app(app, **query)


def run_app(app: AppTest, **query: object) -> AppTest:
    """Run a page, or a part of one, with what its link says."""
    for name, value in query.items():
        app.query_params[name] = str(int(value) if isinstance(value, bool) else value)
    app.run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    """Everything that is written on the page, tiles, lenses and findings included."""
    parts = [*app.markdown, *app.caption, *app.title, *app.header, *app.metric, *app.text]
    return "\n".join([*(str(part.value) for part in parts), *_written(app)])


def lenses(app: AppTest) -> dict[str, str]:
    """The numbers of Overview's lenses, by name."""
    return {lens["name"]: lens["figure"] for block in _blocks(app) for lens in block["lenses"]}


def ways(app: AppTest) -> list[str]:
    """The addresses that Overview's lenses and findings lead to."""
    found = [link["href"] for block in _blocks(app) for finding in block["findings"] for link in finding["links"]]
    return [*found, *(lens["href"] for block in _blocks(app) for lens in block["lenses"])]


def _blocks(app: AppTest) -> list[dict[str, Any]]:
    """Return what the blocks of lenses and findings are sent."""
    found = (part.proto for part in app.get("bidi_component"))
    return [json.loads(part.json) for part in found if part.component_name == "blindspot_overview"]


def _written(app: AppTest) -> Iterator[str]:
    for block in _blocks(app):
        for lens in block["lenses"]:
            yield f"{lens['name']} {lens['figure']} {lens['unit']}: {_said(lens['line'])}"
        for finding in block["findings"]:
            yield f"{finding['severity']}: {_said(finding['head'])}. {_said(finding['more'])}"


def _said(words: list[list[str]]) -> str:
    return "".join(f"`{text}`" if kind == "label" else text for kind, text, *_ in words)


def shown_tables(app: AppTest) -> dict[str, list[list[dict[str, Any]]]]:
    """Return the cells of every table of results on a page, by its title."""
    parts = [part.proto for part in app.get("bidi_component")]
    sent = [json.loads(part.json) for part in parts if part.component_name == "blindspot_result_table"]
    return {data["label"]: [line["cells"] for line in data["rows"]] for data in sent}


def shown_frame(app: AppTest, title: str) -> pd.DataFrame:
    """Return a table of results on a page by the names in its first column: numbers as numbers, else what is written.

    The ends of a column's intervals stand in a column of their own, such as "Recall, 95 % interval".
    """
    parts = [part.proto for part in app.get("bidi_component")]
    sent = [json.loads(part.json) for part in parts if part.component_name == "blindspot_result_table"]
    (data,) = (data for data in sent if data["label"] == title)
    columns = {}
    for place, column in enumerate(data["columns"]):
        cells = [line["cells"][place] for line in data["rows"]]
        columns[column["title"]] = [cell.get("value", cell["text"]) for cell in cells]
        if column["ends"]:
            columns[f"{column['title']}, {column['ends']}"] = [cell.get("ends", "") for cell in cells]
    return pd.DataFrame(columns).set_index(data["columns"][0]["title"])
