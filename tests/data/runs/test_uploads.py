"""An upload is kept beside its tables: read again in another way, shown in any, never shared."""

import errno
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from data.errors import DataError, NotNow
from data.limits import COLUMN_NAME_CHARS
from data.process.limits import Limits
from data.reading.csv.row_scan import correct_lines
from data.reading.options import DETECT, ReadOptions
from data.runs import draft_changes, load, understanding
from data.runs.tables import store_table
from data.runs.uploads import kept
from data.runs.uploads.preview_job import preview, work
from data.sharing.share import share
from data.store import links, store
from tests.data.reading.csv.drawn_layouts import draw_layout
from tests.data.workbooks import workbook
from tests.reading_here import preview_here, reading_here

pytestmark = pytest.mark.usefixtures("own_store")
UNSURE = "Report\nToday\n\nfoo;bar;baz\n" + "".join(f"k{i};{'ab'[i % 2]};{'ab'[i % 3 > 0]}\n" for i in range(30))


@pytest.fixture(autouse=True)
def _read_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(kept, "preview_files", preview_here)
    with reading_here():
        yield


def take_in(path: Path, content: str | bytes) -> str:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    draft, _ = kept.read_and_keep([(path, path.name)], load.Given())
    return load.keep(draft)


def test_unread_file_is_read_again_by_choices(tmp_path: Path) -> None:
    run = take_in(tmp_path / "unsure.csv", UNSURE)
    draft = load.draft_of(run)
    assert not draft.is_read and "data starts at line 4" in draft.problem
    again, _ = kept.read_again(run, (ReadOptions(header=4),))
    assert again.is_read and again.files[0].n_rows == 30 and again.files[0].columns == ("foo", "bar", "baz")
    assert (again.upload, again.uploads) == (draft.upload, draft.uploads)
    wrong, _ = kept.read_again(run, (ReadOptions(header=99),))
    assert not wrong.is_read and "ends before it" in wrong.problem


@pytest.mark.parametrize(
    "write",
    [
        lambda run, path: store.put_table(path),
        lambda run, path: draft_changes.add_labels(run, (path, path.name)),
        lambda run, path: store_table(store.load_table(load.draft_of(run).data_ids[0])),
        lambda run, path: share(run, hide=("id",)),
    ],
    ids=["upload", "labels", "counts", "share"],
)
def test_full_disk_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[str, Path], object]
) -> None:
    path = tmp_path / "good.csv"
    run = take_in(path, "id,y_true,y_pred\n1,a,a\n2,b,a\n3,a,b\n")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter", refuse)
    monkeypatch.setattr("pyarrow.parquet.write_table", refuse)
    monkeypatch.setattr("data.store.storage.Folder.write", refuse)
    with pytest.raises(NotNow, match=r"store cannot be used at the moment \(No space left on device\)"):
        write(run, path)


def test_share_link_leaves_the_upload_out(tmp_path: Path) -> None:
    run = take_in(tmp_path / "good.csv", "id,y_true,y_pred\n1,a,a\n2,b,a\n3,a,b\n")
    draft = load.draft_of(run)
    uploads = {upload_id for _, upload_id in draft.uploads}
    assert uploads and uploads <= set(links.open_link(run).data_ids)
    for hide in ((), ("id",)):
        link = links.open_link(share(run, hide=hide).token)
        shared = json.dumps(dict(link.draft) | {"files": ()})  # each file's digest stands there
        assert not uploads & set(link.data_ids) and not uploads & set(shared.split('"'))


def test_upload_is_kept_as_it_came(tmp_path: Path) -> None:
    content = b"id,y_true,y_pred\r\n1,a,a\n2,b,a\n3,a,b\n\n"
    draft = load.draft_of(take_in(tmp_path / "good.csv", content))
    (upload_id,) = (upload_id for _, upload_id in draft.uploads)
    assert upload_id == draft.files[0].sha256
    with kept.open_uploads(draft.uploads) as ((path, name),):
        assert (path.read_bytes(), name) == (content, "good.csv")
    (there,) = (tmp_path / "store").rglob(f"{upload_id}.parquet")
    there.write_bytes(content + b"4,a,b\n")
    with pytest.raises(DataError, match="damaged"), kept.open_uploads(draft.uploads):
        pass


def test_account_of_left_out_rows_is_shared(tmp_path: Path) -> None:
    run = take_in(tmp_path / "odd.csv", "id,y_true,y_pred\n1,a,a\n2,b\n3,b,a\n4,a,b\n")
    rows = load.draft_of(run).bad_rows
    assert rows is not None and (rows.n_bad, rows.n_rows, rows.examples[0].lines) == (1, 4, ("2,b",))
    again, _ = kept.read_again(run, (ReadOptions(skip_bad_rows=True),))
    assert (again.bad_rows, again.files[0].n_rows, again.files[0].rows_left_out) == (None, 3, rows.account)
    for hide in ((), ("id",)):
        token = share(load.keep(again), hide=hide).token
        warnings = understanding.open_draft(load.draft_of(token)).receipt.warnings
        assert "1 of 4 rows was left out: line 3 has 2 values, the header 3." in warnings


def test_corrected_lines_are_shared_without_text(tmp_path: Path) -> None:
    run = take_in(tmp_path / "odd.csv", "id,y_true,y_pred\n1,a,a\n2,b\n3,b,a\n4,a,b\n")
    texts, fingerprints = ("2,b,secret", "2,b,a"), set()
    for text in texts:
        again, _ = kept.read_again(run, (ReadOptions(corrections=((3, text),)),))
        assert again.files[0].n_rows == 4
        fingerprints.add(understanding.open_draft(again).fingerprint)
        link = links.open_link(share(load.keep(again), hide=("id",)).token)
        assert text not in json.dumps(dict(link.draft)) and "Line 3 was corrected" in str(
            understanding.open_draft(load.read_link_draft(link, "")).receipt.warnings
        )
    assert len(fingerprints) == 2
    with pytest.raises(DataError, match="line 9 was corrected"):
        correct_lines(b"a\r\nb", [(9, "c")], is_json=False)


def test_hopeless_file_keeps_nothing(tmp_path: Path) -> None:
    for name, content in (
        ("picture.csv", b"\x89PNG\r\n\x1a\n\0"),
        ("blank.csv", b" \r\n\n"),
        ("odd.json", b'{"a": }'),
        ("header.csv", b"y_true,y_pred\n"),
        ("p.parquet", b"PAR1x"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError):
            kept.read_and_keep([(tmp_path / name, name)], load.Given())


def test_preview_shows_drawn_layouts(tmp_path: Path) -> None:
    path = tmp_path / "drawn.csv"
    for drawn in (draw_layout(seed) for seed in range(15)):
        path.write_bytes(drawn.content)
        chosen = ReadOptions(delimiter=drawn.delimiter, header=drawn.header_line or False)
        for options in (DETECT, chosen):
            shown = preview(path, path.name, options, Limits())
            assert (shown.delimiter or drawn.delimiter, shown.n_above) == (drawn.delimiter, len(drawn.titles))
            assert (shown.header_line, shown.n_misfits) == (drawn.header_line or 0, len(drawn.footers)), drawn.seed
            assert shown.n_rows == len(drawn.rows) + len(drawn.footers) and len(shown.lines) <= 12
            assert [line.number for line in shown.lines] == [*range(1, len(shown.lines) + 1)]
            first = next(line for line in shown.lines if line.kind == "row")
            assert list(first.cells) == drawn.rows[0]


def test_preview_cuts_long_column_names(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("a" * 5_000 + "\n" + "b\n" * 3)
    assert [len(name) for name in preview(path, path.name, DETECT, Limits()).names] == [COLUMN_NAME_CHARS]


def test_preview_tells_what_choices_change(tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text("Report\n\ncase;reference;certainty\n" + "".join(f"{i};A;0,{i:02}\n" for i in range(10, 30)))
    right = preview(path, path.name, DETECT, Limits())
    assert (right.delimiter, right.header_line, right.decimal, right.roles) == (
        ";", 3, ",", ("id", "true label", "score"),
    )  # fmt: skip
    assert right.notes == ("With decimal commas, 20 values of 'certainty' are numbers, 0.1 to 0.29.",)
    wrong = preview(path, path.name, ReadOptions(delimiter=",", header=1), Limits())
    assert (len(wrong.names), wrong.n_above, wrong.n_misfits) == (1, 0, 20)
    wanted = {"files": [[str(path), path.name]], "choices": [[ReadOptions(header=99).to_json()]]}
    answer = work(wanted, Limits(), lambda stage, share: None)
    assert answer == [["line 99 was chosen as the header, but the file ends before it."]]


def test_preview_of_a_workbook_names_sheets(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    cells: list[list[Any]] = [["Bericht"], [], ["Nr.", "Wahrheit"], [1, "a"], [2, "b"]]
    path.write_bytes(workbook(("Deckblatt", [["Stand", "heute"]]), ("Daten", cells)))
    first = preview(path, path.name, ReadOptions(sheet="Deckblatt"), Limits())
    assert (first.sheet, first.sheets, first.n_rows) == ("Deckblatt", ("Deckblatt", "Daten"), 0)
    data = preview(path, path.name, DETECT, Limits())
    assert (data.header_line, data.n_above, data.n_rows, data.names) == (3, 2, 2, ("Nr.", "Wahrheit"))
