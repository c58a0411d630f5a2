"""Take a folder of epochs, as the client's SavePredictions writes it, for the archive that readers and servers know."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.errors import DataError
from data.reading.epochs import ENDINGS
from text.quoting import list_items

_NAMED = re.compile(r"(step|epoch)[-_ ]?[0-9]+\.", re.IGNORECASE)


def is_training(path: Path) -> bool:
    """Return whether a path is a folder of epochs: its tables are named step-20.parquet, epoch-3.csv or so."""
    names = [one.name for one in path.iterdir() if one.suffix.lower() in ENDINGS] if path.is_dir() else []
    return bool(names) and all(_NAMED.match(name) for name in names)


@contextmanager
def packed(path: Path) -> Iterator[Path]:
    """Give a file as it is, and a folder of predictions as one archive that ends with the block.

    Raises
    ------
    DataError
        the folder holds no table.
    """
    if not path.is_dir():
        yield path
        return
    files = sorted(one for one in path.iterdir() if one.suffix.lower() in ENDINGS and one.is_file())
    if not files:
        inside = [one.name for one in sorted(path.iterdir()) if one.is_dir()]
        which = f"name one of its folders: {list_items(inside)}" if inside else "name the folder of predictions"
        raise DataError(f"{path.name}: this folder holds no table; {which}.")
    with tempfile.TemporaryDirectory(prefix="blindspot-") as folder:
        archive = Path(folder) / f"{path.resolve().name}.zip"
        with zipfile.ZipFile(archive, "w") as out:  # stored: Parquet is packed already
            for one in files:
                out.write(one, one.name)
        yield archive
