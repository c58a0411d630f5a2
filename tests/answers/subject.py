"""Name the parts of the app that answers are collected from, beside the command line; an older tree has its own."""

from export.files import small_files
from export.measurement import measure
from tests.opened_pages import open_page, texts
from tests.opened_runs import open_run
from tests.reading_here import reading_here
from ui.view.pages import PAGES

__all__ = ["PAGES", "exported_files", "open_page", "reading_here", "texts"]


def exported_files(run: str) -> dict[str, bytes]:
    """Return name and content of every file of Export that does not grow with the rows."""
    return small_files(measure(open_run(run)))
