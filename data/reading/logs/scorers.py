"""Read the labels of a log as the tool's own scorer compares them: spaces, case and punctuation.

Sources: `match_str`, `exact` and `pattern` of inspect_ai 0.3.285; `exact_match_hf_evaluate` of lm_eval 0.4.13, whose
options a log does not keep; `record_and_check_match` of OpenAI Evals; `handleEquals` of promptfoo. What a scorer was
told to ignore is found from the log's own verdicts: of these readings the plainest that agrees with most rows.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence

import numpy as np

_PUNCTUATION = str.maketrans("", "", string.punctuation)


def _as_exact(text: str) -> str:
    """The text as Inspect's `exact` and lm-evaluation-harness with its options compare it."""
    bare = text.casefold().translate(_PUNCTUATION)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


FORMS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("as they are written", lambda text: text),
    ("without spaces at their ends", str.strip),
    ("without spaces at their ends and regardless of case", lambda text: text.strip().casefold()),
    (
        "without spaces and punctuation at their ends and regardless of case",
        lambda text: text.strip(string.whitespace + string.punctuation).casefold(),
    ),
    ("regardless of case, punctuation, articles and spaces", _as_exact),
)
"""What a comparison ignores, plainest first: what it is called, and the form of a text."""
STRIPPED = 1
"""The form of a log without verdicts, of a tool that strips."""


def choose_form(
    truth: Sequence[str], pred: Sequence[str], truth_codes: np.ndarray, pred_codes: np.ndarray, said: np.ndarray
) -> int:
    """Return the place in `FORMS` of the plainest form that agrees with most verdicts.

    Parameters
    ----------
    truth, pred : distinct texts. truth_codes, pred_codes : int (n,), -1 where a cell is empty.
    said : float64 (n,), 1 = right, 0 = wrong, NaN = no verdict.

    >>> codes = np.array([0, 1])
    >>> choose_form([" ham", " spam"], ["ham", "eggs"], codes, codes, np.array([1.0, 0.0]))
    1
    """
    agreeing = []
    for _, form in FORMS:
        places: dict[str, int] = {}
        ours, theirs = (
            np.array([*(places.setdefault(form(text), len(places)) for text in texts), -1 - side])[codes]
            for side, (texts, codes) in enumerate(((truth, truth_codes), (pred, pred_codes)))
        )
        agreeing.append(int(((said == 1) == (ours == theirs))[~np.isnan(said)].sum()))
    return int(np.argmax(agreeing))


def read_labels(truth: Sequence[str], pred: Sequence[str], place: int) -> tuple[list[str], list[str]]:
    """Return distinct true labels without spaces at their ends, and predictions as the true label they are compared to.

    A prediction that two true labels could be stays as it is written, and true labels stay apart.

    >>> read_labels([" Ham", " spam"], ["ham.", "spam", "eggs"], 3)
    (['Ham', 'spam'], ['Ham', 'spam', 'eggs'])
    """
    if place == 0:
        return list(truth), list(pred)
    form, labels = FORMS[place][1], [text.strip() for text in truth]
    known, meant = set(labels), dict[str, set[str]]()
    for label in labels:
        meant.setdefault(form(label), set()).add(label)

    def read(text: str) -> str:
        bare = text.strip()
        one = meant.get(form(text), set())
        return bare if bare in known or len(one) != 1 else next(iter(one))

    return labels, [read(text) for text in pred]
