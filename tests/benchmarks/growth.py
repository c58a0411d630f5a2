"""Draws how long a million rows take as a source grows, as an SVG: `docs/growth.svg`.

Standard input is JSON, {name: [[rows, processor seconds], …]}, as `make bench-large` measured it:
python -m tests.benchmarks.growth < measured.json > docs/growth.svg
"""

import json
import math
import sys
from html import escape

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 300, 64, 40, 190, 44
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#7f7f7f")
GREY = "#888"


def place(rows: float, seconds: float) -> tuple[float, float]:
    """Return the point of a size (1M to 100M) and of seconds a million rows (0.01 to 1), both on logarithmic axes.

    >>> place(1e6, 1.0), place(1e8, 0.01)
    ((64.0, 40.0), (450.0, 256.0))
    """
    x = LEFT + (math.log10(rows) - 6) / 2 * (WIDTH - LEFT - RIGHT)
    return round(x, 1), round(TOP - math.log10(seconds) / 2 * (HEIGHT - TOP - BOTTOM), 1)


def text(x: float, y: float, words: str, anchor: str = "middle", colour: str = GREY) -> str:
    """Write words at a point."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def draw(series: dict[str, list[tuple[float, float]]]) -> str:
    """Draw a line for every series: processor seconds of a million rows, over the rows."""
    parts = [text(LEFT, 20, "Processor seconds a million rows: constant or falling as sources grow", "start")]
    names: list[float] = []  # heights of the names beside the lines, which stay apart
    for seconds in (0.01, 0.1, 1.0):
        x, y = place(1e6, seconds)
        parts.append(f'<path d="M{x} {y}H{WIDTH - RIGHT}" stroke="{GREY}" stroke-opacity="0.3"/>')
        parts.append(text(x - 8, y + 4, f"{seconds:g} s", "end"))
    for rows in (1e6, 1e7, 1e8):
        parts.append(text(place(rows, 0.01)[0], HEIGHT - BOTTOM + 20, f"{rows / 1e6:.0f}M rows"))
    for colour, (name, points) in zip(COLOURS, series.items(), strict=False):
        line = [place(rows, seconds / rows * 1e6) for rows, seconds in points]
        parts.append(f'<path d="M{" L".join(f"{x} {y}" for x, y in line)}" fill="none" stroke="{colour}"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in line]
        beside = line[-1][1] + 4
        while any(abs(beside - other) < 14 for other in names):
            beside += 1
        names.append(beside)
        parts.append(text(line[-1][0] + 8, beside, name, "start", colour))
    font = 'font-family="sans-serif" font-size="12" stroke-width="2"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {font}>{"".join(parts)}</svg>\n'


if __name__ == "__main__":
    sys.stdout.write(draw(json.load(sys.stdin)))
