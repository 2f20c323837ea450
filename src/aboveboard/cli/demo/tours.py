"""What an assistant does with each service, in a few calls."""

from typing import Final

from mcp import Client

from aboveboard.cli.demo.stage import call

SETTINGS: Final = {"LIGHTDASH_PROJECT_UUID": "1a000000-0000-4000-8000-000000000001"}
_PREFIX: Final = "lightdash_tools__"


async def lightdash(client: Client) -> None:
    """Ask a question, and go wrong."""
    question = {"explore": "orders", "dimensions": ["orders_order_date_year"], "metrics": ["orders_total_revenue"]}
    await call(client, f"{_PREFIX}run_metric_query", **question)
    await call(client, f"{_PREFIX}create_space", name="Büro 📈")
    await call(client, f"{_PREFIX}list_charts", limit=9000)


async def nextcloud(client: Client) -> None:
    """Write, and run into somebody else's change."""
    note = await call(client, "nc_notes_create_note", title="Shopping", content="- Bread")
    await call(client, "nc_notes_append_content", note_id=note["id"], content="- Milk")
    await call(client, "nc_notes_update_note", note_id=note["id"], etag=note["etag"], content="Nothing to buy.")
