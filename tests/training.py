"""Files of a small training, as the client's SavePredictions writes them."""

import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa

from blindspot_eval.outputs import decide_outputs, outputs_of_values
from blindspot_eval.predictions import predictions_table, write_table

LABELS = ["ham", "spam", "scam"]


def write_training(folder: Path, *, many: bool = False, n: int = 120, epochs: int = 5) -> Path:
    """Write a file an epoch: the middle one is the best, the last one is worse again."""
    random, k = np.random.default_rng(3), len(LABELS)
    truth = (random.random((n, k)) < 0.4).astype(np.int64) if many else random.integers(0, k, n)
    signs, base = (2 * truth - 1) if many else np.eye(k)[truth], random.normal(size=(n, k))
    folder.mkdir(exist_ok=True)
    for epoch in range(1, epochs + 1):
        scores = base + signs * (1.5 - abs(epoch - (epochs + 1) / 2) / 2) + random.normal(size=(n, k)) / 4
        outputs = decide_outputs(outputs_of_values(scores, truth, LABELS, "Tiny"), None)
        table = predictions_table(outputs, ids=np.arange(n))
        for name, value in (("step", 10 * epoch), ("epoch", str(epoch))):
            table = table.add_column(1, name, pa.array([value] * n))
        write_table(table, folder / f"step-{10 * epoch:08}.parquet", outputs)
    return folder


def zip_folder(folder: Path) -> Path:
    """Pack the files of a folder."""
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as archive:
        for one in sorted(folder.iterdir()):
            archive.write(one, one.name)
    return path
