"""Classes: each class's precision, recall and F1, the worst first, and the classes that never show up."""

from ui.classes import class_numbers, classes
from ui.frame import loaded
from ui.frame.heading import heading

evaluation = loaded.need_predictions("This page shows precision, recall and F1 of each class.")
heading(class_numbers.title(evaluation))
classes.explore(evaluation)
