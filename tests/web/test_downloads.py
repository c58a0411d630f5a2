"""A file that was made is handed out from the disk, to whoever has its address, and kept by no browser."""

import pytest
from starlette.applications import Starlette

from data.rows import made_files
from tests.web.asgi import converse, run, scope_of
from web.routes import ROUTES


@pytest.fixture
def made(own_store, tmp_path):
    (tmp_path / "out").write_bytes(b"row,text\r\n1,two\r\n")
    yield made_files.keep(tmp_path / "out", "rows.csv", "")
    made_files.drop_all()


def ask(path, **headers):
    """Status, content and headers of the answer."""
    http = {"query_string": b"", "scheme": "http", "server": ("127.0.0.1", 1), "root_path": "", "extensions": {}}
    scope = scope_of(path, headers=[("host", "127.0.0.1:8501"), *headers.items()], **http)
    first, *rest = run(converse(Starlette(routes=ROUTES), scope))
    found = {name.decode(): value.decode() for name, value in first["headers"]}
    return first["status"], b"".join(message["body"] for message in rest), found


def test_a_file_is_handed_out_and_not_stored(made):
    status, content, headers = ask(f"/download/{made.token}")
    assert (status, content) == (200, b"row,text\r\n1,two\r\n")
    assert headers["cache-control"] == "no-store"
    assert headers["content-disposition"] == 'attachment; filename="rows.csv"'


def test_a_part_of_a_file_is_handed_out(made):
    assert ask(f"/download/{made.token}", range="bytes=4-7")[:2] == (206, b"text")


@pytest.mark.parametrize("token", ["x", "A" * 43, "..", "../../etc/passwd", "\x00"])
def test_another_address_opens_nothing(made, token):
    status, content, _ = ask(f"/download/{token}")
    assert status == 404 and b"text" not in content


def test_a_dropped_file_says_so(made):
    made_files.drop(made.token)
    assert ask(f"/download/{made.token}")[:2] == (404, b"This file is not kept any more: make it again.\n")
    assert not made.path.parent.exists()
