"""Overview: the most important finding, the numbers as lenses, and what they hide as ranked findings."""

from functools import partial

from metrics.findings.worst_parts import NO_PARTS
from ui.frame import loaded, run_progress
from ui.frame.heading import heading
from ui.open import reading
from ui.open.labels import naming
from ui.overview import epochs, labels_per_row
from ui.overview.finding_list import lenses, not_searched_line, overview_block, title_of
from ui.rows import left_out
from ui.slices import worst_parts
from ui.thresholds import rule_in_force

evaluation = loaded.need_evaluation("The overview says what a file's accuracy hides.")
parts = worst_parts.known_parts(evaluation)
findings = rule_in_force.ranked_findings(evaluation, NO_PARTS if parts is None else parts)
heading(title_of(evaluation, findings), beside=partial(naming.button, evaluation))
run_progress.line(evaluation)
reading.line(evaluation)
left_out.note(evaluation)
epochs.section(evaluation)
overview_block(evaluation, lenses(evaluation), findings)
not_searched_line(parts or NO_PARTS)
if evaluation.has_predictions and evaluation.task == "multilabel":
    labels_per_row.section(evaluation)
worst_parts.complete(evaluation, parts)
