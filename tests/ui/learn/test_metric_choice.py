"""The page Choose a metric: questions beside answers, and the metric with this file's value."""

import pytest

from data.samples import SAMPLES
from metrics.catalogue.registry import REGISTRY
from metrics.findings.tables import count_scores
from tests.measured_numbers import numbers_of
from tests.opened_pages import open_page, texts
from tests.opened_runs import open_run


def test_open_question_is_asked_and_answered(own_store):
    app = open_page("choose", run="screening")
    assert app.title[0].value == "Answer one question to get your metric"
    assert app.pills(key="answer.task").value == "two" and "The file has two classes" in texts(app)
    app.pills(key="answer.probabilities").set_value("no").run()
    screening = open_run("screening")
    value = REGISTRY["binary", "average_precision"].function(count_scores(screening, screening.positive))
    found = "Precision-recall curve and average precision"
    assert app.title[0].value == f"Your metric: {found}, {value:.3f} on this file"
    assert app.metric[0].value == f"{value:.3f}" and "**What it hides.**" in texts(app)
    assert app.query_params["answers"] == "probabilities.no"


def test_answer_can_be_taken_back(own_store):
    app = open_page("choose", run="screening", answers="probabilities.no")
    app.pills(key="answer.probabilities").set_value(None).run()
    assert "answers" not in app.query_params and app.title[0].value.startswith("Answer one question")


def test_first_question_is_asked_without_file(own_store):
    app = open_page("choose")
    assert app.title[0].value == "Answer one question to get your metric"
    assert app.pills(key="answer.task").value is None and not app.metric
    assert "Why not accuracy?" in texts(app) and "over 3 times the rows of the smallest" in texts(app)


@pytest.mark.parametrize("sample", [one.key for one in SAMPLES if one.task != "multilabel"])
def test_accuracy_is_recommended_only_where_fair(sample):
    numbers = numbers_of(open_run(sample))
    support = [row["support"] for row in numbers["per_class"].values() if row["support"]]
    fair = (
        not numbers["never_predicted"]
        and max(support) <= (3 if numbers["task"] == "multiclass" else 0.65 / 0.35) * min(support)
        and numbers["accuracy"] - numbers["balanced_accuracy"] <= 0.05
    )
    app = open_page("choose", run=sample, answers="threshold.yes~costs.same~every_class.class")
    title = app.title[0].value
    assert title.startswith("Your metric: Accuracy") == fair, title
    assert ("**Why not accuracy?**" in texts(app)) == (not fair)
