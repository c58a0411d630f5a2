"""An archive of epochs is read as one table, in the order of its numbers, or refused with one sentence."""

import zipfile

import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

from data.errors import DataError
from data.reading.dispatch import read_table
from tests.training import write_training, zip_folder


def test_archive_is_one_table_in_numeric_order(tmp_path):
    folder = write_training(tmp_path / "t", n=4, epochs=12)
    for place, path in enumerate(sorted(folder.iterdir())):
        table = pq.read_table(path)
        path.unlink()
        pa_csv.write_csv(table, folder / f"epoch-{place + 1}.csv")
    table, facts = read_table(zip_folder(folder), "t.zip")
    assert [float(epoch) for epoch in table["epoch"].to_pylist()[::4]] == [float(epoch) for epoch in range(1, 13)]
    assert facts.n_rows == 48 and facts.format.startswith("Zip archive of") and "12 tables" in facts.notes[0]


def test_one_packed_table_needs_no_epoch(tmp_path):
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("preds.csv", "y_true;y_pred\na;a\nb;a\n")
        archive.writestr("__MACOSX/._preds.csv", "x")
    table, facts = read_table(path, "p.zip")
    assert table.to_pydict() == {"y_true": ["a", "b"], "y_pred": ["a", "a"]}
    assert facts.n_rows == 2 and "The archive holds 1 table ('preds.csv')." in facts.notes


def test_label_list_of_a_training_is_kept(tmp_path):
    _, facts = read_table(zip_folder(write_training(tmp_path / "t", n=4, epochs=2)), "t.zip")
    assert '"ham", "spam", "scam"' in str(facts.run)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"a.md": "x"}, "this archive holds no table"),
        ({"a.csv": "y,p\na,b\n", "b.csv": "y,p\na,b\n"}, "'a.csv' has no column epoch"),
        ({"a.csv": "y,epoch\na,1\n", "b.csv": "z,epoch\na,2\n"}, "different columns ('y', 'z')"),
        ({"../a.csv": "y,epoch\na,1\n", "__MACOSX/b.csv": "z\n1\n", "c.csv": "epoch\n"}, "c.csv"),
        ({f"{n}.csv": "y,epoch\na,1\n" for n in range(101)}, "101 tables; at most 100 epochs"),
    ],
)
def test_archive_is_refused_with_one_sentence(tmp_path, members, words):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    with pytest.raises(DataError) as refused:
        read_table(path, "t.zip")
    assert words in str(refused.value) and "\n" not in str(refused.value)
