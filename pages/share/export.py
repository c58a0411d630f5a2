"""Export: the numbers and pictures as files, for those who cannot reach the server."""

from ui.agreement.report_part import offer_agreement
from ui.compare.report_part import offer_comparison
from ui.frame import loaded
from ui.frame.heading import heading
from ui.share import exporting
from ui.slices import worst_parts
from ui.slices.report_parts import offer_slices
from ui.thresholds import own_scale, rule_in_force
from ui.thresholds.deployment.report_part import offer_decision
from ui.view import state

evaluation = loaded.need_evaluation("A report, every number, tables and pictures as files that need no server.")
heading(*exporting.head(evaluation))

original = own_scale.evaluation_for_thresholds(state.original() or evaluation)
offered = [
    *offer_decision(original),
    *offer_comparison(evaluation),
    *offer_slices(evaluation),
    *offer_agreement(evaluation),
]
exporting.panel(evaluation, rule_in_force.chosen_in_view(), offered, worst_parts.worst_parts)
