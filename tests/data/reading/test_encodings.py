"""The encoding of a text file: decided where the bytes make it plain, said with an example, else refused."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from data.errors import DataError
from data.evaluation import FileFacts
from data.reading.dispatch import read_table
from data.reading.encodings import decode, is_utf8
from data.reading.options import ReadOptions

HEADER = "y_true,y_pred\n"
MARK = "\ufeff"


def read(
    path: Path, content: bytes, name: str = "preds.csv", encoding: str | None = None
) -> tuple[dict[str, list[object]], FileFacts]:
    upload = path / "upload"
    upload.write_bytes(content)
    table, facts = read_table(upload, name, options=ReadOptions(encoding))
    return table.to_pydict(), facts


@pytest.mark.parametrize(
    "label",
    ["café", "naïve", "Ärger", "mañana", "“quoted”", "5 €", "l’été", "Straße – 3°", "½ m²", "¿qué?", "o’clock…"],
)
def test_western_letters_are_read_as_windows_1252(tmp_path: Path, label: str) -> None:
    content = (HEADER + f"cat,cat\n{label},cat\ncat,{label}\n").encode("cp1252")
    table, facts = read(tmp_path, content)
    assert table == {"y_true": ["cat", label, "cat"], "y_pred": ["cat", "cat", label]}
    (warning,) = facts.warnings
    assert facts.encoding == "Windows-1252" and "in line 3" in warning and "2 cells hold" in warning
    assert f"check '{label}' (row 2, column 'y_true')" in warning


def test_header_of_western_letters_is_named(tmp_path: Path) -> None:
    table, facts = read(tmp_path, "vérité,y_pred\ncat,cat\n".encode("latin-1"))
    assert list(table) == ["vérité", "y_pred"] and "check the column names 'vérité'" in facts.warnings[0]


def test_json_lines_are_decoded_the_same_way(tmp_path: Path) -> None:
    table, facts = read(tmp_path, '{"y":"a"}\n{"y":"café"}\n'.encode("cp1252"), "preds.jsonl")
    assert table == {"y": ["a", "café"]}
    assert facts.encoding == "Windows-1252" and "check 'café' (row 2, column 'y')" in facts.warnings[0]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["preds.csv", "preds.jsonl"])
def test_utf16_without_mark_is_found_by_zeros(tmp_path: Path, codec: str, name: str) -> None:
    text = HEADER + "cat,café\n" if name.endswith("csv") else '{"y_true": "cat", "y_pred": "café"}\n'
    table, facts = read(tmp_path, text.encode(codec), name)
    assert table == {"y_true": ["cat"], "y_pred": ["café"]}
    assert facts.encoding and facts.encoding.startswith("UTF-16") and "no byte order mark" in facts.warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        (HEADER + "привет,cat\n").encode("cp1251"),
        (HEADER + "καλημέρα,cat\n").encode("cp1253"),
        (HEADER + "犬,ねこ\n").encode("cp932"),
        (HEADER + "Wrocław,łódź\n").encode("cp1250"),
        (HEADER + "café,cat\n").encode("mac-roman"),
        (HEADER + "café,cat\n").encode("cp850"),
        (HEADER + "café,cat\nthé,cat\n").encode() + b"caf\xe9,cat\n",
        (HEADER + "cat,café\n").encode()[:-2] + b",cat\n",
        HEADER.encode() + b"cat,\xc0\xafcat\n",
        HEADER.encode() + bytes(range(128, 256)) + b",cat\n",
        HEADER.encode() + b"cat,caf\xe9\x01\n",
    ],
    ids=[
        "Cyrillic", "Greek", "Japanese", "Polish", "Mac", "DOS", "one byte of UTF-8 broken", "cut in a letter",
        "overlong", "every byte", "control characters",
    ],
)  # fmt: skip
def test_bytes_of_no_encoding_are_refused_by_row(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(DataError, match=r"row \d is not UTF-8 text \(byte 0x..\).*say which encoding"):
        read(tmp_path, content)


@pytest.mark.parametrize(
    ("encoding", "codec", "label"),
    [
        ("Windows-1251", "cp1251", "привет"),
        ("Windows-1250", "cp1250", "Wrocław"),
        ("Mac Roman", "mac-roman", "café"),
        ("Shift JIS", "cp932", "犬"),
        ("GB 18030", "gb18030", "猫"),
        ("UTF-16 little-endian", "utf-16-le", "ёж"),
    ],
)
def test_what_a_person_says_about_the_encoding_counts(tmp_path: Path, encoding: str, codec: str, label: str) -> None:
    table, facts = read(tmp_path, (HEADER + f"cat,{label}\n").encode(codec), encoding=encoding)
    assert table == {"y_true": ["cat"], "y_pred": [label]}
    assert facts.encoding == encoding and facts.warnings == ()


def test_wrong_chosen_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Shift JIS was chosen for it, but it is not valid Shift JIS"):
        read(tmp_path, HEADER.encode() + b"cat,\x81", encoding="Shift JIS")


def test_inner_byte_order_marks_are_removed(tmp_path: Path) -> None:
    part = MARK + HEADER + "cat,dog\n"
    table, facts = read(tmp_path, (MARK + part + part + part.replace("dog", f"d{MARK}og")).encode())
    assert table == {"y_true": ["cat"] * 3, "y_pred": ["dog", "dog", f"d{MARK}og"]}
    said = " ".join(facts.warnings)
    assert "2 byte order marks inside the file" in said and "the first in line 3" in said
    assert "header line stands inside the file again (2 times: row 2, 4)" in said


def test_clean_utf8_is_not_remarked_on(tmp_path: Path) -> None:
    table, facts = read(tmp_path, (HEADER + "café,猫\n").encode())
    assert table == {"y_true": ["café"], "y_pred": ["猫"]} and (facts.encoding, facts.warnings) == ("UTF-8", ())


@given(st.binary(max_size=40))
def test_the_check_for_utf8_agrees_with_pythons(content: bytes) -> None:
    try:
        content.decode()
    except UnicodeDecodeError:
        assert not is_utf8(content)
    else:
        assert is_utf8(content)


@given(st.text(max_size=40), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_text_whose_encoding_is_marked_comes_back(text: str, codec: str) -> None:
    content = ("a," + text).encode(codec)
    decoded = decode(content).data.decode(errors="replace")
    assert decoded == "a," + text or (codec == "utf-8" and ("\0" in text or MARK in text)) or MARK in text
