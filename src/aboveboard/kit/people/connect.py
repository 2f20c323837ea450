"""The pages of a sign-in: what the client may do, the login at the service, and the way back to the client."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from aboveboard.addresses import is_loopback
from aboveboard.errors import Failure, Unauthorised
from aboveboard.kit.mode import Mode
from aboveboard.kit.people import pending, tokens
from aboveboard.kit.people.account import SESSION_LIFE, begin_session
from aboveboard.kit.people.adapter import Credential, Identity, Started
from aboveboard.kit.people.browser import Browsers
from aboveboard.kit.people.grants import Grant
from aboveboard.kit.people.identity.proof import Proof, Proven
from aboveboard.kit.people.label import label_of
from aboveboard.kit.people.limits import Limits
from aboveboard.kit.people.pages import Pages
from aboveboard.kit.people.pending import LIFE, Pending, SignInRequest
from aboveboard.kit.people.people import KEPT_PER_CLIENT, People
from aboveboard.kit.people.rights import Rights
from aboveboard.kit.people.sealing import Unreadable

logger = logging.getLogger("aboveboard")

OVER: Final = "This sign-in is over: it took too long, was finished, or never began."
ELSEWHERE: Final = "This sign-in was begun in another browser, and goes on there."
FOREIGN: Final = "This form did not come from this server's own page."
ASK_AGAIN: Final = "3"
"""Seconds after which a waiting page looks again."""


class Connect:
    """Leads a person through a sign-in."""

    def __init__(
        self,
        people: People,
        pages: Pages,
        limits: Limits,
        *,
        allowed_people: Sequence[str] = (),
        proof: Proof | None = None,
    ) -> None:
        """Take what asks the operator's identity provider who is in front of the browser, where there is one."""
        self._people, self._pages, self._allowed, self._proof = people, pages, frozenset(allowed_people), proof
        self._limits, self._browsers = limits, Browsers(people.origin)

    def routes(self) -> Sequence[Route]:
        """Return where the pages are."""
        return [
            Route("/connect/callback", self._called_back, methods=["GET"]),
            Route("/connect/identified", self._identified, methods=["GET"]),
            Route("/connect/{id}", self._consent, methods=["GET"]),
            Route("/connect/{id}", self._decided, methods=["POST"]),
            Route("/connect/{id}/wait", self._wait, methods=["GET"]),
        ]

    async def _consent(self, request: Request) -> Response:
        """Show who asks for what; the first browser that looks is the one that goes on."""
        ident, browser = request.path_params["id"], self._browsers.known_or_new(request)
        found = await self._find(ident)
        if found is None:
            return self._pages.error(OVER, status=404)
        if not await self._people.store.write(lambda db: pending.bind(db, ident, browser)):
            return self._pages.error(ELSEWHERE, status=403)
        asked, scopes = found.asked, self._people.scopes
        mode, chosen = scopes.asked(frozenset(asked.scopes))
        host = urlsplit(asked.redirect).hostname or urlsplit(asked.redirect).scheme
        page = self._pages.show(
            "consent",
            leads_to=_origin(asked.redirect) if asked.redirect else "",
            client=asked.client_name,
            home=asked.client_home,
            named=bool(asked.redirect or asked.client_home),
            host=host,
            on_this_machine=is_loopback(host),
            modes=scopes.modes,
            mode=mode,
            areas=scopes.areas,
            chosen=chosen,
        )
        return self._browsers.remember(page, self._browsers.sign_in, browser, LIFE)

    async def _decided(self, request: Request) -> Response:
        """Take the person's answer; a yes begins the login at the service."""
        found = await self._mine(request, request.path_params["id"])
        if isinstance(found, Response):
            return found
        if not self._browsers.is_ours(request):
            return self._pages.error(FOREIGN, status=403)
        form = await request.form()
        if form.get("decision") != "allow":
            await self._people.store.write(lambda db: pending.take(db, found.id))
            return self._back(found.asked, error="access_denied")
        try:
            rights = self._people.scopes.preset(Mode(str(form.get("mode"))), [str(one) for one in form.getlist("area")])
        except ValueError:
            return self._pages.error("Choose what the client may do.", status=400)
        if not rights.scopes:
            return self._pages.error("No area was chosen, so there is nothing that the client could do.", status=400)
        await self._limits.count_sign_in(request, "logins")
        return await self.begin_login(found.id, found.asked, rights)

    async def begin_login(self, ident: str, asked: SignInRequest, rights: Rights) -> Response:
        """Begin the login: at the identity provider, where the operator has one, and then at the service."""
        kept: dict[str, Any] = {"scopes": sorted(rights.scopes), "mode": rights.mode.value}
        if self._proof is None:
            return await self._begin_at_service(ident, asked, kept)
        try:
            started = await self._proof.start(f"{self._people.origin}/connect/identified", ident)
        except Failure as failure:
            return self._pages.error(str(failure), status=502)
        shown = {"place": self._proof.place, "label": "", "comes_back": True}
        return await self._sent(ident, kept | {"proving": True, "shown": shown}, started)

    async def _begin_at_service(self, ident: str, asked: SignInRequest, kept: Mapping[str, Any]) -> Response:
        people = self._people
        label = label_of(asked.client_name, people.clock())
        try:
            started = await people.sign_in.start(label, f"{people.origin}/connect/callback", ident)
        except Failure as failure:
            return self._pages.error(str(failure), status=502)
        shown = {"place": people.title, "label": label, "comes_back": people.sign_in.comes_back}
        return await self._sent(ident, {**kept, "proving": False, "shown": shown}, started)

    async def _sent(self, ident: str, kept: Mapping[str, Any], started: Started) -> Response:
        """Keep what is needed to go on, and send the browser to the page that leads on and waits."""
        people, now = self._people, self._people.clock()
        state = {**kept, "login": dict(started.state), "url": started.url}
        await people.store.write(lambda db: pending.keep(db, people.keys, ident, state, now))
        return RedirectResponse(f"/connect/{ident}/wait", status_code=303, headers={"Cache-Control": "no-store"})

    async def _wait(self, request: Request) -> Response:
        """Wait for the person to be done elsewhere; the page asks again by itself."""
        found = await self._mine(request, request.path_params["id"])
        if isinstance(found, Response):
            return found
        kept = self._kept(found)
        if not kept:
            return RedirectResponse(f"/connect/{found.id}", status_code=303)
        people, shown = self._people, {"url": kept["url"], **kept["shown"]}
        if shown["comes_back"]:
            return self._pages.show("wait", refresh=f"1; url={kept['url']}", **shown)
        if await people.store.write(lambda db: pending.may_poll(db, found.id, people.clock())):
            done = await self._finished(found, kept, {})
            if done is not None:
                return done
        return self._pages.show("wait", refresh=ASK_AGAIN, **shown)

    async def _identified(self, request: Request) -> Response:
        """Take what the identity provider sent the browser back with, and go on to the service."""
        answer = dict(request.query_params)
        found = await self._mine(request, answer.get("state", ""))
        if isinstance(found, Response):
            return found
        kept = self._kept(found)
        if self._proof is None or not kept.get("proving"):
            return self._pages.error(OVER, status=404)
        try:
            proven = await self._proof.finish(kept["login"], answer, self._people.clock())
        except Failure as failure:
            return await self._ended(found, str(failure))
        return await self._begin_at_service(found.id, found.asked, {**kept, "proven": asdict(proven)})

    async def _called_back(self, request: Request) -> Response:
        """Take what the service sent the browser back with."""
        answer = dict(request.query_params)
        found = await self._mine(request, answer.get("state", ""))
        if isinstance(found, Response):
            return found
        done = await self._finished(found, self._kept(found), answer)
        return done or self._pages.error("The service sent you back without an answer.", status=400)

    async def _finished(self, found: Pending, kept: Mapping[str, Any], answer: Mapping[str, str]) -> Response | None:
        sign_in, proven = self._people.sign_in, _proven(kept)
        if not kept or kept.get("proving") or (self._proof is not None and proven is None):
            return self._pages.error(OVER, status=404)
        try:
            credential = await sign_in.finish(kept["login"], answer)
        except Failure as failure:
            return await self._ended(found, str(failure))
        if credential is None:
            return None
        try:
            return await self._identified_at_service(found, kept, credential)
        except Unauthorised as failure:  # it is not sent again, not even to be deleted
            return await self._ended(found, str(failure))
        except Failure as failure:
            await self._people.discard(credential)
            return await self._ended(found, str(failure))

    async def _identified_at_service(self, found: Pending, kept: Mapping[str, Any], credential: Credential) -> Response:
        """Find out whose credential it is, and keep it where they may come in."""
        who, proven = await self._people.sign_in.identify(credential), _proven(kept)
        if refusal := self._refusal(who, proven):
            await self._people.discard(credential)
            await self._people.store.write(lambda db: pending.take(db, found.id))
            return refusal
        rights = Rights(frozenset(kept["scopes"]), Mode(kept["mode"]))
        return await self._granted(found, credential, who, rights, proven)

    async def _ended(self, found: Pending, told: str) -> Response:
        await self._people.store.write(lambda db: pending.take(db, found.id))
        return self._pages.error(told, status=502)

    def _refusal(self, who: Identity, proven: Proven | None) -> Response | None:
        """Say why somebody cannot come in: the operator's list, or two logins that are not one person's."""
        if self._allowed and who.principal not in self._allowed:
            logger.warning("A sign-in of %s was refused: the operator has not let them in", who.principal)
            return self._pages.error("The operator of this server has not let you in: ask them to add you.", status=403)
        if self._proof is None or proven is None or self._proof.is_same(proven, who):
            return None
        place, here = self._proof.place, self._proof.named(who)
        logger.warning("A sign-in was refused: %s at %s is not %s at the service", proven.told, place, who.principal)
        return self._pages.show("different", status=403, provider=place, there=proven.told, here=here)

    async def _granted(
        self, found: Pending, credential: Credential, who: Identity, rights: Rights, proven: Proven | None
    ) -> Response:
        """Hand the client its code, where it is for one, and let the person see their page."""
        people, asked, now = self._people, found.asked, self._people.clock()
        if not await people.store.write(lambda db: pending.take(db, found.id)):
            await people.discard(credential)  # somebody finished it at the same moment
            return self._pages.error(OVER, status=404)
        session = await people.store.write(lambda db: begin_session(db, people.sign_in.instance, who, now))
        if asked.account:
            await people.discard(credential)
            answer: Response = RedirectResponse("/account", status_code=303)
        else:
            keep = KEPT_PER_CLIENT if asked.client_home and proven is None else 1
            client = (asked.client, asked.client_name)
            grant = await people.add(who, credential, rights, client, keep=keep)
            answer = await self._handed(asked, grant, proven)
        # The cookie of the sign-in stays: others that this browser began hang on it, and this one is over.
        return self._browsers.remember(answer, self._browsers.account, session, SESSION_LIFE)

    async def _handed(self, asked: SignInRequest, grant: Grant, proven: Proven | None) -> Response:
        """Give the client what it needs to come by a grant; one of an identity provider has its token already."""
        if proven is None:
            return self._back(asked, code=await self._code(grant.id, asked))
        await self._people.introduce(grant, proven.identity(asked.client))
        return self._back(asked)

    async def _code(self, grant: str, asked: SignInRequest) -> str:
        wanted = {"challenge": asked.challenge, "redirect": asked.redirect}
        now = self._people.clock()
        return await self._people.store.write(
            lambda db: tokens.new_code(db, grant, **wanted, explicit=asked.explicit, now=now)
        )

    def _back(self, asked: SignInRequest, **values: str) -> Response:
        """Send the browser back to the client, and say who does so; where it waits for nobody, tell the person."""
        if not asked.redirect:
            return self._pages.show("done", client=asked.client_name, connected="error" not in values)
        state = {} if asked.state is None else {"state": asked.state}
        joined = "&" if urlsplit(asked.redirect).query else "?"
        place = f"{asked.redirect}{joined}{urlencode({**values, **state, 'iss': self._people.origin})}"
        return RedirectResponse(place, status_code=303, headers={"Cache-Control": "no-store"})

    async def _find(self, ident: str) -> Pending | None:
        return await self._people.store.read(lambda db: pending.find(db, ident, self._people.clock()))

    async def _mine(self, request: Request, ident: str) -> Pending | Response:
        """Return a sign-in that this browser began, or the page that says why not."""
        found, browser = await self._find(ident), self._browsers.known(request, self._browsers.sign_in)
        if found is None:
            return self._pages.error(OVER, status=404)
        if found.browser is None or not browser or not pending.is_bound_to(found, browser):
            return self._pages.error(ELSEWHERE, status=403)
        return found

    def _kept(self, found: Pending) -> Mapping[str, Any]:
        try:
            return pending.state_of(found, self._people.keys)
        except Unreadable:
            return {}


def _proven(kept: Mapping[str, Any]) -> Proven | None:
    return Proven(**kept["proven"]) if "proven" in kept else None


def _origin(url: str) -> str:
    """Return what a policy calls the place that a browser is sent to."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else f"{parts.scheme}:"
