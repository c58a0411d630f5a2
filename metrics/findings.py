"""What the accuracy hides, as ranked plain sentences with their evidence.

A finding's text keeps label names apart from our own words (`Label`), so that whoever shows it
decides how uploaded text reaches the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from metrics import averages, confusions, labels, multilabel
from metrics.counts import UNPARSEABLE, ConfusionCounts
from metrics.curves import ScoreCounts, roc_auc
from metrics.multilabel import MultilabelCounts
from metrics.thresholds import best_thresholds, rates_at

LOW_SUPPORT = 10
"""Below this many true rows a class's recall moves by more than ten points with one row."""

Severity = Literal["serious", "warning", "info"]
_RANK = {"serious": 0, "warning": 1, "info": 2}


class Label(NamedTuple):
    """A label name inside a sentence: uploaded text, to be shown as such."""

    name: str


@dataclass(frozen=True)
class Finding:
    """One thing a reader should know.

    code : stable name, for tests and tools.
    parts : the sentence, as our words (str) and uploaded label names (Label).
    weight : how much of the file it concerns, 0..1; ranks findings of the same severity.
    evidence : the numbers in the sentence.
    page, view : the page that shows it, and the view parameters to open it with.
    """

    code: str
    severity: Severity
    parts: tuple[str | Label, ...]
    weight: float = 0.0
    evidence: Mapping[str, float] = field(default_factory=dict)
    page: str = "overview"
    view: Mapping[str, str] = field(default_factory=dict)

    def sentence(self, quote: Callable[[str], str] = lambda name: f"'{name}'") -> str:
        """The sentence, every label name passed through `quote`.

        >>> Finding("x", "info", ("Rows of ", Label("a"), " are fine.")).sentence()
        "Rows of 'a' are fine."
        """
        return "".join(quote(part.name) if isinstance(part, Label) else part for part in self.parts)

    @property
    def text(self) -> str:
        """The sentence with label names in single quotes."""
        return self.sentence()


@dataclass(frozen=True)
class Tables:
    """What the findings are read from: the small tables, and how the predictions came about.

    positive, threshold : of a binary task with a score; `threshold` is the one in use.
    n_space : how many of the labels of a multi-label task are the label space (they come first); None = all.
    """

    n_rows: int
    confusion: ConfusionCounts | None = None
    multilabel: MultilabelCounts | None = None
    scores: ScoreCounts | None = None
    n_missing_truth: int = 0
    n_missing_pred: int = 0
    positive: int | None = None
    threshold: float = 0.5
    n_space: int | None = None


def findings(tables: Tables) -> list[Finding]:
    """Everything worth saying about one evaluation, the most serious first."""
    found: list[Finding] = []
    if tables.confusion is not None and tables.confusion.n:
        for rule in (
            _no_better_than_majority,
            _macro_gap,
            _never_predicted,
            _absent,
            _outside,
            _truth_outside,
            _favourites,
            _worst_confusions,
            _unparseable,
            _low_support,
        ):
            found.extend(rule(tables.confusion))
    if tables.multilabel is not None and tables.multilabel.n:
        found.extend(_subset_against_per_label(tables.multilabel))
        found.extend(_multilabel_never(tables.multilabel, tables.n_space))
        found.extend(_multilabel_low_support(tables.multilabel))
        found.extend(_empty_label_sets(tables.multilabel))
    if tables.scores is not None:
        found.extend(_ranking(tables.scores))
        found.extend(_threshold(tables.scores, tables.threshold, _positive_name(tables)))
    found.extend(_missing(tables))
    return sorted(found, key=lambda f: (_RANK[f.severity], -f.weight, f.code))


def _positive_name(tables: Tables) -> str:
    if tables.confusion is None or tables.positive is None:
        return ""
    return tables.confusion.labels[tables.positive]


def percent(share: float) -> str:
    """A share as per cent with one decimal; never rounded to 0 or 100 when it is neither.

    >>> percent(0.5), percent(0.9999), percent(0.0001), percent(1.0), percent(float("nan"))
    ('50.0 %', '> 99.9 %', '< 0.1 %', '100.0 %', 'undefined')
    """
    if np.isnan(share):
        return "undefined"
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    return "< 0.1 %" if 0 < share < 0.0005 else f"{share:.1%}".replace("%", " %")


def rows(n: int | float, noun: str = "row") -> str:
    """A count with its noun.

    >>> rows(1), rows(1200), rows(2, "class")
    ('1 row', '1,200 rows', '2 classes')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{int(n):,} {noun if n == 1 else plural}"


def _listed(counts: ConfusionCounts, codes: np.ndarray, most: int = 3) -> Iterator[str | Label]:
    """The first few labels, and how many more there are."""
    for i, code in enumerate(codes[:most]):
        yield from ((", " if i else ""), Label(counts.labels[code]))
    if len(codes) > most:
        yield f" and {len(codes) - most:,} more"


def _no_better_than_majority(counts: ConfusionCounts) -> Iterator[Finding]:
    accuracy, baseline = labels.accuracy(counts), labels.baseline_accuracy(counts)
    if int((counts.support > 0).sum()) < 2:
        yield Finding(
            "one_class",
            "warning",
            (
                "Every row has the same true label ",
                Label(counts.labels[int(np.argmax(counts.support))]),
                ", so this file cannot show whether the model tells classes apart.",
            ),
            1.0,
        )
        return
    # Within one standard error of the baseline the two cannot be told apart on this many rows.
    margin = float(np.sqrt(baseline * (1 - baseline) / counts.n))
    if accuracy > baseline + margin:
        return
    majority = counts.labels[int(np.argmax(counts.support))]
    word = "lower than" if accuracy < baseline - margin else "no better than"
    yield Finding(
        "no_better_than_majority",
        "serious",
        (
            f"Accuracy {percent(accuracy)} is {word} always answering ",
            Label(majority),
            f", which would score {percent(baseline)}.",
        ),
        1.0,
        {"accuracy": accuracy, "baseline_accuracy": baseline},
        "classes",
    )


def _macro_gap(counts: ConfusionCounts) -> Iterator[Finding]:
    gap = averages.macro_gap(counts)
    if not gap.gap > 0.1:
        return
    parts: list[str | Label] = [
        (
            f"Macro F1 over all {rows(counts.n_space, 'class')} is {gap.macro_f1_space:.3f}, "
            f"far below micro F1 {gap.micro_f1:.3f}. "
        )
    ]
    if gap.n_absent:
        parts.append(
            f"{_share_of(gap.from_absent, gap.gap)} of that gap is the sample's doing: {_class_count(gap.n_absent)} "
            "no true rows here, so even a "
            f"perfect model could reach only {gap.max_macro_f1:.3f}. "
        )
    if gap.n_never_predicted:
        parts.append(
            f"{_share_of(gap.from_never_predicted, gap.gap)} comes from {rows(gap.n_never_predicted, 'class')} "
            "asked about but never predicted. "
        )
    if gap.from_other < -0.01:
        parts.append("(More than all of it together, because the other classes do better than the micro F1.)")
    elif gap.from_other > 0.01:
        parts.append(f"{_share_of(gap.from_other, gap.gap)} comes from weak results on the other classes.")
    sample = gap.from_absent >= 0.5 * gap.gap
    yield Finding(
        "macro_far_below_micro_sample" if sample else "macro_far_below_micro",
        "warning" if sample else "serious",
        ("".join(str(p) for p in parts).strip(),),
        min(1.0, gap.gap),
        {key: float(value) for key, value in gap._asdict().items()},
        "classes",
    )


def _class_count(n: int) -> str:
    return f"{n:,} class has" if n == 1 else f"{n:,} classes have"


def _share_of(part: float, whole: float) -> str:
    return percent(min(1.0, max(0.0, part / whole)))


def _never_predicted(counts: ConfusionCounts) -> Iterator[Finding]:
    codes = confusions.never_predicted(counts)
    if not len(codes):
        return
    codes = codes[np.argsort(-counts.support[codes], kind="stable")]
    lost = int(counts.support[codes].sum())
    verb = "is" if len(codes) == 1 else "are"
    yield Finding(
        "never_predicted",
        "serious",
        (
            f"{rows(len(codes), 'class')} with {rows(lost, 'true row')} {verb} never predicted: ",
            *_listed(counts, codes),
            ".",
        ),
        lost / counts.n,
        {"classes": len(codes), "rows": lost},
        "classes",
        {"list": "never"},
    )


def _absent(counts: ConfusionCounts) -> Iterator[Finding]:
    codes = confusions.absent(counts)
    if not len(codes):
        return
    which = f"{len(codes):,} of {counts.n_space:,} classes"
    yield Finding(
        "absent",
        "info",
        (f"The file never asks about {which}: ", *_listed(counts, codes), ". Nothing is known about the model there."),
        len(codes) / counts.n_space,
        {"classes": len(codes)},
        "classes",
        {"list": "absent"},
    )


def _outside(counts: ConfusionCounts) -> Iterator[Finding]:
    codes = confusions.outside_label_space(counts)
    codes = codes[counts.predicted[codes] > 0]
    if not len(codes):
        return
    codes = codes[np.argsort(-counts.predicted[codes], kind="stable")]
    n = int(counts.predicted[codes].sum())
    yield Finding(
        "outside_label_space",
        "warning",
        (
            f"{rows(n)} got a label outside the label space ({rows(len(codes), 'label')}): ",
            *_listed(counts, codes),
            ".",
        ),
        n / counts.n,
        {"rows": n, "labels": len(codes)},
        "classes",
        {"list": "outside"},
    )


def _truth_outside(counts: ConfusionCounts) -> Iterator[Finding]:
    codes = confusions.outside_label_space(counts)
    codes = codes[counts.support[codes] > 0]
    if not len(codes):
        return
    n = int(counts.support[codes].sum())
    yield Finding(
        "truth_outside_label_space",
        "serious",
        (
            f"{rows(n)} have a true label that the label set lacks ({rows(len(codes), 'label')}): ",
            *_listed(counts, codes),
            ". The model was never offered it.",
        ),
        n / counts.n,
        {"rows": n, "labels": len(codes)},
        "classes",
        {"list": "outside"},
    )


def _favourites(counts: ConfusionCounts) -> Iterator[Finding]:
    found = confusions.favourites(counts)
    for favourite in found[:3]:
        feeders = np.array([code for code, _ in favourite.feeders if code >= 0], dtype=int)
        extra = favourite.predicted - favourite.support
        yield Finding(
            "favourite",
            "warning",
            (
                "The model favours ",
                Label(counts.labels[favourite.code]),
                f": predicted {favourite.predicted:,} times, true {favourite.support:,} times. Mostly fed by ",
                *_listed(counts, feeders),
                ".",
            ),
            extra / counts.n,
            {"predicted": favourite.predicted, "support": favourite.support},
            "classes",
            {"class": counts.labels[favourite.code]},
        )


def _worst_confusions(counts: ConfusionCounts) -> Iterator[Finding]:
    worst = [c for c in confusions.confusions(counts, limit=8) if c.pred != UNPARSEABLE][:3]
    for confusion in worst:
        true, pred = counts.labels[confusion.true], counts.labels[confusion.pred]
        support = int(counts.support[confusion.true])
        yield Finding(
            "confusion",
            "warning" if confusion.share >= 0.1 and confusion.rows > 1 else "info",
            (
                f"{confusion.rows:,} of {support:,} ",
                Label(true),
                f" {'row was' if confusion.rows == 1 else 'rows were'} called ",
                Label(pred),
                f" ({percent(confusion.share)}).",
            ),
            confusion.rows / counts.n,
            {"rows": confusion.rows, "support": support},
            "confusion",
            {"true": true, "pred": pred},
        )


def _unparseable(counts: ConfusionCounts) -> Iterator[Finding]:
    if not counts.n_unparsed:
        return
    share = counts.n_unparsed / counts.n
    yield Finding(
        "unparseable",
        "serious" if share >= 0.05 else "warning",
        (
            f"{rows(counts.n_unparsed, 'answer')} of {counts.n:,} ({percent(share)}) could not be parsed into a label. "
            f"Accuracy is {percent(labels.accuracy(counts))} "
            f"with them counted wrong and {percent(labels.accuracy_parsed(counts))} over the parsed rows.",
        ),
        share,
        {"rows": counts.n_unparsed, "share": share},
        "rows",
        {"only": "unparseable"},
    )


def _low_support(counts: ConfusionCounts) -> Iterator[Finding]:
    codes = np.flatnonzero((counts.support > 0) & (counts.support < LOW_SUPPORT))
    if not len(codes):
        return
    verb = "has" if len(codes) == 1 else "have"
    yield Finding(
        "low_support",
        "info",
        (
            f"{rows(len(codes), 'class')} {verb} fewer than {LOW_SUPPORT} true rows, too few to tell: ",
            *_listed(counts, codes),
            ".",
        ),
        len(codes) / max(1, int((counts.support > 0).sum())),
        {"classes": len(codes)},
        "classes",
        {"list": "low"},
    )


def _ranking(scores: ScoreCounts) -> Iterator[Finding]:
    auc = roc_auc(scores)
    if np.isnan(auc):
        return
    if auc < 0.4:
        text = f"ROC AUC is {auc:.3f}, below 0.5: the score ranks backwards. Is the positive class the other one?"
        yield Finding("reversed_score", "serious", (text,), 0.9, {"roc_auc": auc}, "thresholds")
    elif auc < 0.55:
        text = f"ROC AUC is {auc:.3f}: the score ranks positive rows little better than chance (0.5)."
        yield Finding("chance_ranking", "warning", (text,), 0.9, {"roc_auc": auc}, "thresholds")


def _threshold(scores: ScoreCounts, threshold: float, positive: str) -> Iterator[Finding]:
    now, best = rates_at(scores, threshold), best_thresholds(scores)["f1"]
    value = 0.0 if np.isnan(now.f1) else float(now.f1)
    if np.isnan(best.value) or best.value - value < 0.05:
        return
    yield Finding(
        "threshold_far_from_best",
        "warning",
        (
            f"At threshold {threshold:.6g} the F1 of ",
            Label(positive),
            (
                f" is {'undefined' if np.isnan(now.f1) else format(value, '.3f')}; at "
                f"{best.threshold:.6g} it would be {best.value:.3f} on these rows."
            ),
        ),
        best.value - value,
        {"threshold": threshold, "f1": value, "best_threshold": best.threshold, "best_f1": best.value},
        "thresholds",
        {"t": repr(float(best.threshold))},
    )


def _subset_against_per_label(counts: MultilabelCounts) -> Iterator[Finding]:
    subset, per_label = multilabel.subset_accuracy(counts), multilabel.per_label_accuracy(counts)
    if per_label - subset < 0.1:
        return
    yield Finding(
        "subset_far_below_per_label",
        "warning",
        (
            f"{percent(per_label)} of single label decisions are right (mean per-label accuracy), "
            f"but only {percent(subset)} of rows are right in "
            "every label (subset accuracy). Say which one you mean.",
        ),
        per_label - subset,
        {"subset_accuracy": subset, "per_label_accuracy": per_label},
        "overview",
    )


def _multilabel_never(counts: MultilabelCounts, n_space: int | None) -> Iterator[Finding]:
    support, predicted = counts.tp + counts.fn, counts.tp + counts.fp
    codes = np.flatnonzero((support > 0) & (predicted == 0))
    if len(codes):
        names = [part for i, c in enumerate(codes[:3]) for part in ((", " if i else ""), Label(counts.labels[c]))]
        more = f" and {len(codes) - 3:,} more" if len(codes) > 3 else ""
        text = f"{rows(len(codes), 'label')} with {rows(int(support[codes].sum()), 'true row')} never predicted: "
        weight = float(support[codes].sum()) / max(1, int(support.sum()))
        yield Finding(
            "never_predicted",
            "serious",
            (text, *names, f"{more}."),
            weight,
            {"classes": len(codes)},
            "classes",
            {"list": "never"},
        )
    absent = np.flatnonzero(support[:n_space] == 0)
    if len(absent):
        names = [part for i, c in enumerate(absent[:3]) for part in ((", " if i else ""), Label(counts.labels[c]))]
        more = f" and {len(absent) - 3:,} more" if len(absent) > 3 else ""
        text = f"No row of the file has {rows(len(absent), 'label')}: "
        yield Finding(
            "absent",
            "info",
            (text, *names, f"{more}."),
            len(absent) / len(counts.labels),
            {"classes": len(absent)},
            "classes",
            {"list": "absent"},
        )


def _multilabel_low_support(counts: MultilabelCounts) -> Iterator[Finding]:
    support = counts.tp + counts.fn
    codes = np.flatnonzero((support > 0) & (support < LOW_SUPPORT))
    if len(codes):
        text = f"{rows(len(codes), 'label')} with fewer than {LOW_SUPPORT} true rows, too few to tell."
        yield Finding(
            "low_support",
            "info",
            (text,),
            len(codes) / len(counts.labels),
            {"classes": len(codes)},
            "classes",
            {"list": "low"},
        )


def _empty_label_sets(counts: MultilabelCounts) -> Iterator[Finding]:
    if not counts.n_empty_true:
        return
    text = (
        f"{rows(counts.n_empty_true)} of {counts.n:,} have no true label at all. Subset "
        "accuracy counts such a row as right when nothing is predicted; "
        "samples-averaged F1 and Jaccard count it as 0."
    )
    yield Finding(
        "empty_label_sets", "info", (text,), counts.n_empty_true / counts.n, {"rows": counts.n_empty_true}, "overview"
    )


def _missing(tables: Tables) -> Iterator[Finding]:
    for n, what in ((tables.n_missing_truth, "truth"), (tables.n_missing_pred, "prediction")):
        if n:
            text = f"{rows(n)} of {tables.n_rows:,} have no {what} and are left out of every metric."
            share, view = n / tables.n_rows, {"only": "missing"}
            yield Finding(f"missing_{what}", "warning", (text,), share, {"rows": n}, "rows", view)
