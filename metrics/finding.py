"""One finding: a sentence with its evidence, and how numbers are put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

LOW_SUPPORT = 10
"""Below this many true rows a class's recall moves by more than ten points with one row."""

Severity = Literal["serious", "warning", "info"]
SEVERITIES: Mapping[Severity, str] = {"serious": "Serious", "warning": "Worth a look", "info": "Good to know"}
"""The severities by their names, the worst first."""


class Label(NamedTuple):
    """A label name inside a sentence: uploaded text, to be shown as such."""

    name: str


class Name(Label):
    """A column or one of its values inside a sentence: uploaded text, and no label."""


@dataclass(frozen=True)
class Finding:
    """One thing a reader should know.

    code : stable name, for tests and tools.
    severity : "serious": a headline number misleads; "warning": look before the numbers are used; "info": good to know.
    parts : the sentence, as our words (str) and uploaded label names (Label).
    weight : how much of the file it concerns, 0..1; ranks findings of the same severity.
    evidence : the numbers in the sentence.
    labels : names of the labels that it is about, where these are one or two.
    conditions : column and value ("" = missing) of the rows that it is about.
    """

    code: str
    severity: Severity
    parts: tuple[str | Label, ...]
    weight: float = 0.0
    evidence: Mapping[str, float] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    conditions: tuple[tuple[str, str], ...] = ()

    def sentence(self, quote: Callable[[str], str] = lambda name: f"'{name}'") -> str:
        """Return the sentence, every label name passed through `quote`.

        >>> Finding("x", "info", ("Rows of ", Label("a"), " are fine.")).sentence()
        "Rows of 'a' are fine."
        """
        return "".join(quote(part.name) if isinstance(part, Label) else part for part in self.parts)

    @property
    def text(self) -> str:
        """Return the sentence with label names in single quotes."""
        return self.sentence()


def split_sentence(parts: Sequence[str | Label]) -> tuple[list[str | Label], list[str | Label]]:
    """Split a finding after its first clause: what was found, and more about it.

    >>> split_sentence(("2 classes are never predicted: ", Label("a"), ", ", Label("b"), ". Look."))[0]
    ['2 classes are never predicted']
    """
    for place, (part, following) in enumerate(zip(parts, (*parts, "")[1:], strict=True)):
        if not isinstance(part, str):
            continue
        end = f"{part} ".find(". ")
        if end < 0 and part.endswith(": ") and isinstance(following, Label):  # a list of names follows
            end = len(part) - 2
        if end >= 0:
            more = [rest for rest in (part[end + 1 :].lstrip(), *parts[place + 1 :]) if rest]
            if more and isinstance(more[0], str):
                begin = more[0].lstrip()
                more[0] = begin[:1].upper() + begin[1:]
            return [*parts[:place], part[:end]], more
    return list(parts), []


def list_labels(names: Sequence[str], most: int = 3) -> Iterator[str | Label]:
    """Yield the first few labels, and how many more there are, as parts of a sentence.

    >>> list(list_labels(["a", "b", "c"], most=2))
    [Label(name='a'), ', ', Label(name='b'), ' and 1 more']
    """
    for i, name in enumerate(names[:most]):
        yield from (", ", Label(name)) if i else (Label(name),)
    if len(names) > most:
        yield f" and {len(names) - most:,} more"


def describe_unlisted(outside: int, never: int) -> str:
    """Say how many of the never predicted labels the label set lacks, as one more sentence; nothing if none.

    >>> describe_unlisted(0, 5), describe_unlisted(2, 5)
    ('', ' 2 of them are not in the label list, which explains these.')
    """
    if not outside:
        return ""
    if outside == never:
        return f" {'It is' if never == 1 else 'All of them are'} not in the label list, which explains it."
    single = outside == 1
    return (
        f" {outside:,} of them {'is' if single else 'are'} not in the label list, which explains "
        f"{'this one' if single else 'these'}."
    )
