"""Open: bring a predictions file or a sample; say which column is what where that was not found."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.open import opening, reading, sources
from ui.person import people
from ui.view import url

heading(opening.title(), beside=opening.draw_way_out)
opening.tell_problems()
run = opening.run_in_view()
evaluation = None if run is None else opening.evaluation_in_view(run)
if run is not None and evaluation is not None:
    opening.draw_open_file(evaluation)
    if not evaluation.n_scored or url.get("step"):  # a step of a review made of this page
        reading.panel(run, evaluation)
if run is None or (evaluation is not None and people.may_change()):
    sources.on_this_server()
    opening.draw_upload()
    loaded.sample_cards()
