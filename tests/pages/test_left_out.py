"""Every page of a share of counts only: the same numbers, one sentence where rows would be, and no row."""

import functools
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from data.rows.row_scores import confidence_column
from data.runs import load
from data.samples import SAMPLES
from data.sharing import share
from tests.opened_pages import lenses, open_page
from tests.opened_runs import keep_file, open_run
from ui.rows.left_out import ANSWERS, ROWS
from ui.view.pages import PAGES

KEYS = [sample.key for sample in SAMPLES]
ELSEWHERE = ("links", "review", "export")
"""Pages with tests of their own, about more than this."""


@pytest.fixture(autouse=True, scope="module")
def _store(module_store):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_SAVES_PER_HOUR", "1000")
        yield


@pytest.fixture(scope="module")
def shared(_store) -> dict[str, str]:
    """The token of a share of counts only, by sample."""
    return {key: share.share(key, counts_only=True).token for key in KEYS}


@pytest.fixture(scope="module")
def part(shared):
    """A page of a share of counts only, to look at; it is opened once."""
    return functools.cache(lambda page, sample: open_page(page, run=shared[sample]))


def said(app: AppTest) -> list[str]:
    parts = (*app.markdown, *app.caption, *app.title, *app.header, *app.text, *app.info, *app.warning, *app.error)
    return [str(part.value) for part in parts]


def everything(block: Any) -> str:
    """All that the server sends of a page: words, tables, pictures, and what components are given."""
    children = getattr(block, "children", {}).values()
    own = [str(getattr(block, "proto", ""))] if not children else []
    frame = getattr(block, "value", None) if type(block).__name__ == "Dataframe" else None
    own += [] if frame is None else [frame.to_csv()]
    return "\n".join([*own, *map(everything, children)])


def headlines(app: AppTest) -> list[str]:
    """Return the title, the headlines and the numbers on top of a page."""
    numbers = [*(str(metric.value) for metric in app.metric), *lenses(app).values()]
    titles = [title.value for title in app.title]
    return [*titles, *(text for text in said(app) if text.startswith("#")), *numbers]


@functools.cache
def contents(sample: str) -> set[str]:
    """Return what tells some rows of a sample from all others, and holds no label."""
    evaluation = open_run(sample)
    settings = evaluation.settings
    kept = {settings.truth, settings.pred, confidence_column(evaluation), *(name for name, _ in settings.scores)}
    kept |= {name for name, _ in (*settings.truth_columns, *settings.pred_columns)}
    found: set[str] = set()
    for name in set(evaluation.rows.column_names) - kept:
        values = [str(value) for value in evaluation.rows.column(name).slice(0, 200).to_pylist()]
        found |= {value for value in values if values.count(value) == 1 and len(value) >= (8 if value[0] == "0" else 6)}
    return {value for value in found if not any(len(label) > 2 and label in value for label in evaluation.labels)}


@pytest.mark.parametrize("sample", KEYS)
@pytest.mark.parametrize("page", [page for page in PAGES if page not in ELSEWHERE])
def test_no_page_sends_anything_of_a_row(page, sample, part):
    app = part(page, sample)
    assert not app.error
    sent = everything(app.main)
    assert not [value for value in contents(sample) if value in sent]


MARKER = "zqx"


@pytest.fixture(scope="module")
def marked(_store, tmp_path_factory) -> dict[str, str]:
    """Tokens of two shares of a file with a marker in the name and the cells of all that is left out of them."""
    lines = [f"id {MARKER},patient {MARKER},label,prediction,output {MARKER}"]
    for i in range(120):
        lines.append(f"{MARKER}{i},{('John ' + MARKER, 'Jane')[i % 2]},{'ab'[i // 2 % 2]},{'aab'[i % 3]},{MARKER} {i}")
    path = tmp_path_factory.mktemp("marked") / "p.csv"
    path.write_text("\n".join(lines))
    only = (f"patient {MARKER}", f"John {MARKER}")
    chosen, all_rows = (keep_file(path, load.Given(only=rows)) for rows in (only, None))
    hide = [f"{name} {MARKER}" for name in ("id", "patient", "output")]
    return {
        "chosen rows, counts only": share.share(chosen, counts_only=True).token,
        "hidden columns": share.share(all_rows, hide=hide).token,
        "whole": share.share(chosen).token,
    }


@pytest.mark.parametrize("kind", ["chosen rows, counts only", "hidden columns"])
@pytest.mark.parametrize("page", PAGES)
def test_no_page_shows_a_left_out_column(page, kind, marked):
    app = open_page(page, run=marked[kind])
    assert MARKER not in "\n".join([*said(app), everything(app.main), everything(app.sidebar)])


def test_marker_is_sent_where_nothing_is_left_out(marked):
    app = open_page("open", run=marked["whole"])
    assert f"patient {MARKER}" in everything(app.main) and f"John {MARKER}" in everything(app.main)


def test_the_rows_of_a_whole_evaluation_are_sent():
    sent = everything(open_page("rows", run="support-intents").main)
    assert [value for value in contents("support-intents") if value in sent]


@pytest.mark.parametrize("sample", KEYS)
@pytest.mark.parametrize("page", ["overview", "classes", "thresholds"])
def test_the_headline_numbers_are_those_of_the_whole(page, sample, part):
    whole, left = open_page(page, run=sample), part(page, sample)
    if (page, sample) == ("overview", "triage"):  # its title is about a column, which was left out
        assert whole.title[0].value.startswith("Recall of") and left.title[0].value.startswith("317 of 1,090")
        assert headlines(left)[1:] == headlines(whole)[1:]
        return
    assert headlines(left) == headlines(whole)
    tables = [[frame.value.to_csv() for frame in app.dataframe] for app in (whole, left)]
    assert whole.title[0].value == left.title[0].value
    if page != "thresholds":  # where some tables hold sums over rows, to the last digit
        assert tables[1] == tables[0]


@pytest.mark.parametrize("sample", KEYS)
@pytest.mark.parametrize("page", ["overview", "classes", "rows", "open"])
def test_one_sentence_stands_where_rows_would_be(page, sample, part):
    app = part(page, sample)
    assert "\n".join(said(app)).count(ROWS) == 1
    labels = {button.label for button in app.button}
    assert not labels & {"Apply", "Use these labels", "Join again", "Merge what is ticked"}


def test_no_link_leads_to_missing_rows(part):
    for page in ("overview", "classes", "parsing"):
        app = part(page, "support-intents-llm")
        links = [str(element.proto) for element in app.get("page_link")]
        assert not [link for link in links if "table_rows" in link]


def test_cell_of_the_matrix_says_its_rows(shared):
    app = open_page("confusion", run=shared["digits"], true="8", pred="1")
    whole = open_run("digits")
    n = int(((whole.y_true == 8) & (whole.y_pred == 1)).sum())
    assert app.title[0].value.startswith(f"{n:,} of 87 `class 8` rows ")
    assert ROWS in "\n".join(said(app))


def test_left_out_answers_keep_outcomes_and_parser(part):
    whole, left = open_page("parsing", run="support-intents-llm"), part("parsing", "support-intents-llm")
    one, other = (
        next(frame.value for frame in app.dataframe if "outcome" in frame.value.columns) for app in (whole, left)
    )
    assert one.equals(other)
    assert "\n".join(said(left)).count(ANSWERS) == 1
    assert not [button for button in left.button if button.key and button.key.startswith("parser.")]


def test_search_finds_nothing_in_missing_rows(shared):
    app = open_page("rows", run=shared["digits"], q="3", row="5", marks="1-9")
    assert app.title[0].value == "61 of 899 rows are wrong" and not app.text_input


@pytest.mark.parametrize("sample", ["support-intents", "support-intents-llm"])
def test_hidden_columns_leave_the_rows_readable(sample):
    evaluation = open_run(sample)
    settings = evaluation.settings
    needed = {settings.truth, settings.pred, settings.raw, *(name for name, _ in settings.scores)}
    hide = [name for name in evaluation.rows.column_names if name not in needed]
    token = share.share(sample, hide=[*hide, *([settings.raw] if settings.raw else [])]).token
    for page in ("open", "rows", "parsing", "overview"):
        app = open_page(page, run=token)
        text = "\n".join(said(app))
        assert not app.error and ROWS not in text
        assert (f"{len(hide) + bool(settings.raw)} column" in text) == (page == "open") or page != "open"
