"""How the tools are called, by their plan, and what several tests ask for."""

from typing import Any, Final

from tests.nextcloud.sessions import TOOLS, Session, connected, serving
from tests.plans import arrange, case_of, values_of

from aboveboard.nextcloud.sandbox import Sandbox

VALUES: Final = values_of("nextcloud", "http://nextcloud")
"""What the plan's names stand for where the sandbox is the test's own."""
PLAN: Final[str] = VALUES["plan"]
FEW: Final = 4
"""So many requests a new tool may send without a word: it looks, reads, writes, and looks again."""


async def arranged(session: Session, tool: str, name: str | None = None) -> dict[str, Any]:
    """Do what a case of a tool wants to be done before it, and return its arguments."""
    return await arrange(session, case_of("nextcloud", tool, name), VALUES)


async def requests_of(sandbox: Sandbox, prefix: str) -> dict[str, int]:
    """Count the requests of each tool of an area in its first case, by its name without the prefix."""
    service, sent = serving(sandbox), dict[str, int]()
    async with connected(service) as session:
        for tool in (tool for tool in TOOLS if tool.startswith(prefix)):
            arguments = await arranged(session, tool)
            service.arrived.clear()
            await session.ask(tool, **arguments)
            sent[tool.removeprefix(prefix)] = len(service.arrived)
            sandbox.reset()
    return sent


async def note_named(session: Session, title: str) -> dict[str, Any]:
    """Find one of the sandbox's notes."""
    notes = (await session.ask("nc_notes_list_notes"))["items"]
    return next(note for note in notes if note["title"] == title)


async def share_of(session: Session, path: str) -> dict[str, Any]:
    """Find one of the sandbox's shares."""
    return (await session.ask("nc_share_list", path=path))["items"][0]


async def ask(session: Session, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool of files that should succeed."""
    return await session.ask(f"nc_webdav_{tool}", **arguments)


async def refusal(session: Session, tool: str, **arguments: Any) -> str:
    """Call a tool of files that should fail."""
    return await session.refusal(f"nc_webdav_{tool}", **arguments)


async def pages(session: Session, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    """Walk all pages of a list of files."""
    items, offset = list[dict[str, Any]](), 0
    while True:
        page = await ask(session, tool, **arguments, offset=offset)
        assert len(page["items"]) <= arguments["limit"]
        items += page["items"]
        if "next_offset" not in page:
            return items
        offset = page["next_offset"]
