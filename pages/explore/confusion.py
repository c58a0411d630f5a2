"""Confusion: which classes are predicted as which others."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.matrix import matrix, one_label

evaluation = loaded.need_predictions("The confusion matrix shows which classes are predicted as which others.")

if evaluation.task == "multilabel":
    heading(one_label.title(evaluation))
    one_label.choose_label(evaluation)
    one_label.explore(evaluation)
else:
    matrix.explore(evaluation, heading(matrix.title(evaluation)))
