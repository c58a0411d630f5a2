"""One static page about a share link: the title, the lenses, the matrix and the first findings of Overview.

It holds numbers and names of classes, no row and no script, and is made once.
"""

from __future__ import annotations

import base64
import html
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

from data.comparison.row_groups import cluster_warnings
from export.evaluation.confusion_result import draw_matrix
from export.file_reading import describe_weights
from export.link_page.card import matrix_png
from export.measurement import Measurement
from export.overview.title import title_parts
from export.pictures.svg import STYLE
from export.pictures.words import text
from export.report import facts, sections
from export.report.page import hash_source, page_style, read_asset
from metrics.finding import Label
from text.numbers import count
from text.visible import keep_together, show

FINDINGS = 3
"""Findings beside the matrix; how many there are is said."""
NAMED_CLASSES = 20
"""Up to so many classes the matrix has their names; of more it is a picture of colours alone."""
_NEUTRAL = "Shared evaluation"
_COLOURS = "Rows: true classes; columns: predicted classes. Blue: correct. Orange: errors."
_HERE = Path(__file__).parent


class LinkFacts(NamedTuple):
    """Hold what a page says of its link.

    title : of whoever made it, plain text. live : the address that starts a session. made, ends : seconds since 1970.
    font : the address of the typeface; "" = that of the reader's system.
    preview : whether a chat may show title and picture. card : the address of the picture, absolute; "" = none.
    """

    title: str
    live: str
    made: int
    ends: int
    font: str = ""
    preview: bool = False
    card: str = ""


class LinkPage(NamedTuple):
    """A page, and the content security policy that allows its styles and nothing else."""

    content: bytes
    policy: str


def link_page(measured: Measurement, link: LinkFacts) -> LinkPage:
    """Return the page of a link.

    Raises
    ------
    DataError
        as `measure`.
    """
    style = _font_face(link.font) + STYLE + page_style() + (_HERE / "style.css").read_text(encoding="utf-8")
    page = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="robots" content="noindex, nofollow">{_head(measured, link)}'
        f'<link rel="icon" href="data:,"><style>{style}</style></head>'
        f'<body><div class="sheet">{_top(link)}<main>{_main(measured, link)}</main>{_foot(measured, link)}</div></body>'
        "</html>\n"
    )
    font = "font-src 'self'; " if link.font else ""
    policy = (
        f"default-src 'none'; style-src {hash_source(style)}; img-src data:; {font}base-uri 'none'; form-action 'none'"
    )
    return LinkPage(page.encode("utf-8", "replace"), policy)


def plain_title(measured: Measurement) -> str:
    """Return the title of Overview as plain text, every name of the file made visible."""
    parts = measured.named(title_parts(measured, measured.findings))
    return "".join(show(part.name, 60) if isinstance(part, Label) else keep_together(part) for part in parts)


def describe_size(measured: Measurement) -> str:
    """Return the name of the file with its rows and classes, and whether rows have weights, plain text."""
    e = measured.evaluation
    weighted = " · weighted" if describe_weights(e) else ""
    return f"{show(e.name, 40)} · {count(e.n_rows)} · {count(e.n_space, e.class_noun)}{weighted}"


def _head(measured: Measurement, link: LinkFacts) -> str:
    """Return the title of the tab; where the link's maker wanted it, what a chat shows of the page, too."""
    if not link.preview:
        return f"<title>{_NEUTRAL} · Blindspot</title>"
    title, about = html.escape(plain_title(measured)), html.escape(describe_size(measured))
    picture = html.escape(link.card)
    image = (
        f'<meta property="og:image" content="{picture}"><meta property="og:image:width" content="1200">'
        f'<meta property="og:image:height" content="630"><meta property="og:image:alt" content="{title}">'
        '<meta name="twitter:card" content="summary_large_image">'
    )
    return (
        f"<title>{title} · Blindspot</title>"
        f'<meta property="og:type" content="article"><meta property="og:site_name" content="Blindspot">'
        f'<meta property="og:title" content="{title}"><meta property="og:description" content="{about}">'
        f"{image if picture else ''}"
    )


def _top(link: LinkFacts) -> str:
    return (
        f'<header class="top"><p class="brand">{read_asset("../../assets/logo.svg")}Blindspot</p>'
        f'<p class="end">Read only · expires {_write_day(link.ends)}</p>'
        f'<a class="live" href="{html.escape(link.live)}">Open it live</a></header>'
    )


def _write_day(seconds: int) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    return f"{moment.day} {moment:%B %Y}"


def _main(measured: Measurement, link: LinkFacts) -> str:
    title = f"<b>{text(link.title, 100)}</b> · " if link.title else ""
    about = (
        f'<p class="about">{title}<b>{text(measured.evaluation.name, 60)}</b> · {facts.short(measured.evaluation)}</p>'
    )
    picture, kind = _matrix(measured)
    return (
        f"{about}<h1>{sections.takeaway(measured)}</h1>{facts.weights(measured.evaluation)}{sections.headline(measured)}"
        f'<div class="shown {kind}">{picture}<section>{_findings(measured)}</section></div>'
    )


def _matrix(measured: Measurement) -> tuple[str, str]:
    """Return the matrix and how it is placed; nothing where there is none."""
    if measured.many or not measured.evaluation.has_predictions:
        return "", "alone"
    drawn = draw_matrix(measured)
    if len(measured.evaluation.labels) <= NAMED_CLASSES:
        notes = html.escape(" ".join(drawn.notes))
        return f"<figure tabindex='0'>{drawn.canvas.drawn('matrix')}<figcaption>{notes}</figcaption></figure>", "named"
    notes = html.escape(" ".join((_COLOURS, *drawn.notes)))
    image = base64.b64encode(matrix_png(drawn.block)).decode()
    picture = f'<img src="data:image/png;base64,{image}" alt="{html.escape(drawn.canvas.title)}">'
    return f"<figure>{picture}<figcaption>{notes}</figcaption></figure>", ""


def _findings(measured: Measurement) -> str:
    every = measured.findings
    shown = every[: FINDINGS if not measured.many else 2 * FINDINGS]
    if not every:
        return f"<h2>Findings</h2>{sections.NOTHING}"
    many = f"the first {len(shown)} of {len(every)}" if len(shown) < len(every) else f"{len(every)}"
    return (
        f"<h2>Findings <small>{many}</small></h2>{sections.finding_lines(measured, shown)}"
        '<p class="more-live">Open it live to see what is behind every number.</p>'
    )


def _foot(measured: Measurement, link: LinkFacts) -> str:
    e = measured.evaluation
    n = len(e.receipt.warnings) + len(cluster_warnings(e))
    warned = [f'<span class="warned">{count(n, "warning")} on how the file was read: open it live</span>'] if n else []
    sentences = [
        *warned,
        f"<span>Shared on {_write_day(link.made)}</span>",
        f"<span>Fingerprint <code>{e.fingerprint[:8]}</code></span>",
        "<span>Numbers and class names only, no texts of rows</span>",
    ]
    return f"<footer>{''.join(sentences)}</footer>"


@cache
def _font_face(address: str) -> str:
    """Return the typeface as a style that names its address; nothing without one."""
    if not address:
        return ""
    return (
        f'@font-face {{ font-family: "Source Sans"; font-weight: 200 900; font-display: swap; '
        f'src: url("{address}") format("woff2"); }}\n'
    )
