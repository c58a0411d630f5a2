"""Of many pairs of labels the table shows the first and says so; the JSON and the CSV hold all of them."""

import pytest

from export.evaluation.label_sets_result import LISTED_SWAPS, list_swaps, swaps_result
from export.measurement import measure
from export.tables import swap_table
from tests.export.recompute.test_prepared import sets, weighted
from tests.opened_runs import open_run


def test_table_lists_first_pairs_of_all():
    measured = measure(open_run("movie-genres"))
    every = list_swaps(measured)
    (table,) = swaps_result(measured).tables
    assert len(every) == len(swap_table(measured)) == 54 > LISTED_SWAPS == len(table.rows)
    assert [cells[2].n for cells in table.rows] == [pair["rows"] for pair in every[:LISTED_SWAPS]]
    assert "The first 20 of 54 pairs" in "".join(map(str, table.note))


def test_pairs_have_the_weight_of_their_rows():
    """Each weight is the sum over rows, and each share that of all rows in which the label was missed."""
    e = weighted(sets())
    measured, weights = measure(e), e.units * e.unit
    (table,) = swaps_result(measured).tables
    every = list_swaps(measured)
    for pair, cells in zip(every, table.rows, strict=True):
        true, pred = e.labels.index(pair["missed"]), e.labels.index(pair["predicted"])
        missed = e.y_true[:, true] & ~e.y_pred[:, true] & (weights > 0)
        both = missed & e.y_pred[:, pred] & ~e.y_true[:, pred]
        assert pair["rows"] == both.sum() and pair["weight"] == pytest.approx(weights[both].sum())
        assert cells[-1].value == pytest.approx(weights[both].sum() / weights[missed].sum())
    assert swap_table(measured)["weight"].tolist() == [pair["weight"] for pair in every]
    assert "weight" not in swap_table(measure(sets()))
