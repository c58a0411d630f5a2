"""What a view is called before a person calls it something: the page, and what stands out of it or was chosen on it."""

from __future__ import annotations

from textwrap import shorten

from data.evaluation import Evaluation
from text.visible import show
from ui.overview.finding_places import place_of
from ui.thresholds import rule_in_force
from ui.view import state, url
from ui.view.pages import page_title

_LISTS = {
    "never": "classes that are never predicted",
    "absent": "classes without true rows",
    "never_true": "predicted labels that are never true",
    "outside": "labels outside the label space",
    "low": "classes with few true rows",
}
_ONLY = {
    "errors": "the wrong rows",
    "correct": "the right rows",
    "unparseable": "unparseable answers",
    "missing": "rows without truth or prediction",
    "tp": "true and predicted",
    "fp": "predicted but not true",
    "fn": "true but not predicted",
    "tn": "neither true nor predicted",
}


def proposed(page: str, evaluation: Evaluation, limit: int) -> str:
    """A title for the view on screen, as plain text; labels in it are made visible."""
    chosen = {"confusion": _chosen_rows, "rows": _chosen_rows, "classes": _class, "thresholds": _threshold}.get(page)
    said = (chosen() if chosen else "") or _finding(page, evaluation)
    return shorten(show(f"{page_title(page)}: {said}" if said else page_title(page), None), limit, placeholder=" …")


def _finding(page: str, evaluation: Evaluation) -> str:
    """The first sentence of what stands out most on a page; the overview shows all that stands out."""
    found = [one for one in rule_in_force.found(evaluation) if page in ("overview", place_of(evaluation, one).page)]
    return found[0].sentence(_quoted).partition(". ")[0].rstrip(".") if found else ""


def _chosen_rows() -> str:
    parts = [_ONLY.get(url.get("only"), "")]
    parts += [f"truth {_quoted(url.get('true'))}"] if url.get("true") else []
    parts += [f"predicted {_quoted(url.get('pred'))}"] if url.get("pred") else []
    parts += [f"row {url.get('row'):,}"] if url.get("row") else []
    return ", ".join(filter(None, parts))


def _class() -> str:
    return _quoted(url.get("class")) if url.get("class") else _LISTS.get(url.get("list"), "")


def _threshold() -> str:
    threshold = state.threshold_in_view()
    parts = [_quoted(url.get("class"))] if url.get("class") else []
    parts += [] if threshold is None else [f"score >= {threshold:.6g}"]
    return ", ".join(parts)


def _quoted(label: str) -> str:
    return f"'{show(label, 40)}'"
