"""Every broken and odd file. `python -m tests.corpus.every FOLDER` writes them and what is promised for each."""

import functools
import json
import sys
from pathlib import Path

from tests.corpus import containers, structured, text, values
from tests.corpus.case import Case, Corpus


@functools.cache
def all_cases() -> list[Case]:
    """Every case, made once in a process: making them takes a second."""
    corpus = Corpus()
    for part in (text, values, structured, containers):
        part.add_all(corpus)
    return corpus.cases


def write_all(folder: Path) -> None:
    """Each file in a folder of its own, so that it keeps its name, and `promises.json` beside them."""
    promises = {}
    for number, case in enumerate(all_cases()):
        place = folder / f"{number:03}"
        place.mkdir(parents=True)
        (place / case.upload).write_bytes(case.made())
        promises[place.name] = {"case": str(case), "n": case.n, "accuracy": case.accuracy, "says": case.says}
    (folder / "promises.json").write_text(json.dumps(promises, indent=1), encoding="utf-8")


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
