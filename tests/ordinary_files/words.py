"""Names and labels that people give to columns and classes in files of predictions."""

PAIRS = (
    ("y_true", "y_pred"), ("y_test", "y_pred"), ("label", "prediction"), ("label", "predicted_label"),
    ("labels", "preds"), ("actual", "predicted"), ("target", "prediction"), ("gold", "pred"), ("gold", "predicted"),
    ("ground_truth", "model_output"), ("ground_truth", "prediction"), ("truth", "estimate"), ("expected", "output"),
    ("reference", "answer"), ("true_label", "pred_label"), ("TrueLabel", "PredLabel"), ("Actual", "Predicted"),
    ("class", "predicted_class"), ("gold_label", "system_label"), ("gt", "pred"), ("ref", "hyp"), ("y", "yhat"),
    ("y", "y_hat"), ("category", "predicted_category"), ("true class", "predicted class"), ("obs", "pred"),
    ("truth", ".pred_class"), ("correct_label", "model_label"), ("expected_label", "actual_label"),
    ("human_label", "model_label"), ("manual_label", "auto_label"), ("gold_standard", "classifier_output"),
    ("label_true", "label_pred"), ("target", "pred"), ("actual_class", "predicted_class"), ("Wahrheit", "Vorhersage"),
    ("Label", "Vorhersage"), ("Klasse", "vorhergesagte Klasse"), ("Ist", "Prognose"), ("tatsächlich", "vorhergesagt"),
    ("wahre Klasse", "Vorhersage"), ("vérité", "prédiction"), ("classe réelle", "classe prédite"),
    ("étiquette", "prédiction"), ("réel", "prédit"),
)  # fmt: skip
"""(truth, prediction) as tools and people write them, each clear by itself."""

LOOSE_PAIRS = (
    ("label", "output"), ("label", "answer"), ("label", "guess"), ("annotation", "guess"), ("annotation", "output"),
    ("label", "classification"), ("category", "llm_category"), ("intent", "top_intent"), ("label", "suggested_label"),
    ("diagnosis", "model_diagnosis"), ("gold", "guess"), ("target", "output"), ("class", "output"), ("true", "guess"),
    ("annotation", "prediction"), ("human", "model"), ("annotator", "classifier"), ("reviewed_label", "bot_label"),
    ("label", "gpt4_label"), ("sentiment", "predicted_sentiment"), ("species", ".pred_species"), ("kind", "guess"),
    ("outcome", "prediction"), ("churn", "churn_pred"), ("topic", "topic_predicted"), ("answer", "model_answer"),
    ("correct_answer", "model_answer"), ("answer", "response"), ("kind", "predicted_kind"), ("class", "guess"),
    ("status", "predicted_status"), ("stance", "stance_pred"), ("label", "inferred"), ("verdict", "model_verdict"),
    ("label", "detected"), ("final_label", "model_prediction"), ("expert", "prediction"), ("coded", "machine_coded"),
)  # fmt: skip
"""(truth, prediction) that a person understands, though one name alone says little."""

BINARY = (
    ("ham", "spam"), ("0", "1"), ("no", "yes"), ("False", "True"), ("negative", "positive"), ("legit", "fraud"),
    ("stayed", "churned"), ("not_toxic", "toxic"), ("benign", "malignant"), ("0", "1"), ("No", "Yes"),
    ("false", "true"),
)  # fmt: skip
"""(negative, positive) classes whose names say which is which."""
EVEN = (("cat", "dog"), ("A", "B"), ("left", "right"), ("1", "2"), ("human", "machine"))
"""Two classes of which neither is the positive one by its name."""
MANY = (
    ("negative", "neutral", "positive"), ("cat", "dog", "bird"), ("setosa", "versicolor", "virginica"),
    ("World", "Sports", "Business", "Sci/Tech"), ("0", "1", "2"), ("1", "2", "3", "4", "5"),
    ("low", "medium", "high"), ("A", "B", "C", "D"), ("billing", "refund", "login", "delivery", "other"),
    ("entailment", "neutral", "contradiction"), ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
    ("anger", "fear", "joy", "sadness", "surprise", "disgust"), ("mild", "moderate", "severe"),
    ("bug", "feature request", "question"), ("T-shirt/top", "Trouser", "Pullover", "Dress"),
    ("en", "de", "fr", "es"), ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"),
)  # fmt: skip
AWKWARD = (
    ("none", "mild", "severe"), ("NA", "EU", "US"), ("null", "valid", "invalid"), ("None", "Minor", "Major"),
    ("N/A", "Yes", "No"), ("unknown", "cat", "dog"), ("Food, drink", "Bills, rent", "Travel"),
    ("sci-fi|fantasy", "drama", "crime"), ("other", "n/a", "spam"), ("0", "1"), ("0", "1"), ("0", "1"),
    ("01", "02", "10"), ("1e3", "2e3"), ("Mar-1", "Apr-2"), ("A/B", "A", "B"), ("+", "-"), ("C", "C++", "C#"),
)  # fmt: skip
"""Classes whose names look like missing values, lists, numbers or dates."""
MARKED = (
    ("C", "C++", "C#"), ("A", "A+", "A-", "B"), ("AB+", "AB-", "O+", "O-"), ("NET", ".NET", "Java"), (">50K", "<50K"),
    ("10", "-10", "20"), ("10", "10.5", "20"), ("2.5", "3.5", "3"), ("GPT-3", "GPT-3.5", "GPT-4"),
    ("node", "node.js", "deno"), ("AT", "AT&T", "BT"),
)  # fmt: skip
"""Classes whose names hold marks that elsewhere stand around a word."""
TAGS = (
    ("rude", "threat", "insult", "spam"), ("Action", "Comedy", "Drama", "Horror", "Romance"), ("a", "b", "c"),
    ("sports", "politics", "science"), ("python", "java", "sql", "bash", "go"), ("0", "1", "2", "3"),
)  # fmt: skip
"""Labels of which a row may have several."""
SET_PAIRS = (
    ("labels", "predicted_labels"), ("labels", "predictions"), ("true_labels", "pred_labels"), ("y_true", "y_pred"),
    ("tags", "predicted_tags"), ("gold", "pred"), ("genres", "predicted_genres"), ("actual", "predicted"),
    ("target", "output"), ("expected", "predicted"),
)  # fmt: skip

IDS = ("id", "ID", "row_id", "example_id", "doc_id", "index", "sample_id", "ticket", "message_id", "Unnamed: 0", "uuid")
TEXTS = ("text", "sentence", "message", "review", "question", "comment", "title", "content", "prompt", "utterance")
TEXTS_LIKE_TARGETS = ("target", "answer", "output", "response", "reference", "label_text", "answer_text")
"""Names of a free text beside the truth: the entity a stance is about, the answer of a candidate."""
WORDS = (
    *("the", "late", "order", "came", "back", "twice", "but", "nobody", "answered", "my", "call", "about", "it"),
    *("so", "I", "wrote", "again", "from", "home"),
)

LABEL_FEATURES = {
    "region": ("north", "south", "east", "west"), "gender": ("f", "m"), "split": ("test", "val"),
    "language": ("en", "de", "fr"), "channel": ("web", "phone", "mail"), "plan": ("free", "pro"),
    "difficulty": ("easy", "medium", "hard"), "source": ("batch_a", "batch_b"), "is_member": ("0", "1"),
    "has_link": ("0", "1"), "fold": ("0", "1", "2"), "segment": ("a", "b", "c"), "type": ("new", "old"),
    "device": ("ios", "android"), "status": ("open", "closed"), "category": ("shoes", "hats", "bags"),
    "verified": ("True", "False"), "priority": ("1", "2", "3"), "outcome": ("paid", "open"),
}  # fmt: skip
"""Ordinary columns of few values that are neither truth nor prediction."""
NUMBER_FEATURES = ("age", "length", "amount", "latency_ms", "n_words", "price", "temperature", "loss", "distance")
PEOPLE = ("annotator_2", "second_annotator", "annotator_b", "rater_2", "reviewer", "crowd_label", "majority")
OLD_MODELS = (
    "old_model",
    "previous_model",
    "baseline",
    "baseline_pred",
    "v1_prediction",
    "majority_class",
    "rule_based",
)
MODEL_COLUMNS = (
    ("bert_pred", "gpt4_pred"), ("pred_a", "pred_b", "pred_c"), ("prediction_v1", "prediction_v2"), ("bert", "gpt4"),
    ("pred_svm", "pred_rf"), ("svm", "claude"),
)  # fmt: skip
"""Predictions of several models beside one truth."""
WEIGHTS = ("weight", "sample_weight", "case_weights", "example_weights", "weights", "sample_weights")
VERDICTS = ("correct", "is_correct", "match", "hit", "error")
CONFIDENCES = ("confidence", "conf", "score", "prob", "max_prob", "certainty", "top_score", "prediction_score")

PROBABILITY_AFFIXES = (
    ("p_", ""), ("prob_", ""), ("proba_", ""), ("P(", ")"), ("", "_prob"), ("", "_proba"), ("probability_", ""),
    ("score_", ""), ("", "_score"), ("", ""), (".pred_", ""), ("pred_", ""), ("y_prob_", ""), ("predicted_prob_", ""),
    ("class_", ""), ("conf_", ""), ("prob.", ""), ("p.", ""), ("", " probability"), ("", "_confidence"),
    ("y_score_", ""),
)  # fmt: skip
LOGIT_AFFIXES = (
    ("logit_", ""), ("logits_", ""), ("", "_logit"), ("score_", ""), ("", "_score"), ("output_", ""), ("", ""),
    ("logit.", ""), ("decision_", ""), ("z_", ""), ("margin_", ""), ("raw_", ""),
)  # fmt: skip
POSITIVE_SCORES = (
    "score", "prob", "y_score", "y_proba", "probability", "pred_proba", "confidence", "p", "y_prob", "risk_score",
    "model_score", "prediction_score", "prediction_prob", "proba", "risk",
)  # fmt: skip
POSITIVE_LOGITS = ("logit", "logits", "decision_function", "score", "raw_score", "margin", "y_score")

CORNERS = {
    "truth": ("", "Actual", "actual", "True", "true label", "Reference", "Actual\\Predicted", "true/pred", "truth",
              "y_true", "Ground truth", "class", "label"),
    "prediction": ("Prediction", "predicted", "Pred", "Prediction\\Reference", "predicted/actual", "Predicted",
                   "pred", "Prediction/Reference", "y_pred", "Predicted \\ Actual"),
}  # fmt: skip
"""Texts in the corner of a confusion matrix, by the role of its rows."""
