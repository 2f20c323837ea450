"""Context: who is asking, and what this Nextcloud is."""

from aboveboard.effects import READ
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.account import AppInfo, Capabilities, Context, User

tools = Toolset[NextcloudClient](
    "context", title="Context", icon="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm-1 5h2v2h-2zm0 4h2v5h-2z"
)


@tools.tool(
    "Get Context",
    READ,
    example=Context(
        user=User(id="ada", name="Ada Byron", groups=["staff"], language="en", quota_used=1048576),
        version="34.0.1",
        apps=[AppInfo(id="notes", name="Notes")],
    ),
    core=True,
)
async def get_context(nextcloud: NextcloudClient) -> Context:
    """Tell whose account this is, with groups and quota in bytes, the version, and which apps are installed."""
    return await nextcloud.account.context()


@tools.resource("nc://capabilities", "Capabilities")
async def capabilities(nextcloud: NextcloudClient) -> Capabilities:
    """Everything that this Nextcloud and its apps say they can do."""
    return await nextcloud.account.capabilities()
