"""Every environment variable that Blindspot reads: its default, its bounds and what it is for.

`docs/deployment.md` lists the same table, and a test compares the two. A value that cannot be used is a
`SettingError` with one sentence, raised where it is read first: `check` reads them all when the server starts.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit


class SettingError(ValueError):
    """An environment variable says something that cannot be used; one sentence."""


@dataclass(frozen=True)
class Variable:
    """One environment variable.

    default : what holds while the variable is unset or empty, already parsed.
    parse : text to value; raises ValueError with the end of the sentence "…, but … was wanted".
    unit : what the number counts; empty where it is none.
    about : what it is for, one sentence.
    """

    name: str
    default: Any
    parse: Callable[[str], Any]
    about: str
    unit: str = ""


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,15}", text) or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low:,} to {high:,}")
        return int(text)

    return parse


def _text(text: str) -> str:
    return text


def read_yes(text: str) -> bool:
    """Read yes or no; ValueError where a text says neither."""
    if text.lower() not in ("yes", "no", "1", "0", "true", "false"):
        raise ValueError("yes or no")
    return text.lower() in ("yes", "1", "true")


def _address(text: str) -> str:
    """Return a web address without query and without a slash at its end."""
    wanted = "an address such as https://blindspot.example.org or https://example.org/blindspot"
    try:
        url = urlsplit(text)
        named = url.scheme in ("http", "https") and url.hostname and url.port != 0 and url.username is None
    except ValueError:  # a port that is none, or half a bracket
        raise ValueError(wanted) from None
    if not named or url.query or url.fragment or not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?", url.path):
        raise ValueError(wanted)
    return text.rstrip("/")


def _audience(text: str) -> str:
    """Return whom links open for: anyone, members, or domains and groups."""
    kinds = [part.strip() for part in text.split(",")]
    if text not in ("anyone", "members") and not all(
        re.fullmatch(r"(domain|group):[^\s,:]{1,200}", kind) for kind in kinds
    ):
        raise ValueError("anyone, members, or a list such as domain:example.org,group:reviewers")
    return text


def _addresses(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(",") if part.strip())
    try:
        for part in parts:
            ip_address(part)
    except ValueError:
        raise ValueError("addresses of proxies with commas between them, such as 127.0.0.1,10.0.0.7") from None
    return parts


def _origins(text: str) -> tuple[str, ...]:
    parts = tuple(re.split(r"[\s,]+", text.strip()))
    if not all(re.fullmatch(r"https?://[A-Za-z0-9.-]+(:([0-9]{1,5}|\*))?", part) for part in parts):
        raise ValueError("addresses of pages with spaces between them, such as http://localhost:8888")
    return parts


def _spark(text: str) -> str:
    """Return the address of a Spark: of a master, or of Spark Connect."""
    if not re.fullmatch(r"(local(\[([0-9]{1,3}|\*)\])?|yarn|(spark|k8s|sc)://[^\s]{1,500})", text):
        raise ValueError("the address of a Spark, such as local[2], spark://host:7077 or sc://host:15002")
    return text


def _header(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,99}", text):
        raise ValueError("the name of a header, such as X-Forwarded-User")
    return text


VARIABLES: dict[str, Variable] = {
    variable.name: variable
    for variable in (
        Variable(
            "BLINDSPOT_STORE",
            ".blindspot",
            _text,
            "Where evaluations are kept: a folder, or an object store's address such as s3://bucket/blindspot.",
        ),
        Variable(
            "BLINDSPOT_SOURCES",
            "",
            _text,
            "The file (TOML) that lists Parquet folders of this server, which people open by name (docs/scaling.md).",
        ),
        Variable(
            "BLINDSPOT_SPARK",
            "local[2]",
            _spark,
            "Where Spark counts: local[2] in this process, a master's address, or sc://host:15002 for Spark Connect.",
        ),
        Variable(
            "BLINDSPOT_DRAFT_HOURS",
            24,
            _whole(0, 24 * 365),
            "How long an upload is kept that nobody shared; 0 keeps it in memory only.",
            "hours",
        ),
        Variable(
            "BLINDSPOT_URL",
            "",
            _address,
            "The address people reach the server at; with a path, everything is served below it.",
        ),
        Variable(
            "BLINDSPOT_ADDRESS",
            "127.0.0.1",
            _text,
            "The network address to listen on; anything but this machine needs a login or BLINDSPOT_WITHOUT_LOGIN.",
        ),
        Variable(
            "BLINDSPOT_FRAMED_BY",
            (),
            _origins,
            "Whose pages may show Blindspot in a frame, such as http://localhost:8888 for a notebook; unset, nobody's.",
        ),
        Variable("PORT", 8501, _whole(0, 65_535), "The port to listen on; 0 takes a free one."),
        Variable(
            "BLINDSPOT_WITHOUT_LOGIN",
            False,
            read_yes,
            "Whether a network may reach the server although nobody has to log in (a proxy does it, say).",
        ),
        Variable(
            "BLINDSPOT_LINKS_FOR",
            "anyone",
            _audience,
            "Whom shared links open for: anyone who holds them, members (whoever is logged in), or domains and groups.",
        ),
        Variable(
            "BLINDSPOT_USER_HEADER", "", _header, "The header in which a proxy names the person who is logged in there."
        ),
        Variable(
            "BLINDSPOT_PROXIES",
            ("127.0.0.1", "::1"),
            _addresses,
            "Whose word is taken for who is asking (BLINDSPOT_USER_HEADER, X-Forwarded-For).",
        ),
        Variable("BLINDSPOT_UPLOAD_MB", 200, _whole(1, 4_000), "The largest file that may be uploaded.", "MB"),
        Variable("BLINDSPOT_ROWS", 5_000_000, _whole(1, 1_000_000_000), "The most rows of a file.", "rows"),
        Variable("BLINDSPOT_COLUMNS", 10_000, _whole(1, 1_000_000), "The most columns of a file.", "columns"),
        Variable("BLINDSPOT_CLASSES", 5_000, _whole(2, 1_000_000), "The most classes of an evaluation.", "classes"),
        Variable("BLINDSPOT_LABEL_CHARS", 5_000, _whole(1, 100_000), "The longest label.", "characters"),
        Variable(
            "BLINDSPOT_READING_MB",
            3_072,
            _whole(1_024, 1_000_000),
            "The memory that reading one upload, or writing one file to be downloaded, may take.",
            "MB",
        ),
        Variable(
            "BLINDSPOT_EVALUATION_MB",
            2_048,
            _whole(16, 1_000_000),
            "The memory that one evaluation may take, with repeated texts written out.",
            "MB",
        ),
        Variable(
            "BLINDSPOT_EXPORT_MB",
            1_024,
            _whole(16, 1_000_000),
            "The largest file of rows that is written to be downloaded.",
            "MB",
        ),
        Variable(
            "BLINDSPOT_SECONDS",
            180,
            _whole(1, 86_400),
            "How long it may take to read one upload, to write one download, or to run one long computation of a page. "
            "Such are: roles of columns, near-duplicates, bands around curves, the AUC of every class, best thresholds "
            "of labels, cross-validation.",
            "seconds",
        ),
        Variable(
            "BLINDSPOT_KEPT",
            6,
            _whole(1, 10_000),
            "Evaluations held in memory; the one not used for longest goes first.",
            "evaluations",
        ),
        Variable(
            "BLINDSPOT_SAVES_PER_HOUR",
            60,
            _whole(1, 1_000_000),
            "Links that one person may make in an hour, by hand or by push.",
            "links",
        ),
        Variable(
            "BLINDSPOT_UPLOADS_PER_HOUR",
            300,
            _whole(1, 1_000_000),
            "Files that one person may upload in an hour; an address counts as one where nobody logs in.",
            "files",
        ),
        Variable(
            "BLINDSPOT_SESSION_FILES", 20, _whole(1, 10_000), "Files that one tab may have uploaded at a time.", "files"
        ),
        Variable(
            "BLINDSPOT_SESSION_MB", 400, _whole(1, 100_000), "Bytes that one tab may have uploaded at a time.", "MB"
        ),
        Variable(
            "BLINDSPOT_UPLOADS_AT_ONCE", 8, _whole(1, 10_000), "Uploads that are received at the same time.", "uploads"
        ),
        Variable("BLINDSPOT_BODY_SECONDS", 300, _whole(1, 86_400), "How long one upload may be on its way.", "seconds"),
        Variable(
            "BLINDSPOT_SLOWEST_KB",
            32,
            _whole(0, 1_000_000),
            "What an upload has to bring each second, on average after its first 20 seconds; 0 sets no pace.",
            "kB",
        ),
        Variable(
            "BLINDSPOT_MEMORY_MB",
            8_192,
            _whole(256, 10_000_000),
            "The server's memory from which on it takes no further upload.",
            "MB",
        ),
    )
}

ELSEWHERE = ("BLINDSPOT_KEY",)
"""Variables that the server does not read: the command `push` does."""


def value(name: str) -> Any:
    """Return the value of an environment variable, or its default.

    Raises
    ------
    SettingError
        one sentence: the variable, what it says, what was wanted.

    Examples
    --------
    >>> value("BLINDSPOT_COLUMNS")
    10000
    """
    variable = VARIABLES[name]
    text = os.environ.get(name, "").strip()
    if not text:
        return variable.default
    try:
        return variable.parse(text)
    except ValueError as error:
        raise SettingError(f"{name} is {text[:60]!r}, but {error} was wanted; change it, or unset it.") from None


def check() -> None:
    """Read every variable once, so that a mistake shows when the server starts and not to a visitor.

    Raises
    ------
    SettingError
        a variable says what cannot be used, or is called like one of ours and is none: nothing would come of it.
    """
    for name in VARIABLES:
        value(name)
    for name in sorted(os.environ):
        if name.startswith("BLINDSPOT_") and name not in VARIABLES and name not in ELSEWHERE:
            near = difflib.get_close_matches(name, VARIABLES, 1)
            hint = f"; was {near[0]} meant?" if near else "; docs/deployment.md lists those there are."
            raise SettingError(f"There is no setting {name[:60]}{hint}")


def raise_it(name: str) -> str:
    """Return the end of a sentence about a limit: how whoever runs the server raises it.

    >>> raise_it("BLINDSPOT_ROWS")
    'whoever runs the server can raise it with BLINDSPOT_ROWS'
    """
    return f"whoever runs the server can raise it with {name}"
