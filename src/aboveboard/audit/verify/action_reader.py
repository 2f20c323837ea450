"""Reads what a plan has done to a backend: how its state is asked for and put back, and what others do to it."""

from base64 import b64decode
from collections.abc import Mapping
from typing import Any, Final

from aboveboard.audit.request import PRIOR
from aboveboard.audit.verify.plan import Fetch, ForeignRequest, Place, Restore, Shell, State, Stored, parts_of
from aboveboard.audit.verify.tables import Table, at, mapping_of_texts, table_of, text, texts
from aboveboard.errors import BadInput

SNAPSHOT: Final = "snapshot"
STORES: Final = {"sqlite": ("",), "files": ("",), "redis": ("redis",), "postgres": ("postgresql", "postgres")}
"""What keeps state and can be put back, with how its place begins: a path has no scheme."""
METHODS: Final = tuple(PRIOR)
REQUEST: Final = ("send", "headers", "json", "text", "base64")
"""The keys of a request past the server; the last three are its body, in one way or another."""
BODIES: Final = REQUEST[-3:]


def read_fetch(value: Any, where: str) -> Fetch:
    """Read a request."""
    method, _, target = text(value, where).partition(" ")
    if method not in METHODS or not target.strip():
        raise BadInput(f"{where} takes a method and a path, such as `GET /state`.")
    return Fetch(method, target.strip())


def read_action(value: Any, where: str) -> Fetch | Shell:
    """Read a request or a command."""
    if isinstance(value, Table):
        table_of(value, where, ("command",))
        return Shell(texts(value.get("command"), where))
    return read_fetch(value, where)


def read_reset(table: Table, state: State | None) -> Fetch | Shell | Restore | None:
    """Read how the first state is brought back; stores are put back as they were, where the plan does not say."""
    given, where = table.get("reset"), at(table, "reset")
    stores = [one for one in parts_of(state) if isinstance(one, Stored)]
    if given == SNAPSHOT and not stores:
        raise BadInput(f"{where} cannot be {SNAPSHOT}: `state` names no {', '.join(STORES)} to take one of.")
    if given == SNAPSHOT or (given is None and stores):
        return Restore()
    return None if given is None else read_action(given, where)


def read_store(kind: str, place: str, where: str) -> Stored:
    """Read a store by its kind and its place."""
    wanted = STORES[kind]
    scheme = place.partition("://")[0] if "://" in place else ""
    if scheme not in wanted:
        raise BadInput(f"{where} takes {f'a URL that begins with {wanted[0]}://' if wanted[0] else 'a path'}.")
    return Stored(kind, place)


def read_foreign_request(step: Table, keep: Mapping[str, str], place: Place) -> ForeignRequest:
    """Read a request past the server, which goes to the backend and nowhere else."""
    where = at(step, "send")
    send = read_fetch(step["send"], where)
    if not send.target.startswith("/"):
        raise BadInput(f"{where} takes a method and a path of the backend, such as `PUT /notes/7`.")
    for key in ("call", "arguments"):
        if key in step:
            raise BadInput(f"{at(step, key)} has no meaning beside `send`, which calls no tool.")
    bodies = [key for key in BODIES if key in step]
    if len(bodies) > 1:
        raise BadInput(f"{at(step, bodies[1])} cannot stand beside `{bodies[0]}`: a request has one body.")
    return ForeignRequest(
        send=send,
        headers=mapping_of_texts(step, "headers"),
        json=step.get("json"),
        content=_content(step),
        keep=keep,
        place=place,
    )


def _content(step: Table) -> str | bytes | None:
    if "text" in step:
        return text(step["text"], at(step, "text"))
    if "base64" not in step:
        return None
    where = at(step, "base64")
    try:
        return b64decode(text(step["base64"], where), validate=True)
    except ValueError:
        raise BadInput(f"{where} is not base64.") from None
