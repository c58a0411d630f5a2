"""Test that options reach the reader of a file: through the child process, a draft and the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

import cli
from data.errors import DataError
from data.process.limits import Limits
from data.reading.csv.delimited import read_delimited
from data.reading.options import DELIMITERS, DETECT, ENCODINGS, ReadOptions
from data.runs import draft_changes, load
from data.store import links
from tests.data.sandboxed import read_files
from tests.opened_runs import open_run

PAIR = "кот,кот\nпёс,кот\nпёс,пёс\n"


@pytest.mark.parametrize("said", ["cp1251", "windows-1251", "Windows-1251", "WINDOWS_1251"])
def test_encoding_is_known_by_all_its_names(said: str) -> None:
    assert ReadOptions(encoding=said) == ReadOptions(encoding="Windows-1251")


def test_every_choice_survives_json() -> None:
    for encoding in ENCODINGS:
        for delimiter in DELIMITERS:
            said = ReadOptions(encoding, delimiter, 4 if encoding == "UTF-8" else True, "comma", "Tabelle 2")
            assert ReadOptions.from_json(json.loads(json.dumps(said.to_json()))) == said
    assert ReadOptions.from_json({}) == DETECT


@pytest.mark.parametrize(
    ("said", "words"),
    [
        *(({"encoding": name}, "there are UTF-8, UTF-16") for name in ("klingon", "zlib", "", "utf-8\0")),
        ({"delimiter": "x"}, "there are comma, semicolon"),
        ({"decimal": "x"}, "there are point, comma"),
        ({"header": 0}, "lines are counted from 1"),
    ],
)
def test_unknown_choice_is_refused_with_the_choices(said: dict[str, Any], words: str) -> None:
    with pytest.raises(DataError, match=words):
        ReadOptions(**said)


NUMBERS = "notes\nid;y_true;p\n1;a;1.234,5\n2;b;0,25\n3;a;,5\n"


@pytest.mark.parametrize(
    ("options", "columns", "column"),
    [
        (ReadOptions(header=2, decimal=","), ["id", "y_true", "p"], [1234.5, 0.25, 0.5]),
        (ReadOptions(header=2, decimal="."), ["id", "y_true", "p"], ["1.234,5", "0,25", ",5"]),
        (ReadOptions(header=3, delimiter=";", decimal=","), ["1", "a", "1.234,5"], [0.25, 0.5]),
        (ReadOptions(header=1, delimiter=""), ["notes"], ["id;y_true;p", "1;a;1.234,5", "2;b;0,25", "3;a;,5"]),
    ],
)
def test_header_line_and_decimal_are_taken(options: ReadOptions, columns: list[str], column: list[object]) -> None:
    read = read_delimited(NUMBERS.encode(), Limits(), options=options)
    assert read.table.column_names == columns
    assert read.table.column(columns[-1]).to_pylist() == column
    assert any("no number with a decimal point" in said for said in read.warnings) == (options.decimal == ".")


def test_thousands_are_read_with_a_point() -> None:
    rows = b"y_true;p\na;130,000\nb;250,000\n"
    read = read_delimited(rows, Limits(), options=ReadOptions(decimal="."))
    assert read.table.column("p").to_pylist() == [130000, 250000]


def test_header_line_beyond_the_file_is_refused() -> None:
    with pytest.raises(DataError, match="line 9 was chosen as the header, but the file ends"):
        read_delimited(NUMBERS.encode(), Limits(), options=ReadOptions(header=9))


def test_files_are_read_with_their_own_options(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(PAIR.encode("cp1251"))
    (tmp_path / "b").write_bytes(b"x;1,2\ny;3,4\n")
    options = (ReadOptions("Windows-1251", header=False), ReadOptions(delimiter="none", header=True))
    files = [(tmp_path / "a", "a.csv"), (tmp_path / "b", "b.csv")]
    first, second = read_files(files, tmp_path, options=options)
    assert first.facts.n_rows == 3 and first.facts.encoding == "Windows-1251"
    assert second.facts.columns == ("x;1,2",) and second.facts.n_rows == 1
    with pytest.raises(DataError, match="not UTF-8"):
        read_files(files[:1], tmp_path)


def test_draft_keeps_reading_options() -> None:
    given = load.Given(reading=(ReadOptions("Windows-1251"), ReadOptions(header=False)))
    assert load.Given.from_json(json.loads(json.dumps(given.to_json()))) == given
    assert given.how_to_read(1, first=1) == given.how_to_read(1, first=2) == (ReadOptions(header=False),)
    assert load.Given().how_to_read(2) == ()


def test_later_labels_are_read_with_the_same_options(tmp_path: Path, own_store: Path) -> None:
    (tmp_path / "p").write_bytes("кот\nкот\nпёс\n".encode("cp1251"))
    (tmp_path / "t").write_bytes("кот\nпёс\nпёс\n".encode("cp1251"))
    given = load.Given(reading=(ReadOptions("cp1251"),))
    run = load.keep(load.read_draft([(tmp_path / "p", "p.txt")], given))
    evaluation = open_run(load.keep(draft_changes.add_labels(run, (tmp_path / "t", "t.txt"))))
    assert set(evaluation.labels) == {"кот", "пёс"} and evaluation.n_scored == 3
    assert links.open_link(run).kind == "draft"


def score(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert cli.main(["score", *arguments, "--json"]) == 0
    result: dict[str, object] = json.loads(capsys.readouterr().out)
    return result


def test_two_label_files_join_by_row_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth, preds = ["cat", "dog", "cat", "owl", "cat"], ["cat", "cat", "cat", "owl", "dog"]
    for name, labels in (("truth.txt", truth), ("preds.txt", preds), ("truth.csv", ["y_true", *truth])):
        (tmp_path / name).write_text("\n".join(labels) + "\n")
    for labels_file in ("truth.txt", "truth.csv"):
        numbers = score(capsys, str(tmp_path / "preds.txt"), "--labels", str(tmp_path / labels_file))
        assert (numbers["n_rows"], numbers["accuracy"]) == (5, 0.6)
        assert numbers["per_class"]["cat"]["support"] == 3  # type: ignore[index]
    assert any("no header line" in text for text in numbers["warnings"])  # type: ignore[attr-defined]


def test_command_line_takes_reading_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pair.csv"
    path.write_bytes(("кот,пёс\n" + PAIR).replace(",", "|").encode("cp1251"))
    how = ("--encoding", "cp1251", "--delimiter", "bar")
    assert score(capsys, str(path), *how)["n_rows"] == 4
    assert score(capsys, str(path), *how, "--no-header")["n_rows"] == 4
    assert score(capsys, str(path), *how, "--header")["n_rows"] == 3
    assert score(capsys, str(path), *how, "--header-line", "1")["n_rows"] == 3
    assert cli.main(["score", str(path), "--header-line", "2", "--no-header"]) == 2
    assert "contradict each other" in capsys.readouterr().err
    assert cli.main(["score", str(path), "--encoding", "klingon"]) == 2
    assert "no encoding 'klingon'" in capsys.readouterr().err
