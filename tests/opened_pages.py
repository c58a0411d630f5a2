"""The app in Streamlit's page test: a page opened by its link, and the text that it shows."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.ceiling import CEILING_SECONDS
from ui.view.pages import PAGES

APP = Path(__file__).resolve().parents[1] / "app.py"


def open_page(page: str, **query: object) -> AppTest:
    """A page as its link opens it in a new tab."""
    app = AppTest.from_file(str(APP), default_timeout=CEILING_SECONDS)
    for name, value in query.items():
        app.query_params[name] = str(int(value) if isinstance(value, bool) else value)
    if page != "open":  # before the first run, a page is told by its file's name
        assert Path(PAGES[page].script).stem == page
        app.switch_page(PAGES[page].script)
    app.run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    """Everything that is written on the page, tiles included."""
    parts = [*app.markdown, *app.caption, *app.title, *app.subheader, *app.metric, *app.text]
    return "\n".join(str(part.value) for part in parts)
