"""A share that leaves columns or rows out: the same numbers, and nothing of what was left out."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from data.building.build import build
from data.columns.table_metadata import with_notes
from data.comparison.row_groups import clusters_in_use
from data.errors import DataError
from data.evaluation import Evaluation, FileFacts, Settings
from data.parser.parser import Parser, Rule
from data.runs import load, understanding
from data.runs.draft import Draft, Given, unpack_draft
from data.samples import SAMPLES
from data.sharing import share
from data.sharing.redaction import redact_draft
from data.store import links, records, store
from metrics.catalogue.registry import ROWS
from tests.data import evaluations, written, written_by_tools, written_sets
from tests.measured_numbers import numbers_of

TOOLS = (
    written_by_tools.LABELS
    | written_by_tools.SCORED
    | written_by_tools.CONFIDENT
    | written_by_tools.BEST
    | written_by_tools.NUMBERED
)


@pytest.fixture(autouse=True)
def folder(own_store: Path, read_here: None) -> Path:
    return own_store


def left_out(draft: Draft, **left: Any) -> Draft:
    """Redact a draft as sharing does."""
    return redact_draft(draft, *understanding.open_with_table(draft), **left)


def drawn(*seed: str) -> np.random.Generator:
    return np.random.default_rng(list("/".join(seed).encode()))


def draft_of(*paths: Path, **said: Any) -> Draft:
    return load.read_draft([(path, path.name) for path in paths], Given(**said))


def draft_of_table(table: pa.Table, chosen: Settings, tmp_path: Path) -> Draft:
    """A draft over one stored table under settings that nobody had to find."""
    path = tmp_path / "table.parquet"
    store.write_canonical(table, path)
    facts = FileFacts("preds.csv", "CSV", len(table), (), 1, "0" * 64)
    return Draft("preds.csv", (facts,), (store.put_table(path),), Given(), chosen)


def assert_same(one: Any, other: Any, where: str = "report") -> None:
    """Equal to the last digit, but for sums over rows, whose last digit depends on the order of the rows."""
    assert type(one) is type(other), where
    if isinstance(one, dict):
        assert list(one) == list(other), where
        for key in one:
            assert_same(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), where
        for place, pair in enumerate(zip(one, other, strict=True)):
            assert_same(*pair, f"{where}[{place}]")
    elif isinstance(one, float) and not math.isnan(one):
        assert one == (pytest.approx(other, rel=1e-12, abs=1e-15) if SUMS & set(where.split(".")) else other), where
    else:
        assert one == other or one != one, where


SUMS = {row.key for row in ROWS if row.eats == "probabilities"}


def same_numbers(draft: Draft, **left: Any) -> Evaluation:
    """The report of what is left is that of the whole; returns what is left, opened again from its link."""
    part = left_out(draft, **left)
    again = Draft.from_json(json.loads(json.dumps(part.to_json())))
    found = understanding.open_draft(again)
    assert_same(numbers_of(found), numbers_of(understanding.open_draft(draft)))
    return found


# -- the same numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", [sample.key for sample in SAMPLES])
def test_samples_give_equal_numbers_without_rows(sample: str) -> None:
    found = same_numbers(load.draft_of(sample), counts_only=True)
    assert not {"id", "text"} & {role.role for role in found.receipt.roles}


@pytest.mark.parametrize("tool", TOOLS)
def test_tool_files_give_equal_numbers_without_rows(tool: str, tmp_path: Path) -> None:
    rng = drawn(tool)
    pool = evaluations.WHOLE if tool in written_by_tools.NUMBERED else evaluations.PLAIN
    one = (
        evaluations.single(rng, pool[:4], 3) if tool in written_by_tools.NUMBERED else evaluations.single(rng, pool, 3)
    )
    if tool in written_by_tools.NUMBERED:
        one = evaluations.single(rng, evaluations.WHOLE[:3], 3)
    # its drawn scores agree with the truth hardly more than by chance, which is asked about where values alone told it
    said = {"truth": "instance.label"} if tool == "Vertex AI texts" else {}
    assert same_numbers(draft_of(*TOOLS[tool](one, tmp_path), **said), counts_only=True)


@pytest.mark.parametrize("way", [*written_sets.BOTH, *written_sets.SCORES])
def test_label_sets_give_equal_numbers_without_rows(way: str, tmp_path: Path) -> None:
    tables = (written_sets.BOTH | written_sets.SCORES)[way](evaluations.multi(drawn(way), evaluations.PLAIN, 4))
    for i in range(len(tables)):
        (tmp_path / str(i)).mkdir()
    paths = [written.ALL["json lines"](table, tmp_path / str(i)) for i, table in enumerate(tables)]
    assert same_numbers(draft_of(*paths), counts_only=True)


@pytest.mark.parametrize("how", ["id", "same names", "two keys", "stems", "numbers", "row order"])
def test_two_files_become_one_joined_table(how: str, tmp_path: Path) -> None:
    one = evaluations.single(drawn(how), evaluations.PLAIN, 3)
    tables = written_by_tools.apart(one, how, drawn(how).permutation(len(one.ids)))
    for i in range(2):
        (tmp_path / str(i)).mkdir()
    paths = [written.ALL["csv"](table, tmp_path / str(i)) for i, table in enumerate(tables)]
    draft = draft_of(*paths, key="clip,part" if how == "two keys" else None)
    found = same_numbers(draft, counts_only=True)
    assert found.receipt.join is not None and "40 rows" in found.receipt.join.text
    assert len(found.receipt.files) == 2


ANSWERS = ("spam", "Ham.", "it is spam", "**ham**", "eggs", "I cannot answer that.", "", None, "ham or spam", "x" * 40)


@st.composite
def _anything(draw: st.DrawFn) -> tuple[pa.Table, Settings]:
    """One label a row, predicted in any of the ways that there are."""
    n = draw(st.integers(2, 25))
    labels = draw(st.sampled_from([("ham", "spam"), ("ham", "spam", "eggs", "HAM"), ("0", "1"), ("1", "2", "10")]))
    more = draw(st.sampled_from([(), (None,), ("toast", None), ("[invalid]",), ("1.0",)]))

    def column(values: Sequence[Any]) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    score = st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0]))
    table = {
        "id": [f"r{i}" for i in range(n)],
        "y": column((*labels, None) if draw(st.booleans()) else labels),
        "y_pred": column((*labels, *more)),
        "output": column(ANSWERS),
        "p": pa.array(draw(st.lists(score, min_size=n, max_size=n)), pa.float64()),
        "epoch": column(("1", "2")),
        "n": column(("0", "1", "30")),
    }
    how = draw(st.sampled_from(["pred", "raw", "score", "confidence", "logit", "counts"]))
    chosen = Settings(
        truth="y",
        id="id",
        pred="y_pred" if how in ("pred", "confidence", "counts") else None,
        raw="output" if how == "raw" or draw(st.booleans()) else None,
        scores=(("p", labels[1]),) if how in ("score", "confidence", "logit") or draw(st.booleans()) else (),
        scale={"confidence": "confidence", "logit": "logit"}.get(how, "probability"),  # type: ignore[arg-type]
        counts="n" if how == "counts" else None,
        threshold=draw(st.sampled_from([None, 0.25])) if how in ("score", "logit") else None,
        label_set=draw(st.sampled_from([None, (*labels, "never")])),
        label_space=draw(st.sampled_from(["seen", "truth"])),
        only=draw(st.sampled_from([None, ("epoch", "1"), ("", "")])),
        merge=draw(st.sampled_from([(), (("HAM", "ham"),), (("eggs", "ham"),)])),
        parser=draw(st.sampled_from([None, Parser("mine", (Rule("exact"), Rule("only_mentioned")))])),
    )
    return pa.table(table), chosen


def equal_evaluations(draft: Draft, **left: Any) -> Draft:
    """The reports agree, wherever an evaluation can be built at all."""
    part = left_out(draft, **left)
    assert_same(numbers_of(understanding.open_draft(part)), numbers_of(understanding.open_draft(draft)))
    return part


def can_be_built(draft: Draft) -> bool:
    try:
        understanding.open_draft(draft)
    except DataError:
        return False
    return True


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_anything(), st.randoms(use_true_random=False))
def test_any_settings_give_equal_numbers_without_order(
    tmp_path: Path, made: tuple[pa.Table, Settings], chance: Any
) -> None:
    table, chosen = made
    draft = draft_of_table(table, chosen, tmp_path)
    if not can_be_built(draft):
        return
    part = equal_evaluations(draft, counts_only=True)
    order = list(range(len(table)))
    chance.shuffle(order)
    again = left_out(draft_of_table(table.take(pa.array(order)), chosen, tmp_path), counts_only=True)
    assert again == part
    hidden = ["id", *(["output"] if chosen.pred is None or chosen.raw else [])]
    equal_evaluations(draft, hide=hidden)


def test_clusters_say_nothing_of_the_order(tmp_path: Path) -> None:
    n = 60
    table = pa.table(
        {"y": list("ab") * (n // 2), "p": list("aab") * (n // 3), "user": [f"u{i * i % 7}" for i in range(n)]}
    )
    chosen = Settings(truth="y", pred="p", cluster="user")
    part, again = (
        left_out(draft_of_table(table.take(pa.array(order)), chosen, tmp_path), counts_only=True)
        for order in (range(n), range(n)[::-1])
    )
    assert part.settings.cluster == "cluster" and part == again


def test_thresholds_of_the_view_give_equal_numbers() -> None:
    from data.building.rescoring import with_threshold

    draft = load.draft_of("screening")
    whole, part = (understanding.open_draft(one) for one in (draft, left_out(draft, counts_only=True)))
    for threshold in (0.1, 0.5, 0.9):
        assert_same(numbers_of(with_threshold(part, threshold)), numbers_of(with_threshold(whole, threshold)))


# -- nothing of what was left out -------------------------------------------------------------------

SECRET = "zqx"
"""Stands in everything that is left out, and nowhere else."""


def secret_files(tmp_path: Path) -> list[Path]:
    """Predictions and labels with secrets in ids, texts, names of columns, a comment and answers."""
    first = [f"# {SECRET}-comment", f"id{SECRET},output,p{SECRET}note,epoch"]
    second = [f"id{SECRET},label,text{SECRET}"]
    answers = ("ham", f"I say ham {SECRET}", f"{SECRET} nothing here", "spam", f"answer: eggs{SECRET[:0]}")
    for i in range(40):
        first.append(f"{SECRET}{i:03d},{answers[i % 5]},{SECRET}-note-{i},{i % 2}")
        second.append(f"{SECRET}{i + 3:03d},{('ham', 'spam')[i % 2]},{SECRET} text {i}")
    paths = [tmp_path / "preds.csv", tmp_path / "labels.csv"]
    for path, lines in zip(paths, (first, second), strict=True):
        path.write_text("\n".join(lines) + "\n")
    return paths


def everything_in(path: Path) -> str:
    """All that a stored file holds, unpacked: bytes, values, dictionaries, names and notes of the schema."""
    raw = path.read_bytes().decode("latin-1")
    if path.suffix == ".json":
        record = records.decode(path.read_bytes())
        return f"{raw}{record}{unpack_draft(record['draft'])}"
    file = pq.ParquetFile(path)
    table = file.read()
    dictionaries = [
        chunk.dictionary.to_pylist()
        for column in table.columns
        for chunk in column.chunks
        if pa.types.is_dictionary(column.type)
    ]
    fields = [(field.name, field.metadata) for field in table.schema]
    return f"{raw}{table.to_pydict()}{dictionaries}{fields}{table.schema.metadata}{file.metadata.metadata}"


def written_by(folder: Path, action: Callable[[], Any]) -> list[Path]:
    before = {path for path in folder.rglob("*") if path.is_file()}
    action()
    return [path for path in folder.rglob("*") if path.is_file() and path not in before]


SECRET_COLUMNS = [f"id{SECRET}", f"p{SECRET}note", f"text{SECRET}"]


@pytest.mark.parametrize(
    "left", [{"counts_only": True}, {"hide": [*SECRET_COLUMNS, "output"]}], ids=["counts only", "hidden"]
)
def test_share_writes_nothing_that_is_left_out(left: dict[str, Any], tmp_path: Path, folder: Path) -> None:
    given_parser = Parser("mine", (Rule("exact"), Rule("only_mentioned"), Rule("alias", pairs=((SECRET, "ham"),))))
    draft = draft_of(*secret_files(tmp_path), parser=given_parser, only=("epoch", "1"))
    assert not draft.problem
    draft = dataclasses.replace(draft, question=(f"p{SECRET}note", (SECRET,)))
    run = load.keep(draft)
    files = written_by(folder, lambda: share.share(run, **left))
    assert sorted(path.suffix for path in files) == [".json", ".parquet"]
    for path in files:
        assert SECRET not in everything_in(path), path
    part = left_out(draft, **left)
    paper = understanding.open_draft(part).receipt
    assert SECRET not in json.dumps(part.to_json()) + json.dumps(paper.to_json())
    digests = {file.sha256 for file in draft.files} | set(draft.data_ids)
    assert not digests & {*part.data_ids, *(file.sha256 for file in part.files)}


def secret_draft(tmp_path: Path, **also: Any) -> Draft:
    """A draft with secrets in every column that no number needs, in what chooses its rows, and in what was said."""
    words = [f"{SECRET} {i}" for i in range(20)]
    table = pa.table(
        {
            "y": ["a", "b"] * 10, "y_pred": ["a", "a", "b", "b"] * 5, f"id {SECRET}": words, f"output {SECRET}": words,
            f"patient {SECRET}": [f"John {SECRET}"] * 18 + [SECRET, None],
        }
    )  # fmt: skip
    chosen = Settings(
        truth="y", pred="y_pred", raw=f"output {SECRET}", id=f"id {SECRET}",
        parser=Parser("mine", (Rule("exact"), Rule("alias", pairs=((SECRET, "a"),)))), **also,
    )  # fmt: skip
    draft = draft_of_table(with_notes(table, [f"The column 'kind {SECRET}' was one score a line."]), chosen, tmp_path)
    facts = dataclasses.replace(draft.files[0], notes=(SECRET,), warnings=(SECRET,), columns=tuple(table.column_names))
    said = Given(raw=f"output {SECRET}", only=(f"patient {SECRET}", f"John {SECRET}"), key=f"id {SECRET}")
    return dataclasses.replace(draft, files=(facts,), given=said, question=(f"patient {SECRET}", (SECRET,)))


def test_counts_only_hides_the_row_filter(tmp_path: Path, folder: Path) -> None:
    draft = secret_draft(tmp_path, only=(f"patient {SECRET}", f"John {SECRET}"))
    views = [links.View("rows", {"q": SECRET, "marks": SECRET, "row": "3", "only": "errors"})]
    run = load.keep(draft)
    made: list[str] = []
    files = written_by(folder, lambda: made.append(share.share(run, counts_only=True, views=views).token))
    assert len(files) == 2 and not [path for path in files if SECRET in everything_in(path)]
    paper = understanding.open_draft(load.draft_of(made[0])).receipt
    assert SECRET not in json.dumps(paper.to_json())
    assert [text for text in paper.warnings if text.startswith("Reading the file gave 1 warning. ")]
    again = share.share(made[0], counts_only=True).token
    assert understanding.open_draft(load.draft_of(again)).receipt.warnings == paper.warnings, "once, not anew"
    assert "Only 18 of 20 rows are evaluated, chosen by a column that was left out." in paper.notes


def test_hidden_columns_hide_their_parser(tmp_path: Path, folder: Path) -> None:
    draft = secret_draft(tmp_path)
    hide = [f"{name} {SECRET}" for name in ("id", "output", "patient")]
    run = load.keep(draft)
    files = written_by(folder, lambda: share.share(run, hide=hide))
    assert len(files) == 2 and not [path for path in files if SECRET in everything_in(path)]
    assert SECRET not in json.dumps(understanding.open_draft(left_out(draft, hide=hide)).receipt.to_json())


def test_reshared_rows_are_described_alike(tmp_path: Path) -> None:
    part = left_out(secret_draft(tmp_path, only=(f"patient {SECRET}", f"John {SECRET}")), counts_only=True)
    once, again = (understanding.open_draft(one).receipt.notes for one in (part, left_out(part, counts_only=True)))
    assert once == again and any("chosen by a column that was left out" in note for note in once)


def test_secrets_are_found_where_nothing_is_hidden(tmp_path: Path, folder: Path) -> None:
    run = load.keep(draft_of(*secret_files(tmp_path), only=("epoch", "1")))
    files = [path for path in folder.rglob("*") if path.suffix == ".parquet"]
    assert run and all(SECRET in everything_in(path) for path in files)


def test_a_digest_of_the_upload_is_not_told(tmp_path: Path) -> None:
    table = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"], "note": ["guess", "me"]})
    draft = draft_of_table(table, Settings(truth="y", pred="y_pred"), tmp_path)
    part = left_out(draft, hide=["note"])
    assert {file.sha256 for file in part.files} == set(part.data_ids) != set(draft.data_ids)
    assert "0" * 64 not in json.dumps(part.to_json())


def test_answers_become_what_was_read_from_them(tmp_path: Path) -> None:
    table = pa.table({"y": ["ham", "ham", "spam", "spam"], "output": ["Ham.", "eggs", None, "I think it is a secret"]})
    draft = draft_of_table(table, Settings(truth="y", raw="output"), tmp_path)
    found = understanding.open_draft(left_out(draft, hide=["output"]))
    assert found.rows.to_pydict() == {
        "y": ["ham", "ham", "spam", "spam"],
        "answers as they were read": ["normalised: ham", "outside the label space: eggs", None, "unparseable"],
    }
    assert found.labels == ("ham", "spam", "eggs") and found.y_pred.tolist() == [0, 2, -2, -2]


def test_counts_only_hides_unused_labels_and_spellings(tmp_path: Path) -> None:
    truth = pa.array(["b; a;b", "a", "secret", "a"]).dictionary_encode()
    table = pa.table({"y": truth, "p": ["a", "b;a", "secret", "a"], "epoch": ["1", "1", "2", "1"]})
    chosen = Settings(truth="y", pred="p", encoding="delimited", delimiter=";", only=("epoch", "1"))
    draft = draft_of_table(table, chosen, tmp_path)
    found = same_numbers(draft, counts_only=True)
    assert found.rows.to_pydict() == {"y": ["a", "a", "a;b"], "p": ["a", "a;b", "a"]}
    kept = store.load_table(left_out(draft, counts_only=True).data_ids[0])
    assert "secret" not in str(kept.to_pydict()) + str([c.chunk(0) for c in kept.columns])


# -- what is said -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["y", "y_pred", "p", "epoch"])
def test_needed_column_cannot_be_hidden(name: str, tmp_path: Path) -> None:
    table = pa.table(
        {"y": ["a", "b"], "y_pred": ["a", "a"], "p": [0.1, 0.9], "epoch": ["1", "1"], "text": ["one", "two"]}
    )
    chosen = Settings(truth="y", pred="y_pred", scores=(("p", "b"),), only=("epoch", "1"))
    draft = draft_of_table(table, chosen, tmp_path)
    with pytest.raises(DataError, match=f"'{name}' cannot be left out"):
        left_out(draft, hide=["text", name])
    with pytest.raises(DataError, match="no column 'nothing'"):
        left_out(draft, hide=["nothing"])


def test_the_receipt_says_how_many_columns_are_gone(tmp_path: Path) -> None:
    table = pa.table({"y": ["a", "b"], "y_pred": ["a", "a"], "text": ["one", "two"], "more": ["three", "four"]})
    draft = draft_of_table(table, Settings(truth="y", pred="y_pred", id="more"), tmp_path)
    part = left_out(draft, hide=["text", "more"])
    assert part.n_hidden == 2 and part.settings.id is None
    assert "Whoever shared this left 2 columns out." in understanding.open_draft(part).receipt.notes
    again = left_out(part, counts_only=True)
    assert again.counts_only and again.n_hidden == 2


def test_columns_that_group_rows_are_kept_or_gone(tmp_path: Path) -> None:
    """A share counts by the same clusters and names no hidden column."""
    columns = {name: [f"{name}{i // 3}" for i in range(60)] for name in ("template", "id")}
    parts = {name: [str(i % 3) for i in range(60)] for name in ("round", "other")}
    table = pa.table({"y": ["a", "b"] * 30, "y_pred": ["a", "a"] * 30, **columns, **parts})
    chosen = Settings(truth="y", pred="y_pred", id="id", run_parts=(("seed", "round"), ("fold", "")))
    draft = draft_of_table(table, chosen, tmp_path)
    for hide, column in (([], "template"), (["other"], "template"), (["template", "round"], None)):
        part = left_out(draft, hide=hide) if hide else draft
        found = clusters_in_use(understanding.open_draft(part))
        assert (found and found.column) == column
        assert not [name for name in hide if name in json.dumps(part.to_json())]
    part = left_out(dataclasses.replace(draft, settings=dataclasses.replace(chosen, cluster="")), counts_only=True)
    assert part.settings.run_parts == () and "round" not in json.dumps(part.to_json())


def test_join_key_is_told_with_its_columns(tmp_path: Path) -> None:
    draft = draft_of(*secret_files(tmp_path), only=("epoch", "1"))
    key = f"id{SECRET}"
    shown, gone = (
        understanding.open_draft(left_out(draft, hide=hide)).receipt.join
        for hide in ([f"text{SECRET}"], [f"id{SECRET}"])
    )
    assert shown is not None and gone is not None
    assert shown.key == (key, key) and gone.key is None
    assert "37 rows matched, 3 only in the predictions, 3 only in the labels" in gone.text
    assert (gone.n_matched, gone.n_only_labels) == (shown.n_matched, shown.n_only_labels) == (37, 3)


def test_left_out_ids_need_their_column(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,pred,text\nSECRET,x,one\nSECRET,y,two\nb,y,three\nc,x,four\n")
    (tmp_path / "l.csv").write_text("id,label\nSECRET,x\nb,y\nc,y\n")
    draft = draft_of(tmp_path / "p.csv", tmp_path / "l.csv")
    whole = understanding.open_draft(draft)
    assert whole.receipt.left_out[0].id == "SECRET"
    for hide, told in ((["text"], True), (["id"], False)):
        part = understanding.open_draft(left_out(draft, hide=hide))
        assert ("SECRET" in repr((part.receipt, part.rows.schema.metadata))) == told
        assert part.row_numbers is not None and part.row_numbers.tolist() == [2, 3] and part.n_scored == 2
    part = understanding.open_draft(left_out(draft, counts_only=True))
    assert "SECRET" not in repr((part.receipt, part.rows.schema.metadata)) and part.n_scored == 2


def test_another_parser_cannot_read_answers_that_are_gone() -> None:
    from data.building.rescoring import with_parser

    part = left_out(load.draft_of("support-intents-llm"), counts_only=True)
    with pytest.raises(DataError, match="left the answers out"):
        with_parser(understanding.open_draft(part), Parser("mine", (Rule("exact"),)))


def test_a_draft_without_an_evaluation_leaves_nothing_out(tmp_path: Path) -> None:
    draft = dataclasses.replace(
        draft_of_table(pa.table({"x": ["a"]}), Settings(), tmp_path), problem="Choose the truth."
    )
    with pytest.raises(DataError, match="Choose the truth"):
        left_out(draft, counts_only=True)


def test_hand_built_arrays_equal_the_share(tmp_path: Path) -> None:
    table = pa.table({"y": ["b", "a", "b"], "y_pred": ["b", "b", None], "text": ["x", "y", "z"]})
    chosen = Settings(truth="y", pred="y_pred")
    found = understanding.open_draft(left_out(draft_of_table(table, chosen, tmp_path), counts_only=True))
    by_hand = build(pa.table({"y": ["a", "b", "b"], "y_pred": ["b", None, "b"]}), chosen, name="", content_sha256="")
    assert found.y_true.tolist() == by_hand.y_true.tolist() and found.y_pred.tolist() == by_hand.y_pred.tolist()


def test_dictionary_holds_no_unevaluated_value(tmp_path: Path, folder: Path) -> None:
    truth = pa.array(["a", "b", SECRET, "a"]).dictionary_encode()
    table = pa.table({"y": truth, "y_pred": ["a", "b", "b", "a"], "epoch": ["1", "1", "2", "1"]})
    draft = draft_of_table(table, Settings(truth="y", pred="y_pred", only=("epoch", "1")), tmp_path)
    (stored,) = written_by(folder, lambda: left_out(draft, counts_only=True))
    assert SECRET not in everything_in(stored)
