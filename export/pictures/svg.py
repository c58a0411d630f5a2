"""Pictures drawn as SVG text: a canvas of fixed size, and the few marks that the report needs.

One picture serves a page and a file: colours come from classes, whose style is `STYLE`. A file carries the style
inside (`as_file`); on a page it stands once, and the page adds its colours for dark screens.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass, field

MODEL, ACCENT, REFERENCE = "#3d76c2", "#c8620f", "#7c8494"  # those of charts/theme.py, which loads all of Plotly
LINES: tuple[tuple[str, str], ...] = (
    (MODEL, ""), (ACCENT, "7 4"), ("#148a80", "2 3"), ("#8f6fd1", "8 3 2 3"), ("#c25590", "12 4"),
    (REFERENCE, "12 3 3 3"),
)  # fmt: skip
"""Colour and dash of several lines in one picture, so that neither has to be told by colour alone."""

FAINTEST = 0.16
"""Opacity of the smallest value above zero: that of charts/theme.py."""

STYLE = """
svg.chart { font-family: "Source Sans", "Source Sans 3", system-ui, "Segoe UI", Roboto, sans-serif; font-size: 11px; }
svg.chart text { fill: #1d2430; }
svg.chart .quiet { fill: #566173; }
svg.chart .paper { fill: #ffffff; }
svg.chart .grid { stroke: #7c8494; stroke-opacity: 0.28; fill: none; }
svg.chart .plane { fill: #1d2430; fill-opacity: 0.035; }
svg.chart .gap { stroke: #ffffff; }
svg.chart .frame { stroke: #1d2430; stroke-opacity: 0.75; fill: none; stroke-width: 1.2; }
svg.chart .reference { stroke: #7c8494; stroke-dasharray: 3 3; fill: none; }
svg.chart .strong { font-weight: 600; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
svg.chart .heavy { font-weight: 600; }
svg.chart .on-strong { fill: #ffffff; }
svg.chart .on-colour { fill: #141414; }
"""
# the last lines that a page adds: the same marks on a dark screen
DARK = """
@media screen and (prefers-color-scheme: dark) {
  svg.chart text { fill: #e6e9ee; }
  svg.chart .quiet { fill: #a3adbb; }
  svg.chart .paper { fill: none; }
  svg.chart .plane { fill: #e6e9ee; }
  svg.chart .gap { stroke: #14181f; }
  svg.chart .frame { stroke: #e6e9ee; }
  svg.chart .strong { stroke: #14181f; }
  svg.chart .on-colour { fill: #ffffff; }
}
"""


def strength(share: float) -> float:
    """Return the opacity of a cell whose value is `share` (0..1) of the largest: the square root, and never invisible.

    >>> strength(0.0), round(strength(1.0), 2)
    (0.0, 1.0)
    """
    return 0.0 if share <= 0 else FAINTEST + (1 - FAINTEST) * min(share, 1.0) ** 0.5


@dataclass
class Canvas:
    """A picture being drawn; `title` is what it says, `about` describes it to whoever cannot see it (plain text)."""

    width: float
    height: float
    title: str
    about: str = ""
    marks: list[str] = field(default_factory=list)

    def rect(
        self, x: float, y: float, w: float, h: float, *, fill: str = "", opacity: float = 1.0, kind: str = "",
        hover: str = "",
    ) -> None:  # fmt: skip
        """Add a rectangle; `hover` is markup-free text that may quote labels."""
        look = (f' class="{kind}"' if kind else "") + (f' fill="{fill}"' if fill else "")
        look += f' fill-opacity="{_n(opacity)}"' if opacity < 1 else ""
        box = f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}"{look}'
        self.marks.append(f"{box}><title>{html.escape(hover)}</title></rect>" if hover else f"{box}/>")

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> None:
        """Add a straight line."""
        self.marks.append(f'<line class="{kind}" x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"/>')

    def circle(self, x: float, y: float, radius: float, colour: str, *, hollow: bool = False, hover: str = "") -> None:
        """Add a dot, or a ring on paper."""
        look = f'class="paper" stroke="{colour}" stroke-width="2"' if hollow else f'fill="{colour}"'
        title = f"<title>{html.escape(hover)}</title>"
        self.marks.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {look}>{title}</circle>')

    def path(self, points: Iterable[tuple[float, float]], *, stroke: str, dash: str = "", hover: str = "") -> None:
        """Add a line through points."""
        to = " ".join(f"{_n(x)} {_n(y)}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        start = f'<path d="M{to}" fill="none" stroke="{stroke}" stroke-width="2" stroke-linejoin="round"{dashed}'
        self.marks.append(f"{start}><title>{html.escape(hover)}</title></path>" if hover else f"{start}/>")

    def words(
        self, x: float, y: float, shown: str, *, anchor: str = "start", kind: str = "", turn: float = 0,
        hover: str = "", size: float = 0,
    ) -> None:  # fmt: skip
        """Write plain text; uploaded text has passed `text.visible.show` before."""
        look = f' class="{kind}"' if kind else ""
        look += f' text-anchor="{anchor}"' if anchor != "start" else ""
        look += f' font-size="{_n(size)}"' if size else ""
        look += f' transform="rotate({_n(turn)} {_n(x)} {_n(y)})"' if turn else ""
        more = f"<title>{html.escape(hover)}</title>" if hover else ""
        self.marks.append(f'<text x="{_n(x)}" y="{_n(y)}"{look}>{html.escape(shown)}{more}</text>')

    def drawn(self, name: str, *, style: bool = False) -> str:
        """Return the picture; `name` is an id of our own. With `style` it stands alone."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" id="{name}" role="img" '
            f'aria-label="{html.escape(self.title)}" viewBox="0 0 {_n(self.width)} {_n(self.height)}" '
            f'width="{_n(self.width)}" height="{_n(self.height)}">'
        )
        inside = f"<style>{STYLE}</style>" if style else ""
        about = f"<desc>{html.escape(self.about)}</desc>" if self.about else ""
        paper = '<rect class="paper" width="100%" height="100%"/>'
        return "".join([head, inside, about, paper, *self.marks, "</svg>"])


def as_file(canvas: Canvas) -> bytes:
    """Return the picture as an .svg file."""
    made = '<?xml version="1.0" encoding="UTF-8"?>\n' + canvas.drawn("chart", style=True)
    return made.encode("utf-8", "replace")


def _n(value: float) -> str:
    """Return a number as short as it may be."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
