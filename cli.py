"""The same numbers without a browser: python cli.py score preds.csv [--json]."""

from __future__ import annotations

import signal

# Ctrl+C while the modules below are imported would print a traceback. A program in the background ignores it.
if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import io
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NoReturn

from data.environment import SettingError
from data.errors import DataError
from data.process.child_process import start_ahead
from data.process.pandas_free import hide_pandas_from_arrow
from data.version import COMMAND, IS_INSTALLED, install_command
from text.visible import make_visible

COMMANDS = {
    "open": "open_file", "score": "score", "compare": "compare", "plan": "plan", "agree": "agree", "report": "report",
    "push": "push", "run": "run", "judge": "judge", "key": "key", "mcp": "assistants.serve",
}  # fmt: skip
"""Every command and its module in `command/`; only that of the command that is asked for is imported."""
INSTALL_APP = install_command("app")
"""Command that the installed package names where it lies alone."""


_READING = ("score", "compare", "report")
"""Commands that begin by reading a file in a process of its own."""


def program(arguments: list[str]) -> int:
    """Run the command line as a program: the process that reads starts at once, beside the imports of this one."""
    if len(arguments) > 1 and arguments[0] in _READING:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its other threads spin while everything is imported
        start_ahead("data.runs.understanding:work")
        hide_pandas_from_arrow()
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return main(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0, 2 with one sentence on stderr, or 1 where a gate fails."""
    given = sys.argv[1:] if arguments is None else arguments
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may lack the letters of a label
    try:
        options = _parser(given).parse_args(given)
        with _exiting_on_signals():
            if "output" in options:
                import_module("command.option_files").refuse_to_overwrite(options)
            text, problem, *code = options.run(options)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 128 + signal.SIGINT
    except (DataError, SettingError) as error:
        from command.suggestions import suggest_choice

        print(make_visible(str(error) + suggest_choice(error, options, given)), file=sys.stderr)
        return 2
    try:
        print(text, end="\n" if text else "", flush=True)
    except BrokenPipeError:
        # whoever read has seen enough; what is left in the buffer must not fail again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if problem:
        print(make_visible(problem), file=sys.stderr)
    return code[0] if code else 2 if problem else 0


@contextmanager
def _exiting_on_signals() -> Iterator[None]:
    """Exit on SIGTERM and SIGHUP, so that processes and folders that a command has made end, too."""
    if threading.current_thread() is not threading.main_thread():  # only it may set handlers
        yield
        return
    names = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(name, lambda number, _: sys.exit(128 + number)) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


_PYTHON = "" if IS_INSTALLED else "python "


class _Parser(argparse.ArgumentParser):
    """Say in one sentence what is wrong with an option."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("type", int, _read_whole_number)
        self.register("type", float, _read_number)

    def error(self, message: str) -> NoReturn:
        self.exit(
            2,
            make_visible(f"{message[:1].upper()}{message[1:]}; {_PYTHON}{self.prog} --help lists the options.") + "\n",
        )


def _read_whole_number(text: str) -> int:
    """Read the value of an option of type int; argparse's own message names the type."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is no whole number, such as 100") from None


def _read_number(text: str) -> float:
    """Read the value of an option of type float."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is no number, such as 0.5") from None


def _parser(sentences: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser; a command sets what runs it: options in, (text, problem or "") out, or with a code.

    sentences : what was typed; where it begins with a command, the parser knows this command only.
    """
    parser = _Parser(
        prog=COMMAND.removeprefix(_PYTHON), description="Evaluate the predictions of a classifier without a browser."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    is_named = bool(sentences) and sentences[0] in COMMANDS
    for command in (sentences[0],) if is_named else COMMANDS:
        import_module(f"command.{COMMANDS[command]}").add_command(commands)
    if is_named:  # an option that it does not have is told by this parser
        parser.prog += f" {sentences[0]}"
    return parser


if __name__ == "__main__":
    sys.exit(program(sys.argv[1:]))
