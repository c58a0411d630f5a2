"""Collect what the JSON, the terminal and the HTML report claim of an evaluation."""

import contextlib
import html
import io
import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any
from unittest import mock

import cli
from data.answers.parsing import outcome_title
from data.evaluation import Evaluation
from export.measurement import Measurement, measure
from export.numbers import numbers_json
from export.report.page import html_report
from metrics.catalogue.registry import is_share
from metrics.finding import Finding, Label
from tests.walk.claims import Claim, Facts, claims_of, exact, plain, read_figure, read_numbers, whole
from tests.walk.labels import spellings
from text.intervals import bounds
from text.numbers import UNDEFINED

RATES = ("precision", "recall", "f1")
_OF_TWO_CLASSES = {
    "mcc": "MCC", "g_mean_of_recalls": "G-mean", "g_mean": "G-mean",
    "balanced_accuracy": "Youden's J", "youden_j": "Youden's J",
}  # fmt: skip
_STATES = {
    "Never predicted": "never_predicted", "Not in the data": "absent", "Not in the label list": "outside_label_space"
}  # fmt: skip
_TILES = {
    "Accuracy": "accuracy", "Macro F1": "macro_f1_supported", "Balanced accuracy": "balanced_accuracy",
    "Subset accuracy": "subset_accuracy", "Mean per-label accuracy": "per_label_accuracy", "Micro F1": "micro_f1",
    "Samples F1": "samples_f1", "ROC AUC": "roc_auc", "Macro ROC AUC": "roc_auc_macro", "Recall": "recall",
    "Average precision": "average_precision", "Precision": "precision",
}  # fmt: skip
_LEADS = {
    r"^([<>]? ?[\d.]+\s%) accurate": "accuracy",
    r"^([<>]? ?[\d.]+ %) of [\d,]+ rows? are right": "accuracy",
    r"([<>]? ?[\d.]+\s%) of rows are right in every label": "subset_accuracy",
    r"([\d,]+) (?:class|label)\w* (?:with [^:]+ )?(?:is |are )?never predicted": "classes never_predicted",
    r"^([\d,]+) of [\d,]+ \S+ rows? (?:was|were) (?:missed|predicted as [^;]*);": "fn of the positive class",
    r"[No]o label was found in ([\d,]+) of": "rows without a label found",
}


def ask_files(evaluation: Evaluation) -> list[Claim]:
    """Return what the command `score`, Export and the report claim."""
    measured = measure(evaluation)
    numbers = json.loads(_score(evaluation, "--json"))
    exported = json.loads(numbers_json(measured))["numbers"]
    report = html_report(evaluation).decode()
    embedded = re.search(r'<script type="application/json" id="numbers">(.*?)</script>', report, re.DOTALL)
    assert embedded is not None
    claims = [*claims_of("JSON", facts_of_numbers(numbers, measured))]
    claims += claims_of("findings", _facts_of_findings(measured))
    for surface, other in (("Export", exported), ("the report's JSON", json.loads(embedded[1])["numbers"])):
        claims += claims_of("JSON", _whole_values(numbers, other))
        claims += claims_of(surface, _whole_values(other, numbers))
    claims += claims_of("terminal", _facts_of_terminal(_score(evaluation), measured, numbers))
    claims += claims_of("report", _facts_of_report(report, measured, numbers))
    return claims


def _score(evaluation: Evaluation, *options: str) -> str:
    """Return what the command prints of an evaluation that is open already."""
    printed = io.StringIO()
    opened = mock.patch("command.score.read", lambda options: (evaluation, ()))
    with opened, contextlib.redirect_stdout(printed):
        assert not cli.main(["score", "file", *options])
    return printed.getvalue()


def _whole_values(numbers: Mapping[str, Any], other: Mapping[str, Any]) -> Facts:
    """Yield every key that both JSON have; a matrix that the report leaves out is a sentence."""
    for key in numbers.keys() & other.keys():
        if not isinstance(numbers[key], str) and not isinstance(other[key], str):
            yield f"{key} in JSON", json.dumps(numbers[key])


def _judged_of_two_classes(intervals: Mapping[str, Any]) -> Facts:
    """Yield whether few rows decide what is one number over all rows and of either class."""
    for name, interval in intervals.items():
        key = name.partition("[")[0]
        if key in _OF_TWO_CLASSES:
            yield f"few rows decide {_OF_TWO_CLASSES[key]} of two classes", bool(interval.get("few_decide"))


def facts_of_numbers(numbers: Mapping[str, Any], measured: Measurement) -> Facts:
    """Yield what the JSON says, and what follows from it by arithmetic."""
    yield from (("rows", numbers["n_rows"]), ("rows scored", numbers["n_scored"]), ("classes", len(numbers["classes"])))
    for key, _ in measured.headlines:
        yield key, exact(numbers[key])
        if key in numbers["intervals"]:
            yield f"ends of {key}", _ends(numbers["intervals"][key], is_share=is_share(key))
    for label, row in numbers["per_class"].items():
        for rate in RATES:
            yield f"{rate} of {label!r}", exact(row[rate])
            is_grey = measured.number(rate, measured.evaluation.labels.index(label)).too_few
            yield f"{rate} of {label!r} is grey", is_grey and row[rate] is not None
        yield f"true rows of {label!r}", row["support"]
        yield f"predicted rows of {label!r}", row["predicted"]
    if len(numbers["classes"]) == 2 and not numbers.get("n_unparsed"):
        yield from _judged_of_two_classes(numbers["intervals"])
    for key in _STATES.values():
        if key in numbers:
            yield f"classes {key}", len(numbers[key])
    yield "findings", tuple(_code(one["text"], measured.findings) for one in numbers["findings"])
    yield "severities", tuple(one["severity"] for one in numbers["findings"])
    yield "warnings", tuple(numbers["warnings"])
    yield "warnings at all", bool(numbers["warnings"])
    for key, short in (("n_missed", "fn"), ("n_false_alarms", "fp")):
        if key in numbers:
            yield f"{short} of the positive class", numbers[key]
    wrong = count_wrong(numbers)
    if wrong is not None:
        yield "wrong rows", wrong
    if numbers.get("n_unparsed"):
        yield "rows without a label found", numbers["n_unparsed"]
    for outcome, rows in numbers.get("outcomes", {}).items():
        yield f"rows with the outcome {outcome_title(outcome)}", rows
    if "roc_auc_per_class" in numbers:
        known = [value for value in numbers["roc_auc_per_class"].values() if value is not None]
        if known:
            yield "lowest AUC of a class", exact(min(known))
    if numbers.get("at_threshold"):
        yield "threshold in use", exact(numbers["threshold"])
        for key in ("tp", "fp", "fn", "tn"):
            if numbers["threshold"] is not None:
                yield f"{key} at the threshold", numbers["at_threshold"][key]
    best = numbers.get("best_thresholds", {}).get("f1", {})
    if best:
        yield "best threshold by F1", exact(best["threshold"])
    weakest = _weakest(numbers)
    if weakest:
        yield "lowest F1 of a class with true rows", weakest


def _facts_of_findings(measured: Measurement) -> Facts:
    """Yield what the evidence of the findings says."""
    found = {finding.code: finding.evidence for finding in measured.findings}
    yield "something stands out", any(finding.severity != "info" for finding in measured.findings)
    if "never_predicted" in found:
        yield "classes never_predicted", found["never_predicted"]["classes"]
        yield "accuracy misleads", True
    if "no_better_than_majority" in found:
        yield "accuracy", exact(found["no_better_than_majority"]["accuracy"])
    if "unparseable" in found:
        yield "rows without a label found", found["unparseable"]["rows"]
    if "miscalibrated" in found:
        yield "calibration error", exact(found["miscalibrated"]["expected_calibration_error"])
    for code in ("missed", "false_alarms"):
        if code in found:
            yield f"{'fn' if code == 'missed' else 'fp'} of the positive class", found[code]["rows"]
    for code in ("threshold_far_from_best", "no_threshold"):
        if "best_threshold" in found.get(code, ()):
            yield "best threshold by F1", exact(found[code]["best_threshold"])


def _weakest(numbers: Mapping[str, Any]) -> Hashable:
    rows = [row["f1"] for row in numbers["per_class"].values() if row["support"] and row["f1"] is not None]
    return exact(min(rows)) if rows else None


def count_wrong(numbers: Mapping[str, Any]) -> int | None:
    """Return scored rows that are not right; None where nothing is predicted."""
    matrix = numbers.get("confusion_matrix")
    if matrix is not None:
        right = sum(row[place] for place, row in enumerate(matrix["rows_true_cols_pred"]))
        return int(numbers["n_scored"] - right)
    subset = numbers.get("subset_accuracy")
    return None if subset is None else round(numbers["n_scored"] * (1 - subset))


def _ends(interval: Mapping[str, Any], *, is_share: bool) -> Hashable:
    """Return both ends with three digits, as a person reads them."""
    return "" if interval["low"] is None else bounds(interval["low"], interval["high"], share=is_share)


def _code(text: str, findings: Iterable[Finding]) -> str:
    """Return the code of the finding that a text is, whatever its labels look like; else the text."""
    for finding in findings:
        if fits(finding, text):
            return finding.code
    return text


def code_of(text: str, findings: Sequence[Finding]) -> str:
    """Return the code of the finding that a list shows, which cuts it after its first clause; else the text."""
    text = plain(text).casefold().removesuffix(". ")
    for finding in findings:
        parts = tuple(part.casefold() if isinstance(part, str) else part for part in finding.parts)
        if _is_said(parts, text):
            return finding.code
    return text


def _is_said(parts: Sequence[str | Label], text: str) -> bool:
    """Return whether a text has all of our words: the list cuts a finding after its first clause."""
    ours = [re.sub(r"[\s.:]+", " ", plain(part)).strip() for part in parts if isinstance(part, str)]
    return re.search(".*".join(map(re.escape, ours)), re.sub(r"[\s.:]+", " ", text), re.DOTALL) is not None


def fits(finding: Finding, text: str) -> bool:
    """Return whether a text says a finding: all of our words in their order, a name between them."""
    words = (re.escape(plain(part)) if isinstance(part, str) else ".*?" for part in finding.parts)
    return re.fullmatch("".join(words), plain(text), re.DOTALL) is not None


def _facts_of_terminal(printed: str, measured: Measurement, numbers: Mapping[str, Any]) -> Facts:
    parts = printed.split("\n\n")
    counted = re.search(r"([\d,]+) rows?(?: in [\d,]+ lines?)?, ([\d,]+) scored, ([\d,]+) class", parts[0])
    assert counted is not None, parts[0]
    yield from zip(("rows", "rows scored", "classes"), map(whole, counted.groups()), strict=True)
    listed = {part.split("\n")[0]: part.split("\n")[1:] for part in parts}
    yield from _facts_of_headlines(printed, measured, numbers)
    first = printed.partition("Headline numbers:")[2].partition("\n\n")[0]
    yield from _facts_of_thresholds(re.findall(r"^ +(\S.*?)  +(\S+)(?:  +(\S+))?$", first, re.MULTILINE), first)
    if parts_of_answers := re.search(r"^(No label was found in .*|A label was found in .*)$", printed, re.MULTILINE):
        yield from facts_of_answers(parts_of_answers[1])
        yield from _facts_of_outcomes(re.findall(r"^    (\S.*?)  +([\d,]+)  +\S+ %  +[\d,]+  ", printed, re.MULTILINE))
    lines = [line.strip() for line in listed.get("What the accuracy hides:", ())]
    said = [line.split(None, 1) for line in lines if not line.startswith("Not searched")]
    yield "findings", tuple(_code(text, measured.named_findings) for _, text in said)
    yield "severities", tuple(severity for severity, _ in said)
    yield "warnings", tuple(line.strip() for line in listed.get("Warnings:", ()))
    table = next(lines for head, lines in listed.items() if head in ("Classes:", "Labels:"))
    yield from _facts_of_classes(_columns_of_terminal([line for line in table[1:] if line]), measured)


def _facts_of_headlines(printed: str, measured: Measurement, numbers: Mapping[str, Any]) -> Facts:
    """Yield the first numbers of the terminal, with their intervals."""
    titles = {title: key for key, title in measured.headlines}
    first = printed.partition("Each number with its interval:")[2].partition("\n\n")[0]
    table = re.split(r"\n  (?:Rows at|Best thresholds)", first)[0]
    for line in table.split("\n"):
        cells = re.split(r"  +", line.strip())
        if cells[0] in titles and len(cells) > 1:
            key = titles[cells[0]]
            yield key, read_figure(cells[1])
            ends = re.search(r"\(([^()]* to [^()]*)\)", cells[1])
            if key in numbers["intervals"]:
                yield f"ends of {key}", ends[1] if ends else ""


_OUTCOMES = {"true positives": "tp", "false positives": "fp", "false negatives": "fn", "true negatives": "tn"}


def _facts_of_thresholds(lines: Iterable[Sequence[str]], text: str) -> Facts:
    """Yield the threshold in use, the rows by outcome there, and the best threshold by F1."""
    used = re.search(r"Rows at score ≥ ([-−]?[\d.e+-]+)", text)
    if used:
        yield "threshold in use", read_figure(used[1])
    for title, first, *more in lines:
        if title in _OUTCOMES and used:
            yield f"{_OUTCOMES[title]} at the threshold", whole(first)
        if title == "F1" and more and more[0] and "Best thresholds on these rows" in text:
            yield "best threshold by F1", read_figure(first)


def facts_of_answers(said: str) -> Facts:
    """Yield what the sentence about answers says: rows without a label, and accuracy with and without them."""
    numbers = [plain(number) for number in read_numbers(said)]
    if len(numbers) == 1:
        yield "rows scored", whole(numbers[0])
    else:
        yield from (("rows without a label found", whole(numbers[0])), ("rows scored", whole(numbers[1])))
        yield "accuracy", read_figure(numbers[2])
        yield "accuracy_parsed", read_figure(numbers[3]) if len(numbers) > 3 else "undefined"


def _facts_of_outcomes(lines: Iterable[Sequence[str]]) -> Facts:
    """Yield the rows of each outcome of the answers."""
    for title, rows in lines:
        yield f"rows with the outcome {title}", whole(rows)


def _columns_of_terminal(lines: list[str]) -> Iterator[dict[str, str]]:
    """Yield the cells of every line by their heads: numbers end where their head does."""
    heads = [*re.finditer(r"\S+(?: \S+)*", lines[0])]
    for line in lines[1:]:
        name, _, first = line[: heads[1].end()].rpartition("  ")
        cells = [first.strip(), *(line[left.end() : right.end()].strip() for left, right in pairwise(heads[1:]))]
        yield {"name": name.strip()} | dict(zip((head[0].partition(" (")[0] for head in heads[1:]), cells, strict=True))


def _text(markup: str) -> str:
    return plain(html.unescape(re.sub(r"<[^>]+>", "", markup)))


def _cells(table: str) -> Iterator[list[str]]:
    """Yield the cells of every line of a table's body."""
    for line in re.findall(r"<tr>(.*?)</tr>", table.partition("<tbody>")[2], re.DOTALL):
        cells = re.findall(r"<t[hd]([^>]*)>(.*?)</t[hd]>", line, re.DOTALL)
        grey = ["undefined" in kind and _text(cell) != UNDEFINED for kind, cell in cells]
        yield [_text(cell) + " †" * is_grey for (_, cell), is_grey in zip(cells, grey, strict=True)]


def _section(report: str, name: str) -> str:
    found = re.search(rf'<section id="{name}">(.*?)</section>', report, re.DOTALL)
    return found[1] if found else ""


def _table(report: str, name: str) -> str:
    found = re.search(rf'<table id="{name}".*?</table>', report, re.DOTALL)
    return found[0] if found else ""


def _facts_of_report(report: str, measured: Measurement, numbers: Mapping[str, Any]) -> Facts:
    titles = {title: key for key, title in measured.headlines}
    for title, value, ends, _ in _cells(_table(report, "headline")):
        key = titles.get(title, title)
        yield key, read_figure(value)
        if key in numbers["intervals"]:
            yield f"ends of {key}", ends
    for title, value in re.findall(r'<div class="tile"><h3>(.*?)</h3>.*?<p class="figure(?: few)?">(.*?)</p>', report):
        if title in _TILES:
            yield _TILES[title], read_figure(_text(value))
        if title == "Never predicted":
            yield "classes never_predicted", whole(value.split()[0])
    for name in ("at-threshold", "best-thresholds"):
        text = _text(re.sub(r"</t[hd]>", "  ", _table(report, name)))
        yield from _facts_of_thresholds([(*cells, "")[:3] for cells in _cells(_table(report, name))], text)
    answers = re.search(r'<p class="takeaway">(.*?)</p>', _section(report, "unparseable"))
    if answers:
        yield from facts_of_answers(_text(answers[1]))
        yield from _facts_of_outcomes([cells[:2] for cells in _cells(_table(report, "outcomes"))])
    said = re.findall(
        r'<li class="(\w+)">.*?<strong>(.*?)</strong> (.*?)<span class="amount">',
        _section(report, "findings"),
        re.DOTALL,
    )
    yield "findings", tuple(code_of(f"{_text(head)}. {_text(more)}", measured.named_findings) for _, head, more in said)
    yield "severities", tuple(severity for severity, _, _ in said)
    warned = _section(report, "about").rpartition("</dl>")[2]
    yield "warnings", tuple(_text(text) for text in re.findall(r"<li>(.*?)</li>", warned, re.DOTALL))
    for title, n in re.findall(r"<h3>([^<:]*): ([\d,]+)</h3>", report):
        if title in _STATES and _STATES[title] in numbers:
            yield f"classes {_STATES[title]}", whole(n)
    table = _table(report, "classes")
    heads = ["name", *map(_text, re.findall(r"<button[^>]*>(.*?)</button>", table)[1:])]
    yield from _facts_of_classes((dict(zip(heads, cells, strict=True)) for cells in _cells(table)), measured)
    takeaway = re.search(r"<h1>(.*?)</h1>", report, re.DOTALL)
    assert takeaway is not None
    yield from facts_of_lead(_text(takeaway[1]))
    counted = re.search(r'<span class="short">([\d,]+) rows?(?: in [\d,]+ lines?)? · ([\d,]+) (?:class|label)', report)
    assert counted is not None
    yield from zip(("rows", "classes"), map(whole, counted.groups()), strict=True)


def _facts_of_classes(lines: Iterable[Mapping[str, str]], measured: Measurement) -> Facts:
    """Yield the numbers of every class that a table names, and which stands first of those with true rows."""
    labels = spellings(measured.evaluation)
    first, is_clear = "", True
    for line in lines:
        cells = {title.lower(): cell for title, cell in line.items()}
        label = labels.get(cells["name"])
        if label is None:  # two labels are written alike
            is_clear = is_clear and bool(first)
            continue
        for rate, title in zip(RATES, ("precision", "recall", "f1"), strict=True):
            yield f"{rate} of {label!r}", read_figure(cells[title])
            yield f"{rate} of {label!r} is grey", "†" in cells[title]
        for fact, title in (("true", "true rows"), ("predicted", "predicted rows")):
            yield f"{fact} rows of {label!r}", whole(cells[title]) if cells[title] != "undefined" else None
        if not first and cells["true rows"] not in ("0", "undefined") and cells["f1"] != "undefined":
            first = label
    if first and is_clear:
        yield "class with the lowest F1", first


def facts_of_lead(said: str) -> Facts:
    """Yield what the title of Overview, or of the report, says with a number."""
    for pattern, fact in _LEADS.items():
        number = re.search(pattern, plain(said))
        if number:
            yield fact, (read_figure if "%" in pattern else whole)(number[1])
