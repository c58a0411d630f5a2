"""Export: the numbers and pictures as files, for those who cannot reach the server."""

from ui.compare import report_part
from ui.frame import loaded
from ui.frame.heading import heading
from ui.share import exporting
from ui.slices import report_parts
from ui.thresholds import rule_in_force

evaluation = loaded.need_evaluation("A report, every number, tables and pictures as files that need no server.")
heading(*exporting.head(evaluation))

offered = [*report_part.offer_comparison(evaluation), *report_parts.offer_slices(evaluation)]
exporting.panel(evaluation, rule_in_force.chosen_in_view(), offered)
