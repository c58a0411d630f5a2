"""Weigh the columns that may be the truth, or the prediction: what speaks for each, in points, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from data.columns.column import Column
from data.columns.name_ranks import is_of_old, name_strength
from data.columns.plain_names import split_words
from data.columns.role_names import CONSENSUS_WORDS


class Weight(NamedTuple):
    """Points for or against a column, and what they are for, as the page says it ("" = nothing)."""

    points: int
    reason: str = ""


WEIGHTS = {
    "truth": {
        "labels file": Weight(20, "its file, which holds the labels"),
        "both files": Weight(24, "the column of its name in the predictions file, which differs"),
        "format": Weight(12, "the format of the file"),
        "sure name": Weight(6, "its name"),
        "general name": Weight(5, "its name"),
        "word": Weight(4, "a word in its name"),
        "said truth": Weight(2),
        "weak name": Weight(2, "its name"),
        "consensus": Weight(4, "its name"),
        "question": Weight(2, "the question in its name"),
        "person": Weight(2, "the person in its name"),
        "named prediction": Weight(6, "a prediction that is named after it"),
        "only labels": Weight(1, "being the only column of labels"),
        "named score": Weight(4, "a score that is named after it"),
        "labels": Weight(3, "labels shared with predictions or scores"),
        "two labels": Weight(2, "its two labels, as a score has"),
        "answers": Weight(3, "a prediction that answers yes or no in other words"),
        "agreement": Weight(3, "its agreement with what is predicted"),
        "class scores": Weight(3, "a column of scores for each of its labels"),
        "other name": Weight(-1),
        "second": Weight(-1),
        "other labels": Weight(-1),
        "old": Weight(-5),
        "cut": Weight(-5),
        "counterpart": Weight(-6),
    },
    "prediction": {
        "format": Weight(12, "the format of the file"),
        "sure name": Weight(6, "its name"),
        "counterpart": Weight(6, "the name of the truth in its own"),
        "namesake": Weight(6, "the column of its name in the labels file"),
        "word": Weight(5, "a word in its name"),
        "general name": Weight(4, "its name"),
        "model": Weight(4, "the model in its name"),
        "labels": Weight(2, "labels of the truth"),
        "agreement": Weight(2, "its agreement with the truth"),
        "of the scores": Weight(4, "the scores, from which it follows"),
        "hard score": Weight(4, "its name of a score, of which it holds labels only"),
        "other name": Weight(-1),
        "old": Weight(-5),
        "person": Weight(-6),
        "labels file": Weight(-20),
    },
}
"""Weights of what speaks for a column, by role.

"said truth": a word in it says so, and a general name such as `label` is needed for the prediction; "other name": it
is that of another role, too; "cut": a threshold on the score makes it; "old": by its name another column took its
place; "counterpart": its name is that of another column, and of a model; "second": by its name it is not the first of
its kind; "other labels": none of them is predicted; "answers": it answers no and yes, and so does a prediction.
"""
LEAST_OF_TRUTH, LEAST_OF_WEAK = 3, 5
"""So many points a truth needs, and so many a name that is a feature's as often, without a warning."""
OTHER_PREDICTED, CONFIDENCE_ONLY, NO_OTHER = 5, 3, -100
"""Points of answers and scores beside predicted labels, of a confidence, and where there is neither."""
LEAST_KAPPA = 0.2  # "slight" agreement ends there (Landis & Koch 1977)
ASKED_BELOW, WARNED_BELOW = 1, 2
"""Points between the best column and the next: with fewer a person is asked, or warned."""
_NAMES = {
    "both files",
    "namesake",
    "consensus",
    "format",
    "sure name",
    "general name",
    "word",
    "weak name",
    "model",
    "named prediction",
    "named score",
    "counterpart",
}


@dataclass(frozen=True)
class Candidate:
    """A column that may have a role, and the keys of `WEIGHTS` that speak for or against it."""

    column: Column
    role: str
    evidence: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def points(self) -> int:
        return sum(WEIGHTS[self.role][key].points for key in self.evidence)

    def without(self, key: str) -> Candidate:
        """Return the same without a key of what speaks for or against it."""
        return replace(self, evidence=tuple(of for of in self.evidence if of != key))

    @property
    def is_named(self) -> bool:
        """Return whether a name speaks for the role, or the file that it stands in."""
        in_labels_file = self.role == "truth" and "labels file" in self.evidence
        return in_labels_file or is_named(self.evidence)

    @property
    def is_doubted(self) -> bool:
        """Return whether anything speaks against it."""
        return any(WEIGHTS[self.role][key].points < -1 for key in self.evidence)

    @property
    def reason(self) -> str:
        """Return what speaks for it, as a part of a sentence."""
        reasons = dict.fromkeys(WEIGHTS[self.role][key].reason for key in self.evidence)
        parts = [part for part in reasons if part] or ["its values"]
        return "by " + " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def is_named(evidence: Iterable[str]) -> bool:
    """Return whether a name is among what speaks for a column."""
    return not _NAMES.isdisjoint(evidence)


def read_name(name: str, role: str) -> list[str]:
    """Return what a column's name says for a role, as keys of `WEIGHTS`.

    >>> read_name("label", "truth"), read_name("label", "prediction"), read_name("old_pred", "prediction")
    (['general name'], ['general name', 'other name'], ['word', 'old'])
    """
    strength = name_strength(name, role)
    if strength is None:
        return ["consensus"] if role == "truth" and split_words(name) & CONSENSUS_WORDS else []
    other = name_strength(name, "prediction" if role == "truth" else "truth")
    is_others = other not in (None, "weak name") and (role == "prediction" or strength == "word")
    return [strength] + ["other name"] * is_others + ["old"] * is_of_old(name)
