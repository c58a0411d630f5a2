"""Put the other runs of a comparison into its share link: one link, one owner key, one end for all of them."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from data.comparison.row_groups import EACH_ROW
from data.comparison.run_names import PART, RUN, RunName, names_column, read_runs, write_runs
from data.errors import DataError
from data.evaluation import Evaluation
from data.runs import load
from data.runs.draft import Draft
from data.runs.tables import load_joined_table
from data.runs.understanding import open_with_table
from data.samples import is_sample
from data.sharing.redaction import redact_draft
from data.store import links
from text.quoting import quote

_WITHOUT_ROWS = "A link of numbers only cannot hold a comparison: its rows could not be joined. Keep the rows."

_LIKE_ANOTHER = (
    "The comparison reads all runs like another one than the file in view: open that one first, compare, then share."
)


def holds_uploads(text: str) -> bool:
    """Return whether runs, as an address names them, are uploads that only their own addresses open."""
    with contextlib.suppress(DataError):  # a run that opens nothing: the page says so
        return any(_is_upload(run) for run in read_runs(text))
    return False


class LeftOut(NamedTuple):
    """Columns and rows that a link leaves out.

    first : the evaluation that is shared, whole.
    read_alike : reads another run as the first one is read, of everything or of what was not said for it; returns what
        it took over, too. hide : columns of any run that were named.
    keep : columns of other runs that may stay besides those their numbers need.
    counts_only : whether every row is left out.
    """

    first: Evaluation
    read_alike: Callable[[Evaluation, bool], tuple[Evaluation, tuple[str, ...]]]
    hide: Sequence[str]
    keep: Collection[str]
    counts_only: bool


def hold_other_runs(
    draft: Draft, views: Sequence[links.View], left_out: LeftOut | None = None
) -> tuple[Draft, list[links.View]]:
    """Return the draft with the uploads that its views compare it with, and the views that name them there.

    Samples and shared links stay as they are named: they open by themselves, for whoever may open them.

    left_out : None = nothing is left out.

    Raises
    ------
    DataError
        a run opens nothing, is a copy of a shared link, or shows or needs what is left out.
    """
    held: dict[str, str] = {}
    others = _redact_held(draft, left_out)
    changed = []
    for view in views:
        runs = list(read_runs(view.query.get("with", "")))
        if runs and left_out is not None:
            _check_left_out(view, runs, left_out)
        for place, run in enumerate(runs):
            if not _is_upload(run):
                continue
            if run.name not in held:
                held[run.name] = str(len(others))
                others.append(_upload(run.name, view, left_out))
            runs[place] = RunName(PART, held[run.name])
        changed.append(replace(view, query={**view.query, "with": write_runs(runs)}) if runs else view)
    return dataclasses.replace(draft, others=tuple(others)), changed


def _is_upload(run: RunName) -> bool:
    return run.kind == RUN and not is_sample(run.name) and links.open_link(run.name).kind == "draft"


def _redact_held(draft: Draft, left_out: LeftOut | None) -> list[Draft]:
    """Return the runs that a shared link holds already, without what another link to them leaves out."""
    if left_out is None:
        return list(draft.others)
    return [] if left_out.counts_only else [_redact(other, left_out, everything=False) for other in draft.others]


def _check_left_out(view: links.View, runs: Sequence[RunName], left_out: LeftOut) -> None:
    """Raise a DataError where a comparison needs what the link leaves out, or shows it by another link."""
    if left_out.counts_only:
        raise DataError(_WITHOUT_ROWS)
    if view.query.get("like", "0") != "0":
        raise DataError(_LIKE_ANOTHER)
    needed = [column for column in left_out.hide if any(names_column(run, column) for run in runs)]
    named = [name for key in ("join", "cluster") for name in re.split("[,=]", view.query.get(key, ""))]
    needed += [name for name in named if name not in ("", EACH_ROW) and _is_left_out(name, left_out)]
    if needed:
        raise DataError(f"The comparison needs the column {quote(needed[0])}: do not hide it.")
    _check_links([run.name for run in runs if run.kind == RUN and not _is_upload(run)], left_out)


def _is_left_out(column: str, left_out: LeftOut) -> bool:
    return column in left_out.hide or column not in left_out.keep


def _check_links(tokens: Sequence[str], left_out: LeftOut) -> None:
    """Raise a DataError where a link beside the shared one shows what this one hides, or is read by what it hides."""
    settings = left_out.first.settings
    if tokens and settings.parser is not None and settings.raw in left_out.hide:
        raise DataError(f"The comparison reads other links by a parser of {quote(settings.raw or '')}: do not hide it.")
    for token in tokens:
        shown = [] if is_sample(token) else [name for name in left_out.hide if name in load.list_columns(token)]
        if shown:
            raise DataError(
                f"A compared run is a link of its own, which shows {quote(shown[0])}: remove that run first."
            )


def _upload(run: str, view: links.View, left_out: LeftOut | None) -> Draft:
    """Return the draft of an upload, without what is left out."""
    draft = load.draft_of(run)
    if draft.of:
        raise DataError(f"{quote(draft.name)} is a copy of a shared link: compare with that link itself, then share.")
    if left_out is not None:
        draft = _redact(draft, left_out, everything="like" in view.query)
    return dataclasses.replace(draft, upload="", uploads=(), others=())


def _redact(draft: Draft, left_out: LeftOut, *, everything: bool) -> Draft:
    """Return a run without what is left out, read as the comparison reads it: its answers may be hidden then."""
    evaluation, table, join = open_with_table(draft)
    alike, taken = left_out.read_alike(evaluation, everything)
    draft = dataclasses.replace(draft, settings=alike.settings)
    hidden = {name for name in left_out.hide if name in table.column_names}
    if "parser" in taken and left_out.first.settings.raw in left_out.hide and alike.answers is not None:
        hidden.add(alike.answers.column)  # the words of the parser may be taken from the hidden answers
    return redact_draft(draft, alike, table, join, hide=sorted(hidden), keep=left_out.keep)


def list_other_columns(draft: Draft, views: Sequence[links.View]) -> set[str]:
    """Return the columns of the other runs that a link would hold."""
    tokens = {run.name for view in views for run in read_runs(view.query.get("with", "")) if _is_upload(run)}
    columns = {name for token in tokens for name in load.list_columns(token)}
    return columns.union(*(load_joined_table(other)[0].column_names for other in draft.others))
