"""The page Compare: two models of one file or of two, their rows, and a sentence where they cannot be compared."""

import csv
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from data.comparison.alike.reading import read_alike
from data.parser.parser import Parser, Rule
from data.runs import load
from data.sharing import share
from data.store import links
from metrics.comparison.runs import Runs
from tests.opened_pages import new_tab
from tests.opened_runs import open_run
from tests.pages.test_links import follow
from tests.walk.claims import plain
from text.numbers import percent
from ui.compare import flips
from ui.view import open_runs

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tab() -> AppTest:
    return new_tab().run()


def title(tab: AppTest) -> str:
    return plain(str(tab.title[0].value))


def keep(tmp_path: Path, name: str, lines: list[str], **given: Any) -> str:
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load.keep(load.read_draft([(path, name)], load.Given(**given)))


def test_compare_adds_a_column_and_opens_its_rows(tab):
    follow(tab, "compare", run="triage")
    assert title(tab) == "Compare with a second model"
    [button] = [one for one in tab.button if "p_urgent_v2" in one.label]
    button.click().run()
    assert title(tab) == "No difference found between `p_urgent_v1` and `p_urgent_v2`: accuracy 82.1 % → 84.3 %"
    assert tab.query_params["with"] in ("score.p_urgent_v2", ["score.p_urgent_v2"])
    said = " ".join(str(one.value) for one in (*tab.caption, *tab.header))
    assert (
        "+2.2 points (95 % interval −0.4 to 5.8). `p_urgent_v2` fixes 187 rows and breaks 135." in plain(said)
        and "22 clusters" in said
    )
    assert "135 rows right in A, wrong in B" in said
    assert "A difference of 1.0 points in accuracy needs about" in " ".join(str(one.value) for one in tab.header)
    with (ROOT / "data" / "samples" / "triage.csv").open(encoding="utf-8") as file:
        urgent = [row for row in csv.DictReader(file) if row["truth"] == "urgent"]
    fixed = sum(float(row["p_urgent_v1"]) < 0.5 <= float(row["p_urgent_v2"]) for row in urgent)
    follow(tab, "compare", run="triage", **{"with": "score.p_urgent_v2", "class": "urgent", "flip": "fixed"})
    assert f"{fixed} rows of `urgent` wrong in A, right in B" in " ".join(str(one.value) for one in tab.header)
    follow(tab, "compare", run="triage", cluster="~", **{"with": "score.p_urgent_v2"})
    assert title(tab) == "`p_urgent_v2` is better: accuracy 82.1 % → 84.3 %"
    [swap] = [one for one in tab.button if one.key == "icon.compare.swap"]
    swap.click().run()
    assert title(tab).endswith("accuracy 84.3 % → 82.1 %")
    follow(tab, "compare", run="triage", filter="channel=phone", cluster="~", **{"with": "score.p_urgent_v2"})
    assert title(tab).startswith("`p_urgent_v2` is worse")


def test_equal_recall_holds_for_the_whole_page(tab):
    query = {"with": "score.p_urgent_v2", "cluster": "~", "at": "recall"}
    follow(tab, "compare", run="triage", **query)
    said = [str(one.value) for one in tab.header]
    with (ROOT / "data" / "samples" / "triage.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    urgent = np.array([row["truth"] == "urgent" for row in rows])
    v1, v2 = (np.array([float(row[name]) for row in rows]) for name in ("p_urgent_v1", "p_urgent_v2"))
    found = urgent & (v1 >= 0.5)
    threshold = np.sort(v2[urgent])[::-1][found.sum() - 1]
    predicted = v2 >= threshold
    right = (urgent == predicted).mean()
    precision = [found.sum() / (v1 >= 0.5).sum(), (urgent & predicted).sum() / predicted.sum()]
    assert f"At equal recall of `urgent`, precision is {precision[0]:.3f} in A and {precision[1]:.3f} in B" in said
    assert title(tab).endswith(f"accuracy {percent((urgent == (v1 >= 0.5)).mean())} → {percent(right)}")
    assert f"A and B predict the same in {100 * ((v1 >= 0.5) == predicted).mean():.1f}\xa0% of the rows" in said


def test_a_shared_comparison_opens_with_the_same_numbers(tab, tmp_path):
    first = keep(tmp_path, "first.csv", ["id,label,pred", *(f"{i},{t},{t}" for i, t in enumerate("abababab"))])
    second = keep(tmp_path, "second.csv", ["id,label,pred", *(f"{i},{t},a" for i, t in enumerate("abababab"))])
    follow(tab, "compare", run=first, **{"with": f"run.{second}"})
    own = title(tab)
    assert own == "`second.csv` is worse: accuracy 100.0 % → 50.0 %"
    made = share.share(first, views=[links.View("compare", {"with": f"run.{second}"})])
    share.delete_upload(first)
    share.delete_upload(second)
    query = dict(made.views[0].query)
    assert query == {"with": "part.0"}
    follow(tab, "compare", run=made.token, **query)
    assert title(tab) == own
    share.delete_share(links.id_of(made.token), owner_key=made.owner_key)
    assert "This link leads nowhere" in follow(tab, "compare", run=made.token, **query)


def test_long_labels_are_told_apart(tab, tmp_path):
    names = [f"{'a shared beginning of many words / ' * 3}{end}" for end in ("hats", "coats")]
    lines = [[f"{i},{names[i % 2]},{names[i % 2 if i % 5 else wrong]}" for i in range(20)] for wrong in (0, 1)]
    first, second = (keep(tmp_path, f"{name}.csv", ["id,label,pred", *lines[n]]) for n, name in enumerate("ab"))
    follow(tab, "compare", run=first, **{"with": f"run.{second}"})
    said = " ".join(str(one.value) for one in tab.header)
    assert "`coats` as `hats`" in said or "`hats` as `coats`" in said


def test_class_names_hold_for_the_other_run(tab, tmp_path):
    path = tmp_path / "ids.csv"
    path.write_text("\n".join(["id,label,pred", *(f"{i},{i % 3},{i % 3}" for i in range(9))]) + "\n", encoding="utf-8")
    given = load.Given(class_names=(("0", "cat"), ("1", "cow"), ("2", "dog")))
    named = load.keep(load.read_draft([(path, "named.csv")], given))
    other = keep(tmp_path, "other.csv", ["id,label,pred", *(f"{i},{i % 3},0" for i in range(9))])
    said = follow(tab, "compare", run=named, **{"with": f"run.{other}"})
    assert title(tab) == "`other.csv` is worse: accuracy 100.0 % → 33.3 %" and "predicts 'cat' in every row" in said


def test_class_name_that_is_another_label_is_left(tab, tmp_path):
    path = tmp_path / "ids.csv"
    path.write_text("id,label,pred\n" + "".join(f"{i},{i % 2},{i % 2}\n" for i in range(9)), encoding="utf-8")
    named = load.keep(load.read_draft([(path, "named.csv")], load.Given(class_names=(("0", "cat"), ("1", "dog")))))
    truth = ("0", "1", "cat")
    other = keep(tmp_path, "other.csv", ["id,label,pred", *(f"{i},{truth[i % 3]},{truth[i % 3]}" for i in range(9))])
    runs = [open_runs.evaluate_draft(load.draft_of(run)) for run in (other, named)]
    own = read_alike(*runs).evaluation
    assert set(own.labels) == set(truth)


def test_runs_are_ranked_by_one_parser_only(tab, tmp_path):
    truth = ["cat", "cow", "dog", "cat", "cow", "dog", "cat", "cow", "dog", "cat"]
    wordy = [f"surely a {name}, no bird" if row % 2 else "cat" for row, name in enumerate(truth)]
    plain = [f"it is a {name}" if row % 3 else "cow" for row, name in enumerate(truth)]
    header = "id,label,answer"
    lines = [[header, *(f'{row},{truth[row]},"{text}"' for row, text in enumerate(texts))] for texts in (plain, wordy)]
    mention, exact = (Parser(name, (Rule("exact"), Rule(name))) for name in ("first_mentioned", "normalised"))
    first = keep(tmp_path, "first.csv", lines[0], parser=mention)
    right = [sum(name in text for name, text in zip(truth, texts, strict=True)) / 10 for texts in (plain, wordy)]
    between = "No difference found between `first.csv` and `second.csv`"
    ranked = f"{between}: accuracy {percent(right[0])} → {percent(right[1])}"
    added = keep(tmp_path, "second.csv", lines[1])
    said = follow(tab, "compare", run=first, **{"with": f"run.{added}"})
    assert title(tab) == ranked and "second.csv takes over from first.csv: parser." in said
    other = keep(tmp_path, "second.csv", lines[1], parser=exact)
    said = follow(tab, "compare", run=first, **{"with": f"run.{other}"})
    unread = sum(" " in text for text in wordy)
    assert title(tab) == "No ranking yet: A and B are read by different parsers"
    assert f"{unread} of 10 predictions of B would change with A’s parser." in said
    [button] = [one for one in tab.button if one.label == "Use A’s for both"]
    button.click().run()
    assert title(tab) == ranked and tab.query_params["like"] in ("0", ["0"])
    follow(tab, "compare", run=first, like="1", **{"with": f"run.{other}"})
    assert title(tab).endswith("accuracy 0.0 % → 20.0 %"), "a label by itself is right in no row of A, in two of B"


def test_threshold_in_view_holds_for_both_runs(tab):
    with (ROOT / "data" / "samples" / "triage.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    urgent = np.array([row["truth"] == "urgent" for row in rows])
    scores = [np.array([float(row[name]) for row in rows]) for name in ("p_urgent_v1", "p_urgent_v2")]
    follow(tab, "compare", run="triage", t="0.3", **{"with": "score.p_urgent_v2"})
    shares = [((score >= 0.3) == urgent).mean() for score in scores]
    assert title(tab).endswith(f"accuracy {percent(shares[0])} → {percent(shares[1])}")
    best = [max(t for t in score if (score >= t)[urgent].mean() >= 0.9) for score in scores]
    follow(tab, "compare", run="triage", t=str(best[0]), rule="recall:0.9", **{"with": "score.p_urgent_v2"})
    shares = [((score >= t) == urgent).mean() for score, t in zip(scores, best, strict=True)]
    assert title(tab).endswith(f"accuracy {percent(shares[0])} → {percent(shares[1])}")


def test_note_names_the_run_that_is_wrong():
    labels = ("x", "y", "x, y")
    truth, other = np.array([[True, True, False]]), np.array([[False, False, True]])
    for a, b, said in ((truth, other, "x, y predicted as x, y by B"), (other, other, "x, y predicted as x, y by both")):
        runs = Runs(("A", "B"), labels, 3, "multilabel", truth, (a, b))
        aligned = SimpleNamespace(evaluations=[SimpleNamespace(answers=None)] * 2)
        compared = SimpleNamespace(comparison=SimpleNamespace(runs=runs), aligned=aligned, a=0, b=1, short={})
        note = flips._note(compared, 0, [runs.right(0), runs.right(1)])
        assert "".join(part if isinstance(part, str) else part[0] for part in note) == said


def test_compare_joins_runs_of_other_files(tab):
    said = follow(tab, "compare", run="support-intents", **{"with": "run.support-intents-llm"})
    assert "Only 600 of the 3,080 rows of Support intents were joined" in said
    outside = open_run("support-intents-llm")
    n = int((outside.y_pred >= outside.n_space).sum())
    assert f"Support intents, raw LLM answers predicts labels that no other run has in {n} rows" in said
    follow(tab, "compare", run="support-intents", **{"with": "run.support-intents-first-400"})
    assert "Recall is the same in 10 of 77 classes and is undefined in 67" in [one.value for one in tab.header]
    said = follow(tab, "compare", run="triage", filter="channel=phone", **{"with": "run.triage"})
    assert "joined by id" in said and "were joined; the others" not in said
    follow(tab, "compare", run="movie-genres", **{"with": "run.movie-genres"})
    assert title(tab).endswith("never differ: they are right in the same 819 rows")


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        (["id,label,pred", "7,cat,cat", "8,dog,dog"], "The runs share no id"),
        (["id,label,pred", "1,cat,cat", "8,dog,dog"], "The runs share one row only"),
        (["id,label,pred", "1,dog,cat", "2,cat,dog", "3,dog,dog"], "The true labels differ in 3 of 3 joined rows"),
        (["id,label,pred", "1,cat,cat", "2,dog,cat", "3,cat,cat"], "predicts 'cat' in every row"),
    ],
)
def test_compare_says_what_cannot_be_compared(tab, tmp_path, second, sentence):
    first = keep(tmp_path, "first.csv", ["id,label,pred", "1,cat,cat", "2,dog,cat", "3,cat,dog"])
    other = keep(tmp_path, "second.csv", second)
    said = follow(tab, "compare", run=first, **{"with": f"run.{other}"})
    assert sentence in said


def test_compare_opens_no_run_that_is_gone(tab):
    said = follow(tab, "compare", run="digits", **{"with": "run.abc,pred.nothing"})
    assert title(tab) == "A run cannot be opened"
    assert "This link opens nothing" in said and "'Digits' has no column 'nothing'" in said


def test_score_blocks_of_one_file_are_runs(tab, tmp_path):
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 90)
    scores = [rng.dirichlet(np.ones(3), 90) + strength * np.eye(3)[truth] for strength in (0.2, 0.6)]
    names = ("cat", "cow", "dog")
    blocks = [score / score.sum(axis=1, keepdims=True) for score in scores]
    lines = [
        ",".join([names[t], *(f"{value:.6f}" for block in blocks for value in block[row])])
        for row, t in enumerate(truth)
    ]
    header = ",".join(["label", *(f"{model}_p_{name}" for model in "ab" for name in names)])
    run = keep(tmp_path, "blocks.csv", [header, *lines])
    follow(tab, "compare", run=run)
    [button] = [one for one in tab.button if "b_p_*" in one.label]
    button.click().run()
    assert title(tab) == (
        f"`b_p_*` is better: accuracy {percent((blocks[0].argmax(1) == truth).mean())} → "
        f"{percent((blocks[1].argmax(1) == truth).mean())}"
    )
    follow(tab, "compare", run=run, **{"with": "scores.b_p_*", "class": "cow"})
    area = [roc_auc_score(truth == 1, block[:, 1].round(6)) for block in blocks]
    assert any(f"ROC AUC of cow {area[0]:.3f} → {area[1]:.3f}" in chart.proto.alt for chart in tab.get("plotly_chart"))
    said = follow(tab, "compare", run=run, **{"with": "scores.c_p_*"})
    assert "'blocks.csv' has no columns 'c_p_cat', 'c_p_cow', 'c_p_dog'" in said


def test_changed_rows_show_their_pictures(tab, tmp_path):
    pixels = [" ".join(str((row * place) % 17) for place in range(1, 17)) for row in range(1, 41)]
    lines = [f"{row % 2},{row % 3 % 2},{row % 2},{pixels[row]}" for row in range(40)]
    run = keep(tmp_path, "p.csv", ["label,first,second,pixels", *lines], truth="label", pred="first")
    follow(tab, "compare", run=run, **{"with": "pred.second", "flip": "fixed"})
    lists = [json.loads(part.proto.json or "{}").get("sections", []) for part in tab.get("bidi_component")]
    items = [item for sections in lists for section in sections for item in section["items"]]
    rows = [item for item in items if item["chosen"].isdigit()]
    assert rows and all(item["picture"] for item in rows)
