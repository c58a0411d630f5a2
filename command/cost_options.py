"""The option that names a table of costs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from data.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np


def add_costs_option(parser: argparse._ActionsContainer) -> None:
    """Add the table of costs."""
    parser.add_argument(
        "--costs", metavar="FILE", help="a CSV table of costs: a row for each true class, a column for each prediction"
    )


def cost_table(options: argparse.Namespace, labels: Sequence[str]) -> np.ndarray | None:
    """Return the table of costs that an option names, true × predicted; None where none does.

    Raises
    ------
    DataError
        the file cannot be read, or is no such table.
    """
    if not options.costs:
        return None
    path = Path(options.costs)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        raise DataError(f"{path.name}: no table of costs could be read; a CSV file in UTF-8 was wanted.") from None
    from data.labels.costs_and_shares import read_cost_table  # what it imports takes longer than a small file

    return read_cost_table(text, labels)
