"""At other shares of the classes: they stand in the link, and what does not fit the file is said."""

import numpy as np
import pytest

from export.deciding.priors_result import priors_result
from export.measurement import measure
from tests.opened_pages import open_page, shown_tables, texts
from tests.opened_runs import open_run


def opened(run="digits", **query):
    return open_page("thresholds", run=run, tab="choose", by="priors", **query)


def test_shares_of_the_link_are_used():
    """They are scaled to a sum of 1; the second line is what the probabilities take for granted."""
    parts = np.arange(1.0, 11.0), np.full(10, 2.0)
    app = opened(priors=";".join(",".join(f"{part:g}" for part in line) for line in parts))
    result = priors_result(measure(open_run("digits")), *(line / line.sum() for line in parts))
    assert app.title[0].value.replace("\N{NO-BREAK SPACE}", " ") == result.sentences[0][0].removesuffix(".")
    assert shown_tables(app)["Shares of the classes"][9][2]["text"] == "18.2 %"
    app.button(key="priors.estimate").click().run()
    assert "priors" not in app.query_params
    assert "estimated from the probabilities of all rows here: 899" in texts(app)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"priors": "1,2,3"}, "The shares in the link are of another number of classes"),
        ({"priors": "1,x"}, "Ignored priors=1,x in the link"),
        ({"run": "screening"}, "Shares need three to 20 classes"),
    ],
)
def test_shares_that_do_not_fit_are_said(query, said):
    assert said in texts(opened(**query))
