"""Try small changes of the parser, and report how many more answers each reads and the accuracy it gives.

A closed list of changes is tried on the answers that hold no label yet; of many different ones, on those with the
most rows. What reads some of them is then run over all answers, so that the numbers are those of the change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from data.answers.parsed_answers import find_improbable_share
from data.answers.parser_edits import Change, propose_changes, propose_mapping
from data.answers.parsing import OUTCOMES, READ, mark_read, parse_answers
from data.errors import DataError
from data.evaluation import MISSING, UNPARSEABLE, Answers, Evaluation
from data.limits import MAX_RULES, MAX_SUGGESTIONS, SUGGESTION_SAMPLE
from data.parser.parser import Parser, Rule
from data.parser.rule_kinds import MATCH_RULES, MENTIONS
from text.numbers import percent
from text.quoting import quote

_MENTIONED = OUTCOMES.index("mentioned")
_KINDS = {
    "text": ("exact", "normalised", "alias"), "letter": ("choice_letter",), "mention": MENTIONS, "strip": ("strip",),
    "part": ("strip_thinking", "in_tag", "after_last", "first_line", "last_line", "json_field", "regex"),
}  # fmt: skip


@dataclass(frozen=True)
class Suggestion:
    """A change of the parser that reads more answers.

    text : the change and what it does, as a sentence; it holds nothing of the file.
    parser : the parser with the change.
    n_more_parsed : scored rows more from which a label of the label space is read.
    accuracy_before, accuracy_after : over all scored rows, unparseable ones counted wrong.
    doubtful : why not to trust it, with a label of the file; empty = no reason is known.
    aliases : what it would read as another name of a label: (answer, label), both of the file.
    """

    text: str
    parser: Parser
    n_more_parsed: int
    accuracy_before: float
    accuracy_after: float
    doubtful: str = ""
    aliases: tuple[tuple[str, str], ...] = ()


def suggest_changes(evaluation: Evaluation) -> list[Suggestion]:
    """Return the changes that read more, those without doubt and with the most accuracy first.

    Empty where there are no answers, or where nothing that was tried reads more.

    >>> from data.building.build import build
    >>> from data.evaluation import Settings
    >>> table = pa.table({"y": ["ham", "spam"] * 20, "output": ["ham", "So: it is spam, or not?"] * 20})
    >>> found = build(table, Settings(truth="y", raw="output"), name="demo", content_sha256="0")
    >>> suggest_changes(found)[0].text
    'read the only label mentioned: 20 more rows get a label, accuracy 50.0 % → 100.0 %'
    """
    answers = evaluation.answers
    if answers is None or not evaluation.n_scored:
        return []
    now = _Read.of(evaluation, answers.outcomes, answers.labels)
    rows = _count_rows(evaluation, answers)
    unread = np.flatnonzero((rows > 0) & ~np.isin(answers.outcomes, [OUTCOMES.index(name) for name in READ]))
    unread = np.sort(unread[np.argsort(-rows[unread], kind="stable")][:SUGGESTION_SAMPLE])
    if not len(unread):
        return []
    space = evaluation.labels[: evaluation.n_space]
    texts, n = answers.texts.take(pa.array(unread)), rows[unread]
    mapping = _propose_mapping(evaluation, answers, unread)
    changes = [*propose_changes(texts, n, answers.parser, space), *([mapping] if mapping else [])]
    tried = [_place_change(change, texts, n, answers.parser, space) for change in changes]
    hopeful = [placed for placed in tried if placed is not None]
    hopeful.sort(key=lambda placed: -placed.n_rows)
    verified = [_verify_change(evaluation, placed, now) for placed in hopeful[: MAX_SUGGESTIONS + 2]]
    kept = [of_kind for of_kind in verified if of_kind is not None]
    kept.sort(key=lambda of_kind: _rank(of_kind[1]))
    return _drop_equal_results(kept)[:MAX_SUGGESTIONS]


def _rank(suggestion: Suggestion) -> tuple[bool, float, int]:
    """Return what suggestions are sorted by: those without doubt first, then by accuracy and by rows read."""
    return bool(suggestion.doubtful), -suggestion.accuracy_after, -suggestion.n_more_parsed


def _propose_mapping(evaluation: Evaluation, answers: Answers, unread: np.ndarray) -> Change | None:
    """Return which word may stand for which number, where the labels are numbers and the answers a few words."""
    space = evaluation.labels[: evaluation.n_space]
    if len(unread) > len(space) or (answers.labels >= 0).any():
        return None
    place = np.full(len(answers.texts) + 1, -1)
    place[unread] = np.arange(len(unread))
    words, truths = place[answers.codes[evaluation.scored]], evaluation.y_true[evaluation.scored]
    counts = np.zeros((len(unread), len(space)), dtype=np.int64)
    np.add.at(counts, (words[words >= 0], truths[words >= 0]), 1)
    return propose_mapping(answers.texts.take(pa.array(unread)).to_pylist(), counts, space)


@dataclass(frozen=True)
class _Read:
    """The results of a parser: scored rows that were read, accuracy, codes of all rows, and rows read by mention."""

    n: int
    accuracy: float
    codes: np.ndarray
    mentioned: np.ndarray

    @classmethod
    def of(cls, evaluation: Evaluation, outcomes: np.ndarray, labels: np.ndarray) -> _Read:
        assert evaluation.answers is not None
        rows = evaluation.answers.codes[evaluation.scored]
        codes = np.append(labels, UNPARSEABLE)[rows]
        codes = np.where(codes < evaluation.n_space, codes, UNPARSEABLE)
        right = codes == evaluation.y_true[evaluation.scored]
        by_mention = np.append(outcomes == _MENTIONED, False)[rows]
        return cls(int((codes >= 0).sum()), float(right.mean()), codes, by_mention)


def _count_rows(evaluation: Evaluation, answers: Answers) -> np.ndarray:
    """Count the scored rows of every distinct answer, int64 (m,)."""
    codes = answers.codes[evaluation.scored]
    return np.bincount(codes[codes != MISSING], minlength=len(answers.texts))


class _Placed(NamedTuple):
    """A change at one place of a parser, and how many rows it reads among those that held no label."""

    n_rows: int
    change: Change
    parser: Parser


def _place_change(
    change: Change, texts: pa.Array, rows: np.ndarray, parser: Parser, space: tuple[str, ...]
) -> _Placed | None:
    """Return the change at the place where it reads the most rows; None where it reads none."""
    best: _Placed | None = None
    for text, rules in _find_places(change, parser.rules):
        changed = replace(parser, rules=rules)
        if len(rules) > MAX_RULES:
            continue
        try:
            n_rows = int(rows[mark_read(texts, space, changed)].sum())
        except DataError:
            continue
        if n_rows > (best.n_rows if best else 0):
            best = _Placed(n_rows, replace(change, text=text), changed)
    return best


def _find_places(change: Change, rules: tuple[Rule, ...]) -> Iterable[tuple[str, tuple[Rule, ...]]]:
    """Yield the places where a change may go, as (its text, the rules with it).

    A match rule goes last. A trim rule goes before the last match rules; or behind them, followed by them once more,
    so that what they read stays as it is; or first. Then the same with a rule that reads normalised, if the parser
    has none.
    """
    if change.replaces is not None:
        yield change.text, tuple(change.rule if rule == change.replaces else rule for rule in rules)
        return
    last = len(rules)
    while last and rules[last - 1].kind in MATCH_RULES:
        last -= 1
    if change.rule.kind in MATCH_RULES:
        yield change.text, (*rules, change.rule)
        return
    whole_answer = [rule for rule in rules[last:] if rule.kind not in MENTIONS] or [Rule("exact"), Rule("normalised")]
    yield change.text, (*rules[:last], change.rule, *(rules[last:] or whole_answer))
    yield change.text, (*rules, change.rule, *whole_answer)
    yield change.text, (change.rule, *rules)
    if all(rule.kind != "normalised" for rule in (*rules, *whole_answer)):
        yield f"{change.text}, however it is written", (*rules, change.rule, *whole_answer, Rule("normalised"))


def _verify_change(evaluation: Evaluation, placed: _Placed, now: _Read) -> tuple[str, Suggestion] | None:
    """Return the change run over all answers, with its kind; None if it does not read more of them."""
    assert evaluation.answers is not None
    change, parser = placed.change, placed.parser
    parsed = parse_answers(evaluation.answers.texts, evaluation.labels[: evaluation.n_space], parser)
    then = _Read.of(evaluation, parsed.outcomes, parsed.codes)
    more = then.n - now.n
    if more <= 0:
        return None
    text = (
        f"{change.text}: {more:,} more {'row gets' if more == 1 else 'rows get'} a label, accuracy "
        f"{100 * now.accuracy:.1f} % → {100 * then.accuracy:.1f} %"
    )
    doubt = _find_doubt(evaluation, now, then) if change.rule.kind in MENTIONS else change.doubt
    kind = next(kind for kind, rules in _KINDS.items() if change.rule.kind in rules)
    return kind, Suggestion(text, parser, more, now.accuracy, then.accuracy, doubt, change.aliases)


def _find_doubt(evaluation: Evaluation, now: _Read, then: _Read) -> str:
    """Return why the rows that only the change reads should not be trusted; empty if nothing speaks against them."""
    fresh = then.mentioned & (now.codes < 0)
    doubt = find_improbable_share(then.codes[fresh], evaluation.y_true[evaluation.scored])
    if doubt is None:
        return ""
    label, share, true_share = doubt
    return (
        f"{quote(evaluation.labels[label])} would be {percent(share, 0)} of the rows read by mention but is "
        f"{percent(true_share, 0)} of the true labels. The answers may repeat the prompt, which names the labels."
    )


def _drop_equal_results(suggestions: list[tuple[str, Suggestion]]) -> list[Suggestion]:
    """Keep the first of several changes of one kind with the same result."""
    kept: dict[object, Suggestion] = {}
    for kind, suggestion in suggestions:
        kept.setdefault((kind, _rank(suggestion)), suggestion)
    return list(kept.values())
