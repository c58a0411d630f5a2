"""Logs of other tools, written by hand from their documented keys, against the table that each must give."""

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from data.errors import DataError
from data.evaluation import FileFacts
from data.reading.dispatch import read_table


def read(folder: Path, name: str, content: str) -> tuple[pa.Table, FileFacts]:
    path = folder / "upload"
    path.write_text(content, encoding="utf-8")
    return read_table(path, name)


def lines(records: list[Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def said(facts: FileFacts) -> str:
    return " ".join(facts.notes + facts.warnings)


def generated(doc_id: int, target: str, raw: str, parsed: Any, name: str = "strict") -> dict[str, Any]:
    return {
        "doc_id": doc_id,
        "doc": {"question": f"q{doc_id}"},
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": "prompt", "arg_1": {"until": ["\n"]}}},
        "resps": [[raw]],
        "filtered_resps": [parsed],
        "filter": name,
        "metrics": ["exact_match"],
        "doc_hash": "d",
        "prompt_hash": "p",
        "target_hash": "t",
        "exact_match": float(parsed == target),
    }


def chosen(doc_id: int, target: str, choices: list[str], logs: list[float], **metrics: Any) -> dict[str, Any]:
    pairs = [[str(log), str(log == max(logs))] for log in logs]
    arguments = {f"gen_args_{i}": {"arg_0": "prompt", "arg_1": f" {text}"} for i, text in enumerate(choices)}
    record = generated(doc_id, target, "", "", "none") | {"arguments": arguments, "metrics": list(metrics)}
    record |= {"resps": [[pair] for pair in pairs], "filtered_resps": pairs}
    del record["exact_match"]
    return record | metrics


def test_generated_answers_keep_text_filter_and_metric(tmp_path: Path) -> None:
    records = [
        generated(0, "yes", "The answer is yes.", "yes"),
        generated(1, "no", "Hm.", "[invalid]"),
        generated(0, "yes", "The answer is yes.", "The answer is yes.", "none"),
    ]
    table, facts = read(tmp_path, "samples_t.jsonl", lines(records))
    assert facts.source == "lm-evaluation-harness" and facts.format == "JSON lines"
    assert table.to_pydict() == {
        "id": ["0", "1", "0"],
        "target": ["yes", "no", "yes"],
        "prediction": ["yes", "[invalid]", "The answer is yes."],
        "output": ["The answer is yes.", "Hm.", "The answer is yes."],
        "filter": ["strict", "strict", "none"],
        "exact_match": ["1.0", "0.0", "0.0"],
        "doc.question": ["q0", "q1", "q0"],
    }
    assert "1 row: [invalid]" in said(facts) and "arguments" in said(facts)


def test_first_of_repeated_responses_is_taken(tmp_path: Path) -> None:
    record = generated(0, "a", "first", "first") | {"resps": [["first", "second"]], "filtered_resps": [["x"]]}
    table, facts = read(tmp_path, "s.jsonl", lines([record]))
    assert table.column("output").to_pylist() == ["first"] and table.column("prediction").to_pylist() == ["x"]
    assert any("several responses" in text for text in facts.warnings)


def test_shared_choices_are_labels_with_scores(tmp_path: Path) -> None:
    records = [
        chosen(0, "1", ["negative", "positive"], [-3.0, -1.0], acc=1.0),
        chosen(1, "0", ["negative", "positive"], [-1.0, -1.5], acc=1.0),
        chosen(2, "positive", ["negative", "positive"], [-1.0, -2.0], acc=0.0),
    ]
    table, facts = read(tmp_path, "s.jsonl", lines(records))
    assert table.column("target").to_pylist() == ["positive", "negative", "positive"]
    assert table.column("prediction").to_pylist() == ["positive", "negative", "negative"]
    expected = [1 / (1 + math.exp(-2.0)), 1 / (1 + math.exp(0.5)), 1 / (1 + math.exp(1.0))]
    assert table.column("p_positive").to_pylist() == pytest.approx(expected)
    summed = [a + b for a, b in zip(table["p_positive"].to_pylist(), table["p_negative"].to_pylist(), strict=True)]
    assert summed == pytest.approx([1.0] * 3)
    assert "softmax" in said(facts)


def test_choices_that_differ_are_letters_without_scores(tmp_path: Path) -> None:
    records = [chosen(0, "1", ["sun", "moon"], [-3.0, -1.0]), chosen(1, "0", ["up", "down"], [-3.0, -1.0])]
    table, facts = read(tmp_path, "s.jsonl", lines(records))
    assert table.select(["target", "prediction"]).to_pylist() == [
        {"target": "B", "prediction": "B"},
        {"target": "A", "prediction": "B"},
    ]
    assert not [name for name in table.column_names if name.startswith("p_")] and "letters" in said(facts)


def test_the_pair_of_f1_is_truth_and_prediction(tmp_path: Path) -> None:
    record = chosen(0, "no such label", ["a", "b"], [-1.0, -2.0], f1=[1, 0], mcc=[1, 0], acc=0.0)
    table, facts = read(tmp_path, "s.jsonl", lines([record]))
    assert table.select(["target", "prediction"]).to_pylist() == [{"target": "b", "prediction": "a"}]
    assert "f1" not in table.column_names and "f1" in said(facts)


@pytest.mark.parametrize(("target", "acc", "truth"), [("1", 1.0, "2"), ("1", 0.0, "1"), ("0", 0.0, "1")])
def test_digit_target_is_an_index_unless_accuracy_contradicts(
    tmp_path: Path, target: str, acc: float, truth: str
) -> None:
    record = chosen(0, target, ["1", "2"], [-2.0, -1.0], acc=acc)
    table, _ = read(tmp_path, "s.jsonl", lines([record]))
    assert table.column("target").to_pylist() == [truth]


def test_choices_in_the_context_come_from_the_document(tmp_path: Path) -> None:
    record = chosen(0, "0", ["same", "same"], [-2.0, -1.0]) | {"doc": {"choices": {"text": ["cat", "dog"]}}}
    table, _ = read(tmp_path, "s.jsonl", lines([record]))
    assert table.select(["target", "prediction"]).to_pylist() == [{"target": "cat", "prediction": "dog"}]


def test_unconditional_likelihood_is_no_choice(tmp_path: Path) -> None:
    record = chosen(0, "0", ["a", "b", "a", "b"], [-2.0, -3.0, -0.5, -0.1], acc_mutual_info=1.0)
    for i in (2, 3):
        record["arguments"][f"gen_args_{i}"]["arg_0"] = ""
    table, _ = read(tmp_path, "s.jsonl", lines([record]))
    assert table.select(["target", "prediction"]).to_pylist() == [{"target": "a", "prediction": "a"}]


def test_several_right_choices_are_a_json_list(tmp_path: Path) -> None:
    table, facts = read(tmp_path, "s.jsonl", lines([chosen(0, "[0, 2]", ["a", "b", "c"], [-1.0, -2.0, -3.0])]))
    assert table.column("target").to_pylist() == ['["a","c"]'] and "several right choices" in said(facts)


def test_an_undefined_likelihood_gives_no_prediction(tmp_path: Path) -> None:
    record = chosen(0, "0", ["a", "b"], [-1.0, -2.0]) | {"filtered_resps": [["nan", "False"], ["-1.0", "True"]]}
    table, facts = read(tmp_path, "s.jsonl", lines([record, chosen(1, "0", ["a", "b"], [-1.0, -2.0])]))
    assert table.column("prediction").to_pylist() == [None, "a"] and table.column("p_a").to_pylist()[0] is None
    assert "no number" in said(facts)


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("results.json", json.dumps({"results": {}, "configs": {}, "versions": {}, "n-shot": {}}), "--log_samples"),
        (
            "s.jsonl",
            lines([generated(0, "a", "-1.5", "-1.5") | {"arguments": {"gen_args_0": {"arg_0": "text"}}}]),
            "perplexity",
        ),
        ("s.jsonl", lines([chosen(0, "0", ["a", "b"], [-1.0, -2.0]), generated(1, "a", "b", "b")]), "row 2"),
    ],
)
def test_what_lm_eval_writes_without_labels_is_refused(tmp_path: Path, name: str, content: str, wanted: str) -> None:
    with pytest.raises(DataError, match=wanted):
        read(tmp_path, name, content)


def event(sample: str, kind: str, **data: Any) -> dict[str, Any]:
    return {"run_id": "r", "event_id": 0, "sample_id": sample, "type": kind, "data": data, "created_by": ""}


def test_events_of_openai_evals_are_joined_by_sample(tmp_path: Path) -> None:
    records = [
        {"spec": {"eval_name": "e"}},
        event("s.1", "sampling", prompt="p", sampled=["The answer: b"]),
        event("s.2", "sampling", prompt="p", sampled="a"),
        event("s.2", "match", correct=True, expected="a", picked="a"),
        event("s.1", "match", correct=False, expected=["a", "c"], picked=None),
        event("s.1", "metrics", accuracy=0),
        {"final_report": {"accuracy": 0.5}},
    ]
    table, facts = read(tmp_path, "run.jsonl", lines(records))
    assert facts.source == "OpenAI Evals"
    assert table.to_pylist() == [
        {"id": "s.1", "target": '["a","c"]', "prediction": "[invalid]", "correct": "false", "output": "The answer: b"},
        {"id": "s.2", "target": "a", "prediction": "a", "correct": "true", "output": "a"},
    ]
    assert "1 event of type metrics, 2 lines of the run itself" in said(facts)


def test_empty_match_is_unparsed_unless_always_empty(tmp_path: Path) -> None:
    matches = [event(f"s.{n}", "match", expected=["a"], picked=picked) for n, picked in enumerate(["a", None])]
    table, facts = read(tmp_path, "run.jsonl", lines(matches))
    assert table.column("prediction").to_pylist() == ["a", "[invalid]"] and "1 row: nothing was picked" in said(facts)
    assert table.column("target").to_pylist() == ["a", "a"] and "several expected" not in said(facts)
    table, facts = read(tmp_path, "run.jsonl", lines(matches[1:]))
    assert table.column("prediction").to_pylist() == [None]


def test_second_match_is_a_repetition(tmp_path: Path) -> None:
    matches = [event("s", "match", correct=True, expected="a", picked=picked) for picked in "ab"]
    table, facts = read(tmp_path, "run.jsonl", lines(matches))
    assert table.column("repetition").to_pylist() == ["1", "2"]
    assert table.column("prediction").to_pylist() == ["a", "b"] and "repetition" in said(facts)


def test_a_run_without_matches_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no event of type match"):
        read(tmp_path, "run.jsonl", lines([event("s", "sampling", sampled="x")]))


def result(test: int, prompt: int, output: Any, **more: Any) -> dict[str, Any]:
    return {
        "testIdx": test,
        "promptIdx": prompt,
        "provider": {"id": f"m{prompt}", "label": ""},
        "prompt": {"raw": "Classify: {{text}}", "label": "Classify: {{text}}"},
        "vars": {"text": f"t{test}", "expected": "spam"},
        "response": {"output": output},
        "success": output == "spam",
        "score": float(output == "spam"),
        "namedScores": {},
    } | more


def test_promptfoo_gives_a_row_per_test_and_prompt(tmp_path: Path) -> None:
    results = [result(0, 0, "spam"), result(0, 1, "ham"), result(1, 0, None, error="timeout", response=None)]
    document = {"evalId": "e", "results": {"version": 3, "prompts": [{}, {}], "results": results, "stats": {}}}
    table, facts = read(tmp_path, "results.json", json.dumps(document, indent=1))
    assert facts.source == "promptfoo"
    shown = table.select(["id", "prompt", "target", "output", "success", "vars.text"]).to_pylist()
    assert shown == [
        dict(zip(shown[0], row, strict=True))
        for row in (
            ("0", "[m0] Classify: {{text}}", "spam", "spam", "true", "t0"),
            ("0", "[m1] Classify: {{text}}", "spam", "ham", "false", "t0"),
            ("1", "[m0] Classify: {{text}}", "spam", None, "false", "t1"),
        )
    ]
    assert "the variable 'expected'" in said(facts) and "1 row: an error" in said(facts)


@pytest.mark.parametrize("path", [("results", "outputs"), ("results",)])
def test_older_layouts_of_promptfoo_give_the_same_rows(tmp_path: Path, path: tuple[str, ...]) -> None:
    new, _ = read(tmp_path, "a.jsonl", lines([result(0, 0, "spam"), result(1, 0, "ham")]))
    document: Any = [result(0, 0, "spam"), result(1, 0, "ham")]
    for key in reversed(path):
        document = {"version": 2, "stats": {}, key: document}
    table, facts = read(tmp_path, "a.json", json.dumps(document))
    assert facts.source == "promptfoo" and table.equals(new)


def test_promptfoo_label_comes_from_assertions(tmp_path: Path) -> None:
    tests = [[{"type": "equals", "value": "{{gold_is}}"}], [{"type": "llm-rubric", "value": "polite"}]]
    results = [
        result(i, 0, "spam", vars={"gold_is": "ham"}, testCase={"assert": checks}) for i, checks in enumerate(tests)
    ]
    table, facts = read(tmp_path, "a.jsonl", lines(results))
    assert table.column("target").to_pylist() == ["ham", None]
    assert "assertions (equals)" in said(facts) and "1 row: no expected label" in said(facts)


def test_long_prompt_goes_by_its_number(tmp_path: Path) -> None:
    table, _ = read(tmp_path, "a.jsonl", lines([result(0, 2, "x") | {"prompt": {"raw": "long " * 50}}]))
    assert table.column("prompt").to_pylist() == ["[m2] prompt 3"]
    with pytest.raises(DataError, match="without expected labels"):
        read(tmp_path, "a.jsonl", lines([result(0, 0, "x", vars={"text": "t"})]))


@pytest.mark.parametrize(("labels", "scores"), [("displayNames", "confidences"), ("classes", "scores")])
def test_vertex_label_order_does_not_matter(tmp_path: Path, labels: str, scores: str) -> None:
    records = [
        {"instance": {"content": "gs://a", "label": "cat"}, "prediction": {labels: ["cat", "dog"], scores: [0.9, 0.1]}},
        {"instance": {"content": "gs://b", "label": "cat"}, "prediction": {labels: ["dog", "cat"], scores: [0.7, 0.3]}},
        {"instance": {"content": "gs://c", "label": "dog"}, "status": {"code": 3}},
    ]
    table, facts = read(tmp_path, "prediction.results-00000.jsonl", lines(records))
    assert facts.source == "Vertex AI" and "1 row: no prediction" in said(facts)
    assert table.to_pydict() == {
        "prediction": ["cat", "dog", None],
        "p_cat": [0.9, 0.3, None],
        "p_dog": [0.1, 0.7, None],
        "instance.content": ["gs://a", "gs://b", "gs://c"],
        "instance.label": ["cat", "cat", "dog"],
    }


def test_pipeline_scores_become_columns(tmp_path: Path) -> None:
    outputs = [
        [{"label": "pos", "score": 0.75}, {"label": "neg", "score": 0.25}],
        [{"label": "neg", "score": 0.875}, {"label": "pos", "score": 0.125}],
        [{"label": "neg", "score": 0.5}],
    ]
    expected = {"prediction": ["pos", "neg", "neg"], "p_pos": [0.75, 0.125, None], "p_neg": [0.25, 0.875, 0.5]}
    for name, content in (("o.json", json.dumps(outputs)), ("o.jsonl", lines(outputs))):
        table, facts = read(tmp_path, name, content)
        assert table.to_pydict() == expected and facts.source == "Hugging Face pipeline"
        assert any("fewer labels" in text for text in facts.warnings)


def test_pipeline_with_one_label_names_the_prediction(tmp_path: Path) -> None:
    outputs = [{"label": "pos", "score": 0.75}, {"label": "neg", "score": 0.5}]
    table, _ = read(tmp_path, "o.json", json.dumps(outputs))
    assert table.to_pydict() == {"prediction": ["pos", "neg"], "score": [0.75, 0.5]}
    labelled = [record | {"text": "t"} for record in outputs]
    table, facts = read(tmp_path, "o.json", json.dumps(labelled))
    assert table.column_names == ["label", "score", "text"] and facts.source is None


def test_nested_labels_and_probabilities_become_columns(tmp_path: Path) -> None:
    probabilities = [
        [{"label": "a", "prob": 0.75}, {"label": "b", "prob": 0.25}],
        [{"label": "b", "prob": 0.5}, {"label": "a", "prob": 0.5}],
    ]
    records = [
        {"label": label, "predicted_label": "a", "predicted_label_probs": listed}
        for label, listed in zip("ab", probabilities, strict=True)
    ]
    table, facts = read(tmp_path, "bq.jsonl", lines(records))
    assert table.to_pydict() == {
        "label": ["a", "b"],
        "predicted_label": ["a", "a"],
        "p_a": [0.75, 0.5],
        "p_b": [0.25, 0.5],
    }
    assert "'predicted_label_probs'" in said(facts)


def test_what_if_tool_lists_are_split(tmp_path: Path) -> None:
    records = [{"y": "0", "predictions__probabilities": [0.25, 0.75]}, {"y": "1", "predictions__probabilities": [1, 0]}]
    table, _ = read(tmp_path, "wit.json", json.dumps(records))
    assert table["predictions__probabilities_1"].to_pylist() == [0.75, 0.0]


def test_counts_of_neo_stay_counts(tmp_path: Path) -> None:
    records = [
        {"actual": ["fruit:lemon"], "observed": ["fruit:apple"], "count": 3},
        {"actual": ["fruit:lemon", "taste:sour"], "observed": ["fruit:lemon", "taste:sweet"], "count": 1},
    ]
    table, facts = read(tmp_path, "neo.json", json.dumps(records))
    assert facts.source == "Neo" and table.to_pydict() == {
        "actual": ["fruit:lemon", "fruit:lemon,taste:sour"],
        "observed": ["fruit:apple", "fruit:lemon,taste:sweet"],
        "count": ["3", "1"],
    }


def test_wandb_and_mlflow_tables_are_read(tmp_path: Path) -> None:
    table = {"columns": ["Actual", "Predicted", "nPredictions"], "data": [["a", "b", 3], ["b", "b", 4]]}
    expected = {"Actual": ["a", "b"], "Predicted": ["b", "b"], "nPredictions": ["3", "4"]}
    for more in ({"column_types": {}, "ncols": 3, "nrows": 2}, {}, {"index": [0, 1]}):
        found, _ = read(tmp_path, "t.table.json", json.dumps(table | more))
        assert found.to_pydict() == expected
    _, facts = read(tmp_path, "t.table.json", json.dumps({"columns": ["a"], "data": [["x"]], "column_types": {}}))
    assert facts.source == "W&B"
    with pytest.raises(DataError, match="row 2 of its data"):
        read(tmp_path, "t.json", json.dumps({"columns": ["a", "b"], "data": [[1, 2], [3]]}))
    with pytest.raises(DataError, match="twice: 'a'"):
        read(tmp_path, "t.json", json.dumps({"columns": ["a", "a"], "data": [[1, 2]]}))


INSPECT = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {}, "results": {}}


def sample(name: Any, target: Any, answer: str | None, value: Any = "C", **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "epoch": 1,
        "input": "question",
        "target": target,
        "messages": [{"role": "user", "content": "question"}],
        "output": {"model": "m", "completion": f"I say {answer}"},
        "scores": {"match": {"value": value, "answer": answer, "history": []}},
        "metadata": {"topic": "x"},
    } | more


def test_inspect_log_has_samples_times_epochs(tmp_path: Path) -> None:
    samples = [
        sample("a", "yes", "yes"),
        sample("a", ["yes"], "no", "I", epoch=2),
        sample(7, ["no", "nope"], None, float("nan")),
        sample("b", "no", "no", error={"message": "stopped", "traceback": "…"}, scores={}),
    ]
    table, facts = read(tmp_path, "log.json", json.dumps(INSPECT | {"samples": samples}, indent=2))
    assert facts.source == "Inspect"
    assert table.to_pydict() == {
        "id": ["a", "a", "7", "b"],
        "epoch": ["1", "2", "1", "1"],
        "target": ["yes", "yes", '["no","nope"]', "no"],
        "output": ["I say yes", "I say no", "I say None", "I say no"],
        "prediction": ["yes", "no", None, None],
        "value_match": ["C", "I", None, None],
        "input": ["question"] * 4,
        "metadata.topic": ["x"] * 4,
        "error": [None, None, None, "stopped"],
    }
    for text in ("1 verdict: NaN", "1 sample: ended with an error", "1 sample: several targets"):
        assert text in said(facts)


def test_several_scorers_are_told_apart_and_infinity_passes(tmp_path: Path) -> None:
    scores = {"first": {"value": "C", "answer": "a"}, "second": {"value": float("inf"), "answer": "b"}}
    table, facts = read(tmp_path, "log.json", json.dumps(INSPECT | {"samples": [sample(1, "a", "", scores=scores)]}))
    assert table.select(["prediction", "answer_second", "value_second"]).to_pylist() == [
        {"prediction": "a", "answer_second": "b", "value_second": math.inf}
    ]
    assert any("answer_second" in text for text in facts.warnings)


def test_unfinished_inspect_log_is_warned_about(tmp_path: Path) -> None:
    log = INSPECT | {"status": "error", "samples": [sample(1, "a", "a")]}
    _, facts = read(tmp_path, "log.json", json.dumps(log))
    assert any("'error'" in text for text in facts.warnings)
    with pytest.raises(DataError, match="without samples"):
        read(tmp_path, "log.json", json.dumps(INSPECT | {"samples": []}))
