"""Make what stands in the cells: labels that are missing, odd or hostile, and scores that are none."""

import csv
import io

from tests.corpus.case import Corpus
from tests.corpus.text import GOOD, HEADER, RIGHT, N, rows

HOSTILE = {
    "a script": "<script>fetch('http://127.0.0.1:9/')</script>",
    "a picture": '<img src=x onerror="alert(1)">',
    "a Markdown picture": "![owl](http://127.0.0.1:9/owl.png)",
    "a Markdown link": "[owl](javascript:alert(1))",
    "underscores": "__proto__",
    "TeX": r"$\href{http://127.0.0.1:9}{owl}$",
    "a colour": ":red[owl] :material/delete:",
    "a Plotly template": "%{x}<extra></extra>",
    "a formula": '=HYPERLINK("http://127.0.0.1:9/","owl")',
    "another formula": "+1+cmd|' /C calc'!A0",
    "SQL": "owl'); DROP TABLE rows; --",
    "a path": "../../../../etc/passwd",
    "a format string": "%s%n{0.__class__}{{7*7}}",
    "an escape sequence": "\x1b[31mowl\x1b[0m",
    "a direction mark": "owl\u202etxt.exe",
    "no width": "\u200b\u200d\ufeff",
    "a tower of accents": "o" + "\u0301" * 40,
    "a private character": "owl\ue000\U0010fffd",
}


def labels(add: Corpus) -> None:
    add.scored("missing truth", rows("owl,owl", ",fox", "fox,owl"), 3, 0.5, ("without", "missing", "empty"))
    add.scored("missing prediction", rows("owl,owl", "fox,", "fox,owl"), 3, 0.5, ("without", "missing", "empty"))
    add.refused("every truth missing", rows(",owl", ",fox"), ("truth", "empty"))
    add.scored("blanks behind a label", rows("owl,owl ", "fox,fox"), 2, 0.5, ("differ only", "look the same"))
    add.scored("one capital", rows("Owl,owl", "fox,fox"), 2, 0.5, ("differ only", "look the same"))
    add.scored("two ways to write é", rows("cafe\u0301,café", "thé,thé"), 2, 0.5, ("differ only", "look the same"))
    add.scored("a Cyrillic o", rows("оwl,owl", "fox,fox"), 2, 0.5, ("differ only", "look the same", "look alike"))
    add.scored("zeros in front", rows("007,007", "7,07", "07,07"), 3, 2 / 3)
    add.scored("numbers beyond a float", rows("9007199254740993,9007199254740992", "1,1"), 2, 0.5)
    add.scored("words for truth values", rows("True,True", "False,True"), 2, 0.5)
    add.scored("dates", rows("2024-02-30,2024-02-30", "2024-03-01,2024-02-30"), 2, 0.5)
    add.scored("one class", rows("owl,owl", "owl,owl"), 2, 1.0)
    add.refused("no label in common", rows("0,owl", "1,fox", "0,fox"), "no label")
    add.refused(
        "100,000 classes",
        lambda: HEADER + b"".join(b"id%d,id%d\n" % (i, i) for i in range(100_000)),
        "5,000",
        ("different labels", "distinct", "classes", "labels"),
    )
    add.refused("a label of 9,000 characters", rows("owl,owl", "z" * 9_000 + ",owl"), "5,000", ("label", "cell"))


def hostile_labels(add: Corpus) -> None:
    for name, label in HOSTILE.items():
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows([["truth", "pred"], [label, label], ["other", label]])
        add.scored(name, file.getvalue().encode(), 2, 0.5)


def hostile_columns(add: Corpus) -> None:
    for name, column in HOSTILE.items():
        if name not in ("a script", "a Markdown picture", "a formula", "an escape sequence", "TeX", "underscores"):
            continue
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(
            [["truth", "pred", column], ["owl", "owl", 1], ["fox", "owl", 2]]
        )
        add.scored(name, file.getvalue().encode(), 2, 0.5)


def scores(add: Corpus) -> None:
    add.scored("plain", _scored("0.25", "1e-3", ".5"), 3, 1.0)
    for name, cell in {
        "a word": "high",
        "infinite": "inf",
        "beyond every float": "1e999",
        "hexadecimal": "0x1",
        "underscored": "0_1",
        "wide digits": "０.５",
        "a blank inside": "0. 5",
    }.items():
        add.refused(
            name, _scored("0.25", cell, "0.5"), "p_owl", ("row 2", "infinite", "0 to 1", "0 and 1"), options=WANTED
        )
    add.scored("percent", _scored("25%", "50 %", "75%"), 3, 1.0, "per cent")
    add.scored("not a number", _scored("0.25", "nan", "0.5"), 3, 1.0, "nan (not a number)", "row 2", options=WANTED)
    add.refused(
        "more than one", _scored("0.25", "1.5", "0.5"), "p_owl", ("row 2", "1.5", "probability"), options=WANTED
    )
    add.scored("empty", _scored("0.25", "", "0.5"), 3, 1.0, "p_owl", options=WANTED)
    add.scored("a thousand logits", _logits(), 1_000, 1.0, "logit")


WANTED = ("--score", "p_owl")


def _scored(*cells: str) -> bytes:
    truth = ("fox", "fox", "owl")
    lines = [f"{label},{label},{cell}" for label, cell in zip(truth, cells, strict=True)]
    return ("truth,pred,p_owl\n" + "\n".join(lines) + "\n").encode()


def _logits() -> bytes:
    lines = [
        f"{'owl' if i % 2 else 'fox'},{'owl' if i % 2 else 'fox'},{(i % 2 * 2 - 1) * (i + 1) / 100}"
        for i in range(1_000)
    ]
    return ("truth,pred,score\n" + "\n".join(lines) + "\n").encode()


def names(add: Corpus) -> None:
    for name, upload in {
        "a header's line end": "x\r\nSet-Cookie: a=1.csv",
        "markup": "<img src=x onerror=alert(1)>.csv",
        "an option": "-rf.csv",
        "a formula": "=cmd|calc!A0.csv",
        "turned around": "invoice\u202evsc.exe.csv",
        "a device": "CON.csv",
        "only an ending": ".csv",
        "250 characters": "n" * 246 + ".csv",
        "a format string": "%s%n{0}.csv",
        "capitals": "PREDS.CSV",
        "blanks around": " preds .csv ",
    }.items():
        add.scored(name, GOOD, N, RIGHT, upload=upload)
    add.refused("a program behind", GOOD, "kind of file", upload="preds.csv.exe")
    add.refused("no ending", GOOD, "no extension", upload="predictions")
    add.refused("an ending of 200 characters", GOOD, "kind of file", upload="p." + "x" * 200)


def add_all(add: Corpus) -> None:
    for part in (labels, hostile_labels, hostile_columns, scores, names):
        add.kind = part.__name__.replace("_", " ")
        part(add)
