"""The static page of a share link, and its style."""

import re

import pytest

from export.link_page.page import LinkFacts, link_page
from export.measurement import measure
from export.report.page import html_report
from tests.opened_runs import open_run


@pytest.mark.parametrize("run", ["digits", "support-intents", "screening", "movie-genres", "triage"])
def test_every_shape_of_a_picture_has_its_style(run):
    e = open_run(run)
    for page in (link_page(measure(e), LinkFacts("", "", 0, 0)).content.decode(), html_report(e).decode()):
        pictures = re.findall(r'<svg(?! class="chart)[^>]*>.*?</svg>', page.partition("<body")[2], re.DOTALL)
        shapes = {name for picture in pictures for names in re.findall(r'<\w+ class="([^"]+)"', picture[4:])
                  for name in names.split()}  # fmt: skip
        styles = "".join(re.findall(r"<style[^>]*>(.*?)</style>", page, re.DOTALL))
        assert len(shapes) > 3
        assert {name for name in shapes if not re.search(rf"\.{name}(?![\w-])", styles)} == set()
