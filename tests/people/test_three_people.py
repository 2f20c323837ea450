"""Three people do anything in any order, over two replicas and in both eras: nobody is told anything of another."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import anyio
import httpx2
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.kit.serving.exchange import ACCEPT, LEGACY, answer_in  # pyright: ignore[reportPrivateImportUsage]
from tests.people.raw import Raw
from tests.people.team import BACKEND, Clock, Team, deployment
from tests.people.web import plain, served

from aboveboard.nextcloud.sandbox import Sandbox

PEOPLE: Final = ("admin", "bob", "carol")
WORDS: Final = {"admin": "kestrel", "bob": "heron", "carol": "wren"}
"""What each writes into all they have, and nobody else knows."""
LOOKS: Final = {
    "nc_notes_list_notes": {},
    "nc_notes_search_notes": {"query": "e"},
    "nc_webdav_list_directory": {"path": ""},
    "nc_webdav_read_file": {"path": "own.md"},
    "nc_get_context": {},
    "check_logged_in": {},
    "nc_calendar_list_calendars": {},
    "nc_get_vector_sync_status": {},
    "nc_semantic_search": {"query": "kestrel heron wren", "mode": "keyword"},
}
WRITES: Final = ("note", "file", "index")
TURNS: Final = ("refresh", "leave", "return")
step = st.tuples(
    st.sampled_from(PEOPLE), st.sampled_from([*LOOKS, *WRITES, *TURNS]), st.booleans(), st.sampled_from([0, 1])
)
# What one has indexed is no other's.
INDEXED: Final = [
    ("admin", "note", True, 0),
    ("admin", "index", True, 0),
    ("bob", "nc_get_vector_sync_status", True, 0),
    ("bob", "nc_semantic_search", False, 0),
]


@dataclass
class Person:
    """One of the three, the tokens that they have, and what they did."""

    name: str
    raw: Raw
    tokens: dict[str, Any] = field(default_factory=dict[str, Any])
    notes: list[str] = field(default_factory=list[str])
    indexed: bool = False
    there: bool = True

    async def call(self, url: str, tool: str, arguments: dict[str, Any], *, modern: bool) -> httpx2.Response:
        """Call a tool at one of the replicas, as a client of one of the eras does."""
        token = self.tokens["access_token"]
        if modern:
            here = replace(self.raw, team=replace(self.raw.team, url=url))
            return await here.call(token, "tools/call", name=tool, arguments=arguments)
        headers = {**ACCEPT, "mcp-protocol-version": LEGACY, "authorization": f"Bearer {token}"}
        params = {"name": tool, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return await self.raw.http.post(f"{url}/mcp", json=body, headers=headers)


@dataclass
class World:
    """All of them, and the replicas that they reach."""

    people: dict[str, Person]
    replicas: list[str]
    count: int = 0

    async def do(self, who: str, what: str, modern: bool, replica: int) -> None:  # noqa: FBT001 (drawn)
        """Let one of them do something, and look at what they are told."""
        person, url = self.people[who], self.replicas[replica]
        if what in TURNS:
            await self._turn(person, what)
            return
        self.count += 1
        tool, arguments = self._called(person, what)
        # Whoever searches gets an index as well.
        person.indexed = person.indexed or (person.there and what in ("index", "nc_semantic_search"))
        answer = await person.call(url, tool, arguments, modern=modern)
        if not person.there:
            assert answer.status_code == 401, f"{who} has left, and {tool} answered {answer.text}"
            return
        assert answer.status_code == 200, answer.text
        told = answer.text if modern else str(answer_in(answer))
        own = told.replace(str(arguments.get("query")), "")
        foreign = [word for name, word in WORDS.items() if name != who and word in own]
        assert not foreign, f"{tool} tells {who} of {foreign}: {told}"
        if what == "check_logged_in":
            assert f'"{who}"' in told or f"'{who}'" in told
        if what == "nc_notes_list_notes":
            assert [title for title in person.notes if title not in told] == [], told
        if what == "nc_get_vector_sync_status" and not person.indexed:
            assert "Nothing is indexed" in told, told

    def _called(self, person: Person, what: str) -> tuple[str, dict[str, Any]]:
        word = WORDS[person.name]
        if what == "note":
            title = f"{word} {self.count}"
            person.notes += [title] if person.there else []
            return "nc_notes_create_note", {"title": title, "content": word, "category": word}
        if what == "file":
            return "nc_webdav_write_file", {"path": f"{word}-{self.count}.md", "content": word}
        if what == "index":
            return "nc_update_search_index", {"sources": ["note"], "seconds": 60}
        return what, LOOKS[what]

    async def _turn(self, person: Person, what: str) -> None:
        raw = person.raw
        if what == "refresh" and person.there:
            person.tokens = (await raw.refresh(person.tokens["refresh_token"])).json()
        if what == "leave" and person.there:
            await raw.http.post(
                f"{raw.team.url}/revoke", data={"token": person.tokens["access_token"], "client_id": raw.id}
            )
            person.there = False
        if what == "return" and not person.there:
            person.tokens = (await raw.exchange(await raw.code(person.name, ("mode", "full")))).json()
            person.there = True


async def add_carol(sandbox: Sandbox) -> None:
    """Let the administrator make a third person."""
    login = httpx2.BasicAuth("admin", Sandbox.passwords["admin"])
    form = {"userid": "carol", "displayName": "Carol", "password": "sandbox-carol-login"}
    headers = {"OCS-APIRequest": "true", "Accept": "application/json"}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), auth=login, headers=headers) as http:
        made = await http.post(f"{BACKEND}/ocs/v2.php/cloud/users", data=form)
        assert made.status_code == 200, made.text


@asynccontextmanager
async def world(folder: Path) -> AsyncGenerator[World]:
    """Let all three sign in to a server of two replicas."""
    sandbox = Sandbox()
    await add_carol(sandbox)
    team = Team("", sandbox, Clock(), [])

    def replica(url: str) -> Any:
        team.url = team.url or url
        return deployment(team, url, str(folder / "db"), folder, public_url=team.url, stateless=True)

    async with served(replica) as one, served(replica) as two, plain() as http:
        people = {name: Person(name, Raw(team, http)) for name in PEOPLE}
        for name, person in people.items():
            person.tokens = await person.raw.signed_in(name, ("mode", "full"))
        yield World(people, [one, two])
    sandbox.close()


# Few lives and long ones: to sign all three in takes as long as twenty steps.
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(steps=INDEXED)
@given(steps=st.lists(step, min_size=35, max_size=60))
def test_whatever_three_people_do_nobody_is_told_anything_of_another(
    steps: list[tuple[str, str, bool, int]],
) -> None:
    async def lived() -> None:
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setenv("ABOVEBOARD_SEARCH_INDEX", f"{folder}/index")
            patch.setenv("ABOVEBOARD_MODELS", folder)
            async with world(Path(folder)) as three:
                for one in steps:
                    await three.do(*one)

    anyio.run(lived)
