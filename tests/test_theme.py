"""The colours of both themes can be read and told apart, also by eyes that lack one kind of cone."""

import re
import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from export.pictures import svg

ROOT = Path(__file__).resolve().parents[1]
THEME = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
PALETTES = ("chartCategoricalColors", "chartSequentialColors", "chartDivergingColors")

# Linear RGB as people without red, green or blue cones see it: Machado, Oliveira and Fernandes (2009), severity 1.
EYES = {
    "all cones": np.eye(3),
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def linear(colour: str) -> np.ndarray:
    """Linear RGB of #rrggbb (IEC 61966-2-1)."""
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of the WCAG 2.2: 1 for the same lightness, 21 for black on white."""
    light, dark = sorted((linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (one, other)), reverse=True)
    return float((light + 0.05) / (dark + 0.05))


def oklab(rgb: np.ndarray) -> np.ndarray:
    """Oklab of linear RGB (Ottosson 2020): equal distances look about equally different."""
    cones = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
    cones.append([0.0883024619, 0.2817188376, 0.6299787005])
    mixed = [[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099]]
    mixed.append([0.0259040371, 0.7827717662, -0.808675766])
    return np.array(mixed) @ np.cbrt(np.array(cones) @ rgb.clip(0, 1))


def mixed(over: str, under: str, share: float) -> str:
    """A colour that covers `share` of another."""
    pairs = ((int(over[i : i + 2], 16), int(under[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def closest(colours: list[str], eye: str) -> float:
    seen = [oklab(np.array(EYES[eye]) @ linear(colour)) for colour in colours]
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2))


def test_the_yardsticks_themselves():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert oklab(linear("#ffffff")) == pytest.approx([1, 0, 0], abs=1e-3)
    assert closest(["#e41a1c", "#4daf4a"], "all cones") > 2 * closest(["#e41a1c", "#4daf4a"], "no green")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_and_links_can_be_read(mode):
    theme = THEME[mode]
    for background in (
        theme["backgroundColor"],
        theme["secondaryBackgroundColor"],
        theme["sidebar"]["backgroundColor"],
    ):
        assert contrast(theme["textColor"], background) >= 7
        assert contrast(theme["linkColor"], background) >= 4.5
    assert contrast(theme["primaryColor"], theme["backgroundColor"]) >= 3
    assert contrast(theme["primaryColor"], "#ffffff") >= 4.5, "white text stands on the primary button"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_small_and_selected_text_has_contrast(mode):
    theme, style = THEME[mode], (ROOT / "assets" / "page.css").read_text(encoding="utf-8")
    share = int(re.search(r"color-mix\(in srgb, currentcolor (\d+)%, transparent\)", style)[1]) / 100
    for background in (theme["backgroundColor"], *theme["sidebar"].values()):
        assert contrast(mixed(theme["textColor"], background, share), background) >= 4.5, "captions are text, faded"
    chosen = mixed(theme["primaryColor"], theme["backgroundColor"], 0.1)
    assert contrast(theme["linkColor"], chosen) >= 4.5, "a chosen segment has Streamlit's tint behind it"


def test_style_sheet_repeats_the_theme_colours():
    style = (ROOT / "assets" / "page.css").read_text(encoding="utf-8")
    pairs = set(re.findall(r"light-dark\((#\w+), (#\w+)\)", style))
    for name in ("primaryColor", "linkColor", "backgroundColor"):
        assert (THEME["light"][name], THEME["dark"][name]) in pairs
    printed = set(re.findall(r"#[0-9a-f]{6}\b", style.partition("html[data-paper]")[2]))
    assert printed <= {colour for colour in THEME["light"].values() if isinstance(colour, str)}, (
        "a printed page is light"
    )
    splash = (ROOT / "assets" / "splash.css").read_text(encoding="utf-8")
    wanted = [(THEME["light"][name], THEME["dark"][name]) for name in ("backgroundColor", "textColor", "primaryColor")]
    sidebars = tuple(THEME[mode]["sidebar"]["backgroundColor"] for mode in ("light", "dark"))
    assert set(re.findall(r"light-dark\((#\w+), (#\w+)\)", splash)) == {*wanted, sidebars}


def test_report_has_the_colours_of_the_app():
    report = (ROOT / "export" / "report" / "style.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--(\w+): (#\w+);", part)) for part in report.split("@media")[:2])
    for mode, colours in (("light", light), ("dark", dark)):
        theme = THEME[mode]
        names = ("backgroundColor", "textColor", "borderColor", "linkColor", "primaryColor")
        wanted = [*(theme[name] for name in names), theme["sidebar"]["backgroundColor"]]
        assert [colours[name] for name in ("paper", "ink", "line", "link", "primary", "panel")] == wanted
    overview = (ROOT / "ui" / "overview" / "overview.css").read_text(encoding="utf-8")
    for name, *pair in re.findall(r"--(\w+): light-dark\((#\w+), (#\w+)\);", overview):
        assert [light[name], dark[name]] == pair


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_palettes_have_ten_colours(mode):
    assert [len(THEME[mode][palette]) for palette in PALETTES] == [10, 10, 10]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_categories_stand_out_from_the_background(mode):
    theme = THEME[mode]
    assert min(contrast(colour, theme["backgroundColor"]) for colour in theme["chartCategoricalColors"]) >= 3


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_categories_stay_apart(mode, eye):
    colours = THEME[mode]["chartCategoricalColors"]
    assert closest(colours, eye) >= 0.08
    assert closest(colours[:4], eye) >= 0.14, "most charts need the first few only"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_sequential_palette_leaves_the_background_gradually(mode):
    theme = THEME[mode]
    steps = [contrast(colour, theme["backgroundColor"]) for colour in theme["chartSequentialColors"]]
    assert steps == sorted(steps)
    assert steps[0] < 1.3 and steps[-1] > 10


@pytest.mark.parametrize("colour", [svg.MODEL, svg.ACCENT])
@pytest.mark.parametrize("opacity", [0.5, 0.75, 1.0])
def test_shares_on_dark_cells_have_contrast(colour, opacity):
    paper = re.search(r"\.gap \{ stroke: (#\w+)", svg.DARK)[1]
    ink = re.search(r"\.on-colour \{ fill: (#\w+)", svg.DARK)[1]
    assert contrast(ink, mixed(colour, paper, opacity)) >= 4
