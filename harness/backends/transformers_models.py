"""Models of the transformers library on this machine: language models and sequence classifiers, batch by batch."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import torch
import transformers

from data.errors import DataError
from harness.answers import TOO_LONG, Answer, failed_answer
from harness.models import Asked, Finished, Model, ModelName, Options
from text.quoting import cut, quote

_MOST_TOKENS = 1_000_000
"""A tokenizer that knows no limit says a larger number."""
_PLAIN_CHAT = "chat template"


def open_model(name: ModelName, options: Options) -> Model:
    """Return the model of a name; weights are loaded when it is first asked."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return LanguageModel(name, options) if name.kind == "hf" else Classifier(name, options)


def count_tokens(name: ModelName, prompts: list[str]) -> int:
    """Return the tokens of some prompts, as the model is given them."""
    tokenizer = _load(name, transformers.AutoTokenizer)
    texts = [_as_chat(tokenizer, prompt) for prompt in prompts] if name.kind == "hf" else prompts
    return sum(len(ids) for ids in tokenizer(texts, add_special_tokens=not _has_template(tokenizer))["input_ids"])


class LanguageModel:
    """Continue prompts greedily: padded on the left, through the tokenizer's chat template where there is one."""

    labels: tuple[str, ...] | None = None
    multilabel = False

    def __init__(self, name: ModelName, options: Options) -> None:
        self._name, self._options = name, options
        self._tokenizer = _load(name, transformers.AutoTokenizer, padding_side="left")
        if self._tokenizer.pad_token is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token or self._tokenizer.unk_token
        self._limit = _limit(self._tokenizer, _load(name, transformers.AutoConfig)) - options.max_tokens
        settings = {"max_tokens": options.max_tokens, "do_sample": False, _PLAIN_CHAT: _has_template(self._tokenizer)}
        self.identity: dict[str, Any] = {**_identity(name), "settings": settings}
        self.facts: dict[str, Any] = {"batch": options.batch, "device": _device()}

    @cached_property
    def _model(self) -> Any:
        return _load(self._name, transformers.AutoModelForCausalLM, dtype=_dtype()).to(_device()).eval()

    def ask(self, prompts: Iterable[Asked], finished: Finished) -> None:
        """Ask batch by batch."""
        for batch in _batches(prompts, self._options.batch):
            if not finished(_answer_batch(batch, self._fits, self._answers)):
                return

    def _fits(self, prompt: str) -> bool:
        return len(self._ids([prompt])["input_ids"][0]) <= self._limit

    def _ids(self, prompts: list[str], **how: Any) -> Any:
        texts = [_as_chat(self._tokenizer, prompt) for prompt in prompts]
        return self._tokenizer(texts, add_special_tokens=not _has_template(self._tokenizer), **how)

    def _answers(self, prompts: list[str]) -> list[Answer]:
        given = self._ids(prompts, padding=True, return_tensors="pt", return_token_type_ids=False).to(_device())
        pad, n = self._tokenizer.pad_token_id, given["input_ids"].shape[1]
        with torch.inference_mode():
            made = self._model.generate(
                **given, max_new_tokens=self._options.max_tokens, do_sample=False, num_beams=1, pad_token_id=pad,
                temperature=None, top_p=None, top_k=None,
            )[:, n:]  # fmt: skip
        return [
            self._answer(ids, int(mask.sum())) for ids, mask in zip(made.tolist(), given["attention_mask"], strict=True)
        ]

    def _answer(self, ids: list[int], n_input: int) -> Answer:
        ends = self._model.generation_config.eos_token_id
        ends = set(ends if isinstance(ends, list) else [ends])
        length = next((place for place, token in enumerate(ids) if token in ends), None)
        finish = "length" if length is None else "stop"
        kept = ids if length is None else ids[:length]
        text = self._tokenizer.decode(kept, skip_special_tokens=True)
        n_output = len(kept) + (length is not None)
        return Answer(text, finish=finish, input_tokens=n_input, output_tokens=n_output)


class Classifier:
    """Give the logits of a sequence classifier, one a label."""

    def __init__(self, name: ModelName, options: Options) -> None:
        self._name, self._options = name, options
        config = _load(name, transformers.AutoConfig)
        labels = [str(config.id2label[code]) for code in range(config.num_labels)]
        if len(labels) < 2 or config.problem_type == "regression":
            raise DataError(f"{name.text} gives one number, not a score per class; name a classifier of two or more.")
        self.labels: tuple[str, ...] | None = tuple(labels)
        self.multilabel = config.problem_type == "multi_label_classification"
        self._tokenizer = _load(name, transformers.AutoTokenizer)
        self._limit = _limit(self._tokenizer, config)
        self.identity: dict[str, Any] = {**_identity(name), "settings": {"problem_type": config.problem_type}}
        self.facts: dict[str, Any] = {"batch": options.batch, "device": _device()}

    @cached_property
    def _model(self) -> Any:
        model = _load(self._name, transformers.AutoModelForSequenceClassification, dtype=_dtype())
        return model.to(_device()).eval()

    def ask(self, prompts: Iterable[Asked], finished: Finished) -> None:
        """Ask batch by batch."""
        for batch in _batches(prompts, self._options.batch):
            if not finished(_answer_batch(batch, self._fits, self._answers)):
                return

    def _fits(self, text: str) -> bool:
        return len(self._tokenizer(text)["input_ids"]) <= self._limit

    def _answers(self, texts: list[str]) -> list[Answer]:
        given = self._tokenizer(texts, padding=True, return_tensors="pt").to(_device())
        with torch.inference_mode():
            logits = self._model(**given).logits.float().cpu().tolist()
        n_tokens = given["attention_mask"].sum(dim=1).tolist()
        return [Answer(logits=tuple(row), input_tokens=n) for row, n in zip(logits, n_tokens, strict=True)]


def _answer_batch(batch: list[Asked], fits: Any, answers: Any) -> list[tuple[str, Answer]]:
    """Return the answers of a batch; a prompt that is longer than the model reads gets none."""
    short = [asked for asked in batch if fits(asked[1])]
    answers_by_key = dict(
        zip((key for key, _ in short), answers([prompt for _, prompt in short]) if short else [], strict=True)
    )
    too_long = failed_answer(TOO_LONG, "more tokens than the model reads")
    return [(key, answers_by_key.get(key, too_long)) for key, _ in batch]


def _batches(prompts: Iterable[Asked], size: int) -> Iterator[list[Asked]]:
    left = iter(prompts)
    while batch := list(islice(left, size)):
        yield batch


def _load(name: ModelName, kind: Any, **how: Any) -> Any:
    """Load a part of a model; no code that came with it is run."""
    try:
        return kind.from_pretrained(name.name, trust_remote_code=False, **how)
    except (OSError, ValueError, KeyError, ImportError) as error:
        why = cut(" ".join(str(error).split()), 160)
        raise DataError(
            f"The model {quote(name.name, 80)} could not be loaded ({why}); check its name or folder."
        ) from None


def _as_chat(tokenizer: Any, prompt: str) -> str:
    if not _has_template(tokenizer):
        return prompt
    messages = [{"role": "user", "content": prompt}]
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))


def _has_template(tokenizer: Any) -> bool:
    return bool(getattr(tokenizer, "chat_template", None))


def _limit(tokenizer: Any, config: Any) -> int:
    """Return how many tokens the model reads, as its tokenizer or its configuration says."""
    limits = [tokenizer.model_max_length, getattr(config, "max_position_embeddings", None)]
    return min((n for n in limits if isinstance(n, int) and 0 < n < _MOST_TOKENS), default=_MOST_TOKENS)


def _identity(name: ModelName) -> dict[str, Any]:
    """Return the model's name, and its revision: the commit of a hub, or the hash of every file of a folder."""
    folder = Path(name.name)
    if folder.is_dir():
        return {"model": f"{name.kind}:{name.short}", "revision": _hash(folder)}
    commit = getattr(_load(name, transformers.AutoConfig), "_commit_hash", None)
    return {"model": name.text, "revision": commit}


def _hash(folder: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        with path.open("rb") as file:
            whole.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _dtype() -> Any:
    return torch.float32 if _device() == "cpu" else "auto"
