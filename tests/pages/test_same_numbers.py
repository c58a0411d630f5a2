"""A number is the same on Overview and Classes, in report, command line and JSON, and behind a share link."""

import json
import re

import pytest

from command.score import write_report
from data.sharing import share
from export.measurement import measure_evaluation
from export.numbers import head, scored_numbers
from export.report.page import html_report
from tests.opened_pages import lenses, open_page
from tests.opened_runs import open_run
from text.numbers import number

LENSES = {
    "Recall": "recall", "Precision": "precision", "Accuracy": "accuracy", "ROC AUC": "roc_auc",
    "Macro F1": "macro_f1_supported", "Subset accuracy": "subset_accuracy", "Per-label accuracy": "per_label_accuracy",
}  # fmt: skip


def rounds_to(shown: str, value: float) -> bool:
    """Return whether a shown number is the value, to its digits."""
    share = shown.endswith("%")
    written = shown.removesuffix("%").strip()
    digits = len(written.partition(".")[2])
    return abs(float(written) - value * (100 if share else 1)) <= 0.5 * 10**-digits + 1e-9


def plain_text(html: str) -> str:
    return re.sub(r"(\s*<[^>]*>\s*)+", "|", re.sub(r"(?s)<(style|script|svg).*?</\1>", "", html))


@pytest.mark.parametrize("sample", ["screening", "digits", "support-intents", "support-intents-llm", "movie-genres"])
def test_every_place_shows_the_same_numbers(sample):
    evaluation = open_run(sample)
    numbers = json.loads(json.dumps(scored_numbers(measure_evaluation(evaluation)), default=str))
    shown = lenses(open_page("overview", run=sample))
    checked = [name for name in shown if name in LENSES]
    assert len(checked) >= 2 and all(rounds_to(shown[name], numbers[LENSES[name]]) for name in checked), shown
    if "Never predicted" in shown:
        assert shown["Never predicted"] == str(len(numbers["never_predicted"]))
    if "No label found" in shown:
        assert rounds_to(shown["No label found"], numbers["n_unparsed"] / numbers["n_scored"])
    parts = {
        part.proto.component_name: part.proto.json for part in open_page("classes", run=sample).get("bidi_component")
    }
    rows = json.loads(parts["blindspot_class_table"])["rows"]
    assert len(rows) == len(numbers["per_class"])
    for code, name, *rates, support, predicted, _ in rows:
        own = numbers["per_class"][evaluation.labels[code]]
        assert (support, predicted) == (own["support"], own["predicted"]), name
        for rate, (text, value, *_) in zip(("f1", "precision", "recall"), rates, strict=True):
            if own[rate] is None or own[rate] != own[rate]:
                assert value is None or text == "undefined"
            else:
                assert value == pytest.approx(own[rate], abs=1e-6) and rounds_to(text, own[rate]), (name, rate)
    report, lines = plain_text(html_report(evaluation).decode()), write_report(evaluation, numbers)
    for key, title in head(numbers):
        assert f"|{title}|{number(numbers[key], 4)}|" in report, title
        assert re.search(rf"^{re.escape(title)} +{re.escape(number(numbers[key], 4))}", lines, re.MULTILINE), title
    token = share.share(sample, counts_only=True).token
    assert lenses(open_page("overview", run=token)) == shown
