"""Suggest the option that answers a question about a file."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence

from data.bad_rows import BadRowsFound
from data.columns.role_names import VARIANTS, fold
from data.errors import ChoiceNeeded, Guess, RolesNeeded, ScoresUnusable
from data.version import COMMAND
from text.numbers import count

_LONGEST_COMMAND = 250
"""A longer command is no help in a sentence."""


def suggest_choice(error: ValueError, options: argparse.Namespace, arguments: Sequence[str]) -> str:
    """Return what the command line adds to a question: how to answer it."""
    if isinstance(error, RolesNeeded):
        return suggest_command(error.guess, options, arguments)
    if isinstance(error, BadRowsFound) and hasattr(options, "skip_bad_rows"):
        return f" Add --skip-bad-rows to leave out {count(error.rows.n_bad)}, with an account."
    if isinstance(error, ScoresUnusable):
        return " Add --scores none to read the file without them."
    if not isinstance(error, ChoiceNeeded):
        return ""
    if not error.column:
        return f" Add --raw {shlex.quote(error.values[0])}, for example."
    advice = f" Add --only {shlex.quote(error.column + '=' + error.values[0])}, for example, or --only all."
    if not hasattr(options, "epoch") or fold(error.column) in VARIANTS:
        return advice
    return f"{advice} With --epoch {shlex.quote(error.column)} all rows count, and intervals are over questions."


def suggest_command(guess: Guess, options: argparse.Namespace, arguments: Sequence[str]) -> str:
    """Return the sentence with the command that takes the best guess, or with the options that are missing.

    >>> typed = argparse.Namespace(truth=None, pred=None, raw=None, score=None, scores=None, labels=None)
    >>> suggest_command(Guess("is_bad", score="bad rate"), typed, ["score", "p.csv"])
    " Best guess: python cli.py score p.csv --truth is_bad --score 'bad rate'"
    """
    given = {"truth": options.truth, "pred": options.pred, "raw": options.raw, "score": options.score or options.scores}
    wanted = guess._asdict()
    complete = guess.truth is not None and any(wanted[role] is not None for role in ("pred", "raw", "score"))
    new = [part for role, name in wanted.items() if name and not given[role] for part in (f"--{role}", name)]
    command = f"{COMMAND} {shlex.join([*arguments, *new])}"
    if complete and new and command.isprintable() and len(command) <= _LONGEST_COMMAND:
        return f" Best guess: {command}"
    if not any(wanted.values()):
        files = "" if options.labels else ", or a file of true labels with --labels"
        return f" Name the columns with --truth and --pred (or --raw, --score){files}."
    if guess.truth is None:
        return " Name the column with --truth" + (
            "." if options.labels else ", or the file that holds them with --labels."
        )
    return " Name the column with --pred, --raw or --score."
