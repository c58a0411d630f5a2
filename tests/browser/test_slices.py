"""The page Slices by hand: a slice opens, becomes the filter, goes along with the menu, and is taken away."""

from playwright.sync_api import expect

from tests.browser.driver import rerun, show
from tests.browser.gestures import go


def test_a_slice_becomes_the_filter_of_every_page(page, server):
    show(page, f"{server.url}/slices?run=triage&column=channel&cross=speaker")
    with rerun(page):
        page.get_by_role("button", name="67.4 %").click()
    assert "slice=channel%3Dphone%26speaker%3Dsecond%2Blanguage" in page.url
    expect(
        page.get_by_role("heading", name="channel = phone and speaker = second language", exact=True)
    ).to_be_visible()
    with rerun(page):
        page.get_by_role("button", name="mail, second language").click()
    with rerun(page):
        page.get_by_role("button", name="phone, second language").click()
    with rerun(page):
        page.get_by_role("button", name="Filter every page").click()
    chip = page.get_by_role("button", name="channel = phone")
    expect(chip).to_be_visible()
    go(page, "Classes")
    assert "filter=channel%3Dphone%26speaker%3Dsecond%2Blanguage" in page.url
    expect(page.get_by_text("92 of 2,400 rows")).to_be_visible()
    with rerun(page):
        chip.click()
    expect(page.get_by_text("723 of 2,400 rows")).to_be_visible()
    show(page, f"{server.url}/slices?run=triage&column=channel&cross=speaker")
    for name in ("channel and speaker", "Accuracy by slice"):
        with page.expect_download() as kept:
            page.get_by_role("button", name=f"Download as PNG: {name}").click()
        picture = kept.value.path().read_bytes()
        width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
        assert picture[:4] == b"\x89PNG" and width > 400 and height > 100
