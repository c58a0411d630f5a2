"""Tiny models made from a configuration, with a tokenizer trained on templates: nothing is downloaded."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

torch.set_num_threads(1)  # threads that wait for each other take minutes on a busy machine
INTENTS = ("card_arrival", "lost_card", "refund", "top_up")
WORDS: dict[str, tuple[str, ...]] = {
    "card_arrival": ("when does my new card come", "card not here yet", "track the card delivery"),
    "lost_card": ("i lost my card", "my card was stolen", "cannot find the card"),
    "refund": ("i want my money back", "refund this payment", "the shop must give money back"),
    "top_up": ("how do i add money", "top my account up", "put cash into the account"),
}
FILLING = ("please", "hello", "today", "urgent", "thanks", "now", "again", "sir")


def question(random: random.Random, intent: str, words: dict[str, tuple[str, ...]] = WORDS) -> str:
    """Return a question of an intent: a template with a word or two around it."""
    before, after = (random.choice(FILLING) for _ in range(2))
    return f"{before} {random.choice(words[intent])} {after}"


def train_tokenizer(texts: Sequence[str], *, chat: bool = False) -> transformers.PreTrainedTokenizerFast:
    """Return a byte-level tokenizer of at most 600 tokens."""
    found = Tokenizer(models.BPE())
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.decoder = decoders.ByteLevel()
    special = ["<pad>", "<eos>", "<user>", "<bot>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    found.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet)
    )
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=found, pad_token="<pad>", eos_token="<eos>", model_max_length=128
    )
    if chat:
        wrapped.chat_template = "{% for m in messages %}<user>{{ m.content }}{% endfor %}<bot>"
    return wrapped


def make_language_model(
    folder: Path, prompts: Sequence[str], answers: Sequence[str], *, steps: int, chat: bool = False, width: int = 64
) -> Path:
    """Train a causal model to continue each prompt with its answer, and save it with its tokenizer."""
    torch.manual_seed(0)
    tokenizer = train_tokenizer([f"{p}{a}" for p, a in zip(prompts, answers, strict=True)], chat=chat)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=width, intermediate_size=2 * width, num_hidden_layers=2,
        num_attention_heads=4, max_position_embeddings=256, pad_token_id=0, eos_token_id=1, bos_token_id=1,
    )  # fmt: skip
    model = transformers.LlamaForCausalLM(config)
    if chat:
        prompts = [f"<user>{prompt}<bot>" for prompt in prompts]
    _train(model, [_example(tokenizer, p, a) for p, a in zip(prompts, answers, strict=True)], steps)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _example(tokenizer: Any, prompt: str, answer: str) -> tuple[list[int], list[int]]:
    start, rest = tokenizer(prompt)["input_ids"], [*tokenizer(answer)["input_ids"], tokenizer.eos_token_id]
    return start + rest, [-100] * len(start) + rest


def _train(model: Any, examples: list[tuple[list[int], list[int]]], steps: int) -> None:
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    drawn = random.Random(0)
    model.train()
    for _ in range(steps):
        batch = drawn.sample(examples, min(16, len(examples)))
        longest = max(len(ids) for ids, _ in batch)
        ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in batch])
        labels = torch.tensor([labels + [-100] * (longest - len(labels)) for _, labels in batch])
        optimiser.zero_grad()
        model(input_ids=ids, attention_mask=(ids != 0).long(), labels=labels).loss.backward()
        optimiser.step()
    model.eval()


def make_classifier(
    folder: Path, texts: Sequence[str], labels: Sequence[str], targets: Sequence[Any], *, multilabel: bool, steps: int
) -> Path:
    """Train a sequence classifier; `targets` : a code a text, or a list of 0 and 1 where several labels are allowed."""
    torch.manual_seed(0)
    tokenizer = train_tokenizer(list(texts))
    config = transformers.DistilBertConfig(
        vocab_size=len(tokenizer), dim=32, hidden_dim=64, n_layers=1, n_heads=4, max_position_embeddings=64,
        pad_token_id=0, num_labels=len(labels), id2label=dict(enumerate(labels)),
        label2id={label: code for code, label in enumerate(labels)},
        problem_type="multi_label_classification" if multilabel else "single_label_classification",
    )  # fmt: skip
    model = transformers.DistilBertForSequenceClassification(config)
    given = tokenizer(list(texts), padding=True, return_tensors="pt", return_token_type_ids=False)
    wanted = torch.tensor(targets, dtype=torch.float32 if multilabel else torch.long)
    optimiser = torch.optim.AdamW(model.parameters(), lr=5e-3)
    model.train()
    for _ in range(steps):
        optimiser.zero_grad()
        model(**given, labels=wanted).loss.backward()
        optimiser.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
