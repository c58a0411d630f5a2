"""Open what links name: drafts, and the evaluations built of them, each looked up once while a page is drawn."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from data import environment
from data.building.rescoring import with_parser
from data.errors import DataError
from data.evaluation import Evaluation
from data.parser.parser import Parser
from data.runs import draft_changes, load, understanding
from data.samples import is_sample
from data.store import links
from data.store.access import NotForYou
from ui.person import people
from ui.view import url
from ui.view.pages import FIRST, PAGES

_LOOKED_UP = "state.looked_up"
DRAWN = "open_runs.drawn"
"""The session's key of the run that the page last showed."""


@st.cache_resource(max_entries=16, ttl=12 * 3600, show_spinner="Reading the evaluation …")
def _sample(key: str) -> load.Draft:
    """Return a sample's draft; made anew twice a day, since no link keeps its table from being swept."""
    return load.draft_of(key)


def draft(run: str) -> load.Draft:
    """Return the draft of a run; looked up at every run of a page, so that a revoked link opens nothing."""
    if is_sample(run):
        return _sample(run)
    people.check(run)
    return load.draft_of(run)


@st.cache_resource(max_entries=environment.value("BLINDSPOT_KEPT"), show_spinner="Reading the evaluation …")
def _build(key: str, _draft: load.Draft, _evaluation: Evaluation | None = None) -> Evaluation:
    """Build the evaluation of a draft; one that was built already is kept as it is."""
    return understanding.open_draft(_draft) if _evaluation is None else _evaluation


def remember(draft: load.Draft, evaluation: Evaluation) -> None:
    """Keep what was built of a draft while its file was read, so that it is not built again to be shown."""
    _build(key_of(draft), draft, evaluation)


@st.cache_resource(max_entries=environment.value("BLINDSPOT_KEPT"), show_spinner="Reading the answers …")
def _read_again(key: str, _evaluation: Evaluation, _parser: Parser | None) -> Evaluation:
    """Read the answers by another parser. Streamlit keys the cache by what has no underscore: the key alone."""
    return with_parser(_evaluation, _parser)


def evaluate_draft(draft: load.Draft) -> Evaluation:
    """Return the evaluation of a draft; drafts that differ only in their parser share one table."""
    parser = draft.settings.parser
    base = draft_changes.change_parser(draft, draft.given.parser)
    if draft.problem or parser == base.settings.parser:
        return _build(key_of(draft), draft)
    try:
        built = _build(key_of(base), base)
    except DataError:  # the parser at first may read nothing where this one does
        return _build(key_of(draft), draft)
    return _build(key_of(draft), draft) if built.answers is None else _read_again(key_of(draft), built, parser)


def open_evaluation(run: str) -> Evaluation:
    """Return a run's evaluation; looked up once while a page is drawn."""
    looked_up: dict[str, Evaluation] = st.session_state.get(_LOOKED_UP, {})
    if run not in looked_up:
        evaluation = evaluate_draft(draft(run))
        if _LOOKED_UP not in st.session_state:  # a fragment or a callback: it keeps nothing
            return evaluation
        looked_up[run] = evaluation
    return looked_up[run]


def evaluation_of(run: str) -> Evaluation | None:
    """Return the evaluation of any run, as its file and settings say; None when it cannot be opened any more."""
    try:
        return open_evaluation(run)
    except DataError:
        return None


def problem(run: str) -> DataError | None:
    """Return why a run cannot be opened; None when it can."""
    try:
        open_evaluation(run)
    except DataError as error:
        return error
    return None


def evaluate_other(run: str) -> Evaluation:
    """Return the evaluation of another run than the page's.

    Raises
    ------
    DataError
        it cannot be opened, or not by whoever looks.
    """
    if not is_sample(run) and not people.may_open(run):
        raise NotForYou("This run opens for others only.")
    return evaluate_draft(draft(run))


def begin_run() -> None:
    """Forget what the page before has looked up: a link may have been taken back since."""
    st.session_state[_LOOKED_UP] = {}


def end_run() -> None:
    """Have fragments and callbacks look up for themselves; a run that was interrupted does not come here."""
    st.session_state.pop(_LOOKED_UP, None)
    _forget_controls()


def _forget_controls() -> None:
    """Forget controls of earlier pages: Streamlit keeps what they call, and so every evaluation that a tab showed."""
    context = get_script_run_ctx()
    assert context is not None
    state = context.session_state._state
    controls = state._new_widget_state
    drawn = context.shared.widget_ids_this_run.snapshot()
    # Streamlit reads the values of the others once more after the run, to keep some.
    for control in controls.widget_metadata.keys() - drawn - controls.states.keys() - state._old_state.keys():
        del controls.widget_metadata[control]


def forget_draft(draft: load.Draft) -> None:
    """Forget what was built of a draft, after it was deleted."""
    for made in (_read_again, _build):
        made.clear(key_of(draft))


def key_of(draft: load.Draft) -> str:
    """Key what is made of a draft in a cache."""
    return json.dumps(draft.to_json(), sort_keys=True)


def open_run(run: str) -> None:
    """Look at another evaluation: every choice that named something of the old one is dropped."""
    for name, parameter in url.PARAMETERS.items():
        if name not in ("norm", "order", "ci"):
            url.put(**{name: parameter.default})
    url.put(run=run)


def show_run(run: str) -> NoReturn:
    """Open a run: on Overview if it was opened on Open, on Open if it cannot be read, else on the page in view."""
    was_open = url.get("reading")
    open_run(run)
    url.put(reading=was_open)
    if url.page() == FIRST and _can_be_shown(run):
        st.switch_page(PAGES["overview"].script)
    if url.page() != FIRST and not draft(run).is_read:
        st.switch_page(PAGES[FIRST].script)
    st.session_state[DRAWN] = run  # the same file, read in another way: what stands on the page stays until it is drawn
    st.rerun()


def _can_be_shown(run: str) -> bool:
    """Return whether a run has scored rows."""
    evaluation = evaluation_of(run)
    return evaluation is not None and bool(evaluation.n_scored)


def is_open(run: str) -> bool:
    """Return whether a link still opens something; none ("") counts as open."""
    try:
        return not run or draft(run) is not None
    except DataError:
        return False


def run_in_view() -> str:
    """Return the link in view; "" where there is none, or no page has begun yet."""
    return str(st.session_state.get(url.VIEW, {}).get("run", ""))


def run_asked() -> str:
    """Return the link that this run of the page is to show: a click may have chosen another than the address says."""
    query = st.query_params.to_dict()
    clicked = not query or query == st.session_state.get(url.WRITTEN)
    return run_in_view() if clicked else query.get("run") or run_in_view()


def while_open(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return a file for a download button, made when it is asked for: not any more once the link in view was taken
    back.

    The browser may ask long after the page was drawn, and no page runs then.
    """
    run = run_in_view()

    def made() -> bytes:
        if run and not is_sample(run):
            links.open_link(run)
        return make()

    return made
