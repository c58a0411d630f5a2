"""Of many pairs of labels the table shows the first and says so; the JSON and the CSV hold all of them."""

from export.evaluation.label_sets_result import LISTED_SWAPS, list_swaps, swaps_result
from export.measurement import measure
from export.tables import swap_table
from tests.opened_runs import open_run


def test_table_lists_first_pairs_of_all():
    measured = measure(open_run("movie-genres"))
    every = list_swaps(measured)
    (table,) = swaps_result(measured).tables
    assert len(every) == len(swap_table(measured)) == 54 > LISTED_SWAPS == len(table.rows)
    assert [cells[2].n for cells in table.rows] == [pair["rows"] for pair in every[:LISTED_SWAPS]]
    assert "The first 20 of 54 pairs" in "".join(map(str, table.note))
