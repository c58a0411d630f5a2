"""Find the label that a surface names: surfaces shorten names, and say `is_fraud = 1` for 1."""

from collections.abc import Mapping

from data.evaluation import Evaluation
from data.labels.class_names import names_in_sentences
from text.short_names import LABEL_CHARS, short_names
from text.visible import make_visible, show


def spellings(evaluation: Evaluation) -> Mapping[str, str]:
    """Return the label of each name that a surface may write; a name of two labels is left out."""
    spoken = names_in_sentences(evaluation)
    short = short_names([show(name, 2000) for name in spoken.values()], LABEL_CHARS)
    found: dict[str, str] = {}
    twice = set()
    for label, cut in zip(evaluation.labels, short, strict=True):
        whole = spoken[label]
        for name in {label, whole, cut, show(cut, 40), show(label), show(whole), show(whole, 80), make_visible(label)}:
            if found.setdefault(name.strip(), label) != label:
                twice.add(name.strip())
    return {name: label for name, label in found.items() if name not in twice}
