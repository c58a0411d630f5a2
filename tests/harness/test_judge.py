"""Judges give verdicts in columns of their own, pairs are asked in both orders, and a bias for a place is told."""

import csv
import json
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cli import main
from harness.answers import REFUSED, Answer, failed_answer
from tests.harness.fake_model import FakeModel

N = 40


@pytest.fixture
def folder(tmp_path, monkeypatch, read_questions_here):
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "answers.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "short", "long", "people"])
        writer.writerows(
            [n, f"question {n}", f"short {n}", f"a long answer {n}", ["short", "long"][n % 2]] for n in range(N)
        )
    (tmp_path / "rubric.txt").write_text("{{ row.text }}: {{ row.short }}? {{ labels|join('/') }}")
    (tmp_path / "pairs.txt").write_text("{{ row.text }}: 1 {{ first }} 2 {{ second }}")
    return tmp_path


def ask(models: str, more: str) -> int:
    return main(shlex.split(f"judge answers.csv -o j.parquet {models} {more}"))


def number_in(prompt: str) -> int:
    return int(prompt.partition(":")[0].split()[1])


def test_verdicts_stand_beside_the_rows(folder, use, capsys):
    def verdict(prompt: str) -> Answer:
        if number_in(prompt) == 3:
            return failed_answer(REFUSED, "no")
        return Answer("Good." if number_in(prompt) % 4 else "maybe")

    assert ask(use(FakeModel(verdict)), "--rubric rubric.txt --labels good,bad") == 0
    table = pq.read_table("j.parquet")
    assert table.column_names == [
        "id", "text", "short", "long", "people", "verdict_m0", "verdict_m0_answer", "verdict_m0_error",
    ]  # fmt: skip
    rows = table.to_pylist()
    assert [row["verdict_m0"] for row in rows[:5]] == [None, "good", "good", None, None]
    assert rows[3]["verdict_m0_error"] == "refused" and rows[0]["verdict_m0_answer"] == "maybe"
    out = capsys.readouterr().out
    assert "Verdicts: 'good' 29 (100.0 %); 11 rows without one." in out
    manifest = json.loads(Path("j.manifest.json").read_text())
    assert (
        manifest["labels"] == ["good", "bad"] and manifest["whole"] and manifest["rubric"].startswith("{{ row.text }}")
    )


def test_pairs_are_asked_in_both_orders(folder, use, capsys):
    def longer(prompt: str) -> Answer:
        first, second = prompt.partition(" 1 ")[2].split(" 2 ")
        return Answer("first" if len(first) > len(second) else "second")

    assert ask(use(model := FakeModel(longer)), "--rubric pairs.txt --pairs short,long --human people") == 0
    assert model.asked.total() == 2 * N
    rows = pq.read_table("j.parquet").to_pylist()
    assert {row["verdict_m0"] for row in rows} == {"long"}
    assert {(row["verdict_m0_short_first"], row["verdict_m0_long_first"]) for row in rows} == {("second", "first")}
    out = capsys.readouterr().out
    assert "No position bias found: the answer that stood first won 40 of 80 preferences (50.0 %" in out
    assert "Agrees with 'people' in 20 of 40 rows (50.0 %)." in out


def test_judge_that_prefers_a_place_is_told(folder, use, capsys):
    def stubborn(prompt: str) -> Answer:
        return Answer("tie" if number_in(prompt) < 4 else "first")

    ask(use(FakeModel(stubborn)), "--rubric pairs.txt --pairs short,long")
    found = [row["verdict_m0"] for row in pq.read_table("j.parquet").to_pylist()]
    assert found == ["tie"] * 4 + ["inconsistent"] * (N - 4)
    out = capsys.readouterr().out
    assert "Position bias: the answer that stood first won 72 of 72 preferences" in out
    assert "this judge favours the first place." in out


def test_several_judges_and_resuming(folder, use, capsys):
    good, bad = FakeModel(lambda prompt: Answer("good")), FakeModel(lambda prompt: Answer("bad"), stop_after=12)
    models = use(good, bad)
    assert ask(models, "--rubric rubric.txt --labels good,bad") == 2
    assert "the same command continues from here" in capsys.readouterr().err
    rows = pq.read_table("j.parquet").to_pylist()
    assert rows[0]["verdict_m0"] == "good" and rows[0]["verdict_m1"] == "bad" and rows[-1]["verdict_m1"] is None
    bad.stop_after = None
    assert ask(models, "--rubric rubric.txt --labels good,bad") == 0
    assert set(good.asked.values()) == set(bad.asked.values()) == {1} and len(bad.asked) == N
    assert {row["verdict_m1"] for row in pq.read_table("j.parquet").to_pylist()} == {"bad"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--rubric rubric.txt", "There are no verdicts; list them with --labels, such as --labels good,bad."),
        ("--rubric rubric.txt --labels good", "--labels needs two verdicts or more"),
        ("--rubric none.txt --labels good,bad", "none.txt: there is no such file; name the file of the rubric."),
        ("--rubric pairs.txt --labels good,bad", "there is no 'first'"),
        ("--rubric pairs.txt --pairs short", "--pairs 'short' is no pair of columns"),
        ("--rubric pairs.txt --pairs short,lang", "answers.csv has no column 'lang'; was 'long' meant?"),
        ("--rubric human.txt --labels a,b --human people", "it names 'people', which holds the truth"),
    ],
)
def test_bad_input_gets_one_sentence(folder, use, capsys, more, said):
    (folder / "human.txt").write_text("{{ row.people }}")
    assert ask(use(model := FakeModel(lambda prompt: Answer("good"))), more) == 2
    assert said in capsys.readouterr().err.strip().splitlines()[-1] and model.asked.total() == 0


def test_dry_run_asks_nothing(folder, use, capsys):
    assert (
        ask(use(model := FakeModel(lambda prompt: Answer("good"))), "--rubric pairs.txt --pairs short,long --dry-run")
        == 0
    )
    assert f"{2 * N} prompts" in capsys.readouterr().out and model.asked.total() == 0


def test_taken_column_is_refused(folder, use, capsys):
    text = (folder / "answers.csv").read_text().replace("people", "verdict_m0", 1)
    (folder / "answers.csv").write_text(text)
    assert ask(use(FakeModel(lambda prompt: Answer("good"))), "--rubric rubric.txt --labels good,bad") == 2
    assert "answers.csv has a column 'verdict_m0' already; rename it" in capsys.readouterr().err
