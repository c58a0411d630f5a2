"""Columns of clusters, epochs, seeds and folds are found by their names, where their values repeat."""

import dataclasses
import json

import numpy as np
import pyarrow as pa
import pytest

from data.building.build import build
from data.comparison.row_groups import clusters_in_use, explain_rows_alone
from data.errors import DataError
from data.evaluation import FileFacts, Receipt, Settings
from data.roles.detect import detect
from data.runs.draft import Given as DraftGiven
from data.runs.draft_changes import correct_settings
from data.runs.understanding import build_evaluation


def table(n: int = 60, **more: list[str]) -> pa.Table:
    return pa.table({"y": ["a", "b"] * (n // 2), "y_pred": ["a", "a"] * (n // 2), **more})


def roles(found: pa.Table) -> dict[str, str]:
    return {role.column: role.role for role in detect(found).roles}


def test_groupings_are_found_by_name_and_repetition():
    patients, sessions = [f"p{i // 3}" for i in range(60)], [f"s{i // 2}" for i in range(60)]
    folds, seeds = [str(i % 5) for i in range(60)], [str(i % 2) for i in range(60)]
    found = roles(table(patient_id=patients, session=sessions, fold=folds, seed=seeds))
    assert found | {"y": "truth", "y_pred": "prediction"} == {
        "y": "truth", "y_pred": "prediction", "patient_id": "cluster", "session": "other", "fold": "fold",
        "seed": "seed",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["tmpl", "doc", "document", "Pat", "patient", "sess_id", "user", "conv"])
def test_short_names_of_groupings_are_found(name):
    assert roles(table(**{name: [f"t{i // 4}" for i in range(60)]}))[name] == "cluster"


@pytest.mark.parametrize("values", [[f"t{i}" for i in range(60)], [f"t{i % 3}" for i in range(60)]])
def test_columns_without_clusters_are_left_alone(values):
    assert roles(table(template=values))["template"] == "other"


def test_clusters_are_those_found_until_corrected():
    rows = table(template=[f"t{i // 4}" for i in range(60)], site=[f"s{i % 12}" for i in range(60)])
    found = detect(rows)
    evaluation = build(rows, found.settings, name="d", content_sha256="0")
    evaluation = dataclasses.replace(evaluation, receipt=Receipt(roles=found.roles))
    assert clusters_in_use(evaluation).column == "template" and clusters_in_use(evaluation).n == 15
    gone = dataclasses.replace(found.settings, cluster="gone")  # whoever shared the file left the column out
    corrected = [correct_settings(rows, found.settings, {"cluster": chosen}) for chosen in ("site", "")]
    for settings, n in zip((*corrected, gone), (12, None, None), strict=True):
        assert Settings.from_json(settings.to_json()) == settings
        other = clusters_in_use(dataclasses.replace(evaluation, settings=settings))
        assert (other and other.n) == n
    assert "cluster" not in found.settings.to_json()


def test_epochs_counted_together_make_questions_clusters():
    ids, epochs = [f"q{i // 3}" for i in range(60)], [str(i % 3 + 1) for i in range(60)]
    rows = table(id=ids, epoch=epochs)
    found = detect(rows, ask=False)
    settings = dataclasses.replace(found.settings, only=("", ""))
    evaluation = build(rows, settings, name="d", content_sha256="0")
    evaluation = dataclasses.replace(evaluation, receipt=Receipt(roles=found.roles))
    assert np.array_equal(np.bincount(clusters_in_use(evaluation).codes), np.full(20, 3))


@pytest.mark.parametrize("name", ["seed", "fold"])
def test_repeated_questions_are_clusters(name):
    """A question asked under three seeds is one cluster; ids that every fold has of its own are none."""
    for per_id, n_clusters in ((3, 20), (1, None)):
        rows = table(id=[f"q{i // per_id}" for i in range(60)], **{name: [str(i % 3) for i in range(60)]})
        found = detect(rows, ask=False)
        evaluation = build(rows, found.settings, name="d", content_sha256="0")
        used = clusters_in_use(dataclasses.replace(evaluation, receipt=Receipt(roles=found.roles)))
        assert (used and used.n) == n_clusters
        assert used is None or used.warnings[0] == f"3 {name}s of 20 questions, which 'id' names."


def test_named_parts_count_instead_of_found():
    """Detection, corrections and a correction of something else respect the columns of seeds and folds."""
    parts = {name: [str(i % 3) for i in range(60)] for name in ("seed", "round")}
    rows = table(id=[f"q{i // 3}" for i in range(60)], **parts)
    said = (("seed", "round"), ("fold", ""))
    found = detect(rows, given={"run_parts": said}, ask=False)
    assert {role.column: role.role for role in found.roles}["round"] == "seed" and found.settings.run_parts == said
    with pytest.raises(DataError, match="no column 'gone'"):
        detect(rows, given={"run_parts": (("fold", "gone"),)})
    with pytest.raises(DataError, match="cannot hold the seeds: it has 1 value"):
        detect(table(version=["1"] * 60), given={"run_parts": (("seed", "version"),)})
    plain, facts = detect(rows, ask=False), [FileFacts("d", "CSV", 60, (), 1, "0")]
    for given, clustered in ((said, ["seed", "round"]), ((("seed", ""),), [])):
        settings = correct_settings(rows, plain.settings, {"run_parts": given})
        assert Settings.from_json(settings.to_json()) == settings
        evaluation = build_evaluation("d", rows, facts, None, plain, settings)
        used = clusters_in_use(evaluation)
        assert (used and (used.column, used.n)) == (("id", 20) if clustered else None)
    other = correct_settings(rows, plain.settings, {"positive": "a"})
    assert clusters_in_use(build_evaluation("d", rows, facts, None, plain, other)).n == 20
    assert "run_parts" not in plain.settings.to_json() and "run_parts" not in DraftGiven().to_json()
    kept = DraftGiven(run_parts=said)
    assert DraftGiven.from_json(json.loads(json.dumps(kept.to_json()))) == kept


def test_named_clusters_count_instead_of_found():
    """As `open` and `push` say them: a column, or none."""
    rows = table(template=[f"t{i // 3}" for i in range(60)], round=[f"r{i // 6}" for i in range(60)])
    for cluster, used in ((None, "template"), ("round", "round"), ("", None), ("y", "y")):
        found = detect(rows, given={"cluster": cluster})
        evaluation = build(rows, found.settings, name="d", content_sha256="0", roles=found.roles)
        clusters = clusters_in_use(evaluation)
        assert (clusters and clusters.column) == used
        given = DraftGiven(cluster=cluster)
        assert DraftGiven.from_json(given.to_json()) == given and given.columns().cluster == cluster
    assert "cluster" not in DraftGiven().to_json()
    with pytest.raises(DataError, match="no column 'gone'"):
        detect(rows, given={"cluster": "gone"})


def test_rows_alone_are_explained_where_parts_are_named():
    seeds = [str(i % 3) for i in range(60)]
    for more, sentence in (
        ({}, "No column names the questions that the seeds in 'again' repeat"),
        ({"id": ["q"] * 60}, "Column 'id' holds one value only: clusters need two"),
        ({"id": [f"q{i}" for i in range(60)]}, "No id repeats under several seeds of 'again'"),
        ({"id": [f"q{i // 3}" for i in range(60)]}, None),
    ):
        rows = table(again=seeds, **more)
        found = detect(rows, given={"run_parts": (("seed", "again"),)}, ask=False)
        said = explain_rows_alone(build(rows, found.settings, name="d", content_sha256="0", roles=found.roles))
        assert said == [] if sentence is None else said[0].startswith(sentence)
