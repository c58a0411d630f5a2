"""Names of columns in several languages, and names that a feature has as often as a label."""

import unicodedata

import pyarrow as pa
import pytest

from data.columns.name_ranks import rank
from data.errors import DataError, RolesNeeded
from data.joining.join import join
from data.roles.detect import detect

TRUTH = ["ja", "nein", "ja", "nein", "ja", "nein"]
GUESS = ["ja", "ja", "ja", "nein", "nein", "nein"]
SCORES = [0.9, 0.6, 0.8, 0.1, 0.4, 0.2]
FLAGS = [1, 0, 1, 0, 1, 0]
GUESSED = [1, 1, 1, 0, 0, 0]


def found(**columns):
    return detect(pa.table(columns))


def by_values(detected):
    return any("by their values only" in text or "by its values only" in text for text in detected.warnings)


@pytest.mark.parametrize(
    ("truth", "pred", "score"),
    [
        ("y_test", "y_pred", "y_score"),
        ("Wahrheit", "Vorhersage", "Wahrscheinlichkeit"),
        ("Tatsächliche Klasse", "Vorhergesagte Klasse", "Konfidenz"),
        ("Tatsaechlich", "Prognose", "Wahrscheinlichkeit (%)"),
        ("Klasse", "Vorhersage", "Score"),
        ("vérité", "prédiction", "probabilité"),
        ("Classe réelle", "Classe prédite", "Confiance"),
        ("étiquette", "prévision", "score"),
        ("verdad", "predicción", "probabilidad"),
        ("Clase real", "Clase predicha", "Puntuación"),
        ("Real", "Predicho", "Probabilidad"),
        ("rótulo", "predição", "probabilidade"),
        ("Classe real", "Classe prevista", "Pontuação"),
        ("gabarito", "previsão", "confiança"),
        ("vero", "predetto", "probabilità"),
        ("Classe reale", "Predizione", "Punteggio"),
        ("Werkelijke klasse", "Voorspeld", "Waarschijnlijkheid"),
        ("Ist", "Prognose", "Konfidenz"),
        ("Outcome", "Prediction", "Probability"),
    ],
)
def test_names_of_seven_languages_are_found(truth, pred, score):
    for spelled in (str, str.upper, plain, decomposed):
        names = [spelled(name) for name in (truth, pred, score)]
        detected = found(**dict(zip(names, (TRUTH, GUESS, SCORES), strict=True)), Kunde=list("abcdef"))
        settings = detected.settings
        assert [settings.truth, settings.pred, *(name for name, _ in settings.scores)] == names
        assert not by_values(detected)


def plain(name: str) -> str:
    """The name without accents, as an older program writes it."""
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def decomposed(name: str) -> str:
    """The same letters as some systems write them: each accent a character of its own."""
    return unicodedata.normalize("NFD", name)


@pytest.mark.parametrize(
    "name", ["Wahrscheinlichkeit_ja", "ja_Wahrscheinlichkeit", "Probabilité ja", "probabilidad.ja", "probabilidade_ja"]
)
def test_a_score_in_another_language_says_its_class(name):
    settings = found(**{"Klasse": TRUTH, name: SCORES}).settings
    assert (settings.truth, settings.scores, settings.positive) == ("Klasse", ((name, "ja"),), "ja")


def test_flags_named_in_german_match():
    columns = {"wahr_regen": FLAGS, "wahr_schnee": GUESSED, "vorhersage_regen": GUESSED, "vorhersage_schnee": FLAGS}
    settings = found(**columns).settings
    assert [label for _, label in settings.truth_columns] == ["regen", "schnee"]
    assert [name for name, _ in settings.pred_columns] == ["vorhersage_regen", "vorhersage_schnee"]


# -- questions: is_fraud, has_cancer ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("truth", "score"),
    [
        ("is_fraud", "fraud_score"), ("is_fraud", "score_fraud"), ("is_fraud", "p_fraud"), ("fraud", "fraud_score"),
        ("has_cancer", "cancer_probability"), ("isFraud", "isFraud_score"), ("ist_betrug", "betrug_score"),
        ("tiene_cancer", "probabilidad_cancer"), ("tem_fraude", "fraude_pontuação"),
    ],
)  # fmt: skip
def test_a_question_beside_its_score_is_the_truth(truth, score):
    columns = {"id": list("uvwxyz"), "is_weekend": [0, 0, 1, 1, 0, 1], "has_phone": GUESSED, truth: FLAGS}
    detected = found(**columns, **{score: SCORES})
    assert (detected.settings.truth, detected.settings.scores) == (truth, ((score, "1"),))
    assert detected.settings.positive == "1" and not by_values(detected)


def test_question_beside_an_unnamed_score_warns():
    detected = found(age=[30, 40, 50, 60, 70, 80], has_diabetes=FLAGS, score=SCORES)
    assert (detected.settings.truth, detected.settings.scores) == ("has_diabetes", (("score", "1"),))
    assert any("'has_diabetes'. Check it" in text for text in detected.warnings)


def test_two_questions_beside_a_score_are_asked_about():
    with pytest.raises(RolesNeeded, match="'has_diabetes' and 'has_phone' could each be the true labels"):
        found(has_diabetes=FLAGS, has_phone=GUESSED, score=SCORES)


@pytest.mark.parametrize("name", ["is_correct", "is_train", "has_error", "is_label_issue", "is_valid"])
def test_a_verdict_is_no_truth(name):
    with pytest.raises(DataError, match="True labels are missing"):
        found(**{name: FLAGS, "score": SCORES})


@pytest.mark.parametrize("feature", ["is_fraud", "has_phone", "outcome", "tags", "real", "ziel", "objetivo"])
@pytest.mark.parametrize("truth", ["y", "label", "target", "class", "Klasse", "y_test"])
def test_a_named_truth_comes_before_names_of_features(feature, truth):
    columns = {feature: FLAGS, truth: GUESSED, "prediction": FLAGS, "fraud_score": SCORES}
    detected = found(**columns)
    assert (detected.settings.truth, detected.settings.pred) == (truth, "prediction")


def test_questions_with_predictions_are_several_labels():
    columns = {"is_rain": FLAGS, "is_snow": GUESSED, "pred_rain": GUESSED, "pred_snow": FLAGS}
    assert [name for name, _ in found(**columns).settings.truth_columns] == ["is_rain", "is_snow"]


# -- tags, outcome: features as often as labels ------------------------------------------------------

SETS = ["a|b", "b", "c|a", "b|c", "a", "c"]


def test_tags_beside_predicted_sets_are_the_truth():
    detected = found(tags=SETS, prediction=["a", "b", "c", "b|c", "a|b", "c"])
    assert (detected.settings.truth, detected.settings.encoding) == ("tags", "delimited")
    assert not by_values(detected)


@pytest.mark.parametrize(
    ("columns", "truth", "pred"),
    [
        pytest.param(
            {"has_pool": FLAGS, "has_garage": GUESSED, "pool": [0, 1, 2, 3, 4, 5], "garage": [1, 2, 3, 4, 5, 6],
             "y_true": TRUTH, "y_pred": GUESS},
            "y_true", "y_pred", id="questions beside features of their name",
        ),
        pytest.param(
            {"tags": SETS, "verdict": TRUTH, "prediction": GUESS},
            "verdict", "prediction", id="tags that nothing predicted fits",
        ),
        pytest.param(
            {"actual": [*"ababa"] * 9, "predicted": [*"abbba"] * 9,
             "want": [f"the {n} call came twice" for n in range(45)]},
            "actual", "predicted", id="texts beside a sure prediction",
        ),
    ],
)  # fmt: skip
def test_names_of_labels_may_be_features(columns, truth, pred):
    settings = found(**columns).settings
    assert (settings.truth, settings.pred, settings.encoding) == (truth, pred, "single")


def test_outcome_without_matching_prediction_is_a_feature():
    campaign = ["success", "failure", "other", "success", "failure", "other"]
    detected = found(outcome=campaign, subscribed=TRUTH, prediction=GUESS)
    assert detected.settings.truth == "subscribed"
    with pytest.raises(DataError, match="True labels are missing"):
        found(outcome=campaign, score=SCORES)


# -- answers ------------------------------------------------------------------------------------------

ANSWERS = ["It is a refund.", "billing", "I would say billing", "refund!", "The label is refund", "billing, surely"]
LABELS = ["refund", "billing", "refund", "refund", "refund", "billing"]


@pytest.mark.parametrize("name", ["answer_text", "text_output", "Answer Text"])
def test_texts_that_name_labels_are_raw_answers(name):
    settings = found(**{"question": list("uvwxyz"), "label": LABELS, name: ANSWERS}).settings
    assert (settings.truth, settings.raw, settings.pred) == ("label", name, None)


def test_answer_text_beside_a_score_is_a_feature():
    texts = ["Paris is the capital.", "Use a hammer.", "No idea", "Forty two", "In the year 1999", "See above"]
    settings = found(question=list("uvwxyz"), answer_text=texts, label=FLAGS, score=SCORES).settings
    assert (settings.raw, settings.scores) == (None, (("score", "1"),))


@pytest.mark.parametrize(
    "name", ["real_estate", "reality", "prevalence", "tagset", "outcome_date", "ziellos", "verdadeira_idade_score"]
)
def test_other_words_are_no_names_of_labels(name):
    assert rank(name, "truth") is None


# -- copies: truth and prediction by their values alone ------------------------------------------------

SEX = [str(i % 3 % 2) for i in range(30)]
DECILE = [str(i % 10) for i in range(30)]


def asked(**columns) -> RolesNeeded:
    with pytest.raises(RolesNeeded) as caught:
        found(**columns)
    return caught.value


@pytest.mark.parametrize("second", ["decile_score.1", "decile_score (2)", "other"])
def test_copies_found_by_their_values_are_no_evaluation(second):
    detected = found(**{"decile_score": DECILE, "is_recid": SEX, second: DECILE})
    assert (detected.settings.truth, detected.settings.scores) == ("is_recid", (("decile_score", "1"),))
    assert by_values(detected)
    error = asked(**{"decile_score": DECILE, "recid": SEX, second: DECILE})
    assert f"'{second}'" in str(error) and "candidates are 'decile_score', 'recid'" in str(error)


def test_repeated_column_name_is_asked_about():
    other = [str(i % 10 if i % 4 else (i + 1) % 10) for i in range(30)]
    assert "second column of the name 'kind'" in str(asked(**{"kind": DECILE, "kind.1": other}))
    assert by_values(found(**{"kind": DECILE, "guessed": other}))


def test_copies_of_a_named_column_are_asked_about():
    assert asked(y_pred=DECILE, other=DECILE).guess.pred == "y_pred"
    error = asked(label=DECILE, other=DECILE)
    assert (error.guess.truth, error.guess.pred) == ("label", "other")


def test_copies_with_two_names_stay_valid():
    assert found(y_true=DECILE, y_pred=DECILE).settings.pred == "y_pred"
    assert found(label=DECILE, prediction=DECILE).settings.truth == "label"
    assert found(churned=SEX, predicted_churned=SEX).settings.truth == "churned"
    given = detect(pa.table({"a": DECILE, "b": DECILE}), given={"truth": "a", "pred": "b"})
    assert given.settings.pred == "b"
    left, right = pa.table({"id": DECILE[:10], "thing": SEX[:10]}), pa.table({"id": DECILE[:10], "kind": SEX[:10]})
    joined = detect(join(left, right)[0]).settings
    assert (joined.truth, joined.pred) == ("kind", "thing")


def test_copy_with_one_more_gap_is_none():
    assert by_values(found(a=DECILE, b=[*DECILE[:-1], None]))


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"prediction": TRUTH, "text": SETS}, "Predictions found in 'prediction'. True labels are missing"),
        ({"p_spam": SCORES}, "Scores found in 'p_spam'. True labels are missing"),
        ({"Vorhersage": TRUTH}, "Predictions found in 'Vorhersage'. True labels are missing"),
        ({"label": TRUTH, "text": list("uvwxyz")}, "True labels found in 'label'. Predictions are missing"),
    ],
)
def test_missing_column_is_named_beside_found_ones(columns, says):
    assert says in str(asked(**columns)) and "upload them or choose a column" in str(asked(**columns))


@pytest.mark.parametrize(
    ("truth", "pred"),
    [
        ("Soll", "Ist"), ("Soll-Klasse", "Ist-Klasse"), ("Sollwert", "Istwert"), ("want", "got"), ("expected", "got"),
        ("erwartet", "erhalten"), ("attendu", "obtenu"), ("esperado", "obtenido"), ("observed", "forecast"),
        ("golden", "output"), ("answer key", "answer"), ("Referenz", "Vorhersage"),
    ],
)  # fmt: skip
def test_pair_of_names_is_read_in_either_order(truth, pred):
    labels = {truth: ["a", "b", "a", "b", "a"] * 9, pred: ["a", "b", "b", "b", "a"] * 9}
    for names in ((truth, pred), (pred, truth)):
        settings = found(**{name: labels[name] for name in names}).settings
        assert (settings.truth, settings.pred) == (truth, pred)


@pytest.mark.parametrize(
    "name", ["golden", "oracle", "soll", "ist", "vero", "reale", "answer_key", "Referenz", "want", "got"]
)
def test_feature_named_like_a_truth_is_none(name):
    for truth, pred in (("annotation", "model_label"), ("reference", "y_pred"), ("intent", "intent_pred")):
        labels = {truth: ["a", "b", "a", "b", "a"] * 9, pred: ["a", "b", "b", "b", "a"] * 9}
        settings = found(**labels, **{name: ["3", "0", "1", "4", "2"] * 9}).settings
        assert (settings.truth, settings.pred) == (truth, pred)
