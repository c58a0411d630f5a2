"""Every order is the one that Python's own sort gives, and loses no row."""

import math

import numpy as np
import pytest

from data.rows.label_issues import find_label_issues
from data.rows.near_duplicates import find_near_duplicates, find_text_columns
from data.rows.order import ORDERS, list_orders, order_rows
from data.rows.row_scores import confidence, loss, margin
from tests.data.few_rows import BINARY, EVERY, LOGIT, MANY, RAW, SCORED_SETS, SETS, cells, evaluate

ROWS = {name: np.random.default_rng(0).permutation(e.n_rows) for name, e in EVERY.items()}
TEXTS = evaluate(
    {
        "y_true": list("abaabb"),
        "y_pred": list("aaaaab"),
        "text": ["where is my card", "hello there", "close it now", "Hello,  there!", "CLOSE IT NOW", "hello there"],
    }
)


def by_value(rows, values, sign):
    """Sorted by Python, which is stable; what is undefined stays behind."""
    known = [(row, value) for row, value in zip(rows.tolist(), values.tolist(), strict=True)]
    defined = sorted((pair for pair in known if not math.isnan(pair[1])), key=lambda pair: sign * pair[1])
    return [row for row, _ in defined] + [row for row, value in known if math.isnan(value)]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(("by", "values", "sign"), [("sure", confidence, -1), ("unsure", confidence, 1),
                                                    ("margin", margin, 1), ("loss", loss, -1)])  # fmt: skip
def test_numeric_order_puts_undefined_last(name, by, values, sign):
    e, rows = EVERY[name], ROWS[name]
    found = values(e, rows)
    wanted = rows.tolist() if found is None else by_value(rows, found, sign)
    assert order_rows(e, rows, by).tolist() == wanted
    assert (by in list_orders(e)) == (found is not None)


@pytest.mark.parametrize("name", EVERY)
def test_mistakes_come_first_in_each_the_most_confident(name):
    e, rows = EVERY[name], ROWS[name]

    def rank(i):
        truth, answer = cells(e, i)
        kind = 2 if not e.scored[i] else int(truth == answer)
        if e.task == "multilabel":
            return kind, -len(truth ^ answer)
        sure = confidence(e, np.array([i]))
        return kind, 0 if sure is None else math.inf if math.isnan(sure[0]) else -sure[0]

    assert order_rows(e, rows).tolist() == sorted(rows.tolist(), key=rank)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("by", ORDERS)
def test_every_order_keeps_the_rows_it_is_given(name, by):
    e, rows = EVERY[name], ROWS[name][1:]
    before = rows.copy()
    columns = find_text_columns(e)
    found = {"issues": find_label_issues(e), "twins": find_near_duplicates(e, columns[0]) if columns else None}
    assert sorted(order_rows(e, rows, by, **found).tolist()) == sorted(rows.tolist())
    assert rows.tolist() == before.tolist(), "the rows that were given are not changed"
    assert order_rows(e, np.array([], dtype=np.int64), by, **found).tolist() == []


def test_the_order_of_the_file_is_ascending():
    assert order_rows(MANY, np.array([4, 0, 2]), "file").tolist() == [0, 2, 4]


def test_likely_label_errors_come_first():
    e = evaluate({"y_true": list("aaabbb"), "p": [0.1, 0.95, 0.2, 0.9, 0.85, 0.05]}, None)
    issues = find_label_issues(e)
    assert issues is not None and sorted(issues.rows.tolist()) == [1, 5]
    rows = np.array([4, 5, 0, 1, 3])
    wanted = [*issues.rows.tolist(), 4, 0, 3]
    assert order_rows(e, rows, "issue", issues=issues).tolist() == wanted
    assert "issue" not in list_orders(RAW) and order_rows(RAW, np.array([2, 1]), "issue").tolist() == [2, 1]


def test_greatest_doubt_places_a_row():
    issues = find_label_issues(SCORED_SETS)
    rows = np.arange(6)
    first = list(dict.fromkeys(issues.rows.tolist()))
    wanted = first + [row for row in rows.tolist() if row not in first]
    assert order_rows(SCORED_SETS, rows, "issue", issues=issues).tolist() == wanted


def test_conflicting_duplicates_stand_first():
    assert "twin" in list_orders(TEXTS) and find_text_columns(TEXTS) == ["text"]
    twins = find_near_duplicates(TEXTS, "text")
    assert order_rows(TEXTS, np.arange(6), "twin", twins=twins).tolist() == [1, 3, 5, 2, 4, 0]
    assert order_rows(TEXTS, np.array([0, 4, 5, 2]), "twin", twins=twins).tolist() == [5, 2, 4, 0]
    assert order_rows(MANY, np.array([2, 1]), "twin").tolist() == [2, 1], "without texts nothing moves"


def test_only_the_orders_that_say_something_are_offered():
    assert list_orders(MANY) == ("", "file", "sure", "unsure", "margin", "loss", "issue")
    assert list_orders(LOGIT) == list_orders(MANY) and list_orders(SETS) == ("", "file")
    assert list_orders(SCORED_SETS) == ("", "file", "margin", "loss", "issue")
    assert set(list_orders(BINARY)) <= set(ORDERS)


def test_an_order_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="no order"):
        order_rows(MANY, np.arange(2), "worst")
