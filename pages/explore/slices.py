"""Slices: the parts of the rows on which the model is worse."""

from ui.frame import loaded
from ui.slices import page

evaluation = loaded.need_predictions("Slices show on which parts of the rows the model is worse.")
page.draw(evaluation)
