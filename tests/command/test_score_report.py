"""`score` without --json prints a report for people."""

import json
import re
import unicodedata
from pathlib import Path

import pytest

from cli import main
from tests.command.scored import scored_text
from tests.csv_files import write_csv
from text.visible import make_visible

pytestmark = pytest.mark.usefixtures("module_reads_here")


HOSTILE = [
    "\x1b[2J\x1b[31mred",
    "a\u202egpj.exe",
    "bell\x07",
    "c1\x9b31m",
    "zero\u200bwidth",
    "sep\u2028arator",
    "=cmd|' /C'!A0",
]


def is_harmless(text: str) -> bool:
    return all(c == "\n" or unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} for c in text)


def test_hostile_names_never_reach_the_terminal_raw(tmp_path, capsys):
    truth = HOSTILE * 3
    pred = [HOSTILE[(i * i) % len(HOSTILE)] for i in range(len(truth))]
    file = tmp_path / "a\x1b[31m\u202e.jsonl"
    rows = [{"y_true": t, "y_pred": p, "id\x1b[2J\u202e": "\x1b]0;x\x07"} for t, p in zip(truth, pred, strict=True)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for arguments in ([], ["--json"], ["--truth", "\x1b[2J"], ["--positive", "\u202e"], ["--label-set", "\x1b[31m,b"]):
        main(["score", str(file), *arguments])
        out, err = capsys.readouterr()
        assert is_harmless(out) and is_harmless(err)
        assert out or err
    main(["score", str(file)])
    out = capsys.readouterr().out
    assert "\\x1b[2J\\x1b[31mred" in out and "a\\u202egpj.exe" in out
    assert make_visible("é 漢 🎉 — ok") == "é 漢 🎉 — ok"


def test_the_report_is_for_people(tmp_path, capsys):
    columns = {"id": ["1", "2", "3"], "y_true": ["spam", "ham", "ham"], "y_pred": ["ham", "ham", ""]}
    assert main(["score", str(write_csv(tmp_path / "p.csv", columns))]) == 0
    out = capsys.readouterr().out
    assert "p.csv: 3 rows, 2 scored, 2 classes (binary)" in out
    assert re.search(r"^ +Accuracy +50\.0\s% \(9\.5 to 90\.5\s%\) +Wilson", out, re.M) and re.search(
        r"^    spam +undefined +0\.000 ", out, re.M
    )
    assert "y_true: true label (by its name" in out and "Positive class: 'spam'" in out
    assert "Warnings:" in out and "What the accuracy hides:" in out


def test_the_report_prints_warnings_above_the_numbers(tmp_path, capsys):
    columns = {"id": ["1", "2", "3"], "y_true": ["spam", "ham", "ham"], "y_pred": ["ham", "ham", ""]}
    out = scored_text(capsys, write_csv(tmp_path / "p.csv", columns))
    assert out.index("1 row (row 3) has no predicted label") < out.index(" Accuracy ")


@pytest.mark.parametrize("task", ["scores", "logits", "joined", "two files by order", "answers", "sets", "counts"])
def test_the_report_prints_all_of_the_reading(tmp_path, capsys, task):
    """Test that what the receipt holds (its JSON is the oracle) stands in the readable report, each sentence once."""
    files = reading_files(tmp_path)[task]
    out = scored_text(capsys, *files)
    assert main(["score", *map(str, files), "--json"]) == 0
    receipt = json.loads(capsys.readouterr().out)["receipt"]
    of_files = [note for file in receipt["files"] for note in file["notes"]]
    for sentence in [*of_files, *receipt["notes"], *receipt["warnings"]]:
        assert out.count(make_visible(sentence)) == 1, sentence
    for role in receipt["roles"]:
        used_as = {"truth": "true label", "prediction": "predicted label", "raw": "raw answer"}.get(
            role["role"], role["role"]
        )
        shown = f"{role['column']}: {used_as} ({role['why']})"
        assert (shown in out) == (role["role"] != "other")
        assert role["column"] in out


def reading_files(folder: Path) -> dict[str, list]:
    """A file, or two, of every way to be read; the second with its option."""
    truth, scores = ["spam", "ham", "ham", "spam"], ["0.9", "0.2", "0.4", "0.3"]
    logits = {"y_true": truth, "score": ["2.5", "-1", "-0.5", "0.25"], "age": ["1", "2", "3", "4"]}
    ids = ["a", "b", "c", "d"]
    answers = {"target": truth, "output": ["It is spam", "ham.", "who knows", "spam"]}
    counts = {"Actual": ["a", "a", "b"], "Predicted": ["a", "b", "b"], "nPredictions": ["3", "1", "2"]}
    sets = {"labels": ["a|b", "b", "a"], "predicted": ["a", "b", "a|b"]}
    left = write_csv(folder / "left.csv", {"uid": ids, "p_spam": scores})
    right = write_csv(folder / "right.csv", {"uid": ids[::-1], "label": truth})
    bare = write_csv(folder / "bare.csv", {"label": truth})
    return {
        "scores": [write_csv(folder / "scores.csv", {"y_true": truth, "p_spam": scores})],
        "logits": [write_csv(folder / "logits.csv", logits)],
        "joined": [left, "--labels", right],
        "two files by order": [left, "--labels", bare],
        "answers": [write_csv(folder / "answers.csv", answers), "--raw", "output"],
        "sets": [write_csv(folder / "sets.csv", sets)],
        "counts": [write_csv(folder / "counts.csv", counts)],
    }


def test_the_report_names_scale_threshold_and_join(tmp_path, capsys):
    files = reading_files(tmp_path)
    out = scored_text(capsys, *files["logits"])
    assert "Predictions: predicted when score ≥ 0" in out and "Scores: logits;" in out
    assert "Other columns, shown on the page Rows: 'age'." in out
    out = scored_text(capsys, *files["two files by order"])
    assert "Joined by row order: 4 rows of each file." in out
    assert "Scores: probabilities;" in out and "Positive class: 'spam'" in out


def test_quiet_leaves_the_reading_out_and_keeps_warnings(tmp_path, capsys):
    file, _, labels = reading_files(tmp_path)["two files by order"]
    loud = scored_text(capsys, file, "--labels", labels)
    quiet = scored_text(capsys, file, "--labels", labels, "--quiet")
    assert "row order" in loud and "Notes:" in loud and "row order" not in quiet and "Notes:" not in quiet
    assert loud.endswith(quiet[quiet.index("Headline numbers:") :])
    columns = {"id": ["1", "2"], "y_true": ["a", "b"], "y_pred": ["a", ""]}
    assert "no predicted label" in scored_text(capsys, write_csv(tmp_path / "p.csv", columns), "--quiet")
