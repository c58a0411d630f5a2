"""Results of promptfoo (JSON or JSON lines): every test with every prompt, one row each.

Sources: `EvaluateResult`, `EvaluateSummaryV2/V3` in promptfoo's `src/types`, and its page on output formats. The rows
are under results.results, in older files under results.outputs or results; each line of a .jsonl file is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from data.errors import DataError
from data.limits import LONGEST_PROMPT_NAME
from data.reading.json.outline import Outline
from data.reading.json.streams import Stream
from data.reading.logs.source import Remarks, Row, get_inside, plain_cell, require_mapping
from text.quoting import quote

_PLACES = (("results", "results"), ("results", "outputs"), ("results",), ("outputs",))
_ANSWERED = ("response", "success", "pass", "text")
_EXPECTED = (
    "expected", "expected_label", "expected_output", "expectedlabel", "expectedoutput", "label", "target", "truth",
    "ground_truth", "groundtruth", "gold", "reference", "answer", "correct_answer", "category", "class",
)  # fmt: skip
_ASSERTED = ("equals", "contains", "icontains", "starts-with")
_TEMPLATE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_SMALL = ("success", "pass", "score", "error", "latencyMs", "failureReason")
_LOOK_AT = 200


def recognises(document: Outline) -> bool:
    """Return whether an object has a list of results as promptfoo writes them."""
    return _place(document) is not None


def recognises_records(head: list[Any]) -> bool:
    """Return whether the first record is a result of promptfoo by itself."""
    return _is_result(head[0])


def read_rows(document: Outline, remarks: Remarks) -> Iterator[Row]:
    """Return the rows of a whole results file."""
    place = _place(document)
    assert place is not None
    return record_rows(document.each(*place, where="result"), remarks)


def _place(document: Outline) -> tuple[str, ...] | None:
    paths = (path for path in _PLACES if path in document.lists and document.lists[path].n)
    return next((path for path in paths if _is_result(document.lists[path].head[0])), None)


def _is_result(value: Any) -> bool:
    if not isinstance(value, dict) or not any(key in value for key in _ANSWERED):
        return False
    tested = isinstance(value.get("vars"), dict) or isinstance(value.get("testCase"), dict)
    return tested and ("prompt" in value or "promptIdx" in value) and ("provider" in value or "promptIdx" in value)


def record_rows(stream: Stream, remarks: Remarks) -> Iterator[Row]:
    """Give id (of the test), prompt, target, output, success, score, vars.<name>, namedScores.<name>."""
    expected = _find_expected([require_mapping(value, row, "result") for row, value in islice(stream, _LOOK_AT)])
    for row, value in stream:
        record = require_mapping(value, row, "result")
        variables = _variables(record)
        target = variables.get(expected) if expected else _read_asserted(record, variables, remarks)
        output = _output(record)
        remarks.counts["failed"] += bool(record.get("error")) and output is None
        remarks.counts["unknown"] += target is None
        small = {key: record[key] for key in _SMALL if not isinstance(record.get(key, []), list | dict)}
        tested = {"vars": variables} if variables else {}
        scored = {"namedScores": record["namedScores"]} if isinstance(record.get("namedScores"), dict) else {}
        head = {
            "id": record.get("testIdx", get_inside(record, "testCase", "description")),
            "prompt": _prompt(record),
            "target": plain_cell(target),
            "output": plain_cell(output),
        }
        yield {**head, **small, **tested, **scored}
    _say(expected, remarks)


def _find_expected(head: list[Row]) -> str | None:
    """Return the variable that is named like an expected label."""
    names = {name: None for record in head for name in _variables(record)}
    folded = {re.sub(r"[\s-]", "_", name.strip().lower()).strip("_"): name for name in names}
    return next((folded[name] for name in _EXPECTED if name in folded), None)


def _variables(record: Row) -> Row:
    variables = record.get("vars")
    variables = get_inside(record, "testCase", "vars") if not isinstance(variables, dict) else variables
    return variables if isinstance(variables, dict) else {}


def _read_asserted(record: Row, variables: Row, remarks: Remarks) -> Any:
    """Return the text that the first fixed assertion asks for; `{{name}}` is the value of a variable."""
    asserts = get_inside(record, "testCase", "assert")
    for kind in _ASSERTED:
        for assertion in asserts if isinstance(asserts, list) else ():
            value = get_inside(assertion, "value")
            if get_inside(assertion, "type") == kind and isinstance(value, str | int | float):
                remarks.counts[f"asserted {kind}"] += 1
                name = _TEMPLATE.fullmatch(str(value).strip())
                return variables.get(name[1], value) if name else value
    return None


def _output(record: Row) -> Any:
    """Return the answer; in older files under text or output."""
    output = get_inside(record, "response", "output")
    return output if output is not None else record.get("text", record.get("output"))


def _prompt(record: Row) -> str:
    """Return [provider] label, as the head of promptfoo's own table; a long prompt goes by its number."""
    provider = record.get("provider")
    named = get_inside(provider, "label") or get_inside(provider, "id") if isinstance(provider, dict) else provider
    label = get_inside(record, "prompt", "label") or get_inside(record, "prompt", "raw") or record.get("prompt")
    number = record.get("promptIdx")
    short = isinstance(label, str) and len(label) <= LONGEST_PROMPT_NAME and "\n" not in label
    counted = number + 1 if isinstance(number, int) else record.get("promptId", "")
    shown = label if short else f"prompt {counted}".strip()
    return f"[{named}] {shown}" if named else str(shown)


def _say(expected: str | None, remarks: Remarks) -> None:
    kinds = [kind for kind in _ASSERTED if remarks.counts[f"asserted {kind}"]]
    if not expected and not kinds:
        raise DataError(
            "it is a promptfoo results file without expected labels. No variable is named expected or label, and no"
            " test asserts equals or contains. Give every test a variable with the label that is right."
        )
    source = f"the variable {quote(expected)}" if expected else f"the value of assertions ({', '.join(kinds)})"
    remarks.notes.append(f"promptfoo: output is response.output, target is {source}, prompt is [provider] and label.")
    remarks.add_count("failed", "an error instead of an answer; the output is empty.", warn=True)
    remarks.add_count("unknown", "no expected label; the target is empty.", warn=True)
