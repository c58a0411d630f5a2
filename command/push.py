"""Push a file to a Blindspot server, and print the link that comes back."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from command import file_options
from command.statistic_options import add_grouping_options
from data.errors import DataError
from data.local_addresses import is_loopback
from data.process.limits import format_size
from data.reading.csv.packing import pack_csv
from data.reading.epochs import pack_epochs
from data.sharing import api_keys
from data.sharing.push_fields import Wanted, to_fields
from data.store import links
from text.numbers import count, percent
from text.visible import make_visible
from web.limits import KEY_ANSWER_SECONDS, PUSH_ANSWER_SECONDS
from web.push.request import Answer, Form, measure_file, send


def add_command(commands: Any) -> None:
    """Add `push` to the command line."""
    parser = commands.add_parser(
        "push",
        help="send a predictions file to a server and print the link",
        description="Send a predictions file to a Blindspot server and print a link to it. The API key comes from "
        "BLINDSPOT_KEY, or from --key-file.",
    )
    file_options.add_file_options(parser)
    add_grouping_options(parser)
    add_server_options(parser, required=True)
    parser.add_argument("--name", default="", help="title of the link")
    parser.add_argument("--hide", metavar="COL", action="append", default=[], help="leave a column out; repeatable")
    parser.add_argument(
        "--counts-only", action="store_true", help="leave the rows out: share numbers and pictures only"
    )
    parser.add_argument(
        "--preview", action="store_true", help="show title and picture where the link's static page is pasted"
    )
    parser.add_argument("--json", action="store_true", help="print everything the server says, as JSON")
    parser.set_defaults(run=push)


def add_server_options(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add the server that files are sent to, its key, and how long a link lasts."""
    parser.add_argument(
        "--to", metavar="URL", required=required, help="the server, such as https://host or https://host/path"
    )
    parser.add_argument(
        "--days", type=int, choices=links.DAYS, default=links.DEFAULT_DAYS, help="days until the link expires"
    )
    parser.add_argument("--key-file", metavar="FILE", help="a file that holds only the API key")
    parser.add_argument("--key", help="the API key itself; others on this machine may see it, so prefer BLINDSPOT_KEY")
    parser.add_argument(
        "--insecure",
        action="store_true",
        help="allow plain http, where others on the network can read the key and the file",
    )


def push(options: argparse.Namespace) -> tuple[str, str]:
    """Return the link, or with --json all that the server says; and why it cannot be used yet, if so.

    Raises
    ------
    DataError
        one sentence: an option, a file, the way to the server, or what the server says.
    """
    wanted = Wanted(
        file_options.read_given_options(options), options.name, options.days, tuple(options.hide), options.counts_only,
        options.preview,
    )  # fmt: skip
    made = push_file(options, options.file, wanted)
    link, problem = describe_link(made)
    return json.dumps(made, indent=1) if options.json else link, problem


def describe_link(made: dict[str, Any]) -> tuple[str, str]:
    """Return the link that a server made, and why it cannot be used yet, if so."""
    problem = made.get("problem")
    link = make_visible(str(made.get("link", "")))
    return link, f"The link was made, but nothing can be scored yet: {problem}" if problem else ""


def push_file(options: argparse.Namespace, file: str, wanted: Wanted) -> dict[str, Any]:
    """Send one file, and its labels if options name them; return what the server says of the link that it made.

    Raises
    ------
    DataError
        as `push`.
    """
    address, headers = require_server(options)
    with pack_epochs(Path(file)) as predictions:
        files = [("file", predictions), *([("labels", Path(options.labels))] if options.labels else [])]
        for _, path in files:
            measure_file(path)
        about = _require(send(f"{address}/api/key", headers, seconds=KEY_ANSWER_SECONDS), 200, address)
        with _pack_large(about, files, wanted) as packed:
            _check_size(about, packed)
            return _send(address, headers, Form(to_fields(wanted), packed))


def require_server(options: argparse.Namespace) -> tuple[str, dict[str, str]]:
    """Return the server's address, and the headers with its key; DataError where one of the two is missing or wrong."""
    address = check_address(options.to, insecure=options.insecure)
    return address, {"Authorization": f"Bearer {read_key(options)}", "Accept": "application/json"}


@contextlib.contextmanager
def _pack_large(
    about: dict[str, Any], files: list[tuple[str, Path]], wanted: Wanted
) -> Iterator[list[tuple[str, Path]]]:
    """Give the files, and Parquet of the same cells in place of a CSV file that is larger than the server takes."""
    most_mb, packed = about.get("most_mb"), []
    options = wanted.given.first_reading
    with contextlib.ExitStack() as stack:
        for field, path in files:
            smaller = None
            if isinstance(most_mb, int) and measure_file(path) > most_mb << 20:
                smaller = stack.enter_context(pack_csv(path, options, _count_rows))
            packed.append((field, smaller or path))
        yield packed


def _count_rows(n_rows: int) -> None:
    if sys.stderr.isatty():
        print(f"\rRead {count(n_rows)}   ", end="", file=sys.stderr)


def _send(address: str, headers: dict[str, str], form: Form) -> dict[str, Any]:
    """Send files, and return what the server says of the link that it made."""
    form.report = _progress(form.n_bytes)
    answer = send(f"{address}/api/evaluations", headers | form.headers, form, seconds=PUSH_ANSWER_SECONDS)
    return _require(answer, 201, address)


def check_address(text: str, *, insecure: bool = False) -> str:
    """Return the address of a server without a slash at its end.

    Raises
    ------
    DataError
        it is none; or a key would travel where anybody can read it.

    Examples
    --------
    >>> check_address("https://example.org/blindspot/"), check_address("http://127.0.0.1:8501")
    ('https://example.org/blindspot', 'http://127.0.0.1:8501')
    """
    try:
        parts = urlsplit(text)
        right = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        right = False
    if not right or "@" in parts.netloc or parts.query or parts.fragment or not re.fullmatch(r"[!-~]+", text):
        raise DataError(f"{text[:60]!r} is no server's address; write https://host, or https://host/path.")
    if parts.scheme == "http" and not insecure and not is_loopback(parts.hostname or ""):
        raise DataError(
            f"The key would be sent to {parts.hostname} over plain http, where others on the network can read it. Use "
            "https, or say --insecure."
        )
    return text.rstrip("/")


def read_key(options: argparse.Namespace) -> str:
    """Read the key: of the option, else of the file, else of BLINDSPOT_KEY."""
    key = options.key or (_from_file(options.key_file) if options.key_file else os.environ.get("BLINDSPOT_KEY", ""))
    key = key.strip()
    if not key:
        raise DataError("There is no API key; put it into the environment variable BLINDSPOT_KEY.")
    if not api_keys.looks_like_one(key):
        raise DataError(
            "What was given as the key is none; a key begins with blindspot_, and is shown when it is made."
        )
    return key


def _from_file(name: str) -> str:
    try:
        with Path(name).open(encoding="utf-8") as file:
            return file.read(1000)
    except (OSError, ValueError):
        raise DataError(f"{Path(name).name}: the key could not be read; a text file with the key was wanted.") from None


def _check_size(about: dict[str, Any], files: list[tuple[str, Path]]) -> None:
    most_mb = about.get("most_mb")
    for _, path in files:
        size = measure_file(path)
        if isinstance(most_mb, int) and size > most_mb << 20:
            raise DataError(
                f"{path.name} has {format_size(size)}, but the server takes {most_mb:,} MB at most; send less, or have "
                "BLINDSPOT_UPLOAD_MB raised there."
            )


def _require(answer: Answer, status: int, address: str) -> dict[str, Any]:
    """Return what the server says, if it is what was asked for; raise its own sentence otherwise."""
    if answer.status == status and answer.content is not None:
        return answer.content
    if answer.status in (301, 302, 303, 307, 308):
        raise DataError(f"{address} sends elsewhere ({answer.location or 'it does not say where'}); give that address.")
    sentence = (answer.content or {}).get("error")
    if isinstance(sentence, str):
        raise DataError(f"{sentence[:600]} (status {answer.status})")
    raise DataError(
        f"{address} answered with status {answer.status}, and not as a Blindspot server does; check the address and "
        "its path."
    )


def _progress(n_bytes: int) -> Callable[[int], None]:
    """Return a function that prints the bytes sent so far; nothing without a terminal, or for a quick upload."""

    def report(sent: int) -> None:
        if n_bytes >= 8 << 20 and sys.stderr.isatty():
            end = "\n" if sent == n_bytes else ""
            done = f"\rSent {format_size(sent)} of {format_size(n_bytes)} ({percent(sent / n_bytes, 0)})   "
            print(done, end=end, file=sys.stderr)

    return report
