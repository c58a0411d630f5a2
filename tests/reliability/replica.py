"""One more server on the same store, as far as saving goes: reads JSON commands, answers with a line of JSON each."""

import json
import sys
from typing import Any

from data.errors import DataError
from data.store import expiry, links, store


def share(table: str) -> list[str]:
    made = links.share({"made": "there"}, [store.put_table(table)], person="ann")
    return [made.token, made.owner_key]


def rows(token: str) -> int:
    return store.load_table(links.open_link(token).data_ids[0]).num_rows


def revoke(token: str, key: str) -> bool:
    return links.revoke(links.id_of(token), owner_key=key).kind == "share"


def extend(token: str, key: str) -> int:
    return links.extend(links.id_of(token), 180, owner_key=key)


def delete(token: str, key: str) -> bool:
    return expiry.forget(links.revoke(links.id_of(token), owner_key=key).data_ids)


def mine() -> int:
    return len(list(links.list_shared("ann")))


def swept() -> list[int]:
    return list(expiry.sweep())


COMMANDS: dict[str, Any] = {
    "share": share, "rows": rows, "revoke": revoke, "extend": extend, "delete": delete, "mine": mine, "sweep": swept,
}  # fmt: skip


def main() -> None:
    for line in sys.stdin:
        what, *arguments = json.loads(line)
        try:
            answer = {"is": COMMANDS[what](*arguments)}
        except DataError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
