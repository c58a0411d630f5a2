"""Models by their names on the command line, and what every model can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from data.errors import DataError
from data.local_addresses import is_loopback
from data.version import install_command
from harness.answers import Answer
from text.quoting import quote

Asked = tuple[str, str]
"""(key, prompt)."""
Finished = Callable[[list[tuple[str, Answer]]], bool]
"""Takes finished answers with their keys, and keeps them; returns whether to go on."""
NEEDS = {"hf": ("torch", "transformers"), "openai": ("openai",), "classifier": ("torch", "transformers")}
"""Kinds of models, and the packages that each needs."""
INSTALL = install_command("models")


class ModelName(NamedTuple):
    """A model as the command line names it; `url` is None where the client's own address counts."""

    kind: str
    name: str
    url: str | None = None

    @property
    def text(self) -> str:
        """Return it as it is written.

        >>> ModelName("openai", "m", "http://localhost:8000/v1").text
        'openai:m@http://localhost:8000/v1'
        """
        return f"{self.kind}:{self.name}" + (f"@{self.url}" if self.url else "")

    @property
    def short(self) -> str:
        """Return what a file or a column is named after it.

        >>> ModelName("hf", "/models/tiny-llm/").short
        'tiny-llm'
        """
        folder_name = self.name.rstrip("/\\").replace("\\", "/").rpartition("/")[2]
        safe = [letter if letter.isalnum() or letter in "._-" else "-" for letter in folder_name]
        return "".join(safe).strip(".-") or self.kind


@dataclass(frozen=True)
class Options:
    """Say how a model is asked.

    max_tokens : of one answer. concurrency : calls at a time, of a server. batch : prompts at a time, of transformers.
    timeout : seconds for one call. insecure : send the key over plain http.
    """

    max_tokens: int = 16
    concurrency: int = 8
    batch: int = 32
    timeout: float = 60.0
    insecure: bool = False


class Model(Protocol):
    """Ask a model: all that the runner needs of one.

    identity : what makes answers other answers: name, revision, settings. facts : what the manifest says besides.
    labels : of a classifier, the label of every logit. multilabel : whether a row may have several.
    """

    identity: dict[str, Any]
    facts: dict[str, Any]
    labels: tuple[str, ...] | None
    multilabel: bool

    def ask(self, prompts: Iterable[Asked], finished: Finished) -> None:
        """Ask every prompt, and hand over answers as they finish, until there are no more or `finished` says stop."""


def parse_model(text: str) -> ModelName:
    """Read a model's name.

    Raises
    ------
    DataError
        no such kind, no name, or an address that is none.

    >>> parse_model("openai:llama@http://localhost:11434/v1")
    ModelName(kind='openai', name='llama', url='http://localhost:11434/v1')
    """
    kind, colon, name = text.partition(":")
    if kind not in NEEDS or not colon or not name.strip():
        raise DataError(f"--model {quote(text, 60)} is no model; write hf:NAME, openai:NAME@URL or classifier:NAME.")
    if kind != "openai" or "@" not in name:
        return ModelName(kind, name)
    model, _, url = name.rpartition("@")
    is_version = ":" not in url and "/" not in url  # of the model, such as model@2026; a server would not be asked
    return ModelName(kind, name) if is_version else ModelName(kind, model, _address(url))


def _address(url: str) -> str:
    """Return the address of a server without a slash at its end; DataError where it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # ValueError where it is no number of a port
    except ValueError:
        parts = urlsplit("")
    is_server = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    if not is_server or parts.query or parts.fragment or not url.isprintable() or " " in url:
        raise DataError(f"{quote(url, 60)} is no address of a server; write openai:NAME@http://localhost:8000/v1.")
    return url.rstrip("/")


def check_key_way(url: str, *, insecure: bool) -> None:
    """Raise DataError if a key would travel over plain http to another machine."""
    address = urlsplit(url)
    host = address.hostname or ""
    if address.scheme != "https" and not insecure and not is_loopback(host):
        raise DataError(
            f"The key would be sent to {host} over plain http, where others on the network can read it. Use https, "
            "unset OPENAI_API_KEY, or say --insecure."
        )
