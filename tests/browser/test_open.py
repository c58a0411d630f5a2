"""The open page in a real browser: what is asked, what was understood, and what can be said about it afterwards."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import rerun
from tests.browser.gestures import choose, expect_accuracy, go, metric, open_reading, upload
from tests.browser.test_main_job import write

pytestmark = pytest.mark.one_session


def press(page: Page, name: str) -> None:
    with rerun(page):
        page.get_by_role("button", name=name, exact=True).click()


def harness_log(path: Path, answers: dict[str, str]) -> None:
    """A log of lm-evaluation-harness: four documents whose target is A, B, A, B, and each filter's four answers."""
    lines = [
        {"doc_id": i, "doc": {"text": f"q{i}"}, "target": target, "filter": name, "metrics": ["exact_match"],
         "arguments": {"gen_args_0": {"arg_0": f"q{i}?", "arg_1": {"until": []}}},
         "resps": [[f"It is {found[i]}."]], "filtered_resps": [found[i]], "exact_match": float(found[i] == target)}
        for i, target in enumerate("ABAB")
        for name, found in answers.items()
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_log_with_two_filters_asks_for_one(page, server, tmp_path):
    harness_log(tmp_path / "samples_task.jsonl", {"strict": "AAAA", "flexible": "ABAA"})
    upload(page, server, tmp_path / "samples_task.jsonl")
    expect(page.get_by_role("heading", name="Which filter should be evaluated?")).to_be_visible()
    expect(page.get_by_text("cannot be used")).to_have_count(0)
    press(page, "strict")
    expect_accuracy(page, "50.0 %")
    open_reading(page)
    choose(page, "Rows that are evaluated", "filter = flexible")
    press(page, "Apply")
    expect_accuracy(page, "75.0 %")


def test_look_alike_labels_are_merged_and_split(page, server, tmp_path):
    pairs = [("cat", "cat")] * 4 + [("cat", "Cat")] * 2 + [("dog", "dog")] * 2 + [("dog", "dog\u00a0"), ("dog", "cat")]
    write(tmp_path / "p.csv", "y_true,y_pred", (f"{true},{pred}" for true, pred in pairs))
    upload(page, server, tmp_path / "p.csv")
    expect_accuracy(page, "60.0 %")
    open_reading(page)
    for shown in (r"Cat \(0 rows", r"dog\\u00a0 \(0 rows"):
        with rerun(page):
            page.get_by_test_id("stCheckbox").filter(has_text=re.compile(shown)).locator("label").click()
    expect(page.get_by_text("accuracy 60.0 % → 90.0 %")).to_be_visible()
    press(page, "Merge what is ticked")
    expect_accuracy(page, "90.0 %")
    expect(page.get_by_text("Cat counts as cat.")).to_be_visible()
    press(page, "Undo all merges")
    expect_accuracy(page, "60.0 %")


def test_counts_show_a_matrix_and_no_rows(page, server, tmp_path):
    counts = ("cat,cat,40", "cat,dog,10", "dog,cat,5", "dog,dog,45")
    write(tmp_path / "wandb.csv", "Actual,Predicted,nPredictions", counts)
    upload(page, server, tmp_path / "wandb.csv")
    expect_accuracy(page, "85.0 %")
    expect(page.get_by_text("100 rows in 4 lines").first).to_be_visible()
    go(page, "Rows")
    expect(page.get_by_text("This file holds counts, not rows").first).to_be_visible()
    go(page, "Overview")
    assert metric(page, "Accuracy") == "85.0 %"


def test_unjoined_files_join_on_the_chosen_key(page, server, tmp_path):
    """Of six predictions five have a label under `code`, in another order; four of these are right."""
    write(tmp_path / "p.csv", "uid,prediction", (f"u{i},{label}" for i, label in enumerate("aabbab")))
    rows = ("u4,9,a", "u3,8,b", "x,7,b", "u2,6,b", "u1,5,b", "u0,4,a", "y,3,a", "z,2,a")
    write(tmp_path / "t.csv", "code,other,truth", rows)
    upload(page, server, tmp_path / "p.csv", tmp_path / "t.csv")
    expect(page.get_by_text("Both files are kept")).to_be_visible()
    expect(page.get_by_text("5 rows matched, 1 only in p.csv").first).to_be_visible()
    press(page, "Join")
    expect_accuracy(page, "80.0 %")
    open_reading(page)
    found = [metric(page, name) for name in ("Rows matched", "Only in p.csv", "Only in t.csv")]
    assert found == ["5", "1", "3"]


def test_two_text_files_are_compared_in_order(page, server, tmp_path):
    lines(tmp_path / "preds.txt", "aabbabab")
    lines(tmp_path / "labels.txt", "aabbabba")
    upload(page, server, tmp_path / "preds.txt", tmp_path / "labels.txt")
    expect_accuracy(page, "75.0 %")
    open_reading(page)
    expect(page.get_by_text("Joined by row order: 8 rows of each file.")).to_be_visible()
    warning = page.get_by_text("preds.txt and labels.txt: There is no header line")
    expect(warning).to_have_count(1)


def lines(path: Path, labels: Iterable[str]) -> None:
    path.write_text("".join(f"{label}\n" for label in labels), encoding="utf-8")


def test_plain_file_shows_no_warning(page, server, tmp_path):
    write(tmp_path / "p.csv", "id,y_true,y_pred", (f"{i},{'abc'[i % 3]},{'abbc'[i % 4]}" for i in range(60)))
    upload(page, server, tmp_path / "p.csv")
    expect(page.get_by_text("no warnings")).to_be_visible()
    open_reading(page)
    understood = page.get_by_text("61 of 61 sampled lines split into 3 cells at the comma")
    expect(understood).to_be_hidden()
    page.get_by_text("How the file was read: 1 note").click()
    expect(understood).to_be_visible()
