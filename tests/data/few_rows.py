"""Evaluations of a few rows each, with every kind of hole in them, for tests that look at single rows."""

import pyarrow as pa

from data.building.build import build
from data.evaluation import Evaluation, Settings
from data.roles.detect import detect


def evaluate(columns, settings=None, label_set=None) -> Evaluation:
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    settings = settings or detect(table, label_set=label_set).settings
    return build(table, settings, name="t", content_sha256="0")


BINARY = evaluate(
    {
        "y_true": ["no", "yes", "yes", None, "no", "yes", "no"],
        "y_pred": ["no", "no", "yes", "yes", "yes", None, "no"],
        "score": [0.1, 0.45, 0.9, 0.8, 0.7, 0.6, None],
        "text": ["Alpha", "beta ALPHA", None, "gamma", "al.pha", "ÉTÉ", "été alpha"],
    }
)
LOGIT = evaluate({"y_true": ["0", "1", "1", "0"], "logit": [-3.0, -0.5, 2.0, 0.0]})
MANY = evaluate(
    {
        "y_true": ["a", "b", "c", "a", "b", None],
        "y_pred": ["a", "c", "c", "b", "x", "a"],
        "p_a": [0.6, 0.1, 0.1, 0.2, 0.3, 0.9],
        "p_b": [0.3, 0.1, 0.2, 0.7, 0.3, 0.05],
        "p_c": [0.1, 0.8, 0.7, 0.1, 0.4, 0.05],
    },
    label_set=["a", "b", "c"],
)
RAW = evaluate(
    {
        "target": ["a thing", "b thing", "a thing", "b thing"],
        "output": ["A thing", "I really could not say which of them", "c thing", None],
    },
    Settings(truth="target", raw="output", label_set=("a thing", "b thing")),
)
SETS = evaluate(
    {
        "y_true": ['["a", "b"]', '["b"]', "[]", None, '["a"]'],
        "y_pred": ['["a", "b"]', '["a", "c"]', '["b"]', '["a"]', "[]"],
    }
)
SCORED_SETS = evaluate(
    {
        "y_true": ['["a", "b"]', '["b"]', "[]", None, '["a", "c"]', '["c"]'],
        "p_a": [0.9, 0.2, 0.5, 0.8, 0.1, None],
        "p_b": [0.7, 0.1, 0.4, 0.3, 0.6, 0.2],
        "p_c": [0.1, 0.3, 0.45, 0.2, None, 0.8],
    },
    Settings(truth="y_true", encoding="json", scores=(("p_a", "a"), ("p_b", "b"), ("p_c", "c"))),
)
EVERY = {"binary": BINARY, "logit": LOGIT, "many": MANY, "raw": RAW, "sets": SETS, "scored sets": SCORED_SETS}


def cells(e, i):
    """Truth and prediction of one row as sets of labels; None = missing, "?" = unparseable."""
    if e.task == "multilabel":
        return tuple({e.labels[c] for c in range(len(e.labels)) if side[i][c]} for side in (e.y_true, e.y_pred))
    special = {-1: None, -2: "?"}
    codes = (int(e.y_true[i]), int(e.y_pred[i]))
    return tuple(special[code] if code < 0 else e.labels[code] for code in codes)
