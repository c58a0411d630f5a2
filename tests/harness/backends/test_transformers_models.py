"""Models on this machine: batches give what single prompts give, and the same command writes the same bytes."""

import csv
import json
import random
import shlex
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from cli import main

torch = pytest.importorskip("torch", reason="torch is not installed (requirements-models.txt)")
transformers = pytest.importorskip("transformers", reason="transformers is not installed (requirements-models.txt)")

from harness.backends.transformers_models import open_model  # noqa: E402
from harness.models import Options, parse_model  # noqa: E402
from tests.harness.tiny_models import INTENTS, make_classifier, make_language_model, question  # noqa: E402

N = 30


def prompt_of(text: str) -> str:
    return f"{' '.join(INTENTS)}\n{text}\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Questions, prompt, a model with and one without a chat template, and two classifiers."""
    folder, drawn = tmp_path_factory.mktemp("tiny"), random.Random(1)
    rows = [(question(drawn, intent), intent) for intent in INTENTS * 40]
    texts, intents = [text for text, _ in rows], [intent for _, intent in rows]
    prompts = [prompt_of(text) for text in texts]
    make_language_model(folder / "plain", prompts, intents, steps=100)
    make_language_model(folder / "chat", prompts, intents, steps=10, chat=True)
    codes = [INTENTS.index(intent) for intent in intents]
    make_classifier(folder / "single", texts, INTENTS, codes, multilabel=False, steps=40)
    flags = [
        [float(code == c), float("card" in text), float("money" in text)]
        for c in [0]
        for code, text in zip(codes, texts, strict=True)
    ]
    make_classifier(folder / "several", texts, ("arrival", "card", "money"), flags, multilabel=True, steps=60)
    with (folder / "q.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "intent", "tags"])
        for place in range(N):
            text = question(drawn, INTENTS[place % 4])
            tags = [word for word in ("card", "money") if word in text]
            writer.writerow([text, INTENTS[place % 4], json.dumps((["arrival"] if place % 4 == 0 else []) + tags)])
    (folder / "prompt.txt").write_text("{{ labels|join(' ') }}\n{{ text }}\n\n")  # Jinja takes one newline off the end
    return folder


@pytest.fixture
def folder(made, monkeypatch, read_questions_here) -> Path:
    monkeypatch.chdir(made)
    for path in made.glob("*.records.jsonl"):
        path.unlink()
    return made


def run(model: str, more: str = "", truth: str = "intent", output: str = "p.parquet") -> int:
    prompt = "" if model.startswith("classifier:") else "--prompt prompt.txt"
    words = f"run q.csv --text text --truth {truth} {prompt} --model {model} -o {output} {more}"
    return main(shlex.split(words))


def test_language_model_answers_with_its_labels(folder, capsys):
    assert run("hf:plain", "--label-set card_arrival,lost_card,refund,top_up --batch 7") == 0
    rows = pq.read_table("p.parquet").to_pylist()
    assert sum(row["parsed_label"] == row["truth"] for row in rows) > N / 2
    assert {row["finish_reason"] for row in rows} <= {"stop", "length"} and "latency_seconds" not in rows[0]
    manifest = json.loads(Path("p.manifest.json").read_text())
    assert manifest["identity"]["settings"]["do_sample"] is False and len(manifest["identity"]["revision"]) == 64
    assert {"torch", "transformers"} <= set(manifest["versions"])


@pytest.mark.parametrize("model", ["hf:plain", "hf:chat", "classifier:single"])
def test_same_command_writes_the_same_bytes(folder, model):
    found = []
    for place in range(2):
        assert run(model, "--batch 8", output=f"same{place}.parquet") == 0
        found.append(Path(f"same{place}.parquet").read_bytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("model", ["plain", "chat"])
def test_batches_give_what_plain_greedy_calls_give(folder, model):
    texts = [question(random.Random(place), INTENTS[place % 4]) for place in range(9)]
    prompts = [prompt_of(text) + "x " * place for place, text in enumerate(texts)]  # of different lengths
    found: dict[str, str | None] = {}
    asked = open_model(parse_model(f"hf:{model}"), Options(batch=4, max_tokens=6))
    asked.ask(
        [(str(place), prompt) for place, prompt in enumerate(prompts)],
        lambda group: found.update((key, answer.raw) for key, answer in group) or True,
    )
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    plain = transformers.AutoModelForCausalLM.from_pretrained(model)
    for place, prompt in enumerate(prompts):
        text = f"<user>{prompt}<bot>" if model == "chat" else prompt
        ids = tokenizer(text, return_tensors="pt", return_token_type_ids=False)
        made = plain.generate(**ids, max_new_tokens=6, do_sample=False)[0, ids["input_ids"].shape[1] :]
        assert found[str(place)] == tokenizer.decode(made, skip_special_tokens=True), place


def test_too_long_prompt_is_a_row_with_reason(folder):
    with Path("long.csv").open("w") as file:
        file.write("text,intent\nshort one,refund\n" + "word " * 300 + ",refund\n")
    words = "run long.csv --text text --truth intent --prompt prompt.txt -o long.parquet --model hf:plain"
    assert main(words.split()) == 0
    rows = pq.read_table("long.parquet").to_pylist()
    assert [row["error"] for row in rows] == [None, "too long: more tokens than the model reads"]


def test_classifier_writes_its_logits(folder, capsys):
    assert run("classifier:single", "--batch 4") == 0
    table = pq.read_table("p.parquet")
    logits = np.array([table[f"logit_{label}"].to_pylist() for label in INTENTS]).T
    tokenizer = transformers.AutoTokenizer.from_pretrained("single")
    model = transformers.AutoModelForSequenceClassification.from_pretrained("single")
    for text, row in zip(table["text"].to_pylist(), logits, strict=True):
        with torch.inference_mode():
            alone = model(**tokenizer(text, return_tensors="pt")).logits[0].numpy()
        np.testing.assert_allclose(row, alone, atol=1e-5)
    assert table["prediction"].to_pylist() == [INTENTS[code] for code in logits.argmax(axis=1)]
    capsys.readouterr()
    assert main(["score", "p.parquet", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    assert numbers["task"] == "multiclass" and "roc_auc_per_class" in numbers
    assert numbers["accuracy"] == np.mean(np.array(table["prediction"]) == np.array(table["truth"]))


def test_multilabel_classifier_counts_logits_from_zero(folder, capsys):
    assert run("classifier:several", truth="tags") == 0
    table = pq.read_table("p.parquet")
    labels = ("arrival", "card", "money")
    logits = np.array([table[f"logit_{label}"].to_pylist() for label in labels]).T
    found = [json.loads(cell) for cell in table["prediction"].to_pylist()]
    assert found == [[label for label, logit in zip(labels, row, strict=True) if logit >= 0] for row in logits]
    assert json.loads(Path("p.manifest.json").read_text())["identity"]["settings"] == {
        "problem_type": "multi_label_classification"
    }
    out = capsys.readouterr().out
    exact = np.mean([a == b for a, b in zip(table["prediction"].to_pylist(), table["truth"].to_pylist(), strict=True)])
    assert f"accuracy {100 * exact:.1f} %" in out
    assert main(["score", "p.parquet", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    assert numbers["task"] == "multilabel" and numbers["subset_accuracy"] == pytest.approx(exact)


def test_dry_run_counts_tokens_exactly(folder, capsys):
    assert run("hf:plain", "--dry-run --limit 3 --sample first") == 0
    with Path("q.csv").open() as file:
        prompts = [prompt_of(row["text"]) for row in list(csv.DictReader(file))[:3]]
    tokenizer = transformers.AutoTokenizer.from_pretrained("plain")
    n = sum(len(tokenizer(prompt)["input_ids"]) for prompt in prompts)
    assert f"Input: {n} tokens (counted by the model's tokenizer)" in capsys.readouterr().out


def test_retrained_model_is_another_identity(folder, capsys, tmp_path):
    import shutil

    shutil.copytree("single", tmp_path / "single")
    assert run(f"classifier:{tmp_path / 'single'}", output="again.parquet") == 0
    model = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "single")
    with torch.no_grad():
        model.classifier.bias += 1
    model.save_pretrained(tmp_path / "single")
    assert run(f"classifier:{tmp_path / 'single'}", output="again.parquet") == 2
    assert "is of a run that differs in revision" in capsys.readouterr().err


def test_unknown_model_gets_one_sentence(folder, capsys, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert run("hf:./nothing-here") == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("The model './nothing-here' could not be loaded (") and said.endswith(
        "check its name or folder."
    )
