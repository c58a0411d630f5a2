"""Let a person correct how text files were read: encoding, delimiter, header."""

from __future__ import annotations

import streamlit as st

from data.reading.options import DELIMITERS, DETECT, ENCODINGS, ReadOptions

FOUND = "automatic"
_HEADER = {FOUND: None, "holds the column names": True, "is a row": False}
_FILES = ("both files", "the predictions", "the true labels")


def options(turn: int, *, two_files: bool) -> tuple[ReadOptions, ...]:
    """Draw the choices; returns the options of each file, or nothing where all is to be found.

    Parameters
    ----------
    turn : counts the uploads: what was said about one file holds for no other.
    two_files : the labels come in a file of their own, which may be written in another way.
    """
    with st.expander("Was a text file read wrongly? Say how it is written", icon=":material/translate:"):
        left, middle, right = st.columns(3)
        encoding = left.selectbox("Encoding", [FOUND, *ENCODINGS], key=f"upload.encoding.{turn}")
        delimiter = middle.selectbox("Delimiter", [FOUND, *DELIMITERS], key=f"upload.delimiter.{turn}")
        header = right.selectbox("The first line", list(_HEADER), key=f"upload.header.{turn}")
        where = (
            st.radio("This is about", _FILES, key=f"upload.where.{turn}", horizontal=True) if two_files else _FILES[0]
        )
        st.caption(
            "“How we read your file” says what was found. After a change here, upload the file again. Workbooks, "
            "Parquet and arrays need none of this."
        )
    said = ReadOptions(
        None if encoding == FOUND else encoding, None if delimiter == FOUND else delimiter, _HEADER[header]
    )
    return of_files(said, where)


def of_files(said: ReadOptions, where: str) -> tuple[ReadOptions, ...]:
    """Return the options of the predictions file and the labels file.

    >>> of_files(ReadOptions(header=False), "the true labels")[0] == DETECT
    True
    """
    if said == DETECT:
        return ()
    return {"the predictions": (said, DETECT), "the true labels": (DETECT, said)}.get(where, (said, said))
