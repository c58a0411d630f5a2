"""Static pages of share links: `/shared/TOKEN` opens for anyone without a session, and its picture stands in chats.

A page is made when it is first asked for, and kept in memory. Whether its link still opens is looked up at every
request, also before a browser's copy is confirmed. Caches in front may keep a page for a minute.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections import OrderedDict
from typing import NamedTuple

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from data import environment
from data.errors import DataError
from data.sharing.linked_evaluation import open_linked
from data.store import links, store
from data.store.link import live_path
from data.store.storage import Folder
from web.limits import KEPT_PAGES, PAGE_SECONDS
from web.middleware.refusals import refuse
from web.middleware.static_files import ENCODERS, Compressed, answer_compressed, choose_encoding
from web.site import Site, this_site
from web.start_page import latin_font_path
from web.unknown_page import plain_page

_PRIVATE = {"Cache-Control": "private, no-store"}
_GONE = "This link opens nothing", "It is wrong, has expired or was revoked. Ask whoever sent it for a new one."
_MEMBERS = "This link opens after a login", "Links open for members here, so it has no page for everybody."
_LOOKUPS = 16  # links that are looked up at once
_MAKERS = 1  # pages that are made at once: sessions need the processor, too


class _Refused(Exception):
    """There is no page; `answer` says so."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


class _Page(NamedTuple):
    """Hold a page in every coding, its policy, and its picture; card : None = its maker wanted none."""

    codings: dict[str, Compressed]
    policy: str
    card: Compressed | None


_PAGES: OrderedDict[tuple[str, int], _Page | None] = OrderedDict()
"""Pages by id and end of their link, which is all of a link that ever changes; None = no page can be made of it."""


class LinkPages:
    """ASGI middleware that answers all below `/shared/`: no session, no cookie and no other middleware has a part."""

    def __init__(self, app: ASGIApp, site: Site | None = None) -> None:
        self.app = app
        self.prefix = f"{(site or this_site()).base_path}/shared/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a page or its picture, or let it pass."""
        if scope["type"] != "http" or not scope["path"].startswith(self.prefix):
            await self.app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            await refuse(scope, send, 405, "The page of a link can only be read.")
            return
        try:
            answer = await _answer_path(scope, scope["path"].removeprefix(self.prefix))
        except _Refused as refused:
            answer = refused.answer
        await answer(scope, receive, send)


async def _answer_path(scope: Scope, path: str) -> Response:
    """Return the answer to a path below `/shared/`; what names no page opens nothing."""
    match path.split("/"):
        case [token]:
            return await _answer_page(scope, token)
        case [token, "start"]:
            return await _answer_start(scope, token)
        case [token, "card.png"]:
            return await _answer_card(scope, token)
    raise _Refused(_refuse(404, *_GONE))


async def _answer_page(scope: Scope, token: str) -> Response:
    """Return the page of a link; lead to the live session where no page can be made of it."""
    link, made = await _find_page(token)
    if made is None:
        return RedirectResponse(_live_address(link, token), headers=_PRIVATE)
    return _write_page(scope, link, made)


async def _answer_start(scope: Scope, token: str) -> Response:
    """Return the page to show while a session starts (assets/start.js); nothing where there is none: no error."""
    with contextlib.suppress(_Refused):
        link, made = await _find_page(token)
        if made is not None:
            return _write_page(scope, link, made)
    return Response(status_code=204, headers=_PRIVATE)


def _write_page(scope: Scope, link: links.Link, made: _Page) -> Response:
    encoding = choose_encoding(Headers(scope=scope).get("accept-encoding", ""))
    answer = _answer(scope, link, made.codings[encoding], encoding, "text/html; charset=utf-8")
    answer.headers["content-security-policy"] = made.policy
    return answer


async def _answer_card(scope: Scope, token: str) -> Response:
    """Return the picture of a link whose maker wanted one."""
    link, made = await _find_page(token)
    if made is None or made.card is None:
        raise _Refused(_refuse(404, *_GONE))
    return _answer(scope, link, made.card, "", "image/png")


def _answer(scope: Scope, link: links.Link, content: Compressed, encoding: str, kind: str) -> Response:
    """Return an answer that caches keep for a minute, or less where the link ends before."""
    seconds = max(0, min(PAGE_SECONDS, link.ends - links.now()))
    return answer_compressed(scope, content, encoding, kind, f"public, max-age={seconds}")


async def _find_page(token: str) -> tuple[links.Link, _Page | None]:
    """Return the link of a token, and its page.

    Raises
    ------
    _Refused
        links are not for anyone here, or this one opens nothing.
    """
    if environment.value("BLINDSPOT_LINKS_FOR") != "anyone":
        raise _Refused(_refuse(403, *_MEMBERS, live_path(token, (links.View("overview"),))))
    try:
        link = await _look_up(token)
    except links.LinkGone:
        raise _Refused(_refuse(404, *_GONE)) from None
    except DataError as error:
        raise _Refused(_refuse(503, "This link cannot be opened now", str(error))) from None
    key = (links.id_of(token), link.ends)
    if key not in _PAGES:
        await run_sync(_keep_page, key, token, link, limiter=_limit(_MAKERS))
    return link, _PAGES[key]


async def _look_up(token: str) -> links.Link:
    """Return the link of a token, as `_open_shared`; from a disk at once, which takes less than asking a thread."""
    if isinstance(store.place(), Folder):
        return _open_shared(token)
    return await run_sync(_open_shared, token, limiter=_limit(_LOOKUPS))


def _open_shared(token: str) -> links.Link:
    """Return the link of a token; a draft is its maker's alone."""
    link = links.open_link(token)
    if link.kind != "share":
        raise links.LinkGone
    return link


def _keep_page(key: tuple[str, int], token: str, link: links.Link) -> None:
    """Make a page, unless whoever waited before has made it; of too many, the oldest is forgotten."""
    if key not in _PAGES:
        _PAGES[key] = _make_page(token, link)
        while len(_PAGES) > KEPT_PAGES:
            _PAGES.popitem(last=False)


def _make_page(token: str, link: links.Link) -> _Page | None:
    # what renders takes as long to import as the rest of the server: nobody waits for it who opens no such page
    from export.link_page.card import draw_card
    from export.link_page.page import LinkFacts, describe_size, link_page, plain_title
    from export.measurement import level_of, measure

    site = this_site()
    about = LinkFacts(
        title=link.title,
        live=_live_address(link, token),
        made=link.made,
        ends=link.ends,
        font=f"{site.base_path}/{latin_font_path()}",
        preview=link.preview,
        card=f"{site.url}/shared/{token}/card.png" if site.url else "",
    )
    try:
        measured = measure(open_linked(link, links.id_of(token)), level_of(link.views[0].query if link.views else None))
        made = link_page(measured, about)
    except DataError:  # nothing to score yet: the live page says what is missing
        return None
    picture = draw_card(measured, plain_title(measured), describe_size(measured)) if link.preview else None
    framed_by = " ".join(environment.value("BLINDSPOT_FRAMED_BY")) or "'none'"
    codings = {"": made.content, **{name: encode(made.content) for name, encode in ENCODERS.items()}}
    return _Page(
        codings={name: Compressed(content, _tag(made.content, name)) for name, content in codings.items()},
        policy=f"{made.policy}; frame-ancestors {framed_by}",
        card=None if picture is None else Compressed(picture, _tag(picture, "")),
    )


def _tag(content: bytes, encoding: str) -> str:
    """Return the ETag of a page in one coding."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}-{encoding}"'


def _live_address(link: links.Link, token: str) -> str:
    return f"{this_site().base_path}/{live_path(token, link.views)}"


def _refuse(status: int, title: str, sentence: str, way: str = "") -> Response:
    return Response(plain_page(this_site().base_path, title, sentence, way), status, _PRIVATE, "text/html")


@functools.lru_cache
def _limit(n_threads: int) -> CapacityLimiter:
    """Return the limit of so many threads at once; it can be made only where the server runs."""
    return CapacityLimiter(n_threads)
