"""One command goes from a file to predictions, goes on where it ended, and says in a sentence what is wrong."""

import csv
import json
import shlex
from contextlib import contextmanager

import pyarrow.parquet as pq
import pytest

from cli import main
from command import open_file, run
from command.option_files import parser_file
from data.reading.dispatch import hash_file
from data.reading.run_record import RUN_METADATA
from data.runs import load
from data.runs.draft import Draft, Given, unpack_draft
from data.store.run_progress import read_progress
from harness.answers import REFUSED, TIMEOUT, Answer, failed_answer
from harness.prompts import Prompts
from tests.harness.fake_model import FakeModel

LABELS = ("card_arrival", "lost_card", "refund", "top_up")
N = 24


def intent(number: int) -> str:
    return LABELS[number % 4]


def number_in(prompt: str) -> int:
    return int(prompt.rpartition("question ")[2].split()[0])


def reply(prompt: str) -> Answer:
    """Right in three of four rows; row 5 is refused, row 6 says nothing that could be read."""
    number = number_in(prompt)
    if number == 5:
        return failed_answer(REFUSED, "content filter")
    text = "I am not sure" if number == 6 else intent(number + (number % 4 == 3))
    return Answer(f"{text}.", finish="stop", input_tokens=10, output_tokens=2)


@pytest.fixture
def folder(tmp_path, monkeypatch, read_questions_here):
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "q.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["key", "text", "intent", "topic", "answer"])
        writer.writerows([f"k{n}", f"question {n} =1+1", intent(n), "xy"[n % 2], "old"] for n in range(N))
    (tmp_path / "prompt.txt").write_text("{% for label in labels %}{{ label }}\n{% endfor %}{{ text }}")
    return tmp_path


def ask(models: str, more: str = "") -> int:
    return main(shlex.split(f"run q.csv --text text --truth intent --prompt prompt.txt -o p.parquet {models} {more}"))


def test_run_writes_predictions_in_our_columns(folder, use, capsys):
    assert ask(use(FakeModel(reply))) == 0
    table = pq.read_table("p.parquet")
    assert table.column_names == [
        "id", "text", "truth", "answer", "parsed_label", "input_tokens", "output_tokens", "finish_reason", "error",
        "topic", "answer (questions)",
    ]  # fmt: skip
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == [f"k{n}" for n in range(N)]
    assert [row["truth"] for row in rows] == [intent(n) for n in range(N)]
    assert rows[5]["answer"] is None and rows[5]["error"] == "refused: content filter"
    assert rows[6]["parsed_label"] is None and rows[6]["error"] is None
    assert rows[3]["parsed_label"] == "card_arrival" and rows[4]["parsed_label"] == "card_arrival"
    right = sum(row["parsed_label"] == row["truth"] for row in rows)
    out = capsys.readouterr().out
    assert f"p.parquet: 24 rows, accuracy {100 * right / N:.1f} %" in out and "no label found 8.3 %" in out
    assert "1 row without a usable answer: refused." in out


def test_run_agrees_with_score(folder, use, capsys):
    ask(use(FakeModel(reply)))
    capsys.readouterr()
    assert main(["score", "p.parquet", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    rows = pq.read_table("p.parquet").to_pylist()
    assert (numbers["n_scored"], numbers["n_unparsed"]) == (N, 2)
    assert numbers["accuracy"] == pytest.approx(sum(row["parsed_label"] == row["truth"] for row in rows) / N)


def test_file_opens_with_the_runs_labels_and_parser(folder, use, capsys):
    """Bare labels are answers, too: a refused row stays in the denominator, and the list has a class never asked."""
    (folder / "parser.json").write_text('[{"rule": "alias", "pairs": [["refund", "top_up"]]}, "exact"]')
    labels = ",".join((*LABELS, "never_asked"))
    bare = FakeModel(
        lambda prompt: failed_answer(REFUSED, "no") if number_in(prompt) == 5 else Answer(intent(number_in(prompt)))
    )
    ask(use(bare), f"--label-set {labels} --parser parser.json")
    capsys.readouterr()
    assert main(["score", "p.parquet", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    assert (numbers["n_scored"], numbers["n_unparsed"], numbers["absent"]) == (N, 1, ["never_asked"])
    right = sum(intent(n) != "refund" and n != 5 for n in range(N))
    assert numbers["accuracy"] == pytest.approx(right / N)
    notes = json.dumps(numbers["receipt"])
    assert "Written by a run of Blindspot: model 'fake'" in notes and "label list of 5 labels" in notes
    assert main(["score", "p.parquet", "--json", "--label-set", ",".join(LABELS)]) == 0
    assert json.loads(capsys.readouterr().out)["absent"] == []


def test_run_writes_a_manifest(folder, use):
    ask(use(FakeModel(reply)), "--limit 20 --seed 3")
    manifest = json.loads((folder / "p.manifest.json").read_text())
    assert manifest["whole"] and (manifest["rows"], manifest["rows_answered"]) == (20, 20)
    assert manifest["sample"] == {"rows": 20, "how": "random", "seed": 3}
    assert manifest["data"]["rows"] == N and len(manifest["data"]["sha256"]) == 64
    assert manifest["labels"] == list(LABELS) and manifest["template"].endswith("{{ text }}")
    assert manifest["predictions"]["sha256"] == hash_file(folder / "p.parquet")
    assert {"blindspot", "python", "pyarrow"} <= set(manifest["versions"])
    inside = json.loads(pq.read_schema("p.parquet").metadata[RUN_METADATA])
    assert inside["identity"] == manifest["identity"] and "begun" not in inside


def test_run_writes_the_same_bytes_again(folder, use):
    ask(use(FakeModel(reply)))
    first = (folder / "p.parquet").read_bytes()
    for path in folder.glob("p.*"):
        path.unlink()
    ask(use(FakeModel(reply, batch=7)))
    assert (folder / "p.parquet").read_bytes() == first


def test_run_goes_on_after_a_stop(folder, use, capsys):
    first = FakeModel(reply, stop_after=10)
    assert ask(use(first)) == 2
    assert "the same command continues from here" in capsys.readouterr().err
    assert pq.read_table("p.parquet").num_rows == 8  # two whole groups of four
    assert not json.loads((folder / "p.manifest.json").read_text())["whole"]
    second = FakeModel(reply)
    assert ask(use(second)) == 0
    assert "not asked again: 8 rows" in capsys.readouterr().out
    assert second.asked.total() == N - 8
    ask(use(third := FakeModel(reply)))
    assert third.asked.total() == 0


def test_run_asks_again_what_may_pass(folder, use):
    ask(use(FakeModel(lambda prompt: failed_answer(TIMEOUT, "60 s") if number_in(prompt) < 3 else reply(prompt))))
    assert [row["error"] for row in pq.read_table("p.parquet").to_pylist()[:3]] == ["timeout: 60 s"] * 3
    ask(use(again := FakeModel(reply)))
    assert again.asked.total() == 3
    assert pq.read_table("p.parquet").to_pylist()[0]["error"] is None


def test_changed_parser_asks_nothing(folder, use):
    ask(use(FakeModel(reply)))
    (folder / "parser.json").write_text('[{"rule": "alias", "pairs": [["i am not sure", "refund"]]}, "normalised"]')
    ask(use(again := FakeModel(reply)), "--parser parser.json")
    assert again.asked.total() == 0
    assert pq.read_table("p.parquet").to_pylist()[6]["parsed_label"] == "refund"


def test_larger_limit_asks_only_new_rows(folder, use):
    ask(use(FakeModel(reply)), "--limit 10 --sample first")
    ask(use(again := FakeModel(reply)), "--limit 15 --sample first")
    assert again.asked.total() == 5
    assert pq.read_table("p.parquet").num_rows == 15


@pytest.mark.parametrize("column", [2, 3])
def test_corrected_truth_or_other_column_asks_nothing(folder, use, column):
    ask(use(FakeModel(reply)))
    rows = [line.split(",") for line in (folder / "q.csv").read_text().splitlines()]
    rows[1][column] = "top_up"
    (folder / "q.csv").write_text("\n".join(map(",".join, rows)) + "\n")
    ask(use(again := FakeModel(reply)))
    assert again.asked.total() == 0
    assert pq.read_table("p.parquet").to_pylist()[0][{2: "truth", 3: "topic"}[column]] == "top_up"


def test_changed_text_is_asked_again(folder, use):
    ask(use(FakeModel(reply)))
    (folder / "q.csv").write_text((folder / "q.csv").read_text().replace("question 4 ", "question 8 "))
    ask(use(again := FakeModel(reply)))
    assert again.asked.total() == 0  # the same prompt as another row's
    (folder / "q.csv").write_text((folder / "q.csv").read_text().replace("question 8 =1+1", "question 8 =1+2", 1))
    ask(use(again))
    assert again.asked.total() == 1


def test_another_text_column_is_another_prompt(folder, use):
    ask(use(FakeModel(reply)))
    models = use(again := FakeModel(lambda prompt: Answer("refund")))
    words = f"run q.csv --text key --truth intent --prompt prompt.txt -o p.parquet {models}"
    assert main(shlex.split(words)) == 0
    assert again.asked.total() == N


def test_recorded_rows_become_no_prompts_again(folder, use, monkeypatch):
    ask(use(FakeModel(reply)))
    made = []
    render = Prompts.render
    monkeypatch.setattr(Prompts, "render", lambda self, *row, **more: made.append(1) or render(self, *row, **more))
    ask(use(FakeModel(reply)))
    n_looked_at = len(made)
    for path in folder.glob("p.*"):
        path.unlink()
    made.clear()
    ask(use(FakeModel(reply)))
    assert len(made) >= n_looked_at + 2 * N  # once for its key, once to ask


def test_changed_prompt_is_refused_by_name(folder, use, capsys):
    ask(use(FakeModel(reply)))
    (folder / "prompt.txt").write_text("Now: {{ text }}")
    assert ask(use(again := FakeModel(reply))) == 2
    assert "p.records.jsonl is of a run that differs in prompt: name another -o" in capsys.readouterr().err
    assert again.asked.total() == 0


def test_rows_with_one_prompt_are_asked_once(folder, use, capsys):
    (folder / "q.csv").write_text(
        "text,intent\n" + "question 0,card_arrival\nquestion 0,refund\nquestion 1,lost_card\n"
    )
    ask(use(model := FakeModel(reply)))
    assert set(model.asked.values()) == {1} and model.asked.total() == 2
    assert "1 row shared the prompt of another row" in capsys.readouterr().out
    assert [row["id"] for row in pq.read_table("p.parquet").to_pylist()] == ["1", "2", "3"]


def test_several_models_write_a_file_each(folder, use, capsys):
    assert ask(use(FakeModel(reply, name="a"), FakeModel(lambda prompt: Answer("refund"), name="b"))) == 0
    one, two = (pq.read_table(f"p.m{place}.parquet") for place in (0, 1))
    assert one["id"].equals(two["id"]) and one["truth"].equals(two["truth"])
    assert set(two["parsed_label"].to_pylist()) == {"refund"}
    assert len(capsys.readouterr().out.split("rows, accuracy")) == 3


def test_interval_ends_a_run_early(folder, use, capsys):
    (folder / "q.csv").write_text("text,intent\n" + "".join(f"question {n},{intent(n)}\n" for n in range(400)))
    ask(use(model := FakeModel(reply)), "--until-interval 0.1")
    assert 30 <= model.asked.total() < 120
    assert "Accuracy is known to ± 0.1 after" in capsys.readouterr().out
    assert pq.read_table("p.parquet").num_rows == model.asked.total()
    assert len({intent(number_in(prompt)) for prompt in model.asked}) == 4  # not the first rows: a random order


def test_dry_run_asks_nothing(folder, use, capsys):
    (folder / "prices.json").write_text('{"m0": {"input": 1000, "output": 0, "currency": "EUR"}}')
    assert ask(use(model := FakeModel(reply)), "--dry-run --prices prices.json") == 0
    out = capsys.readouterr().out
    assert out.count("--- prompt") == 3 and "question 2 =1+1" in out and "question 3" not in out
    assert "4 to a token" in out and "Cost: at most" in out and "EUR" in out and "(assumed)" in out
    assert model.asked.total() == 0 and not list(folder.glob("p.*"))


def test_prices_become_a_cost(folder, use, capsys):
    (folder / "prices.json").write_text('{"m0": {"input": 100, "output": 1000, "currency": "EUR"}}')
    ask(use(FakeModel(reply)), "--prices prices.json")
    asked = N - 1  # the refused row brought no tokens
    assert f"cost {asked * (10 * 100 + 2 * 1000) / 1e6:.4f} EUR" in capsys.readouterr().out
    assert json.loads((folder / "p.manifest.json").read_text())["currency"] == "EUR"


def test_open_and_push_take_labels_and_parser(folder, use, monkeypatch, capsys, module_reads_here):
    pushed, shown = [], []

    @contextmanager
    def server_for(token, *, browser):
        shown.append(load.draft_of(token))
        yield "http://opened", None

    monkeypatch.setattr(open_file, "require_server", lambda: None)
    monkeypatch.setattr(open_file, "server_for", server_for)
    monkeypatch.setattr(run.push, "push_file", lambda *asked: pushed.append(asked) or {"link": "http://pushed"})
    monkeypatch.setenv("BLINDSPOT_STORE", str(folder / "store"))
    monkeypatch.setenv("BLINDSPOT_KEY", "blindspot_" + "a" * 32)
    (folder / "parser.json").write_text('["normalised"]')
    assert ask(use(FakeModel(reply)), "--parser parser.json --push http://localhost:1 --name night --open") == 0
    ((options, file, wanted),) = pushed
    assert (options.to, file, wanted.title) == ("http://localhost:1", "p.parquet", "night")
    assert wanted.given == Given(label_set=LABELS, parser=parser_file("parser.json"))
    said = capsys.readouterr()
    assert said.out.strip() == "http://opened" and "http://pushed" in said.err
    assert shown[0].given.label_set == LABELS and shown[0].given.parser is not None
    assert shown[0].files[0].n_rows < N  # the page was opened before the run had ended
    progress = read_progress(shown[0].upload)
    assert progress is not None and (progress.done, progress.total, progress.ended) == (N, N, True)
    newest = Draft.from_json(unpack_draft(dict(progress.draft)))
    assert newest.files[0].n_rows == N and newest.data_ids != shown[0].data_ids


def test_answers_may_hold_several_labels(folder, use, capsys, module_reads_here):
    truths = [[LABELS[n % 4], LABELS[(n + 1) % 4]] if n % 3 else [LABELS[n % 4]] for n in range(N)]
    with (folder / "q.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "tags"])
        writer.writerows([f"question {n} =1+1", "|".join(truths[n])] for n in range(N))
    texts = {0: "I cannot say", 1: "none", 2: "- Refund\n- lost_card", 3: '["top_up", "card_arrival"]'}
    model = FakeModel(lambda prompt: Answer(texts.get(n := number_in(prompt), ", ".join(reversed(truths[n])))))
    words = f"run q.csv --text text --truth tags --prompt prompt.txt -o p.parquet --several {use(model)}"
    assert main(shlex.split(words)) == 0
    rows = pq.read_table("p.parquet").to_pylist()
    assert [row["prediction"] for row in rows[:4]] == [
        "[]", "[]", '["lost_card", "refund"]', '["card_arrival", "top_up"]',
    ]  # fmt: skip
    assert [row["error"] for row in rows[:3]] == ["no label found", None, None] and rows[0]["answer"] == "I cannot say"
    assert "no label found 4.2 %" in capsys.readouterr().out
    assert main(["score", "p.parquet", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)
    right = [set(json.loads(row["prediction"])) == set(truth) for row, truth in zip(rows, truths, strict=True)]
    assert numbers["task"] == "multilabel" and numbers["classes"] == list(LABELS)
    assert numbers["subset_accuracy"] == pytest.approx(sum(right) / N) and numbers["n_scored"] == N


def test_csv_holds_the_same_rows(folder, use):
    models = use(FakeModel(reply))
    main(shlex.split(f"run q.csv --text text --truth intent --prompt prompt.txt -o p.csv {models}"))
    with (folder / "p.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [f"k{n}" for n in range(N)]
    assert rows[0]["answer"] == "card_arrival." and rows[5]["answer"] == "" and rows[0]["topic"] == "x"


def test_few_shots_stand_in_the_prompt(folder, use):
    (folder / "train.csv").write_text("text,intent\nquestion 0 =1+1,card_arrival\nwhere is it,refund\nhow,top_up\n")
    (folder / "prompt.txt").write_text("{% for s in shots %}{{ s.text }} -> {{ s.label }}\n{% endfor %}{{ text }}")
    ask(use(model := FakeModel(reply)), "--shots train.csv --n-shots 2")
    assert all("where is it -> refund" in prompt and "how -> top_up" in prompt for prompt in model.asked)
    manifest = json.loads((folder / "p.manifest.json").read_text())
    assert sorted(shot["label"] for shot in manifest["few_shots"]) == ["refund", "top_up"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--truth intents", "q.csv has no column 'intents'; was 'intent' meant?"),
        ("--label-set none.txt", "none.txt: there is no such file"),
        ("--label-set empty.txt", "empty.txt: The label list is empty"),
        ("--prompt none.txt", "none.txt: there is no such file; name the file of the prompt."),
        ("--prompt fixed.txt", "fixed.txt does not use the text of 'text': fixed.txt has {text} in single braces"),
        ("--model gpt", "--model 'gpt' is no model; write hf:NAME, openai:NAME@URL or classifier:NAME."),
        ("--model openai:m@http://", "is no address of a server"),
        ("--model openai:m@127.0.0.1:8000/v1", "is no address of a server"),
        ("-o p.txt", "predictions are written as .parquet or .csv"),
        ("-o none/p.csv", "there is no folder"),
        ("-o q.csv", "-o q.csv: this file is read, and would be lost; name another one to write."),
        ("--n-shots 3", "--n-shots needs solved examples"),
        ("--push example", "'example' is no server's address"),
        ("--push https://example.org", "There is no API key"),
        ("--limit 0", "--limit must be 1 or more"),
        ("--max-tokens 0", "--max-tokens must be 1 or more."),
        ("--until-interval 3", "--until-interval must lie between 0 and 0.5"),
        ("--prices q.csv", "q.csv: the prices could not be read"),
        ("--parser prompt.txt", "prompt.txt: The parser is not JSON"),
        ("--shots q.csv --n-shots 3", "3 examples were wanted, but the file of few shots has 0 that are not asked"),
    ],
)
def test_bad_input_gets_one_sentence(folder, use, capsys, more, said):
    (folder / "empty.txt").write_text("\n")
    (folder / "fixed.txt").write_text("Which intent has {text}?")
    assert ask(use(model := FakeModel(reply)), more) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert said in lines[-1] and model.asked.total() == 0


@pytest.mark.parametrize("option", ["--prompt prompt.txt", "--shots q.csv", "--parser rules.json"])
def test_classifier_alone_takes_no_prompt(folder, capsys, option):
    command = f"run q.csv --text text --truth intent -o p.parquet --model classifier:tiny {option}"
    assert main(shlex.split(command)) == 2
    name = option.split()[0]
    assert f"{name} is for language models, and a classifier gives no text; leave it out." in capsys.readouterr().err


def test_missing_packages_are_named(folder, capsys, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert ask("--model hf:tiny") == 2
    assert "need torch and transformers, not installed here; run pip install -r requirements-models.txt." in (
        capsys.readouterr().err
    )
