"""The picture of a share link, read back pixel by pixel."""

import io

import numpy as np
import pytest
from PIL import Image

from export.link_page import card
from export.link_page.page import describe_size, plain_title
from export.measurement import measure
from metrics.confusion.counts import confusion_counts
from metrics.confusion.matrix import arrange
from tests.opened_runs import open_run


def pixels(content):
    """The picture as an array (height, width, channels)."""
    return np.array(Image.open(io.BytesIO(content)))


@pytest.mark.parametrize("run", ["support-intents-first-400", "movie-genres"])
def test_card_has_the_size_of_previews(run):
    found = measure(open_run(run))
    drawn = pixels(card.draw_card(found, plain_title(found), describe_size(found)))
    assert drawn.shape == (630, 1200, 3)
    assert drawn[-1].tolist() == [[0x2F, 0x5F, 0x9E]] * 1200
    assert (drawn[300:420, 56:600] < 100).any(), "the title is written"


def test_matrix_is_blue_where_rows_are_right():
    counts = confusion_counts(np.repeat([0, 1], [10, 4]), np.repeat([0, 1], [9, 5]), labels=("a", "b"))
    drawn = pixels(card.matrix_png(arrange(counts, order="label")))
    assert drawn.shape == (2, 2, 4)
    assert [drawn[0, 0, :3].tolist(), drawn[0, 1, :3].tolist()] == [[0x3D, 0x76, 0xC2], [0xC8, 0x62, 0x0F]]
    # the opacity is 0.16 for nearly nothing and 1 for all of a class's rows, by the square root between
    strong = [[round(255 * (0.16 + 0.84 * share**0.5)) for share in (0.9, 0.1)], [0, 255]]
    assert drawn[..., 3].tolist() == strong


@pytest.mark.parametrize("title", ["word " * 200, "W" * 400, "short", ""])
def test_title_of_any_length_stays_inside(title):
    found = measure(open_run("digits"))
    drawn = pixels(card.draw_card(found, title, "caption " * 40))
    assert (drawn[120:480, 646:680] == 255).all(), "nothing is written between title and matrix"
    assert (drawn[:, 1146:] == 255)[:600].all(), "nothing reaches the right edge"
