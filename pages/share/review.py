"""Review: chosen views in a row, with titles and notes, to walk through together."""

from ui.frame import loaded
from ui.frame.heading import heading
from ui.review import reviewing
from ui.view import url

evaluation = loaded.need_evaluation("Choose views, order them, and walk a group through them.")
heading(*reviewing.head(url.get("run")))

reviewing.arrange(evaluation)
