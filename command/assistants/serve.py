"""The command line's `mcp`: offer tools to an assistant over standard input and output (Model Context Protocol)."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from anyio.to_thread import run_sync

from data.errors import DataError
from data.version import VERSION, install_command
from text.visible import make_visible


def add_command(commands: Any) -> None:
    """Add `mcp` to the command line."""
    text = "Offer tools to an assistant: it reads files below the folders named, and writes nothing."
    parser = commands.add_parser("mcp", help="offer tools to an assistant over stdio", description=text)
    parser.add_argument(
        "--root", metavar="DIR", action="append", required=True, help="a folder whose files may be read; repeatable"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> tuple[str, str]:
    """Answer until the assistant goes away.

    Raises
    ------
    DataError
        a root is no folder, or the package is missing.
    """
    roots = [Path(folder).resolve() for folder in options.root]
    for root in roots:
        if not root.is_dir():
            raise DataError(f"{root.name}: there is no such folder; name one with --root.")
    if find_spec("mcp") is None:
        raise DataError(f"Tools for assistants need one more package: {install_command('mcp')}")
    asyncio.run(_serve(roots))
    return "", ""


async def _serve(roots: Sequence[Path]) -> None:
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

    from command.assistants.tools import NOTE, call_tool, list_tools

    async def list_all(_context: Any, _page: Any) -> types.ListToolsResult:
        read_only = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        return types.ListToolsResult(
            tools=[
                types.Tool(name=name, description=tool.about, input_schema=tool.schema, annotations=read_only)
                for name, tool in list_tools().items()
            ]
        )

    async def call(_context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            text, failed = await run_sync(call_tool, roots, asked.name, asked.arguments or {}), False
        except DataError as error:  # it may quote the file
            text, failed = json.dumps({"note": NOTE, "error": make_visible(str(error))}), True
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=failed)

    server = Server("blindspot", version=VERSION, instructions=NOTE, on_list_tools=list_all, on_call_tool=call)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
