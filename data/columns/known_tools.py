"""The tables that other tools write, by their column names: one row a tool, its columns as data.

A row proposes; the values still decide (a column of fractions is never a label, whatever its name). Where a tool's
names say nothing by themselves (`target`, `prediction`), `data.columns.name_ranks` suffices and there is no row here.

In a template `{target}` is the name of another column, `{label}` a label and `{any}` anything; templates without
these are compared as `data.columns.role_names.fold` writes names, unless they begin with a dot. `a|b` means either.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from data.columns.role_names import fold


@dataclass(frozen=True)
class Known:
    """One tool's table.

    tool : its name, in the receipt and as `FileFacts.source`.
    needs : what must be there.
    truth, pred, raw, id : templates of the columns with that role, best first.
    scores : templates with `{label}`, where the name alone does not say it.
    confidence : scores of whichever label was predicted.
    kept : columns that would look like something else, and what they are.
    parsed : whether every answer is parsed, also where all of them are bare labels.
    """

    tool: str
    needs: tuple[str, ...]
    truth: tuple[str, ...] = ()
    pred: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    confidence: tuple[str, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    parsed: bool = False


_SCORED = "what the tool itself thought of the answer"
_LOG = Known(
    "", (), truth=("target",), pred=("prediction",), raw=("output",), id=("id",),
    kept=tuple(
        (name, _SCORED)
        for name in ("score", "success", "pass", "namedScores.{any}", "value_{any}", "acc", "acc_norm", "exact_match")
    ),
)  # fmt: skip
"""Columns that readers of logs make of any tool's log."""
_OF_A_CALL = "what the call to the model took"
FORMATS = (
    Known(
        "Blindspot", ("answer", "parsed_label", "error"), truth=("truth",), raw=("answer",), id=("id",),
        kept=(
            ("parsed_label", "the label that the run read from the answer"),
            ("error", "why the model gave no usable answer"),
            *((name, _OF_A_CALL) for name in ("latency_seconds", "input_tokens", "output_tokens", "finish_reason")),
        ),
        parsed=True,
    ),
    Known(
        "Inspect", ("id", "epoch", "target", "score_{any}"), truth=("target",), pred=("score_{any}_answer",),
        raw=("score_{any}_answer",), id=("id",),
    ),
    Known(
        "promptfoo",
        ("Status", "Score", "[{any}] {any}"),
        pred=("[{any}] {any}",),
        raw=("[{any}] {any}",),
        kept=tuple((name, _SCORED) for name in ("Status|Status ({any})", "Score|Score ({any})", "Metric: {any}")),
    ),
    Known(
        "Phoenix", ("example_id", "reference_output", "output"), truth=("reference_output",), pred=("output",),
        raw=("output",), id=("example_id",), kept=(("annotation_{any}", _SCORED),),
    ),
    Known(
        "Weka", ("inst#", "actual", "predicted", "error"), truth=("actual",), pred=("predicted",), id=("inst#",),
        confidence=("prediction",),
        kept=(
            ("error", "marks the rows that are wrong"),
            ("distribution_{any}", "a score a class, in Weka's own order, the predicted one with a star"),
        ),
    ),
    Known("tune (R)", (".row", ".pred_class|.pred_{any}"), pred=(".pred_class",), id=(".row",)),
    Known("parsnip", (".pred_class",), pred=(".pred_class",), id=(".row",)),
    Known("mlr3", ("truth", "response", "row_ids|prob.{any}"), truth=("truth",), pred=("response",), id=("row_ids",)),
    Known("H2O", ("predict", "p0", "p1"), pred=("predict",)),
    Known(
        "PyCaret", ("prediction_label", "prediction_score|prediction_score_{any}"), pred=("prediction_label",),
        confidence=("prediction_score",),
    ),
    Known(
        "KNIME", ("Prediction ({target})",), truth=("{target}",), pred=("Prediction ({target})",), id=("row ID",),
        scores=("P ({target}={label})",), confidence=("Prediction ({target}) (confidence)",),
    ),
    Known(
        "RapidMiner", ("prediction({target})",), truth=("{target}",), pred=("prediction({target})",), id=("row no.",),
        scores=("confidence({label})",),
    ),
    Known("Vertex AI", ("{target}_{label}_scores",), truth=("{target}",), scores=("{target}_{label}_scores",)),
    Known(
        "BigQuery ML", ("predicted_{target}", "predicted_{target}_probs|predicted_{target}_probs_{label}"),
        truth=("{target}",), pred=("predicted_{target}",), scores=("predicted_{target}_probs_{label}",),
    ),
    Known(
        "SageMaker Autopilot", ("predicted_label", "probability|probabilities|probabilities_{any}"),
        pred=("predicted_label",), confidence=("probability",),
    ),
    Known(
        "cleanlab", ("label_quality", "given_label"), truth=("given_label",), pred=("predicted_label",),
        kept=(
            ("label_quality", "how likely the given label is right, not a score of one class"),
            ("is_label_issue", "whether the given label is doubted"),
        ),
    ),
    Known(
        "FiftyOne", ("ground_truth.label", "predictions.label"), truth=("ground_truth.label",),
        pred=("predictions.label",), confidence=("predictions.confidence",),
    ),
    Known(
        "Argilla", ("{any}.suggestion", "{any}.suggestion.score", "{any}.responses"), truth=("{any}.responses",),
        pred=("{any}.suggestion",), id=("id",), confidence=("{any}.suggestion.score",),
        kept=(("{any}.agent|{any}.users|{any}.status", "who gave it"),),
    ),
    Known(
        "Argilla", ("annotation", "annotation_agent", "prediction_agent"), truth=("annotation",), id=("id",),
        kept=(("annotation_agent|prediction_agent", "who gave it"),),
    ),
    Known("W&B", ("Actual", "Predicted", "nPredictions"), truth=("Actual",), pred=("Predicted",)),
    Known("Neo", ("Ground Truth", "Prediction", "Count"), truth=("Ground Truth",), pred=("Prediction",)),
    Known("What-If Tool", ("predictions__probabilities|predictions__probabilities_{any}",)),
    Known("Spark ML", ("label", "prediction", "probability|probability_{any}", "rawPrediction|rawPrediction_{any}"),
          truth=("label",), pred=("prediction",)),
    Known("MLflow", ("target", "prediction", "prediction_proba|prediction_proba_{any}"), truth=("target",),
          pred=("prediction",)),
    Known(
        "MLflow", ("{any}/v1/score|{any}/v2/score",),
        kept=tuple((f"{{any}}/v{n}/{part}", _SCORED) for n in (1, 2) for part in ("score", "ratio", "justification")),
    ),
)  # fmt: skip
"""Every format with a row of its own; the first that fits is taken."""


@dataclass(frozen=True)
class Recognised:
    """A known format in a table: which columns play which role, best first.

    columns : "truth", "pred", "raw", "id", "confidence" -> column names.
    scores : (column, the label in its name).
    kept : column -> what it is.
    parsed : as in `Known`.
    others : the true labels of further predictions, which the format has as well.
    """

    tool: str
    needed: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    scores: tuple[tuple[str, str], ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    parsed: bool = False
    others: tuple[str, ...] = ()

    def alike(self, role: str) -> bool:
        """Return whether the format has any number of columns for this role: one a prompt, or a scorer."""
        templates = [t for row in FORMATS if row.tool == self.tool for t in getattr(row, role)]
        return any("{any}" in template for template in templates)

    @property
    def why(self) -> str:
        """Return the reason in a receipt."""
        return f"as {self.tool} writes it"


_ROLES = ("truth", "pred", "raw", "id", "confidence")


def recognise(names: Iterable[str], source: str | None = None, truth: str | None = None) -> Recognised | None:
    """Return the known format that a table's column names are those of, or None.

    Parameters
    ----------
    names : the column names of one file.
    source : the tool, if the reader knows it (`FileFacts.source`).
    truth : the column of true labels that a person named.

    >>> found = recognise(["id", "Income", "P (Income=<=50K)", "P (Income=>50K)", "Prediction (Income)"])
    >>> found.tool, found.columns["truth"], found.scores
    ('KNIME', ('Income',), (('P (Income=<=50K)', '<=50K'), ('P (Income=>50K)', '>50K')))
    >>> recognise(["y_true", "y_pred"]) is None
    True
    """
    known = _Names(names)
    for row in FORMATS:
        if row.tool == source or source is None:
            targets = sorted(known.targets(row.needs), key=lambda target: target != truth)
            if targets:
                return replace(_recognise_one(row, known, targets[0]), others=tuple(targets[1:]))
    return None if source is None else _recognise_one(replace(_LOG, tool=source), known, "")


def _recognise_one(row: Known, known: _Names, target: str) -> Recognised:
    columns = {
        role: tuple(dict.fromkeys(name for template in getattr(row, role) for name in known.fitting(template, target)))
        for role in _ROLES
    }
    scores = tuple(pair for template in row.scores for pair in known.labelled(template, target))
    kept = {name: what for template, what in row.kept for name in known.fitting(template, target)}
    needed = tuple(name for template in row.needs for name in known.fitting(template, target)[:1])
    return Recognised(row.tool, needed, columns, scores, kept, row.parsed)


class _Names:
    """The column names of a table, looked at through templates."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(names)
        self.known = set(self.names)
        self.folded: dict[str, list[str]] = {}
        for name in self.names:
            self.folded.setdefault(fold(name), []).append(name)

    def fitting(self, template: str, target: str = "") -> list[str]:
        """Return the names that fit one of the template's alternatives."""
        return [name for part in template.split("|") for name in self._fitting(part, target)]

    def _fitting(self, template: str, target: str) -> list[str]:
        if template == "{target}":
            return [target] if target else []
        if "{" not in template:
            names = self.folded.get(fold(template), [])
            return [name for name in names if name == template] if template.startswith(".") else names
        if "{label}" not in template and "{any}" not in template:
            name = template.replace("{target}", target)
            return [name] if name in self.known else []
        pattern = _build_pattern(template, target)
        return [name for name in self.names if pattern.fullmatch(name)]

    def labelled(self, template: str, target: str) -> list[tuple[str, str]]:
        """Return (name, what stands for `{label}` in it)."""
        pattern = _build_pattern(template, target)
        matches = [(name, pattern.fullmatch(name)) for name in self.names]
        return [(name, match["label"]) for name, match in matches if match]

    def targets(self, needs: tuple[str, ...]) -> list[str]:
        """Return the texts for `{target}` with which all that is needed is there; "" without a template."""
        with_target = next((template for template in needs if "{target}" in template), None)
        targets = [""] if with_target is None else list(dict.fromkeys(self._targets(with_target.split("|")[0])))[:100]
        return [target for target in targets if all(self.fitting(need, target) for need in needs)]

    def _targets(self, template: str) -> Iterator[str]:
        head, _, rest = template.partition("{target}")
        mark, _, tail = rest.partition("{label}")
        lengths = sorted({len(name) for name in self.known})
        for name in self.names:
            if name.startswith(head) and name.endswith(tail):
                known = (len(head) + length for length in lengths[: bisect_right(lengths, len(name) - len(head))])
                places = [end for end in known if name.startswith(mark, end)] if mark else [len(name)]
                yield from (name[len(head) : end] for end in places if name[len(head) : end] in self.known)


def _build_pattern(template: str, target: str) -> re.Pattern[str]:
    parts = {"{target}": re.escape(target), "{label}": "(?P<label>.+?)", "{any}": ".+"}
    pieces = re.split(r"(\{\w+\})", template)
    return re.compile("".join(parts.get(piece, re.escape(piece)) for piece in pieces), re.DOTALL)


FAILED = ("[invalid]", "['invalid']", "[missing]", "NOT_PARSABLE", "NOT_PARSEABLE", "UNPARSEABLE", "(no label found)")
