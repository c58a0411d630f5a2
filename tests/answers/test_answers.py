"""Test that two trees' answers are compared exactly, and that a change planted in any renderer is noticed."""

import math
from pathlib import Path

import pytest

import command.output_options
import command.score
import export.tables
from export.report import sections
from tests.answers import collect, paired
from tests.answers.differences import Accepted, Difference, compare_files, compare_folders
from tests.answers.inputs import Job, change_column
from ui.overview import finding_list

FILE = "truth,prediction,site\n" + "a,a,n\nb,a,n\nb,b,s\nc,b,s\na,a,s\n" * 6
JOBS = (
    Job("score", ("score", "p.csv")),
    Job("score-json", ("score", "p.csv", "--json")),
    Job("report", ("report", "p.csv", "--output", "report.html")),
)


def differing(name: str, before: str, now: str) -> list[str]:
    return [found.place for found in compare_files(name, before.encode(), now.encode())]


@pytest.mark.parametrize(
    ("name", "before", "now", "places"),
    [
        ("a.json", '{"f1": 0.1}', f'{{"f1": {0.1 + 4 * math.ulp(0.1)!r}}}', []),
        ("a.json", '{"f1": 0.1}', f'{{"f1": {0.1 + 5 * math.ulp(0.1)!r}}}', [".f1"]),
        ("a.json", '{"n": 9007199254740993}', '{"n": 9007199254740992}', [".n"]),
        ("a.json", '{"n": 1}', '{"n": 1.0}', [".n"]),
        ("a.json", '{"f1": null}', '{"f1": 0.0}', [".f1"]),
        ("a.json", '{"a": 1, "b": 2}', '{"b": 2, "a": 1}', [" (order of keys)"]),
        ("a.json", '{"a": 1}', '{"a": 1, "b": null}', [".b"]),
        ("a.json", '{"rows": [1, 2]}', '{"rows": [1]}', [".rows[1]"]),
        ("a.csv", "class,f1\r\na,0.5\r\n", "class,f1\r\na,0.5000000000000001\r\n", []),
        ("a.csv", "class,f1\r\na,0.5\r\n", "class,f1\r\na,0.50001\r\n", ["line 2, cell 2"]),
        ("a.csv", "class,n\r\na,7\r\n", "class,n\r\na,7.0\r\n", ["line 2, cell 2"]),
        ("a.csv", "a,b\r\n", "b,a\r\n", ["line 1, cell 1", "line 1, cell 2"]),
        ("a.txt", "Accuracy 0.5\n", "Accuracy 0.51\n", ["line 1"]),
        ("a.txt", "one\n", "one\ntwo\n", ["line 2"]),
        ("a.txt", "one\ntwo\nthree\n", "nought\none\ntwo\nfour\n", ["line 1", "line 3"]),
        ("a.html", "<p>0.5</p>", "<p class=x>0.5</p><style>p{}</style>", []),
        ("a.html", "<p>0.5</p>", "<p>0.6</p>", ["line 1"]),
        ("a.html", '<script type="application/json">{"n": 1}</script>',
         '<script type="application/json">{"n": 2}</script>', ["[0].n"]),
        ("a.txt", "Made 2026-11-20T10:00:00Z", "Made 2026-11-21T10:00:00Z", []),
        ("a.parquet", "PAR1", "PAR2", [""]),
    ],
)  # fmt: skip
def test_comparison_names_every_changed_place(name, before, now, places):
    assert differing(name, before, now) == places


def test_comparison_sees_missing_and_new_answers(tmp_path):
    for folder, name in (("before", "a.txt"), ("now", "b.txt")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text("x")
    found = [(one.file, one.now) for one in compare_folders(tmp_path / "before", tmp_path / "now")]
    assert found == [("a.txt", "missing"), ("b.txt", "there")]


def test_judgement_needs_a_reason_for_each_difference(capsys):
    change = Difference("samples/a/score.txt", "line 3", '"0.5"', '"0.6"')
    meant = Accepted("samples/*/score.txt", "line 3", "the formula was wrong")
    assert paired.judge([change], [], 9, is_whole=True) == 1
    assert "samples/a/score.txt line 3" in capsys.readouterr().out
    assert paired.judge([change], [meant], 9, is_whole=True) == 0
    assert paired.judge([], [meant], 9, is_whole=True) == 1, "what is accepted must still differ"
    assert paired.judge([], [meant], 9, is_whole=False) == 0
    assert paired.judge([], [], 0, is_whole=True) == 1, "without an answer, nothing was compared"
    assert all(line.reason for line in paired.read_accepted())


def test_changed_column_makes_a_second_model(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("id,prediction\n" + "".join(f"{i},{i % 3}\n" for i in range(1, 20)))
    changed = change_column(path, "prediction").splitlines()
    lines = [number for number, line in enumerate(path.read_text().splitlines()) if changed[number] != line]
    assert lines == [7, 14]


def _ask(folder: Path, name: str) -> Path:
    """Collect the answers about one file and one sample's Overview."""
    answers = folder / name
    for job in JOBS:
        collect.ask(job, answers)
    for file, content in collect.subject.exported_files("support-intents-first-400").items():
        collect._write(answers / "export" / file, content)
    collect.ask_page("overview", {"run": "support-intents-first-400"}, answers / "overview")
    return answers


def test_planted_change_is_noticed_in_each_renderer(module_store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("p.csv").write_text(FILE)
    before = _ask(tmp_path, "before")
    assert not list(compare_folders(before, _ask(tmp_path, "same")))
    first, plain, table = command.score.headline_result, command.output_options.plain, export.tables.class_table
    takeaway, title_of = sections.takeaway, finding_list.title_of
    with monkeypatch.context() as patch:
        patch.setattr(command.score, "headline_result", lambda found: first(found)._replace(notes=[("At last.",)]))
        changed_json = lambda found: plain(found) | {"accuracy": found["accuracy"] + 1e-12}  # noqa: E731
        patch.setattr(command.output_options, "plain", changed_json)
        patch.setattr(export.tables, "class_table", lambda found: table(found).assign(support=7))
        patch.setattr(sections, "takeaway", lambda found: f"{takeaway(found)} At last.")
        patch.setattr(finding_list, "title_of", lambda *given: f"{title_of(*given)} At last.")
        changed = list(compare_folders(before, _ask(tmp_path, "after")))
    assert {one.file for one in changed} - {"report.txt"} == {  # which says how long the report is
        "score.txt", "score-json.json", "report.html", "export/classes.csv", "overview/title.txt", "overview/texts.txt"
    }  # fmt: skip
    assert [one.place for one in changed if one.file == "score-json.json"] == [".accuracy"]
