"""Say what became of a file, and whether that is what was promised for it."""

import re
from dataclasses import dataclass
from pathlib import Path

from data.errors import DataError
from data.evaluation import Evaluation
from data.runs import load
from tests.corpus.case import SMALL, Case
from tests.reading_here import reading_here
from text.quoting import MESSAGE_CHARS, show_file_name

UNFIT = re.compile(
    r"[\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]"  # nothing invisible
    r"|Traceback|(?:Error|Exception)\b|0x[0-9a-f]{6,}|site-packages|object at"  # nothing of Python's
    r"|/(?:tmp|usr|home|root|var|private)/|[A-Z]:\\",  # nothing of the machine's
)


@dataclass(frozen=True)
class Outcome:
    """Numbers and what was said with them, or the sentence of a refusal."""

    n: int | None = None
    accuracy: float | None = None
    said: str = ""
    refusal: str = ""


def outcome_here(case: Case, folder: Path) -> Outcome:
    """Read a case in this process, without a child, without limits on the machine."""

    path = folder / case.upload
    path.write_bytes(case.made())
    try:
        with reading_here(SMALL):
            return outcome_of(load.read_evaluation([path], given_by(case)))
    except DataError as error:
        return Outcome(refusal=str(error))


def given_by(case: Case) -> load.Given:
    """Return what the options of a case say, as the command line would put it."""
    said = dict(zip(case.options[::2], case.options[1::2], strict=True))
    scores = (said["--score"],) if "--score" in said else ()
    return load.Given(truth=said.get("--truth"), pred=said.get("--pred"), scores=scores)


def outcome_of(evaluation: Evaluation) -> Outcome:
    """The plain numbers of an evaluation, counted here once more."""
    scored = evaluation.scored
    right = evaluation.y_true == evaluation.y_pred
    right = right if right.ndim == 1 else right.all(axis=1)
    if not scored.any():
        return Outcome(refusal=f"{evaluation.name}: truth is empty in every row")
    receipt = evaluation.receipt
    said = [*receipt.notes, *receipt.warnings, *(text for file in receipt.files for text in file.notes + file.warnings)]
    return Outcome(evaluation.n_rows, float(right[scored].mean()), " ".join(said))


def complaints(case: Case, outcome: Outcome) -> list[str]:
    """Return what is not as promised; nothing, if all is well."""
    if case.n is None:
        if not outcome.refusal:
            return [f"accepted with {outcome}, though it was to be refused"]
        return _unfit(case, outcome.refusal) + _lacking(case, outcome.refusal)
    if outcome.refusal:
        return [f"refused, though it was to be read: {outcome.refusal}"]
    found = []
    if outcome.n != case.n or abs((outcome.accuracy or 0) - (case.accuracy or 0)) > 1e-12:
        found.append(f"{outcome.n} rows, {outcome.accuracy} right; promised were {case.n} and {case.accuracy}")
    return found + _lacking(case, outcome.said)


def _lacking(case: Case, text: str) -> list[str]:
    any_of = [want if isinstance(want, tuple) else (want,) for want in case.says]
    return [f"{want} is not in: {text}" for want in any_of if not any(w.lower() in text.lower() for w in want)]


def _unfit(case: Case, sentence: str) -> list[str]:
    named = sentence.startswith(show_file_name(case.upload).strip()[:20].strip())
    wrong = {
        "longer than a message may be": len(sentence) > MESSAGE_CHARS,
        "more than one line, or not fit to show": bool(UNFIT.search(sentence)),
        "without the file's name in front": not named,
    }
    return [f"{what}: {sentence!r}" for what, is_so in wrong.items() if is_so]
