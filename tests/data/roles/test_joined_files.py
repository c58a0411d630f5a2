"""Two files share columns: which file a column came from says more about its role than the suffix that a join gave."""

from collections.abc import Sequence

import pyarrow as pa
import pytest

from data.errors import RolesNeeded
from data.joining.join import join
from data.roles.detect import Detected, detect

IDS = [str(row) for row in range(8)]
TRUE = ["spam", "ham", "ham", "spam", "ham", "spam", "ham", "spam"]
GUESSED = ["spam", "spam", "ham", "spam", "ham", "ham", "ham", "spam"]
REGION = ["north", "south", "north", "east", "south", "north", "east", "south"]
SHARES = [0.1, 0.4, 0.8, 0.3, 0.9, 0.7, 0.6, 0.2]
RAIN, SNOW = ["1", "0", "1", "0", "1", "0", "0", "1"], ["0", "0", "1", "1", "0", "1", "0", "1"]


def detect_joined(predictions: dict[str, Sequence[object]], labels: dict[str, Sequence[object]]) -> Detected:
    tables = [pa.table({"id": IDS, **{n: list(c) for n, c in file.items()}}) for file in (predictions, labels)]
    return detect(join(*tables)[0])


def roles(found: Detected) -> tuple[str | None, str | None]:
    return found.settings.truth, found.settings.pred


@pytest.mark.parametrize("truth", ["kind", "label", "ref"])
@pytest.mark.parametrize("name", ["region", "category", "answer", "status", "prediction_batch", "y"])
@pytest.mark.parametrize("prediction", ["prediction", "guessed", "hyp"])
def test_ordinary_column_of_both_has_no_role(truth, name, prediction):
    found = detect_joined({prediction: GUESSED, name: REGION}, {truth: TRUE, name: REGION})
    assert roles(found) == (truth, prediction)


FLAGS = {"member": RAIN, "verified": SNOW}
TEXTS = {"response": [f"about order {row} of {region}" for row, region in enumerate(REGION)]}


@pytest.mark.parametrize(
    ("predictions", "labels", "expected"),
    [
        ({"guessed": GUESSED, **FLAGS}, {"kind": TRUE, **FLAGS}, ("kind", "guessed")),
        ({"guessed": GUESSED, **TEXTS}, {"kind": TRUE, **TEXTS}, ("kind", "guessed")),
        (
            {"label": TRUE, "prediction": GUESSED},
            {"label": TRUE, "annotator_2": GUESSED},
            ("label (labels)", "prediction"),
        ),
        ({"prediction": GUESSED}, {"prediction": GUESSED, "kind": TRUE}, ("kind", "prediction (predictions)")),
    ],
    ids=["flags of both", "texts of both", "truth in both", "prediction in both"],
)
def test_columns_of_both_files_have_their_roles(predictions, labels, expected):
    assert roles(detect_joined(predictions, labels)) == expected


@pytest.mark.parametrize("name", ["label", "sentiment", "prediction", "y_true", "target"])
def test_differing_column_of_both_is_truth_and_prediction(name):
    found = detect_joined({name: GUESSED, "region": REGION}, {"region": REGION, name: TRUE, "annotator_2": TRUE})
    assert roles(found) == (f"{name} (labels)", f"{name} (predictions)")
    assert not any("in every row" in text for text in found.warnings)


@pytest.mark.parametrize("name", ["label", "sentiment", "prediction", "target"])
def test_equal_columns_are_scored_with_a_warning(name):
    found = detect_joined({name: TRUE}, {name: TRUE})
    assert roles(found) == (f"{name} (labels)", f"{name} (predictions)")
    assert any("same as the truth in every row" in text and repr(f"{name} (labels)") in text for text in found.warnings)


@pytest.mark.parametrize(
    "predicted", [{"yhat": GUESSED}, {"gpt4_label": GUESSED}, {"p_ham": SHARES, "p_spam": [1 - p for p in SHARES]}]
)
def test_files_the_wrong_way_round_are_turned(predicted):
    found = detect_joined({"y": TRUE, "region": REGION}, {**predicted, "note": REGION})
    scores = {name for name, _ in found.settings.scores}
    assert found.settings.truth == "y" and {found.settings.pred} | scores >= set(predicted)
    assert any("are the wrong way round" in text for text in found.warnings)


def test_score_in_the_labels_file_turns_files():
    score = {"y_proba": SHARES, "note": REGION}
    turned = detect_joined({"stance": TRUE}, score)
    assert turned.settings.truth == "stance" and [name for name, _ in turned.settings.scores] == ["y_proba"]
    assert any("are the wrong way round" in text for text in turned.warnings)
    kept = detect_joined({"stance": GUESSED}, score | {"kind": TRUE})
    assert roles(kept) == ("kind", "stance") and not any("wrong way round" in text for text in kept.warnings)


def test_number_of_both_files_is_no_label():
    lengths = [str(20 + row) for row in range(len(TRUE))]
    with pytest.raises(RolesNeeded):
        detect_joined({"length": lengths}, {"length": lengths})


def test_labels_of_a_perfect_model_stay_labels():
    found = detect_joined({"rain": RAIN, "snow": SNOW}, {"rain": RAIN, "snow": SNOW})
    assert [label for _, label in found.settings.truth_columns] == ["rain", "snow"]
    assert any("same as the truth" in text for text in found.warnings)


def test_person_in_a_labels_file_is_no_prediction():
    found = detect_joined({"hyp": GUESSED, "fold": IDS}, {"ref": TRUE, "annotator_2": TRUE, "fold": IDS})
    assert found.settings.pred == "hyp"


def test_score_of_another_columns_class_is_a_doubt():
    found = detect(pa.table({"gt": ["yes", "no"] * 4, "p_yes": [0.9, 0.2] * 4, "category": ["hats", "bags"] * 4}))
    doubt = "'p_yes' is named after a value of 'gt'"
    assert found.settings.truth == "gt" or any(doubt in text for text in found.warnings)
    right = detect(pa.table({"y_true": ["yes", "no"] * 4, "p_yes": [0.9, 0.2] * 4, "category": ["hats", "bags"] * 4}))
    assert right.settings.truth == "y_true" and not any(doubt in text for text in right.warnings)


@pytest.mark.parametrize("prefix", ["margin_", "decision_", "decision_function_"])
def test_logits_are_scores_by_usual_names(prefix):
    logits = {prefix + "no": [1.5, -0.4, 2.2, -1.0], prefix + "yes": [-1.2, 0.3, -2.0, 2.5]}
    found = detect(pa.table({"label": ["no", "yes"] * 2, **logits}))
    assert dict(found.settings.scores) == {prefix + "no": "no", prefix + "yes": "yes"}
