"""Walk every sample and every file of the corpus, or files of one's own: python -m tests.walk [FILE …]."""

import os
import sys
import tempfile
from pathlib import Path

from tests.opened_runs import keep_file, open_run
from tests.reading_here import reading_here
from tests.walk.claims import contradictions
from tests.walk.files import ask_files
from tests.walk.inputs import SAMPLE_RUNS, keep_corpus, keep_made
from tests.walk.pages import ask_pages


def main(files: list[str]) -> int:
    """Print every contradiction; return whether there is one."""
    n = 0
    with tempfile.TemporaryDirectory() as folder, reading_here():
        os.environ["BLINDSPOT_STORE"] = str(Path(folder) / "store")
        own = [(name, keep_file(Path(name))) for name in files]
        every = own or [*zip(SAMPLE_RUNS, SAMPLE_RUNS, strict=True), *keep_made(Path(folder)).items()]
        for name, run in [*every, *([] if own else keep_corpus(Path(folder)))]:
            found = contradictions([*ask_files(open_run(run)), *ask_pages(run)])
            n += len(found)
            print("\n  ".join([f"{name}: {'agrees' if not found else ''}", *found]), flush=True)
    return int(n > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
