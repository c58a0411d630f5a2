"""Draw ordinary files, score them without options, and print what became of them.

python -m tests.ordinary_files --files 400 --seed 1 --show silent
"""

import argparse
import io
import tempfile
from collections import Counter
from pathlib import Path

import openpyxl

from tests.ordinary_files.draw import draw_file
from tests.ordinary_files.drawn import Drawn
from tests.ordinary_files.judge import OUTCOMES, Verdict, judge
from tests.reading_here import reading_here

_SHOWN = {"silent": "WRONG IN SILENCE", "warned": "wrong with a warning", "asked": "asked", "refused": "refused"}


def main() -> None:
    """Draw, score, judge and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.ordinary_files", description=__doc__)
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1, help="of the first file; each following has the next")
    parser.add_argument("--show", choices=[*_SHOWN, "all"], action="append", default=[])
    parser.add_argument("--kind", default="", help="only kinds that begin so")
    parser.add_argument("--keep", type=Path, help="write the files here")
    parser.add_argument("--lines", type=int, default=4, help="lines of a file that are shown")
    options = parser.parse_args()
    shown = set(_SHOWN.values()) if "all" in options.show else {_SHOWN[name] for name in options.show}
    tally: Counter[tuple[str, str]] = Counter()
    guesses: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch, reading_here():
        for seed in range(options.seed, options.seed + options.files):
            drawn = draw_file(seed)
            if not drawn.kind.startswith(options.kind):
                continue
            folder = Path(options.keep or scratch) / str(seed)
            folder.mkdir(parents=True, exist_ok=True)
            verdict = judge(drawn, folder)
            tally[drawn.kind, verdict.outcome] += 1
            guesses[verdict.guess.partition(":")[0]] += bool(verdict.guess)
            if verdict.outcome in shown:
                print(describe(drawn, verdict, options.lines), "\n")
    print_tally(tally)
    for guess, n in sorted(guesses.items()):
        print(f"{n:6} best guesses: {guess}" if guess else "")


def describe(drawn: Drawn, verdict: Verdict, lines: int) -> str:
    """Return what a person needs in order to see what is wrong."""
    head = [f"seed {drawn.seed} · {drawn.kind} · {verdict.outcome} · {'; '.join(verdict.wrong)}"]
    head += [f"  traits: {' · '.join(drawn.traits)}", f"  true roles: {dict(drawn.reading.roles)}"]
    head += [f"  taken: {' · '.join(verdict.taken)}"] if verdict.taken else []
    head += [f"  said: {text.strip()}" for text in verdict.said] + ([f"  {verdict.guess}"] if verdict.guess else [])
    for name, content in drawn.files:
        head += [f"  {name}", *(f"    {line}" for line in _list_lines(name, content)[: 1 + lines])]
    return "\n".join(head)


def _list_lines(name: str, content: bytes) -> list[str]:
    if not name.endswith("xlsx"):
        return [line[:300] for line in content.decode().splitlines()]
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    return ["\t".join("" if cell is None else str(cell) for cell in row) for row in sheet.iter_rows(values_only=True)]


def print_tally(tally: Counter[tuple[str, str]]) -> None:
    """Print how many files of every kind ended how."""
    kinds = sorted({kind for kind, _ in tally})
    print(f"{'':28}" + "".join(f"{outcome:>22}" for outcome in OUTCOMES))
    for kind in kinds:
        print(f"{kind:28}" + "".join(f"{tally[kind, outcome]:>22}" for outcome in OUTCOMES))
    totals = [sum(tally[kind, outcome] for kind in kinds) for outcome in OUTCOMES]
    print(f"{'all ' + str(sum(totals)):28}" + "".join(f"{n:>22}" for n in totals))


if __name__ == "__main__":
    main()
