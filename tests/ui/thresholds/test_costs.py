"""Choose by a table of costs: it stands in the link, and what does not fit the file is said."""

import numpy as np
import pytest

from export.deciding.cost_result import costs_result
from export.measurement import measure
from tests.opened_pages import open_page, texts
from tests.opened_runs import keep_text, open_run


def opened(run="digits", **query):
    app = open_page("thresholds", run=run, tab="choose", by="costs", **query)
    assert not app.exception
    return app


def test_costs_of_the_link_are_counted():
    costs = np.arange(100.0).reshape(10, 10) * (1 - np.eye(10))
    app = opened(costs=";".join(",".join(f"{cost:g}" for cost in row) for row in costs))
    result = costs_result(measure(open_run("digits")), costs)
    assert app.title[0].value == result.sentences[0][0].removesuffix(".")
    assert result.sentences[2][0].split(": ")[1] in texts(app).replace("\N{NO-BREAK SPACE}", " ")


def test_class_may_have_a_reserved_name(tmp_path):
    run = keep_text(
        tmp_path / "p.csv", "truth,prediction,p_<b>\n" + "_index,_index,0.1\n<b>,_index,0.2\n<b>,<b>,0.9\n" * 9
    )
    assert opened(run).title[0].value.startswith("A row costs 0.33 (")


def test_first_costs_are_one_for_each_mistake():
    """An average of 1 a mistake is the error rate."""
    app = open_page("thresholds", run="digits", tab="choose")
    app.segmented_control(key="choices.way").set_value("costs").run()
    e = open_run("digits")
    assert app.title[0].value.startswith(f"A row costs {(e.y_true != e.y_pred).mean():.2g} (")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"costs": "0,1;1,0"}, "The costs in the link are of another number of classes"),
        ({"costs": "0,x;1,0"}, "Ignored costs=0,x;1,0 in the link"),
        ({"run": "movie-genres"}, "Costs need one predicted label in each row"),
    ],
)
def test_costs_that_do_not_fit_are_said(query, said):
    assert said in texts(opened(**query))


@pytest.mark.parametrize(
    ("by", "name"),
    [("costs", "Table of costs"), ("reject", "Rows left to people"), ("priors", "Other shares of classes")],
)
def test_report_offers_what_is_decided(by, name):
    app = open_page("export", run="digits", by=by)
    assert not app.exception and name in app.get("button_group")[0].options
