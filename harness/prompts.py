"""From a row to a prompt: a sandboxed Jinja2 template over the row, the label list and a few solved examples."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from data.errors import DataError
from text.numbers import count
from text.quoting import cut, quote

Row = Mapping[str, str]
MOST_BYTES = 1 << 20
_ENOUGH_ROWS = 5
_WORD = re.compile(r"[^\W_]+")
_SINGLE_BRACES = re.compile(r"(?<![{%])\{ *([a-z_]\w*) *\}(?!\})", re.IGNORECASE)
_OTHER_CELL = "another text than this row has"


class _Missing(StrictUndefined):
    """Say which name is missing; Jinja2's own message also names the Python type that lacks it."""

    @property
    def _undefined_message(self) -> str:
        return self._undefined_hint or f"there is no {quote(str(self._undefined_name))}"


class Shot(NamedTuple):
    """One solved example."""

    text: str
    label: str


@dataclass(frozen=True)
class Prompts:
    """Make the prompts of a run.

    source : the template's text. labels : the label list that it may name.
    shots : solved examples, the same for every row.
    hidden : columns that a template may not name: they hold the truth.
    """

    source: str
    labels: tuple[str, ...] = ()
    shots: tuple[Shot, ...] = ()
    name: str = "the template"
    hidden: tuple[str, ...] = ()
    _template: Template = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        environment = ImmutableSandboxedEnvironment(undefined=_Missing, autoescape=False)
        try:
            object.__setattr__(self, "_template", environment.from_string(self.source))
        except TemplateSyntaxError as error:
            raise DataError(
                f"{self.name}, line {error.lineno}: {_describe_error(error)}; correct the template."
            ) from None
        except (TemplateError, RecursionError) as error:
            raise DataError(f"{self.name}: {_describe_error(error)}; correct the template.") from None

    def render(self, row: Row, text: str = "", **more: Any) -> str:
        """Return the prompt of one row: what the row holds is text in it, never template.

        row : the row's cells by column. text : the cell of the text column. more : further names.

        Raises
        ------
        DataError
            the template names what the row does not have, or fails on it.

        >>> Prompts("One of {{ labels|join(', ') }}: {{ text }}", ("a", "b")).render({}, "{{ x }}")
        'One of a, b: {{ x }}'
        """
        seen = {column: cell for column, cell in row.items() if column not in self.hidden}
        try:
            return self._template.render(row=seen, text=text, labels=self.labels, shots=self.shots, **more)
        except UndefinedError as error:
            raise DataError(f"{self.name}: {self._missing(_describe_error(error), seen)}") from None
        except SecurityError as error:
            raise DataError(f"{self.name}: {_describe_error(error)}; a template may only read its row.") from None
        except Exception as error:  # the template is a program: it may fail in any way
            raise DataError(f"{self.name}: {_describe_error(error)}; correct the template.") from None

    def _missing(self, error: str, row: Row) -> str:
        hidden = next((column for column in self.hidden if quote(column) in error), None)
        if hidden is not None:
            return f"it names {quote(hidden)}, which holds the truth; leave the truth out of the prompt."
        columns = ", ".join(f"row[{quote(column)}]" for column in list(row)[:5])
        return f"{error}; there are text, labels, shots and {columns or 'row'}."

    @property
    def digests(self) -> dict[str, str]:
        """Return the hash of each part: another one means other prompts."""
        shots = "\x1e".join(f"{shot.text}\x1f{shot.label}" for shot in self.shots)
        return {
            "prompt": digest(self.source),
            "label list": digest("\x1f".join(self.labels)),
            "few shots": digest(shots),
        }


def single_braces(prompts: Prompts) -> str:
    """Return a sentence on a name in single braces, which Jinja2 takes as it stands; "" where there is none.

    >>> single_braces(Prompts("Label this: {text}"))
    'the template has {text} in single braces, which stays as it is; write {{ text }}.'
    """
    match = _SINGLE_BRACES.search(prompts.source)
    if match is None:
        return ""
    return f"{prompts.name} has {match[0]} in single braces, which stays as it is; write {{{{ {match[1]} }}}}."


def check_text_used(prompts: Prompts, rows: Sequence[tuple[Row, str]], column: str) -> None:
    """Raise DataError where no prompt of some rows changes with the row's text.

    rows : (row, text), a few of them. column : the name of the text's column.
    """
    for row, text in rows[:_ENOUGH_ROWS]:
        prompt = prompts.render(row, text)
        try:
            other = prompts.render({**row, column: _OTHER_CELL}, _OTHER_CELL)
        except DataError:  # it does something with the text
            return
        if prompt != other:
            return
    if rows:
        advice = single_braces(prompts) or "write {{ text }} into it."
        raise DataError(f"{prompts.name} does not use the text of {quote(column)}: {advice}")


def digest(text: str) -> str:
    """Return 64 hex digits over a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def read_template(path: Path, what: str = "prompt") -> str:
    """Read the file of a template.

    Raises
    ------
    DataError
        there is none, it is empty, too large or no UTF-8.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise DataError(f"{path.name}: there is no such file; name the file of the {what}.") from None
    except (OSError, UnicodeDecodeError):
        raise DataError(f"{path.name}: the {what} could not be read; a text file in UTF-8 was wanted.") from None
    if len(content) > MOST_BYTES:
        raise DataError(f"{path.name}: the {what} is larger than {MOST_BYTES >> 20} MB; write a shorter one.")
    if not text.strip():
        raise DataError(f"{path.name}: the {what} is empty; write a template, such as: Label this: {{{{ text }}}}")
    return text


def draw_shots(candidates: Sequence[Shot], questions: Iterable[str], n: int, seed: int) -> tuple[tuple[Shot, ...], int]:
    """Draw examples at random, without those that are also asked; returns them and how many were left out.

    >>> draw_shots([Shot("a", "x"), Shot("b", "y")], ["a"], 1, seed=0)
    ((Shot(text='b', label='y'),), 1)
    """
    asked = set(questions)
    usable = [shot for shot in dict.fromkeys(candidates) if shot.text not in asked and shot.label]
    left_out = sum(shot.text in asked for shot in candidates)
    if n > len(usable):
        raise DataError(
            f"{count(n, 'example')} were wanted, but the file of few shots has {len(usable):,} that are not asked. "
            "Give a larger file, or a smaller --n-shots."
        )
    return tuple(random.Random(seed).sample(usable, n)), left_out


def truth_in_prompts(prompts: Prompts, rows: Sequence[tuple[Row, str, str]]) -> str:
    """Return a warning where the row's own part of most prompts names its true label; "" where it does not.

    rows : (row, text, true label), a sample.
    """
    rows = [row for row in rows if row[2]]
    if len(rows) < _ENOUGH_ROWS:
        return ""
    try:
        empty = _words(prompts.render(dict.fromkeys(rows[0][0], ""), ""))
    except DataError:  # a template that cannot do without cells
        return ""
    named = [
        _words(prompts.render(row, text)).count(_words(label)) > empty.count(_words(label)) for row, text, label in rows
    ]
    if 2 * sum(named) < len(rows):
        return ""
    return (
        f"In {sum(named):,} of the first {count(len(rows), 'row')} the text itself names the true label; look at the "
        "prompts with --dry-run."
    )


def _words(text: str) -> str:
    return " " + " ".join(_WORD.findall(text.casefold())) + " "


def _describe_error(error: Exception) -> str:
    return cut(" ".join(str(error).split()).rstrip(".") or type(error).__name__, 200)
