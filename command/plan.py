"""The command line's `plan`: how many rows tell two accuracies apart."""

from __future__ import annotations

import argparse
import math
from typing import Any

from command.output_options import write_json
from command.statistic_options import add_level_option, checked_level
from data.errors import DataError
from metrics.comparison.planning import Plan, plan


def add_command(commands: Any) -> None:
    """Add `plan` to the command line."""
    about = "say how many rows are needed to tell two accuracies apart"
    parser = commands.add_parser("plan", help=about, description=f"{about.capitalize()}.")
    parser.add_argument(
        "--accuracy", metavar="SHARE", type=float, required=True, help="accuracy of one model, such as 0.85"
    )
    parser.add_argument(
        "--difference", metavar="D", type=float, required=True, help="the difference to be found, such as 0.02"
    )
    parser.add_argument(
        "--disagreement",
        metavar="SHARE",
        type=float,
        help="share of the rows that only one of the two has right (default: as if their mistakes were independent)",
    )
    parser.add_argument("--power", metavar="SHARE", type=float, default=0.8, help="how often to find it (default: 0.8)")
    add_level_option(parser)
    parser.add_argument("--json", action="store_true", help="print JSON; null means undefined")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> tuple[str, str]:
    """Return the rows needed, as a sentence or as JSON.

    Raises
    ------
    DataError
        an option is out of range, or no number of rows can show the difference.
    """
    other = options.accuracy + options.difference
    if not (0 < options.accuracy < 1 and 0 < other < 1 and options.difference):
        raise DataError("Both accuracies must lie between 0 and 1 and differ; write --accuracy 0.85 --difference 0.02.")
    if not 0 < options.power < 1:
        raise DataError(f"--power {options.power:g} is no share between 0 and 1; write 0.8.")
    most = min(options.accuracy + other, 2 - options.accuracy - other)  # both right in as few rows as there can be
    if options.disagreement is not None and not abs(options.difference) <= options.disagreement <= most + 1e-9:
        raise DataError(
            f"With accuracies {options.accuracy:.4g} and {other:.4g}, only one model is right in a share of "
            f"{abs(options.difference):.4g} to {most:.4g} of the rows. --disagreement {options.disagreement:g} lies "
            "outside: correct it, or leave it out."
        )
    level = checked_level(options)
    needed = plan(
        options.accuracy, options.difference, disagreement=options.disagreement, power=options.power, level=level
    )
    if options.json:
        return write_json(_numbers(needed, options, level)), ""
    return _sentence(needed, options, level), ""


def _numbers(plan: Plan, options: argparse.Namespace, level: float) -> dict[str, Any]:
    """Return the rows needed beside what was asked, as the JSON has them."""
    asked = {name: getattr(options, name) for name in ("accuracy", "difference", "power")}
    return {
        **asked,
        "level": level,
        "disagreement": plan.disagreement,
        "disagreement_assumed": options.disagreement is None,
        "rows": {"paired": _whole(plan.paired), "unpaired": _whole(plan.unpaired)},
    }


def _whole(rows: float) -> int | None:
    """Return rows rounded up; None where no number of rows is enough."""
    return None if math.isnan(rows) else math.ceil(rows)


def _sentence(plan: Plan, options: argparse.Namespace, level: float) -> str:
    """Return the rows needed in words."""
    other = options.accuracy + options.difference
    how = "as if their mistakes were independent" if options.disagreement is None else "as you say"
    return (
        f"To tell {options.accuracy:.4g} from {other:.4g} you need {_whole(plan.paired):,} paired rows, "
        f"or {_whole(plan.unpaired):,} rows each, unpaired.\n"
        f"Only one of the two is right in {100 * plan.disagreement:.3g} % of the paired rows, {how}.\n"
        f"Power {options.power:g}, level {level:g}: Connor 1987 for McNemar's test, a z test of two shares otherwise."
    )
