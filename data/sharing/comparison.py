"""Put the other runs of a comparison into its share link: one link, one owner key, one end for all of them."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Sequence
from dataclasses import replace

from data.comparison.run_names import PART, RUN, RunName, names_column, read_runs, write_runs
from data.errors import DataError
from data.runs import load
from data.runs.draft import Draft
from data.runs.understanding import open_with_table
from data.samples import is_sample
from data.sharing.redaction import redact_draft
from data.store import links
from text.quoting import quote

_WITHOUT_ROWS = "A link of numbers only cannot hold a comparison: its rows could not be joined. Keep the rows."


def holds_uploads(text: str) -> bool:
    """Return whether runs, as an address names them, are uploads that only their own addresses open."""
    with contextlib.suppress(DataError):  # a run that opens nothing: the page says so
        return any(_is_upload(run) for run in read_runs(text))
    return False


def hold_other_runs(
    draft: Draft, views: Sequence[links.View], *, hide: Sequence[str] = (), counts_only: bool = False
) -> tuple[Draft, list[links.View]]:
    """Return the draft with the uploads that its views compare it with, and the views that name them there.

    Samples and shared links stay as they are named: they open by themselves, for whoever may open them.

    Raises
    ------
    DataError
        a run opens nothing, is a copy of a shared link, or needs what is left out.
    """
    held: dict[str, str] = {}
    others = list(draft.others)
    changed = []
    for view in views:
        runs = list(read_runs(view.query.get("with", "")))
        if runs and counts_only:
            raise DataError(_WITHOUT_ROWS)
        _check_hidden(view, runs, hide)
        for place, run in enumerate(runs):
            if not _is_upload(run):
                continue
            if run.name not in held:
                held[run.name] = str(len(others))
                others.append(_upload(run.name, hide))
            runs[place] = RunName(PART, held[run.name])
        changed.append(replace(view, query={**view.query, "with": write_runs(runs)}) if runs else view)
    return dataclasses.replace(draft, others=tuple(others)), changed


def _is_upload(run: RunName) -> bool:
    return run.kind == RUN and not is_sample(run.name) and links.open_link(run.name).kind == "draft"


def _check_hidden(view: links.View, runs: Sequence[RunName], hide: Sequence[str]) -> None:
    """Raise a DataError where a comparison needs a column that the link leaves out."""
    needed = [column for column in hide if any(names_column(run, column) for run in runs)]
    needed += [view.query[name] for name in ("join", "cluster") if runs and name in view.query]
    for column in needed:
        if column in hide:
            raise DataError(f"The comparison needs the column {quote(column)}: do not hide it.")


def _upload(run: str, hide: Sequence[str]) -> Draft:
    """Return the draft of an upload, without the columns that are hidden."""
    draft = load.draft_of(run)
    if draft.of:
        raise DataError(f"{quote(draft.name)} is a copy of a shared link: compare with that link itself, then share.")
    hidden = [name for name in hide if name in load.list_columns(run)]
    if hidden:
        draft = redact_draft(draft, *open_with_table(draft), hide=hidden)
    return dataclasses.replace(draft, upload="", others=())
