"""Confusion: which classes are taken for which others."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.matrix import matrix, one_label
from ui.thresholds import own_scale

evaluation = loaded.need_evaluation("The confusion matrix shows which classes are taken for which others.")
heading("Confusion")
own_scale.need_predictions(evaluation)

if evaluation.task == "multilabel":
    one_label.explore(evaluation)
else:
    matrix.explore(evaluation)
