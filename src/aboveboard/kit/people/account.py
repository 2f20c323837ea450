"""A person's own page: which AI clients act as them, what each may do, and a button that ends one."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from aboveboard.kit.mode import Mode
from aboveboard.kit.people import grants, pending
from aboveboard.kit.people.adapter import Identity
from aboveboard.kit.people.browser import Browsers
from aboveboard.kit.people.grants import Grant
from aboveboard.kit.people.limits import Limits
from aboveboard.kit.people.pages import Pages
from aboveboard.kit.people.pending import LIFE, SignInRequest
from aboveboard.kit.people.people import People
from aboveboard.kit.people.rights import READ_SCOPE, WRITE_SCOPE, Rights
from aboveboard.kit.people.secrets import hash_secret, new_secret
from aboveboard.kit.people.tables import persons, sessions

SESSION_LIFE: Final = 3600.0
FOREIGN: Final = "This form did not come from this server's own page."
OF_PAGE: Final = SignInRequest(
    client="account",
    client_name="your own page",
    client_home=None,
    redirect="/account",
    explicit=True,
    state=None,
    challenge="",
    account=True,
)
Begin = Callable[[str, SignInRequest, Rights], Awaitable[Response]]


def begin_session(db: Connection, instance: str, who: Identity, now: float) -> str:
    """Let a browser in that has just shown who it is; the secret is a new one each time."""
    secret = new_secret()
    person = grants.remember(db, instance, who, now)
    db.execute(insert(sessions).values(hash=hash_secret(secret), person=person, expires=now + SESSION_LIFE))
    return secret


class Account:
    """The page of whoever is signed in."""

    def __init__(self, people: People, pages: Pages, limits: Limits, begin: Begin) -> None:
        self._people, self._pages, self._limits, self._begin = people, pages, limits, begin
        self._browsers = Browsers(people.origin)

    def routes(self) -> Sequence[Route]:
        """Return where it is."""
        return [
            Route("/account", self._show, methods=["GET"]),
            Route("/account/enter", self._enter, methods=["POST"]),
            Route("/account/leave", self._leave, methods=["POST"]),
            Route("/account/grants/{id}", self._change, methods=["POST"]),
        ]

    async def _show(self, request: Request) -> Response:
        person = await self._person(request)
        if person is None:
            return self._pages.show("enter")
        mine = await self._people.store.read(lambda db: grants.of_person(db, person.id))
        scopes = self._people.scopes
        return self._pages.show(
            "account",
            person=person.name,
            principal=person.principal,
            grants=[self._shown(grant) for grant in mine],
            modes=scopes.modes,
            areas=scopes.areas,
        )

    def _shown(self, grant: Grant) -> dict[str, Any]:
        scopes = self._people.scopes
        covered = scopes.expanded(grant.rights.scopes)
        verb = READ_SCOPE if grant.rights.mode is Mode.READ_ONLY else WRITE_SCOPE
        chosen = [area for area in scopes.areas if f"{area}.{verb}" in covered]
        few = ", ".join(scopes.areas[area] for area in chosen) if len(chosen) < len(scopes.areas) else ""
        return {**asdict(grant), "rights": grant.rights, "chosen": chosen, "few": few}

    async def _enter(self, request: Request) -> Response:
        if not self._browsers.is_ours(request):
            return self._pages.error(FOREIGN, status=403)
        await self._limits.count_sign_in(request)
        browser, now = self._browsers.known_or_new(request), self._people.clock()
        ident = await self._people.store.write(lambda db: _begun(db, browser, now))
        if ident is None:
            return self._pages.error("Too many people are signing in: try again in a while.", status=503)
        answer = await self._begin(ident, OF_PAGE, Rights(frozenset()))
        return self._browsers.remember(answer, self._browsers.sign_in, browser, LIFE)

    async def _leave(self, request: Request) -> Response:
        if not self._browsers.is_ours(request):
            return self._pages.error(FOREIGN, status=403)
        secret = hash_secret(self._browsers.known(request, self._browsers.account))
        await self._people.store.write(lambda db: db.execute(delete(sessions).where(sessions.c.hash == secret)))
        return self._browsers.forget(RedirectResponse("/account", status_code=303), self._browsers.account)

    async def _change(self, request: Request) -> Response:
        if not self._browsers.is_ours(request):
            return self._pages.error(FOREIGN, status=403)
        person = await self._person(request)
        mine = [] if person is None else await self._people.store.read(lambda db: grants.of_person(db, person.id))
        grant = next((one for one in mine if one.id == request.path_params["id"]), None)
        if grant is not None:
            form = await request.form()
            if form.get("decision") == "end":
                await self._people.end(grant, "the person ended it")
            elif form.get("decision") == "change":
                await self._set_rights(grant, str(form.get("mode")), [str(one) for one in form.getlist("area")])
        return RedirectResponse("/account", status_code=303)

    async def _set_rights(self, grant: Grant, mode: str, areas: Sequence[str]) -> None:
        if mode in [one.value for one in Mode]:
            rights = self._people.scopes.preset(Mode(mode), areas)
            await self._people.store.write(lambda db: grants.set_rights(db, grant, rights, self._people.clock()))

    async def _person(self, request: Request) -> Any:
        secret, now = hash_secret(self._browsers.known(request, self._browsers.account)), self._people.clock()
        alive = (sessions.c.hash == secret) & (sessions.c.expires > now)
        mine = select(persons).join(sessions, sessions.c.person == persons.c.id).where(alive)
        return await self._people.store.read(lambda db: db.execute(mine).one_or_none())


def _begun(db: Connection, browser: str, now: float) -> str | None:
    ident = pending.begin(db, OF_PAGE, now)
    if ident is not None:
        pending.bind(db, ident, browser)
    return ident
