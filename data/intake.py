"""From files to an Evaluation: read, join, find the roles, build; and the drafts that links name.

A `Draft` is what a link stands for: which stored tables, which settings. Everything else (the receipt's
reasons, the arrays) is made again from them, so a link stays small and what it shows cannot change.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import tempfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from data import samples, store
from data.build import build, describe
from data.correction import corrected_settings
from data.correction import label_set_from_text as label_set_from_text  # the way in for the screen and the command line
from data.evaluation import ColumnRole, DataError, Evaluation, FileFacts, JoinReport, NotUsableYet, Settings
from data.join import join
from data.parser import Parser
from data.roles import Detected, detect
from data.roles import Given as GivenColumns
from data.sandbox import read_files
from data.wording import quoted

Progress = Callable[[str, float], None]
Source = tuple[Path, str]
"""(path of the bytes, the name they came under)."""

_YOURS = "you chose it"
_LARGE = 16 << 10  # bytes from which a draft is packed: a thousand score columns are more than the store takes
_UNPACKED = 16 << 20


@dataclass(frozen=True)
class Given:
    """What a person has said before the file is read; None or empty = find it."""

    truth: str | None = None
    pred: str | None = None
    raw: str | None = None
    scores: tuple[str, ...] = ()
    positive: str | None = None
    label_set: tuple[str, ...] | None = None
    threshold: float | None = None
    key: str | None = None
    parser: Parser | None = None
    only: tuple[str, str] | None = None
    merge: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What a draft keeps of it."""
        return dataclasses.asdict(self) | {"parser": self.parser.to_json() if self.parser else None}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Given:
        """Read back what `to_json` wrote."""
        parser = values.get("parser")
        pairs = tuple((str(a), str(b)) for a, b in values.get("merge", ()))
        read = {"parser": Parser.from_json(parser) if parser else None, "merge": pairs}
        return cls(**(_tuples(values) | read))

    def settings(self, found: Settings) -> Settings:
        """What was found, with what needs no finding: the parser, the rows that count, the labels that are one."""
        return dataclasses.replace(found, parser=self.parser, only=self.only, merge=self.merge)

    def labels(self) -> tuple[str, ...] | None:
        """The label set: the person's, or the one that the parser brings."""
        return self.label_set or (self.parser.labels if self.parser else None)

    def columns(self) -> GivenColumns:
        """The part that is about columns; one score column is the positive class's."""
        one = self.scores[0] if len(self.scores) == 1 else None
        many = self.scores if len(self.scores) > 1 else ()
        return GivenColumns(
            self.truth, self.pred, self.raw, score=one, scores=many, positive=self.positive, threshold=self.threshold
        )


@dataclass(frozen=True)
class Draft:
    """What a link stands for.

    data_ids : stored tables: the predictions, and the labels where they came apart.
    key : the column to join on; None = found, or row order.
    settings : what was detected, or corrected since.
    problem : why no evaluation can be built of it yet, as a sentence; empty = it can.
    """

    name: str
    files: tuple[FileFacts, ...]
    data_ids: tuple[str, ...]
    given: Given
    settings: Settings
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """The draft for the store; column names stay with the tables."""
        return {
            "name": self.name,
            "files": [dataclasses.asdict(file) | {"columns": ()} for file in self.files],
            "data_ids": self.data_ids,
            "given": self.given.to_json(),
            "settings": self.settings.to_json(),
            "problem": self.problem,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Draft:
        """Read back what `to_json` wrote."""
        return cls(
            values["name"],
            tuple(FileFacts(**_tuples(file)) for file in values["files"]),
            tuple(values["data_ids"]),
            Given.from_json(values["given"]),
            Settings.from_json(values["settings"]),
            values["problem"],
        )


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    """JSON's lists as the tuples they were."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


def read_tables(
    sources: Sequence[Source], folder: Path, progress: Progress | None = None
) -> tuple[list[pa.Table], list[FileFacts]]:
    """Read files in the child process; the canonical Parquet files lie in `folder` as 0.parquet and 1.parquet."""
    results = read_files([(path, name) for path, name in sources], folder, progress=progress)
    return [store.read_canonical(result.table_path) for result in results], [result.facts for result in results]


def join_tables(tables: Sequence[pa.Table], key: str | None) -> tuple[pa.Table, JoinReport | None]:
    """One table as it is, or predictions and labels side by side."""
    return (tables[0], None) if len(tables) == 1 else join(tables[0], tables[1], key=key)


def read_evaluation(paths: Sequence[Path], given: Given) -> Evaluation:
    """Read one file, or predictions and labels, without keeping anything: what the command line does.

    Raises
    ------
    DataError
        one sentence about what is wrong with a file, or with an option.
    """
    for path in paths:
        if not path.is_file():
            raise DataError(f"{path.name}: there is no such file.")
    with tempfile.TemporaryDirectory(prefix="blindspot-") as name:
        tables, facts = read_tables([(path, path.name) for path in paths], Path(name))
        table, report = join_tables(tables, given.key)
        try:
            found = _found(table, given)
            return _build(facts[0].name, table, facts, report, found, found.settings)
        except DataError as error:
            raise in_file(facts[0].name, error) from None


def in_file(name: str, error: DataError) -> DataError:
    """The error with the file's name in front, unless it is there already."""
    text = str(error)
    return error if name in text else DataError(f"{quoted(name).strip(chr(39))}: {text}")


def read_draft(sources: Sequence[Source], given: Given, progress: Progress | None = None) -> Draft:
    """Read uploaded files, store their tables, find the roles, and see whether an evaluation can be built.

    Where the roles cannot be found the draft says why (`problem`): its columns can still be chosen by hand.

    Raises
    ------
    DataError
        a file cannot be read, or two cannot be joined.
    """
    with store.scratch() as folder:
        tables, facts = read_tables(sources, folder, progress)
        if progress:
            progress("understanding", 0.95)
        settings, problem = _understood(tables, facts, given)
        ids = tuple(store.put_table(folder / f"{i}.parquet") for i in range(len(facts)))
    return Draft(facts[0].name, tuple(facts), ids, given, settings, problem)


def add_labels(run: str, source: Source, progress: Progress | None = None) -> Draft:
    """A draft of predictions together with a file of labels that came later; the roles are found anew.

    Raises
    ------
    DataError
        as `read_draft`.
    """
    draft = draft_of(run)
    with store.scratch() as folder:
        tables, facts = read_tables([source], folder, progress)
        both = [store.load_table(draft.data_ids[0]), *tables]
        files = (draft.files[0], *facts)
        settings, problem = _understood(both, files, draft.given)
        ids = (draft.data_ids[0], store.put_table(folder / "0.parquet"))
    return Draft(draft.name, files, ids, draft.given, settings, problem)


def _understood(tables: Sequence[pa.Table], facts: Sequence[FileFacts], given: Given) -> tuple[Settings, str]:
    """The settings that were detected, and why no evaluation can be built with them (empty = one can)."""
    table, report = join_tables(tables, given.key)
    settings = Settings()
    try:
        found = _found(table, given)
        settings = found.settings
        _build(facts[0].name, table, facts, report, found, settings)
    except DataError as error:
        return settings, str(in_file(facts[0].name, error))
    return settings, ""


def _found(table: pa.Table, given: Given) -> Detected:
    found = detect(table, label_set=given.labels(), given=given.columns())
    return dataclasses.replace(found, settings=given.settings(found.settings))


def keep(draft: Draft) -> str:
    """Store a draft; returns the token that stands in the URL."""
    return store.save_draft(_packed(draft.to_json()))


def _packed(values: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(values).encode()
    return values if len(text) < _LARGE else {"packed": base64.b85encode(zlib.compress(text, 9)).decode()}


def _unpacked(values: dict[str, Any]) -> dict[str, Any]:
    if "packed" not in values:
        return values
    found: dict[str, Any] = json.loads(zlib.decompressobj().decompress(base64.b85decode(values["packed"]), _UNPACKED))
    return found


def open_run(run: str) -> Evaluation:
    """The evaluation of a sample's key or of a draft's token.

    Raises
    ------
    DataError
        nothing is kept under this name; `NotUsableYet`: the columns' roles have to be chosen first.
    """
    draft = draft_of(run)
    if draft.problem:
        raise NotUsableYet(draft.problem)
    table, files, report = _table_of(draft)
    return _build(draft.name, table, files, report, _detected(table, draft), draft.settings)


def columns_of(run: str) -> tuple[str, ...]:
    """The names of a draft's columns, also where no evaluation can be built of them yet."""
    return tuple(_table_of(draft_of(run))[0].column_names)


def _detected(table: pa.Table, draft: Draft) -> Detected:
    """What is found without a person's corrections; nothing, where the columns say nothing by themselves."""
    try:
        return _found(table, draft.given)
    except DataError:
        return Detected(Settings(), describe(table, Settings()))


def draft_of(run: str) -> Draft:
    """The draft behind a run; a sample's is made from its own files."""
    sample = next((sample for sample in samples.SAMPLES if sample.key == run), None)
    if sample is None:
        values = store.load_draft(run)
        try:
            return Draft.from_json(_unpacked(values))
        except (ValueError, TypeError, KeyError, AttributeError, zlib.error):
            raise DataError("What is stored behind this link is damaged; upload the file again.") from None
    given = Given(label_set=sample.label_set)
    return dataclasses.replace(read_draft(samples.load_sample_paths(run), given), name=sample.title)


def _table_of(draft: Draft) -> tuple[pa.Table, list[FileFacts], JoinReport | None]:
    """The stored tables as one, the files they came from, and how they were joined."""
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    files = [
        dataclasses.replace(file, columns=tuple(table.column_names))
        for file, table in zip(draft.files, tables, strict=True)
    ]
    table, report = join_tables(tables, draft.given.key)
    return table, files, report


def _build(
    name: str,
    table: pa.Table,
    facts: Sequence[FileFacts],
    report: JoinReport | None,
    found: Detected,
    settings: Settings,
) -> Evaluation:
    same = settings == found.settings
    content = [*(file.sha256 for file in facts), *((report.key or ("row order",)) if report else ())]
    return build(
        table,
        settings,
        name=name,
        content_sha256="-".join(content),
        files=facts,
        roles=found.roles if same else _roles(table, settings, found),
        notes=found.notes if same else ("The roles below are as you corrected them.",),
        warnings=[*(text for file in facts for text in file.warnings), *(found.warnings if same else ())],
        join=report,
    )


def _roles(table: pa.Table, settings: Settings, found: Detected) -> tuple[ColumnRole, ...]:
    """Roles after a correction: the reason stays where the role did, and what settings do not know stays said."""
    before = {role.column: role for role in found.roles}
    unsaid = {name for name, role in before.items() if role.role in ("join", "confidence")}
    return tuple(
        before[r.column] if r.role == before[r.column].role or (r.role == "other" and r.column in unsaid) else r
        for r in describe(table, settings, _YOURS)
    )


def correct(run: str, settings: Settings, given: Mapping[str, Any]) -> str:
    """Apply a person's corrections to a run; returns the token of the new draft over the same stored tables.

    Parameters
    ----------
    given : any of truth, pred, raw (column or None), score_columns, truth_columns, pred_columns (columns), positive,
        scale, space ("seen", "truth" or "set"), label_set (text: JSON list, or a label a line).

    Raises
    ------
    DataError
        the corrected settings make no evaluation; nothing is kept then.
    """
    draft = draft_of(run)
    table, files, report = _table_of(draft)
    corrected = corrected_settings(table, settings, given)
    _build(draft.name, table, files, report, _detected(table, draft), corrected)
    return keep(dataclasses.replace(draft, settings=corrected, problem=""))
