"""Objects of a store (S3) that are read as the files of a source, through fsspec (requirements-object-store.txt)."""

from __future__ import annotations

import importlib
from pathlib import PurePath, PurePosixPath
from typing import Any, NamedTuple

from data.errors import DataError
from data.limits import STORE_ANSWER_SECONDS, STORE_CONNECT_SECONDS
from data.version import install_command

SCHEME = "s3://"


class ObjectFacts(NamedTuple):
    """Size, time of the last change (nanoseconds) and tag of an object, by which a change is seen."""

    size: int
    time: int
    tag: str


class ObjectFiles:
    """A store as the environment sets it up: credentials, region and endpoint."""

    def __init__(self) -> None:
        try:
            library = importlib.import_module("s3fs")
        except ImportError:
            raise DataError(
                f"Nothing is installed that reads s3:// addresses: run {install_command('object-store')}."
            ) from None
        waits = {"connect_timeout": STORE_CONNECT_SECONDS, "read_timeout": STORE_ANSWER_SECONDS}
        # No cache: an engine reads single columns, and a cache would also read the bytes between them.
        self.filesystem: Any = library.S3FileSystem(
            use_listings_cache=False, skip_instance_cache=True, default_cache_type="none", config_kwargs=waits
        )

    def find(self, root: PurePath) -> dict[PurePath, ObjectFacts]:
        """Return the Parquet objects below a prefix, or the one object, in the order of their names.

        Raises
        ------
        DataError
            the store does not answer, or refuses.
        """
        try:
            listed = self._list(root)
        except PermissionError:
            raise DataError("The object store refuses to list the files: check the server's credentials.") from None
        paths: dict[PurePath, Any] = {PurePosixPath(name): facts for name, facts in listed.items()}
        return {path: _facts(facts) for path, facts in sorted(paths.items()) if _is_data(path, root)}

    def names(self, root: PurePath) -> list[PurePath]:
        """Return the paths of all objects below a prefix; none where the store refuses to list them."""
        try:
            return [PurePosixPath(name) for name in self._list(root)]
        except PermissionError:
            return []

    def _list(self, root: PurePath) -> dict[str, Any]:
        try:
            listed: dict[str, Any] = self.filesystem.find(str(root), detail=True)
            return listed
        except FileNotFoundError:
            return {}
        except PermissionError:
            raise
        except Exception as error:  # of botocore, aiohttp or the network: they have no common ancestor
            if "Credential" in type(error).__name__:
                raise PermissionError from None
            raise DataError("The object store does not answer: check its address, and try again.") from None


def _facts(record: dict[str, Any]) -> ObjectFacts:
    changed = record.get("LastModified")
    return ObjectFacts(
        int(record["size"]), int(changed.timestamp() * 1e9) if changed else 0, str(record.get("ETag", ""))
    )


def _is_data(path: PurePath, root: PurePath) -> bool:
    parts = path.relative_to(root).parts
    return path.suffix == ".parquet" and not any(part.startswith((".", "_")) for part in parts)
