"""Files whose right reading is obvious: names of columns and what they hold, and how each file is read."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.comparison.other_columns import list_other_columns
from data.roles.detect import detect

N = 200
WORDS = np.array(["billing", "refund", "shipping"])


def _make_columns() -> dict[str, np.ndarray]:
    """Draw what columns may hold: words of three classes, ham and spam, scores of each."""
    random = np.random.default_rng(3)

    def change(codes: np.ndarray, share: float) -> np.ndarray:
        return np.where(random.random(N) < share, random.integers(0, 3, N), codes)

    true, spam = random.integers(0, 3, N), np.arange(N) % 2
    predicted = change(true, 0.3)
    score = np.clip(spam * 0.35 + random.random(N) * 0.6, 0, 1).round(4)
    shares = random.dirichlet([1, 1, 1], N) + 1.2 * np.eye(3)[predicted]
    shares = (shares / shares.sum(1, keepdims=True)).round(4)
    return {
        "truth": WORDS[true],
        "pred": WORDS[predicted],
        "second": WORDS[change(true, 0.1)],
        "third": WORDS[change(true, 0.15)],
        "old": WORDS[change(true, 0.5)],
        "region": np.array(["north", "south", "west"])[change(true, 1.0)],
        "answers": np.array([f"I would call this {WORDS[code]}, row {row}." for row, code in enumerate(predicted)]),
        "text": np.array([f"message number {row} asks for something" for row in range(N)]),
        "sure": shares.max(1),
        **{f"share of {word}": shares[:, code] for code, word in enumerate(WORDS)},
        **{f"logit of {word}": 5 * shares[:, code] - 3 for code, word in enumerate(WORDS)},
        "spam": spam.astype(str),
        "ham or spam": np.where(spam, "spam", "ham"),
        "score": score,
        "cut": (score >= 0.5).astype(int).astype(str),
        "ham or spam at 0.5": np.where(score >= 0.5, "spam", "ham"),
        "sure of it": np.maximum(score, 1 - score),
        "member": (random.random(N) < 0.5).astype(int).astype(str),
    }


COLUMNS = _make_columns()


def read(file: str) -> pa.Table:
    """Return the table of a file, written `name=what it holds; …`; p_=shares are three columns, one a class."""
    columns: dict[str, np.ndarray] = {"id": np.arange(N).astype(str)}
    for name, holds in (part.split("=") for part in file.split("; ")):
        if holds in ("shares", "logits"):
            columns |= {f"{name}{word}": COLUMNS[f"{holds[:-1]} of {word}"] for word in WORDS}
        else:
            columns[name] = COLUMNS[holds]
    return pa.table(columns)


SILENT = [
    # a confidence takes nobody's place
    ("label=spam; fraud_score=score; confidence=sure of it", "label", "fraud_score"),
    ("label=ham or spam; pred=ham or spam at 0.5; confidence=sure of it; spam_score=score", "label", "pred"),
    ("label=truth; guess=pred; confidence=sure", "label", "guess"),
    ("label=ham or spam; guess=ham or spam at 0.5; confidence=sure of it", "label", "guess"),
    ("label=truth; =shares; confidence=sure", "label", "billing refund shipping"),
    ("label=truth; =logits; confidence=sure", "label", "billing refund shipping"),
    ("label=truth; confidence=sure; =logits", "label", "billing refund shipping"),
    ("label=truth; p_=shares; max_prob=sure", "label", "p_billing p_refund p_shipping"),
    # ordinary names
    ("gold=truth; checked=second; guess=pred", "gold", "guess"),
    ("annotation=truth; output=pred", "annotation", "output"),
    ("x=second; annotation=truth; prediction=pred", "annotation", "prediction"),
    ("class=truth; previous=old; guess=pred", "class", "guess"),
    ("guess=pred; answer=truth", "answer", "guess"),
    ("text=text; answer=pred; correct_answer=truth", "correct_answer", "answer"),
    ("text=text; answer=pred; solution=truth", "solution", "answer"),
    ("human_label=truth; model_label=pred", "human_label", "model_label"),
    ("label=truth; human_label=second; pred=pred", "label", "pred"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "truth", "predicted"), SILENT, ids=[file for file, *_ in SILENT])
def test_ordinary_file_is_read_right(file, truth, predicted):
    found = detect(read(file))
    settings = found.settings
    scores = " ".join(sorted(name for name, _ in settings.scores))
    assert (settings.truth, settings.pred or settings.raw or scores) == (truth, predicted)
    assert not found.warnings


def test_a_named_score_stands_before_a_confidence():
    for name in ("fraud_score", "p_spam", "score"):
        found = detect(read(f"label=ham or spam; prediction=ham or spam at 0.5; confidence=sure of it; {name}=score"))
        assert found.settings.scores == ((name, "spam"),)


def test_compare_offers_models_only():
    rows = read("label=truth; pred=pred; annotator_2=second; human=third; majority_vote=second; model_b=old; eva=third")
    found = build(rows, detect(rows).settings, name="d", content_sha256="0")
    assert [run.name for run in list_other_columns(found)] == ["model_b", "eva"]
    rows = read("anna=truth; clara=third; judge_a=pred; judge_b=old")
    found = build(rows, detect(rows).settings, name="d", content_sha256="0")
    assert (found.settings.truth, found.settings.pred) == ("anna", "judge_a")
    assert [run.name for run in list_other_columns(found)] == ["judge_b"]
