"""Export: the numbers and pictures as files, for those who cannot reach the server."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.share import exporting
from ui.thresholds import rule_in_force

evaluation = loaded.need_evaluation("A report, every number, tables and pictures as files that need no server.")
heading(*exporting.head(evaluation))

exporting.panel(evaluation, rule_in_force.chosen_in_view())
