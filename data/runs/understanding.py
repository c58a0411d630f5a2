"""Find what tables are and build their evaluation: in the limited process, and again when a draft is opened."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from data.building.best_guess import agrees_by_chance, is_complete, list_columns_with_values
from data.building.build import build, describe_roles
from data.columns.column_memory import MAX_WRITTEN_OUT, check_memory, estimate_column_memory
from data.columns.counted_metadata import read_counted
from data.columns.role_names import PART_ROLES
from data.columns.table_metadata import describe_redaction, read_notes, read_settlement, read_warnings
from data.columns.verdicts import AS_SCORED
from data.columns.weight_columns import is_of_unused
from data.errors import ChoiceNeeded, CommaUnclear, DataError, Guess, NotUsableYet, RolesNeeded, name_file_in_error
from data.evaluation import ColumnRole, Evaluation, FileFacts, JoinReport, Settings
from data.process.limits import Limits, Progress
from data.reading.reading_job import read_facts, read_tables
from data.reading.run_record import run_choices
from data.roles.detect import Detected, detect
from data.roles.run_columns import select_run, training_epochs
from data.roles.score_columns import NO_SCORES_READ
from data.runs.draft import NO_SCORES, Draft, Given, Understood
from data.runs.tables import join_tables, list_file_warnings, load_joined_table
from data.store.evaluation_file import write_evaluation
from data.store.store import read_canonical
from text.numbers import count
from text.quoting import MESSAGE_CHARS, quote

_ADVICE_CHARS = 143
"""Of a message: what stands around a question, as the name of the file and what to do."""
_BUILDING = 0.95
"""The share of the work after which files are read."""

_YOURS = "you chose it"
_THEIRS = "as whoever shared this had it"


def understand(tables: Sequence[pa.Table], facts: Sequence[FileFacts], given: Given) -> Understood:
    """Find what the tables are, where a person has not said it; never raise an error."""
    try:
        return _understand(tables, facts, given)
    except DataError as error:
        return _understand_problem(error, tables, facts, given)


def _understand_problem(
    error: DataError, tables: Sequence[pa.Table], facts: Sequence[FileFacts], given: Given
) -> Understood:
    """Return why no evaluation can be built, what a person is asked, and settings that fill the form."""
    question = guess = without_scores = None
    if isinstance(error, ChoiceNeeded):
        question = (error.column, error.values)
        settings = Settings()
    elif isinstance(error, RolesNeeded):
        guess = _try_guess(tables, facts, given, error.guess)
        settings = _fill_guess(guess)
        error = error if is_complete(guess) else _add_columns(error, tables, given)
    else:
        without_scores = _understand_without_scores(tables, facts, given)
        settings = _keep_roles(without_scores or _find_roles(tables, facts, given))
    problem = str(name_file_in_error(facts[0].name, error))
    comma = error.number if isinstance(error, CommaUnclear) else ""
    return Understood(settings, problem, question, None, guess, without_scores is not None, comma)


def _understand_without_scores(tables: Sequence[pa.Table], facts: Sequence[FileFacts], given: Given) -> Settings | None:
    """Return the settings of the tables without their scores; None where the scores are not all that is wrong."""
    if given.scores == NO_SCORES:
        return None
    try:
        return _understand(tables, facts, dataclasses.replace(given, scores=NO_SCORES)).settings
    except DataError:
        return None


def _understand(tables: Sequence[pa.Table], facts: Sequence[FileFacts], given: Given) -> Understood:
    question = None
    _refuse_own_labels(facts)
    table, report = join_tables(tables, given.key, given.repeated, facts, given)
    detected = _detect(table, given, facts)
    settings = detected.settings
    if settings.only is not None and given.only is None:
        question = (settings.only[0], training_epochs(table, settings.only[0]) or ())
    evaluation = build_evaluation(facts[0].name, table, facts, report, detected, settings)
    return Understood(settings, "", question, evaluation)


def _try_guess(tables: Sequence[pa.Table], facts: Sequence[FileFacts], given: Given, guess: Guess) -> Guess:
    """Return a guess that can be scored and agrees better than by chance; else no more than what a person has said."""
    if not is_complete(guess):
        return guess
    new = {name: value for name, value in guess._asdict().items() if name != "score" and getattr(given, name) is None}
    scores = given.scores or ((guess.score,) if guess.score is not None else ())
    try:
        evaluation = _understand(tables, facts, dataclasses.replace(given, **new, scores=scores)).evaluation
    except DataError:
        evaluation = None
    if evaluation is not None and not agrees_by_chance(evaluation):
        return guess
    return Guess(given.truth, given.pred, given.raw, (given.scores[0] or None) if given.scores else None)


def _add_columns(error: RolesNeeded, tables: Sequence[pa.Table], given: Given) -> RolesNeeded:
    """Return a question with the columns and three values of each, for a person who chooses without a guess."""
    table = join_tables(tables, given.key, given.repeated, wishes=given)[0]
    columns = list_columns_with_values(table, MESSAGE_CHARS - _ADVICE_CHARS - len(str(error)))
    return error.reworded(f"{error} The columns are {columns}.") if columns else error


def _refuse_own_labels(facts: Sequence[FileFacts]) -> None:
    """Refuse a file that was given as its own labels: it would agree with itself."""
    if len(facts) == 2 and facts[0].sha256 == facts[1].sha256:
        both = " and ".join(dict.fromkeys(quote(file.name) for file in facts))
        raise DataError(
            f"Predictions and labels are one and the same file ({both}), so it would be compared with itself. Give the "
            "file of the true labels, or leave the second file out."
        )


def _fill_guess(guess: Guess) -> Settings:
    """Return settings that only fill the pickers of the form: nothing is built with them."""
    scores = ((guess.score, guess.score),) if guess.score is not None else ()
    return Settings(truth=guess.truth, pred=guess.pred, raw=guess.raw, scores=scores)


def _find_roles(tables: Sequence[pa.Table], facts: Sequence[FileFacts], given: Given) -> Settings:
    """Return the settings of columns that cannot be used as they are; empty ones where no roles are found."""
    try:
        table, _ = join_tables(tables, given.key, given.repeated, facts, given)
        return _detect(table, given, facts).settings
    except CommaUnclear as error:
        return _fill_guess(error.guess)
    except DataError:
        return Settings()


def _keep_roles(settings: Settings) -> Settings:
    """Return the columns of settings alone, which fill the pickers of the form."""
    return Settings(
        truth=settings.truth, pred=settings.pred, raw=settings.raw, scores=settings.scores, counts=settings.counts
    )


def _detect(table: pa.Table, given: Given, facts: Sequence[FileFacts]) -> Detected:
    """Find the roles in the rows that count; nothing is asked once the person has said which."""
    given = _as_run(given, facts[0])
    try:
        detected = _detect_rows(table, given, facts)
    except ChoiceNeeded as error:
        epochs = training_epochs(table, error.column)
        if epochs is None:
            raise
        given = dataclasses.replace(given, only=(error.column, epochs[-1]))
        detected = _detect_rows(table, given, facts)
        sentence = f"The file holds {count(len(epochs), 'epoch')} of a training; the last one is evaluated."
        detected = dataclasses.replace(detected, notes=(*detected.notes, sentence))
    return dataclasses.replace(detected, settings=given.settings(detected.settings))


def _detect_rows(table: pa.Table, given: Given, facts: Sequence[FileFacts]) -> Detected:
    rows, _ = select_run(table, given.only)
    return detect(rows, label_set=given.labels(), given=given.columns(), source=facts[0].source, ask=given.only is None)


def _as_run(given: Given, facts: FileFacts) -> Given:
    """Return what a person has said; label list, parser and scale default to those of the run."""
    if facts.run is None:
        return given
    labels, parser, scale = run_choices(facts.run)
    return dataclasses.replace(
        given, label_set=given.labels() or labels, parser=given.parser or parser, scale=given.scale or scale
    )


def open_draft(draft: Draft) -> Evaluation:
    """Build the evaluation of a draft.

    Raises
    ------
    DataError
        as `open_with_table`.
    """
    return open_with_table(draft)[0]


def open_with_table(draft: Draft) -> tuple[Evaluation, pa.Table, JoinReport | None]:
    """Build the evaluation of a draft; return its whole table, and how that was joined, too.

    Raises
    ------
    DataError
        the draft's tables are gone or cannot be read so; `NotUsableYet`: the columns' roles have to be chosen first.
    """
    if draft.problem:
        raise NotUsableYet(draft.problem)
    table, files, report = load_joined_table(draft)
    return build_evaluation(draft.name, table, files, report, detect_again(table, draft), draft.settings), table, report


def detect_again(table: pa.Table, draft: Draft) -> Detected:
    """Find the roles without a person's corrections; nothing, where the columns say nothing by themselves."""
    if draft.leaves_out:
        return Detected(
            draft.settings,
            describe_roles(table, draft.settings, _THEIRS),
            describe_redaction(draft.n_hidden, counts_only=draft.counts_only),
        )
    counted = read_counted(table)
    if counted is not None:
        return Detected(draft.settings, counted.roles, counted.notes, counted.warnings)
    try:
        return _detect(table, draft.given, draft.files)
    except DataError:
        return Detected(Settings(), describe_roles(table, Settings()))


def build_evaluation(
    name: str,
    table: pa.Table,
    facts: Sequence[FileFacts],
    report: JoinReport | None,
    detected: Detected,
    settings: Settings,
) -> Evaluation:
    """Build the evaluation of a table under settings; detected settings hold where nothing was corrected."""
    same = settings == detected.settings
    notes = detected.notes if same else ("The roles below are as you corrected them.",)
    joined = (report.key or ("row order",)) if report else ()
    if settled := read_settlement(table):  # a fingerprint stays as it is where no repeated ids had to be settled
        joined = (*joined, f"repeated ids: {settled}")
    content = json.dumps([name, [_identify_content(file) for file in facts], joined])
    return build(
        table,
        settings,
        name=name,
        content_sha256=hashlib.sha256(content.encode()).hexdigest(),
        files=facts,
        roles=detected.roles if same else _update_roles(table, settings, detected),
        notes=(*read_notes(table), *notes),
        warnings=_list_warnings(table, facts, detected, settings),
        join=report,
    )


def _list_warnings(
    table: pa.Table, facts: Sequence[FileFacts], detected: Detected, settings: Settings
) -> tuple[str, ...]:
    """Return the warnings that hold under settings: after a correction, those of files, and of unused weights."""
    of_roles = (*read_warnings(table), *detected.warnings)
    if settings != detected.settings:
        # a counted source has no column of its weights that could be looked at again
        of_roles = tuple(filter(is_of_unused, detected.warnings)) if read_counted(table) is not None else ()
        if not settings.scores and NO_SCORES_READ in detected.warnings:
            of_roles = (*of_roles, NO_SCORES_READ)
    if settings.weights is not None:
        of_roles = tuple(text for text in of_roles if not is_of_unused(text))
    return (*list_file_warnings(facts), *of_roles)


def _identify_content(file: FileFacts) -> tuple[object, ...]:
    """Return what tells tables apart: the bytes, how they were read, and the name.

    Without the name, who gives the same bytes under another one would be shown what was kept for the first person.
    """
    read = [note for note in file.notes if AS_SCORED in note]
    chosen = [choice for choice in (file.decimal, file.sheet) if choice is not None]
    return file.name, file.sha256, file.n_rows, file.encoding, file.delimiter, *read, *chosen, *file.corrected_lines


def _update_roles(table: pa.Table, settings: Settings, detected: Detected) -> tuple[ColumnRole, ...]:
    """Return roles after a correction: reasons stay where roles did, and so do roles that settings do not hold."""
    before = {role.column: role for role in detected.roles}
    of_settings = {role for role, _ in settings.run_parts} | ({"cluster"} if settings.cluster is not None else set())
    of_detection = {"join", "confidence", "cluster", *PART_ROLES} - of_settings
    roles = []
    for role in describe_roles(table, settings, _YOURS):
        old = before[role.column]
        stays = role.role == old.role or (role.role == "other" and old.role in of_detection)
        roles.append(old if stays else role)
    return tuple(roles)


def _check_memory(tables: Sequence[pa.Table], facts: Sequence[FileFacts]) -> None:
    """Refuse a table of more text than the search for a key can write out, if it is too large for an evaluation.

    Other tables are measured when their rows are chosen: one epoch of ten may be small enough.
    """
    for table, file in zip(tables, facts, strict=True):
        if max(map(estimate_column_memory, table.itercolumns()), default=0) <= MAX_WRITTEN_OUT:
            continue
        try:
            check_memory(table, n_scores=0)
        except DataError as error:
            raise name_file_in_error(file.name, error) from error


def work(arguments: dict[str, Any], limits: Limits, progress: Progress) -> dict[str, Any]:
    """Read, understand and build, in the limited process; an evaluation is written into the folder `out`.

    arguments : besides those of `read_tables`, `out`, `given` (JSON), and `before`: tables that were read earlier, as
        (path of our Parquet, facts).

    Returns
    -------
    The facts of the files that were read, and the fields of `Understood` as JSON; `built` says whether there is an
    evaluation.
    """
    from data.process.worker import allow_building

    folder = Path(arguments["out"])
    read = read_tables(arguments, limits, lambda stage, share: progress(stage, share * _BUILDING))
    progress("understanding", _BUILDING)
    allow_building(limits)
    before = [(read_canonical(path), read_facts(values)) for path, values in arguments["before"]]
    new = [(table, read_facts(values)) for table, values in read]
    tables, facts = zip(*before, *new, strict=True)
    given = Given.from_json(arguments["given"])
    if len(tables) > 1 and given.key is None:
        _check_memory(tables, facts)
    understood = understand(tables, facts, given)
    if understood.evaluation is not None:
        write_evaluation(understood.evaluation, folder)
    return {
        "facts": [values for _, values in read],
        "settings": understood.settings.to_json(),
        "problem": understood.problem,
        "question": understood.question,
        "guess": understood.guess and understood.guess._asdict(),
        "built": understood.evaluation is not None,
        "without_scores": understood.without_scores,
        "comma": understood.comma,
    }
