"""The threshold lab in the hand: everything moves in the page, exactly, and the server hears of it once."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from charts.lab import bars as bars_of
from metrics.findings.tables import count_scores
from metrics.outcomes import f_beta
from metrics.scores.curves import ScoreCounts
from metrics.thresholds.deployed.in_use import Place, compute_use
from metrics.thresholds.threshold_metrics import RATES, ThresholdRates, best_thresholds, expected_cost, rates_at
from tests.browser.driver import rerun, show, wait_until_idle
from tests.browser.gestures import click_drawn, go, settled, upload
from tests.metrics.thresholds.deployed.test_in_use import rates_of
from tests.opened_runs import open_run
from text.numbers import write_amount

pytestmark = [pytest.mark.usefixtures("module_store"), pytest.mark.one_session]
SCRIPT = Path(__file__).resolve().parents[2] / "ui/thresholds/lab_component/rates.js"
# Types every threshold in turn, as a hand would that never presses Enter, and reads the table's exact numbers.
TYPE_ALL = """
(field, thresholds) => thresholds.map(threshold => {
  field.value = threshold;
  field.dispatchEvent(new Event("input"));
  const cells = field.getRootNode().querySelectorAll("td.now");
  return Object.fromEntries([...cells].map(cell => [cell.dataset.number, cell.dataset.value]));
})
"""


def counts_of(run: str, label: str | None = None) -> ScoreCounts:
    evaluation = open_run(run)
    code = evaluation.labels.index(label) if label is not None else evaluation.positive
    assert code is not None
    counts = count_scores(evaluation, code)
    assert counts is not None
    return counts


def lab(page):
    return page.get_by_role("group", name="Threshold lab")


def slider(page):
    return lab(page).get_by_role("slider", name="Threshold", exact=True)


def field(page):
    return lab(page).get_by_role("textbox", name="Threshold")


def exact_threshold(page):
    """Return the threshold in use; the field rounds it."""
    return float(field(page).get_attribute("title"))


def shown(page, number: str, column: str = "now") -> float:
    return float(lab(page).locator(f'td.{column}[data-number="{number}"]').get_attribute("data-value"))


def called(page) -> dict[str, int]:
    """The four counts as they stand in the picture."""
    return {
        side: int(lab(page).locator(f".count.{side} b").inner_text().replace(",", ""))
        for side in ("tp", "fp", "fn", "tn")
    }


def the_counts(counts: ScoreCounts, threshold: float) -> dict[str, int]:
    now = rates_at(counts, threshold)
    return {side: getattr(now, side) for side in ("tp", "fp", "fn", "tn")}


def same(written: str, number: float) -> bool:
    return math.isnan(number) if written == "NaN" else float(written) == number


@pytest.mark.parametrize(("run", "label"), [("digits", "8"), ("movie-genres", "drama")])
def test_numbers_equal_the_servers_at_300_thresholds(page, server, run, label):
    counts = counts_of(run, label)
    random = np.random.default_rng(4)
    low, high = counts.score[-1], counts.score[0]
    thresholds = np.concatenate(
        [random.uniform(low - 0.1, high + 0.1, 150), random.choice(counts.score, 120),
         np.nextafter(random.choice(counts.score, 30), np.inf)]
    ).tolist()  # fmt: skip
    show(page, f"{server.url}/thresholds?run={run}&class={label}&tab=explore&beta=0.7&cfp=3.3&cfn=0.1")
    read = field(page).evaluate(TYPE_ALL, [repr(threshold) for threshold in thresholds])
    assert len(read) == 300
    for threshold, written in zip(thresholds, read, strict=True):
        now = rates_at(counts, threshold)
        wanted = {name: now.to_dict()[name] for name in RATES}
        wanted["f_beta"] = f_beta(0.7).value(now)
        wanted["expected_cost"] = expected_cost(now, cost_fp=3.3, cost_fn=0.1)
        assert all(same(written[name], value) for name, value in wanted.items()), (threshold, written, wanted)


def test_counts_of_billions_give_the_same_doubles_too(page):
    """Products of such counts are no whole doubles any more: the page has to count in integers as the server does."""
    random = np.random.default_rng(5)
    n_pos, n_neg = 987_654_321, 2_345_678_901
    tp, fp = (np.sort(random.integers(0, n, 1000)) for n in (n_pos, n_neg))
    table = ThresholdRates(np.zeros(1000), tp, fp, n_pos, n_neg)
    all_rates = "return tp.map((_, i) => rates(tp[i], fp[i], nPos, nNeg))"
    script = f"([tp, fp, nPos, nNeg]) => {{ {SCRIPT.read_text()}; {all_rates} }}"
    found = page.evaluate(script, [tp.tolist(), fp.tolist(), n_pos, n_neg])
    for name, values in table.to_dict().items():
        assert name == "threshold" or [one[name] for one in found] == values.tolist(), name


def test_with_a_prevalence_the_cost_is_the_servers(page):
    counts = counts_of("screening")
    found = []
    for threshold in (0.01, 0.1, 0.5):
        now = rates_at(counts, threshold)
        script = f"at => {{ {SCRIPT.read_text()}; return expectedCost(at, 2.5, 40, 0.003) }}"
        at = {name: getattr(now, name) for name in ("tp", "fp", "fn", "tn")}
        found.append(page.evaluate(script, at) == expected_cost(now, cost_fp=2.5, cost_fn=40, prevalence=0.003))
    assert all(found)


def test_day_follows_its_sliders_without_the_server(page, server):
    """Each number is the server's to the last digit; the link takes what is let go."""
    counts = counts_of("screening")
    show(page, f"{server.url}/thresholds?run=screening&tab=choose&by=deployed&prev=0.006&perday=10000&cfn=2000&cfp=50")
    day = page.get_by_role("group", name="A day", exact=True)
    for name, key in (("Prevalence there", "PageUp"), ("Threshold in use", "ArrowLeft")):
        slider_of = day.get_by_role("slider", name=name)
        asked = page.evaluate("window.asked")
        with rerun(page):
            slider_of.press(key)
            assert page.evaluate("window.asked") == asked, "the server was asked while the slider moved"
            moved = day.locator("td.used").evaluate_all("cells => cells.map(cell => cell.dataset.value)")
        values = {part: float(text) for part, text in re.findall(r"[?&](prev|t)=([^&]+)", page.url)}
        tp, fp = counts.at(values.get("t", 0.5))
        place = Place(values["prev"], 10_000, cost_fp=50, cost_fn=2_000)
        use = compute_use(rates_of(tp, fp, counts.n_pos, counts.n_neg), place)
        assert values["prev"] != 0.006 and [float(text) for text in moved] == [number.value for number in use]
        expect(day.locator('td.used[data-number="cost"] span')).to_have_text(write_amount(use.cost.value))
        expect(day.locator('td.used[data-number="cost"] small')).to_have_text(re.compile(r"^[\d,]+ to [\d,]+$"))
    assert "t" in values and values["t"] in counts.score


@pytest.mark.parametrize("handle", [".roc .handle", ".pr .handle", ".thumb.t"])
def test_drag_asks_the_server_only_at_its_end(page, server, handle):
    counts = counts_of("screening")
    show(page, f"{server.url}/thresholds?run=screening&t=0.2")
    grip = lab(page).locator(handle)
    box = settled(grip)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before, asked = called(page), page.evaluate("window.asked")
    page.mouse.move(x, y)
    page.mouse.down()
    seen = set()
    for step in range(1, 12):
        page.mouse.move(x + 4 * step, y + 3 * step)
        page.evaluate("new Promise(requestAnimationFrame)")
        now = called(page)
        threshold = exact_threshold(page)
        assert now == the_counts(counts, threshold), "exact at every place on the way"
        assert shown(page, "recall") == now["tp"] / counts.n_pos
        title = page.get_by_role("heading", level=1).inner_text()
        found = now["tp"] or "none"
        assert re.search(rf"score ≥ {round(threshold, 5)} the model finds (only )?{found} of {counts.n_pos}\b", title)
        seen.add(threshold)
    assert len(seen) > 3 and called(page) != before
    assert page.evaluate("window.asked") == asked, "the server was asked while the hand moved"
    with rerun(page):
        page.mouse.up()
    assert page.evaluate("window.asked") == asked + 1
    assert float(re.search(r"[?&]t=([^&]+)", page.url)[1]) == threshold
    assert called(page) == the_counts(counts, threshold)


def test_released_threshold_holds_on_every_page(page, server):
    show(page, f"{server.url}/thresholds?run=screening")
    slider(page).focus()
    with rerun(page):
        slider(page).press("Shift+ArrowLeft")
    threshold = float(re.search(r"[?&]t=([^&]+)", page.url)[1])
    now = the_counts(counts_of("screening"), threshold)
    go(page, "Overview")
    accuracy = f"{(now['tp'] + now['tn']) / 10_000:.1%}".replace("%", " %")
    expect(page.locator(".lens").filter(has_text="Accuracy").first.locator(".figure")).to_have_text(accuracy)


def test_arrow_keys_step_one_distinct_score(page, server):
    counts = counts_of("screening")
    assert len(counts.score) > 4000, "more than the slider holds"
    start = 6000
    show(page, f"{server.url}/thresholds?run=screening&t={float(counts.score[start])!r}")
    slider(page).focus()
    for step in range(1, 6):
        slider(page).press("ArrowRight")
        assert exact_threshold(page) == counts.score[start - step]
    with rerun(page):
        slider(page).press("PageDown")
    assert exact_threshold(page) == counts.score[start + 5]
    for _ in range(13):  # farther than the hundred neighbours that the page was given
        slider(page).press("PageUp")
    expect(field(page)).to_have_attribute("title", str(float(counts.score[start + 5 - 130])))
    wait_until_idle(page)
    assert called(page) == the_counts(counts, counts.score[start - 125])


def test_lower_threshold_steps_through_distinct_scores(page, server):
    counts = counts_of("screening")
    start = 5000
    show(page, f"{server.url}/thresholds?run=screening&tab=explore&t=0.5&low={float(counts.score[start])!r}")
    lower = lab(page).get_by_role("slider", name=re.compile("^Lower threshold"))
    lower.focus()
    for _ in range(15):  # farther than the hundred neighbours that the page was given
        lower.press("PageDown")
    expect(page).to_have_url(re.compile(re.escape(f"low={float(counts.score[start + 150])!r}")))


@pytest.mark.parametrize(("left", "opened"), [("t=0.5", "t=0.25"), ("t=0.5&side=fp", "t=0.5")])
def test_threshold_not_yet_sent_yields_to_back(page, server, left, opened):
    """A slider that was just moved sends its threshold 0.45 s later: not to the address that Back opened meanwhile."""
    address = f"{server.url}/thresholds?run=screening&{opened}"
    show(page, address)
    show(page, f"{server.url}/thresholds?run=screening&{left}")
    with rerun(page):
        slider(page).evaluate("""slider => {
          slider.dispatchEvent(new KeyboardEvent("keydown", { key: "PageUp", bubbles: true }))
          history.back()
        }""")
    assert f"t={exact_threshold(page)}" == opened and page.url == address


def test_back_ends_a_drag(page, server):
    address = f"{server.url}/thresholds?run=screening&t=0.25"
    show(page, address)
    show(page, f"{server.url}/thresholds?run=screening&t=0.5")
    box = settled(lab(page).locator(".thumb.t"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"], steps=3)
    with rerun(page):
        page.evaluate("history.back()")
    page.mouse.move(box["x"] + 90, box["y"], steps=3)
    page.mouse.up()
    assert exact_threshold(page) == 0.25 and page.url == address


def test_ends_of_the_slider_predict_all_and_none(page, server):
    show(page, f"{server.url}/thresholds?run=screening")
    slider(page).focus()
    slider(page).press("Home")
    assert called(page) == {"tp": 100, "fp": 9900, "fn": 0, "tn": 0}
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text(re.compile("the model finds 100 of 100 cancer rows"))
    with rerun(page):
        slider(page).press("End")
        expect(title).to_have_text("Above every score the model finds none of 100 cancer rows")
    assert called(page) == {"tp": 0, "fp": 0, "fn": 100, "tn": 9900}
    assert shown(page, "recall") == 0 and math.isnan(shown(page, "precision"))
    expect(lab(page).locator('td.now[data-number="precision"]')).to_have_text("undefined")
    expect(slider(page)).to_have_attribute("aria-valuetext", re.compile("^above every score: precision undefined"))
    expect(lab(page).locator("th.now b")).to_have_text(re.compile(r"^> 0\.\d+$"))  # one line of a phone


def test_typed_threshold_is_counted_by_the_server(page, server):
    counts = counts_of("screening")
    for place in (4321, 7654):  # between two scores, so that no stop says it
        threshold = float((counts.score[place] + counts.score[place + 1]) / 2)
        show(page, f"{server.url}/thresholds?run=screening")
        field(page).fill(repr(threshold))
        with rerun(page):
            field(page).press("Enter")
        assert called(page) == the_counts(counts, threshold)
        assert exact_threshold(page) == threshold
        assert f"t={threshold!r}" in page.url


def test_text_that_is_no_number_changes_nothing(page, server):
    show(page, f"{server.url}/thresholds?run=digits&t=0.25")
    before = called(page)
    field(page).fill("a half")
    expect(lab(page).get_by_text("a number is wanted")).to_be_visible()
    expect(field(page)).to_have_attribute("aria-invalid", "true")
    field(page).press("Enter")
    field(page).blur()
    expect(field(page)).to_have_value("0.25")
    assert called(page) == before and "t=0.25" in page.url


def test_screen_reader_hears_the_final_numbers(page, server):
    counts = counts_of("digits", "8")
    show(page, f"{server.url}/thresholds?run=digits&class=8&t=0.3")
    slider(page).focus()
    slider(page).press("ArrowLeft")
    now = the_counts(counts, exact_threshold(page))
    said = lab(page).locator('[aria-live="polite"]')
    expect(said).to_contain_text(f"{now['tp']} found, {now['fn']} missed, {now['fp']} false positives")
    expect(slider(page)).to_have_attribute("aria-valuetext", re.compile(rf"recall {now['tp'] / counts.n_pos:.3f}$"))
    last = int(slider(page).get_attribute("aria-valuemax"))
    assert last == len(counts.score) and 0 < int(slider(page).get_attribute("aria-valuenow")) < last


def test_field_writes_as_sentences_do(page, server):
    show(page, f"{server.url}/thresholds?run=screening&t=0.123456789")
    expect(field(page)).to_have_value("0.12346")
    expect(field(page)).to_have_attribute("title", "0.123456789")
    field(page).focus()
    field(page).blur()
    assert "t=0.123456789" in page.url, "what was only looked at is as it was"


def test_default_and_best_are_one_click_away(page, server):
    counts = counts_of("screening")
    best = best_thresholds(counts)["f1"]
    show(page, f"{server.url}/thresholds?run=screening&t=0.2")
    assert shown(page, "f1", "best") == rates_at(counts, best.threshold).f1 == pytest.approx(best.value)
    assert shown(page, "f1", "default") == rates_at(counts, 0.5).f1
    with rerun(page):
        lab(page).locator("th.best button").click()
    assert exact_threshold(page) == best.threshold
    assert shown(page, "f1") == shown(page, "f1", "best")


def test_best_column_follows_constraint_and_cost(page, server):
    counts = counts_of("screening")
    table = [rates_at(counts, threshold) for threshold in counts.score]
    show(page, f"{server.url}/thresholds?run=screening&tab=explore&by=at_least&floor=recall:0.95")
    enough = max(now.precision for now in table if now.recall >= 0.95)
    assert shown(page, "precision", "best") == enough and shown(page, "recall", "best") >= 0.95
    show(page, f"{server.url}/thresholds?run=screening&tab=explore&by=cost&cfn=50")
    cheapest = min(expected_cost(now, cost_fp=1, cost_fn=50) for now in table)
    assert shown(page, "expected_cost", "best") == pytest.approx(cheapest, abs=0)


def test_bar_opens_its_rows_by_click_and_key(page, server):
    counts = counts_of("digits", "8")
    show(page, f"{server.url}/thresholds?run=digits&class=8")
    bars = lab(page).get_by_role("toolbar").get_by_role("button")
    assert bars.count() == 40
    click_drawn(page, bars.nth(0))
    found = bars_of(counts)
    n = found.positives[0] + found.negatives[0]
    expect(page.get_by_text(re.compile(rf"^{n} rows?\b")).first).to_be_visible()
    assert "score=8%3A" in page.url
    bars.nth(0).focus()
    bars.nth(0).press("ArrowRight")
    expect(bars.nth(1)).to_be_focused()
    with rerun(page):
        page.keyboard.press("Enter")
    assert f"%3A{float(found.edges[1])!r}%3A{float(found.edges[2])!r}" in page.url


def test_each_count_opens_its_rows_in_the_window(page, server):
    page.set_viewport_size({"width": 1280, "height": 800})
    show(page, f"{server.url}/thresholds?run=screening&t=0.1")
    for side, n in called(page).items():
        with rerun(page):
            lab(page).locator(f".count.{side}").click()
        expect(page.get_by_text(re.compile(rf"^{n:,} rows?\b")).first).to_be_in_viewport()


def test_explore_needs_no_scrolling_on_a_laptop(page, server):
    page.set_viewport_size({"width": 1280, "height": 800})
    for view in ("run=screening", "run=digits", "run=movie-genres"):
        show(page, f"{server.url}/thresholds?{view}")
        lowest = (
            lab(page)
            .locator(".choose, .roc svg, .pr svg")
            .evaluate_all("parts => Math.max(...parts.map(part => part.getBoundingClientRect().bottom))")
        )
        assert lowest <= 800, view


def test_picture_of_curve_can_be_kept(page, server):
    show(page, f"{server.url}/thresholds?run=screening")
    colours = "lab => ['right', 'wrong', 'rest'].map(name => getComputedStyle(lab).getPropertyValue(`--${name}`))"
    assert all(lab(page).evaluate(colours)), "every bar has its colour"
    lab(page).locator("figure.roc").hover()
    with page.expect_download() as kept:
        lab(page).get_by_role("button", name="Download as PNG: ROC curve").click()
    assert Path(kept.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_rows_between_two_thresholds_are_left_open(page, server):
    counts = counts_of("digits", "8")
    show(page, f"{server.url}/thresholds?run=digits&class=8&tab=explore&t=0.6&low=0.2")
    high, low = rates_at(counts, 0.6), rates_at(counts, 0.2)
    n_open = low.tp + low.fp - high.tp - high.fp
    accuracy = (high.tp + low.tn) / (counts.n - n_open)
    said = lab(page).locator(".decided")
    expect(said).to_contain_text(f"{n_open} rows are undecided")
    expect(said).to_contain_text(f"{accuracy:.1%}".replace("%", "\u00a0%"))
    lower = lab(page).get_by_role("slider", name=re.compile("^Lower threshold"))
    lower.focus()
    with rerun(page):
        lower.press("ArrowRight")
    moved = float(re.search(r"[?&]low=([^&]+)", page.url)[1])
    assert moved == counts.score[counts.above(0.2) - 2], "one distinct score up"
    assert "t=0.6" in page.url


def test_bands_are_drawn_on_request(page, server):
    show(page, f"{server.url}/thresholds?run=digits&class=8")
    assert lab(page).locator("path.band").count() == 0
    page.get_by_role("button", name="More", exact=True).click()
    with rerun(page):
        page.get_by_text("Draw the 95 % bands").click()
    expect(lab(page).locator(".roc path.band")).to_be_visible()
    expect(lab(page).locator(".pr path.band")).to_be_visible()
    expect(page.get_by_text(re.compile("500 samples.*seed 0"))).to_be_visible()


def test_another_class_brings_other_curves(page, server):
    show(page, f"{server.url}/thresholds?run=digits&class=8")
    first = lab(page).locator("path.model").first.get_attribute("d")
    show(page, f"{server.url}/thresholds?run=digits&class=1&t=0.5")
    assert lab(page).locator("path.model").first.get_attribute("d") != first
    assert called(page) == the_counts(counts_of("digits", "1"), 0.5)


def test_label_without_true_rows_has_no_curve(page, server, tmp_path):
    path = tmp_path / "never.csv"
    rows = "".join(f"{i % 2},0,{i / 50},{i / 60}\n" for i in range(50))
    path.write_text(f"true_a,true_b,score_a,score_b\n{rows}", encoding="utf-8")
    show(page, f"{server.url}/thresholds?run={upload(page, server, path)}&class=b")
    expect(lab(page).get_by_text("ROC AUC is undefined")).to_be_visible()
    assert lab(page).locator("path.model").count() == 0
    assert math.isnan(shown(page, "recall")) and shown(page, "specificity") == called(page)["tn"] / 50
    expect(lab(page).locator(".scores .title")).to_have_text(re.compile("of the negatives$"))


def test_a_hostile_class_name_stays_text(page, server, tmp_path):
    bad = "<img src=x onerror=alert(1)>"
    path = tmp_path / "hostile.csv"
    rows = "".join(f'"{bad if i % 3 else "fine"}",{i / 100}\n' for i in range(100))
    path.write_text(f"label,score\n{rows}", encoding="utf-8")
    upload(page, server, path)
    go(page, "Thresholds")
    expect(lab(page).get_by_text(re.compile("^Predict .*when score"))).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
