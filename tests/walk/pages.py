"""Collect what the pages claim of the evaluation in view: each room is asked for its title and its data."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from streamlit.testing.v1 import AppTest

from data.evaluation import Evaluation
from data.rows.selection import CONFIDENCE
from export.by_slice.group_result import RATES as RATES_OF_GROUPS
from export.by_slice.slice_search import search_metrics
from export.class_result import class_rates
from export.result.written import mark_few, write_cell
from metrics.catalogue.chooser_tree import TREE
from metrics.finding import Finding
from metrics.findings.worst_parts import head_of
from metrics.slices.fairness import ERROR_RATES
from tests.ceiling import CEILING_SECONDS
from tests.walk.claims import Claim, Facts, claims_of, plain, read_figure, read_names, read_numbers, whole
from tests.walk.files import code_of, facts_of_answers, facts_of_lead
from tests.walk.labels import spellings
from text.numbers import UNDEFINED
from ui.answers import parsing
from ui.classes import class_numbers, class_table
from ui.frame import loaded
from ui.learn import metric_choice
from ui.matrix import one_label, standouts
from ui.open import reading
from ui.overview import finding_list
from ui.rows import row_filters, rows_behind
from ui.slices import choices as slice_choices, groups, search_cache, slices, worst_parts
from ui.thresholds import own_scale, rule_in_force, steps, threshold
from ui.view import cache, state, url
from ui.view.address import begin_page

_LENSES = {
    "Recall": "recall", "Precision": "precision", "Accuracy": "accuracy", "ROC AUC": "roc_auc",
    "Macro F1": "macro_f1_supported", "Subset accuracy": "subset_accuracy", "Per-label accuracy": "per_label_accuracy",
}  # fmt: skip
_NEVER = re.compile(r"([\d,]+) of [\d,]+ (?:class|label)\w* (?:is|are) never predicted")


class View(NamedTuple):
    """One view of a page: its place, the parameters of its address, what makes its title, and what it claims.

    title : "" where the file has no such view. claims : of the evaluation and the title.
    """

    page: str
    parameters: dict[str, Any]
    title: Callable[[Evaluation], str]
    claims: Callable[[Evaluation, str], Facts]

    @property
    def surface(self) -> str:
        """Return the name of the view in a contradiction."""
        return " ".join(map(str, (self.page, *self.parameters.values())))


_answers: dict[str, list[Claim]] = {}


def ask_pages(run: str, *pages: str) -> list[Claim]:
    """Return what pages claim of a run, asked in one run of a script that has the run's address; none named = all."""
    script = f"from tests.walk import pages\npages.answer({run!r}, {pages!r})"
    app = AppTest.from_string(script, default_timeout=CEILING_SECONDS)
    app.query_params["run"] = run
    app.run()
    assert not app.exception, app.exception[0].stack_trace
    return _answers.pop(run)


def answer(run: str, pages: Sequence[str]) -> None:
    """Ask the views of pages for their titles and claims; runs inside Streamlit."""
    begin_page("overview")
    evaluation = loaded.evaluation_if_any()
    assert evaluation is not None
    claims = _answers[run] = []
    defaults = {name: parameter.default for name, parameter in url.PARAMETERS.items() if name != "run"}
    for view in [view for view in VIEWS if not pages or view.page in pages]:
        url.put(**(defaults | view.parameters))
        title = view.title(evaluation) if evaluation.has_predictions or view.page in _WITHOUT_PREDICTIONS else ""
        if title:
            claims.append(Claim(f"title of {view.surface}", "the room", title))
            claims += claims_of(view.surface, view.claims(evaluation, title))


def _findings(evaluation: Evaluation) -> list[Finding]:
    return rule_in_force.ranked_findings(evaluation, worst_parts.worst_parts(evaluation))


def _overview_title(evaluation: Evaluation) -> str:
    return finding_list.title_of(evaluation, _findings(evaluation))


def _overview(evaluation: Evaluation, said: str) -> Facts:
    found = _findings(evaluation)
    block = finding_list.block_data(evaluation, found, here="overview")["findings"]
    yield "findings", tuple(code_of(_words(one["head"]) + ". " + _words(one["more"]), found) for one in block)
    yield "severities", tuple(one["kind"] for one in block)
    yield "warnings at all", "no warnings" not in reading.summary(evaluation)
    yield from facts_of_lead(said)
    if evaluation.positive is None and evaluation.has_predictions:
        yield "something stands out", "nothing serious stands out" not in said
    for lens in finding_list.lenses(evaluation):
        yield from _facts_of_lens(lens)
    yield from _facts_of_parts(evaluation, {finding.code: finding for finding in found})


def _facts_of_lens(lens: finding_list.Lens) -> Facts:
    if lens.name in _LENSES:
        yield _LENSES[lens.name], read_figure(lens.figure)
    elif lens.name == "Never predicted":
        yield "classes never_predicted", whole(lens.figure)
    elif lens.name == "Confusion":
        yield "wrong rows", whole(lens.figure)
    elif lens.name == "No label found":
        yield "rows without a label found", whole(read_numbers(str(lens.line[0]))[0])
    elif lens.name == "Calibration":
        yield "calibration error", read_figure(lens.figure)
    elif lens.name == "Weakest label":
        yield "class with the lowest F1", lens.view["class"]
        yield "lowest F1 of a class with true rows", read_figure(lens.figure)


def _words(parts: list[list[str]]) -> str:
    return "".join(part[1] for part in parts)


def _confusion_title(evaluation: Evaluation) -> str:
    many = evaluation.task == "multilabel"
    return one_label.title(evaluation) if many else standouts.title(evaluation)


def _confusion(evaluation: Evaluation, said: str) -> Facts:
    if evaluation.task == "multilabel":
        return
    if said.startswith(("All ", "The only row")):
        yield "wrong rows", 0
    elif "wrong row" in said:
        yield "wrong rows", whole(read_numbers(said)[1])
    for section in standouts.find(evaluation).sections:
        if section.title == "Never predicted":
            first = section.items[0].words[0]
            yield "classes never_predicted", whole(first.split()[0]) if isinstance(first, str) else 1


def _classes(evaluation: Evaluation, said: str) -> Facts:
    labels = spellings(evaluation)
    never = _NEVER.match(said)
    yield "classes never_predicted", whole(never[1]) if never else 0
    for key, name in (("absent", "absent"), ("outside", "outside_label_space")):
        yield f"classes {name}", len(cache.class_lists(evaluation)[key])
    if " is the weakest " in said:
        yield "class with the lowest F1", labels.get(read_names(said)[0], said)
    codes = class_numbers.worst_first(evaluation)
    table = class_table.class_table(evaluation, codes)
    for code, row in zip(codes.tolist(), table.rows, strict=True):
        label = evaluation.labels[code]
        _, *cells, true, predicted = (write_cell(cell, str) for cell in row)
        for rate, cell, whole_cell in zip(class_rates(evaluation.task), cells, row[1:-2], strict=True):
            value = math.nan if cell.value is None else cell.value
            yield f"{rate} of {label!r} is grey", bool(mark_few(whole_cell))
            yield f"{rate} of {label!r}", read_figure(UNDEFINED if math.isnan(value) else cell.text)
            if not math.isnan(value):
                yield f"{rate} of {label!r} to six digits", round(value, 6)
        yield from ((f"true rows of {label!r}", true.value), (f"predicted rows of {label!r}", predicted.value))
    first = next((code for code in codes.tolist() if cache.counts_of_classes(evaluation).support[code]), None)
    if first is not None:
        yield "class with the lowest F1", evaluation.labels[first]


def _rows_title(evaluation: Evaluation) -> str:
    return rows_behind.title(evaluation, row_filters.rows_in_view(evaluation))


def _rows(evaluation: Evaluation, said: str) -> Facts:
    numbers = [whole(n) for n in read_numbers(said)]
    yield "wrong rows", numbers[0]
    if url.get("only") == "all":
        yield "rows scored", numbers[1]


def _slices_title(evaluation: Evaluation) -> str:
    wanted = slice_choices.choices_in_view(evaluation)
    is_asked = wanted.metric != "recall" or evaluation.positive is not None
    if not is_asked or not search_cache.sliceable(evaluation).ways:
        return ""
    return slices.title(evaluation, search_cache.search(evaluation, wanted.metric, wanted.code), wanted)


def _slices(evaluation: Evaluation, said: str) -> Facts:
    metric = slice_choices.choices_in_view(evaluation).metric
    yield f"worst slice by {metric}", plain(said) if " where " in said else "none"


def _groups_title(evaluation: Evaluation) -> str:
    if evaluation.positive is None or not search_cache.sliceable(evaluation).ways:
        return ""
    wanted = slice_choices.choices_in_view(evaluation)._replace(code=evaluation.positive)
    return groups.title(groups.compare_in_view(evaluation, wanted))


def _groups(evaluation: Evaluation, said: str) -> Facts:
    yield "gap between groups", tuple(read_numbers(said)) if _is_error_rate(said) else ()


def _is_error_rate(said: str) -> bool:
    """Return whether a title is about a gap of the rates that findings tell; they tell it after a correction."""
    rates = [RATES_OF_GROUPS[rate].split(" (")[0].lower() for rate in ERROR_RATES]
    return not said.startswith("No gap") and said.lower().startswith(tuple(rates))


def _facts_of_parts(evaluation: Evaluation, found: Mapping[str, Finding]) -> Facts:
    """Yield what the findings say of slices and groups, in the words of the pages about them."""
    if not evaluation.has_predictions or not search_cache.sliceable(evaluation).ways:
        return
    metrics = {"worst_slice": next(iter(search_metrics(evaluation)))}
    if evaluation.positive is not None and "group_gap" not in found:  # else the gap between two groups says it
        metrics["worst_slice_recall"] = "recall"
    for code, metric in metrics.items():
        yield f"worst slice by {metric}", _head(evaluation, found[code]) if code in found else "none"
    if "group_gap" in found:
        yield "gap between groups", tuple(read_numbers(_head(evaluation, found["group_gap"])))


def _head(evaluation: Evaluation, finding: Finding) -> str:
    return plain(finding_list.write_parts(evaluation, head_of(finding)))


def _step(step: str) -> Callable[[Evaluation], str]:
    """Return what makes the title of a step of the page Thresholds; "" where the file has no such step."""

    def make(evaluation: Evaluation) -> str:
        base = own_scale.evaluation_for_thresholds(state.original() or evaluation)
        if not base.score_codes:
            only = steps.step_in_view(base)
            return steps.title(base, only, CONFIDENCE, None) if only == step else ""
        if step == "classes" and (base.task == "binary" or len(base.score_codes) < 2):
            return ""
        code = steps.class_in_view(base)
        return steps.title(base, step, code, threshold.scores_of(base, code))

    return make


def _explore(evaluation: Evaluation, said: str) -> Facts:
    numbers = read_numbers(said.replace("none of", "0 of"))
    if evaluation.task == "binary" and said.startswith("At score"):
        yield "threshold in use", read_figure(numbers[0])
        if "by weight" not in said:
            yield "tp at the threshold", whole(numbers[1])


def _choose(evaluation: Evaluation, said: str) -> Facts:
    if evaluation.task == "binary" and said.startswith("Score ≥"):
        yield "best threshold by F1", read_figure(read_numbers(said)[0])


def _calibration(evaluation: Evaluation, said: str) -> Facts:
    error = re.search(r"off by (\S+) on average", said)
    if evaluation.task == "multilabel":
        return
    if error:
        yield "calibration error", read_figure(error[1])
    told = [finding for finding in _findings(evaluation) if finding.code == "miscalibrated"]
    if told:
        yield "verdict on calibration", plain(said)
        yield "verdict on calibration", plain(str(told[0].parts[0]).split(". ")[0].removesuffix("."))


def _all_classes(evaluation: Evaluation, said: str) -> Facts:
    if evaluation.task == "multiclass" and ": ROC AUC " in said:
        yield "lowest AUC of a class", read_figure(said.rpartition(": ROC AUC ")[2])


def _parsing_title(evaluation: Evaluation) -> str:
    return "" if evaluation.answers is None else parsing.title(evaluation)


def _parsing(evaluation: Evaluation, said: str) -> Facts:
    yield from facts_of_answers(said)
    for table in parsing.outcome_tables(evaluation):
        for outcome, rows, *_ in table.rows:
            yield f"rows with the outcome {outcome}", int(write_cell(rows, str).text.replace(",", ""))


def _metric_title(evaluation: Evaluation) -> str:
    return metric_choice.title(metric_choice.walk_tree(evaluation), evaluation)


def _metric(evaluation: Evaluation, said: str) -> Facts:
    end = metric_choice.walk_tree(evaluation).path.end
    if end is None:
        return
    node, value = TREE[end], re.search(r", (\S+(?: %)?) on this file$", plain(said))
    if value and not node.options:
        yield node.metric.key, read_figure(value[1])
    if node.metric.key == "accuracy":
        yield "accuracy misleads", False


_WITHOUT_PREDICTIONS = ("overview", "thresholds")
VIEWS = (
    View("overview", {}, _overview_title, _overview),
    View("confusion", {}, _confusion_title, _confusion),
    View("classes", {}, lambda evaluation: class_numbers.title(evaluation), _classes),
    View("rows", {}, _rows_title, _rows),
    View("rows", {"only": "errors"}, _rows_title, _rows),
    View("slices", {}, _slices_title, _slices),
    View("slices", {"metric": "recall"}, _slices_title, _slices),
    View("slices", {"mode": "groups"}, _groups_title, _groups),
    View("thresholds", {"tab": "explore"}, _step("explore"), _explore),
    View("thresholds", {"tab": "choose", "by": "f1"}, _step("choose"), _choose),
    View("thresholds", {"tab": "calibration"}, _step("calibration"), _calibration),
    View("thresholds", {"tab": "classes"}, _step("classes"), _all_classes),
    View("parsing", {}, _parsing_title, _parsing),
    View("choose", {}, _metric_title, _metric),
)
"""Every view of a page whose title or data says something of an evaluation."""
