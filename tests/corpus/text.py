"""Delimited text: its bytes, its delimiters, its header, its quotation marks, its shape."""

import codecs

from tests.corpus.case import Corpus

HEADER = b"truth,pred\n"
GOOD = HEADER + b"owl,owl\nfox,owl\nhen,hen\nfox,fox\nowl,hen\nhen,hen\n"
"""Six rows, four of them right."""
N, RIGHT = 6, 4 / 6


def rows(*lines: str) -> bytes:
    return HEADER + b"".join(line.encode() + b"\n" for line in lines)


def encodings(add: Corpus) -> None:
    accents = "truth,pred\nchâtaigne,châtaigne\nnoyer,châtaigne\n"
    add.scored("byte order mark", codecs.BOM_UTF8 + GOOD, N, RIGHT)
    for name, codec in (("16 little", "utf-16-le"), ("16 big", "utf-16-be"), ("32 little", "utf-32-le")):
        mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-32-le": codecs.BOM_UTF32_LE}
        add.scored(f"utf {name} endian with its mark", mark[codec] + GOOD.decode().encode(codec), N, RIGHT, "UTF-")
    add.scored("accents", accents.encode(), 2, 0.5)
    add.scored("latin-1 accents", accents.encode("latin-1"), 2, 0.5, ("Windows-1252", "Latin-1"))
    add.scored("curly quotes of Windows", "truth,pred\n“a”,“a”\nb–c,“a”\n".encode("cp1252"), 2, 0.5, "Windows-1252")
    add.scored("utf 16 without a mark", accents.encode("utf-16-le"), 2, 0.5, "UTF-16")
    add.refused("utf 16 cut inside a character", GOOD.decode().encode("utf-16")[:-1], "UTF-16")
    add.refused("a zero byte", rows("owl,owl", "f\0x,owl"), "row 2", "zero byte")
    add.refused("nothing", b"", "empty")
    add.refused("only blanks", b" \r\n \n\n", "empty")
    add.refused("only a mark", codecs.BOM_UTF8, "empty")
    add.scored("other alphabets", rows("сова,сова", "フクロウ,フクロウ", "بومة,сова", "🦉,🦉"), 4, 0.75)
    add.scored("the word for nothing in seven languages", rows("NA,NA", "null,null", "nan,NA", "None,None"), 4, 0.75)


def line_ends(add: Corpus) -> None:
    add.scored("Windows", GOOD.replace(b"\n", b"\r\n"), N, RIGHT)
    add.scored("old Macintosh", GOOD.replace(b"\n", b"\r"), N, RIGHT)
    add.scored("all three", HEADER + b"owl,owl\r\nfox,owl\rhen,hen\nfox,fox\r\nowl,hen\nhen,hen", N, RIGHT)
    add.scored("none at the end", GOOD[:-1], N, RIGHT)
    add.scored("many at the end", GOOD + b"\n\r\n  \n\n", N, RIGHT)
    add.scored("a hole", rows("owl,owl", "", "fox,fox"), 2, 1.0, "blank line")
    add.scored(
        "cells without anything", rows("owl,owl", ",", "fox,fox"), 2, 1.0, "1 blank row inside the file skipped: row 2."
    )
    add.scored("line separators of Unicode are no line ends", rows("a\u2028b,a\u2028b", "a\u0085b,a\u2028b"), 2, 0.5)


def delimiters(add: Corpus) -> None:
    for name, mark in (("semicolons", b";"), ("tabs", b"\t"), ("bars", b"|")):
        add.scored(name, GOOD.replace(b",", mark), N, RIGHT)
    add.scored("tabs.tsv", GOOD.replace(b",", b"\t"), N, RIGHT)
    add.scored("commas.tsv", GOOD, N, RIGHT)
    add.scored("first line says which", b"sep=;\r\n" + GOOD.replace(b",", b";"), N, RIGHT, "semicolon")
    add.scored("decimal commas", b"truth;pred;p_owl\nowl;owl;0,75\nfox;fox;0,25\nfox;owl;0,5\n", 3, 2 / 3, "comma")
    add.scored("commas inside text", b'text,truth,pred\n"a, b, c",owl,owl\n"d, e",fox,owl\n', 2, 0.5)
    add.scored("semicolons inside text", b"text,truth,pred\na; b; c,owl,owl\nd; e,fox,owl\n", 2, 0.5)
    add.scored("one at the end of every line", b"truth,pred,\nowl,owl,\nfox,owl,\n", 2, 0.5, "left out")


def headers(add: Corpus) -> None:
    add.refused("nothing below", HEADER, "no rows")
    add.refused("no label columns", b"height,weight\n1,2\n3,4\n5,9\n", ("truth", "true"))
    add.scored("blanks around names", b" truth , pred \nowl,owl\nfox,owl\n", 2, 0.5, "Blanks around")
    add.scored("capitals", b"Y_TRUE,Y_PRED\nowl,owl\nfox,owl\n", 2, 0.5)
    add.scored("remarks above", b"# made on Monday\n# seed 4\n" + GOOD, N, RIGHT, "comment")
    add.scored("row numbers without a name", b",truth,pred\n0,owl,owl\n1,fox,owl\n", 2, 0.5, "without a name")
    add.refused("a name of 2,000 characters", b"t" * 2_000 + b",pred\nowl,owl\n", "2,000 characters")
    add.refused("a megabyte and no delimiter", b"o" * (1 << 20), ("first line", "line"))
    add.refused("301 columns", b",".join(b"c%d" % i for i in range(301)) + b"\n" + b"1," * 300 + b"1\n", "301", "300")
    add.scored("one name too few", b"truth,pred\n1,owl,owl\n2,fox,owl\n", 2, 0.5, "as a row's name")
    add.scored("asked for and misspelt", GOOD, N, RIGHT, options=("--truth", "truth", "--pred", "pred"))
    add.refused("asked for and not there", GOOD, "verity", "truth", options=("--truth", "verity"))
    add.refused("the same column twice asked for", GOOD, "same column", options=("--truth", "truth", "--pred", "truth"))


def quoting(add: Corpus) -> None:
    add.scored("everything quoted", b'"truth","pred"\n"owl","owl"\n"fox","owl"\n', 2, 0.5)
    add.scored("line ends inside labels", HEADER + b'"barn\nowl","barn\nowl"\nfox,"barn\nowl"\n', 2, 0.5)
    add.scored("doubled marks", HEADER + b'"the ""owl""","the ""owl"""\nfox,fox\n', 2, 1.0)
    add.scored("inches", HEADER + b'7" disk,7" disk\nfox,7" disk\n', 2, 0.5)
    add.refused("never closed", HEADER + b'owl,owl\n"fox,owl\nhen,hen\n', "row 2", "quotation mark")
    add.refused("never closed in the last row", HEADER + b'owl,owl\nhen,"hen', "row 2", "quotation mark")
    add.refused("text after the closing mark", HEADER + b'owl,owl\n"fox"y,owl\n', "row 2", "quotation mark")


def shapes(add: Corpus) -> None:
    add.refused("a row too long", rows("owl,owl", "fox,owl,why"), "row 2", "3 values", "2 columns")
    add.refused("a row too short", rows("owl,owl", "fox"), "row 2", "1 value", "2 columns")
    add.refused("150,001 rows", lambda: HEADER + b"a,a\n" * 150_001, "150,001 rows", "150,000")
    add.refused("larger than may be sent", lambda: HEADER + b"a,a\n" * (3 << 20), "12 MB", "8 MB")
    add.refused("a cell of 30,000 characters", rows("owl,owl", "z" * 30_000 + ",owl"), "row 2", "20,000")
    add.refused("one line of 6 MB", lambda: HEADER + b"z" * (6 << 20), "row 1", ("value", "20,000"))
    add.scored("one row", rows("owl,owl"), 1, 1.0)
    add.scored("a hundred columns nobody asked for", _wide(100), 2, 0.5)


def _wide(n: int) -> bytes:
    extra = "".join(f",x{i}" for i in range(n))
    return f"truth,pred{extra}\nowl,owl{',7' * n}\nfox,owl{',8' * n}\n".encode()


def add_all(add: Corpus) -> None:
    for part in (encodings, line_ends, delimiters, headers, quoting, shapes):
        add.kind = part.__name__.replace("_", " ")
        part(add)
