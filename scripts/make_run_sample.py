"""Make the sample "Support intents, a tiny model's answers": train a language model, and ask it with `cli.py run`.

Run with: python -m scripts.make_run_sample [STEPS]. It needs requirements-models.txt and some minutes: the model is
made from a configuration, nothing is downloaded. Other versions of torch may train another model.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from cli import main as command_line
from data.samples import FOLDER, RUN_ANSWERS
from scripts.samples.make import as_csv
from scripts.samples.support_intents import draw, labels, make_rows, popularity
from tests.harness.tiny_models import make_language_model

SEED, N_TRAIN, N_ASKED, STEPS, WIDTH = 77, 6_000, 600, 2_500, 128
TEMPLATE = "{{ text }}\nIntent: "


def train(folder: Path, steps: int) -> Path:
    """Train a causal model to continue a message with its intent; the fifth phrase of an intent is kept from it."""
    rng = np.random.default_rng(SEED)
    share = popularity(rng) ** 0.6
    counts = np.maximum(3, np.round(N_TRAIN * share / share.sum()))
    pairs = draw(rng, counts, known_only=True)
    prompts = [f"{text}\nIntent: " for text, _ in pairs]
    return make_language_model(folder, prompts, [intent for _, intent in pairs], steps=steps, width=WIDTH)


def ask(folder: Path, model: Path, n: int = N_ASKED) -> Path:
    """Ask the model about the first messages of the sample Support intents, and return its predictions."""
    asked = [{"id": row["id"], "text": row["text"], "target": row["target"]} for row in make_rows()[:n]]
    (folder / "messages.csv").write_text(as_csv(asked), encoding="utf-8")
    (folder / "labels.txt").write_text("\n".join(labels()), encoding="utf-8")
    (folder / "prompt.txt").write_text(TEMPLATE, encoding="utf-8")
    answers = folder / RUN_ANSWERS
    words = ["run", str(folder / "messages.csv"), "--text", "text", "--truth", "target", "--id", "id"]
    words += ["--label-set", str(folder / "labels.txt"), "--prompt", str(folder / "prompt.txt")]
    if command_line([*words, "--model", f"hf:{model}", "-o", str(answers)]):
        raise SystemExit("The run did not end well; its sentence stands above.")
    return answers


def main() -> None:
    """Train, ask, and put the predictions among the samples."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        answers = ask(folder, train(folder / "tiny-intents", steps))
        (FOLDER / RUN_ANSWERS).write_bytes(answers.read_bytes())
    print(f"{RUN_ANSWERS}: {(FOLDER / RUN_ANSWERS).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
