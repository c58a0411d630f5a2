"""Models behind an OpenAI-compatible server, asked by the `openai` client: several calls at a time, its own retries.

The key comes from the environment variable OPENAI_API_KEY and reaches nothing but the client.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Any

import openai

from data.errors import DataError
from harness import answers
from harness.answers import KEY, Answer, clean_answer, failed_answer
from harness.backends.completion import read_completion
from harness.models import Asked, Finished, ModelName, Options, check_key_way
from text.quoting import cut, quote

RETRIES = 4
"""The client's own, with growing pauses or the server's Retry-After."""
FIRST_RETRIES = 1
"""Of the first call: a server that is down is told at once."""
FAILURES_IN_A_ROW = 16
"""So many rows that a server fails on, one after the other, end the run: it is out."""
MOST_BYTES = 4 << 20
"""Of one response, unpacked: an answer of the most tokens that models write is smaller."""
_NO_KEY = "none"  # servers of one's own ask for none, the client for any
_TOO_LONG = ("context_length_exceeded", "maximum context length", "context size", "context window", "too long")
_OF_THE_WIRE = ("content-encoding", "content-length", "transfer-encoding")
_FILTERED = ("content_filter", "content_policy", "moderation_blocked")


class ServerOut(DataError):
    """The server cannot be used: what was answered before is kept, and the same command goes on."""


class OpenAIModel:
    """Ask a server; one call a prompt."""

    labels: tuple[str, ...] | None = None
    multilabel = False

    def __init__(self, name: ModelName, options: Options) -> None:
        self._name, self._options = name, options
        key = os.environ.get(KEY, "").strip()
        self._url = name.url or os.environ.get("OPENAI_BASE_URL", "").strip() or None
        if not key and self._url is None:
            raise DataError(f"There is no key; put it into {KEY}, or name a server: openai:{name.name}@http://….")
        if key and self._url:
            check_key_way(self._url, insecure=options.insecure)
        self._key = key or _NO_KEY
        self.identity: dict[str, Any] = {
            "model": f"openai:{name.name}",
            "server": self._url or "the client's own",
            "settings": {"max_tokens": options.max_tokens, "temperature": 0},
        }
        self.facts: dict[str, Any] = {"concurrency": options.concurrency, "retries": RETRIES}
        self._parameters: dict[str, Any] = {"max_tokens": options.max_tokens, "temperature": 0}
        self._in_a_row = 0
        self._was_reached = False  # from then on a broken connection is about one row: the server may lie

    def ask(self, prompts: Iterable[Asked], finished: Finished) -> None:
        """Ask with several calls at a time.

        Raises
        ------
        ServerOut
            the server is down, knows no such model, or takes no such key.
        """
        asyncio.run(self._ask(iter(prompts), finished))

    async def _ask(self, prompts: Iterator[Asked], finished: Finished) -> None:
        async with openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self._url,
            max_retries=RETRIES,
            timeout=None,  # the client below has one deadline for all of a call
            http_client=_BoundedClient(self._options.timeout),
        ) as client:
            first = next(prompts, None)
            if first is None:
                return
            answer = await self._call(client.with_options(max_retries=FIRST_RETRIES), first[1])
            if await asyncio.to_thread(finished, [(first[0], answer)]):
                await _Workers(prompts, finished, lambda prompt: self._call(client, prompt)).run(
                    self._options.concurrency
                )

    async def _call(self, client: openai.AsyncOpenAI, prompt: str) -> Answer:
        """Return the answer to one prompt, or why there is none."""
        start = perf_counter()
        try:
            answer = read_completion(await self._complete(client, prompt), perf_counter() - start)
        except openai.APIError as error:
            answer = self._failure(error, perf_counter() - start)
        except DataError:
            raise
        except (openai.OpenAIError, ValueError, TypeError, LookupError, RecursionError):  # a server may send anything
            answer = failed_answer(answers.SERVER_ERROR, "the response cannot be read", perf_counter() - start)
        answer = clean_answer(answer)
        self._was_reached = True
        self._in_a_row = 0 if answer.is_final else self._in_a_row + 1
        if self._in_a_row >= FAILURES_IN_A_ROW:
            raise ServerOut(
                f"{self._where()} failed on {FAILURES_IN_A_ROW} rows in a row ({answer.error}: "
                f"{cut(answer.detail, 80)}); run the same command again later to continue."
            )
        return answer

    async def _complete(self, client: openai.AsyncOpenAI, prompt: str) -> bytes:
        """Return the body of the server's completion; a parameter that this model does not take is changed once."""
        for _ in range(3):
            sent = dict(self._parameters)
            try:
                response = await client.chat.completions.with_raw_response.create(
                    model=self._name.name, messages=[{"role": "user", "content": prompt}], **sent
                )
                return bytes(response.content)
            except openai.BadRequestError as error:
                if not self._change_parameter(error, sent):
                    raise
        raise DataError(f"{self._where()} takes none of the parameters it was sent.")

    def _change_parameter(self, error: openai.BadRequestError, sent: dict[str, Any]) -> bool:
        """Return whether to ask again: newer models take max_completion_tokens only, some take no temperature."""
        reason = f"{error.param or ''} {error.message}"
        if "max_tokens" in sent and "max_completion_tokens" in reason:
            self._parameters.pop("max_tokens", None)
            self._parameters["max_completion_tokens"] = self._options.max_tokens
        elif "temperature" in sent and error.param == "temperature":
            self._parameters.pop("temperature", None)
        else:
            return False
        self.facts["sent"] = dict(self._parameters)
        return True

    def _failure(self, error: openai.APIError, seconds: float) -> Answer:
        """Return the row's reason; raise where no row can be answered."""
        message = error.message
        if isinstance(error, openai.APITimeoutError):
            return failed_answer(answers.TIMEOUT, f"no answer within {self._options.timeout:g} s", seconds)
        if not self._was_reached and _has_no_connection(error):
            raise ServerOut(
                f"{self._where()} cannot be reached; check the address and that the server runs, then run the same "
                "command again to continue."
            )
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            raise ServerOut(f"{self._where()} does not take the key; put the right one into {KEY}.")
        if isinstance(error, openai.NotFoundError):
            raise ServerOut(
                f"{self._where()} has no model {quote(self._name.name)}, or no chat/completions below that address; "
                "check both."
            )
        if isinstance(error, openai.RateLimitError):
            if error.code == "insufficient_quota":
                raise ServerOut(
                    f"{self._where()} says that the quota of this key is used up. Raise it, then run the "
                    "same command again to continue."
                )
            return failed_answer(answers.RATE_LIMIT, message, seconds)
        if isinstance(error, openai.APIStatusError) and error.status_code < 500:
            if error.status_code < 400:
                raise ServerOut(f"{self._where()} sends elsewhere; give that address.")
            return failed_answer(_reason(f"{error.code or ''} {message}".casefold()), message, seconds)
        return failed_answer(answers.SERVER_ERROR, message, seconds)

    def _where(self) -> str:
        return str(self._url or "api.openai.com")


class _BoundedClient(openai.DefaultAsyncHttpxClient):
    """Send requests, each with one deadline, and read no more than `MOST_BYTES` of a response."""

    def __init__(self, seconds: float) -> None:
        super().__init__(follow_redirects=False, timeout=None)
        self._seconds = seconds

    async def send(self, request: Any, *, stream: bool = False, **more: Any) -> Any:
        """Return a response that is read whole.

        Raises
        ------
        openai.APIError
            it was too late or too large; the openai client does not try again then.
        """
        try:
            async with asyncio.timeout(self._seconds):
                response = await super().send(request, stream=True, **more)
                try:
                    body = await _read_body(response)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise openai.APITimeoutError(request=request) from None
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_WIRE]
        return type(response)(response.status_code, headers=headers, content=body, request=request)


async def _read_body(response: Any) -> bytes:
    """Return the unpacked body of a response."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MOST_BYTES:
            message = f"the server sent more than {MOST_BYTES >> 20} MB"
            raise openai.APIError(message, response.request, body=None)
    return bytes(body)


class _Workers:
    """Ask prompts with several calls at a time, and hand over what has finished in groups, each synced once."""

    def __init__(self, prompts: Iterator[Asked], finished: Finished, call: Any) -> None:
        self._prompts, self._finished, self._call = prompts, finished, call
        self._done: list[tuple[str, Answer]] = []
        self._news = asyncio.Event()
        self._enough = self._closed = False

    async def run(self, n: int) -> None:
        """Run until there are no prompts left, one call fails for good, or nobody wants more."""
        workers = [asyncio.create_task(self._work()) for _ in range(n)]
        writer = asyncio.create_task(self._write())
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            self._closed = True
            self._news.set()
            await writer

    async def _work(self) -> None:
        while not self._enough:
            asked = next(self._prompts, None)
            if asked is None:
                return
            answer = await self._call(asked[1])  # by itself: the list may be another one by then
            self._done.append((asked[0], answer))
            self._news.set()

    async def _write(self) -> None:
        """Hand over finished answers from a thread, so that calls go on while the disk syncs."""
        try:
            while not self._closed or self._done:
                await self._news.wait()
                self._news.clear()
                group, self._done = self._done, []
                if group and not await asyncio.to_thread(self._finished, group):
                    self._enough = True
        finally:
            self._enough = True  # what cannot be kept is not asked for


def _has_no_connection(error: BaseException) -> bool:
    """Return whether no server was behind an error: the system refused, in whatever that was wrapped.

    A server that answers with nonsense may end or reset a connection as well, but there was one.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__ or cause.__context__
    return cause is not None and not isinstance(cause, ConnectionResetError | BrokenPipeError)


def _reason(message: str) -> str:
    """Return why a server will never answer the prompt of a row."""
    if any(mark in message for mark in _FILTERED):
        return answers.REFUSED
    return answers.TOO_LONG if any(mark in message for mark in _TOO_LONG) else answers.NOT_TAKEN
