"""The main job in a real browser: upload a file, read its numbers, move the slider, share the view."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from sklearn.metrics import accuracy_score, roc_auc_score

from tests.browser.driver import new_visitor, rerun, show, visit, wait_until_idle
from tests.browser.gestures import choose, go, menu, metric, open_reading, upload
from tests.browser.test_menu import opened_cleanly

pytestmark = pytest.mark.one_session


def write_predictions(path: Path) -> tuple[list[str], list[str]]:
    """A small file whose every number is known: 60 rows, three classes, one dominant confusion."""
    cells = {("billing", "billing"): 18, ("billing", "card"): 2, ("card", "card"): 15, ("card", "refund"): 5,
             ("refund", "refund"): 9, ("refund", "billing"): 11}  # fmt: skip
    pairs = [pair for pair, n in cells.items() for _ in range(n)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "label", "prediction"])
        writer.writerows([i, f"message {i}", true, pred] for i, (true, pred) in enumerate(pairs))
    return [true for true, _ in pairs], [pred for _, pred in pairs]


def write(path: Path, header: str, lines: Iterable[str]) -> None:
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")


def test_an_uploaded_file_is_read_and_scored(page, server, tmp_path):
    y_true, y_pred = write_predictions(tmp_path / "predictions.csv")
    upload(page, server, tmp_path / "predictions.csv")
    accuracy = f"{accuracy_score(y_true, y_pred):.1%}".replace("%", " %")
    expect(page).to_have_url(re.compile("/overview"))
    assert metric(page, "Accuracy") == accuracy
    expect(page.get_by_text("11 of 20 refund rows were predicted as billing (55.0 %)").first).to_be_visible()


def test_the_upload_survives_a_refresh_and_opens_elsewhere(page, server, browser, tmp_path):
    write_predictions(tmp_path / "predictions.csv")
    upload(page, server, tmp_path / "predictions.csv")
    go(page, "Confusion")
    with rerun(page):
        choose(page, "Colour", "Share of predicted class")
    page.wait_for_url(re.compile("norm=column"))
    page.reload()
    wait_until_idle(page)
    expect(page.locator(".matrix .plane")).to_have_attribute("aria-rowcount", "3")
    assert "norm=column" in page.url
    other = new_visitor(browser)
    elsewhere = other.new_page()
    elsewhere.goto(page.url)
    expect(elsewhere.get_by_role("combobox", name="Colour")).to_have_value("Share of predicted class")
    other.close()


def in_the_lab(page, number: str) -> str:
    return page.get_by_role("group", name="Threshold lab").locator(f'td.now[data-number="{number}"]').text_content()


def counted_in_the_lab(page) -> list[str]:
    counts = page.get_by_role("group", name="Threshold lab").locator(".count b")
    return [counts.nth(place).inner_text() for place in range(4)]  # TP, FN, FP, TN


def test_the_slider_moves_every_number(page, server):
    show(page, f"{server.url}/thresholds?run=screening")
    names = ("recall", "specificity", "precision", "f1", "accuracy", "mcc", "predicted_positive_rate")
    before = [in_the_lab(page, name) for name in names]
    auc = page.get_by_text(re.compile(r"^ROC AUC 0\.\d+")).first.text_content()
    slider = page.get_by_role("slider", name="Threshold", exact=True)
    slider.focus()
    with rerun(page):
        slider.press("Home")
    page.wait_for_url(re.compile(r"[?&]t=\d"))
    # the lowest score: every row is called positive, so what each number has to be is known
    assert counted_in_the_lab(page) == ["100", "0", "9,900", "0"]
    after = [in_the_lab(page, name) for name in names]
    assert after[:3] == ["1.000", "0.000", "0.010"]
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert page.get_by_text(re.compile(r"^ROC AUC 0\.\d+")).first.text_content() == auc


def test_a_typed_threshold_gives_its_exact_counts(page, server):
    from data.samples import load_sample_paths

    path, _ = load_sample_paths("screening")[0]
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    show(page, f"{server.url}/thresholds?run=screening&t=0.123")
    score = next(name for name in rows[0] if name.startswith("p_cancer") and "always" not in name)
    truth = next(name for name in rows[0] if set(row[name] for row in rows) == {"cancer", "healthy"})
    flagged = [row for row in rows if float(row[score]) >= 0.123]
    found = sum(row[truth] == "cancer" for row in flagged)
    counts = [found, 100 - found, len(flagged) - found, 9_900 - len(flagged) + found]
    assert counted_in_the_lab(page) == [f"{count:,}" for count in counts]
    auc = roc_auc_score([row[truth] == "cancer" for row in rows], [float(row[score]) for row in rows])
    expect(page.get_by_text(f"ROC AUC {auc:.3f}").first).to_be_visible()


def test_link_opens_the_same_view_after_restart(fresh_server, new_tab):
    page = new_tab
    visit(page, f"{fresh_server.url}/confusion")
    opened_cleanly(page)
    visit(page, f"{fresh_server.url}/confusion?run=support-intents&order=support&errors=1&worst=10")
    expect(page.get_by_role("heading", name="What stands out")).to_be_visible()
    page.get_by_role("button", name="More · 1 in use").click()
    expect(page.get_by_role("spinbutton")).to_have_value("10")
    expect(page.locator(".matrix .plane")).to_have_attribute("aria-rowcount", "11")  # the ten worst, and the others
    expect(menu(page).get_by_role("link", name="Confusion")).to_have_attribute("aria-current", "page")
    expect(page.get_by_text("Page not found")).to_have_count(0)


def test_flowchart_leads_by_clicks_to_a_metric(page, server):
    show(page, f"{server.url}/choose?run=screening")
    chart = page.get_by_role("group", name="Which metric fits")
    with rerun(page):
        chart.get_by_role("button", name=re.compile("No, only their order")).click()
    found = "Your metric: Precision-recall curve and average precision, 0.159 on this file"
    expect(page.get_by_role("heading", name=found)).to_be_visible()
    assert metric(page, "Precision-recall curve") == "0.159"
    page.wait_for_url(re.compile(r"answers=probabilities\.no"))
    with rerun(page):
        chart.get_by_role("button", name=re.compile("^Yes", re.IGNORECASE)).first.click()
    expect(page.get_by_role("heading", name="Your metric: Precision-recall")).to_have_count(0)


def test_a_correction_on_screen_needs_no_second_upload(page, server, tmp_path):
    path = tmp_path / "two.csv"
    rows = [["spam", "spam"]] * 6 + [["spam", "ham"]] * 2 + [["ham", "ham"]] * 9 + [["ham", "spam"]]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["label", "prediction"], *rows])
    upload(page, server, path)
    before = page.url
    expect(page.get_by_text("positive: spam")).to_be_visible()
    open_reading(page)
    expect(page.get_by_role("button", name="Apply")).to_be_in_viewport()
    with rerun(page):
        page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("The form holds what is in use")).to_be_in_viewport(ratio=1)
    choose(page, "Positive class", "ham")
    with rerun(page):
        page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("positive: ham")).to_be_visible()
    assert page.url != before
    page.goto(before)
    expect(page.get_by_text("positive: spam")).to_be_visible()


def test_predictions_and_labels_from_two_files_are_joined(page, server, tmp_path):
    write(tmp_path / "p.csv", "id,prediction", (f"r{i},{'ab'[i % 2]}" for i in range(40)))
    write(tmp_path / "t.csv", "id,label", (f"r{i},{'ab'[i % 4 // 2]}" for i in reversed(range(40))))
    show(page, server.url)
    places = page.locator('[data-testid="stFileUploaderDropzoneInput"]')
    with rerun(page):
        places.nth(1).set_input_files(tmp_path / "t.csv")
    with rerun(page):
        places.nth(0).set_input_files(tmp_path / "p.csv")
    page.wait_for_url(re.compile("run="))
    wait_until_idle(page)
    open_reading(page)
    expect(page.get_by_text(re.compile("Joined on 'id': 40 rows matched")).first).to_be_visible()
    assert metric(page, "Accuracy") == "50.0 %"


def test_later_labels_are_joined_to_the_predictions(page, server, tmp_path):
    write(tmp_path / "p.csv", "id,prediction", (f"r{i},{'ab'[i % 2]}" for i in range(40)))
    write(tmp_path / "t.csv", "id,label", (f"r{i},{'ab'[i % 4 // 2]}" for i in range(40)))
    upload(page, server, tmp_path / "p.csv")
    expect(page.get_by_text("This file cannot be used yet")).to_be_visible()
    with rerun(page):
        page.locator('[data-testid="stFileUploaderDropzoneInput"]').first.set_input_files(tmp_path / "t.csv")
    assert metric(page, "Accuracy") == "50.0 %"


def test_columns_that_say_nothing_are_chosen_by_hand(page, server, tmp_path):
    path = tmp_path / "odd.csv"
    write(path, "alpha,beta", (f"{'abcde'[i % 5]},{'avwxy'[i % 5]}" for i in range(60)))  # too little in common
    upload(page, server, path)
    expect(page.get_by_text("This file cannot be used yet")).to_be_visible()
    for name, column in (("True label", "alpha"), ("Predicted label", "beta")):
        choose(page, name, column)
    with rerun(page):
        page.get_by_role("button", name="Apply").click()
    assert metric(page, "Accuracy") == "20.0 %"
