"""The tools about signing in: who is logged in, what was granted, where to change that, and how to end it."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal
from uuid import uuid4

import mcp_types as mcp
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from aboveboard.effects import ADD, DELETE, READ
from aboveboard.kit.call import Call
from aboveboard.kit.people.access import current_access
from aboveboard.kit.people.people import GrantHolder, People
from aboveboard.kit.people.rights import ACCESS
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
    tools = Toolset[Any](ACCESS, title="Access", icon=ICON, prefix="")
    account = f"{people.origin}/account"
    name, title = people.title.lower(), people.title

    @tools.tool(
        "Check Server Login Status",
        READ,
        example=Login(
            logged_in=True, person="ada", client="Claude", scopes=["read"], mode="read-only", account_url=account
        ),
    )
    async def check_logged_in(call: Call) -> Login:
        """Tell who is logged in, what this client was granted, and the page where the person can change that."""
        del call
        holder = current_access().holder
        if not isinstance(holder, GrantHolder):
            return Login(logged_in=False, account_url=account)
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

    @tools.tool("Check Provisioning Status", READ, example=Provisioning(status="connected", account_url=account))
    async def check_provisioning_status(call: Call) -> Provisioning:
        """Tell whether the person has given this server access, so that other tools can act for them."""
        del call
        connected = isinstance(current_access().holder, GrantHolder)
        return Provisioning(status="connected" if connected else "not_connected", account_url=account)

    async def provision(call: Call) -> Raw:
        return await _offered(call, account, title)

    _declare(
        tools,
        provision,
        f"provision_{name}_access",
        f"Grant Server Access to {title}",
        ADD,
        (
            f"Begin to give this server access to the person's {title}, or to widen it: answers the page where the"
            " person does so, and opens it where the client can. Nothing is granted before they agree there."
        ),
    )

    async def revoke(call: Call) -> Revoked:
        del call
        holder = current_access().holder
        if not isinstance(holder, GrantHolder):
            return Revoked(revoked=False)
        return Revoked(revoked=await people.end(holder.grant, "the client asked for it"))

    _declare(
        tools,
        revoke,
        f"revoke_{name}_access",
        f"Revoke Server Access to {title}",
        DELETE,
        (
            f"End this client's access to the person's {title} at once and delete its credential there; the person"
            " has to connect again to undo this. Other clients stay connected."
        ),
        Revoked(revoked=True),
    )
    assert all(map(callable, (check_logged_in, check_provisioning_status)))  # noqa: S101 (declared by their decorators)
    return tools


def _declare(
    tools: Toolset[Any],
    function: Callable[[Call], Awaitable[Any]],
    name: str,
    title: str,
    effect: Any,
    words: str,
    example: BaseModel | None = None,
) -> None:
    """Declare a tool whose name has the service's in it."""
    function.__name__, function.__doc__ = name, words
    declare = tools.tool(title, effect) if example is None else tools.tool(title, effect, example=example)
    declare(function)


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
