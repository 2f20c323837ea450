"""Plans that are refused before anything is started."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from aboveboard.audit.verify.plan import Fetch, ForeignRequest, Plan, Rereads, ToolReads, on_loopback, parts_of
from aboveboard.errors import BadInput

_OWN: Final = re.compile(r"\$\{(?:scratch|port|server_port|nonce)\}")
"""What makes a place another one for each job."""


def refuse_what_cannot_be_shared(plan: Plan) -> None:
    """Refuse a plan whose jobs would disturb each other."""
    if plan.backend.url and not plan.backend.command:
        raise BadInput("Several jobs need a backend each.", next_step="Say with backend.command how one is started.")
    if shared := [one.kind for one in plan.stores if not _OWN.search(one.place)]:
        raise BadInput(
            f"Several jobs need a {shared[0]} store each.", next_step="Put ${scratch} or ${port} into its place."
        )


def refuse_what_cannot_be(plan: Plan, *, disposable: bool) -> None:
    """Refuse a plan that cannot be run, and one that would touch more than this machine."""
    if not plan.server.command and not plan.server.url:
        raise BadInput(
            "The plan names no server.", next_step="Add `server:` with a command or a URL, or give a TARGET."
        )
    if plan.todos:
        them = "it" if len(plan.todos) == 1 else "them"
        raise BadInput(
            f"{plan.source} is not finished: {_left(plan)}.",
            next_step=f"Complete {them}; where TODO is meant as a value, put it in quotes.",
        )
    backend = plan.backend
    resets = backend.reset or backend.command or isinstance(backend.state, ToolReads)
    if backend.state is not None and not resets:
        raise BadInput("The plan says how to read the state and not how to reset it.", next_step="Add backend.reset.")
    if not backend.url and (foreign := next(_foreign(plan), None)):
        raise BadInput(
            f"{foreign.place}: `send` has no backend to go to.", next_step="Say with backend.url where it is."
        )
    for what, url in () if disposable else _places(plan):
        if not on_loopback(url):
            host = urlsplit(url).hostname or url
            raise BadInput(
                f"The {what} at {host} is not on this machine, and every tool will be called, deleting ones included.",
                next_step="If all of it may be lost, say so: --i-know-this-is-disposable",
            )


def _foreign(plan: Plan) -> Iterator[ForeignRequest]:
    return (step for case in plan.cases for step in case.arrange if isinstance(step, ForeignRequest))


def _left(plan: Plan) -> str:
    first = plan.todos[0]
    at = f"on line {first.line}" if first.file == plan.source else f"in {first}"
    if len(plan.todos) == 1:
        return f"one value still says TODO, {at}"
    return f"{len(plan.todos)} values still say TODO, the first {at}"


def _places(plan: Plan) -> list[tuple[str, str]]:
    """Return every URL that a plan leads to, with what is there."""
    backend, parts = plan.backend, parts_of(plan.backend.state)
    fetches = [one for one in (backend.reset, *parts) if isinstance(one, Fetch)]
    fetches += [fetch for one in parts if isinstance(one, Rereads) for fetch in one.reads]
    urls = [("backend", backend.url), ("server", plan.server.url), *(("state", one.target) for one in fetches)]
    stored = [(one.kind, f"//{host}") for one in plan.stores for host in one.hosts]
    return [*((what, url) for what, url in urls if "://" in url), *stored]
