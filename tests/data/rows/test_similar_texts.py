"""Texts are brought together exactly as comparing every pair of them would do."""

import itertools
import math
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.rows import similar_texts
from data.rows.similar_texts import group_alike


def pieces(text):
    """Four characters in a row of each word with a space at its ends, as scikit-learn documents `char_wb`."""
    found = Counter()
    for word in text.split():
        padded = f" {word} "
        found.update([padded[i : i + 4] for i in range(len(padded) - 3)] or [padded])
    return found


def cosine(one, other):
    dot = sum(n * other[piece] for piece, n in one.items())
    return dot / math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))


def slow(texts, similarity):
    """Every pair, and parts by walking along the pairs."""
    counted = [pieces(text) for text in texts]
    near = {i: {i} for i in range(len(texts))}
    for i, j in itertools.combinations(range(len(texts)), 2):
        value = cosine(counted[i], counted[j])
        assert abs(value - similarity) > 1e-8 or value == pytest.approx(similarity, abs=1e-12)
        if value >= similarity - 1e-9:
            near[i].add(j)
            near[j].add(i)
    parts = {}
    for start in near:
        reached, todo = {start}, [start]
        while todo:
            new = near[todo.pop()] - reached
            reached |= new
            todo += new
        parts[start] = min(reached)
    return parts


def same_parts(found, wanted):
    return len(set(zip(found.tolist(), wanted.values(), strict=True))) == len(set(wanted.values())) == len(set(found))


WORDS = [
    "card",
    "cards",
    "lost",
    "stolen",
    "where",
    "is",
    "my",
    "please",
    "close",
    "the",
    "account",
    "a",
    "12345",
    "日本語",
]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


@given(st.lists(sentences, min_size=2, max_size=25, unique=True), st.sampled_from([0.3, 0.55, 0.8, 0.9, 0.97]))
def test_parts_are_those_of_every_pair(texts, similarity):
    found, n = group_alike(pa.array(texts), similarity)
    assert n == len(texts) and same_parts(found, slow(texts, similarity))


def test_pairs_with_typing_errors_are_found():
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abcdefghij"), rng.integers(2, 9))) for _ in range(80)]
    texts = [" ".join(rng.choice(words, 12)) for _ in range(150)]
    texts += [text.replace("a", "b", 1) for text in texts[:60]] + [text + " " + words[0] for text in texts[30:90]]
    texts = list(dict.fromkeys(texts))
    wanted = slow(texts, 0.9)
    assert 20 < len(texts) - len(set(wanted.values())) < 200
    assert same_parts(group_alike(pa.array(texts), 0.9)[0], wanted)


def test_common_pieces_only_differ_exactly():
    """The worst case for looking up rare pieces only: one text is all in the other, whose rest is its own."""
    common = "please tell me where the card is that you sent to my old address"
    texts = [common, *(f"{common} {rest} {rest[::-1]}" for rest in ("qwxzkvjbf", "0192837465", "ÄÖÜßéèêñ"))]
    nearest = sorted(cosine(pieces(common), pieces(text)) for text in texts[1:])
    for place, value in enumerate(nearest):
        assert len(set(group_alike(pa.array(texts), value - 1e-7)[0])) == 1 + place
        assert len(set(group_alike(pa.array(texts), value + 1e-7)[0])) == 2 + place


@pytest.mark.parametrize(("limit", "value"), [("_AT_ONCE", 3), ("_WORK_AT_ONCE", 5), ("_RUNGS", 1)])
def test_block_size_does_not_matter(monkeypatch, limit, value):
    texts = pa.array([f"{' '.join(p)} now" for p in itertools.permutations(["where", "is", "my", "card"], 3)])
    before = group_alike(texts, 0.9)[0]
    monkeypatch.setattr(similar_texts, limit, value)
    assert same_parts(group_alike(texts, 0.9)[0], dict(enumerate(before.tolist())))


def test_limits_leave_out_the_last_texts(monkeypatch):
    texts = pa.array([f"my order {n} has not come yet" for n in range(40)])
    assert group_alike(texts, 0.7)[1] == 40 and len(set(group_alike(texts, 0.7)[0])) == 1
    monkeypatch.setattr(similar_texts, "MAX_COMPARED_TEXTS", 30)
    parts, n = group_alike(texts, 0.7)
    assert n == 30 and len(set(parts[:30])) == 1 and len(set(parts)) == 11
    monkeypatch.setattr(similar_texts, "MAX_COMPARED_CHARS", 28 * 12)
    assert group_alike(texts, 0.7)[1] == 12
    monkeypatch.setattr(similar_texts, "MAX_COMPARED_CHARS", 28)
    assert group_alike(texts, 0.7)[1] == 0
    monkeypatch.undo()
    monkeypatch.setattr(similar_texts, "MAX_COMPARISONS", 1000)
    parts, n = group_alike(texts, 0.7)
    assert 2 <= n < 20 and len(set(parts[:n])) == 1 and len(set(parts)) == 41 - n


def test_reported_share_grows_and_errors_stop_work(monkeypatch):
    monkeypatch.setattr(similar_texts, "_TEXTS_AT_ONCE", 2)
    texts = ["where is my card", "close the account", "where is my cards", "what is this", "where is the card"]
    shares = []
    parts, _ = group_alike(pa.array(texts), 0.8, shares.append)
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1 and len(shares) >= 4
    assert same_parts(parts, slow(texts, 0.8)), "counting some texts at a time changes nothing"

    def enough(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        group_alike(pa.array(texts), 0.8, enough)
