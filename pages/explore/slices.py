"""Slices: the parts of the rows on which the model is worse."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.slices import page
from ui.thresholds import own_scale

evaluation = loaded.need_evaluation("Slices show on which parts of the rows the model is worse.")
if not evaluation.has_predictions:
    heading("Slices: nothing is predicted yet")
own_scale.need_predictions(evaluation)
page.draw(evaluation)
