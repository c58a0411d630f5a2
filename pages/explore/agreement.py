"""Agreement: how far several raters agree, people and models, and what a judge among them is worth."""

from ui.agreement import agreement
from ui.frame import loaded

what = "This page shows how far several raters agree, people and models."
agreement.explore(loaded.need_evaluation(what, scored=False))
