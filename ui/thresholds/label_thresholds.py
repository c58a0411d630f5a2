"""One threshold for all labels, or one for each: side by side, in use by a button, and every label in a table."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from data.errors import DataError
from data.evaluation import Evaluation
from export.result.frame import to_frame
from export.result.kinds import Amount, Cell, Column, Count, Label, Number, Table, Threshold
from metrics.multilabel.set_metrics import MultilabelCounts, labels_per_row, per_label_accuracy, subset_accuracy
from metrics.outcomes import F1, PRECISION, RECALL
from metrics.thresholds.choose import Rule
from metrics.thresholds.label_thresholds import CrossFitted
from metrics.thresholds.rule_in_force import mean_f1
from text.numbers import column_format, count, number, write_amount, write_threshold
from ui.text.markdown import percent
from ui.text.messages import remark
from ui.thresholds.label_choices import (
    EACH,
    MACRO,
    MICRO,
    Choices,
    Way,
    ask_for_fitting,
    choices,
    counts_at,
    counts_of_file,
    fallback_threshold,
    judge_on_other_rows,
    list_choices,
    same_thresholds,
    thresholds_in_use,
    wants_fitting,
    write_cells,
)
from ui.view import state, url
from ui.view.choice_rules import write_each
from ui.view.data_table import download
from ui.view.panel import md_label, show_label
from ui.view.result_table.result_table import result_table

_LABEL = "label_thresholds.label"  # of the session: the label whose threshold can be changed


class _Figure(NamedTuple):
    """A number that ways are judged by. is_better_high : whether the highest of all ways is the best."""

    title: str
    value: Callable[[MultilabelCounts], float]
    write: Callable[[float], str]
    is_better_high: bool = True


def _macro_f1(counts: MultilabelCounts) -> float:
    return mean_f1(counts, "macro_f1")


_FIGURES = (
    _Figure("Micro F1", lambda counts: mean_f1(counts, "micro_f1"), number),
    _Figure("Macro F1", _macro_f1, number),
    _Figure("Subset acc.", subset_accuracy, percent),
    _Figure("Per-label acc.", per_label_accuracy, percent),
    _Figure("Labels per row", lambda counts: labels_per_row(counts).mean_pred, lambda value: number(value, 2), False),
)


def title(evaluation: Evaluation) -> str:
    """Say what a threshold for each label gains over the best one for all; nothing where that is not known."""
    evaluation = state.original() or evaluation
    best = choices(evaluation)
    if isinstance(best, DataError) or np.isnan(best.micro.threshold):
        return ""
    otherwise = fallback_threshold(state.threshold_for_others(evaluation))
    each = np.array([best.each.get(code, otherwise) for code in evaluation.score_codes])
    for_all = np.full(len(evaluation.score_codes), best.macro.threshold)
    with_each, with_one = _macro_f1(counts_at(evaluation, each)), _macro_f1(counts_at(evaluation, for_all))
    change = "lifts" if with_each > with_one else "does not lift"
    return f"A threshold for each label {change} macro F1 from {number(with_one)} to {number(with_each)}"


def section(evaluation: Evaluation) -> None:
    """Draw the ways to threshold several labels, and every label's threshold."""
    evaluation = state.original() or evaluation
    st.header("One threshold for all labels, or one for each")
    best = choices(evaluation)
    if isinstance(best, DataError):
        remark(str(best))
        return
    if np.isnan(best.micro.threshold):
        st.info("No row with a score has a true label, so no threshold is better than another.")
        return
    judged = judge_on_other_rows(evaluation) if wants_fitting(evaluation) else None
    listed = list_choices(evaluation, best, None if isinstance(judged, DataError) else judged)
    _takeaway(listed, best)
    _side_by_side(evaluation, listed)
    _small_print(evaluation, best, judged)
    _label_table(evaluation, best, listed)


def _takeaway(listed: list[Way], choices: Choices) -> None:
    """Say in a sentence what a threshold for each label gains."""
    ways = {way.what: way for way in listed}
    each, for_all = ways[EACH], ways[MACRO]
    here = f"{number(_macro_f1(each.counts))} against {number(_macro_f1(for_all.counts))}"
    text = f"A threshold for each label gives macro F1 **{here}** with the best one for all"
    if each.fitted is not None and for_all.fitted is not None:
        with_each, with_one = _macro_f1(each.fitted), _macro_f1(for_all.fitted)
        text += f"; on held-out rows **{number(with_each)} against {number(with_one)}**"
        text += ": the gain does not hold there" if with_each <= with_one else ""
    truth = number(labels_per_row(each.counts).mean_true, 2)
    st.markdown(
        f"{text}. Macro F1 is the mean over the {count(choices.n_true, 'label')} with true rows; "
        f"a row has {truth} true labels on average."
    )


def _side_by_side(evaluation: Evaluation, listed: list[Way]) -> None:
    """Draw every way with its numbers and the button that uses it; the best of each number bold."""
    now = thresholds_in_use(evaluation)
    best = [_best_of(figure, listed) for figure in _FIGURES]
    for way in listed:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            held_out = "  \n:small[:gray[on held-out rows]]" if way.fitted else ""
            st.markdown(f"**{way.title}**  \n:gray[{way.what}]{held_out}", width=150)
            for figure, highest in zip(_FIGURES, best, strict=True):
                st.markdown(_cell(way, figure, highest), width=80)
            st.space("stretch")
            _use(evaluation, way, used=same_thresholds(way.thresholds, now))


def _best_of(figure: _Figure, ways: list[Way]) -> float:
    """Return the highest value of all ways; NaN where none is the best, or none is defined."""
    if not figure.is_better_high:
        return np.nan
    values = [figure.value(way.counts) for way in ways]
    return max((value for value in values if not np.isnan(value)), default=np.nan)


def _cell(way: Way, figure: _Figure, best: float) -> str:
    """Return a number under its name, and below it the number on held-out rows."""
    value = figure.value(way.counts)
    text = figure.write(value)
    lines = [f":small[:gray[{figure.title}]]", f"**{text}**" if value == best else text]
    if way.fitted is not None:
        lines.append(f":small[:gray[{figure.write(figure.value(way.fitted))}]]")
    return "  \n".join(lines)


def _use(evaluation: Evaluation, way: Way, *, used: bool) -> None:
    """Draw the button that makes a way the one of every page."""
    view = view_of(evaluation, way)
    fits = _fits(str(view["each"]))
    st.button(
        "In use" if used else _button(way),
        key=f"label_thresholds.use.{way.what}",
        disabled=used or not fits,
        on_click=url.put,
        kwargs=view,
        width=100,
        help=None if fits else "A link cannot hold so many thresholds; download them from the table below.",
    )


def _button(way: Way) -> str:
    """Name what the button does, for screen readers."""
    if way.thresholds is None:
        return "Use these"
    return "Use each" if len(set(way.thresholds.tolist())) > 1 else f"Use {write_threshold(way.thresholds[0])}"


def view_of(evaluation: Evaluation, way: Way) -> dict[str, object]:
    """Return the parameters of the view that predict in this way: `t` for all labels, `each` for those with their own.

    With them goes the rule that the way chooses by, if it does.
    """
    rule, given = way.rule, evaluation.threshold
    as_opened = None if given is None else np.full(len(evaluation.score_codes), given)
    if way.thresholds is None or (not rule and same_thresholds(way.thresholds, as_opened)):
        return {"t": None, "each": "", "rule": ""}
    if len(set(way.thresholds.tolist())) == 1:
        return {"t": float(way.thresholds[0]), "each": "", "rule": rule}
    others = state.threshold_for_others(evaluation)
    pairs = zip(evaluation.score_codes, way.thresholds.tolist(), strict=True)
    own_cuts = {code: threshold for code, threshold in pairs if threshold != others}
    return {"t": url.get("t"), "each": write_each(own_cuts), "rule": rule}


def _fits(each: str) -> bool:
    try:
        url.PARAMETERS["each"].parse(each)
    except ValueError:
        return False
    return True


def _small_print(evaluation: Evaluation, choices: Choices, judged: CrossFitted | DataError | None) -> None:
    """Say how the thresholds were found and judged, and what has no score."""
    held_out = ""
    if isinstance(judged, CrossFitted):
        held_out = (
            "Thresholds look better on the rows they were chosen on. *Held-out*: the rows were split into "
            f"{min(5, evaluation.n_scored)} random folds (seed 0). Each fold is judged by thresholds chosen on the "
            "others."
        )
    st.caption(
        f"Each threshold is the best of all {choices.n_distinct:,} distinct scores: a label's own, or those of all "
        "labels together. Of equally good ones it is the highest, rounded as far as it predicts the same rows. Bold: "
        "the best of all ways. Subset accuracy: all labels of a row are right. Per-label accuracy: one decision is. "
        + held_out
    )
    missing = len(evaluation.labels) - len(evaluation.score_codes)
    if missing:
        remark(f"{count(missing, 'label')} without a score column: never predicted, and missed where true.")
    if not held_out:
        remark("Thresholds look better on the rows they were chosen on.")
    if isinstance(judged, DataError):
        remark(str(judged))
    if judged is None:
        st.button("See by how much (takes some seconds)", on_click=ask_for_fitting, args=(evaluation,),
                  key="label_thresholds.ask")  # fmt: skip


def _label_table(evaluation: Evaluation, choices: Choices, listed: list[Way]) -> None:
    """Draw a table of every label with scores, and one label's threshold to change.

    evaluation : without the view's thresholds. listed : the ways, of which the one for all is compared with.
    """
    now = thresholds_in_use(evaluation)
    used = counts_of_file(evaluation) if now is None else counts_at(evaluation, now)
    st.markdown("**Every label's threshold**")
    _edit(evaluation, choices, now, used)
    table = tabulate_labels(evaluation, choices, listed, now, used)
    result_table(table, key="label_thresholds.table")
    st.caption(
        "Undefined: no true row (with a score), so no F1 and no best threshold"
        + ("; the file's own predictions have no threshold." if now is None else ".")
    )
    download(to_frame(table), "label_thresholds")


def tabulate_labels(
    evaluation: Evaluation, choices: Choices, listed: list[Way], now: np.ndarray | None, used: MultilabelCounts
) -> Table:
    """Return one line a label with scores: its threshold and F1 in use, with one for all, and at its own best.

    now : the thresholds in use; None = the file's own predictions have none, and there is no column of them.
    """
    codes = list(evaluation.score_codes)
    ways = {way.what: way.counts for way in listed}
    columns = [Column("label", Label), *_count_columns(evaluation)]
    cells: list[Sequence[Cell]] = [
        [Label(evaluation.labels[code]) for code in codes],
        _write_counts(evaluation, ways[MICRO].support[codes]), _write_counts(evaluation, used.predicted[codes]),
    ]  # fmt: skip
    best = np.array([choices.each.get(code, np.nan) for code in codes])
    if now is not None:
        columns.append(Column("in use", Threshold))
        cells.append(write_cells(now))
    for title, counts in (("F1 in use", used), (f"F1 at {write_threshold(choices.micro.threshold)}", ways[MICRO])):
        columns.append(Column(title, Number, is_drawn=True))
        cells.append([Number(value) for value in F1.value(counts)[codes].tolist()])
    columns += [Column("its best", Threshold), Column("F1 at its best", Number, is_drawn=True)]
    f1_at_best = np.where(np.isnan(best), np.nan, F1.value(ways[EACH])[codes])
    cells += [write_cells(best), list(map(Number, f1_at_best.tolist()))]
    return Table("label-thresholds", "Every label's threshold", columns, list(zip(*cells, strict=True)), "label")


def _count_columns(evaluation: Evaluation) -> tuple[Column, Column]:
    """Return the columns of true and predicted rows, or of their weight."""
    if evaluation.units is None:
        return Column("true rows", Count), Column("predicted", Count)
    return Column("true weight", Amount), Column("predicted weight", Amount)


def _write_counts(evaluation: Evaluation, counts: np.ndarray) -> list[Cell]:
    if evaluation.units is None:
        return [Count(rows) for rows in counts.tolist()]
    return [Amount(weight) for weight in (counts * evaluation.unit).tolist()]


def _say_rows(evaluation: Evaluation, true: int, predicted: int) -> str:
    """Say how often a label is true and predicted, in rows or by their weight."""
    if evaluation.units is None:
        return f"{count(true, 'true row')}, predicted {predicted:,} times"
    unit = evaluation.unit
    return f"true weight {write_amount(true * unit)}, predicted weight {write_amount(predicted * unit)}"


def _edit(evaluation: Evaluation, choices: Choices, now: np.ndarray | None, used: MultilabelCounts) -> None:
    """Draw one label's threshold: typed, its best, or that of all others."""
    codes = list(evaluation.score_codes)
    in_lab = state.code_of(evaluation, url.get("class"))
    if st.session_state.get(_LABEL) not in codes:
        st.session_state[_LABEL] = in_lab if in_lab in codes else codes[0]
    own_cuts, others = state.own_thresholds(evaluation), state.threshold_for_others(evaluation)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        code = int(st.selectbox("Label", codes, key=_LABEL, width=260,
                                format_func=functools.partial(show_label, evaluation)))  # fmt: skip
        key = f"label_thresholds.own.{code}"
        st.session_state[key] = own_cuts.get(code, others)
        st.number_input("Its threshold", key=key, step=None, width=160,
                        format=column_format([st.session_state[key]]),
                        on_change=_type_own, args=(evaluation, code, key))  # fmt: skip
        best = choices.each.get(code)
        in_use = own_cuts.get(code, None if now is None else others)
        if best is not None:
            st.button(f"Its best: {write_threshold(best)}", key="label_thresholds.best", on_click=_put_own,
                      args=(evaluation, code, best, Rule("f1")), disabled=in_use == best)  # fmt: skip
        st.button(f"Same as all others: {write_threshold(others)}", key="label_thresholds.others", on_click=_put_own,
                  args=(evaluation, code, None), disabled=code not in own_cuts)  # fmt: skip
    precision, recall, f1 = (formula.value(used)[code] for formula in (PRECISION, RECALL, F1))
    st.markdown(
        f"{md_label(evaluation, code)}: {_say_rows(evaluation, int(used.support[code]), int(used.predicted[code]))}; "
        f"precision {number(precision)}, recall {number(recall)}, **F1 {number(f1)}**."
    )
    if now is None:
        remark("With a threshold of its own for one label, every label is predicted from its scores. The file's own "
               f"predictions are not used, and the other labels take {write_threshold(others)}.", "info")  # fmt: skip


def _type_own(evaluation: Evaluation, code: int, key: str) -> None:
    threshold = st.session_state[key]
    if threshold is not None:
        _put_own(evaluation, code, float(threshold))


def _put_own(evaluation: Evaluation, code: int, threshold: float | None, rule: Rule | None = None) -> None:
    """Give a label a threshold of its own, or take it back (None); `rule` is what it was chosen by, if by one."""
    own_cuts = state.own_thresholds(evaluation)
    own_cuts.pop(code, None)
    state.put_rules(evaluation, own_cuts, code, rule)
    if threshold is not None:
        own_cuts[code] = threshold
    url.put(each=write_each(own_cuts))
