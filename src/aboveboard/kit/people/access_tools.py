"""The tools about signing in: who is logged in, what was granted, where to change that, and how to end it."""

from typing import Any, Final, Literal
from uuid import uuid4

import mcp_types as mcp
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from aboveboard.effects import ADD, DELETE, READ
from aboveboard.kit.call import Call
from aboveboard.kit.people.access import current_access
from aboveboard.kit.people.identity.door import Newcomer
from aboveboard.kit.people.people import GrantHolder, People
from aboveboard.kit.people.rights import ACCESS_AREA
from aboveboard.kit.toolset import Raw, Toolset

ICON: Final = "M12 2l8 4v6c0 5-3 8-8 10-5-2-8-5-8-10V6zm-1 13l6-6-1-1-5 5-2-2-1 1z"
LAST_LEGACY: Final = "2025-11-25"


class Login(BaseModel):
    """Who is logged in, and what the AI client that asks was granted."""

    logged_in: bool
    person: str | None = None
    name: str | None = None
    client: str | None = None
    scopes: list[str] = []
    mode: str | None = None
    account_url: str


class Provisioning(BaseModel):
    """Whether this server can act for the person."""

    status: Literal["connected", "not_connected"]
    account_url: str


class Revoked(BaseModel):
    """What ended."""

    revoked: bool


def access_tools(people: People) -> Toolset[Any]:
    """Declare the tools of a deployment."""
    tools = Toolset[Any](ACCESS_AREA, title="Access", icon=ICON, prefix="")
    account = f"{people.origin}/account"
    _declare_looks(tools, account)
    _declare_provision(tools, account, people.title)
    _declare_revoke(tools, people)
    return tools


def _page(account: str) -> str:
    """Return where who asks can become connected, or change what was granted."""
    holder = current_access().holder
    return holder.page if isinstance(holder, Newcomer) else account


def _declare_looks(tools: Toolset[Any], account: str) -> None:
    async def check_logged_in(call: Call) -> Login:
        """Tell who is logged in, what this client was granted, and the page where the person can change that."""
        del call
        holder, caller = current_access().holder, current_access().caller
        if not isinstance(holder, GrantHolder):
            return Login(logged_in=True, person=caller.subject, client=caller.client, account_url=_page(account))
        grant = holder.grant
        return Login(
            logged_in=True,
            person=grant.principal,
            name=grant.person_name,
            client=grant.client_name,
            scopes=sorted(grant.rights.scopes),
            mode=grant.rights.mode.value,
            account_url=account,
        )

    async def check_provisioning_status(call: Call) -> Provisioning:
        """Tell whether the person has given this server access, so that other tools can act for them."""
        del call
        connected = isinstance(current_access().holder, GrantHolder)
        return Provisioning(status="connected" if connected else "not_connected", account_url=_page(account))

    status = Provisioning(status="connected", account_url=account)
    known: dict[str, Any] = {"logged_in": True, "person": "ada", "client": "Claude", "scopes": ["read"]}
    login = Login(**known, mode="read-only", account_url=account)
    tools.tool("Check Server Login Status", READ, example=login)(check_logged_in)
    tools.tool("Check Provisioning Status", READ, example=status)(check_provisioning_status)


def _declare_provision(tools: Toolset[Any], account: str, title: str) -> None:
    async def provision(call: Call) -> Raw:
        return await _offered(call, _page(account), title)

    provision.__name__ = f"provision_{title.lower()}_access"
    provision.__doc__ = (
        f"Begin to give this server access to the person's {title}, or to widen it: answers the page where the"
        " person does so, and opens it where the client can. Nothing is granted before they agree there."
    )
    tools.tool(f"Grant Server Access to {title}", ADD)(provision)


def _declare_revoke(tools: Toolset[Any], people: People) -> None:
    async def revoke(call: Call) -> Revoked:
        del call
        holder = current_access().holder
        if not isinstance(holder, GrantHolder):
            return Revoked(revoked=False)
        await people.end(holder.grant, "the client asked for it")
        return Revoked(revoked=True)

    revoke.__name__ = f"revoke_{people.title.lower()}_access"
    revoke.__doc__ = (
        f"End this client's access to the person's {people.title} at once and delete its credential there; the person"
        " has to connect again to undo this. Other clients stay connected."
    )
    tools.tool(f"Revoke Server Access to {people.title}", DELETE, example=Revoked(revoked=True))(revoke)


async def _offered(call: Call, url: str, title: str) -> Raw:
    """Let the client open a page, where it can; otherwise name it."""
    told = f"Open this page to give this server access to your {title}, or to change what it may do: {url}"
    link = mcp.CallToolResult(content=[mcp.TextContent(text=told)], structured_content={"url": url})
    opens = mcp.ClientCapabilities(elicitation=mcp.ElicitationCapability(url=mcp.UrlElicitationCapability()))
    if not call.context.session.check_client_capability(opens):
        return link
    message = f"Choose what this server may do with your {title}."
    if call.context.protocol_version > LAST_LEGACY:
        if call.params.input_responses:
            return link
        params = mcp.ElicitRequestURLParams(message=message, url=url)
        return mcp.InputRequiredResult(input_requests={"open": mcp.ElicitRequest(params=params)})
    try:
        await call.context.session.elicit_url(message, url, uuid4().hex, call.context.request_id)
    except MCPError:
        return link  # a server without sessions cannot ask; the answer names the page
    return link
