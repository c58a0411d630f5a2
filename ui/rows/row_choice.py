"""Read and write which rows are meant, as the view in the URL says it and as a person reads it.

A single label of the truth or of the prediction stands in the URL by its name (`true`, `pred`); several, and what no
name can say, by their codes in `block`; a range of scores in `score`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import streamlit as st

from data.columns.table_metadata import rows_left_out
from data.evaluation import UNPARSEABLE, Evaluation
from data.rows.row_scores import confidence_column
from data.rows.selection import CONFIDENCE, OUTCOMES, Only, ScoreRange, Which
from text.numbers import count, write_threshold
from ui.text.markdown import md
from ui.text.messages import remark
from ui.view import cache, url
from ui.view.address import go_to
from ui.view.panel import md_label
from ui.view.url import read_range, write_ranges

NAMED = 200
"""Characters of the longest label that an address names; a longer one stands there by its code."""
LISTED = 3
"""Labels that a sentence names before it says how many more there are."""
PARAMETERS = ("true", "pred", "only", "others", "score", "block", "q")
_ONLY = {
    "scored": "with a true and a predicted label",
    "errors": "wrong",
    "correct": "right",
    "unparseable": "no label found in the answer",
    "missing": "without a true or a predicted label",
    "tp": "where {} is true and predicted",
    "fp": "where {} is predicted but not true",
    "fn": "where {} is true but not predicted",
    "tn": "where {} is neither true nor predicted",
    "swap": "where {} is missed and {} is predicted instead",
}


def view_of(evaluation: Evaluation, which: Which) -> dict[str, object]:
    """Return the view's parameters that say which rows are meant; `read` reads them back.

    >>> from data.rows.selection import Which
    >>> view_of(_example(), Which(true=(0, 1), pred=(UNPARSEABLE,), only="errors"))["block"]
    '0-1/u'
    """
    true, true_codes = _side(evaluation, which.true)
    pred, pred_codes = _side(evaluation, which.pred)
    only = which.only
    if which.pred == (UNPARSEABLE,) and only == "all":
        pred_codes, only = "", "unparseable"
    return {
        "true": true,
        "pred": pred,
        "only": only,
        "others": which.others,
        "score": "" if which.score is None else write_score(which.score),
        "block": f"{true_codes}/{pred_codes}" if true_codes or pred_codes else "",
        "q": which.text,
    }


def which_in_view(evaluation: Evaluation) -> Which:
    """Return the rows that the view in the URL means; what cannot be used of it is said on the page, and left out."""
    which, problems = read(evaluation, {name: url.get(name) for name in PARAMETERS})
    for sentence in problems:
        remark(sentence)
    return which


def read(evaluation: Evaluation, view: Mapping[str, Any]) -> tuple[Which, list[str]]:
    """Return the rows that parameters of a view mean, and a sentence for each parameter that cannot be used.

    >>> read(_example(), {"true": "spam", "score": "1:0.5:inf"})[0]
    Which(true=(1,), pred=(), others=False, only='all', score=ScoreRange(code=1, low=0.5, high=inf), text='')
    """
    problems: list[str] = []
    blocks = _block(evaluation, str(view.get("block", "")), problems)
    true, pred = (
        _read_named(evaluation, name, str(view.get(name, "")), problems) or codes
        for name, codes in zip(("true", "pred"), blocks, strict=True)
    )
    only = str(view.get("only", "all"))
    if only == "swap" and (len(pred) != 1 or pred[0] < 0):
        problems.append("“swap” needs a predicted label: all rows are shown.")
        only = "all"
    if only in OUTCOMES and (len(true) != 1 or true[0] < 0):
        problems.append(f"“{only}” is about one label, one-vs-rest, so it needs a true label: all rows are shown.")
        only = "all"
    score = _score(evaluation, str(view.get("score", "")), problems)
    others = bool(view.get("others", False)) and bool(true) and only not in OUTCOMES
    which = Which(true, pred, others, cast(Only, only), score, str(view.get("q", "")))
    return which, problems


def _side(evaluation: Evaluation, codes: tuple[int, ...]) -> tuple[str, str]:
    """Return one side of a selection: the name of a single label, or else codes."""
    if len(codes) == 1 and codes[0] >= 0 and 0 < len(evaluation.labels[codes[0]]) <= NAMED:
        return evaluation.labels[codes[0]], ""
    return "", write_codes(codes)


def write_codes(codes: Sequence[int]) -> str:
    """Write label codes for an address: ranges in ascending order, `u` for the answers from which none could be read.

    >>> write_codes((7, 0, 1, 2, -2))
    '0-2,7,u'
    """
    known = write_ranges(code for code in codes if code >= 0)
    return ",".join(filter(None, [known, "u" if UNPARSEABLE in codes else ""]))


def read_codes(text: str, n: int) -> tuple[int, ...]:
    """Read what `write_codes` wrote of n labels; raises ValueError.

    >>> read_codes("0-2,7,u", 8)
    (0, 1, 2, 7, -2)
    """
    codes: list[int] = []
    for part in text.split(",") if text else []:
        if part == "u":
            codes.append(UNPARSEABLE)
            continue
        run = read_range(part)
        if not run or run[-1] >= n:
            raise ValueError(f"{part} is none of {n} labels")
        codes += run
    return tuple(dict.fromkeys(codes))


def write_score(score: ScoreRange) -> str:
    """Return a range of scores for an address, to the last digit.

    >>> write_score(ScoreRange(1, 0.1, float("inf")))
    '1:0.1:inf'
    """
    return f"{score.code}:{float(score.low)!r}:{float(score.high)!r}"


def read_score(text: str, codes: Sequence[int]) -> ScoreRange | None:
    """Read what `write_score` wrote, of a label or of the prediction; empty is None; raises ValueError."""
    if not text:
        return None
    code, low, high = text.split(":")
    score_range = ScoreRange(int(code), float(low), float(high))
    if score_range.code != CONFIDENCE and score_range.code not in codes:
        raise ValueError(f"label {score_range.code} has no score")
    if math.isnan(score_range.low) or math.isnan(score_range.high):
        raise ValueError("a range needs two numbers")
    return score_range


def _block(evaluation: Evaluation, text: str, problems: list[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    try:
        true, _, pred = text.partition("/")
        n = len(evaluation.labels)
        return read_codes(true, n), read_codes(pred, n)
    except ValueError:
        problems.append(f"Ignored block={text[:40]} in the link: this file has no such labels.")
        return (), ()


def _read_named(evaluation: Evaluation, parameter: str, name: str, problems: list[str]) -> tuple[int, ...]:
    if not name:
        return ()
    if name in evaluation.labels:
        return (evaluation.labels.index(name),)
    problems.append(f"Ignored {parameter}={name[:40]} in the link: this file has no such label.")
    return ()


def _score(evaluation: Evaluation, text: str, problems: list[str]) -> ScoreRange | None:
    # one score of a binary task says that of both classes
    codes = range(evaluation.n_space) if evaluation.task == "binary" else evaluation.score_codes
    try:
        score_range = read_score(text, codes)
    except ValueError:
        problems.append(f"Ignored score={text[:40]} in the link: it is no range of a score of this file.")
        return None
    of_confidence = (
        score_range is not None and score_range.code == CONFIDENCE and confidence_column(evaluation) is not None
    )
    if score_range is not None and evaluation.y_score is None and not of_confidence:
        problems.append("Ignored the range of scores in the link: this file has no scores.")
        return None
    return score_range


def only_counted(evaluation: Evaluation, which: Which) -> Which:
    """Return the same rows without those that no metric counts, where the file has such rows."""
    all_counted = evaluation.n_scored == evaluation.n_rows or which.only != "all"
    return which if all_counted else replace(which, only="scored")


def link_to_rows(evaluation: Evaluation, which: Which, label: str, *, key: str) -> None:
    """Draw a small link that opens the page Rows on these rows; nothing where the rows were left out."""
    if rows_left_out(evaluation):
        return
    with st.container(key=key):
        go_to("rows", label, icon=":material/table_rows:", **view_of(evaluation, which))


def words(evaluation: Evaluation, which: Which, n: int | str) -> str:
    """Describe the rows, as Markdown; n is how many they are, or the words for that.

    >>> from data.rows.selection import Which
    >>> words(_example(), Which(true=(0,), pred=(1,)), 312)
    '**312 rows**: true class `ham`, predicted as `spam`'
    """
    many = evaluation.task == "multilabel"
    about = []
    if which.true and which.only not in OUTCOMES:
        lead = "true labels include" if many else "true class"
        negated = " none of" if many else " other than"
        about.append(
            f"{lead}{negated if which.others else ''} {_names(evaluation, which.true, which.others, bare=not many)}"
        )
    if which.pred and which.only != "swap":
        gone = which.pred == (UNPARSEABLE,)
        about.append("no label found in the answer" if gone else f"predicted as {_names(evaluation, which.pred)}")
    if which.only == "scored" and evaluation.units is not None and which.true and which.pred:
        about.append("of a weight above 0")
    elif which.only != "all" and not (which.only == "scored" and evaluation.n_scored == evaluation.n_rows):
        about.append(_ONLY[which.only].format(_names(evaluation, which.true), _names(evaluation, which.pred)))
    if which.score is not None:
        about.append(score_words(evaluation, which.score))
    if which.text:
        about.append(f"containing {md(which.text)}")
    return f"**{count(n) if isinstance(n, int) else n}**{': ' if about else ''}{', '.join(about)}"


def _names(evaluation: Evaluation, codes: Sequence[int], all_of: bool = False, *, bare: bool = False) -> str:
    """Return labels in a sentence: `a`, `b` or `c`; of many the first few, and how many there are.

    bare : a number stays as it is, after the word "class".
    """
    shown = [_name(evaluation, code, bare=bare) for code in codes[: LISTED + 1]]
    joint = "and" if all_of else "or"
    if len(codes) > LISTED + 1:
        return f"{', '.join(shown[:LISTED])} {joint} {len(codes) - LISTED:,} others"
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {joint} {shown[-1]}"


def _name(evaluation: Evaluation, code: int, *, bare: bool) -> str:
    if code < 0:
        return "an answer without a label"
    label = evaluation.labels[code]
    return md(label if bare else cache.class_name(evaluation, label), 40)


def score_words(evaluation: Evaluation, score: ScoreRange) -> str:
    """Return a range of scores as Markdown.

    >>> score_words(_example(), ScoreRange(1, 0.5, 0.75))
    'score of `spam` 0.5 or more, below 0.75'
    """
    of = "confidence" if score.code == CONFIDENCE else f"score of {md_label(evaluation, score.code)}"
    # a range that ends just above a number was meant to hold it
    last = float(np.nextafter(score.high, -np.inf))
    closed = math.isfinite(score.high) and len(repr(last)) < len(repr(float(score.high)))
    end = f"up to {write_threshold(last)}" if closed else f"below {write_threshold(score.high)}"
    if score.low == -math.inf:
        return f"any {of}" if score.high == math.inf else f"{of} {end}"
    return f"{of} {write_threshold(score.low)} or more{'' if score.high == math.inf else f', {end}'}"


def _example() -> Evaluation:
    """Return a file of two labels, for the examples above."""
    import pyarrow as pa

    from data.building.build import build
    from data.evaluation import Settings

    table = pa.table({"y": ["ham", "spam"], "p": [0.2, 0.9]})
    settings = Settings(truth="y", scores=(("p", "spam"),), positive="spam")
    return build(table, settings, name="demo", content_sha256="0")
