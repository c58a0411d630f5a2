"""A model without a server: it answers as a function says, and counts what it is asked."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from harness.answers import Answer
from harness.models import Asked, Finished


class FakeModel:
    """Answer prompts with `reply`, in groups of `batch`; after `stop_after` prompts it raises KeyboardInterrupt."""

    multilabel = False

    def __init__(
        self,
        reply: Callable[[str], Answer],
        *,
        name: str = "fake",
        batch: int = 4,
        stop_after: int | None = None,
        labels: tuple[str, ...] | None = None,
    ) -> None:
        self.reply, self.batch, self.stop_after, self.labels = reply, batch, stop_after, labels
        self.asked: Counter[str] = Counter()
        self.identity: dict[str, Any] = {"model": name, "settings": {"max_tokens": 16}}
        self.facts: dict[str, Any] = {}

    def ask(self, prompts: Iterable[Asked], finished: Finished) -> None:
        group = []
        for key, prompt in prompts:
            self.asked[prompt] += 1
            group.append((key, self.reply(prompt)))
            if len(group) == self.batch:
                if not finished(group):
                    return
                group = []
            if self.stop_after is not None and self.asked.total() >= self.stop_after:
                raise KeyboardInterrupt
        if group:
            finished(group)
