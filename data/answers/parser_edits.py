"""Propose small changes of a parser that may find labels in more answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from data.answers.vocabulary import normalise, strip_marks
from data.limits import MAX_RULE_PAIRS, MAX_SUGGESTED_ALIASES, MAX_SUGGESTED_FIELDS, MAX_SUGGESTED_MARKERS
from data.parser.parser import Parser, Rule
from data.parser.rule_kinds import ANSWER_TAGS, DECORATIONS, MARKERS, THINKING_TAGS

USUAL_MARKERS = (
    "answer is", "answer:", "[/INST]", "####", "label:", "category:", "class:", "classification:", "prediction:",
    "intent:", "sentiment:", "output:", "verdict:", "decision:", "conclusion:", "<|assistant|>", "assistant:", "=>",
    "therefore,",
)  # fmt: skip
USUAL_FIELDS = ("label", "answer", "class", "category", "intent", "prediction", "final_answer", "result", "output")
_SIGNS = {
    "dollars": r"\$|\\\(|\\\[",
    "boxed": r"\\(?:f?boxed|text|textbf|mathrm)\{",
    "bold": r"\*",
    "quotes": "[\"'`“”‘’„«»‹›「」]",
    "brackets": r"[()\[\]{}<>]",
    "fence": "```",
    "full stop": r"\.\s*$",
}
_WORDS = {
    "exact": "read what is exactly a label",
    "normalised": "read a label however it is written",
    "strip_thinking": "leave out the thinking",
    "in_tag": "read what stands in a tag such as `<answer>`",
    "json_field": "read a field of a JSON object",
    "last_line": "read the last line",
    "first_line": "read the first line",
    "choice_letter": "read the letter of a choice",
    "only_mentioned": "read the only label mentioned",
    "last_mentioned": "read the last label mentioned",
    "first_mentioned": "read the first label mentioned",
}
_ALIKE, _SHORTEST, _COMPARED = 5 / 6, 5, 3_000  # cat and cart are spelled alike, but are two labels
_NEGATIONS = re.compile(r"^(?:not|no|non|un|in|im|ir|dis|anti)(?:\b|[ _-])?", re.IGNORECASE)


@dataclass(frozen=True)
class Change:
    """One change of a parser.

    text : in a few words, nothing of the file in it. rule : what comes into the parser. replaces : the rule whose place
    it takes; None = it is added. aliases : (answer, label) that it would read as another name of a label.
    doubt : why not to trust it; empty = no reason is known.
    """

    text: str
    rule: Rule
    replaces: Rule | None = None
    aliases: tuple[tuple[str, str], ...] = ()
    doubt: str = ""


def propose_changes(texts: pa.Array, rows: np.ndarray, parser: Parser, space: Sequence[str]) -> list[Change]:
    """Return the changes to try.

    Parameters
    ----------
    texts, rows : distinct answers that hold no label yet, and rows of each.
    parser, space : what read them, and the labels it knew.

    >>> found = propose_changes(pa.array(["$ham$"]), np.array([3]), Parser("mine", (Rule("exact"),)), ["ham", "spam"])
    >>> [change.text for change in found][:2]
    ['read a label however it is written', 'strip `$…$`']
    """
    kinds = {rule.kind for rule in parser.rules}
    changes = [_plain_change(kind) for kind in ("exact", "normalised") if kind not in kinds]
    changes += _propose_decorations(texts, parser)
    changes += _propose_tags(texts, parser, "strip_thinking", THINKING_TAGS, "/")
    changes += _propose_tags(texts, parser, "in_tag", ANSWER_TAGS)
    changes += _propose_fields(texts, parser)
    changes += _propose_markers(texts, rows, parser)
    if pc.any(pc.match_substring(texts, "\n")).as_py():
        changes += [_plain_change(kind) for kind in ("last_line", "first_line") if kind not in kinds]
    if "choice_letter" not in kinds:
        changes.append(_plain_change("choice_letter"))
    changes += _propose_aliases(texts, rows, parser, space)
    wanted = ("only_mentioned", "last_mentioned", "first_mentioned")
    if not kinds & {"last_mentioned", "first_mentioned"}:
        changes += [_plain_change(kind) for kind in wanted if kind not in kinds]
    return changes


def _plain_change(kind: str) -> Change:
    """Return a rule without options."""
    return Change(_WORDS[kind], Rule(kind))


def _with_more(parser: Parser, rule: Rule) -> tuple[Rule, Rule | None]:
    """Return a rule with more values: an own rule, or the one of the kind that is there, with these added."""
    same_kind = next(
        (
            rule_of_parser
            for rule_of_parser in parser.rules
            if rule_of_parser.kind == rule.kind and (rule_of_parser.values or rule_of_parser.pairs)
        ),
        None,
    )
    if same_kind is None:
        return rule, None
    return replace(
        same_kind, values=(*same_kind.values, *rule.values), pairs=(*same_kind.pairs, *rule.pairs)
    ), same_kind


def _propose_decorations(texts: pa.Array, parser: Parser) -> Iterator[Change]:
    taken = {name for rule in parser.rules if rule.kind == "strip" for name in rule.values or DECORATIONS}
    seen = [name for name, sign in _SIGNS.items() if pc.any(pc.match_substring_regex(texts, sign)).as_py()]
    seen = [name for name in seen if name not in taken]
    for name in seen:
        yield Change(f"strip `{DECORATIONS[name]}`", *_with_more(parser, Rule("strip", (name,))))
    if len(seen) > 1:
        yield Change("strip all decorations", *_with_more(parser, Rule("strip", tuple(seen))))


def _propose_tags(
    texts: pa.Array, parser: Parser, kind: str, tags: Sequence[str], closing: str = ""
) -> Iterator[Change]:
    """Propose the rule of some tags where an answer has one; closing : "/" where only one that closes tells."""
    has_rule = any(rule.kind == kind and not rule.values for rule in parser.rules)
    pattern = rf"(?i)[<\[]{closing}(?:{'|'.join(tags)})[>\]]"
    if not has_rule and pc.any(pc.match_substring_regex(texts, pattern)).as_py():
        yield _plain_change(kind)


def _propose_fields(texts: pa.Array, parser: Parser) -> Iterator[Change]:
    if not pc.any(pc.match_substring(texts, "{")).as_py():
        return
    if all(rule.kind != "json_field" for rule in parser.rules):
        yield _plain_change("json_field")
    seen = [name for name in USUAL_FIELDS if pc.any(pc.match_substring_regex(texts, f'(?i)"{name}"\\s*:')).as_py()]
    taken = {value for rule in parser.rules if rule.kind == "json_field" for value in rule.values}
    for name in [name for name in seen if name not in taken][:MAX_SUGGESTED_FIELDS]:
        yield Change(f"read the JSON field `{name}`", Rule("json_field", (name,)))


def _propose_markers(texts: pa.Array, rows: np.ndarray, parser: Parser) -> Iterator[Change]:
    """Yield the markers that stand in the most rows, at least two; those that the parser has are not tried."""
    taken = {value for rule in parser.rules if rule.kind == "after_last" for value in rule.values or MARKERS}
    lower = pc.ascii_lower(texts)
    times = {
        marker: int(rows[pc.match_substring(lower, marker.lower()).to_numpy(zero_copy_only=False)].sum())
        for marker in USUAL_MARKERS
        if marker not in taken
    }
    often = sorted((marker for marker, n in times.items() if n > 1), key=lambda marker: -times[marker])
    for marker in often[:MAX_SUGGESTED_MARKERS]:
        yield Change(f"read what follows the last `{marker}`", *_with_more(parser, Rule("after_last", (marker,))))
        yield Change(f"read what follows the last `{marker}`", Rule("after_last", (marker,)))


def _propose_aliases(texts: pa.Array, rows: np.ndarray, parser: Parser, space: Sequence[str]) -> Iterator[Change]:
    pairs = find_near_labels(_find_frequent(texts, rows), space)
    taken = {text for rule in parser.rules for text, _ in rule.pairs}
    pairs = [pair for pair in pairs if pair[0] not in taken]
    if pairs and sum(len(rule.pairs) for rule in parser.rules) + len(pairs) <= MAX_RULE_PAIRS:
        answers = (
            "a frequent answer that nearly spells" if len(pairs) == 1 else f"{len(pairs)} frequent near spellings of"
        )
        yield Change(
            f"count {answers} a label as that label", *_with_more(parser, Rule("alias", (), tuple(pairs))), tuple(pairs)
        )


def propose_mapping(texts: Sequence[str], truths: np.ndarray, space: Sequence[str]) -> Change | None:
    """Return the pairs of words and numbers that agree most often, where all labels are numbers and no answer is one.

    texts : distinct answers, as many as labels at most. truths : int64 (len(texts), len(space)), rows by true label.

    >>> change = propose_mapping(["bad", "good"], np.array([[1, 8], [9, 2]]), ["0", "1"])
    >>> change.aliases
    (('bad', '1'), ('good', '0'))
    """
    from scipy.optimize import linear_sum_assignment

    if not all(label.isdecimal() for label in space) or not 2 <= len(texts) <= len(space):
        return None
    places, codes = linear_sum_assignment(truths, maximize=True)
    pairs = tuple((texts[place], space[code]) for place, code in zip(places, codes, strict=True))
    return Change(
        f"count {len(pairs)} words as the numbers of the labels", Rule("alias", (), pairs), aliases=pairs,
        doubt="These pairs agree with the truth most often. Check each: only you know which is right.",
    )  # fmt: skip


def _find_frequent(texts: pa.Array, rows: np.ndarray) -> list[str]:
    """Return short answers, most rows first, each with at least two."""
    order = np.argsort(-rows, kind="stable")
    order = order[rows[order] > 1][: 4 * MAX_SUGGESTED_ALIASES]
    frequent = (text for text in texts.take(pa.array(order)).to_pylist() if len(text) <= 80)
    return [text for text in frequent if any(character.isalnum() for character in text)]


def find_near_labels(answers: Sequence[str], space: Sequence[str]) -> list[tuple[str, str]]:
    """Return answers that nearly spell exactly one label, with that label.

    The same but for spaces, hyphens and a plural; or five letters of six alike, five at least. First letter, digits
    and the number of negations are the same then, and no other label is as near.

    >>> find_near_labels(["Card-Arrivals", "unpaid", "refnud"], ["card_arrival", "paid", "refund"])
    [('Card-Arrivals', 'card_arrival'), ('refnud', 'refund')]
    """
    squeezed: dict[str, set[str]] = {}
    for label in space:
        squeezed.setdefault(_squeeze(label), set()).add(label)
    near, budget = [], _COMPARED
    for answer in answers:
        same = squeezed.get(_squeeze(answer), set())
        if not same and budget > 0:
            budget -= len(space)
            same = set(_find_alike(answer, space))
        if len(same) == 1:
            near.append((strip_marks(answer), next(iter(same))))
    return list(dict(near).items())[:MAX_SUGGESTED_ALIASES]


def _squeeze(text: str) -> str:
    return "".join(character for character in normalise(text) if character.isalnum()).removesuffix("s")


def _find_alike(answer: str, space: Sequence[str]) -> list[str]:
    """Return labels that an answer nearly spells, none of them clearly nearer than another."""
    text = normalise(answer)
    matcher, near = SequenceMatcher(b=text, autojunk=False), {}
    for label in space:
        form = normalise(label)
        if min(len(form), len(text)) < _SHORTEST or form[0] != text[0] or abs(len(form) - len(text)) > 0.2 * len(form):
            continue
        if re.sub(r"\D", "", form) != re.sub(r"\D", "", text) or bool(_NEGATIONS.match(form)) != bool(
            _NEGATIONS.match(text)
        ):
            continue
        matcher.set_seq1(form)
        if matcher.quick_ratio() >= _ALIKE and (ratio := matcher.ratio()) >= _ALIKE:
            near[label] = ratio
    best = max(near.values(), default=0.0)
    return [label for label, ratio in near.items() if ratio > best - 0.08]
