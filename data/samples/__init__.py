"""Nine files of predictions to try the app on, with what each is and what to look at first.

`data.samples.make` made the files, but for the answers of a model, which `scripts.make_run_sample` made; this
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
            "10,000 people of a synthetic screening programme, 1 in 100 of them ill, with the scores of two models: "
            "one that helps, and one that always says no."
        ),
        look_first=(
            "Both models are right about 99 times in 100: look at the recall and at the ROC curve, then correct the "
            "scores from `p_cancer` to `p_cancer_always_no` and see the same accuracy with nothing behind it."
        ),
        files=("screening.csv",),
        task="binary",
        notice="The people are synthetic; the models were really trained on others like them.",
    ),
    Sample(
        key="digits",
        title="Digits",
        description=(
            "899 handwritten digits from the set bundled with scikit-learn, with a probability for each of the ten "
            "classes from a modest, really trained classifier."
        ),
        look_first="Most mistakes are between 1, 8 and 9: open these cells of the matrix, see how sure it was.",
        files=("digits.csv",),
        task="multiclass",
    ),
    Sample(
        key="support-intents",
        title="Support intents",
        description=(
            "3,080 messages to an invented support desk and the intent a weak classifier read into them, out of 77 "
            "intents of which it knows a few far better than the rest."
        ),
        look_first=(
            "The classifier says a few favourites over and over and 15 intents never: compare accuracy with macro F1, "
            "then see which intents feed the favourites."
        ),
        files=("support-intents.csv",),
        task="multiclass",
        label_set_file=INTENT_LABELS,
        notice="The messages are made from written templates; the classifier was really trained.",
    ),
    Sample(
        key="support-intents-first-400",
        title="Support intents, first 400 rows",
        description=(
            "The same messages and predictions, sorted by true intent and cut after 400 rows, as happens when "
            "somebody evaluates the head of a sorted file."
        ),
        look_first=(
            "Only 10 of the 77 intents are asked about, so macro F1 over all 77 cannot exceed 10/77 = 0.130: "
            "a low value here says nothing about the model."
        ),
        files=("support-intents-first-400.csv",),
        task="multiclass",
        label_set_file=INTENT_LABELS,
        notice="The cut is the mistake this sample shows.",
    ),
    Sample(
        key="support-intents-llm",
        title="Support intents, raw LLM answers",
        description=(
            "Simulated answers of a language model to 600 of the messages: plain labels, quotes, chatter, refusals, "
            "empty answers and invented labels."
        ),
        look_first=(
            "Compare accuracy with unreadable answers counted wrong, accuracy over the readable ones, and the share "
            "of the unreadable."
        ),
        files=("support-intents-llm.jsonl",),
        task="multiclass",
        label_set_file=INTENT_LABELS,
        notice="The answers are simulated: no language model was asked.",
    ),
    Sample(
        key="support-intents-run",
        title="Support intents, a tiny model's answers",
        description=(
            "What a small language model really answered to 600 of the messages, as the command `run` of Blindspot "
            "asked it and wrote the file."
        ),
        look_first=(
            "It mixes labels into new ones: see those that are not in the label list, the intents that it never "
            "predicts, and how the file says which model, prompt and parser made it."
        ),
        files=(RUN_ANSWERS,),
        task="multiclass",
        label_set_file=INTENT_LABELS,
        notice="The messages are made from written templates; the model was really trained, for a minute.",
    ),
    Sample(
        key="triage",
        title="Message triage, two models",
        description=(
            "2,400 messages to a service desk in six months, urgent or routine, with the scores of an old and a new "
            "model, the channel, the speaker's language, the date and the template of each message."
        ),
        look_first=(
            "Compare the scores `p_urgent_v1` and `p_urgent_v2`: the new model is better for messages in a second "
            "language and worse for those from the phone, and May is harder than April."
        ),
        files=("triage.csv",),
        task="binary",
        notice="The messages are made from written templates; both models were really trained.",
    ),
    Sample(
        key="movie-genres",
        title="Movie genres",
        description=(
            "2,000 made-up film plots with none, one or several of ten genres, and a logit for each genre from a "
            "really trained model."
        ),
        look_first=(
            "92 of 100 single decisions are right but only 41 of 100 films get exactly their genres: compare "
            "per-label accuracy with subset accuracy, and see which genres the model hardly ever says."
        ),
        files=("movie-genres.csv",),
        task="multilabel",
        notice="Films without any genre are in the file on purpose.",
    ),
    Sample(
        key="answer-ratings",
        title="Answer ratings",
        description=(
            "600 pairs of answers, compared by four people and two judges that are models; one judge was asked in both "
            "orders. The people rated half of the pairs."
        ),
        look_first=(
            "Open Agreement: the large judge reaches the people's own agreement, but prefers longer answers more than "
            "they do; the small judge prefers what stands first."
        ),
        files=("answer-ratings.csv",),
        task="multiclass",
        notice="Questions, answers, people and models are made up.",
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
