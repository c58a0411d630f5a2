"""Create and delete share links."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from data.columns.column import distinct
from data.comparison.alike.reading import read_alike
from data.comparison.filter_conditions import read_filter
from data.comparison.judge_evaluation import read_judged
from data.errors import DataError
from data.runs import load
from data.runs.draft import pack_draft
from data.runs.understanding import open_with_table
from data.sharing.comparison import LeftOut, hold_other_runs, list_other_columns
from data.sharing.redaction import list_hidden_by_counts, redact_draft
from data.store import expiry, links, store
from text.quoting import quote


def share(
    run: str,
    *,
    days: int = links.DEFAULT_DAYS,
    title: str = "",
    views: Sequence[links.View] = (),
    hide: Sequence[str] = (),
    keep: Collection[str] | None = None,
    counts_only: bool = False,
    headline: Sequence[tuple[str, str]] = (),
    person: str = "",
    preview: bool = False,
) -> links.Shared:
    """Make a link to a run as it is now: its tables, its settings, and the views that were chosen of it.

    hide : columns that are left out, of this and of every compared run.
    keep : where columns are left out, those of compared runs that stay; None = those that this run shows, too.
    preview : as in `data.store.link.Link`.

    Raises
    ------
    DataError
        as `data.sharing.redaction.redact_draft`, `data.sharing.comparison` and `data.store.links.share`.
    """
    draft, left_out = replace(load.draft_of(run), uploads=()), None
    if hide or counts_only:
        evaluation, table, join = open_with_table(draft)
        stays = {name for name in table.column_names if name not in hide} if keep is None else keep
        left_out = LeftOut(
            evaluation, lambda run, everything: read_alike(run, evaluation, everything=everything), hide, stays,
            counts_only,
        )  # fmt: skip
        _check_filters(views, hide, counts_only=counts_only)
        _check_columns(views, table, hide, counts_only=counts_only)
        gone = list_hidden_by_counts(table, draft.settings) if counts_only else hide
        _check_titles(views, table, gone, evaluation.labels)
        others = list_other_columns(draft, views) - set(table.column_names)
        hidden_here = [name for name in hide if name not in others]
        draft = redact_draft(draft, evaluation, table, join, hide=hidden_here, counts_only=counts_only)
        views = [replace(view, query=_without_rows(view.query)) for view in views]
    draft, views = hold_other_runs(draft, views, left_out)
    return links.share(
        pack_draft(draft.to_json()), draft.table_ids,
        days=days, title=title, views=views, headline=headline, person=person, of=draft.of, preview=preview,
    )  # fmt: skip


def _check_filters(views: Sequence[links.View], hide: Sequence[str], *, counts_only: bool) -> None:
    """Raise a DataError where a view chooses rows by what the link leaves out: it could not be shown."""
    for view in views:
        columns = [column for column, _ in read_filter(view.query.get("filter", ""))]
        if columns and counts_only:
            raise DataError("A link of numbers only cannot choose rows by a filter: remove the filter first.")
        for column in columns:
            if column in hide:
                raise DataError(f"The filter needs the column {quote(column)}: remove the filter, or keep the column.")


def _check_columns(views: Sequence[links.View], table: pa.Table, hide: Sequence[str], *, counts_only: bool) -> None:
    """Raise a DataError where a view names a column that the link leaves out, or one of its values."""
    hidden = _list_texts(table, hide).difference(name for name in table.column_names if name not in hide)
    for place, view in enumerate(views, 1):
        named = [*_cells(view.query), *(column for column, _ in read_filter(view.query.get("slice", "")))]
        if named and counts_only:
            raise DataError(
                f"A link of numbers only has no columns, and a view needs {quote(named[0])}: choose a view without it."
            )
        for named_column in named:
            if named_column in hidden:
                needs = f"Step {place} of the review needs" if len(views) > 1 else "The view needs"
                raise DataError(
                    f"{needs} {quote(named_column)}, which is hidden: choose another view, or keep the column."
                )


def _list_texts(table: pa.Table, names: Sequence[str]) -> set[str]:
    """Return names of columns and every value of theirs."""
    there = [name for name in names if name in table.column_names]
    return {*names, *(value for name in there for value in distinct(table.column(name)).values)}


def _check_titles(views: Sequence[links.View], table: pa.Table, hide: Sequence[str], labels: Sequence[str]) -> None:
    """Raise a DataError where a title or a note quotes what the link leaves out: proposed titles may."""
    texts = [
        (f"{what} of step {place}", quoted)
        for place, view in enumerate(views, 1)
        for what, text in (("title", view.title), ("note", view.note))
        for quoted in _list_quoted(text)
    ]
    if not texts:
        return
    shown = _list_texts(table, [name for name in table.column_names if name not in hide])
    hidden = _list_texts(table, hide) - shown - set(labels)
    for where, quoted in texts:
        if quoted in hidden or ((cut := quoted.rstrip("… ")) != quoted and _begins_one(cut, hidden)):
            raise DataError(f"The {where} names {quote(quoted)}, which is hidden: change it, or keep the column.")


def _list_quoted(text: str) -> list[str]:
    """Return what may stand in quotation marks: between every two of them, and from each to the end.

    >>> _list_quoted("weak where 'a' = 'b …")
    ['a', "a' = ", "a' = 'b …", ' = ', " = 'b …", 'b …']
    """
    marks = [match.start() for match in re.finditer("'", text)]
    ends = [*marks, len(text)]
    return [text[mark + 1 : end] for place, mark in enumerate(marks) for end in ends[place + 1 :]]


def _begins_one(begin: str, hidden: set[str]) -> bool:
    return bool(begin) and any(text.startswith(begin) for text in hidden)


def _cells(query: Mapping[str, str]) -> list[str]:
    """Return the columns and raters that a view names."""
    named_cells = [query[name] for name in ("column", "cross") if query.get(name)]
    alone = () if query.get("with") else ("join", "cluster")  # a comparison checks its own
    for name in (*alone, "raters", "lines", "models", "judge", "pair", "trusted"):
        named_cells += [query[name]] if query.get(name) else []
        named_cells += [
            cell for row in csv.reader(io.StringIO(query.get(name, ""), newline="")) for cell in row if cell
        ]
    if query.get("judged"):
        judged = read_judged(query["judged"])
        named_cells += [*(judged.where.columns or judged.where.lines or ()), judged.judge, *judged.raters]
    return named_cells


def _without_rows(query: Mapping[str, str]) -> dict[str, str]:
    """Return a view's query without what may quote a row that was left out: a search, marks, the open row, a date."""
    return {name: text for name, text in query.items() if name not in ("q", "marks", "row", "since")}


def find_end(link: links.Link) -> int:
    """Return when a link ends: at its own end, or at the first end of those it stems from; 0 = one is gone.

    Raises
    ------
    DataError
        one that it stems from is damaged, or a newer version made it.
    """
    ends, above = link.ends, link.of
    while above:
        parent = links.read(above)
        if parent is None:
            return 0
        ends, above = min(ends, parent.ends), parent.of
    return ends


def delete_upload(token: str) -> bool:
    """Remove a draft, every draft that stems from the same upload, and their tables.

    Returns
    -------
    bool
        whether the tables are gone; a table that another link names stays.

    Raises
    ------
    DataError
        the token opens nothing, or opens what was shared: that is deleted by its owner key.
    """
    link = links.open_link(token)
    if link.kind != "draft":
        raise DataError("This is a shared link; whoever has its owner key can delete it on the page Shared links.")
    data_ids = set(link.data_ids)
    for link_id, other in list(_list_drafts()):
        if link_id == links.id_of(token) or (link.upload and other.upload == link.upload):
            data_ids |= set(other.data_ids)
            links.remove(link_id, other)
    return expiry.forget(data_ids)


def _list_drafts() -> Iterator[tuple[str, links.Link]]:
    """Yield (id, link) of every draft that is kept; damaged ones are passed over."""
    for kept in store.list_places():
        for entry in list(kept.entries("link")):
            with contextlib.suppress(DataError):
                link = links.read(entry.stem)
                if link is not None and link.kind == "draft":
                    yield entry.stem, link


def delete_share(link_id: str, *, owner_key: str = "", person: str = "") -> bool:
    """Revoke a link and remove its tables at once; whether these are gone (one that another link names stays).

    Raises
    ------
    DataError
        as `data.store.links.require_owner`.
    """
    return expiry.forget(links.revoke(link_id, owner_key=owner_key, person=person).data_ids)
