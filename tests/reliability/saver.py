"""A process that saves and prints what was acknowledged: `python -m tests.reliability.saver FOLDER_OF_TABLES`.

Python and its libraries are loaded once: for every `save <seed>` or `sweep <seed>` on its standard input it forks a
child that does so without end, and prints the child's number. For `kill <number>` it kills that and waits for it.
"""

import os
import random
import signal
import sys
from pathlib import Path
from typing import NoReturn

from data.errors import DataError
from data.store import expiry, links, store


def say(*words: object) -> None:
    """One line in one piece, in whatever process."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def save_on_and_on(tables: list[Path], seed: int) -> NoReturn:
    """Upload, then keep or share, and only then say so."""
    chosen = random.Random(seed)
    while True:
        number = chosen.randrange(len(tables))
        try:
            data_id = store.put_table(tables[number])
            if chosen.random() < 0.5:
                token = links.keep_draft({"number": number}, [data_id])
            else:
                token = links.share({"number": number}, [data_id], person=f"person {seed % 3}").token
        except DataError as error:  # a sweep without any grace may be faster: then nothing is acknowledged
            say("refused", error)
            continue
        say("saved", token, number, data_id)


def sweep_on_and_on() -> NoReturn:
    """As if a day passed between any two verbs: what is not linked at this moment is set aside."""
    expiry.GRACE_SECONDS, expiry.LATE_SECONDS = 0.0, 0.3
    while True:
        expiry.sweep()


def main() -> None:
    tables = sorted(Path(sys.argv[1]).iterdir())
    store.place()
    say("ready")
    for line in sys.stdin:
        what, number = line.split()
        if what == "kill":
            os.kill(int(number), signal.SIGKILL)
            os.waitpid(int(number), 0)
            say("killed", number)
            continue
        child = os.fork()
        if child == 0:
            try:
                sweep_on_and_on() if what == "sweep" else save_on_and_on(tables, int(number))
            finally:
                os._exit(70)
        say("started", child, what)


if __name__ == "__main__":
    main()
