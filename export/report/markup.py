"""The pieces of the page: sections, tiles, pictures with their buttons, tables that sort."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from export.overview.lenses import Sure
from export.pictures.svg import Canvas
from text.numbers import UNDEFINED
from text.visible import keep_together

_SHRINKS = 720
"""Pixels: a wider picture scrolls where it has no room, since its words would be too small."""
_SHRINKS_ON_A_PHONE = 500
"""Pixels: a wider picture scrolls on a phone, too, though it shrinks a little there."""


class Bar(NamedTuple):
    """A share (0..1) drawn beside its number, and the ends of its interval."""

    share: float
    ends: tuple[float, float] | None = None


class Cell(NamedTuple):
    """One cell: what it shows (HTML), and the number it is sorted by (None = by its text; NaN = last).

    is_few : whether its rows are too few to tell, so that it is grey.
    """

    shown: str
    value: float | None = None
    bar: Bar | None = None
    is_few: bool = False


def section(name: str, title: str, *parts: str) -> str:
    """Return a part of the page; `title` is plain text, the parts are HTML."""
    return f'<section id="{name}"><h2>{html.escape(title)}</h2>{"".join(parts)}</section>'


def tile(title: str, value: str, note: str = "", sure: Sure | None = None, drawn: str = "") -> str:
    """Return one number with the sentence that belongs to it, HTML.

    sure : its interval, and whether it is grey. drawn : its tiny picture.
    """
    inside = f'<p class="within">{sure.within}</p>' if sure and sure.within else ""
    kind = "figure few" if sure and sure.is_few else "figure"
    small = f'<div class="drawing">{drawn}</div>' if drawn else ""
    figure = f'<div class="value"><p class="{kind}">{value}</p>{inside}</div>'
    return f'<div class="tile"><h3>{title}</h3>{figure}{small}<p class="note">{note}</p></div>'


def bar(share: float, colour: str, ends: tuple[float, float] | None = None) -> str:
    """Return a share (0..1) as a bar, a thin line across it its interval; `colour` is a class of the style sheet."""
    within = ""
    if ends is not None and not math.isnan(ends[0]):
        low, high = 60 * max(ends[0], 0.0), 60 * min(ends[1], 1.0)
        within = f'<rect class="within" x="{low:.1f}" y="3" width="{max(high - low, 1):.1f}" height="2"/>'
    return (
        '<svg class="bar" viewBox="0 0 60 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="60" height="8" class="track"/><rect width="{60 * min(share, 1.0):.1f}" height="8" '
        f'class="{colour}"/>{within}</svg>'
    )


def picture(canvas: Canvas, name: str, *notes: str) -> str:
    """Return a picture under its takeaway, with buttons that save it; the notes are HTML."""
    captions = "".join(f"<p>{note}</p>" for note in notes if note)
    buttons = (
        f'<p class="save" hidden><button type="button" data-save="svg" data-of="{name}">Save SVG</button>'
        f'<button type="button" data-save="png" data-of="{name}">Save PNG</button></p>'
    )
    title = html.escape(keep_together(canvas.title))
    medium = "scroll medium" if canvas.width > _SHRINKS_ON_A_PHONE else "scroll"
    box = "scroll wide" if canvas.width > _SHRINKS else medium
    return (
        f'<figure><figcaption>{title}</figcaption><div class="{box}" tabindex="0" role="group" '
        f'aria-label="{title}">{canvas.drawn(name)}</div>{captions}{buttons}</figure>'
    )


def table(
    name: str,
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    sort: bool = True,
    numbers: Collection[int] = (),
) -> str:
    """Return a table; cells are HTML or `Cell`s, the first column names the row.

    numbers : places of the columns of numbers.
    """
    head = ""
    for place, column in enumerate(columns):
        title = f'<button type="button">{html.escape(column)}</button>' if sort else html.escape(column)
        head += f'<th scope="col"{_class_of(place, numbers)}>{title}</th>'
    body = "".join(f"<tr>{''.join(_cell(cell, i, numbers) for i, cell in enumerate(row))}</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{html.escape(caption)}">'
        f'<table id="{name}"{" data-sort" if sort else ""}><caption>{html.escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        f'<p class="save" hidden><button type="button" data-save="csv" data-of="{name}">Save CSV</button></p>'
    )


def _class_of(place: int, numbers: Collection[int]) -> str:
    return ' class="n"' if place in numbers else ""


def _cell(cell: str | Cell, place: int, numbers: Collection[int]) -> str:
    cell = cell if isinstance(cell, Cell) else Cell(cell)
    number = "" if cell.value is None or math.isnan(cell.value) else repr(float(cell.value))
    sort_value = "" if cell.value is None else f' data-v="{number}"'
    is_grey = cell.is_few or cell.shown == UNDEFINED
    look = ' class="n undefined"' if is_grey else _class_of(place, numbers)
    drawn = "" if cell.bar is None else bar(cell.bar.share, "right", cell.bar.ends)
    kind, scope = ("th", ' scope="row"') if place == 0 else ("td", "")
    return f"<{kind}{scope}{look}{sort_value}>{drawn}{cell.shown}</{kind}>"


def fold(summary: str, *parts: str) -> str:
    """Return a part that opens by a click; `summary` is plain text. On paper it is open (by the report's script)."""
    return f"<details><summary>{html.escape(summary)}</summary>{''.join(parts)}</details>"


def item_list(items: Iterable[str]) -> str:
    """Return a list of HTML items."""
    return f'<ul class="plain">{"".join(f"<li>{item}</li>" for item in items)}</ul>'


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Return terms and what they are; terms plain text, the rest HTML."""
    return f"<dl>{''.join(f'<dt>{html.escape(term)}</dt><dd>{about}</dd>' for term, about in pairs)}</dl>"
