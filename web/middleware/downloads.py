"""The way to a file that was written to be downloaded: from the disk, piece by piece, and never kept by a browser."""

from __future__ import annotations

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from data.errors import DataError
from data.rows import made_files

NO_STORE = {"Cache-Control": "no-store"}


async def download(request: Request) -> Response:
    """Hand out a file to whoever has its address; 404 with one sentence where there is none."""
    try:
        made = await run_sync(made_files.find, request.path_params["token"])
    except DataError as error:
        return PlainTextResponse(f"{error}\n", 404, headers=NO_STORE)
    return FileResponse(made.path, filename=made.name, media_type="application/octet-stream", headers=NO_STORE)


ROUTES = [Route("/download/{token}", download, methods=["GET"])]
