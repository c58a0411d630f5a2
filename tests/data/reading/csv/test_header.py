"""Header line or row of data: decided by every cell against its column, said, and never at the cost of a row."""

from pathlib import Path

import pytest

from data.process.limits import Limits
from data.reading.csv.delimited import Delimited, read_delimited
from data.reading.dispatch import read_table
from data.reading.options import ReadOptions

TAGS = {  # as audio toolboxes write them: no header, a clip a line, or a clip and a label a line
    "reference.txt": ("\t", [
        "lounge_0110.s0_chunk0.16kHz.wav\thome\tchild speech;video game/tv;\tlounge_0110.s0",
        "lounge_0110.s0_chunk1.16kHz.wav\thome\tchild speech;\tlounge_0110.s0",
        "lounge_0110.s0_chunk11.16kHz.wav\thome\tbroadband noise;adult female speech;\tlounge_0110.s0",
        "kitchen_0230.s300_chunk4.16kHz.wav\thome\t\tkitchen_0230.s300",
    ]),
    "estimated.txt": (",", [
        "lounge_0110.s0_chunk0.16kHz.wav,child speech,16.506449649637034",
        "lounge_0110.s0_chunk0.16kHz.wav,broadband noise,-2055.4290948502821",
        "lounge_0110.s0_chunk0.16kHz.wav,adult female speech,-339.78816368140269",
        "lounge_0110.s0_chunk1.16kHz.wav,child speech,2.25",
    ]),
}  # fmt: skip


def read(text: str, *, plain: bool = False, header: bool | None = None) -> Delimited:
    return read_delimited(text.encode(), Limits(), options=ReadOptions(header=header), plain=plain)


def said(found: Delimited) -> str:
    return " ".join((found.choice, *found.notes, *found.warnings))


@pytest.mark.parametrize(
    "text",
    [
        "cat,dog\ncat,cat\ndog,dog\n",
        "1,0\n0,0\n1,1\n",
        "1,0,0.25\n0,0,0.5\n1,1,0.75\n",
        "a,a\na,a\na,b\n",
        "id1,cat,0.25\nid2,cat,0.5\nid3,dog,0.75\n",
        "3,7\n2,2\n5,4\n",
        "good film,pos\nbad film,neg\nnice,pos\n",
        "true,false\nfalse,false\nfalse,true\n",
        "y,n\ny,y\nn,n\n",
        "clip.wav,child speech,16.5\nclip.wav,noise,-2.25\n",
    ],
)
def test_headerless_file_keeps_its_first_row(text: str) -> None:
    found = read(text)
    first = text.split("\n")[0].split(",")
    assert found.table.num_rows == text.count("\n")
    assert [str(column[0].as_py()) for column in found.table.columns] == first
    assert found.table.column_names == [f"column {i + 1}" for i in range(len(first))]
    assert "There is no header line" in found.warnings[0] and "there is no header line" in found.choice


@pytest.mark.parametrize(
    "text",
    [
        "y_true,y_pred\ncat,dog\ndog,dog\n",
        "y,0,1\n0,0.25,0.75\n1,0.5,0.5\n",
        "0,1,2\n0,1,0\n1,0,0\n0,0,1\n",
        "truth,1,2,3\na,1,0,0\nb,0,1,1\n",
        "0,1\n0.25,0.75\n0.5,0.5\n",
        "text,sentiment\ngood film,pos\nbad film,neg\n",
        "texto,etiqueta\nbueno,pos\nmalo,neg\nregular,neg\n",
        ",a\n0,x\n1,y\n",
        "a,b,c\n1,2,3\n",
        "y\nowl\nfox\n",
        "true,score\na,0.5\nb,0.25\n",
    ],
)
def test_clear_header_gives_no_warning(text: str) -> None:
    found = read(text)
    assert found.table.num_rows == text.count("\n") - 1 and found.warnings == ()
    assert "the first is the header line" in found.choice


def test_header_that_may_be_a_row_warns() -> None:
    found = read("true,pred\ntrue,false\nfalse,true\n")
    assert found.table.column_names == ["true", "pred"]
    assert "was taken as the header" in found.warnings[0] and "'true' may be a value" in found.warnings[0]


def test_repeated_header_is_still_a_header() -> None:
    found = read("y_true,p\nx,1\ny_true,p\ny,2\n")
    assert found.table.to_pydict() == {"y_true": ["x", "y"], "p": ["1", "2"]}
    assert "stands inside the file again (1 time: row 2)" in said(found)


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("name", ["label", "y_true", "Prediction", "y_pred", "truth"])
def test_column_of_labels_may_begin_with_a_name(name: str, plain: bool) -> None:
    found = read(f"{name}\ncat\ndog\nowl\n", plain=plain)
    assert found.table.to_pydict() == {name: ["cat", "dog", "owl"]} and found.warnings == ()


@pytest.mark.parametrize(
    ("text", "plain", "columns"),
    [
        pytest.param(
            "answer,yes\nanswer,yes\nfox,no\n",
            False,
            {"column 1": ["answer", "answer", "fox"], "column 2": ["yes", "yes", "no"]},
            id="a repeated row is no header",
        ),
        pytest.param(
            "label\ncat\nlabel\ndog\n",
            True,
            {"column 1": ["label", "cat", "label", "dog"]},
            id="a name that is a label",
        ),
        pytest.param("cat\ndog\ncat\nowl\n", True, {"column 1": ["cat", "dog", "cat", "owl"]}, id="labels as text"),
        pytest.param("cat\ndog\ncat\nowl\n", False, {"column 1": ["cat", "dog", "cat", "owl"]}, id="labels as CSV"),
        pytest.param("cat\ndog\nowl\n", True, {"column 1": ["cat", "dog", "owl"]}, id="labels that do not repeat"),
        pytest.param("# y_pred\ncat\ndog\n", True, {"y_pred": ["cat", "dog"]}, id="a header as NumPy writes it"),
        pytest.param("# one\n# two\ncat\n", True, {"column 1": ["# one", "# two", "cat"]}, id="two lines with a hash"),
        pytest.param(" \ncat\ndog\n", True, {"column 1": [None, "cat", "dog"]}, id="a blank first line"),
        pytest.param("cat", True, {"column 1": ["cat"]}, id="one line"),
        pytest.param(
            "sentiment\n" + "pos\nneg\n" * 20,
            True,
            {"sentiment": ["pos", "neg"] * 20},
            id="the line that never repeats",
        ),
    ],
)
def test_first_line_is_a_name_or_a_cell(text: str, plain: bool, columns: dict[str, list[str | None]]) -> None:
    assert read(text, plain=plain).table.to_pydict() == columns


def test_what_cannot_be_told_is_said() -> None:
    found = read("otter\nfox\nowl\n")
    assert found.table.column_names == ["otter"] and "if it is a row, say that there is no header" in found.warnings[0]


@pytest.mark.parametrize("text", ["cat,dog\ncat,cat\ndog,dog\n", "y_true,y_pred\ncat,cat\n"])
def test_what_a_person_says_about_the_header_counts(text: str) -> None:
    first, n_lines = text.split("\n")[0].split(","), text.count("\n")
    with_header, without = read(text, header=True), read(text, header=False)
    assert with_header.table.column_names == first and with_header.table.num_rows == n_lines - 1
    assert without.table.column_names == ["column 1", "column 2"] and without.table.num_rows == n_lines
    assert "you said so" in with_header.choice


def test_counting_first_column_is_an_index() -> None:
    rows = "".join(f"{i},{'ab'[i % 2]},{'ab'[i % 3 % 2]}\n" for i in range(12))
    assert read(rows).table.column_names == ["index", "column 2", "column 3"]


@pytest.mark.parametrize("name", TAGS)
def test_files_of_tags_without_a_header_are_tables(name: str, tmp_path: Path) -> None:
    delimiter, lines = TAGS[name]
    (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    table, facts = read_table(tmp_path / name, name)
    width = lines[0].count(delimiter) + 1
    assert facts.delimiter == delimiter and table.column_names == [f"column {i + 1}" for i in range(width)]
    assert table.num_rows == len(lines) and table.column(0).to_pylist() == [x.split(delimiter)[0] for x in lines]
