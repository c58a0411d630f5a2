"""The files that a tab has open, and the list to switch between them."""

from streamlit.delta_generator import DeltaGenerator

from tests.opened_pages import open_page, texts
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


def test_switching_changes_page_and_menu_at_once(monkeypatch):
    about, marked = [], []
    monkeypatch.setattr(menu, "empty_pages", lambda evaluation: about.append(evaluation.name) or {})
    html = DeltaGenerator.html
    monkeypatch.setattr(
        DeltaGenerator, "html", lambda self, body, **more: marked.append(str(body)) or html(self, body, **more)
    )
    app = open_page("classes", run="digits")
    app.query_params["run"] = "screening"
    app.run()
    assert about[-1] == "Screening" and sum("another-file" in one for one in marked) == 1
    app.button(key="bar-files.digits").click().run()
    assert about[-1] == "Digits" and sum("another-file" in one for one in marked) == 2
    app.run()
    assert sum("another-file" in one for one in marked) == 2, "the same file again"
