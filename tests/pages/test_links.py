"""A link may say anything: no page fails over it, what cannot be used is said, and the numbers are the file's."""

import itertools
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.opened_pages import new_tab
from text.numbers import count
from ui.view.address import names_on
from ui.view.open_runs import evaluation_of
from ui.view.pages import PAGES
from ui.view.url import IN_PLACE, PARAMETERS

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ("screening", "digits", "movie-genres", "support-intents-llm")
NONSENSE = ("abc", "nan", "**b**", "-1e400", "0:x", "-1:0.5:1", "9-2/", "![](http://h/x)", "x" * 6001, "\x00", "٣")
EXTREME = {
    "t": "inf", "low": "1e308", "worst": "1000", "others": "1", "block": "0-1/0", "score": "0:inf:-inf", "only": "tn",
    "row": str(2**62), "marks": "1-10000", "beta": "0.01", "cfp": "0", "cfn": "0", "prev": "0", "cap": "0%",
    "floor": "recall:1", "by": "cost", "nbins": "100", "bins": "width", "cal": "class", "bands": "0", "each": "0:-inf",
    "tab": "classes", "side": "tn", "pick": "nobody", "group": "own", "map": "a,b\nb,a\na,a", "closed": "b",
    "errors": "1", "log": "1", "class": "", "order": "cluster", "norm": "all", "sort": "loss", "list": "outside",
    "part": "10000000", "q": "(", "answers": "~.",
}  # fmt: skip


@pytest.fixture(scope="module")
def tab() -> AppTest:
    """One browser tab for all links: each has to undo what the one before it has said."""
    return new_tab().run()


def follow(tab: AppTest, page: str, /, **query: str) -> str:
    """Open a link in the tab; returns the text that the page shows."""
    tab.query_params.clear()
    for name, value in query.items():
        tab.query_params[name] = value
    tab.switch_page(PAGES[page].script).run()
    assert not tab.exception, f"{page}: {query}: {tab.exception[0].message}"
    parts = [*tab.markdown, *tab.caption, *tab.text, *tab.info]
    return "\n".join(str(part.value) for part in parts)


def of_page(page: str) -> list[str]:
    return [name for name in names_on(page) if name != "run"]


@pytest.mark.parametrize(("page", "sample"), list(zip(PAGES, itertools.cycle(SAMPLES), strict=False)))
def test_nonsense_in_every_parameter_fails_no_page(tab, page, sample):
    names = of_page(page)
    query = dict(zip(names, itertools.cycle(NONSENSE), strict=False))
    said = follow(tab, page, run=sample, **query)
    for name in names:  # those that a parser of the address refuses
        try:
            PARAMETERS[name].parse(query[name])
        except (ValueError, OverflowError):
            assert f"Ignored {name}=" in said, name


@pytest.mark.parametrize(("page", "sample"), list(zip(PAGES, itertools.cycle(SAMPLES[::-1]), strict=False)))
def test_extreme_and_contradictory_values_fail_no_page(tab, page, sample):
    assert follow(tab, page, run=sample, **{name: EXTREME[name] for name in of_page(page) if EXTREME.get(name)})


@pytest.mark.parametrize(
    ("page", "sample", "query", "sentence"),
    [
        ("overview", "support-intents-llm", {"t": "0.3"}, "Ignored t=0.3 in the link: this file has no scores"),
        ("overview", "digits", {"t": "0.3"}, "Score ≥ 0.3 is used on the page Thresholds only"),
        ("classes", "screening", {"each": "0:0.5"}, "Ignored each in the link: this file is single-label."),
        ("classes", "digits", {"class": "nobody"}, "Ignored class=nobody in the link: this file has no such label"),
        ("glossary", "digits", {"class": "nobody"}, "Ignored class=nobody in the link: this file has no such label"),
        ("rows", "digits", {"row": "900"}, "Ignored row=900 in the link: this file has no such row"),
        ("rows", "digits", {"only": "unparseable"}, "a label was found in every row"),
        ("rows", "digits", {"only": "missing"}, "every row has a true and a predicted label"),
        ("rows", "digits", {"others": "1"}, "it names no true labels"),
        ("rows", "support-intents-llm", {"sort": "loss"}, "Ignored sort=loss in the link"),
        ("open", "digits", {"share": ""}, "Ignored share= in the link: a share link has run=; copy it again."),
        ("rows", "digits", {"share": "abc"}, "Ignored share=abc in the link: a share link has run=; copy it again."),
        ("choose", "digits", {"answers": "a.b~zzz"}, "Ignored answers=a.b in the link: there is no such question"),
    ],
)
def test_useless_parameters_are_named_once_and_removed(tab, page, sample, query, sentence):
    assert sentence in follow(tab, page, run=sample, **query)
    name = next(iter(query))
    if sentence.startswith("Score"):  # true for as long as it is in view
        return
    if name not in IN_PLACE:  # the list of rows takes those out of the address itself
        assert tab.query_params.get(name) not in (query[name], [query[name]])
    tab.run()
    assert sentence not in "\n".join(str(part.value) for part in tab.text)


@pytest.mark.parametrize("view", [{"t": "0.05"}, {"t": "-inf"}, {"each": "0:0.5,3:-1.0", "t": "0.25"}])
def test_threshold_gives_equal_numbers_on_every_page(tab, view):
    sample = "movie-genres" if "each" in view else "screening"
    base = evaluation_of(sample)
    y_score, code = base.y_score, base.score_codes[0]
    at = {c: float(view["t"]) for c in base.score_codes}
    at |= {int(c): float(t) for c, t in (pair.split(":") for pair in view.get("each", "").split(",") if pair)}
    called = y_score[:, 0] >= at[code]
    truth = base.y_true[:, code] if base.task == "multilabel" else base.y_true == code
    name, missed = base.labels[code], int((truth & ~called).sum())

    assert f"{missed:,} row" in follow(tab, "rows", run=sample, only="fn", true=name, **view)
    times = count(called.sum(), "predicted row") if called.any() else "never predicted"
    assert f"{count(truth.sum(), 'true row')}, {times}" in follow(tab, "classes", run=sample, **{"class": name}, **view)
    side = follow(tab, "thresholds", run=sample, side="fn", **{"class": name}, **view)
    assert re.search(rf"\*\*{missed:,} rows?\*\*: ", side)


def test_class_of_another_file_goes_without_a_word(tab):
    follow(tab, "glossary", run="digits")
    assert "Ignored" not in follow(tab, "choose", run="screening"), "the link names no class"
    follow(tab, "glossary", run="digits")
    assert "Ignored class=zebra" in follow(tab, "choose", run="screening", **{"class": "zebra"})
