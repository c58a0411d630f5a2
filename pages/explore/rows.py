"""Rows: the rows behind any number, the most confident mistakes first."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.rows import left_out, row_filters, rows_behind

evaluation = loaded.need_predictions("This page shows the rows behind any number.")

which = row_filters.rows_in_view(evaluation)
heading(rows_behind.title(evaluation, which))
if left_out.rows_left_out(evaluation):
    left_out.note(evaluation)
else:
    rows_behind.listing(evaluation, which)
