"""Classes: each class's precision, recall and F1, the worst first, and the classes that never show up."""

from ui.classes import class_numbers, classes
from ui.frame import loaded
from ui.frame.heading import heading
from ui.thresholds import own_scale

evaluation = loaded.need_evaluation("This page shows precision, recall and F1 of each class.")
if not evaluation.has_predictions:
    heading("Classes: nothing is predicted yet")
own_scale.need_predictions(evaluation)
heading(class_numbers.title(evaluation))
classes.explore(evaluation)
