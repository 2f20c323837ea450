"""Two people at one server: they sign in, ask the same, are told their own, and one of them leaves."""

import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import click
import httpx2
import mcp_types as mcp
from mcp import Client

from aboveboard.cli.demo.people.assistant import Assistant
from aboveboard.cli.demo.people.hosting import Team, host_team
from aboveboard.cli.demo.people.logins import Visitor, complete_sign_in
from aboveboard.cli.demo.stage import ANSWER, COLUMNS, say, tell
from aboveboard.cli.terminal import clip_text, harmless
from aboveboard.errors import Failure
from aboveboard.kit.cause import cause

NEXTCLOUD: Final = (
    Visitor("Ada", "admin", "sandbox-admin-login", "full"),
    Visitor("Bob", "bob", "sandbox-bob-login", "read-only"),
)
LIGHTDASH: Final = (
    Visitor("Ada", "ada@corner-shop.example", "sandbox-lightdash-login", "additive"),
    Visitor("Vera", "vera@corner-shop.example", "sandbox-lightdash-login", "read-only"),
)


async def show_people() -> None:
    """Show it for both services."""
    try:
        await _shown()
    except BaseExceptionGroup as several:  # what goes wrong in a session ends those around it
        raise cause(several) from several


async def _shown() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with host_team("nextcloud", Path(folder)) as team:
            await _at_nextcloud(team)
        async with host_team("lightdash", Path(folder)) as team:
            await _at_lightdash(team)


async def _at_nextcloud(team: Team) -> None:
    say("A team's server for Nextcloud; an AI client is given its address, and no key")
    tell(f"its first request to {team.url}/mcp: {await _refused(team, '')}, with where to sign in")
    async with AsyncExitStack() as stack:
        hers, ada = await _arrived(stack, team, "nextcloud", "Claude", NEXTCLOUD[0])
        his, _ = await _arrived(stack, team, "nextcloud", "Claude Code", NEXTCLOUD[1])
        say("Both call the same tools, and each is told their own")
        tell("nc_notes_list_notes")
        await _tell_both("nc_notes_list_notes", "title", {"Ada": hers, "Bob": his})
        await _keep_apart(hers, his)
        shown = {name: len((await client.list_tools()).tools) for name, client in (("Ada", hers), ("Bob", his))}
        tell(f"Ada's client is shown {shown['Ada']} tools; Bob's, which may only read, {shown['Bob']}")
        say("Ada ends her client's access; Nextcloud's app password goes with it")
        await _called(hers, "revoke_nextcloud_access")
        if (await _called(his, "nc_notes_list_notes")).is_error:
            raise Failure("Bob was signed out with Ada.")
        tell(f"her client's next request: {await _refused(team, ada.token)}; Bob's is answered as before")


async def _at_lightdash(team: Team) -> None:
    say("The same for Lightdash, by its own OAuth")
    async with AsyncExitStack() as stack:
        hers, _ = await _arrived(stack, team, "lightdash", "Claude", LIGHTDASH[0], brief=True)
        others, _ = await _arrived(stack, team, "lightdash", "ChatGPT", LIGHTDASH[1], brief=True)
        project = {"project_uuid": "1a000000-0000-4000-8000-000000000001"}
        await _tell_both("lightdash_tools__list_spaces", "name", {"Ada": hers, "Vera": others}, **project)


async def _arrived(
    stack: AsyncExitStack, team: Team, service: str, client: str, who: Visitor, *, brief: bool = False
) -> tuple[Client, Assistant]:
    if not brief:
        say(f"{who.name} adds it to {client}, which opens a browser")
    assistant = Assistant(client, f"{team.url}/mcp", lambda url: complete_sign_in(team, service, who, url))
    return await stack.enter_async_context(assistant.connected()), assistant


async def _tell_both(tool: str, name: str, people: dict[str, Client], **arguments: Any) -> None:
    """Show what each is told, by the names of things; the same for both would be a failure."""
    answers: list[Sequence[str]] = []
    for person, client in people.items():
        items = (await _called(client, tool, **arguments)).structured_content["items"]
        answers.append([str(item[name]) for item in items])
        line = f"{click.style(person, bold=True)}: {harmless(', '.join(answers[-1]))}"
        click.echo(ANSWER + clip_text(line, COLUMNS - len(ANSWER)))
    if answers[0] == answers[1]:
        raise Failure("Both were told the same: people are not kept apart.")


async def _keep_apart(hers: Client, his: Client) -> None:
    note = (await _called(his, "nc_notes_list_notes")).structured_content["items"][0]
    answer = await _called(hers, "nc_notes_get_note", note_id=note["id"])
    if not answer.is_error:
        raise Failure("Ada was told what is in a note of Bob's.")
    said = " ".join(block.text for block in answer.content if isinstance(block, mcp.TextContent))
    tell(f"nc_notes_get_note(note_id={note['id']}), which is Bob's, for Ada:")
    click.echo(ANSWER + click.style(clip_text(said, COLUMNS - len(ANSWER)), fg="yellow"))


async def _called(client: Client, tool: str, **arguments: Any) -> Any:
    """Call a tool without the list of all tools, which the client would ask for to check the answer."""
    params = mcp.CallToolRequestParams(name=tool, arguments=arguments)
    return await client.session.send_request(mcp.CallToolRequest(params=params), mcp.CallToolResult)


async def _refused(team: Team, token: str) -> str:
    """Ask as a client does whose token is worth nothing, and say how that is turned down."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(trust_env=False) as http:
        answer = await http.post(f"{team.url}/mcp", json={}, headers=headers)
    if answer.status_code != 401:
        raise Failure(f"A request that nobody may make was answered with {answer.status_code}.")
    return f"{answer.status_code} {answer.reason_phrase}"
