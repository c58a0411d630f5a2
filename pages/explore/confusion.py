"""Confusion: which classes are predicted as which others."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.matrix import matrix, one_label, standouts
from ui.thresholds import own_scale

evaluation = loaded.need_evaluation("The confusion matrix shows which classes are predicted as which others.")
if not evaluation.has_predictions:
    heading("Confusion: nothing is predicted yet")
own_scale.need_predictions(evaluation)

if evaluation.task == "multilabel":
    heading(one_label.title(evaluation))
    one_label.choose_label(evaluation)
    one_label.explore(evaluation)
else:
    heading(standouts.title(evaluation))
    matrix.explore(evaluation)
