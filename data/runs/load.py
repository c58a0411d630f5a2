"""From files to an Evaluation: read, join, find the roles, build; and from a link's draft to its evaluation."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tempfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from data import samples
from data.answers.partial_table import files_of, join_of, what_is_gone
from data.building.build import build, describe
from data.columns.run_columns import only_rows
from data.columns.verdicts import AS_SCORED
from data.errors import ChoiceNeeded, Guess, RolesNeeded
from data.evaluation import ColumnRole, DataError, Evaluation, FileFacts, JoinReport, NotUsableYet, Settings
from data.joining import long_form
from data.joining.join import join
from data.joining.matrix_file import as_lines
from data.joining.repeated_ids import EQUAL, left_out_of, settled_by, with_left_out
from data.reading.options import ReadOptions as ReadOptions
from data.roles.detect import Detected, detect
from data.runs.corrections import (
    label_set_from_text as label_set_from_text,  # the way in for the screen and the command line
)
from data.runs.draft import Draft, Given, packed, unpacked
from data.runs.limited_reading import Understood, read_and_understand
from data.store import links, store
from data.store.storage import Storage
from text.sentences import quoted

Progress = Callable[[str, float], None]
Source = tuple[Path, str]
"""(path of the bytes, the name they came under)."""

_YOURS = "you chose it"
_THEIRS = "as whoever shared this had it"


def join_tables(
    tables: Sequence[pa.Table], key: str | None, repeated: str = EQUAL
) -> tuple[pa.Table, JoinReport | None]:
    """One table, or predictions and labels side by side; lines of id and label become one row per id first."""
    tables = long_form.wide([as_lines(tables[0])] if len(tables) == 1 else tables, key, repeated)
    table, report = (tables[0], None) if len(tables) == 1 else join(*tables, key=key, repeated=repeated)
    for one in tables:
        table = with_left_out(table, left_out_of(one), repeated=settled_by(one))
    return long_form.with_notes(table, long_form.notes_of(*tables)), report


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
    with tempfile.TemporaryDirectory(prefix=store.SCRATCH) as name:
        found = read_and_understand([(path, path.name) for path in paths], Path(name), given)[1]
    if found.question is not None:
        raise ChoiceNeeded(found.problem, *found.question)
    if found.guess is not None:
        raise RolesNeeded(found.problem, found.guess)
    if found.evaluation is None:
        raise DataError(found.problem)
    return found.evaluation


def in_file(name: str, error: DataError) -> DataError:
    """The error with the file's name in front, unless it is there already."""
    text = str(error)
    if name in text:
        return error
    return error.reworded(f"{_shown(name)}: {text}")


def _shown(name: str) -> str:
    """A file's name as it may stand in a sentence."""
    return quoted(name).strip("'")


def read_draft(
    sources: Sequence[Source], given: Given, progress: Progress | None = None, *, kept: Storage | None = None
) -> Draft:
    """Read uploaded files, store their tables, find the roles, and see whether an evaluation can be built.

    Where the roles cannot be found, or two files cannot be joined, the draft says why (`problem`): the columns, or the
    key, can still be chosen by hand.

    kept : where the tables are put; None = where drafts are.

    Raises
    ------
    DataError
        a file cannot be read.
    """
    return read_and_build(sources, given, progress, kept=kept)[0]


def read_and_build(
    sources: Sequence[Source], given: Given, progress: Progress | None = None, *, kept: Storage | None = None
) -> tuple[Draft, Evaluation | None]:
    """The draft that `read_draft` makes, and the evaluation that `open_draft` would make of it, where there is one."""
    with store.scratch(kept) as folder:
        facts, found = read_and_understand(sources, folder, given, progress)
        ids = tuple(store.put_table(folder / f"{i}.parquet", kept=kept) for i in range(len(facts)))
    made = Draft(facts[0].name, tuple(facts), ids, given, found.settings, found.problem, found.question)
    return made, found.evaluation


def understood(tables: Sequence[pa.Table], facts: Sequence[FileFacts], given: Given) -> Understood:
    """What the tables are found to be, as far as a person has not said it; never an error."""
    settings, question, guess = Settings(), None, None
    try:
        table, report = join_tables(tables, given.key, given.repeated)
        found = _found(table, given, facts)
        settings = found.settings
        evaluation = built(facts[0].name, table, facts, report, found, settings)
    except DataError as error:
        if isinstance(error, ChoiceNeeded):
            question = (error.column, error.values)
        elif isinstance(error, RolesNeeded):
            settings, guess = _guessed(error.guess), error.guess
        return Understood(settings, str(in_file(facts[0].name, error)), question, None, guess)
    return Understood(settings, "", None, evaluation)


def _guessed(guess: Guess) -> Settings:
    """Return settings that only fill the pickers of the form: nothing is built with them."""
    scores = ((guess.score, guess.score),) if guess.score is not None else ()
    return Settings(truth=guess.truth, pred=guess.pred, raw=guess.raw, scores=scores)


def _found(table: pa.Table, given: Given, facts: Sequence[FileFacts]) -> Detected:
    """What is found in the rows that count; nothing is asked once the person has said which."""
    rows, _ = only_rows(table, given.only)
    found = detect(
        rows, label_set=given.labels(), given=given.columns(), source=facts[0].source, ask=given.only is None
    )
    return dataclasses.replace(found, settings=given.settings(found.settings))


def keep(draft: Draft) -> str:
    """Store a draft; returns the token that stands in the URL."""
    return links.keep_draft(packed(draft.to_json()), draft.data_ids, of=draft.of, upload=draft.upload)


def open_draft(draft: Draft) -> Evaluation:
    """The evaluation of a draft.

    Raises
    ------
    DataError
        the draft's tables are gone or cannot be read so; `NotUsableYet`: the columns' roles have to be chosen first.
    """
    if draft.problem:
        raise NotUsableYet(draft.problem)
    table, files, report = table_of(draft)
    return built(draft.name, table, files, report, detected(table, draft), draft.settings)


def apart(run: str) -> tuple[tuple[str, ...], ...] | None:
    """The columns of a draft's two files, each by itself, where these cannot be joined; None where they can."""
    draft = draft_of(run)
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    try:
        join_tables(tables, draft.given.key, draft.given.repeated)
    except DataError:
        return tuple(tuple(table.column_names) for table in tables)
    return None


def columns_of(run: str) -> tuple[str, ...]:
    """The names of a draft's columns, also where no evaluation can be built of them yet."""
    return tuple(table_of(draft_of(run))[0].column_names)


def first_rows(run: str, n: int) -> pa.Table:
    """The first `n` rows of a draft, also where no evaluation can be built of them yet."""
    return table_of(draft_of(run))[0].slice(0, n)


def reading_warnings(run: str) -> tuple[str, ...]:
    """What the readers of a draft's files warn about, also where no evaluation can be built of them yet."""
    return tuple(_file_warnings(draft_of(run).files))


def detected(table: pa.Table, draft: Draft) -> Detected:
    """What is found without a person's corrections; nothing, where the columns say nothing by themselves."""
    if draft.leaves_out:
        return Detected(
            draft.settings,
            describe(table, draft.settings, _THEIRS),
            what_is_gone(draft.n_hidden, counts_only=draft.counts_only),
        )
    try:
        return _found(table, draft.given, draft.files)
    except DataError:
        return Detected(Settings(), describe(table, Settings()))


def draft_of(run: str) -> Draft:
    """The draft behind a run; a sample's is made from its own files."""
    sample = next((sample for sample in samples.SAMPLES if sample.key == run), None)
    if sample is None:
        link = links.open_link(run)
        return from_link(link, links.id_of(run) if link.kind == "share" else link.of)
    given = Given(label_set=sample.label_set)
    found = read_draft(samples.load_sample_paths(run), given, kept=store.memory())  # also where nothing can be written
    return dataclasses.replace(found, name=sample.title)


def from_link(link: links.Link, of: str) -> Draft:
    """The draft that a link holds; `of` : the id of the shared link that it is, or stems from."""
    try:
        return dataclasses.replace(Draft.from_json(unpacked(dict(link.draft))), of=of, upload=link.upload)
    except (ValueError, TypeError, KeyError, AttributeError, zlib.error):
        raise DataError("What is stored behind this link is damaged; upload the file again.") from None


def table_of(draft: Draft) -> tuple[pa.Table, list[FileFacts], JoinReport | None]:
    """The stored tables as one, the files they came from, and how they were joined."""
    tables = [store.load_table(data_id) for data_id in draft.data_ids]
    if draft.leaves_out:
        return tables[0], files_of(tables[0], draft.files), join_of(tables[0])
    files = [
        dataclasses.replace(file, columns=tuple(table.column_names))
        for file, table in zip(draft.files, tables, strict=True)
    ]
    table, report = join_tables(tables, draft.given.key, draft.given.repeated)
    return table, files, report


def built(
    name: str,
    table: pa.Table,
    facts: Sequence[FileFacts],
    report: JoinReport | None,
    found: Detected,
    settings: Settings,
) -> Evaluation:
    """The evaluation of a table under settings; what was found about it holds where nothing was corrected."""
    same = settings == found.settings
    joined = (report.key or ("row order",)) if report else ()
    if settled := settled_by(table):  # where nothing had to be settled, the fingerprint is that of before
        joined = (*joined, f"repeated ids: {settled}")
    content = json.dumps([name, [_content(file) for file in facts], joined])
    return build(
        table,
        settings,
        name=name,
        content_sha256=hashlib.sha256(content.encode()).hexdigest(),
        files=facts,
        roles=found.roles if same else _roles(table, settings, found),
        notes=(
            *long_form.notes_of(table),
            *(found.notes if same else ("The roles below are as you corrected them.",)),
        ),
        warnings=[*_file_warnings(facts), *(found.warnings if same else ())],
        join=report,
    )


def _content(file: FileFacts) -> tuple[object, ...]:
    """Which table it is: the bytes, how they were read (a person may have them read in another encoding), and the name.

    Without the name, who gives the same bytes under another one would be shown what was kept for the first person.
    """
    read = [note for note in file.notes if AS_SCORED in note]
    return file.name, file.sha256, file.n_rows, file.encoding, file.delimiter, *read


def _file_warnings(facts: Sequence[FileFacts]) -> list[str]:
    """What the readers warn about; of two files each says which it is about, and what holds for both is said once."""
    if len(facts) == 1:
        return list(facts[0].warnings)
    about: dict[str, list[str]] = {}
    for file in facts:
        for text in file.warnings:
            about.setdefault(text, []).append(_shown(file.name))
    return [f"{' and '.join(names)}: {text}" for text, names in about.items()]


def _roles(table: pa.Table, settings: Settings, found: Detected) -> tuple[ColumnRole, ...]:
    """Roles after a correction: the reason stays where the role did, and what settings do not know stays said."""
    before = {role.column: role for role in found.roles}
    unsaid = {name for name, role in before.items() if role.role in ("join", "confidence")}
    return tuple(
        before[r.column] if r.role == before[r.column].role or (r.role == "other" and r.column in unsaid) else r
        for r in describe(table, settings, _YOURS)
    )
