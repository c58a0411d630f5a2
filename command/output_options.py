"""Options that say in which format a command prints its results."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from typing import Any

from export.numbers import plain
from export.result.formats import FORMATS
from export.result.kinds import Result


def add_output_options(parser: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    """Add --json and --format, of which one at most is given."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON; null means undefined")
    form.add_argument("--format", choices=list(FORMATS), default="text", help="how results are written (default: text)")
    return form


def write_results(results: Iterable[Result], options: argparse.Namespace) -> str:
    """Write results for a person, in the format that was asked for."""
    return "\n\n".join(map(FORMATS[options.format], results))


def write_json(numbers: Mapping[str, Any]) -> str:
    """Write numbers as JSON in ASCII: no encoding of a pipe can break it, and no label can speak to a terminal."""
    return json.dumps(plain(numbers), allow_nan=False, indent=1)
