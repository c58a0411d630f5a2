"""A parser is edited in a real browser: accuracy and the matrix follow, a link keeps it, an export can be imported."""

import csv
import re
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from data.answers import outcomes
from data.building.rescoring import with_parser
from data.evaluation import UNPARSEABLE, Evaluation
from data.parser.parser import STANDARD, Parser, Rule
from tests.browser.driver import rerun, show, wait_until_idle
from tests.browser.gestures import choose, go, settled
from tests.opened_runs import open_run

pytestmark = pytest.mark.one_session

SAMPLE = "support-intents-llm"
STRICT = "Accuracy"
LENIENT = "Accuracy where a label was found"


def plot_point(page, x: float, y: float) -> tuple[float, float]:
    """Return where a point of the first chart's axes lies on the page, in pixels."""
    return page.evaluate(
        """([x, y]) => {
            const plot = document.querySelector('.js-plotly-plot'), box = plot.getBoundingClientRect();
            const xaxis = plot._fullLayout.xaxis, yaxis = plot._fullLayout.yaxis;
            return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)];
        }""",
        [x, y],
    )


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory) -> Evaluation:
    """The sample as the app reads it, without the app."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINDSPOT_STORE", str(tmp_path_factory.mktemp("store")))
        return open_run(SAMPLE)


def expected(evaluation: Evaluation) -> dict[str, str]:
    """The three numbers, counted row by row."""
    rows = list(zip(evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored], strict=True))
    right = sum(true == pred for true, pred in rows)
    parsed = sum(pred != UNPARSEABLE for _, pred in rows)
    shares = {STRICT: right / len(rows), LENIENT: right / parsed, "No label found": 1 - parsed / len(rows)}
    return {name: f"{100 * share:.1f} %" for name, share in shares.items()}


def cells(evaluation: Evaluation) -> dict[tuple[str, str], int]:
    """The non-empty cells of the confusion matrix, counted row by row."""
    names = {code: label for code, label in enumerate(evaluation.labels)} | {UNPARSEABLE: "(no label found)"}
    pairs = zip(evaluation.y_true[evaluation.scored], evaluation.y_pred[evaluation.scored], strict=True)
    return dict(Counter((names[int(true)], names[int(pred)]) for true, pred in pairs))


def shown(page: Page) -> dict[str, str]:
    """The three numbers on the page."""
    tiles = page.get_by_test_id("stMetric")
    expect(tiles).to_have_count(3)
    names = tiles.get_by_test_id("stMetricLabel").all_inner_texts()
    values = tiles.get_by_test_id("stMetricValue").all_inner_texts()
    return dict(zip((name.strip() for name in names), values, strict=True))


def matrix(page: Page) -> dict[tuple[str, str], int]:
    """The non-empty cells of the matrix, as its table hands them out."""
    page.get_by_role("button", name="More", exact=True).click()
    with rerun(page):
        page.get_by_role("button", name="Matrix as a table").click()
    with page.expect_download() as download:
        page.locator(".st-key-confusion_matrix-download button").click()
    with open(download.value.path(), encoding="utf-8", newline="") as file:
        table = {row.pop("true class"): row for row in csv.DictReader(file)}
    page.get_by_role("button", name="Close").click()
    return {(true, pred): int(n) for true, row in table.items() for pred, n in row.items() if int(n)}


def press(page: Page, key: str) -> None:
    """Press a button that changes the parser: the page runs, and runs again with the new numbers."""
    before = page.url
    page.locator(f".st-key-{key.replace('.', '-')} button:visible").click()
    page.wait_for_url(lambda url: url != before)
    wait_until_idle(page)


def add(page: Page, title: str) -> None:
    """Add a rule from the closed list."""
    with rerun(page):
        choose(page, "Add a rule", title)
    with rerun(page):
        page.locator(".st-key-parser-add button:visible").click()
    press(page, "parser.apply")


def test_edited_rule_changes_accuracy_matrix_and_link(page, server, evaluation):
    edited = with_parser(evaluation, Parser("standard, edited", (*STANDARD.rules, Rule("only_mentioned"))))
    assert expected(edited) != expected(evaluation) and cells(edited) != cells(evaluation), "the edit must matter"
    show(page, f"{server.url}/parsing?run={SAMPLE}")
    assert shown(page) == expected(evaluation)
    add(page, "The only label mentioned")
    assert shown(page) == expected(edited)
    expect(page.get_by_text("standard, edited", exact=True).first).to_be_visible()
    changed = int((evaluation.y_pred != edited.y_pred).sum())
    expect(page.get_by_text(f"{changed} rows read differently")).to_be_visible()
    go(page, "Confusion")
    page.wait_for_url(re.compile("confusion.*run="))
    page.reload()
    wait_until_idle(page)
    found, not_listed = matrix(page), {*evaluation.labels[evaluation.n_space :]}
    assert found == cells(edited)
    assert not_listed and {pred for _, pred in found} >= {"(no label found)", *not_listed}


def test_bar_click_shows_answers_of_its_outcome(page, server, evaluation):
    show(page, f"{server.url}/parsing?run={SAMPLE}")
    page.wait_for_function("() => document.querySelector('.js-plotly-plot')?._fullLayout?.xaxis?._length > 100")
    settled(page.locator(".js-plotly-plot").first)
    found = outcomes.count_outcomes(evaluation)
    place = next(place for place, one in enumerate(found) if one.name == "normalised")
    with rerun(page):
        page.mouse.click(*plot_point(page, found[place].rows / 2, place))
    assert "outcome=normalised" in page.url
    expect(page.get_by_text(f"of {found[place].answers} different answers, the most frequent first")).to_be_visible()


def test_file_of_labels_counts_once(page, server, evaluation):
    show(page, f"{server.url}/parsing?run={SAMPLE}")
    before = shown(page)
    few = "\n".join(evaluation.labels[:2]).encode()

    def use() -> None:
        """Give the labels that stand in the form."""
        address = page.url
        page.get_by_role("button", name="Use these labels").click()
        page.wait_for_url(lambda url: url != address)
        wait_until_idle(page)

    page.get_by_text("Use other labels").click()
    uploader = page.get_by_test_id("stForm").locator('[data-testid="stFileUploaderDropzoneInput"]')
    uploader.set_input_files({"name": "labels.txt", "mimeType": "text/plain", "buffer": few})
    expect(page.get_by_test_id("stForm").get_by_text("labels.txt")).to_be_visible()
    expect(page.get_by_test_id("stForm").get_by_test_id("stFileChipIconSpinner")).to_have_count(0)  # it is sent
    use()
    assert shown(page) != before
    expect(page.get_by_text("labels.txt")).to_have_count(0)
    if not page.get_by_role("button", name="Use these labels").is_visible():
        page.get_by_text("Use other labels").click()
    choose(page, "Label list", "the true labels only")
    use()
    assert shown(page) == before
