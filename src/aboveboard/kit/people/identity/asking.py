"""Where a person lets a client of the provider's act at the service: the page that a newcomer is told to open."""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from aboveboard.kit.people import pending
from aboveboard.kit.people.clients import Clients, clean_name
from aboveboard.kit.people.documents import is_document_address
from aboveboard.kit.people.limits import Limits
from aboveboard.kit.people.pages import Pages
from aboveboard.kit.people.pending import SignInRequest
from aboveboard.kit.people.people import People

LONGEST: Final = 500


class Asking:
    """Begins a sign-in for a client that only the provider knows."""

    def __init__(self, people: People, clients: Clients, pages: Pages, limits: Limits) -> None:
        self._people, self._clients, self._pages, self._limits = people, clients, pages, limits

    def routes(self) -> Sequence[Route]:
        """Return where it is."""
        return [Route("/connect", self._begin, methods=["GET"])]

    async def _begin(self, request: Request) -> Response:
        client = request.query_params.get("client", "")
        if not client.isprintable() or not clean_name(client) or len(client) > LONGEST:
            return self._pages.error("The address does not say which AI client is to be connected.")
        await self._limits.count_sign_in(request)
        asked = await self._asked(client)
        if not self._clients.is_let_in({client, asked.client_home}):
            return self._pages.error("The operator of this server does not let this client in.", status=403)
        ident = await self._people.store.write(lambda db: pending.begin(db, asked, self._people.clock()))
        if ident is None:
            return self._pages.error("Too many people are signing in: try again in a while.", status=503)
        return RedirectResponse(f"/connect/{ident}", status_code=303, headers={"Cache-Control": "no-store"})

    async def _asked(self, client: str) -> SignInRequest:
        """Tell what a client calls itself, where its id is the address of a document about it."""
        known = await self._clients.find(client) if is_document_address(client) else None
        return SignInRequest(
            client=client,
            client_name=clean_name(client) if known is None else known.shown_name,
            client_home=None if known is None else known.home,
            redirect="",
            explicit=False,
            state=None,
            challenge="",
        )
