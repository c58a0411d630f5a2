"""Ten files of predictions to try the app on, with what each is and what to look at first.

`scripts.samples.make` made the files, but for the answers of a model, which `scripts.make_run_sample` made; this
catalogue only names and describes them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from data.evaluation import Task

FOLDER = Path(__file__).parent
INTENT_LABELS = "support-intents.labels.json"
RUN_ANSWERS = "support-intents-run.parquet"


@dataclass(frozen=True)
class Sample:
    """One sample: a key that stands in links, words for the screen, and its files.

    Attributes
    ----------
    title, description : its name, and what it is in one sentence.
    look_first : what is worth seeing in it, as a sentence.
    files : the names of its files of predictions, in `FOLDER`.
    label_set_file : the file that names every label there could be; None = what the file itself shows.
    notice : what must not be overlooked about it, as a sentence; empty = nothing.
    """

    key: str
    title: str
    description: str
    look_first: str
    files: tuple[str, ...]
    task: Task
    label_set_file: str | None = None
    notice: str = ""

    @cached_property
    def label_set(self) -> tuple[str, ...] | None:
        """Return every label there could be, sorted; None where the sample does not say."""
        if self.label_set_file is None:
            return None
        return tuple(json.loads((FOLDER / self.label_set_file).read_text(encoding="utf-8")))


SAMPLES = (
    Sample(
        key="screening",
        title="Screening",
        description=(
            "10,000 people of a screening; 1 in 100 has cancer. Two models: one that helps, and one that never "
            "predicts cancer."
        ),
        look_first=(
            "Both models are 99 % accurate. Look at recall and the ROC curve. Then change the scores to "
            "`p_cancer_always_no` under *Change*: accuracy stays, but no ill person is found."
        ),
        files=("screening.csv",),
        task="binary",
        notice="The people are invented; the models were trained on other invented people.",
    ),
    Sample(
        key="digits",
        title="Digits",
        description=(
            "899 handwritten digits of scikit-learn's data set, with a probability for each of ten classes from a "
            "trained classifier."
        ),
        look_first="Most mistakes are between 1, 8 and 9. Open these cells of the matrix and see how sure the model "
        "was.",
        files=("digits.csv",),
        task="multiclass",
    ),
    Sample(
        key="support-intents",
        title="Support intents",
        description=(
            "3,080 messages to an invented support desk, and the intents that a weak classifier predicted, out of 77."
        ),
        look_first=(
            "15 intents are never predicted, a few far too often. Compare accuracy with macro F1, then see which rows "
            "are predicted as these few."
        ),
        files=("support-intents.csv",),
        task="multiclass",
        label_set_file=INTENT_LABELS,
        notice="The messages are made from templates; the classifier was trained on others.",
    ),
    Sample(
        key="support-intents-first-400",
        title="Support intents, first 400 rows",
        description=(
            "Support intents, sorted by true intent and cut after 400 rows. It shows what happens if only the first "
            "rows of a sorted file are evaluated."
        ),
        look_first=(
            "Only 10 of 77 intents have true rows, so macro F1 over all 77 is at most 10/77 = 0.130. A low value says "
            "nothing about the model."
        ),
        files=("support-intents-first-400.csv",),
        task="multiclass",
        label_set_file=INTENT_LABELS,
        notice="The messages are made from templates; the classifier was trained on others.",
    ),
    Sample(
        key="support-intents-llm",
        title="Support intents, raw LLM answers",
        description=(
            "Simulated answers of a language model to 600 messages. There are plain labels, quotes, long sentences, "
            "refusals, empty answers and labels that do not exist."
        ),
        look_first=("On the page Parsing, compare accuracy with and without the answers in which no label was found."),
        files=("support-intents-llm.jsonl",),
        task="multiclass",
        label_set_file=INTENT_LABELS,
        notice="The answers are simulated: no language model was asked.",
    ),
    Sample(
        key="support-intents-run",
        title="Support intents, a tiny model's answers",
        description=(
            "Real answers of a small language model to 600 messages. Blindspot asked the model, with its command `run`."
        ),
        look_first=(
            "Some answers are labels that do not exist. See those that are not in the label list, and the intents "
            "that are never predicted. The file names its model, prompt and parser."
        ),
        files=(RUN_ANSWERS,),
        task="multiclass",
        label_set_file=INTENT_LABELS,
        notice="The messages are made from templates; the model was trained for a minute.",
    ),
    Sample(
        key="support-intents-several",
        title="Support intents, several a message",
        description=(
            "600 messages to the support desk with one to three of 28 intents each, and the intents that a classifier "
            "predicted."
        ),
        look_first=(
            "Only 46 of 100 messages get exactly their intents. On the page Confusion, see which intent is missed "
            "where another is predicted."
        ),
        files=("support-intents-several.jsonl",),
        task="multilabel",
        notice="The messages are made from templates; the classifier was trained on others.",
    ),
    Sample(
        key="triage",
        title="Message triage, two models",
        description=(
            "2,400 messages to a service desk, urgent or routine. Scores of an old and a new model, and columns to "
            "slice by."
        ),
        look_first=(
            "Compare `p_urgent_v1` with `p_urgent_v2`: the new model is better in a second language and worse on the "
            "phone. May is harder than April."
        ),
        files=("triage.csv",),
        task="binary",
        notice="The messages are made from templates; both models were trained on others.",
    ),
    Sample(
        key="movie-genres",
        title="Movie genres",
        description=(
            "2,000 invented film plots with none, one or several of ten genres. A trained model gives each genre a "
            "logit."
        ),
        look_first=(
            "Per-label accuracy is 92 %, subset accuracy 41 %: only 41 of 100 films get exactly their genres. See "
            "which genres are rarely predicted."
        ),
        files=("movie-genres.csv",),
        task="multilabel",
        notice="Some films have no genre; that is intended.",
    ),
    Sample(
        key="answer-ratings",
        title="Answer ratings",
        description=(
            "600 pairs of answers, compared by four people and two models as judges. People rated half of the pairs."
        ),
        look_first=(
            "Open Agreement: the large judge agrees with people as they agree with each other, but prefers longer "
            "answers. The small judge prefers the first answer."
        ),
        files=("answer-ratings.csv",),
        task="multiclass",
        notice="Questions, answers, people and models are invented.",
    ),
)


def is_sample(run: str) -> bool:
    """Return whether a run is one of the samples, which everyone has.

    >>> is_sample("digits"), is_sample("abc")
    (True, False)
    """
    return any(sample.key == run for sample in SAMPLES)


def load_sample_paths(key: str) -> list[tuple[Path, str]]:
    """Return the files of a sample as (path, name), as if a person had uploaded them.

    Raises
    ------
    KeyError
        no sample has this key.

    >>> [name for _, name in load_sample_paths("digits")]
    ['digits.csv']
    """
    sample = {sample.key: sample for sample in SAMPLES}[key]
    return [(FOLDER / name, name) for name in sample.files]
