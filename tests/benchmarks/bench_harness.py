"""Measure how fast models are asked, against the plain loop of one prompt at a time in the same run.

Run with: python tests/benchmarks/bench_harness.py. What needs openai, or torch and transformers, is left out
where these are not installed.
"""

import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # so that the file can be run by its path, too

from harness.answers import Answer
from harness.backends.loading import open_model
from harness.job import Job, run_job
from harness.models import Options, parse_model
from harness.prompts import Prompts
from harness.questions import Questions, read_questions
from harness.records import KeyMaker, Records
from tests.benchmarks.stopwatch import fastest
from tests.harness.fake_model import FakeModel

ROOT = Path(__file__).resolve().parents[2]
LABELS = tuple(f"intent_{n:02}" for n in range(77))
TEMPLATE = "One of:\n{% for label in labels %}{{ label }}\n{% endfor %}Question: {{ text }}\nIntent:"
CALL, LATENCY = 0.1, 0.05


def measure() -> dict[str, float]:
    """Time the loop, a resumed run, calls at a time, and batches where torch is installed."""
    with tempfile.TemporaryDirectory() as name:
        found = {**_overhead(Path(name)), **_resume(Path(name))}
        if importlib.util.find_spec("openai"):
            found |= _server(Path(name))
        if importlib.util.find_spec("transformers") and importlib.util.find_spec("torch"):
            found |= _batches(Path(name))
        return found


def _questions(folder: Path, n: int) -> Questions:
    path = folder / f"{n}.csv"
    path.write_text("text,intent\n" + "".join(f"question number {k} about it,{LABELS[k % 77]}\n" for k in range(n)))
    return read_questions(path, text="text", truth="intent")


def _job(folder: Path, n: int, name: str) -> Job:
    about = {"data": {"rows": n}, "sample": {"rows": n, "how": "all"}}
    return Job(_questions(folder, n), Prompts(TEMPLATE, LABELS), LABELS, folder / f"{name}.parquet", about=about)


def _quietly(work: Any) -> Any:
    with contextlib.redirect_stderr(io.StringIO()):
        return work()


def _overhead(folder: Path, n: int = 60) -> dict[str, float]:
    """A model that takes 0.1 s a call and is asked one by one: what the loop adds, with the disk's syncs.

    Reading the questions and writing the predictions are not part of the loop.
    """
    spent = 0.0

    def reply(prompt: str) -> Answer:
        nonlocal spent
        start = time.perf_counter()
        time.sleep(CALL)
        spent += time.perf_counter() - start
        return Answer("intent_01")

    job = _job(folder, n, "overhead")
    asked = _Timed(reply, batch=1)
    _quietly(lambda: run_job(job, asked, "m"))
    return {
        "what the loop adds to a call of 100 ms, seconds": (asked.seconds - spent) / n,
        "what the loop adds to a call of 100 ms, percent": 100 * (asked.seconds / spent - 1),
    }


class _Timed(FakeModel):
    """A model that says how long the whole of asking took, with what keeps the answers."""

    seconds = 0.0

    def ask(self, prompts: Any, finished: Any) -> None:
        start = time.perf_counter()
        super().ask(prompts, finished)
        self.seconds = time.perf_counter() - start


def _resume(folder: Path, n: int = 100_000) -> dict[str, float]:
    """The command line with 100,000 finished answers and one open row: its start to the question that it asks."""
    from tests.harness.model_server import Reply, serving

    if not importlib.util.find_spec("openai"):
        return {}
    (folder / "prompt.txt").write_text(TEMPLATE)
    (folder / "labels.txt").write_text("\n".join(LABELS))
    questions, prompts = _questions(folder, n + 1), Prompts(TEMPLATE, LABELS)
    asked_at: list[float] = []

    def reply(prompt: str, before: int) -> Reply:
        asked_at.append(time.time())
        return Reply("intent_01")

    with serving(reply) as server:
        model = f"openai:m@{server.url}"
        identity = {**open_model(parse_model(model), Options()).identity, **prompts.digests}
        make = KeyMaker(identity)
        texts = questions.texts()
        with Records(folder / "resumed.records.jsonl", identity) as records:
            known = Answer("intent_02", seconds=0.3, input_tokens=300, output_tokens=4, finish="stop", model="m")
            keys = [make(prompts.render({}, text)) for text in texts[:-1]]
            rows = dict(zip(keys, questions.hashes(without=["intent"]), strict=False))
            records.append([(key, known) for key in keys], rows)
        words = [
            "run", str(folder / f"{n + 1}.csv"), "--text", "text", "--truth", "intent",
            "--prompt", str(folder / "prompt.txt"), "--label-set", str(folder / "labels.txt"),
            "--model", model, "-o", str(folder / "resumed.parquet"),
        ]  # fmt: skip
        begun = time.time()
        subprocess.run([sys.executable, "cli.py", *words], cwd=ROOT, check=True, capture_output=True)
    assert len(asked_at) == 1
    return {"run resumed after 100,000 answers: to its first question, seconds": asked_at[0] - begun}


def _server(folder: Path, n: int = 200) -> dict[str, float]:
    """A server that takes 50 ms a call, in a process of its own: eight calls at a time against one."""
    code = (
        "import sys, threading; from tests.harness.model_server import Reply, serving\n"
        f"with serving(lambda prompt, before: Reply('intent_01', seconds={LATENCY})) as server:\n"
        "    print(server.url, flush=True); sys.stdin.read()"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert started.stdout is not None
    try:
        url = started.stdout.readline().strip()
        plain_s, _ = fastest(lambda: _plain_calls(url, n), times=1)
        seconds = []
        for name in ("server1", "server2", "server3"):
            model = open_model(parse_model(f"openai:m@{url}"), Options(concurrency=8))
            job = _job(folder, n, name)
            start = time.perf_counter()
            _quietly(lambda job=job, model=model: run_job(job, model, "m"))
            seconds.append(time.perf_counter() - start)
    finally:
        started.communicate()
    return {
        "200 calls of 50 ms, one after the other, seconds": plain_s,
        "200 calls of 50 ms, eight at a time, seconds": min(seconds),
        "200 calls of 50 ms, eight at a time: times as fast as one after the other": plain_s / min(seconds),
    }


def _plain_calls(url: str, n: int) -> None:
    """The plain loop: one call after the other through the same client."""
    import openai

    client = openai.OpenAI(api_key="none", base_url=url)
    for k in range(n):
        content = Prompts(TEMPLATE, LABELS).render({}, f"question number {k} about it")
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": content}], max_tokens=16)


def _batches(folder: Path, n: int = 96) -> dict[str, float]:
    """A small causal model on the processor: batches of 32 against one prompt at a time, same answers."""
    import torch
    import transformers

    from tests.harness.tiny_models import make_language_model

    prompts = [Prompts(TEMPLATE, LABELS[:20]).render({}, f"question number {k} about it") for k in range(n)]
    answers = [LABELS[k % 77] for k in range(n)]
    make_language_model(folder / "tiny", prompts, answers, steps=1, width=128)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder / "tiny")
    plain = transformers.AutoModelForCausalLM.from_pretrained(folder / "tiny").eval()

    def one_by_one() -> list[str]:
        said = []
        for prompt in prompts:
            ids = tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)
            with torch.inference_mode():
                made = plain.generate(**ids, max_new_tokens=16, do_sample=False)[0, ids["input_ids"].shape[1] :]
            said.append(tokenizer.decode(made, skip_special_tokens=True))
        return said

    model = open_model(parse_model(f"hf:{folder / 'tiny'}"), Options(batch=32))
    found: dict[str, Answer] = {}

    def batched() -> None:
        model.ask([(str(k), prompt) for k, prompt in enumerate(prompts)], lambda group: found.update(group) or True)

    batched()  # loads the weights
    plain_s, said = fastest(one_by_one, times=2)
    batched_s, _ = fastest(batched, times=3)
    same = sum(found[str(k)].raw == text for k, text in enumerate(said))
    return {
        "96 prompts of a small causal model, one at a time, seconds": plain_s,
        "96 prompts, batches of 32, seconds": batched_s,
        "96 prompts, batches of 32: times as fast as one prompt at a time": plain_s / batched_s,
        "96 prompts, same answers": same,
    }


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    print(json.dumps(measure(), indent=1))
