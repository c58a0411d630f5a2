"""Rows: the rows behind any number, the most confident mistakes first."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.rows import left_out, row_filters, rows_behind
from ui.thresholds import own_scale

evaluation = loaded.need_evaluation("The rows behind any number are shown here.")
heading("Rows")
own_scale.need_predictions(evaluation)

if left_out.rows_left_out(evaluation):
    left_out.counted_in_view(evaluation)
else:
    rows_behind.listing(evaluation, row_filters.filters(evaluation))
