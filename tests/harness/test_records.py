"""Finished answers are kept whatever happens to the run, and never under another identity."""

import errno
import json
import os

import pytest

from data.errors import DataError
from harness.answers import RATE_LIMIT, REFUSED, TIMEOUT, Answer, failed_answer
from harness.records import KeyMaker, Records

IDENTITY = {"model": "m", "prompt": "p", "settings": {"max_tokens": 16}}


def test_records_hold_answers_after_reopening(tmp_path):
    answers = [("a", Answer("spam", seconds=0.5, finish="stop")), ("b", Answer("", logits=(0.1, -2.0)))]
    with Records(tmp_path / "r", IDENTITY) as records:
        records.append(answers)
    with Records(tmp_path / "r", IDENTITY) as records:
        assert records.answers == dict(answers)
        assert records.n_torn == 0


@pytest.mark.parametrize("n_cut", [1, 5, 30])
def test_records_leave_out_a_torn_last_line(tmp_path, n_cut):
    with Records(tmp_path / "r", IDENTITY) as records:
        records.append([("a", Answer("spam")), ("b", Answer("ham" * 10))])
    path = tmp_path / "r"
    path.write_bytes(path.read_bytes()[:-n_cut])
    with Records(path, IDENTITY) as records:
        assert list(records.answers) == ["a"]
        assert records.n_torn == 1
        records.append([("b", Answer("ham"))])
    with Records(path, IDENTITY) as records:
        assert [answer.raw for answer in records.answers.values()] == ["spam", "ham"]
        assert records.n_torn == 0


def test_records_torn_in_the_header_begin_anew(tmp_path):
    (tmp_path / "r").write_bytes(b'{"blindspot_rec')
    with Records(tmp_path / "r", IDENTITY) as records:
        records.append([("a", Answer("spam"))])
    with Records(tmp_path / "r", IDENTITY) as records:
        assert list(records.answers) == ["a"]


def test_records_skip_a_damaged_line(tmp_path):
    with Records(tmp_path / "r", IDENTITY) as records:
        records.append([("a", Answer("spam"))])
    with (tmp_path / "r").open("ab") as file:
        file.write(b"\0\0\0\n7\n[]\n" + json.dumps({"key": "b", "raw": "ham", "new": 1}).encode() + b"\n")
    with Records(tmp_path / "r", IDENTITY) as records:
        assert list(records.answers) == ["a", "b"]
        assert records.n_torn == 3


def test_records_refuse_another_identity_by_name(tmp_path):
    with Records(tmp_path / "r", IDENTITY | {"model": "mistyped"}):
        pass
    with Records(tmp_path / "r", IDENTITY) as records:  # nothing was answered: it begins anew
        records.append([("a", Answer("spam"))])
    with pytest.raises(DataError, match=r"r is of a run that differs in prompt, settings: name another -o"):
        Records(tmp_path / "r", IDENTITY | {"prompt": "q", "settings": {"max_tokens": 17}})
    (tmp_path / "s").write_text('{"a": 1}\n')
    with pytest.raises(DataError, match="holds no records of a run"):
        Records(tmp_path / "s", IDENTITY)


def test_records_refuse_two_writers(tmp_path):
    pytest.importorskip("fcntl")
    with Records(tmp_path / "r", IDENTITY), pytest.raises(DataError, match="another run is writing"):
        Records(tmp_path / "r", IDENTITY)
    with Records(tmp_path / "r", IDENTITY):
        pass


def test_records_say_that_the_disk_is_full(tmp_path, monkeypatch):
    with Records(tmp_path / "r", IDENTITY) as records:
        records.append([("a", Answer("spam"))])
        write = os.write

        def full(file, data):
            if len(data) > 10:
                return write(file, data[:10])  # some of it still fits
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        with pytest.raises(DataError, match="the disk is full; make room, then run the same command again"):
            records.append([("b", Answer("ham"))])
        assert list(records.answers) == ["a"]
        monkeypatch.undo()
    with Records(tmp_path / "r", IDENTITY) as records:
        assert list(records.answers) == ["a"]


def test_records_prefer_a_final_answer(tmp_path):
    with Records(tmp_path / "r", IDENTITY) as records:
        records.append(
            [("a", failed_answer(TIMEOUT, "60 s")), ("a", Answer("spam")), ("a", failed_answer(RATE_LIMIT, "slow"))]
        )
        records.append([("b", failed_answer(REFUSED, "no"))])
        assert records.answers["a"].raw == "spam"
        assert [answer.is_final for answer in records.answers.values()] == [True, True]


def test_key_depends_on_everything_that_matters():
    keys = {KeyMaker(IDENTITY)("a"), KeyMaker(IDENTITY)("b"), KeyMaker(IDENTITY | {"model": "n"})("a")}
    assert len(keys) == 3
    assert KeyMaker(dict(reversed(IDENTITY.items())))("a") in keys
