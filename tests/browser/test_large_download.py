"""Many rows in a real browser: written when they are asked for, then a file from the disk of the server."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import expect

from tests.browser.driver import visit
from tests.browser.gestures import upload

N = 100_000


@pytest.fixture(scope="module")
def repeated(tmp_path_factory):
    """Rows that all repeat one text."""
    path = tmp_path_factory.mktemp("rows") / "repeated.parquet"
    y = pa.array(["a", "b"] * (N // 2)).dictionary_encode()
    text = pa.array(["x" * 1_000] * N).dictionary_encode()
    pq.write_table(pa.table({"label": y, "prediction": y, "text": text}), path, compression="zstd")
    return path


def test_one_click_makes_and_downloads_many_rows(page, server, repeated):
    run = upload(page, server, repeated)
    visit(page, f"{server.url}/rows?run={run}")
    page.get_by_role("button", name="Download").first.click()
    with page.expect_download() as started:  # by itself, once the file is written
        page.get_by_role("button", name="Download Parquet").click()
    assert started.value.suggested_filename == "rows.parquet"
    link = page.get_by_role("link", name="Download Parquet")
    with page.expect_popup() as opened:
        link.click()
    opened.value.close()
    answer = page.request.get(str(link.get_attribute("href")))
    assert answer.headers["content-disposition"] == 'attachment; filename="rows.parquet"'
    assert pq.read_table(pa.BufferReader(answer.body())).num_rows == N
    page.get_by_role("button", name="Download CSV").click()
    expect(page.get_by_role("link", name="Download CSV")).to_be_visible()
