"""`score` joins two files, and says in one sentence what is wrong with a file."""

import shlex

import numpy as np
import pytest
from sklearn import metrics as sk

from cli import main
from tests.command.scored import agree, check_hard, made, sure
from tests.csv_files import write_csv

pytestmark = pytest.mark.usefixtures("module_reads_here")


def test_other_labels_join_by_key_or_order(tmp_path, run, refused):
    truth, pred, _ = made(20)
    ids = [f"row-{i}" for i in range(20)]
    preds = write_csv(tmp_path / "preds.csv", {"doc": ids, "prediction": pred})
    shuffled = write_csv(tmp_path / "labels.csv", {"doc": ids[::-1], "label": truth[::-1]})
    plain_labels = write_csv(tmp_path / "plain.csv", {"label": truth})
    for arguments in ((shuffled, "--join", "doc"), (shuffled,), (plain_labels,)):
        check_hard(run(preds, "--labels", *arguments), truth, pred)
    found = run(preds, "--labels", plain_labels)
    assert found["receipt"]["join"]["how"] == "row order"
    assert [file["name"] for file in found["receipt"]["files"]] == ["preds.csv", "plain.csv"]
    assert "'label'" in refused(preds, "--labels", shuffled, "--join", "label")
    short = write_csv(tmp_path / "short.csv", {"label": truth[:-1]})
    message = refused(preds, "--labels", short)
    assert "20 rows" in message and "19 rows" in message


def test_rows_of_one_file_only_are_counted(tmp_path, run):
    preds = write_csv(tmp_path / "preds.csv", {"id": ["a", "b", "c"], "prediction": ["x", "y", "x"]})
    labels = write_csv(tmp_path / "labels.csv", {"id": ["c", "b", "d"], "label": ["x", "x", "y"]})
    found = run(preds, "--labels", labels, "--join", "id")
    assert (found["n_rows"], found["n_scored"], found["n_missing_truth"], found["n_missing_pred"]) == (4, 2, 1, 1)
    assert found["accuracy"] == 0.5


@pytest.mark.parametrize("key", ["page,line", "line,page", "page, line", None])
def test_several_columns_join_two_files(tmp_path, run, key):
    truth, pred, _ = made(20)
    columns = {"page": [f"p{i // 4}" for i in range(20)], "line": [i % 4 for i in range(20)]}
    preds = write_csv(tmp_path / "preds.csv", columns | {"prediction": pred})
    turned = {name: cells[::-1] for name, cells in (columns | {"label": truth}).items()}
    labels = write_csv(tmp_path / "labels.csv", turned)
    if key is None:  # a name that ends in id, with a line, says by itself that both are the key
        for path in (preds, labels):
            path.write_text(path.read_text().replace("page,line", "page_id,line"))
    found = run(preds, "--labels", labels, *([] if key is None else ["--join", key]))
    check_hard(found, truth, pred)
    assert found["receipt"]["join"]["n_matched"] == 20


def test_repeated_ids_are_left_out_unless_asked(tmp_path, run):
    preds = write_csv(tmp_path / "p.csv", {"id": list("aabcc"), "pred": list("xyyxx")})
    labels = write_csv(tmp_path / "l.csv", {"id": list("abc"), "label": list("xyy")})
    found = run(preds, "--labels", labels)
    assert found["n_scored"] == 2 and found["accuracy"] == 0.5
    assert found["receipt"]["left_out"] == [{"id": "a", "predictions": [1, 2], "labels": [1]}]
    assert any("1 id is left out" in text and "--repeated" in text for text in found["warnings"])
    right = {"first": (2, 3), "last": (1, 3), "all": (2, 5)}
    for way, (n_right, n) in right.items():
        found = run(preds, "--labels", labels, "--repeated", way)
        assert found["accuracy"] == pytest.approx(n_right / n) and found["n_scored"] == n


def test_an_empty_key_is_row_order(tmp_path, run, refused):
    preds = write_csv(tmp_path / "preds.csv", {"id": ["a", "b", "c"], "prediction": ["x", "y", "x"]})
    labels = write_csv(tmp_path / "labels.csv", {"id": ["c", "b", "a"], "label": ["x", "y", "y"]})
    assert run(preds, "--labels", labels)["accuracy"] == pytest.approx(2 / 3)
    found = run(preds, "--labels", labels, "--join", "")
    assert found["receipt"]["join"]["how"] == "row order" and found["accuracy"] == pytest.approx(2 / 3)
    assert any("'id' of row 1 is 'a' in the predictions and 'c' in the labels" in text for text in found["warnings"])
    assert "no column 'line'" in refused(preds, "--labels", labels, "--join", "id,line")


def test_headerless_long_form_equals_the_wide_files(tmp_path, run):
    tags = ["child speech", "music", "video game/tv"]
    random = np.random.default_rng(5)
    truth = random.random((60, 3)) < 0.5
    truth[7] = False
    scores = random.normal(0, 50, truth.shape).round(6) + 40 * truth
    files = [f"clip {row}.wav" for row in range(60)]
    wide = [
        write_csv(tmp_path / "scores.csv", {"file": files} | dict(zip(tags, scores.T.tolist(), strict=True))),
        write_csv(
            tmp_path / "labels.csv", {"file": files} | dict(zip(tags, truth.astype(int).T.tolist(), strict=True))
        ),
    ]
    lines = [(files[row], tags[code], scores[row, code]) for row in random.permutation(60) for code in (2, 0, 1)]
    sets = ["".join(f"{tag};" for tag, flag in zip(tags, row, strict=True) if flag) for row in truth]
    estimated, reference = tmp_path / "estimated.txt", tmp_path / "reference.txt"
    estimated.write_text("".join(f"{file},{tag},{float(score)!r}\n" for file, tag, score in lines), encoding="utf-8")
    rows = zip(files, sets, strict=True)
    reference.write_text("".join(f"{file}\thome\t{cell}\ts{i % 9}\n" for i, (file, cell) in enumerate(rows)))
    plain, long = run(wide[0], "--labels", wide[1]), run(estimated, "--labels", reference)
    same = set(plain) - {"receipt", "warnings", "findings", "intervals"}
    assert {key: long[key] for key in same} == {key: plain[key] for key in same}
    assert set(long["intervals"]) == set(plain["intervals"])
    agree(long["subset_accuracy"], sure(sk.accuracy_score, truth, scores >= 0))
    agree(long["macro_f1"], sure(sk.f1_score, truth, scores >= 0, average="macro"))
    agree(long["roc_auc_macro"], sure(sk.roc_auc_score, truth, scores, average="macro"))
    assert "180 lines of 'column 1' and 'column 2' were read as 60 ids × 3 labels." in long["receipt"]["notes"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", b"", ["empty.csv", "empty"]),
        ("head.csv", b"y_true,y_pred\n", ["head.csv", "no rows"]),
        ("ragged.csv", b"y_true,y_pred\na,a\nb,b,b\n", ["ragged.csv", "row 2"]),
        ("binary.csv", bytes(range(256)) * 8, ["binary.csv"]),
        ("nothing.csv", b"colour,size\nred,1.5\nblue,2.5\n", ["nothing.csv", "'colour'"]),
        ("strange.csv", b"y_true,y_pred\ncat,0\ndog,1\n", ["strange.csv", "'cat'", "'y_pred'"]),
        ("broken.jsonl", b'{"y_true": "a", "y_pred": "a"}\n{"y_true": \n', ["broken.jsonl", "2"]),
        ("unscored.csv", b"y_true,y_pred\na,\n,a\n", ["unscored.csv"]),
    ],
)
def test_bad_file_is_one_sentence_with_name(tmp_path, refused, name, content, words):
    file = tmp_path / name
    file.write_bytes(content)
    message = refused(file)
    for word in words:
        assert word in message


def test_options_that_do_not_fit_are_one_sentence(tmp_path, refused):
    columns = {"y_true": ["a", "b", "a"], "y_pred": ["a", "b", "b"], "p_a": [0.9, 0.1, "high"], "n": ["1", "2", "3"]}
    file = write_csv(tmp_path / "p.csv", columns)
    assert "Did you mean 'y_true'?" in refused(file, "--truth", "y_treu")
    assert "'y_prd'" in refused(file, "--pred", "y_prd")
    assert "'p_a'" in refused(file, "--score", "p_a") and "'high'" in refused(file, "--score", "p_a")
    assert "'c'" in refused(file, "--positive", "c")
    assert "same column" in refused(file, "--truth", "y_true", "--pred", "y_true")
    assert "scores" in refused(file, "--threshold", "0.5")
    assert "nan" in refused(file, "--score", "p_a", "--threshold", "nan")
    assert "label list" in refused(file, "--label-set", "x,y")
    assert "no-such.csv" in refused(tmp_path / "no-such.csv")
    assert "no-such.csv" in refused(file, "--labels", tmp_path / "no-such.csv")
    assert "holds no Parquet file" in refused(tmp_path)


def test_free_text_is_no_label(tmp_path, refused):
    texts = [f"sentence number {i}" for i in range(30)]
    file = write_csv(tmp_path / "p.csv", {"text": texts, "y_pred": ["a", "b"] * 15})
    message = refused(file, "--truth", "text")
    assert "'text'" in message and "30" in message and "free text" in message


def test_copies_are_refused_with_a_best_guess(tmp_path, refused, capsys):
    rows = [str(i % 10) for i in range(30)]
    flags = [str(i % 2) for i in range(30)]
    file = write_csv(tmp_path / "p.csv", {"decile_score": rows, "flag": flags, "decile_score.1": rows})
    sentence = refused(file)
    assert "'decile_score.1' is a second column of the name 'decile_score'" in sentence
    command = sentence.partition("Best guess: python cli.py ")[2]
    assert main(shlex.split(command)) == 0
    assert "flag: true label" in capsys.readouterr().out


def test_labels_beside_fractions_are_guessed(tmp_path, refused):
    lines = [f"{row % 2} {(row % 2 + row / 60) / 2:.3f}\n" for row in range(60)]
    (tmp_path / "p.txt").write_text("".join(lines))
    assert refused(tmp_path / "p.txt").endswith("p.txt --truth 'column 1' --score 'column 2'")


@pytest.mark.parametrize(
    "columns",
    [
        {"first": ["cat", "dog"] * 30, "second": ["cat", "cat", "dog", "dog"] * 15},  # agree by chance
        {"label": ["hats", "bags", "gloves"] * 20, "p_spam": ["0.1", "0.9"] * 30},  # a score of none of the labels
    ],
    ids=["chance", "refused"],
)
def test_guess_is_tried_before_it_is_printed(tmp_path, refused, columns):
    sentence = refused(write_csv(tmp_path / "p.csv", {"id": range(60), **columns}))
    assert "Best guess" not in sentence
    assert "Name the columns with --truth and --pred" in sentence
    for name, values in columns.items():
        listed = ", ".join(repr(value) for value in dict.fromkeys(values))
        assert f"{name!r} ({listed})" in sentence


def test_doubts_about_joined_files_stand_everywhere(tmp_path, capsys):
    labels = write_csv(tmp_path / "l.csv", {"id": "4321", "label": "baba"})
    perfect = write_csv(tmp_path / "p.csv", {"id": "1234", "label": "abab"})
    other = write_csv(tmp_path / "q.csv", {"id": "1234", "label": "abbb"})
    report = tmp_path / "r.html"
    for command in (
        ["score", str(perfect)],
        ["score", str(perfect), "--quiet"],
        ["score", str(perfect), "--json"],
        ["compare", str(perfect), str(other)],
        ["compare", str(perfect), str(other), "--json"],
        ["report", str(perfect), "-o", str(report)],
    ):
        assert main([*command, "--labels", str(labels)]) == 0
        printed = report.read_text() if command[0] == "report" else capsys.readouterr().out
        assert "same as the truth in every row" in printed, command


def test_files_of_different_length_say_so(tmp_path, refused):
    (tmp_path / "p.txt").write_text("cat\ndog\ncat\n")
    (tmp_path / "l.txt").write_text("cat\ndog\ncat\ndog\n")
    sentence = refused(tmp_path / "p.txt", "--labels", tmp_path / "l.txt")
    assert "The predictions file has 3 rows and the labels file 4 rows" in sentence


def test_missing_truth_names_columns_and_option(tmp_path, refused):
    file = write_csv(tmp_path / "p.csv", {"prediction": ["a", "b"], "note": ["x", "y"]})
    sentence = refused(file)
    assert "Predictions found in 'prediction'. True labels are missing" in sentence
    assert "--truth" in sentence and "--labels" in sentence


@pytest.mark.parametrize("cell", ["high", "inf", "-inf", "1e999", "Infinity", "n/a", "1.7", "-0.2"])
def test_bad_scores_are_left_unread(tmp_path, run, refused, cell):
    """Scores are judged beside the labels, too, where forty rows are enough for that."""
    path = tmp_path / "p.csv"
    rows = [f"{'ab'[i % 2]},{'ab'[i % 3 % 2]},{cell if i == 7 else i / 40}" for i in range(40)]
    path.write_text("\n".join(["y_true,y_pred,score", *rows]))
    assert "row 8: " in refused(path) and "Add --scores none to read" in refused(path)
    found = run(path, "--scores", "none")
    assert found["n_rows"] == 40 and "Scores were not read, as you chose." in " ".join(found["warnings"])


def test_unreadable_rows_are_left_out_with_an_account(tmp_path, run, refused):
    path = tmp_path / "p.csv"
    path.write_text(
        "id,label,prediction\n" + "".join(f"{i},{'ab'[i % 2]},a\n" for i in range(20)) + '20,"a,b\n21,a,b\n'
    )
    assert "1 of 22 rows cannot be read. Add --skip-bad-rows to leave out 1 row, with an account." in refused(path)
    found = run(path, "--skip-bad-rows")
    assert found["n_rows"] == 21 and found["warnings"][0].startswith("1 of 22 rows was left out: line 22 opens")
    kinds = [{"kind": "open quotation mark", "n_rows": 1, "first_lines": [22]}]
    left_out = found["receipt"]["files"][0]["rows_left_out"]
    assert (left_out["n_rows"], left_out["kinds"]) == (22, kinds)
