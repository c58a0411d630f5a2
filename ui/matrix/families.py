"""Draw the families of labels below the matrix; a click on one shows its wrong rows."""

from __future__ import annotations

from collections.abc import Callable

from data.evaluation import Evaluation
from data.rows.selection import Which
from export.evaluation.family_result import families_result, group_codes
from ui.view import measurement
from ui.view.result_table.result_table import Line, draw_table


def draw_families(evaluation: Evaluation, chosen: Which, put: Callable[[Which], None]) -> None:
    """Draw the numbers of each family, and how many wrong rows stay within it."""
    rows = [Which(codes, only="errors") for codes in group_codes(evaluation).values()]
    opened = str(rows.index(chosen)) if chosen in rows else ""
    for table in families_result(measurement.measure(evaluation)).tables:
        draw_table(
            table, key="confusion.families", axes={}, opened=opened,
            lines=[Line(str(place)) for place in range(len(rows))],
            on_choose=lambda place: put(rows[int(place)]),
        )  # fmt: skip
