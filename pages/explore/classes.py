"""Classes: each class's precision, recall and F1, and the classes that never show up."""

from ui.classes import classes
from ui.frame import loaded
from ui.frame.heading import heading
from ui.rows import left_out
from ui.thresholds import own_scale
from ui.view import url

evaluation = loaded.need_evaluation("Here each class has its own precision, recall and F1.")
heading("Classes")
own_scale.need_predictions(evaluation)

table = classes.table_of(evaluation)
classes.three_lists(evaluation)
if not url.get("class"):  # the rows of a class say it themselves
    left_out.note(evaluation)
classes.table(evaluation, table)
classes.averages_table(evaluation)
classes.one_class(evaluation)
if evaluation.task == "multilabel":
    classes.label_bars(evaluation)
