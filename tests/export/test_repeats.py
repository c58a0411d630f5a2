"""Repeated questions: their numbers are those of a loop over questions, and are never assumed in silence."""

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.evaluation import Evaluation, Settings
from data.roles.detect import detect
from export.evaluation.repeats_result import LISTED_QUESTIONS, repeats_result
from export.measurement import measure
from export.numbers import scored_numbers
from metrics.shares import wilson


def asked(n: int = 40, k: int = 3, *, seed: int = 1, **more: list[str]) -> pa.Table:
    """n questions with k answers of three labels each; some answers are missing."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(rng.integers(3, size=n), k)
    pred = np.where(rng.random(n * k) < 0.6, truth, rng.integers(3, size=n * k))
    columns = {"id": [f"q{i // k}" for i in range(n * k)], "seed": [str(i % k) for i in range(n * k)]}
    labels = ["abc"[code] if i % 11 else None for i, code in enumerate(pred)]
    return pa.table({**columns, "y": ["abc"[code] for code in truth], "y_pred": labels, **more})


def opened(rows: pa.Table, **changes: Any) -> Evaluation:
    found = detect(rows, ask=False)
    settings = dataclasses.replace(found.settings, **changes)
    return build(rows, settings, name="d", content_sha256="0", roles=found.roles)


def answers_of(rows: pa.Table) -> list[tuple[str, list[str]]]:
    """The truth and the answers of every question, by a loop."""
    questions: dict[str, list[tuple[str, str]]] = {}
    for line in rows.to_pylist():
        if line["y_pred"] is not None:
            questions.setdefault(line["id"], []).append((line["y"], line["y_pred"]))
    return [(lines[0][0], [pred for _, pred in lines]) for lines in questions.values()]


def is_majority_right(truth: str, labels: list[str]) -> bool:
    (first, most), *others = Counter(labels).most_common()
    return first == truth and not any(n == most for _, n in others)


def test_numbers_are_those_of_a_loop():
    rows = asked()
    numbers = repeats_result(measure(opened(rows))).numbers["repeats"]
    questions = [pair for pair in answers_of(rows) if len(pair[1]) > 1]
    right = [np.mean([label == truth for label in labels]) for truth, labels in questions]
    votes = [is_majority_right(*pair) for pair in questions]
    kinds = ("always_right", sum(r == 1 for r in right)), ("never_right", sum(r == 0 for r in right))
    divided = sum(0 < r < 1 for r in right)
    for name, n in (*kinds, ("sometimes_right", divided), ("majority_right", sum(votes))):
        assert (numbers[name]["questions"], numbers[name]["value"]) == (n, n / len(questions))
        assert (numbers[name]["low"], numbers[name]["high"]) == pytest.approx(wilson(n, len(questions), 1.959964))
    assert numbers["one_answer"]["value"] == pytest.approx(np.mean(right))
    gains = np.array(votes) - right
    gain = numbers["majority_gain"]
    assert gain["value"] == pytest.approx(gains.mean())
    half = 1.959964 * gains.std(ddof=1) / np.sqrt(len(gains))
    assert (gain["low"], gain["high"]) == pytest.approx((gains.mean() - half, gains.mean() + half), abs=1e-6)
    assert numbers["answers_not_scored"] == 11 and len(numbers["divided"]) == divided
    assert [draw["k"] for draw in numbers["draws"]] == [1, 2, 3]
    assert numbers["draws"][2]["questions"] == sum(len(labels) == 3 for _, labels in answers_of(rows))


def test_most_divided_questions_stand_first():
    numbers = repeats_result(measure(opened(asked(k=5)))).numbers["repeats"]
    apart = [abs(line["right"] / line["answers"] - 0.5) for line in numbers["divided"]]
    assert apart == sorted(apart)


def test_majority_has_the_name_of_its_class():
    rows = asked()
    for name in ("y", "y_pred"):
        numbers = [None if label is None else str("abc".index(label)) for label in rows[name].to_pylist()]
        rows = rows.set_column(rows.column_names.index(name), name, pa.array(numbers))
    result = repeats_result(measure(opened(rows)))
    listed = {str(line[-1].name) for line in result.tables[-1].rows if hasattr(line[-1], "name")}
    assert listed == {"class 0", "class 1", "class 2"}
    assert {line["majority"] for line in result.numbers["repeats"]["divided"]} == {"0", "1", "2", None}


def test_long_list_says_that_it_is_cut():
    found = repeats_result(measure(opened(asked(n=600))))
    divided = found.tables[-1]
    n = len(found.numbers["repeats"]["divided"])
    assert n > LISTED_QUESTIONS == len(divided.rows) and f"of {n:,} questions" in divided.note[0]


@pytest.mark.parametrize(
    ("rename", "changes", "repeats"),
    [
        ("seed", {}, True),
        ("seed", {"cluster": ""}, False),  # a person said that rows are alone
        ("round", {}, False),  # an id repeats, and nothing says why
        ("round", {"cluster": "id"}, True),  # a person said that its rows belong together
        ("attempt", {"only": ("", "")}, True),
        ("attempt", {}, False),  # one of them is asked for
    ],
)
def test_repeats_are_never_assumed(rename, changes, repeats):
    rows = asked()
    rows = rows.rename_columns([rename if name == "seed" else name for name in rows.column_names])
    assert ("repeats" in scored_numbers(measure(opened(rows, **changes)))) == repeats


def test_questions_of_several_truths_are_left_out():
    rows = asked(n=4, k=2)
    truth = rows.column("y").to_pylist()
    truth[2] = next(label for label in "abc" if label != truth[3])
    found = repeats_result(measure(opened(rows.set_column(2, "y", pa.array(truth)))))
    assert found.numbers["repeats"]["questions"] == 3 and found.numbers["repeats"]["questions_of_several_truths"] == 1
    assert any("1 question with different true labels" in "".join(map(str, note)) for note in found.notes)


def test_intervals_count_clusters_of_questions():
    """Questions of one template are alike: their intervals are wider; none where a question is in several."""
    templates = [f"t{i // 12}" for i in range(120)]
    alone = repeats_result(measure(opened(asked()))).numbers["repeats"]["one_answer"]
    rows = asked(template=templates)
    together = repeats_result(measure(opened(rows, cluster="template"))).numbers["repeats"]["one_answer"]
    assert together["value"] == alone["value"] and together["low"] != alone["low"]
    assert "by clusters" in together["method"]
    crossed = repeats_result(measure(opened(rows, cluster="seed"))).numbers["repeats"]["one_answer"]
    assert np.isnan(crossed["low"]) and "several clusters" in crossed["method"]


def test_sets_of_labels_are_whole_answers():
    """With several labels a row, an answer is right where its whole set is, and sets are voted on."""
    cells = {"y": ["a;b"] * 6, "y_pred": ["a;b", "b;a", "a", "a", "a", "a;b"]}
    rows = pa.table({"id": ["q"] * 3 + ["r"] * 3, "seed": ["0", "1", "2"] * 2, **cells})
    settings = Settings(truth="y", pred="y_pred", id="id", encoding="delimited", delimiter=";", cluster="id")
    numbers = repeats_result(measure(build(rows, settings, name="d", content_sha256="0"))).numbers["repeats"]
    assert [(line["question"], line["right"], line["majority"]) for line in numbers["divided"]] == [
        ("q", 2, "a | b"), ("r", 1, "a"),
    ]  # fmt: skip
    assert numbers["majority_right"]["questions"] == 1
