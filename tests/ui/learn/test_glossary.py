"""The glossary explains what stands in its formulas."""

import pytest

from data.runs import load
from metrics.catalogue.registry import NOTATION, REGISTRY, ROWS
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_file, open_run
from ui.learn.glossary_search import _TOPICS, find_metrics


@pytest.mark.parametrize("view", [{}, {"run": "screening"}])
def test_every_symbol_is_explained(tmp_path, monkeypatch, view):
    monkeypatch.setenv("BLINDSPOT_STORE", str(tmp_path))
    app = open_page("glossary", **view)
    assert not app.exception
    assert all(f"${symbols}$: {words}" in texts(app) for symbols, words in NOTATION.items())


def test_every_metric_has_definition_of_one_sentence():
    definitions = [metric.definition for metric in ROWS]
    assert all(text.endswith(".") and text.count(". ") == 0 for text in definitions)
    assert max(len(text.split()) for text in definitions) <= 20


def test_definition_stands_before_formula():
    app = open_page("glossary", q="evenness")
    (entry,) = app.expander
    assert REGISTRY["binary", "normalised_entropy"].definition in entry.label and "s_k" in entry.markdown[0].value


def test_old_name_of_a_metric_finds_it():
    app = open_page("glossary", q="matthews_correlation")
    assert app.expander[0].label.startswith("**Matthews correlation (MCC)**")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("imbalanced", "Balanced accuracy"), ("class imbalance", "Balanced accuracy"), ("support", "Support"),
        ("accuracy paradox", "Majority-class accuracy"), ("PR AUC", "Average precision"), ("roc", "ROC AUC"),
        ("macro f1 sklearn", "Macro F1 over classes seen in truth or prediction"), ("ap", "Average precision"),
        ("recall", "Recall (sensitivity, true positive rate)"), ("false alarm", "False positive rate"),
        ("type II error", "Recall (sensitivity, true positive rate)"), ("iou", "Jaccard index of one class"),
        ("confidence", "Expected calibration error (ECE), adaptive"), ("top-k", "Top-2 accuracy"),
        ("zero_division", "Macro precision over classes seen in truth or prediction"), ("f1", "F1"),
    ],
)  # fmt: skip
def test_topic_finds_its_metric_first(text, title):
    assert find_metrics(ROWS, text)[0].title == title


def test_topics_are_those_of_metrics():
    assert not set(_TOPICS) - {metric.key for metric in ROWS}


def test_search_draws_this_kind_of_file_first(own_store):
    app = open_page("glossary", run="movie-genres", q="macro f1")
    assert "over labels" in app.expander[0].label and not app.header


def test_number_of_one_class_has_its_interval(own_store):
    app = open_page("glossary", run="screening", q="informedness")
    assert "95 % interval" in texts(app), texts(app)


def test_metric_of_other_files_says_so(own_store):
    assert "The metric is for binary files." in texts(open_page("glossary", run="digits", q="partial_auc"))


def test_weights_leave_value_and_interval(own_store, tmp_path):
    rows = [f"{'ab'[i % 2]},{'ab'[(i // 3) % 2]},{1 + i % 4}" for i in range(60)]
    path = tmp_path / "p.csv"
    path.write_text("\n".join(["label,prediction,weight", *rows]))
    run = keep_file(path, load.Given(weights="weight"))
    assert open_run(run).units is not None
    app = open_page("glossary", run=run, q="matthews_correlation")
    assert "95 % interval" in texts(app) and "lacks" not in texts(app)
    total, right = (sum(1 + i % 4 for i in range(60) if i % 2 == (i // 3) % 2 or every) for every in (True, False))
    said = texts(app)
    assert rf"{total} \cdot {right} - " in said and "each row counted by its weight" in said


def test_first_entry_of_the_glossary_is_open():
    app = open_page("glossary", run="digits")
    assert [len(box.markdown) > 0 for box in app.expander] == [True] + [False] * (len(ROWS) - 1)
