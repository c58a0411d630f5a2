"""Share the view on screen: make a link that a colleague opens, and say what has to be known about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from data.columns.weight_columns import USED
from data.comparison.run_names import PART, RUN, read_runs
from data.errors import DataError
from data.evaluation import Evaluation
from data.limits import MAX_TITLE_CHARS
from data.samples import is_sample
from data.sharing import quota, share
from data.sharing.comparison import holds_uploads
from data.store import links
from text.numbers import count, number
from text.visible import show
from ui.person import people
from ui.share import drafts, made_link
from ui.share.made_link import Made
from ui.text.copy_button import to_copy
from ui.text.local_time import moment, time_left
from ui.text.markdown import md, percent
from ui.text.messages import Asked, refuse, refuse_error
from ui.view import measurement, open_runs, state, url
from ui.view.address import address, audience, link_address, opens_for_anyone, page_address, write_query

_ASKED = Asked("share.open")
_KINDS = {
    "all": ("Everything", "Numbers, pictures, and every row with all its columns."),
    "columns": ("Without some columns", "Rows can be read, but not the columns you name."),
    "rows": ("Numbers only", "Every number and picture; no row can be read or downloaded."),
}
_NOT_HIDDEN = ("truth", "prediction", "score", "highest score")
"""Roles whose columns the numbers are made of."""
_NAMED = 5
"""So many hidden columns are named."""


class Wanted(NamedTuple):
    """The choices for a new link: its title, how long it lasts, and what it leaves out.

    keep : where columns are hidden, those of every run that a person saw and left in.
    preview : whether a chat shows title and picture where the link's page is pasted.
    """

    title: str
    days: int
    hide: tuple[str, ...] = ()
    counts_only: bool = False
    keep: tuple[str, ...] = ()
    preview: bool = False

    def left_out(self) -> str:
        """Say what is left out, as Markdown; empty = nothing."""
        if self.counts_only:
            return "The rows: no row can be read or downloaded."
        if not self.hide:
            return ""
        named = ", ".join(md(name, 30) for name in self.hide[:_NAMED])
        more = f" and {len(self.hide) - _NAMED:,} more" if len(self.hide) > _NAMED else ""
        return f"{count(len(self.hide), 'column')} ({named}{more})."


def button(page: str, *, beside: Callable[[], None] = lambda: None) -> None:
    """Draw the button that shares the view on screen, in the bar at the top of every page.

    beside : draws what stands in front of it.
    """
    with st.container(
        key="share", width="content", horizontal=True, vertical_alignment="center", wrap=False, gap="small"
    ):
        st.caption(drafts.name_link(url.get("run")), width="content")
        beside()
        st.button(
            "Share", key="share.button", type="primary", icon=":material/share:", on_click=_ASKED.open, args=(page,)
        )
    if made_link.is_shown():  # on whatever page
        _ASKED.close()
        made_link.show()
    elif _ASKED.is_open(page):
        _share_view(page)
    else:  # the browser's Back closes it
        _ASKED.close()


@st.dialog("Share this view", icon=":material/share:", on_dismiss=_ASKED.close)
def _share_view(page: str) -> None:
    """Make a link to what is on screen; where there is one already, show it with the view on screen."""
    run = url.get("run")
    page = "overview" if page == "links" else page
    query = write_query({name: url.get(name) for name in url.PARAMETERS}, page)
    try:
        evaluation = state.evaluation()
        link = links.open_link(run) if evaluation is not None and not is_sample(run) else None
    except DataError as error:
        refuse_error(error)
        return
    opens_by_itself = link is None or link.kind == "share"
    if evaluation is None or (opens_by_itself and not holds_uploads(query.get("with", ""))):
        _same_link(address(page, query), run, link)
        return
    query.pop("run", None)
    wanted = _ask([evaluation, *other_runs(query.get("with", ""))])
    if wanted is not None:
        make(run, evaluation, wanted, [links.View(page, query)])


def _same_link(link_address: str, run: str, link: links.Link | None) -> None:
    """Show the address, which is the link already."""
    if link is not None:
        st.markdown("This is a shared link already. This is its address with the view on your screen:")
    elif run:
        st.markdown("This is a built-in sample, so this address is the link to the view on your screen:")
    else:
        st.markdown("No file is open, so the address of this page is the link:")
    to_copy(link_address, "link", primary=True)
    made_link.fact("group", "Who can see it", audience() if link else "Anyone who reaches this server.")
    made_link.warn_if_local()
    made_link.fact("schedule", "Expires", f"on {moment(link.ends)}, {time_left(link.ends)}." if link else "Never.")


def other_runs(text: str) -> list[Evaluation]:
    """Return the runs of other files that an address compares with; those that cannot be opened show nothing."""
    evaluations = []
    for run in read_runs(text):
        if run.kind == RUN:
            evaluations.append(open_runs.evaluation_of(run.name))
        elif run.kind == PART:
            parts = open_runs.draft(url.get("run")).others
            evaluations += [open_runs.evaluate_draft(part) for part in parts[int(run.name) : int(run.name) + 1]]
    return [evaluation for evaluation in evaluations if evaluation is not None]


def _ask(runs: Sequence[Evaluation]) -> Wanted | None:
    """Ask for the link's title, its last day and what it leaves out; None until that is settled.

    runs : the one that is shared, and those of other files that it is compared with.
    """
    title = st.text_input(
        "Title", key="share.title", max_chars=MAX_TITLE_CHARS, placeholder="What this is, in your words (optional)"
    )
    days = choose_days("Days until the link expires", key="share.days")
    left_out = choose_left_out(runs, key="share")
    st.caption("The link keeps the data and the settings as they are now. A later change needs another link.")
    preview = opens_for_anyone() and st.checkbox(
        "Show title and picture where its page is pasted",
        key="share.preview",
        help="A chat then shows the finding, three numbers and the matrix to everybody in it.",
    )
    settled = st.button(
        "Make the link",
        key="share.make",
        type="primary",
        icon=":material/add_link:",
        width="stretch",
        disabled=left_out is None,
    )
    if left_out is None or not settled:
        return None
    return left_out._replace(title=title.strip(), days=days, preview=preview)


def choose_left_out(runs: Sequence[Evaluation], *, key: str) -> Wanted | None:
    """Ask what a link leaves out; None until the columns are named.

    runs : those that the link shows.
    """
    kind = st.radio(
        "The link shows",
        list(_KINDS),
        key=f"{key}.kind",
        format_func=lambda name: _KINDS[name][0],
        captions=[caption for _, caption in _KINDS.values()],
    )
    hide = _choose_columns(runs, key) if kind == "columns" else []
    if kind == "columns" and not hide:
        return None
    keep = {role.column for run in runs for role in run.receipt.roles}.difference(hide)
    return Wanted("", links.DEFAULT_DAYS, tuple(hide), kind == "rows", tuple(sorted(keep)))


def choose_days(title: str, *, key: str) -> int:
    """Ask after how many days a link expires."""
    days = st.segmented_control(title, links.DAYS, key=key, default=links.DEFAULT_DAYS, required=True, format_func=str)
    return days or links.DEFAULT_DAYS


def _choose_columns(runs: Sequence[Evaluation], key: str) -> list[str]:
    """Ask for columns to hide, of those of every run that no number is made of."""
    roles = [role for run in runs for role in run.receipt.roles]
    needed = {role.column for role in roles if role.role.startswith(_NOT_HIDDEN) or role.role == USED}
    names = [name for name in dict.fromkeys(role.column for role in roles) if name not in needed]
    return st.multiselect(
        "Columns to hide",
        names,
        key=f"{key}.hide",
        format_func=lambda name: show(name, 60),
        placeholder="Choose columns" if names else "Every column is needed for the numbers",
    )


def make(
    run: str,
    evaluation: Evaluation,
    wanted: Wanted,
    views: Sequence[links.View],
    about: str = "",
) -> None:
    """Make a link and have it shown, or say why it cannot be made.

    about : a sentence about what the link opens.
    """
    try:
        with st.spinner("Making the link …"):
            shared = _share(run, evaluation, wanted, views)
            ends = links.open_link(shared.token).ends
    except DataError as error:
        refuse(str(error), title="The link could not be made")
        return
    early = ends < shared.ends  # with what it stems from
    shown = shared._replace(ends=ends)
    shown_address = link_address(shared.token, shared.views)
    page = page_address(shared.token)
    made_link.keep(Made(shown, shown_address, wanted.days, wanted.title, early, wanted.left_out(), about, page))
    _ASKED.close()
    st.rerun()


def _share(run: str, evaluation: Evaluation, wanted: Wanted, views: Sequence[links.View]) -> links.Shared:
    quota.take(people.usage_name())
    return share.share(
        run,
        days=wanted.days,
        title=wanted.title,
        views=views,
        hide=wanted.hide,
        keep=wanted.keep if wanted.hide else None,
        counts_only=wanted.counts_only,
        headline=headline(evaluation),
        person=people.person(),
        preview=wanted.preview,
    )


def headline(evaluation: Evaluation) -> tuple[tuple[str, str], ...]:
    """Return (name, number as text) for the list of shared links."""
    size = ("Rows", f"{evaluation.n_rows:,}")
    if not evaluation.n_scored:
        return (size,)
    measured = measurement.measure(evaluation)
    if evaluation.task == "multilabel":
        return (
            size,
            ("Subset accuracy", percent(measured.number("subset_accuracy").value)),
            ("Per-label accuracy", percent(measured.number("per_label_accuracy").value)),
        )
    if evaluation.positive is not None:
        return (size, ("Recall", number(measured.value("recall"))), ("Precision", number(measured.value("precision"))))
    accuracy = percent(measured.number("accuracy").value)
    return (size, ("Accuracy", accuracy), ("Macro F1", number(measured.value("macro_f1_supported"))))
