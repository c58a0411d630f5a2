"""Drafts: what a link shows is what was uploaded, a correction is another link, and nothing half-made is kept."""

import dataclasses
import json
import os
import string
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.metrics import accuracy_score, roc_auc_score

from data import samples
from data.errors import DataError, NotUsableYet
from data.evaluation import FileFacts, Settings, fingerprint
from data.parser.parser import STANDARD
from data.reading.options import ReadOptions
from data.roles.detect import detect
from data.runs import draft_changes, load
from data.runs.draft_changes import add_labels, correct
from data.runs.load import Given, draft_of, keep, list_columns, read_draft, read_evaluation
from data.runs.written_options import label_set_from_text
from data.samples import SAMPLES
from data.store import links, records, store
from tests.csv_files import write_csv
from tests.opened_runs import accuracy, open_run


@pytest.fixture(autouse=True)
def folder(own_store: Path, read_here: None) -> Path:
    return own_store


def upload(*paths: Path, **given) -> str:
    return keep(read_draft([(path, path.name) for path in paths], Given(**given)))


def stand_in(tmp_path: Path, columns: dict[str, list]) -> str:
    """A draft over a table that was not read in a child process: corrections need no file."""
    table = pa.table(columns)
    store.write_canonical(table, tmp_path / "t.parquet")
    found = detect(table)
    facts = FileFacts("t.csv", "CSV", len(table), tuple(table.column_names), 1, "0" * 64)
    return keep(load.Draft("t.csv", (facts,), (store.put_table(tmp_path / "t.parquet"),), Given(), found.settings))


def assert_same(one, other) -> None:
    """Two evaluations that no page could tell apart."""
    for field in dataclasses.fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray):
            assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), field.name
        elif isinstance(a, pa.Table):
            assert a.equals(b) and a.schema.metadata == b.schema.metadata
        else:
            assert a == b, field.name


def kept(folder: Path) -> int:
    return len(list((folder / "link").iterdir())) if (folder / "link").exists() else 0


BINARY = {
    "id": [f"r{i}" for i in range(8)],
    "y_true": ["ham", "spam", "spam", "ham", "ham", "spam", "ham", "ham"],
    "y_pred": ["ham", "spam", "ham", "ham", "spam", "spam", "ham", "ham"],
    "other": ["spam", "spam", "spam", "ham", "ham", "ham", "ham", "ham"],
    "p_spam": [0.1, 0.8, 0.3, 0.2, 0.6, 0.9, 0.4, 0.45],
    "p2": [0.9, 0.2, 0.7, 0.8, 0.4, 0.1, 0.6, 0.55],
}


# -- the round trip ---------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{}, {"threshold": 0.35}, {"positive": "ham", "truth": "other"}])
def test_a_kept_draft_opens_as_what_was_read(tmp_path, given):
    file = write_csv(tmp_path / "preds.csv", BINARY)
    token = upload(file, **given)
    opened = open_run(token)
    assert_same(opened, read_evaluation([file], Given(**given)))
    assert_same(opened, open_run(token))
    assert draft_of(token).given == Given(**given)


def test_drafts_say_no_more_than_they_must(tmp_path, folder):
    token = upload(write_csv(tmp_path / "preds.csv", BINARY))
    [link] = (folder / "link").iterdir()
    assert token not in link.read_text() and str(tmp_path) not in link.read_text()
    assert len(list((folder / "data").iterdir())) == 1 and list((folder / "tmp").iterdir()) == []


def test_file_is_refused_as_its_own_labels(tmp_path):
    file, again = (write_csv(tmp_path / name, BINARY) for name in ("preds.csv", "copy.csv"))
    for labels, named in ((file, r"\('preds.csv'\)"), (again, r"\('preds.csv' and 'copy.csv'\)")):
        with pytest.raises(DataError, match=f"one and the same file {named}.*leave the second file out"):
            read_evaluation([file, labels], Given())


def test_two_files_join_again_with_their_columns(tmp_path):
    columns = {"doc": [f"d{i}" for i in range(6)], "prediction": ["a", "b", "a", "b", "a", "b"]}
    preds = write_csv(tmp_path / "preds.csv", columns)
    truth = {"doc": columns["doc"][::-1], "label": ["b", "b", "a", "a", "b", "a"]}
    labels = write_csv(tmp_path / "labels.csv", truth)
    token = upload(preds, labels)
    opened = open_run(token)
    assert_same(opened, read_evaluation([preds, labels], Given()))
    wanted = dict(zip(truth["doc"], truth["label"], strict=True))
    assert [opened.labels[c] for c in opened.y_true] == [wanted[doc] for doc in columns["doc"]]
    assert accuracy(opened) == accuracy_score([wanted[doc] for doc in columns["doc"]], columns["prediction"])
    assert [file.columns for file in opened.receipt.files] == [("doc", "prediction"), ("doc", "label")]
    assert opened.receipt.join is not None and opened.receipt.join.n_matched == 6
    swapped = open_run(upload(labels, preds))
    assert accuracy(swapped) == accuracy(opened), "the wrong order of upload changes nothing that counts"


def test_another_key_is_another_evaluation(tmp_path):
    a = write_csv(tmp_path / "p.csv", {"k": ["1", "2"], "j": ["2", "1"], "prediction": ["x", "y"]})
    b = write_csv(tmp_path / "l.csv", {"k": ["1", "2"], "j": ["1", "2"], "label": ["x", "y"]})
    one, two = open_run(upload(a, b, key="k")), open_run(upload(a, b, key="j"))
    assert accuracy(one) == 1 and accuracy(two) == 0
    assert one.fingerprint != two.fingerprint, "a cache must not show one for the other"


def test_what_the_reader_warns_of_reaches_the_receipt(tmp_path):
    file = write_csv(tmp_path / "p.csv", {"y_true": ["1", "0", "1"], "score": ["0.5", "nan", "0.9"]})
    e = read_evaluation([file], Given())
    assert e.receipt.files[0].warnings
    for warning in e.receipt.files[0].warnings:
        assert warning in e.receipt.warnings


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
def test_a_sample_opens_by_its_key(sample):
    e = open_run(sample.key)
    assert (e.name, e.task) == (sample.title, sample.task) and e.n_scored > 0
    assert sample.label_set is None or e.labels[: e.n_space] == sample.label_set
    assert e.fingerprint == open_run(sample.key).fingerprint


def test_sample_is_read_again_once_memory_lets_go(monkeypatch):
    read, sources = [], samples.load_sample_paths
    monkeypatch.setattr(samples, "load_sample_paths", lambda key: read.append(key) or sources(key))
    monkeypatch.setattr(load, "_known_samples", {})
    draft = draft_of("digits")
    assert draft_of("digits") == draft and draft_of("triage") != draft and read == ["digits", "triage"]
    store.memory().remove(store.data_name(draft.data_ids[0]))
    assert draft_of("digits") == draft and read == ["digits", "triage", "digits"]
    assert len(store.load_table(draft.data_ids[0])) == 899


def test_a_thousand_score_columns_fit_into_a_draft(tmp_path, folder):
    random = np.random.default_rng(0)
    letters = list(string.ascii_lowercase)
    names = [f"{''.join(random.choice(letters, 12))}_{i:03}" for i in range(1_000)]
    truth = [names[i] for i in random.integers(100, size=300)]
    table = {"y_true": truth, **{f"probability_{name}": random.random(300) for name in names}}
    token = stand_in(tmp_path, table)
    e = open_run(token)
    assert e.y_score is not None and e.y_score.shape == (300, 1_000) and e.labels == tuple(sorted(names))
    assert [link.stat().st_size <= records.MAX_RECORD_BYTES for link in (folder / "link").iterdir()] == [True]
    moved = open_run(correct(token, e.settings, {"space": "set", "label_set": "\n".join(names)}))
    assert moved.labels == tuple(names)


def test_too_large_draft_is_one_sentence(tmp_path, folder):
    random = np.random.default_rng(0)
    names = [bytes(random.integers(33, 126, 200, dtype=np.uint8)).decode() for _ in range(2_000)]
    with pytest.raises(DataError, match="64 kB"):
        keep(load.Draft("t", (), (), Given(label_set=tuple(names)), Settings()))
    assert kept(folder) == 0


# -- links that lead nowhere ------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.text(max_size=40) | st.text(string.ascii_letters, min_size=32, max_size=32))
def test_a_garbled_token_is_one_sentence(text):
    with pytest.raises(DataError) as error:
        open_run(text)
    assert str(error.value).isprintable() and len(str(error.value)) < 200


@pytest.mark.parametrize(
    "draft",
    [
        {},
        {"name": "x"},
        {"packed": "no such thing"},
        {"packed": "c-o%#"},
        {"packed": 7},
        {"name": "x", "files": [{"nonsense": 1}], "data_ids": [], "given": {}, "settings": {}},
        {"name": "x", "files": [], "data_ids": [], "given": {}, "settings": {"colour": "red"}},
        {"name": "x", "files": 5, "data_ids": None, "given": [], "settings": []},
    ],
)
def test_what_another_version_kept_is_named_as_damaged(draft):
    token = links.keep_draft(draft, ())
    with pytest.raises(DataError, match="damaged"):
        open_run(token)


def test_a_table_that_is_gone_is_said(tmp_path, folder):
    token = stand_in(tmp_path, BINARY)
    for path in (folder / "data").iterdir():
        os.unlink(path)
    with pytest.raises(DataError, match="not there any more"):
        open_run(token)


def test_unreadable_upload_is_named_and_not_kept(tmp_path, folder):
    file = tmp_path / "bad.csv"
    file.write_text("label,prediction\na,a\nb\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.csv.*row 2"):
        upload(file)
    assert kept(folder) == 0 and list((folder / "data").iterdir()) == []


def test_columns_without_roles_are_chosen_by_hand(tmp_path, folder):
    columns = {"colour": list("abab") * 6, "shape": list("abba") * 6, "size": [str(i) for i in range(24)]}
    token = upload(write_csv(tmp_path / "odd.csv", {"size": columns["size"], "alpha": list("xyxy") * 6}))
    with pytest.raises(NotUsableYet, match=r"odd\.csv.*Choose both columns.*The columns are"):
        open_run(token)
    assert list_columns(token) == ("size", "alpha")
    token = upload(write_csv(tmp_path / "odd.csv", columns))
    chosen = {"truth": "colour", "pred": "shape", "raw": None, "score_columns": (), "space": "seen"}
    e = open_run(correct(token, Settings(), chosen))
    assert accuracy(e) == accuracy_score(columns["colour"], columns["shape"])
    assert [role.role for role in e.receipt.roles] == ["truth", "prediction", "other"]


def test_labels_may_come_after_the_predictions(tmp_path):
    token = upload(write_csv(tmp_path / "p.csv", {"id": list("abcdef"), "prediction": list("xyxyxy")}))
    with pytest.raises(NotUsableYet):
        open_run(token)
    labels = write_csv(tmp_path / "t.csv", {"id": list("fedcba"), "label": list("xxxyyy")})
    e = open_run(keep(add_labels(token, (labels, "t.csv"))))
    assert accuracy(e) == accuracy_score(list("yyyxxx"), list("xyxyxy"))
    assert e.receipt.join is not None and e.receipt.join.key == ("id", "id")


# -- corrections ------------------------------------------------------------------------------------


def corrected(tmp_path, folder, columns=BINARY, **given):
    """The evaluation after a correction; the old link must still show the old numbers."""
    token = stand_in(tmp_path, columns)
    before = open_run(token)
    new = correct(token, before.settings, given)
    assert new != token and kept(folder) == 2
    assert_same(open_run(token), before)
    return open_run(new)


def test_another_truth(tmp_path, folder):
    e = corrected(tmp_path, folder, truth="other")
    assert accuracy(e) == accuracy_score(BINARY["other"], BINARY["y_pred"])
    roles = {role.column: role for role in e.receipt.roles}
    assert roles["other"].role == "truth" and "you" in roles["other"].why and roles["y_true"].role == "other"


def test_another_prediction_or_none(tmp_path, folder):
    e = corrected(tmp_path, folder, pred="other")
    assert accuracy(e) == accuracy_score(BINARY["y_true"], BINARY["other"])
    token = stand_in(tmp_path, BINARY)
    e = open_run(correct(token, open_run(token).settings, {"pred": None}))
    assert e.settings.pred is None and e.threshold == 0.5
    assert accuracy(e) == accuracy_score(BINARY["y_true"], ["spam" if p >= 0.5 else "ham" for p in BINARY["p_spam"]])


def test_another_score_of_the_same_positive_class(tmp_path, folder):
    e = corrected(tmp_path, folder, score_columns=("p2",))
    assert e.settings.scores == (("p2", "spam"),) and e.positive == e.labels.index("spam")
    assert e.y_score is not None
    assert np.allclose(e.y_score[:, 0], BINARY["p2"])
    e = open_run(correct(stand_in(tmp_path, BINARY), e.settings, {"score_columns": ()}))
    assert e.y_score is None


def test_other_positive_class_reverses_a_named_score(tmp_path, folder):
    e = corrected(tmp_path, folder, positive="ham")
    assert e.positive == e.labels.index("ham") and e.y_score is not None
    assert np.allclose(e.y_score[:, 0], 1 - np.array(BINARY["p_spam"]))


def test_unnamed_score_follows_the_positive_class(tmp_path, folder):
    columns = {"y_true": ["1", "1", "0", "0"], "score": [0.2, 0.1, 0.9, 0.7]}
    before = open_run(stand_in(tmp_path, columns))
    assert any("choose that as the positive class" in text for text in before.receipt.warnings)
    (folder / "link" / next((folder / "link").iterdir()).name).unlink()
    e = corrected(tmp_path, folder, columns, positive="0")
    assert e.y_score is not None and e.positive == 0
    assert roc_auc_score([t == "0" for t in columns["y_true"]], e.y_score[:, 0]) == 1
    assert not any("choose that as the positive class" in text for text in e.receipt.warnings)


def test_a_chosen_positive_class_survives_another_column(tmp_path):
    token = stand_in(tmp_path, BINARY)
    token = correct(token, open_run(token).settings, {"positive": "ham"})
    e = open_run(correct(token, open_run(token).settings, {"pred": "other"}))
    assert e.positive == e.labels.index("ham")


def test_the_label_space(tmp_path, folder):
    columns = {"y_true": ["a", "b", "a", "b"], "y_pred": ["a", "b", "c", "c"]}
    truth = corrected(tmp_path, folder, columns, space="truth")
    assert truth.labels == ("a", "b", "c") and truth.n_space == 2
    token = stand_in(tmp_path, columns)
    listed = correct(token, open_run(token).settings, {"space": "set", "label_set": "d\nb\na\n"})
    assert open_run(listed).labels == ("d", "b", "a", "c") and open_run(listed).n_space == 3
    again = correct(listed, open_run(listed).settings, {"pred": "y_pred"})
    assert open_run(again).n_space == 3, "what is not corrected stays"
    seen = correct(listed, open_run(listed).settings, {"space": "seen"})
    assert open_run(seen).n_space == 3 and open_run(seen).labels == ("a", "b", "c")


def test_the_scale(tmp_path, folder):
    e = corrected(tmp_path, folder, pred=None, scale="logit")
    assert e.scale == "logit" and e.threshold == 0.0 and (e.y_pred == e.labels.index("spam")).all()


def test_from_labels_to_raw_answers(tmp_path, folder):
    columns = {
        "y_true": ["ham", "spam", "ham"],
        "y_pred": ["spam", "spam", "spam"],
        "said": ["Ham.", "I cannot tell", "**ham**"],
    }
    e = corrected(tmp_path, folder, columns, pred=None, raw="said")
    assert e.n_unparsed == 1 and accuracy(e) == pytest.approx(2 / 3)


FLAGS = {
    "true_a": "1010", "true_b": "0110", "true_c": "1100", "pred_a": "1000", "pred_b": "0111", "pred_c": "0100",
}  # fmt: skip
FRACTIONS: dict[str, list] = {
    "p_a": [0.9, 0.2, 0.4, 0.1], "p_b": [0.1, 0.8, 0.7, 0.6], "p_c": [0.3, 0.9, 0.1, 0.2],
    "logit_a": [2.0, -1.0, 0.5, -3.0], "logit_b": [-2.0, 1.0, 0.5, 3.0], "logit_c": [-2.0, 1.0, -0.5, -3.0],
}  # fmt: skip
HOT = {name: list(cells) for name, cells in FLAGS.items()} | FRACTIONS


def test_label_set_columns_can_be_left_out(tmp_path, folder):
    without = {"truth_columns": ("true_a", "true_b"), "pred_columns": ("pred_a", "pred_b"), "score_columns": ()}
    e = corrected(tmp_path, folder, HOT, **without)
    assert e.labels == ("a", "b") and e.y_score is None
    token = keep(dataclasses.replace(draft_of(stand_in(tmp_path, HOT)), settings=e.settings))
    back = {"truth_columns": ("true_a", "true_b", "true_c"), "pred_columns": ("pred_a", "pred_b", "pred_c")}
    e = open_run(correct(token, e.settings, back))
    assert e.labels == ("a", "b", "c")
    assert e.y_true[:, 2].tolist() == [True, True, False, False]


def test_other_scores_of_label_sets(tmp_path, folder):
    columns = tuple(name for name in HOT if name.startswith("logit_"))
    e = corrected(tmp_path, folder, HOT, score_columns=columns, scale="logit")
    assert e.settings.scores == tuple((name, name[-1]) for name in columns) and e.scale == "logit"
    assert e.y_score is not None and np.array_equal(e.y_score, np.array([HOT[name] for name in columns]).T)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"truth": None}, "No true label"),
        ({"truth": "y_pred"}, "same column"),
        ({"pred": None, "raw": None, "score_columns": ()}, "no prediction|Predictions are missing"),
        ({"pred": "p_spam"}, "No label predicted"),
        ({"positive": "eggs"}, "positive class"),
        ({"score_columns": ("id",)}, "'id'"),
        ({"score_columns": ("p_spam", "p2")}, "score columns"),
        ({"space": "set", "label_set": ""}, "empty"),
        ({"space": "set", "label_set": "x\ny"}, "label list"),
        ({"pred": "no such"}, "no column"),
        ({"truth": "no such"}, "no column"),
    ],
)
def test_impossible_correction_is_refused_and_not_kept(tmp_path, folder, given, says):
    columns = BINARY | {"id": [f"a long sentence, number {i}" for i in range(8)]}
    token = stand_in(tmp_path, columns)
    before = open_run(token)
    with pytest.raises(DataError, match=says) as error:
        correct(token, before.settings, given)
    assert "\n" not in str(error.value) and len(str(error.value)) < 500
    assert kept(folder) == 1
    assert_same(open_run(token), before)


def test_form_without_a_change_changes_no_number(tmp_path):
    """The form on screen sends every choice, also those that nobody touched."""
    for columns in (BINARY, HOT):
        token = stand_in(tmp_path, columns)
        before = open_run(token)
        now = before.settings
        form = {"truth": now.truth, "pred": now.pred, "raw": now.raw, "scale": now.scale, "space": "seen"}
        form |= {"score_columns": tuple(c for c, _ in now.scores), "label_set": ""}
        form |= {"positive": now.positive} if before.task == "binary" else {}
        form |= {
            name: tuple(c for c, _ in getattr(now, name))
            for name in ("truth_columns", "pred_columns")
            if getattr(now, name)
        }
        assert_same(open_run(correct(token, now, form)), before)


# -- label sets and settings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('["a", "b"]', ("a", "b")),
        (' [ "b", "a c" ]\n', ("b", "a c")),
        ("[1, 2]", ("1", "2")),
        ("b\r\n a \n\n", ("b", "a")),
        ("one, two\nthree", ("one, two", "three")),
        ("NA\nnull", ("NA", "null")),
        ('["日本", "a\\nb"]', ("日本", "a\nb")),
    ],
)
def test_label_sets_from_text(text, labels):
    assert label_set_from_text(text) == labels


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n ",
        "[]",
        "[",
        "[1.5]",
        "[true]",
        "[null]",
        '[["a"]]',
        "a\nb\na",
        '["a", "a"]',
        '["\\ud800"]',
        "[" * 5_000,
    ],
)
def test_texts_that_are_no_label_set(text):
    with pytest.raises(DataError) as error:
        label_set_from_text(text)
    assert "label" in str(error.value) and len(str(error.value)) < 200 and str(error.value).isprintable()


def test_long_list_with_a_repetition_is_read_once():
    with pytest.raises(DataError, match="'7' twice"):
        label_set_from_text("\n".join([*map(str, range(300_000)), "7"]))


names = st.text(max_size=8)
pairs = st.lists(st.tuples(names, names), max_size=3).map(tuple)
some_settings = st.builds(
    Settings,
    truth=st.none() | names, pred=st.none() | names, raw=st.none() | names, id=st.none() | names,
    encoding=st.sampled_from(["single", "delimited", "json", "multi_hot"]), delimiter=st.none() | names,
    truth_columns=pairs, pred_columns=pairs, scores=pairs, scale=st.sampled_from(["probability", "logit"]),
    positive=st.none() | names, label_set=st.none() | st.lists(names, max_size=3).map(tuple),
    label_space=st.sampled_from(["seen", "truth"]), threshold=st.none() | st.floats(allow_nan=False),
)  # fmt: skip


@given(some_settings)
def test_settings_survive_json(wanted):
    assert Settings.from_json(json.loads(json.dumps(wanted.to_json()))) == wanted


EVERY_CHOICE = {
    "parser": STANDARD, "only": ("g", "1"), "merge": (("B", "b"),), "class_names": (("a", "cat"),),
    "run_parts": (("seed", "g"),), "cluster": "", "task": "single", "weights": "w", "order": ("a", "b"),
    "separator": "/", "tree": (("a", "c"),),
}  # fmt: skip


def test_every_choice_stays_in_wishes_and_settings():
    wishes = Given(**EVERY_CHOICE)
    assert Given.from_json(json.loads(json.dumps(wishes.to_json()))) == wishes
    assert wishes.settings(Settings()).choices() == wishes.columns().choices() == Settings().choices() | EVERY_CHOICE


def test_every_choice_stays_at_another_correction():
    table = pa.table({"y": list("abab"), "p": list("aabb"), "q": list("abba"), "g": list("1111"), "w": [1, 2, 1, 1]})
    before = Settings("y", "p", **EVERY_CHOICE)
    after = draft_changes.correct_settings(table, before, {"pred": "q"})
    assert after.pred == "q" and after.choices() == before.choices()


def test_no_column_can_be_chosen_for_every_role(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "p.csv", {"y": [*"abab"] * 5, "p": [*"abbb"] * 5, "answer": [*"abaa"] * 5})
    run = keep(read_draft([(path, "p.csv")], Given()))
    before = draft_of(run).settings
    for name in ("raw", "counts", "score_columns", "truth_columns", "pred_columns"):
        for none in ("", ("",)) if name.endswith("columns") else ("",):
            assert draft_of(correct(run, before, {name: none})).settings == before
    for name in ("weights", "cluster"):
        assert getattr(draft_of(correct(run, before, {name: ""})).settings, name) == ""
    assert draft_of(correct(run, before, {"pred": "", "raw": "answer"})).settings.pred is None
    for name, text in (("truth", "No true label is chosen"), ("pred", "predict")):
        with pytest.raises(DataError, match=text):
            correct(run, before, {name: ""})


@pytest.mark.parametrize("name", ["truth", "pred", "raw", "counts", "weights", "cluster", "score_columns", "run_parts"])
def test_a_column_that_is_not_there_is_refused(name: str, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "p.csv", {"y": [*"abab"] * 5, "p": [*"abbb"] * 5})
    run = keep(read_draft([(path, "p.csv")], Given()))
    with pytest.raises(DataError, match="no column 'nowhere'"):
        chosen = {"score_columns": ("nowhere",), "run_parts": (("epoch", "nowhere"),)}.get(name, "nowhere")
        correct(run, draft_of(run).settings, {name: chosen})


def test_wishes_are_written_in_one_order():
    # digests of counted sources hold the text, so that no name may come, go or move
    names = [
        "truth", "pred", "raw", "scores", "positive", "label_set", "threshold", "key", "parser", "only", "merge",
        "reading", "repeated", "scale", "class_names", "counts",
    ]  # fmt: skip
    assert list(Given().to_json()) == [*names, "separator"]
    later = ["run_parts", "cluster", "task", "weights", "order", "separator", "tree"]
    assert list(Given(**EVERY_CHOICE).to_json()) == [*names, *later]


@given(some_settings, some_settings)
def test_every_setting_is_part_of_the_fingerprint(one, other):
    assert (fingerprint("x", one) == fingerprint("x", other)) == (one == other)
    assert fingerprint("x", one) != fingerprint("y", one)


def test_settings_of_another_version_are_an_error():
    with pytest.raises(TypeError):
        Settings.from_json({"colour": "red"})


def test_unjoined_files_wait_for_a_key(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("case,pred\na1,cat\na2,dog\na3,cat\n", encoding="utf-8")
    (tmp_path / "t.csv").write_text("name,label\na2,dog\nb0,cat\nb1,cat\nb2,dog\nb3,cat\n", encoding="utf-8")
    sources = [(tmp_path / "p.csv", "p.csv"), (tmp_path / "t.csv", "t.csv")]
    run = load.keep(load.read_draft(sources, Given()))
    with pytest.raises(NotUsableYet, match="less than half of either file"):
        open_run(run)
    assert load.list_columns_by_file(run) == (("case", "pred"), ("name", "label"))
    joined = draft_changes.rejoin(run, "case=name")
    evaluation = open_run(joined)
    assert (evaluation.n_rows, evaluation.n_scored, load.list_columns_by_file(joined)) == (7, 1, None)
    with pytest.raises(DataError, match="no column"):
        draft_changes.rejoin(run, "nothing")


def test_building_while_reading_equals_opening(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("y_true,y_pred,p_b\na,a,0.1\nb,a,0.4\nb,b,0.9\n", encoding="utf-8")
    draft, built = load.read_and_build([(path, "p.csv")], Given())
    again = open_run(load.keep(draft))
    assert built is not None and built.fingerprint == again.fingerprint and built.receipt == again.receipt
    assert built.rows.equals(again.rows)
    for name in ("y_true", "y_pred", "y_score", "scored"):
        np.testing.assert_array_equal(getattr(built, name), getattr(again, name))


def test_another_encoding_is_another_evaluation(tmp_path: Path) -> None:
    """Test that what is kept by fingerprint would otherwise show one reading's labels with the other's numbers."""
    path = tmp_path / "p.csv"
    path.write_bytes("y_true,y_pred\nœuf,blé\nblé,blé\nœuf,œuf\n".encode("cp1252"))

    def read(encoding: str):
        return read_evaluation([path], Given(reading=(ReadOptions(encoding=encoding),)))

    one, two = read("Windows-1252"), read("ISO-8859-15")
    assert one.labels != two.labels and one.settings == two.settings
    assert one.fingerprint != two.fingerprint
    assert one.fingerprint == read("Windows-1252").fingerprint


def test_another_file_name_is_another_evaluation(tmp_path: Path) -> None:
    """Test that what is kept by fingerprint would otherwise show one person the name that another gave the file."""
    found = []
    for name in ("ann.csv", "bob.csv", "bob.csv"):
        path = tmp_path / name
        path.write_text("y_true,y_pred\na,a\nb,a\n", encoding="utf-8")
        found.append(read_evaluation([path], Given()))
    assert [one.name for one in found] == ["ann.csv", "bob.csv", "bob.csv"]
    assert found[0].fingerprint != found[1].fingerprint == found[2].fingerprint


def test_earlier_draft_keeps_its_doubtful_comma(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("id;label;score\n" + "".join(f"{i};{'ab'[i % 2]};{1 + i % 3},{100 + i}\n" for i in range(99)))
    kept = read_draft([(path, path.name)], Given()).to_json()
    assert kept.pop("comma") == "1,100", "drafts of before have it in their sentence alone"
    assert load.Draft.from_json(kept).comma == "1,100"


@pytest.mark.parametrize("labels", [("0", "1", "2"), ("1", "2", "3"), ("ant", "bee", "cat")])
def test_shares_without_names_follow_label_order(labels: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "shares.csv"
    shares = ("0.8,0.15,0.05", "0.1,0.7,0.2", "0.1,0.3,0.6")
    path.write_text("".join(f"{labels[row % 3]},{shares[row % 3]}\n" for row in range(30)))
    evaluation = read_evaluation([path], Given())
    assert evaluation.settings.scores == tuple(zip(("share 1", "share 2", "share 3"), labels, strict=True))
    assert accuracy(evaluation) == 1
