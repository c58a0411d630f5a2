"""A tree of labels is read from rows of label and parent, and gives labels the groups of a separator."""

import csv
import json

import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from data.building.build import build
from data.errors import DataError
from data.evaluation import Settings
from data.labels.label_tree import MAX_LEVELS, list_above, list_paths, read_tree
from export.evaluation.family_result import name_families

TRUTH = ["dog", "cat", "oak", "lily"]
PREDICTED = ["cat", "plant", "lily", "lily"]
TREE = "child,parent\ndog,mammal\ncat,mammal\nmammal,animal\n\noak,plant\nlily,plant\nanimal,\n"
CHAIN = "\n".join(f"{level + 1},{level}" for level in range(MAX_LEVELS))


def built(**settings):
    table = pa.table({"y": TRUTH, "p": PREDICTED})
    return build(table, Settings(truth="y", pred="p", **settings), name="t", content_sha256="0")


@pytest.mark.parametrize(
    "text",
    [
        TREE,
        TREE.replace(",", "\t"),
        TREE.replace(",", ";").replace("\n", "\r\n"),
        '{"dog": "mammal", "cat": "mammal", "mammal": "animal", "oak": "plant", "lily": "plant", "animal": null}',
        '[["dog", "mammal"], ["cat", "mammal"], ["mammal", "animal"], ["oak", "plant"], ["lily", "plant"]]',
    ],
)
def test_every_form_gives_the_same_groups(text):
    e = built(tree=read_tree(text))
    parents = {"dog": "mammal", "cat": "mammal", "mammal": "animal", "oak": "plant", "lily": "plant"}
    above = {label: {label} for label in e.labels}
    for label, names in above.items():
        name = label
        while name in parents:
            name = parents[name]
            names.add(name)
    paths = dict(zip(e.labels, map(set, e.paths), strict=True))
    for a in e.labels:
        assert [len(paths[a] & paths[b]) for b in e.labels] == [len(above[a] & above[b]) for b in e.labels]
    assert dict(zip(e.labels, name_families(e), strict=True)) == {
        "dog": "animal", "cat": "animal", "oak": "plant", "lily": "plant", "plant": "plant"
    }  # fmt: skip
    assert not e.receipt.warnings


@given(st.lists(st.sampled_from(["a", "a/b", "a/b/c", "a/d", "e/f", "g"]), min_size=1, unique=True))
def test_tree_equals_the_separator_of_paths(labels):
    tree = (("a/b", "a"), ("a/b/c", "a/b"), ("a/d", "a"), ("e/f", "e"))
    assert list_paths(labels, Settings(tree=tree)) == list_paths(labels, Settings(separator="/"))


@given(st.dictionaries(st.integers(1, 60), st.text("<b>,;\t\"'\\&", min_size=1, max_size=3), max_size=9))
def test_json_of_any_labels_is_read_back(names):
    pairs = [[f"{code}{name}", "top"] for code, name in names.items()]
    pairs = [[child.strip(), parent] for child, parent in pairs]
    if pairs:
        assert read_tree(json.dumps(pairs)) == tuple(map(tuple, pairs))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dog,animal\ncat,animal\ndog,plant", "Row 3 of the tree gives 'dog' the parent 'plant', and row 1"),
        ("a,b\nb,c\nc,a", "closes a cycle"),
        ("a,a", "Row 1 of the tree closes a cycle: 'a'"),
        ("a,b\n,b", "Row 2 of the tree is no label"),
        ("a,b,c", "Row 1 of the tree is no label"),
        ('["a"]', "Row 1 of the tree is no label"),
        ('[["a", 1]]', "Row 1 of the tree is no label"),
        ('{"a": ', "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("child,parent\na,\n", "no label a parent"),
        ("", "no label a parent"),
        (CHAIN, f"Row {MAX_LEVELS} of the tree is on level {MAX_LEVELS + 1}"),
    ],
)
def test_unusable_tree_is_refused_with_its_row(text, words):
    with pytest.raises(DataError, match=words):
        read_tree(text)


def test_cell_that_csv_refuses_names_its_row():
    limit = csv.field_size_limit(9)
    try:
        with pytest.raises(DataError, match="Row 2 of the tree cannot be read"):
            read_tree("a,b\nc," + "d" * 10)
    finally:
        csv.field_size_limit(limit)


def test_deepest_tree_is_read_at_once():
    deep = read_tree(CHAIN.rpartition("\n")[0])
    assert list_above([str(MAX_LEVELS - 1)], deep) == [tuple(map(str, range(MAX_LEVELS)))]
    assert len(list_above(["a"], (("a", "b"), ("b", "a")))[0]) <= MAX_LEVELS + 1, "a draft may hold a cycle"


def test_rows_that_fit_no_label_are_named():
    first, second = built(tree=read_tree("dgo,animal\ncat,animal\noak,plant\nlily,plant")).receipt.warnings
    assert first == "Rows of the tree name no label of the file: 'dgo,animal'. They change nothing."
    assert second == "The tree has no row for 'dog': such a label is in no group."


def test_a_top_of_all_labels_is_told():
    tree = read_tree("\n".join(f"{label},thing" for label in {*TRUTH, *PREDICTED}))
    assert "Every label is below 'thing'" in built(tree=tree).receipt.warnings[-1]


def test_tree_holds_names_of_classes_too():
    e = built(class_names=(("dog", "Hund"),), tree=(("Hund", "Tier"), ("cat", "Tier")))
    assert dict(zip(e.labels, name_families(e), strict=True))["Hund"] == "Tier"
    assert not any("Hund" in warning for warning in e.receipt.warnings)


def test_a_separator_excludes_a_tree():
    with pytest.raises(DataError, match="give one of them"):
        built(separator="/", tree=(("dog", "animal"),))
