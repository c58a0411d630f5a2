"""Files that the tools themselves write, where they are installed (none of them is needed to run anything here)."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from data.engines.spark.session import open_session
from data.runs import load
from data.runs.load import Given
from tests.opened_runs import accuracy


@pytest.fixture(scope="module")
def table():
    features, labels = make_classification(300, random_state=0, flip_y=0.3)
    return pd.DataFrame(features, columns=[f"f{i}" for i in range(features.shape[1])]).assign(target=labels)


def evaluate(path, **given):
    return load.read_evaluation([path], Given(**given))


def test_cleanlab_label_issues(table, tmp_path):
    classification = pytest.importorskip("cleanlab.classification", reason="cleanlab is not installed")
    found = classification.CleanLearning(LogisticRegression()).find_label_issues(
        table.drop(columns="target").to_numpy(), table["target"].to_numpy()
    )
    found.to_csv(tmp_path / "issues.csv", index=False)
    e = evaluate(tmp_path / "issues.csv")
    assert e.receipt.files[0].source == "cleanlab" and e.y_score is None
    assert accuracy(e) == pytest.approx((found["given_label"] == found["predicted_label"]).mean())


@pytest.mark.timeout(300)
def test_mlflow_evaluation_table(table, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    predicted = LogisticRegression().fit(table.drop(columns="target"), table["target"]).predict
    data = table.assign(prediction=predicted(table.drop(columns="target")))

    def right(predictions, targets):
        scores = [float(p == t) for p, t in zip(predictions, targets, strict=True)]
        return mlflow.metrics.MetricValue(scores=scores)

    metric = mlflow.metrics.make_metric(eval_fn=right, greater_is_better=True, name="right")
    with mlflow.start_run():
        result = mlflow.models.evaluate(
            data=data, targets="target", predictions="prediction", model_type="classifier", extra_metrics=[metric]
        )
    rows = result.tables["eval_results_table"]
    (tmp_path / "eval_results_table.json").write_text(rows.to_json(orient="split", index=False))
    rows.to_csv(tmp_path / "eval_results_table.csv", index=False)
    for name in ("eval_results_table.json", "eval_results_table.csv"):
        e = evaluate(tmp_path / name)
        assert (e.settings.truth, e.settings.pred, e.y_score) == ("target", "prediction", None)
        assert accuracy(e) == pytest.approx((data["target"] == data["prediction"]).mean())


@pytest.mark.timeout(300)
def test_spark_predictions_as_text_json_and_parquet(table, tmp_path, monkeypatch):
    pytest.importorskip("pyspark.sql", reason="pyspark (and the Java that it needs) is not installed")
    monkeypatch.setenv("BLINDSPOT_SPARK", "local[2]")
    score = 1 / (1 + np.exp(-table["f0"]))
    arrays = {"features": ("f0", "f1"), "rawPrediction": ("low", "f0"), "probability": ("no", "score")}
    plain = table[["f0", "f1"]].assign(low=-table["f0"], no=1 - score, score=score)
    plain.assign(label=table["target"] * 1.0, prediction=(score > 0.5) * 1.0).to_parquet(tmp_path / "plain.parquet")
    spark = open_session(1 << 30, "test").spark  # the one of the other tests: another would take 15 s to start
    from pyspark.ml.functions import array_to_vector
    from pyspark.sql.functions import array

    vectors = [array_to_vector(array(*parts)).alias(name) for name, parts in arrays.items()]
    made = spark.read.parquet(str(tmp_path / "plain.parquet")).select("label", *vectors, "prediction").coalesce(1)
    shown = made.toPandas()  # as transform() of a classifier gives it
    shown.to_csv(tmp_path / "preds.csv", index=False)
    made.write.json(str(tmp_path / "as_json"))
    made.write.parquet(str(tmp_path / "as_parquet"))
    expected = np.array([probability[1] for probability in shown["probability"]])
    written = [tmp_path / "preds.csv"]
    for folder, ending in (("as_json", ".json"), ("as_parquet", ".parquet")):
        part = next((tmp_path / folder).glob(f"part-*{ending}"))
        written.append(part.rename(tmp_path / f"preds{ending}l" if ending == ".json" else tmp_path / f"preds{ending}"))
    for path in written:
        e = evaluate(path)
        assert e.settings.truth == "label" and e.settings.pred == "prediction"
        assert np.allclose(e.y_score[:, 0], expected)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("labels", [("no", "yes"), (0, 1)])
def test_h2o_predictions(table, tmp_path, labels):
    h2o = pytest.importorskip("h2o", reason="h2o (and the Java that it needs) is not installed")
    h2o.init(nthreads=1, max_mem_size="1g")
    frame = h2o.H2OFrame(table[["f0", "f1"]].assign(outcome=np.array(labels)[table["target"]]))
    frame["outcome"] = frame["outcome"].asfactor()
    model = h2o.estimators.H2OGeneralizedLinearEstimator(family="binomial")
    model.train(x=["f0", "f1"], y="outcome", training_frame=frame)
    made = model.predict(frame).cbind(frame["outcome"]).as_data_frame()
    h2o.cluster().shutdown()
    made.to_csv(tmp_path / "preds.csv", index=False)
    e = evaluate(tmp_path / "preds.csv")
    assert e.settings.truth == "outcome" and e.settings.pred == "predict"
    assert np.allclose(e.y_score[:, 0], made.iloc[:, 2]) and e.labels[e.positive] == str(labels[1])
    assert accuracy(e) == pytest.approx((made["predict"] == made["outcome"]).mean())


def test_hugging_face_text_classification_results(tmp_path):
    """The script writes an index and the label's name, a tab between; the labels are the data set's, in its order."""
    names, truth = ["anger", "joy"], [0, 1, 1, 0]
    lines = [f"{index}\t{names[label]}\n" for index, label in enumerate([0, 1, 0, 0])]
    (tmp_path / "predict_results.txt").write_text("index\tprediction\n" + "".join(lines))
    rows = [{"text": "…", "label": names[label]} for label in truth]
    (tmp_path / "test.json").write_text("\n".join(map(json.dumps, rows)))
    e = load.read_evaluation([tmp_path / "predict_results.txt", tmp_path / "test.json"], Given())
    assert accuracy(e) == 0.75
