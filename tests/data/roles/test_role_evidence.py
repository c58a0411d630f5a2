"""Files whose right reading is obvious: names of columns and what they hold, and how each file is read."""

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.comparison.other_columns import list_other_columns
from data.errors import RolesNeeded
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
    credit = random.integers(400, 850, N)
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
        "cut at 0.3": (score >= 0.3).astype(int).astype(str),
        "cut in twelve rows": np.where(np.arange(N) < 12, np.where(score >= 0.5, "1", "0"), ""),
        "cut the other way": (score < 0.5).astype(int).astype(str),
        "cut the other way at 0.3": (score < 0.3).astype(int).astype(str),
        "yes or no at 0.3": np.where(score >= 0.3, "yes", "no"),
        "True or False at 0.3": np.where(score >= 0.3, "True", "False"),
        "flagged or ok at 0.3": np.where(score >= 0.3, "flagged", "ok"),
        "flagged or ok at 0.5": np.where(score >= 0.5, "flagged", "ok"),
        "spam or ok at 0.3": np.where(score >= 0.3, "spam", "ok"),
        "codes": np.array(["b", "r", "s"])[predicted],
        "half": np.full(N, 0.5),
        "0.3": np.full(N, 0.3),
        "credit": credit,
        "good credit": (credit >= 660).astype(int).astype(str),
        "sure of it": np.maximum(score, 1 - score),
        "member": (random.random(N) < 0.5).astype(int).astype(str),
        "margin of ham": 3 * random.random(N) + 4 * (score < 0.5),
        "margin of spam": 3 * random.random(N) + 4 * (score >= 0.5),
        "noise of ham": 3 * random.random(N),
        "noise of spam": 3 * random.random(N),
        "chance": WORDS[change(true, 1.0)],
        "another chance": WORDS[change(true, 1.0)],
    }


COLUMNS = _make_columns()


def read(file: str) -> pa.Table:
    """Return the table of a file, written `name=what it holds; …`; p_=shares are three columns, one a class."""
    columns: dict[str, np.ndarray] = {"id": np.arange(N).astype(str)}
    for name, holds in (part.split("=") for part in file.split("; ")):
        if holds in ("shares", "logits", "margins", "noises"):
            kinds = {known: column for known, column in COLUMNS.items() if known.startswith(f"{holds[:-1]} of ")}
            columns |= {f"{name}{known.split()[-1]}": column for known, column in kinds.items()}
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
    ("label=truth; answer=text; output=text; p_=shares", "label", "p_billing p_refund p_shipping"),
    # ordinary names
    ("gold=truth; checked=second; guess=pred", "gold", "guess"),
    ("annotation=truth; output=pred", "annotation", "output"),
    ("x=second; annotation=truth; prediction=pred", "annotation", "prediction"),
    ("class=truth; previous=old; guess=pred", "class", "guess"),
    ("guess=pred; answer=truth", "answer", "guess"),
    ("text=text; answer=pred; correct_answer=truth", "correct_answer", "answer"),
    ("text=text; answer=pred; solution=truth", "solution", "answer"),
    ("human_label=truth; model_label=pred", "human_label", "model_label"),
    ("label=ham or spam; pred=ham or spam at 0.5; z_=noises", "label", "pred"),
    ("label=truth; prediction=pred; p_=shares", "label", "prediction"),
    ("outcome=member; ref=ham or spam; score=score", "ref", "score"),
    ("classifier=pred; annotator=truth", "annotator", "classifier"),
    ("label=truth; annotator_1=second; annotator_2=third; prediction=pred", "label", "prediction"),
    ("annotator_1=second; annotator_2=third; majority=truth; pred=pred", "majority", "pred"),
    # another person's labels and an old model's stand behind the model's own output
    ("label=truth; annotator_2=second; output=answers", "label", "output"),
    ("text=text; gold=truth; second_annotator=second; response=answers", "gold", "response"),
    ("label=truth; annotator_2=second; p_=shares", "label", "p_billing p_refund p_shipping"),
    ("gold=truth; majority_vote=third; p_=shares", "gold", "p_billing p_refund p_shipping"),
    ("label=truth; old_prediction=old; output=answers", "label", "output"),
    ("label=truth; old_pred=old; new_pred=pred", "label", "new_pred"),
    ("label=truth; previous_prediction=old; prediction=pred", "label", "prediction"),
    ("label=truth; baseline_pred=old; model_pred=pred", "label", "model_pred"),
    ("label=truth; old_pred=old; p_=shares", "label", "p_billing p_refund p_shipping"),
    # of two columns named like a truth, the one that shares labels with what is predicted
    ("target=region; gold_label=truth; prediction=pred", "gold_label", "prediction"),
    ("target=region; label=truth; prediction=pred", "label", "prediction"),
    ("label=region; category=truth; prediction=pred", "category", "prediction"),
    ("category=region; true_label=truth; prediction=pred", "true_label", "prediction"),
    ("class=region; outcome=truth; p_=shares", "outcome", "p_billing p_refund p_shipping"),
    ("class=region; survived=spam; survived_pred=cut", "survived", "survived_pred"),
    # the name of the truth with a model's word, or another source's, is that of its prediction
    ("label=region; intent=truth; top_intent=chance", "intent", "top_intent"),
    ("category=region; coded=truth; machine_coded=pred", "coded", "machine_coded"),
    ("status=region; human=truth; model=pred", "human", "model"),
    ("actual_label=pred; expected_label=truth", "expected_label", "actual_label"),
    ("ref=truth; hyp=chance; baseline=old", "ref", "hyp"),
    ("category=region; gt=ham or spam; score=score", "gt", "score"),
    # a cut of the score is no truth beside a better one
    ("label=cut; outcome=spam; score=score", "outcome", "label"),
    ("label=cut; score=score; member=member", "label", "score"),
    # a feature of the labels' values follows from no score
    ("label=spam; member=member; score=score", "label", "score"),
    ("label=truth; group=chance; p_=shares", "label", "p_billing p_refund p_shipping"),
    # nor is a flag that follows from one: of few rows, of the other side, of another number
    ("label=spam; score=score; audited=cut in twelve rows", "label", "score"),
    ("label=spam; score=score; approved=cut the other way", "label", "score"),
    ("label=spam; credit_score=credit; prime=good credit; prob=score", "label", "prob"),
    ("label=spam; score=score; confidence=sure of it; sure=member", "label", "score"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "truth", "predicted"), SILENT, ids=[file for file, *_ in SILENT])
def test_ordinary_file_is_read_right(file, truth, predicted):
    found = detect(read(file))
    settings = found.settings
    scores = " ".join(sorted(name for name, _ in settings.scores))
    assert (settings.truth, settings.pred or settings.raw or scores) == (truth, predicted)
    assert not found.warnings


WARNED = [
    ("gold_label=truth; system_label=truth; baseline=old", "gold_label", "system_label", "same as the truth"),
    ("label=truth; old_pred=old", "label", "old_pred", "another column took its place"),
    ("label=truth; human_label=second; pred=pred", "label", "pred", "'human_label' could be, too"),
    ("label=truth; majority_label=third; output=answers", "label", "output", "'majority_label' could be, too"),
    ("label=region; kind=truth; prediction=pred", "kind", "prediction", "by its values only: 'kind'"),
    # beside a prediction of its own, a word in the name of a feature is no truth
    ("label=truth; target_group=chance; prediction=another chance", "label", "prediction", "'target_group' could be"),
    ("label=truth; reference_area=chance; gpt4=another chance", "label", "gpt4", "'reference_area' could be"),
    ("label=spam; target_group=member; score=half", "label", "score", "'target_group' could be"),
    ("gold=truth; label=second; prediction=pred", "gold", "prediction", "'label' could be, too"),
    ("label=truth; pred_a=old; pred_b=pred", "label", "pred_a", "'pred_b' could be, too"),
    ("annotation=truth; output=old; v1_prediction=pred", "annotation", "v1_prediction", "'output' could be, too"),
    ("label=truth; bert=old; gpt4=pred", "label", "gpt4", "'bert' could be, too"),
    ("label=truth; model_v1=old; model_v2=pred", "label", "model_v1", "Compare compares models"),
    ("v1_prediction=pred; topic=truth; topic_predicted=region", "topic", "topic_predicted", "'v1_prediction' could be"),
    ("label=ham or spam; score=sure of it", "label", "score", "is never below 0.5, so every row is"),
    ("annotator_1=second; annotator_2=third; pred=pred", "annotator_1", "pred", "Agreement compares people"),
    ("annotator_a=truth; annotator_b=second; model_v1=old; model_v2=pred", "annotator_a", "model_v1", "compare all 4"),
    ("gold=truth; annotator_1=second; annotator_2=third", "gold", "annotator_1", "'annotator_2' could be, too"),
    ("label=cut; score=score; is_fraud=spam", "is_fraud", "label", "by its values only: 'is_fraud'"),
    ("target=cut; score=score; default=spam", "target", "score", "'default' could be, too"),
    ("label=ham or spam; pred=ham or spam at 0.5; z_=margins", "label", "pred", "were not used"),
    ("label=truth; v1_prediction=old; p_=shares", "label", "v1_prediction", "of the highest score in only"),
    ("rater_1=truth; rater_2=pred", "rater_1", "rater_2", "compare both on the page Agreement"),
    ("answer=text; human=truth; gpt4=pred; claude=chance", "human", "gpt4", "'claude' could be, too"),
    ("kind=truth; annotator_2=second; p_=shares", "annotator_2", "p_billing", "by its values only: 'annotator_2'"),
    (
        "label=ham or spam at 0.5; pred=ham or spam at 0.5; score=score; majority=ham or spam",
        "majority", "pred", "'label' could be, too",
    ),
    ("label=spam; detected=cut; reviewer=member; max_prob=sure of it", "label", "detected", "by its values only"),
    ("flagged=cut; fraud_score=score; fraud=spam", "fraud", "flagged", "by its values only: 'flagged'"),
    ("label=spam; decision=cut at 0.3; score=score; member=member", "label", "decision", "by its values only"),
    ("label=spam; low=cut at 0.3; high=cut; score=score", "label", "score", "'low', 'high' follow from the scores"),
    ("label=spam; score=score; threshold=0.3", "label", "score", "'threshold' is 0.3 in every row and was not used"),
    # what follows from the scores in other words is said, never read: what they mean, only a person knows
    ("label=spam; alert=True or False at 0.3; score=score", "label", "alert", "'alert' follows from the scores. Check"),
    ("label=spam; alert=yes or no at 0.3; score=score", "label", "score", "are not those of 'label'. If it"),
    ("label=spam; alert=flagged or ok at 0.3; score=score", "label", "score", "each of its words means (--merge)"),
    ("label=ham or spam; score=score; alert=flagged or ok at 0.5", "label", "score", "('flagged', 'ok') follows from"),
    ("label=truth; route=codes; p_=shares", "label", "p_billing", "are not those of 'label'"),
    ("label=spam; approved=cut the other way at 0.3; score=score", "label", "score", "less often than by chance"),
    # scores of 0 and 1 alone are predictions: they are read as such where they are the labels, and said to be
    ("label=spam; y_prob=cut", "label", "y_prob", "'y_prob' holds labels of 'label' and no scores. Check"),
    ("label=ham or spam; y_prob=cut", "label", "y_prob", "'y_prob' holds only 0 and 1, as predictions do."),
    ("label=spam; pred=cut; y_prob=cut", "label", "pred", "'y_prob' holds only 0 and 1, as predictions do."),
    ("label=truth; triage=pred; p_=shares; group=chance", "label", "triage", "by its values only: 'triage'"),
    ("label=spam; score=score; old_score=half; gender=member", "label", "score", "'old_score' may hold scores, too"),
    ("label=truth; reviewed=second", "label", "reviewed", "The prediction was found by its values only"),
    ("outcome=member; score=noise of ham; split=ham or spam", "outcome", "score", "by its values only: 'outcome'"),
    ("label=ham or spam; p_spam_v1=score; p_spam_v2=sure of it", "label", "p_spam_v1", "may hold scores, too"),
    ("text=text; stance=ham or spam; score=score", "stance", "score", "by its values only: 'stance'"),
    ("region=region; stance=truth; p_=shares", "stance", "p_billing", "by its values only: 'stance'"),
    ("label=ham or spam; z_=margins", "label", "z_ham", "taken as scores by their names and values only"),
    ("label=ham or spam; conf=sure of it; output_=margins", "label", "output_ham", "taken as scores by their names"),
    ("stance=ham or spam; previous_model=ham or spam at 0.5; risk=score", "stance", "previous_model", "took its place"),
    ("label=ham or spam; loss=sure of it; output_=margins", "label", "output_ham", "taken as scores by their names"),
    ("human=truth; model=chance; majority=second", "human", "model", "compare all 3 on the page Agreement"),
    ("actual_class=region; pred=pred; majority=second", "majority", "pred", "'actual_class' could be, too"),
]  # fmt: skip


TRUTH_SAID, PREDICTED_SAID = ("true", "gold", "actual", "expected", "gt", "reference"), ("pred", "predicted", "guess")
NOUNS = ("label", "category", "y", "intent", "species")


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("noun", NOUNS)
def test_word_of_truth_outweighs_a_general_name(noun, order):
    for joined in (f"{noun}_{{}}", f"{{}}.{noun}"):
        for said, others in ((TRUTH_SAID, ("label", "class", "prediction")), (PREDICTED_SAID, ("label", "truth"))):
            for name, other in ((joined.format(word), other) for word in said for other in others):
                truth, predicted = (name, other) if said is TRUTH_SAID else (other, name)
                columns = [f"{truth}=truth", f"{predicted}=pred"]
                settings = detect(read("; ".join(columns[::order]))).settings
                assert (settings.truth, settings.pred) == (truth, predicted)


@pytest.mark.parametrize(("file", "truth", "predicted", "says"), WARNED, ids=[file for file, *_ in WARNED])
def test_second_column_that_could_be_is_said(file, truth, predicted, says):
    found = detect(read(file))
    settings = found.settings
    assert (settings.truth, settings.pred or settings.raw or settings.scores[0][0]) == (truth, predicted)
    assert any(says in text for text in found.warnings), found.warnings


def test_decision_of_few_rows_is_said():
    table = pa.table({"label": list("0101010101"), "score": np.arange(10) / 20, "alert": ["0"] * 6 + ["1"] * 4})
    assert detect(table).warnings == (
        "'alert' ('0', '1') follows from the scores and was not used: too few rows tell. If it holds the predictions, "
        "choose it (--pred).",
    )


@pytest.mark.parametrize(
    "truth", ["neutral neutral negative negative neutral", "neutral negative positive neutral neutral"]
)
def test_second_model_of_few_rows_is_said(truth):
    rows = {
        "gold": truth,
        "svm": "neutral negative neutral negative neutral",
        "claude": "positive neutral negative neutral positive",
    }
    found = detect(pa.table({name: words.split() for name, words in rows.items()}))
    assert found.settings.pred == "claude" and any("'svm' could be, too" in text for text in found.warnings)


@pytest.mark.parametrize(
    "others", [{"y_pred": [0.1, 0.9, 0.1]}, {"score": [0.2, 0.9, 0.4]}, {"y_pred": ["a", "b", "a"]}]
)
def test_truth_of_fractions_is_a_question(others):
    with pytest.raises(RolesNeeded, match="'y_true' is named like true labels, but holds fractions"):
        detect(pa.table({"y_true": [0.1, 0.9, 0.9], **others}))


ASKED = [
    ("truth=truth; gold=second; prediction=pred", "'truth' and 'gold' could each be the true labels"),
    ("label=truth; reviewed=second; checked=third", "could each be the predictions"),
    ("label=cut; default=spam; score=score", "'label' and 'default' could each be the true labels"),
]


@pytest.mark.parametrize(("file", "says"), ASKED, ids=[file for file, _ in ASKED])
def test_column_with_an_equal_rival_is_asked_for(file, says):
    with pytest.raises(RolesNeeded, match=says) as question:
        detect(read(file))
    guess = question.value.guess
    given = {"truth": guess.truth, "pred": guess.pred, "score": guess.score}
    assert detect(read(file), given={role: name for role, name in given.items() if name}).settings.truth == guess.truth


def test_reason_names_the_evidence_and_the_next():
    found = detect(read("label=region; category=truth; prediction=pred"))
    assert next(role.why for role in found.roles if role.role == "truth") == (
        "by its name, labels shared with predictions or scores and its agreement with what is predicted; "
        "the next is 'label', by its name"
    )


def test_a_named_score_stands_before_a_confidence():
    for name in ("fraud_score", "p_spam", "score"):
        found = detect(read(f"label=ham or spam; prediction=ham or spam at 0.5; confidence=sure of it; {name}=score"))
        assert found.settings.scores == ((name, "spam"),)


def test_named_scores_with_any_prefix_are_taken():
    found = detect(
        read("label=ham or spam; pred=ham or spam at 0.5; z_=margins"), given={"scores": ("z_ham", "z_spam")}
    )
    assert found.settings.scores == (("z_ham", "ham"), ("z_spam", "spam"))
    assert not found.warnings


@pytest.mark.parametrize(
    ("file", "scores"),
    [
        ("label=spam; pred_lr=cut; pred_rf=cut at 0.3", ()),
        ("label=spam; pred_lr=cut; pred_rf=cut at 0.3; prob_lr=score", (("prob_lr", "1"),)),
        ("label=spam; pred=cut; prob_old=noise of ham; prob_new=score", (("prob_new", "1"),)),
    ],
)
def test_score_is_of_the_model_that_predicts(file, scores):
    assert detect(read(file)).settings.scores == scores


@pytest.mark.parametrize(("column", "scores"), [("sure of it", ()), ("score", (("risk", "spam"),))])
def test_fractions_cut_into_predictions_are_the_score(column, scores):
    rows = read(f"label=ham or spam; pred=ham or spam at 0.5; risk={column}; loss=sure of it")
    assert detect(rows).settings.scores == scores


def test_compare_offers_models_only():
    rows = read("label=truth; pred=pred; annotator_2=second; human=third; majority_vote=second; model_b=old; eva=third")
    found = build(rows, detect(rows).settings, name="d", content_sha256="0")
    assert [run.name for run in list_other_columns(found)] == ["model_b", "eva"]
    rows = read("anna=truth; clara=third; judge_a=pred; judge_b=old")
    found = build(rows, detect(rows).settings, name="d", content_sha256="0")
    assert (found.settings.truth, found.settings.pred) == ("anna", "judge_a")
    assert [run.name for run in list_other_columns(found)] == ["judge_b"]


@pytest.mark.parametrize("true_first", [True, False])
@pytest.mark.parametrize(("true", "predicted"), [("{}.0", "{}"), ("{}", "{}.0"), ("{}.0", "{}.0")])
@pytest.mark.parametrize("names", [("truth", "label", "score"), ("y_true", "label", "p_1"), ("label_true", "label")])
def test_numbers_with_a_point_are_the_same_labels(names, true, predicted, true_first):
    """A column of whole numbers with a gap is written 1.0, the other one 1."""
    truth, score = np.arange(N) % 2, np.random.default_rng(0).uniform(0.6, 0.95, N).round(2).tolist()
    pred = np.where(np.arange(N) % 5 == 0, 1 - truth, truth)
    columns = [[true.format(code) for code in truth], [predicted.format(code) for code in pred], score]
    table = dict(zip(names, columns, strict=False))
    found = detect(pa.table(table if true_first else dict(reversed(table.items()))))
    assert (found.settings.truth, found.settings.pred) == names[:2]
    evaluation = build(pa.table(table), found.settings, name="t", content_sha256="0")
    assert (evaluation.y_true == evaluation.y_pred).mean() == pytest.approx(0.8)


@pytest.mark.parametrize("true_first", [True, False])
@pytest.mark.parametrize("n", [6, 30])
@pytest.mark.parametrize(
    ("true", "predicted"),
    [
        (("0", "1"), ("false", "true")),
        (("0", "1"), (False, True)),
        (("0", "1"), ("00", "01")),
        (("0.0", "1.0"), ("0", "1")),
        (("0.0", "1.0"), ("FALSE", "TRUE")),
        (("True", "False"), ("true", "false")),
    ],
)
@pytest.mark.parametrize(
    "names", [("truth", "label", "score"), ("actual", "output", "prob"), ("churned", "model", "score"), ("gt", "pred")]
)
def test_labels_spelled_otherwise_have_the_same_roles(names, true, predicted, n, true_first):
    """Truth and prediction are found as where both are 0 and 1, either way round."""
    codes = np.arange(n) % 2
    answers = np.where(np.arange(n) % 5 == 0, 1 - codes, codes)
    score = np.where(answers == 1, 0.8, 0.2) + np.random.default_rng(0).uniform(-0.19, 0.19, n).round(3)
    for of_truth, of_pred in ((true, predicted), (predicted, true)):
        columns = [[of_truth[code] for code in codes], [of_pred[code] for code in answers], score.tolist()]
        table = dict(zip(names, columns, strict=False))
        table = pa.table(table if true_first else dict(reversed(table.items())))
        found = detect(table)
        assert (found.settings.truth, found.settings.pred) == names[:2]
        evaluation = build(table, found.settings, name="t", content_sha256="0")
        assert (evaluation.y_true == evaluation.y_pred).mean() == pytest.approx((codes == answers).mean())


@pytest.mark.parametrize("true_first", [True, False])
@pytest.mark.parametrize("n", [8, 30, 200])
@pytest.mark.parametrize("words", [("no", "yes"), ("nein", "ja"), ("N", "Y"), ("negative", "positive")])
@pytest.mark.parametrize(
    "names", [("gold", "answer"), ("y_true", "label"), ("target", "class"), ("label", "answer"), ("label", "output")]
)
def test_prediction_of_other_words_is_no_truth(names, words, n, true_first):
    """A decision of 0 and 1 that follows from the score is not taken as the truth beside yes and no."""
    score = np.random.default_rng(n).permutation(np.linspace(0.02, 0.98, n)).round(3)
    decided = (score >= 0.5).astype(int)
    true = np.where(np.arange(n) % 5 == 0, 1 - decided, decided)
    table = {names[0]: [words[code] for code in true], names[1]: decided, "risk_score": score}
    found = detect(pa.table(table if true_first else dict(reversed(table.items()))))
    assert found.settings.truth == names[0]


@pytest.mark.parametrize("n", [12, 15, 200])
@pytest.mark.parametrize("names", [("answer", "reference"), ("class", "target"), ("label", "expected")])
def test_feature_of_other_words_is_no_truth(names, n):
    """A label of 0 and 1 that no threshold on the score makes is no decision. Yes and no beside it are no truth."""
    rng = np.random.default_rng(n)
    true = np.arange(n) % 2
    score = (true * 0.3 + rng.permutation(np.linspace(0.05, 0.65, n))).round(3)
    feature = rng.choice(["no", "yes"], n)
    found = detect(pa.table({names[0]: true, names[1]: feature, "model_score": score}))
    assert found.settings.truth == names[0]


@pytest.mark.parametrize("feature", ["reference_checked", "actual_visit", "gold_member"])
def test_question_names_labels_before_a_feature(feature):
    columns = {"category": ["ham", "spam"] * 20, "model_label": [0, 1] * 20, feature: ["no", "yes", "no", "no"] * 10}
    assert detect(pa.table(columns)).settings.truth == "category"


def test_models_of_unlike_labels_are_rivals():
    columns = {"target": [*"CDAB"], "bert_pred": [*"CBCB"], "gpt4_pred": [*"ADAD"]}
    found = detect(pa.table(columns))
    assert found.settings.pred == "bert_pred"
    assert any("'gpt4_pred' could be, too" in text for text in found.warnings)
    columns["gpt4_pred"] = [*"0101"]  # no label of the truth: the first in other words
    assert not detect(pa.table(columns)).warnings


@pytest.mark.parametrize("names", [("bert", "gpt4"), ("model_a", "model_b"), ("pred_a", "pred_b")])
@pytest.mark.parametrize("labels", [("0", "1"), ("no", "yes")])
@pytest.mark.parametrize("constant", [None, 0.3, 0.7])
def test_scores_of_two_models_stay_apart(names, labels, constant):
    rng = np.random.default_rng(1)
    true = rng.integers(0, 2, 200)
    columns = {"y_true": [labels[code] for code in true]}
    for model in names:
        scores = np.clip(0.3 + 0.4 * true + rng.normal(0, 0.25, 200), 0.01, 0.99)
        if model == names[1] and constant is not None:
            scores = np.full(200, constant)
        columns[model] = [labels[int(score >= 0.5)] for score in scores]
        columns[f"{model.removeprefix('pred_')}_score"] = scores
    found = detect(pa.table(columns))
    assert (found.settings.truth, found.settings.pred in names) == ("y_true", True)
    score = f"{found.settings.pred.removeprefix('pred_')}_score"
    assert found.settings.scores == ((score, labels[1]),)
    assert any("Choose another column" in text for text in found.warnings)


@pytest.mark.parametrize("labels", [("0", "1"), ("ham", "spam")])
@pytest.mark.parametrize("value", [0, 1, 0.7, None])
@pytest.mark.parametrize("name", ["score", "confidence", "bert_score", "bert_confidence"])
def test_a_score_that_says_nothing_predicts_nothing(name, value, labels):
    rng = np.random.default_rng(4)
    true = rng.integers(0, 2, 200)
    predicted = np.where(rng.random(200) < 0.85, true, 1 - true)
    scores = rng.integers(0, 2, 200) if value is None else [value] * 200
    columns = {"y_true": [labels[code] for code in true], "bert_label": [labels[code] for code in predicted]}
    found = detect(pa.table(columns | {name: scores}))
    assert (found.settings.truth, found.settings.pred) == ("y_true", "bert_label")


def test_a_hard_score_that_the_truth_follows_counts():
    rng = np.random.default_rng(6)
    true = rng.integers(0, 2, 200)
    columns = {name: np.where(rng.random(200) < right, true, 1 - true) for name, right in (("vip", 0.7), ("prob", 0.9))}
    words = {name: np.array(["ham", "spam"])[cells] for name, cells in (("y_true", true), ("vip", columns["vip"]))}
    assert detect(pa.table(words | {"prob": columns["prob"]})).settings.pred is None


@pytest.mark.parametrize("score", [[0, 1] * 6, [0.7] * 12])
def test_a_feature_of_few_rows_predicts_nothing(score):
    columns = {"y_true": [*"010111010001"], "married": [*"101101001011"], "prob": score}
    settings = detect(pa.table(columns)).settings
    assert settings.pred is None and settings.scores == (("prob", "1"),)


@pytest.mark.parametrize("models", [("bert", "gpt4"), ("bert", "xlnet")])
def test_confidences_of_0_and_1_predict_no_labels(models):
    rng = np.random.default_rng(5)
    true = rng.integers(0, 2, 200)
    columns = {"gold": true}
    for model in models:
        columns[f"{model}_label"] = np.where(rng.random(200) < 0.9, true, 1 - true)
        columns[f"{model}_confidence"] = rng.integers(0, 2, 200)
    if "gpt4" not in models:  # no name says which of the flags is predicted
        with pytest.raises(RolesNeeded, match="Predictions are missing"):
            detect(pa.table(columns))
        return
    found = detect(pa.table(columns))
    assert (found.settings.encoding, found.settings.truth) == ("single", "gold")
    other = next(f"{model}_label" for model in models if f"{model}_label" != found.settings.pred)
    assert any(repr(other) in text for text in found.warnings)


@pytest.mark.parametrize("names", [("model_a", "model_b"), ("gpt4", "claude")])
def test_scored_models_are_no_truth(names):
    rng = np.random.default_rng(3)
    true = rng.integers(0, 2, 300)
    columns = {"diagnosis": true}
    for model in names:
        scores = np.clip(0.3 + 0.4 * true + rng.normal(0, 0.2, 300), 0.01, 0.99)
        columns |= {model: (scores >= 0.5).astype(int), f"{model}_score": scores}
    found = detect(pa.table(columns))
    assert (found.settings.truth, found.settings.pred in names) == ("diagnosis", True)
    assert any("Check it" in text for text in found.warnings)


def test_topics_named_like_models_stay_labels():
    flags = [*"0110100110"]
    names = ["truth_ai", "truth_bot", "pred_ai", "pred_bot"]
    found = detect(pa.table({name: flags[place:] + flags[:place] for place, name in enumerate(names)}))
    assert [label for _, label in found.settings.truth_columns] == ["ai", "bot"]


@pytest.mark.parametrize("topics", [("ai", "art"), ("news", "sport")])
@pytest.mark.parametrize("name", ["{}_prob", "{}_score"])
def test_scores_of_0_and_1_predict_topics(topics, name):
    flags = np.random.default_rng(2).integers(0, 2, (2, 60))
    columns = {topic: flags[place] for place, topic in enumerate(topics)}
    columns |= {name.format(topic): np.append(flags[place][:50], [0] * 10) for place, topic in enumerate(topics)}
    settings = detect(pa.table(columns)).settings
    assert [label for _, label in settings.truth_columns] == [label for _, label in settings.pred_columns] == [*topics]


@pytest.mark.parametrize("second", ["ant ant bee bee", "bee ant ant bee"])
def test_model_of_few_words_is_a_rival(second):
    columns = {"gt": ["ant", "bee", "bee", "ant"] * 2, "bert": second.split() * 2, "gpt4": ["bee", "ant"] * 4}
    assert any("'bert' could be, too" in text for text in detect(pa.table(columns)).warnings)


@pytest.mark.parametrize(
    "names", [("truth_{}", "pred_{}"), ("{}", "{}_pred"), ("true_{}", "{}_prob"), ("{}", "{}_score")]
)
@pytest.mark.parametrize("feature", ["is_new", "weekend"])
def test_topics_beside_a_flag_stay_labels(names, feature):
    rng = np.random.default_rng(2)
    columns = {feature: rng.integers(0, 2, 60)}
    for topic in ("ai", "bot"):
        true = rng.integers(0, 2, 60)
        columns[names[0].format(topic)] = true
        columns[names[1].format(topic)] = true if "pred" in names[1] else 0.25 + true / 2
    found = detect(pa.table(columns))
    assert [label for _, label in found.settings.truth_columns] == ["ai", "bot"]


@pytest.mark.parametrize("n", [8, 200])
def test_feature_of_the_truths_words_is_no_model(n):
    rng = np.random.default_rng(3)
    country = rng.choice(["france", "spain"], n)
    columns = {"y_true": country, "gpt4": country, "birthplace": rng.choice(["france", "spain"], n)}
    warnings = detect(pa.table(columns)).warnings
    assert any("'birthplace' could be, too" in text for text in warnings) == (n < 20)  # few rows do not tell
