"""The page table: one row a page, which the menu, links, addresses and tests read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple


class Page(NamedTuple):
    """One page.

    name : its path in the address. script : the file that draws it.
    section, title, icon : its place in the menu.
    parameters : names of the view's parameters that its address may have, beside those of every page.
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
    parameters: str = ""
    view_title: str = ""
    members_only: bool = False
    in_review: bool = True
    needs_file: bool = True
    weights: Literal["", "used", "not used"] = ""


ON_EVERY_PAGE = ("run", "step", "filter", "t", "each", "rule", "ci", "judged")
FIRST = "open"
"""The page without a path of its own."""
_TABLE = (
    Page("open", "pages/data/open.py", "", "Open", ":material/upload_file:", view_title="How we read your file"),
    Page(
        "overview",
        "pages/explore/overview.py",
        "Explore",
        "Overview",
        ":material/visibility:",
        "reading",
        weights="used",
    ),
    Page(
        "confusion",
        "pages/explore/confusion.py",
        "Explore",
        "Confusion",
        ":material/grid_on:",
        "norm order errors worst true pred only log pick group sep level map closed block score others row marks",
        weights="not used",
    ),
    Page(
        "classes",
        "pages/explore/classes.py",
        "Explore",
        "Classes",
        ":material/list_alt:",
        "class list q row marks",
        weights="used",
    ),
    Page(
        "rows",
        "pages/explore/rows.py",
        "Explore",
        "Rows",
        ":material/table_rows:",
        "true pred only q block score others sort row marks",
    ),
    Page(
        "thresholds",
        "pages/decide/thresholds.py",
        "Explore",
        "Thresholds",
        ":material/tune:",
        "class tab side low by beta floor cfp cfn prev perday minrecall minprecision mostcalled mostcost noun called "
        "cap days bands bins nbins cal score row marks",
        weights="not used",
    ),
    Page(
        "slices",
        "pages/explore/slices.py",
        "Explore",
        "Slices",
        ":material/data_table:",
        "mode column cross metric class slice since with row marks",
        weights="not used",
    ),
    Page(
        "compare",
        "pages/explore/compare.py",
        "Explore",
        "Compare",
        ":material/compare_arrows:",
        "class true pred row with a b like metric flip rate at cluster join plan",
        weights="not used",
    ),
    Page(
        "agreement",
        "pages/explore/agreement.py",
        "Explore",
        "Agreement",
        ":material/groups:",
        "raters lines models judge pair show truthby trusted",
        weights="not used",
    ),
    Page(
        "parsing",
        "pages/explore/parsing.py",
        "Explore",
        "Parsing",
        ":material/rule:",
        "outcome part",
        weights="not used",
    ),
    Page(
        "review", "pages/share/review.py", "Share", "Review", ":material/slideshow:", members_only=True, in_review=False
    ),
    Page(
        "export",
        "pages/share/export.py",
        "Share",
        "Export",
        ":material/download:",
        "mode column cross metric class since with a b like at cluster join raters lines models judge by cfp cfn prev "
        "perday minrecall minprecision mostcalled mostcost noun called",
        in_review=False,
    ),
    Page(
        "links", "pages/share/links.py", "Share", "Shared links", ":material/link:", members_only=True, in_review=False
    ),
    Page(
        "choose",
        "pages/learn/choose.py",
        "Learn",
        "Choose a metric",
        ":material/account_tree:",
        "answers",
        needs_file=False,
        weights="used",
    ),
    Page(
        "glossary",
        "pages/learn/glossary.py",
        "Learn",
        "Glossary",
        ":material/menu_book:",
        "class q",
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
