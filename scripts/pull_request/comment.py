"""Write one comment below a pull request, and edit it from then on: it is found again by a mark that nobody sees.

Reads COMMENT_FILE, COMMENT_NAME and GITHUB_TOKEN, and what the runner says of the event. What keeps it from commenting
is a warning and no failure: the job summary has the comparison in any case.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

_MOST_CHARS = 65_536
_PAGE = 100
_MOST_PAGES = 30
_SECONDS = 30
_FOLDED = "\n\n<details>"


def main() -> int:
    """Comment, or say why not."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    pull_request = event.get("pull_request")
    if not pull_request:
        print("::notice::This job belongs to no pull request: the comparison stands in its summary.")
    elif _is_from_fork(pull_request):
        print("::notice::This pull request comes from a fork, whose token may not write: see the job summary.")
    else:
        try:
            print(write_comment(int(pull_request["number"])))
        except urllib.error.HTTPError as error:
            hint = " Give the job `permissions: pull-requests: write`." if error.code in (401, 403, 404) else ""
            print(f"::warning::The comparison was not commented: the server answered {error.code}.{hint}")
        except OSError as error:
            print(f"::warning::The comparison was not commented: the server was not reached ({type(error).__name__}).")
    return 0


def _is_from_fork(pull_request: dict[str, Any]) -> bool:
    """Return whether the branch lies in another repository; one that is gone is no longer this one."""
    head = pull_request["head"].get("repo") or {}
    return bool(head.get("full_name") != pull_request["base"]["repo"]["full_name"])


def write_comment(number: int) -> str:
    """Edit the comment that carries our mark, or write it; returns its address."""
    name = re.sub(r"[^\w.-]", "-", os.environ.get("COMMENT_NAME") or "comparison")
    mark = f"<!-- blindspot: {name} -->"
    text = Path(os.environ["COMMENT_FILE"]).read_text(encoding="utf-8")
    body = {"body": f"{mark}\n{fit(text, _MOST_CHARS - len(mark) - 1)}"}
    issue = f"/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    old = find_comment(f"{issue}/{number}/comments", mark)
    if old is None:
        return str(_ask("POST", f"{issue}/{number}/comments", body)["html_url"])
    return str(_ask("PATCH", f"{issue}/comments/{old}", body)["html_url"])


def find_comment(path: str, mark: str) -> int | None:
    """Return the number of the comment that begins with our mark; a person who copied the mark is left alone."""
    for page in range(1, _MOST_PAGES + 1):
        comments = _ask("GET", f"{path}?per_page={_PAGE}&page={page}")
        for comment in comments:
            if comment["user"]["type"] == "Bot" and comment["body"].startswith(mark):
                return int(comment["id"])
        if len(comments) < _PAGE:
            return None
    return None


def fit(text: str, most: int) -> str:
    """Return a text that a comment can hold: folded tables go first, then paragraphs, from the end."""
    note = "\n\nThe rest is longer than a comment may be; the summary of the job has all of it."
    if len(text) <= most:
        return text
    for sign in (_FOLDED, "\n\n", "\n"):
        parts = text.split(sign)
        while len(parts) > 1 and len(sign.join(parts)) > most - len(note):
            parts.pop()
        text = sign.join(parts)
        if len(text) <= most - len(note):
            break
    return text[: most - len(note)] + note


def _ask(method: str, path: str, body: dict[str, str] | None = None) -> Any:
    request = urllib.request.Request(
        os.environ.get("GITHUB_API_URL", "https://api.github.com") + path,
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}", "Accept": "application/vnd.github+json",
            "Content-Type": "application/json", "User-Agent": "blindspot",
        },
    )  # fmt: skip
    with urllib.request.urlopen(request, timeout=_SECONDS) as response:
        return json.load(response)


if __name__ == "__main__":
    sys.exit(main())
