"""The page table: one row a page, which the menu, links, addresses and tests read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple


class Page(NamedTuple):
    """One page.

    name : its path in the address. script : the file that draws it.
    section, title, icon : its place in the menu.
    view_title : names a view of it in a review, where the title of the menu does not.
    members_only : where people log in, nobody sees it without a login.
    in_review : a review can show a view of it.
    needs_file : it has nothing to share while nothing is loaded.
    weights : what the weights of rows do to its numbers; "" = it has none.
    """

    name: str
    script: str
    section: str
    title: str
    icon: str
    view_title: str = ""
    members_only: bool = False
    in_review: bool = True
    needs_file: bool = True
    weights: Literal["", "used", "not used"] = ""


FIRST = "open"
"""The page without a path of its own."""
_TABLE = (
    Page("open", "pages/data/open.py", "", "Open", ":material/upload_file:", view_title="How we read your file"),
    Page("overview", "pages/explore/overview.py", "Explore", "Overview", ":material/visibility:", weights="used"),
    Page("confusion", "pages/explore/confusion.py", "Explore", "Confusion", ":material/grid_on:", weights="used"),
    Page("classes", "pages/explore/classes.py", "Explore", "Classes", ":material/list_alt:", weights="used"),
    Page("rows", "pages/explore/rows.py", "Explore", "Rows", ":material/table_rows:"),
    Page("thresholds", "pages/decide/thresholds.py", "Explore", "Thresholds", ":material/tune:", weights="used"),
    Page("slices", "pages/explore/slices.py", "Explore", "Slices", ":material/data_table:", weights="used"),
    Page("compare", "pages/explore/compare.py", "Explore", "Compare", ":material/compare_arrows:", weights="used"),
    Page("agreement", "pages/explore/agreement.py", "Explore", "Agreement", ":material/groups:", weights="not used"),
    Page("parsing", "pages/explore/parsing.py", "Explore", "Parsing", ":material/rule:", weights="not used"),
    Page(
        "review", "pages/share/review.py", "Share", "Review", ":material/slideshow:", members_only=True, in_review=False
    ),
    Page("export", "pages/share/export.py", "Share", "Export", ":material/download:", in_review=False),
    Page(
        "links", "pages/share/links.py", "Share", "Shared links", ":material/link:", members_only=True, in_review=False
    ),
    Page(
        "choose",
        "pages/learn/choose.py",
        "Learn",
        "Choose a metric",
        ":material/account_tree:",
        needs_file=False,
        weights="used",
    ),
    Page(
        "glossary",
        "pages/learn/glossary.py",
        "Learn",
        "Glossary",
        ":material/menu_book:",
        needs_file=False,
        weights="used",
    ),
)
PAGES: Mapping[str, Page] = {page.name: page for page in _TABLE}


def page_title(page: str) -> str:
    """Return what a view of a page is called.

    >>> page_title("overview"), page_title("choose")
    ('Overview', 'Choose a metric')
    """
    return PAGES[page].view_title or PAGES[page].title
