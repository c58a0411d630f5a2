"""Drafts and what a person has said before a file is read: values that become JSON and come back.

A `Draft` says which stored tables and which settings. Everything else (the receipt's reasons, the arrays) is made
again from them, so a link stays small and what it shows cannot change.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from data.bad_rows import BadRows
from data.columns.table_metadata import ALL, EQUAL, REPEATED
from data.errors import Guess
from data.evaluation import Choices, Evaluation, FileFacts, Scale, Settings, as_tuples
from data.limits import MAX_DRAFT_BYTES
from data.parser.parser import read_parser
from data.reading.options import DETECT, ReadOptions
from data.reading.reading_job import read_facts
from data.roles.search import Given as GivenColumns

NO_SCORES = ("",)
"""As `Given.scores`: no column holds scores."""
_LARGE = 16 << 10  # bytes from which a draft is packed: a thousand score columns are more than the store takes
_ALWAYS_KEPT = (
    "truth", "pred", "raw", "scores", "positive", "label_set", "threshold", "key", "parser", "only", "merge",
    "reading", "repeated", "scale", "class_names", "counts",
)  # fmt: skip
"""Wishes that stand in every link, in this order, as digests of counts hold it; others only where they were said."""


@dataclass(frozen=True)
class Given(Choices):
    """The wishes of a person before the file is read; None or empty = find it."""

    truth: str | None = None
    pred: str | None = None
    raw: str | None = None
    scores: tuple[str, ...] = ()  # `NO_SCORES` = read none
    positive: str | None = None
    label_set: tuple[str, ...] | None = None
    threshold: float | None = None
    key: str | None = None
    reading: tuple[ReadOptions, ...] = ()  # one for every file; the last holds for the files after it
    repeated: str = EQUAL  # which rows of a repeated id count: one of `table_metadata.REPEATED`
    scale: Scale | None = None
    counts: str | None = None  # the column of rows per line; "" = every line is one row
    label_thresholds: tuple[tuple[str, float], ...] = ()  # (score column of a source, threshold of its label)

    def to_json(self) -> dict[str, Any]:
        """Return it as a draft keeps it."""
        parser = self.parser.to_json() if self.parser else None
        reading = tuple(options.to_json() for options in self.reading)
        fields = vars(self) | {"parser": parser, "reading": reading}
        always = {key: fields[key] for key in _ALWAYS_KEPT}
        return always | {key: value for key, value in fields.items() if value not in ((), None)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Given:
        """Read back what `to_json` wrote."""
        repeated = values.get("repeated", ALL)  # older links: all rows counted
        if repeated not in REPEATED:
            raise ValueError(f"{repeated!r} is no way to count repeated ids")
        reading = tuple(ReadOptions.from_json(options) for options in values.get("reading", ()))
        read = {"repeated": repeated, "parser": read_parser(values), "reading": reading}
        return cls(**(as_tuples(values) | read))

    def settings(self, settings: Settings) -> Settings:
        """Add what needs no detection: every choice."""
        return dataclasses.replace(settings, **self.choices())

    def labels(self) -> tuple[str, ...] | None:
        """Return the label set: the person's, or the one that the parser brings."""
        return self.label_set or (self.parser.labels if self.parser else None)

    @property
    def first_reading(self) -> ReadOptions:
        """Return the options of the first file."""
        return self.reading[0] if self.reading else DETECT

    def how_to_read(self, n_files: int, first: int = 0) -> tuple[ReadOptions, ...]:
        """Return the options of `n_files` files, from the one numbered `first`; none where nothing was said.

        The last holds for the files after it, but for lines that were corrected.
        """
        if not self.reading:
            return ()
        others = dataclasses.replace(self.reading[-1], corrections=())
        every = [*self.reading, *[others] * (first + n_files - len(self.reading))]
        return tuple(every[first : first + n_files])

    def columns(self) -> GivenColumns:
        """Return the part that is about columns; one score column is the positive class's, p_* a block of columns."""
        named = () if self.scores == NO_SCORES else self.scores
        single = named[0] if len(named) == 1 and "*" not in named[0] else None
        many = () if single is not None else named
        return GivenColumns(
            self.truth, self.pred, self.raw, score=single, scores=many, positive=self.positive,
            threshold=self.threshold, scale=self.scale, counts=self.counts, no_scores=self.scores == NO_SCORES,
            **self.choices(),
        )  # fmt: skip


@dataclass(frozen=True)
class Draft:
    """The tables and settings that a link stands for.

    data_ids : stored tables: the predictions, and the labels where they came apart.
    settings : what was detected, or corrected since.
    problem : why no evaluation can be built of it yet, as a sentence; empty = it can.
    question : (column, its values) where the file holds several evaluations; a column "" = its values are columns.
    of : the id of the shared link that it was opened from, or corrected after; "" = from nobody's but this person's.
    counts_only : whether whoever shared it left the rows out: numbers and pictures hold, rows cannot be shown.
    n_hidden : columns that whoever shared it left out.
    upload : which upload it stems from; all that stem from one are deleted together. "" = not kept yet.
    uploads : (name, id of the stored bytes) of every upload, where it can be read again in another way.
    bad_rows : why its files are not read, where a person may leave rows out.
    without_scores : it has a problem, and none without its scores.
    comma : the number whose comma may be decimal or between thousands, where that is its problem.
    class_scores : the stored counts of a source's scores of every class; "" = none.
    others : the other runs of a shared comparison, each with tables of its own (`data.sharing.comparison`).
    """

    name: str
    files: tuple[FileFacts, ...]
    data_ids: tuple[str, ...]
    given: Given
    settings: Settings
    problem: str = ""
    question: tuple[str, tuple[str, ...]] | None = None
    of: str = ""
    counts_only: bool = False
    n_hidden: int = 0
    upload: str = field(default="", compare=False)
    others: tuple[Draft, ...] = ()
    class_scores: str = ""
    uploads: tuple[tuple[str, str], ...] = ()
    bad_rows: BadRows | None = None
    without_scores: bool = False
    comma: str = ""

    @property
    def is_read(self) -> bool:
        """Return whether its files could be read at all; else only their uploads are kept."""
        return bool(self.data_ids)

    @property
    def table_ids(self) -> tuple[str, ...]:
        """Return all tables that a link to it needs, those of the other runs included."""
        uploads = [upload_id for _, upload_id in self.uploads]
        ids = (*self.data_ids, *filter(None, [self.class_scores]), *uploads)
        return tuple(dict.fromkeys([*ids, *(table for other in self.others for table in other.table_ids)]))

    @property
    def leaves_out(self) -> bool:
        """Return whether its one table is what somebody left of others (`data.sharing.redaction`)."""
        return self.counts_only or self.n_hidden > 0

    def to_json(self) -> dict[str, Any]:
        """Return the draft for the store, but for `of` and `upload`; column names stay with the tables."""
        return {
            "name": self.name,
            "files": [dataclasses.asdict(file) | {"columns": ()} for file in self.files],
            "data_ids": self.data_ids,
            "given": self.given.to_json(),
            "settings": self.settings.to_json(),
            "problem": self.problem,
            "question": self.question,
            "counts_only": self.counts_only,
            "n_hidden": self.n_hidden,
            **({"class_scores": self.class_scores} if self.class_scores else {}),
            **({"kept_uploads": self.uploads} if self.uploads else {}),
            **({"bad_rows": self.bad_rows.to_json()} if self.bad_rows else {}),
            **({"without_scores": True} if self.without_scores else {}),
            **({"comma": self.comma} if self.comma else {}),
            **({"others": [other.to_json() for other in self.others]} if self.others else {}),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Draft:
        """Read back what `to_json` wrote."""
        return cls(
            values["name"],
            tuple(map(read_facts, values["files"])),
            tuple(values["data_ids"]),
            Given.from_json(values["given"]),
            Settings.from_json(values["settings"], read_parser(values["settings"])),
            values["problem"],
            as_tuples(values.get("question")),
            counts_only=bool(values.get("counts_only")),
            n_hidden=int(values.get("n_hidden", 0)),
            others=tuple(cls.from_json(other) for other in values.get("others", ())),
            class_scores=str(values.get("class_scores", "")),
            uploads=as_tuples(values.get("kept_uploads", ())),
            bad_rows=BadRows.from_json(values["bad_rows"]) if "bad_rows" in values else None,
            without_scores=bool(values.get("without_scores")),
            comma=str(values.get("comma", _read_comma(str(values["problem"])))),
        )


def pack_draft(values: dict[str, Any]) -> dict[str, Any]:
    """Pack a draft as it is stored: compressed where it is large."""
    text = json.dumps(values).encode()
    return values if len(text) < _LARGE else {"packed": base64.b85encode(zlib.compress(text, 9)).decode()}


def unpack_draft(values: dict[str, Any]) -> dict[str, Any]:
    """Read back what `pack_draft` made; zlib.error or ValueError where that is damaged."""
    if "packed" not in values:
        return values
    packed: dict[str, Any] = json.loads(
        zlib.decompressobj().decompress(base64.b85decode(values["packed"]), MAX_DRAFT_BYTES)
    )
    return packed


def _read_comma(problem: str) -> str:
    """Return the doubtful number that a problem quotes: drafts of before have it in their sentence alone."""
    quoted = re.search(r": '([^']+)' may be \S+ or \S+, and no cell says which", problem)
    return "" if quoted is None else quoted[1]


class Understood(NamedTuple):
    """The settings that were detected; why no evaluation can be built with them, and what to ask; or what was built.

    guess : the columns that fit best, where nothing says which is what.
    without_scores : an evaluation could be built without the scores.
    comma : the number whose comma may be decimal or between thousands, where that is the problem.
    """

    settings: Settings
    problem: str
    question: tuple[str, tuple[str, ...]] | None
    evaluation: Evaluation | None
    guess: Guess | None = None
    without_scores: bool = False
    comma: str = ""
