"""The files that a tab has open, and the list to switch between them."""

import pytest
from streamlit.delta_generator import DeltaGenerator

from tests.opened_pages import open_page, run_in_address, texts
from tests.opened_runs import keep_text
from ui.frame import menu


def test_file_name_switches_between_open_files():
    app = open_page("classes", run="digits", list="low", **{"class": "8"})
    assert not [one for one in app.button if (one.key or "").startswith("bar-files.")], "one file: nothing to choose"
    app.query_params["run"] = "screening"
    app.run()
    app.query_params["run"] = "movie-genres"
    app.run()
    assert [one.label for one in app.button if (one.key or "").startswith("bar-files.")] == ["`Digits`", "`Screening`"]
    app.button(key="bar-files.digits").click().run()
    assert not app.exception and "899 rows" in texts(app)
    assert app.query_params["run"] == "digits" and "class" not in app.query_params, "nothing of the other file stays"
    assert app.button(key="bar-files.screening").label == "`Screening`"


@pytest.fixture
def marked(monkeypatch):
    """Return what is written as HTML, the marks of another file among it."""
    written = []
    html = DeltaGenerator.html
    monkeypatch.setattr(
        DeltaGenerator, "html", lambda self, body, **more: written.append(str(body)) or html(self, body, **more)
    )
    return written


def test_switching_changes_page_and_menu_at_once(monkeypatch, marked):
    about = []
    monkeypatch.setattr(menu, "empty_pages", lambda evaluation: about.append(evaluation.name) or {})
    app = open_page("classes", run="digits")
    app.query_params["run"] = "screening"
    app.run()
    assert about[-1] == "Screening" and sum("another-file" in one for one in marked) == 1
    app.button(key="bar-files.digits").click().run()
    assert about[-1] == "Digits" and sum("another-file" in one for one in marked) == 2
    app.run()
    assert sum("another-file" in one for one in marked) == 2, "the same file again"


def test_a_corrected_file_is_no_other_file(tmp_path, marked):
    run = keep_text(tmp_path / "p.csv", "label,prediction\na,a\na,b\nb,b\n")
    app = open_page("overview", run=run, reading="1")
    next(box for box in app.selectbox if box.label == "Positive class").select("a")
    next(button for button in app.button if button.label == "Apply").click().run()
    assert run_in_address(app) != run
    assert not [written for written in marked if "another-file" in written]
