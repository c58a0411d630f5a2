"""Firefox shows the main pages: numbers, a cell and its rows, the threshold in the hand."""

import numpy as np
import pytest

from metrics.findings.tables import count_scores
from metrics.thresholds.threshold_metrics import rates_at
from tests.browser.firefox import FIREFOX, start_firefox
from tests.opened_runs import open_run

pytestmark = [
    pytest.mark.skipif(not FIREFOX, reason="no firefox-esr on this machine: sh scripts/find_packages.sh"),
    pytest.mark.usefixtures("module_store"),
]
MENU = "[data-testid=stSidebarNavLink]"
LINES = "all('[data-testid=stPopoverButton] p').map(words => words.getClientRects().length)"
DRAWN = "all('.matrix .plane[data-cell]').map(plane => [plane.dataset.cell, ...plane.dataset.origin.split(' ')])[0]"
ROWS = "all('[title^=\"Open row\"]').map(row => Number(row.title.replace('Open row ', '')))"
COUNTS = "all('.count b').map(count => Number(count.textContent.replace(',', '')))"
THRESHOLD = "Number(all('.lab input')[0].title)"  # the field rounds it


def test_firefox_walks_the_main_pages(server, tmp_path):
    digits = open_run("digits")
    with start_firefox(tmp_path) as firefox:
        firefox.visit(f"{server.url}/overview?run=digits")
        accuracy = f"{np.mean(digits.y_true == digits.y_pred):.1%}".replace("%", " %")
        assert accuracy in firefox.wait_for("find('.lens', 'Accuracy')?.textContent")
        assert firefox.evaluate(LINES) == [1], "95 % intervals"

        firefox.click(MENU, "Confusion")
        size, left, top = map(float, firefox.wait_for(DRAWN))
        firefox.click(".matrix .plane", off=(left + 1.5 * size, top + 8.5 * size))
        firefox.wait_for("find('[class*=st-key-panel-]', 'true class 8, predicted as class 1')")
        firefox.wait_for("find('h1', 'class 8 rows were predicted as class 1')")
        assert "true=8&pred=1" in firefox.evaluate("location.search")
        rows = np.flatnonzero((digits.y_true == 8) & (digits.y_pred == 1)) + 1
        assert sorted(firefox.evaluate(ROWS)) == rows.tolist()
        assert firefox.evaluate(LINES) == [1], "More"

        firefox.click(MENU, "Thresholds")
        counts = count_scores(digits, 8)
        assert counts is not None
        x, y = firefox.place(".thumb.t")
        before = firefox.evaluate(THRESHOLD)
        firefox.mouse((x + 4, y + 4), "Down", (x + 80, y + 8))
        threshold = firefox.wait_for(f"{THRESHOLD} > {before} + 0.1 && {THRESHOLD}")
        now = rates_at(counts, threshold)
        firefox.wait_for(f"String({COUNTS}) === '{now.tp},{now.fn},{now.fp},{now.tn}'")
        assert "t=" not in firefox.evaluate("location.search"), "the address changes when the hand lets go"
        firefox.mouse("Up")
        firefox.wait_for(f"new URLSearchParams(location.search).get('t') === '{threshold}'")
