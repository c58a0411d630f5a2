"""Every path of the reading API: its parameters, the schema of its answer, and what gives the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from data.comparison.aligned_runs import align_runs
from data.comparison.alike.reading import read_all_alike
from data.comparison.row_groups import check_grouping
from data.comparison.slice_columns import slices_by
from data.errors import DataError
from data.limits import MAX_SLICE_VALUES
from data.rows.selection import OUTCOMES, Only
from export.by_slice.slice_results import find_slices_by, find_worst_slices
from export.compare.comparison import comparison, to_json
from export.compare.comparison_result import comparison_result
from export.measurement import Measurement
from export.read_api import answers
from export.read_api.answers import Part
from export.read_api.schemas import numbers_schema, schema_of
from export.report.page import html_report
from text.quoting import quote

MOST_CLASSES, MOST_CELLS, MOST_ROWS = 1_000, 10_000, 200
"""The most entries of one answer."""
_USUAL = 100  # entries of an answer, where no other number is wanted
_FARTHEST = 1_000_000_000
_SLICED_BY = 2  # columns at most


class WrongParameter(DataError):
    """A parameter that the path does not have, or whose value cannot be used."""


class Parameter(NamedTuple):
    """A parameter of a query. most : of a number. choices : of a text. repeats : whether it may stand there often."""

    name: str
    about: str
    most: int = 0
    choices: Sequence[str] = ()
    repeats: bool = False


class Asked(NamedTuple):
    """A question about a run. query : the texts of every parameter. other : the run to compare with, if any."""

    measured: Measurement
    query: Mapping[str, Sequence[str]]
    other: Measurement | None = None

    def texts(self, name: str) -> Sequence[str]:
        """Return every text of a parameter."""
        return self.query.get(name, ())

    @property
    def part(self) -> Part:
        """Return which entries of a list are wanted."""
        return Part(*(int(next(iter(self.texts(name)), usual)) for name, usual in (("offset", 0), ("limit", _USUAL))))


class Endpoint(NamedTuple):
    """One path below `/api/v1/runs/{id}`; schema : None = it answers with an HTML page."""

    path: str
    about: str
    schema: dict[str, Any] | None
    answer: Callable[[Asked], Any]
    parameters: Sequence[Parameter] = ()


def check_query(endpoint: Endpoint, query: Mapping[str, Sequence[str]]) -> None:
    """Refuse a parameter that is unknown, stands there too often, or says something that cannot be used.

    Raises
    ------
    WrongParameter
        one sentence: what came, and what was wanted.
    """
    known = {parameter.name: parameter for parameter in endpoint.parameters}
    for name, texts in query.items():
        if name not in known:
            has = ", ".join(known) or "none"
            raise WrongParameter(f"There is no parameter {name[:40]!r} here; there are: {has}.")
        parameter = known[name]
        if len(texts) > 1 and not parameter.repeats:
            raise WrongParameter(f"The parameter {name} is there twice; once was wanted.")
        for text in texts:
            _check_text(parameter, text)


def _check_text(parameter: Parameter, text: str) -> None:
    shown = f"{parameter.name} is {text[:40]!r}"
    is_number = text.isascii() and text.isdigit() and len(text) < 12
    if parameter.most and not (is_number and int(text) <= parameter.most):
        raise WrongParameter(f"{shown}; a whole number from 0 to {parameter.most:,} was wanted.")
    if parameter.choices and text not in parameter.choices:
        raise WrongParameter(f"{shown}; one of {', '.join(parameter.choices)} was wanted.")


def _compare(asked: Asked) -> answers.ResultAnswer:
    """Set the other run against this one, as `compare` of the command line does."""
    if asked.other is None:
        raise WrongParameter("Name the run to compare with: with=TOKEN.")
    both = [asked.measured.evaluation, asked.other.evaluation]
    names = [both[0].name, both[1].name if both[1].name != both[0].name else f"{both[1].name} (2)"]
    evaluations, taken = read_all_alike(both, names)
    aligned = align_runs(evaluations, names, key=next(iter(asked.texts("join")), None), taken=taken)
    compared, warnings = comparison(aligned, level=asked.measured.level)
    result = comparison_result(compared, aligned, warnings, [(0, 1)], rates=())
    return answers.result_answer(result._replace(numbers=to_json(compared, aligned, warnings, compared.main_metric)))


def _slices(asked: Asked) -> answers.ResultAnswer:
    columns, measured = asked.texts("by"), asked.measured
    if not columns:
        return answers.result_answer(
            find_worst_slices(measured.evaluation, level=measured.level, clusters=measured.clusters)
        )
    if len(columns) > _SLICED_BY:
        raise WrongParameter(f"Name {_SLICED_BY} columns at most to slice by; {len(columns)} came.")
    for column in columns:
        check_grouping(measured.evaluation.rows, column, "to slice by")
        n = len(slices_by(measured.evaluation.rows, column, measured.evaluation.weights).values)
        if n > MAX_SLICE_VALUES:
            raise DataError(f"Column {quote(column)} makes {n:,} slices. Name one with {MAX_SLICE_VALUES} at most.")
    return answers.result_answer(find_slices_by(measured, columns, next(iter(asked.texts("metric")), "")))


def _rows(asked: Asked) -> answers.RowsAnswer:
    only: Only = next((choice for choice in get_args(Only) if choice in asked.texts("only")), "all")
    return answers.list_rows(
        asked.measured.evaluation, asked.part, only, true=asked.texts("true"), pred=asked.texts("pred")
    )


def _part(noun: str, most: int) -> tuple[Parameter, ...]:
    return (
        Parameter("offset", f"{noun} to pass over", most=_FARTHEST),
        Parameter("limit", f"{noun} at most; {_USUAL} if nothing is said", most=most),
    )


def list_endpoints() -> tuple[Endpoint, ...]:
    """Return every path of a run, in the order of the documentation."""
    only = tuple(choice for choice in get_args(Only) if choice not in OUTCOMES)
    return (
        Endpoint(
            "", "What a run is of, and its first numbers.", schema_of(answers.RunAnswer),
            lambda asked: answers.describe_run(asked.measured),
        ),
        Endpoint(
            "/numbers", "Every number, as the exported JSON has it.", numbers_schema(),
            lambda asked: answers.list_numbers(asked.measured),
        ),
        Endpoint(
            "/classes", "Every number of every class, the lowest F1 first.", schema_of(answers.ClassesAnswer),
            lambda asked: answers.list_classes(asked.measured, asked.part), _part("classes", MOST_CLASSES),
        ),
        Endpoint(
            "/findings", "The findings of Overview, the most serious first.", schema_of(answers.FindingsAnswer),
            lambda asked: answers.list_findings(asked.measured),
        ),
        Endpoint(
            "/confusion", "The cells of the confusion matrix that hold rows.", schema_of(answers.ConfusionAnswer),
            lambda asked: answers.list_confusions(asked.measured, asked.part), _part("cells", MOST_CELLS),
        ),
        Endpoint(
            "/compare", "Another run against this one: a difference is the other's minus this one's.",
            schema_of(answers.ResultAnswer), _compare,
            (Parameter("with", "the other run, named as in the path"), Parameter("join", "the column that joins rows")),
        ),
        Endpoint(
            "/slices", "The worst slices, or every slice of one or two columns.", schema_of(answers.ResultAnswer),
            _slices,
            (
                Parameter("by", "a column to slice by", repeats=True),
                Parameter("metric", "another number that each slice has, such as roc_auc or npv[cat]"),
            ),
        ),
        Endpoint(
            "/rows", "Rows, as far as the link shows them.", schema_of(answers.RowsAnswer), _rows,
            (
                Parameter("only", "which rows", choices=only),
                Parameter("true", "a true label", repeats=True), Parameter("pred", "a predicted label", repeats=True),
                *_part("rows", MOST_ROWS),
            ),
        ),
        Endpoint(
            "/report", "The report as one HTML file, without rows.", None,
            lambda asked: html_report(asked.measured.evaluation, level=asked.measured.level),
        ),
    )  # fmt: skip
