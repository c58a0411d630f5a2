"""Write the files that tests read."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_csv(path: Path, columns: Mapping[str, Sequence[object]], delimiter: str = ",") -> Path:
    """Write columns of cells as a CSV file with a header."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path
