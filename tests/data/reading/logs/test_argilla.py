"""Records of Argilla: people's responses are the truth where they agree, a model's suggestions the predictions."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from data.runs import load
from data.runs.load import Given
from tests.opened_runs import accuracy

RESPONSES = [["spam"], ["ham", "ham"], ["ham", "spam"], [], ["spam", "spam"]]
SUGGESTIONS = ["spam", "spam", "ham", "ham", "spam"]


def nest(question: str, responses: list[Any], suggestions: list[Any]) -> list[dict[str, Any]]:
    return [
        {
            "id": str(row), "fields": {"text": f"text {row}"}, "metadata": {}, "vectors": {}, "status": "completed",
            "suggestions": {question: {"value": suggestion, "score": 0.9, "agent": "bert"}},
            "responses": {question: [{"value": value, "user_id": str(user)} for user, value in enumerate(given)]},
        }
        for row, (given, suggestion) in enumerate(zip(responses, suggestions, strict=True))
    ]  # fmt: skip


def flatten(question: str) -> pd.DataFrame:
    users = [[f"user {place}" for place in range(len(given))] or None for given in RESPONSES]
    statuses = [["submitted"] * len(given) or None for given in RESPONSES]
    responses = [given or None for given in RESPONSES]
    parts = {"suggestion": SUGGESTIONS, "suggestion.score": 0.9, "suggestion.agent": "bert"}
    parts |= {"responses": responses, "responses.users": users, "responses.status": statuses}
    columns = {f"{question}.{name}": cells for name, cells in parts.items()}
    return pd.DataFrame({"id": range(5), "status": "completed", "text": "text"} | columns)


@pytest.mark.parametrize("ending", ["nested.json", "json", "jsonl", "parquet", "csv"])
@pytest.mark.parametrize("question", ["label", "intent"])
def test_responses_on_which_people_agree_are_true(ending: str, question: str, tmp_path: Path) -> None:
    path = tmp_path / f"records.{ending}"
    flat = flatten(question)
    write = {
        "nested.json": lambda: path.write_text(json.dumps(nest(question, RESPONSES, SUGGESTIONS))),
        "json": lambda: flat.to_json(path, orient="records"),
        "jsonl": lambda: flat.to_json(path, orient="records", lines=True),
        "parquet": lambda: flat.to_parquet(path),
        "csv": lambda: flat.to_csv(path, index=False),
    }
    write[ending]()
    read = load.read_evaluation([path], Given())
    assert (read.settings.truth, read.settings.pred) == (f"{question}.responses", f"{question}.suggestion")
    assert read.n_scored == 3 and accuracy(read) == pytest.approx(2 / 3)
    assert any("In 1 row they differ: no true label." in note for note in read.receipt.files[0].notes)


@pytest.mark.parametrize("ending", ["nested.json", "json", "parquet", "csv"])
def test_drafts_and_discarded_answers_do_not_count(ending: str, tmp_path: Path) -> None:
    responses = [["spam"], ["ham", "spam"], ["ham"], ["spam", "spam"]]
    statuses = [["submitted"], ["submitted", "draft"], ["discarded"], ["submitted"] * 2]
    suggestions = ["spam", "spam", "ham", "ham"]
    path = tmp_path / f"records.{ending}"
    parts = {"responses": responses, "responses.status": statuses}
    flat = pd.DataFrame({"label.suggestion": suggestions, "label.suggestion.score": 0.9})
    flat = flat.assign(**{f"label.{name}": cells for name, cells in parts.items()})
    if ending == "nested.json":
        records = nest("label", responses, suggestions)
        for record, given in zip(records, statuses, strict=True):
            for answer, status in zip(record["responses"]["label"], given, strict=True):
                answer["status"] = status
        path.write_text(json.dumps(records))
    else:
        write = {"json": flat.to_json, "parquet": flat.to_parquet, "csv": flat.to_csv}
        write[ending](path)
    read = load.read_evaluation([path], Given())
    assert read.n_scored == 3 and accuracy(read) == pytest.approx(1 / 3)
    assert any("2 answers in 'label.responses' left out" in note for note in read.receipt.files[0].notes)


def test_one_persons_drafts_do_not_count(tmp_path: Path) -> None:
    columns = {"suggestion": ["a", "b", "a"], "suggestion.score": 0.9, "responses": ["a", "a", "b"]}
    columns["responses.status"] = ["submitted", "submitted", "draft"]
    pd.DataFrame(columns).add_prefix("topic.").to_csv(tmp_path / "records.csv", index=False)
    read = load.read_evaluation([tmp_path / "records.csv"], Given())
    assert read.n_scored == 2 and accuracy(read) == 0.5


def test_answers_without_a_status_all_count(tmp_path: Path) -> None:
    (tmp_path / "records.json").write_text(json.dumps(nest("label", RESPONSES, SUGGESTIONS)))
    read = load.read_evaluation([tmp_path / "records.json"], Given())
    assert any("all of them count" in note for note in read.receipt.files[0].notes)


def test_suggested_sets_are_compared(tmp_path: Path) -> None:
    sets = [["a"], ["a", "b"], ["b"]]
    (tmp_path / "records.json").write_text(json.dumps(nest("topics", [[cell] for cell in sets], sets[::-1])))
    read = load.read_evaluation([tmp_path / "records.json"], Given())
    assert (read.task, read.settings.truth, read.settings.pred) == (
        "multilabel", "topics.responses", "topics.suggestion"
    )  # fmt: skip


def test_agent_of_a_record_is_no_prediction(tmp_path: Path) -> None:
    labels = ["spam", "ham"] * 6
    scores = [[{"label": "spam", "score": 0.75}, {"label": "ham", "score": 0.25}]] * 12
    table = {"prediction": scores, "prediction_agent": "bert", "annotation": labels, "annotation_agent": "me"}
    pd.DataFrame(table).to_json(tmp_path / "records.json", orient="records")
    read = load.read_evaluation([tmp_path / "records.json"], Given())
    assert (read.settings.truth, read.settings.pred) == ("annotation", None)
    assert accuracy(read) == 0.5


def test_other_suggestions_are_not_of_argilla(tmp_path: Path) -> None:
    table = {"user.suggestion": ["a", "b"] * 4, "bot.responses": ["x", "y"] * 4, "y_true": ["ham", "spam"] * 4}
    pd.DataFrame(table | {"y_pred": table["y_true"]}).to_csv(tmp_path / "chat.csv", index=False)
    read = load.read_evaluation([tmp_path / "chat.csv"], Given())
    assert (read.settings.truth, read.settings.pred) == ("y_true", "y_pred")
