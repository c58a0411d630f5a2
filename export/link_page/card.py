"""Draw the picture that stands for a share link in a chat: the finding, three numbers and the matrix, as a PNG.

It is drawn without a browser, light only, 1200 by 630, and nothing in it is smaller than 22 pixels.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from export.evaluation.confusion_result import draw_matrix
from export.measurement import Measurement
from export.overview.lenses import lenses_of
from export.pictures.svg import ACCENT, MODEL, strength
from export.pictures.words import font_file
from metrics.confusion.matrix import Block

WIDTH, HEIGHT = 1200, 630
_LEFT, _TOP, _SIDE = 56, 56, 462
_PAPER, _INK, _SOFT, _PANEL, _PRIMARY, _ORANGE = "#ffffff", "#1d2430", "#566173", "#f1f4f8", "#2f5f9e", "#e79020"
_TITLE_SIZES = (58, 50, 44, 38, 32)
"""Sizes of the title, tried from the largest until it takes four lines at most."""
_TITLE_LINES = 4
_FINE = 4  # the logo is drawn so many times larger, then made small: its edges are smooth


def draw_card(measured: Measurement, title: str, caption: str) -> bytes:
    """Return the picture; title and caption are plain text."""
    image = Image.new("RGB", (WIDTH, HEIGHT), _PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, HEIGHT - 12, WIDTH, HEIGHT), fill=_PRIMARY)
    image.paste(_logo(), (_LEFT, _TOP - 4))
    draw.text((_LEFT + 66, _TOP + 22), "Blindspot", _INK, _font(28, 700), anchor="lm")
    has_matrix = not measured.many and measured.evaluation.has_predictions
    wide = WIDTH - 2 * _LEFT - (_SIDE + 48 if has_matrix else 0)
    _write_title(draw, title, wide)
    if measured.evaluation.has_predictions:
        _write_numbers(draw, [(lens.name, f"{lens.figure} {lens.unit}".strip()) for lens in lenses_of(measured)], wide)
    if has_matrix:
        left = WIDTH - _LEFT - _SIDE
        image.paste(_matrix(draw_matrix(measured).block), (left, _TOP))
        _write_line(draw, (left, _TOP + _SIDE + 14), caption, _SIDE)
    else:
        _write_line(draw, (_LEFT, _TOP + 80), caption, wide)
    return _png(image)


def matrix_png(block: Block) -> bytes:
    """Return the matrix as a picture with one pixel a cell: blue where rows are right, orange where they are wrong."""
    return _png(_cells(block))


def _cells(block: Block) -> Image.Image:
    """Return a pixel a cell, as strong as its share of the true class's rows; transparent without rows."""
    shares = np.nan_to_num(block.shares("row"))
    pixels = np.zeros((*shares.shape, 4), np.uint8)
    pixels[..., :3] = np.where((block.right > 0)[..., None], _rgb(MODEL), _rgb(ACCENT))
    pixels[..., 3] = np.vectorize(lambda share: round(255 * strength(share)), otypes=[np.uint8])(shares)
    return Image.fromarray(pixels, "RGBA")


def _matrix(block: Block) -> Image.Image:
    """Return the matrix in a square, every cell as large as every other."""
    cells = _cells(block)
    panel = Image.new("RGB", (_SIDE, _SIDE), _PANEL)
    factor = max(1, _SIDE // max(cells.size))
    large = cells.resize((cells.width * factor, cells.height * factor), Image.Resampling.NEAREST)
    panel.paste(large, ((_SIDE - large.width) // 2, (_SIDE - large.height) // 2), large)
    return panel


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)], np.uint8)


@cache
def _logo() -> Image.Image:
    """Return the logo of `assets/logo.svg`, 52 pixels wide: an eye of two arcs, its white and its pupil."""
    scale = 52 * _FINE / 64
    image = Image.new("RGB", (52 * _FINE, 52 * _FINE), _PAPER)
    draw = ImageDraw.Draw(image)
    upper = [_curve(t, (4, 32), (11, 19), (20.5, 12.5), (32, 12.5)) for t in np.linspace(0, 1, 40)]
    right = [(64 - x, y) for x, y in reversed(upper)]
    lower = [(x, 64 - y) for x, y in reversed([*upper, *right])]
    draw.polygon([(x * scale, y * scale) for x, y in (*upper, *right, *lower)], fill=_PRIMARY)
    for x, y, radius, colour in ((32, 32, 13, _PAPER), (36.5, 29, 6.5, _ORANGE)):
        box = ((x - radius) * scale, (y - radius) * scale, (x + radius) * scale, (y + radius) * scale)
        draw.ellipse(box, fill=colour)
    return image.resize((52, 52), Image.Resampling.LANCZOS)


def _curve(t: float, *points: tuple[float, float]) -> tuple[float, float]:
    """Return the point of a cubic Bézier curve at t (0..1)."""
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    x, y = (sum(w * point[axis] for w, point in zip(weights, points, strict=True)) for axis in (0, 1))
    return x, y


@cache
def _font(size: int, weight: int = 400) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the typeface at a size in pixels; Pillow's own where that of the app is not installed."""
    file = font_file()
    if file is None:
        return ImageFont.load_default(size)
    font = ImageFont.truetype(str(file), size)
    font.set_variation_by_axes([weight])
    return font


def _write_title(draw: ImageDraw.ImageDraw, title: str, wide: int) -> None:
    """Write the title in the middle of the height, as large as four lines allow; what is longer ends in "…"."""
    for size in _TITLE_SIZES:
        lines = _wrap(title, size, wide)
        if len(lines) <= _TITLE_LINES:
            lines = _balance(title, size, wide, len(lines))
            break
    if len(lines) > _TITLE_LINES:
        lines = [*lines[: _TITLE_LINES - 1], _cut(lines[_TITLE_LINES - 1] + " …", size, 600, wide)]
    step = size * 1.14
    top = 300 - step * len(lines) / 2
    for place, line in enumerate(lines):
        draw.text((_LEFT, top + place * step), _cut(line, size, 600, wide), _INK, _font(size, 600))


def _wrap(title: str, size: int, wide: int) -> list[str]:
    """Return the lines of a text that is at most so wide; a word that is wider has a line of its own."""
    lines: list[str] = []
    for word in title.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _font(size, 600).getlength(longer) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _balance(title: str, size: int, wide: int, n_lines: int) -> list[str]:
    """Return so many lines of about the same length: those of the least width that needs no more of them."""
    while len(_wrap(title, size, wide - 20)) == n_lines and wide > 100:
        wide -= 20
    return _wrap(title, size, wide)


def _cut(line: str, size: int, weight: int, wide: int) -> str:
    """Return a line that is at most so wide; a longer one ends in "…"."""
    font = _font(size, weight)
    if font.getlength(line) <= wide:
        return line
    while line and font.getlength(f"{line}…") > wide:
        line = line[:-1]
    return f"{line.rstrip()}…"


def _write_numbers(draw: ImageDraw.ImageDraw, numbers: Sequence[tuple[str, str]], wide: int) -> None:
    """Write the first numbers beside each other; as many of three as the width holds."""
    left = float(_LEFT)
    for name, figure in numbers[:3]:
        width = max(_font(22).getlength(name), _font(40, 600).getlength(figure))
        if left + width > _LEFT + wide:
            break
        draw.text((left, HEIGHT - 140), name, _SOFT, _font(22))
        draw.text((left, HEIGHT - 112), figure, _INK, _font(40, 600))
        left += width + 44


def _write_line(draw: ImageDraw.ImageDraw, place: tuple[int, int], line: str, wide: int) -> None:
    draw.text(place, _cut(line, 22, 400, wide), _SOFT, _font(22))


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
