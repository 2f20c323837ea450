"""What an assistant does with each service, in a few calls."""

from typing import Final

from mcp import Client

from aboveboard.cli.demo.stage import call, say

_PREFIX: Final = "lightdash_tools__"


async def lightdash(client: Client) -> None:
    """Find, ask, change, and go wrong."""
    projects = await call(client, f"{_PREFIX}list_projects")
    project = {"project_uuid": projects["items"][0]["project_uuid"]}
    await call(client, f"{_PREFIX}list_charts", limit=3, **project)
    await call(client, f"{_PREFIX}run_chart", chart="orders-by-status", **project)
    question = {"explore": "orders", "dimensions": ["orders_order_date_year"], "metrics": ["orders_total_revenue"]}
    await call(client, f"{_PREFIX}run_metric_query", **question, **project)
    space = await call(client, f"{_PREFIX}create_space", name="Büro 📈", **project)
    place = {**project, "space_uuid": space["uuid"]}
    await call(client, f"{_PREFIX}update_space", name="Office", **place)
    await call(client, f"{_PREFIX}delete_space", **place)
    say("What goes wrong is said in one sentence that helps")
    await call(client, f"{_PREFIX}get_space", **place)
    await call(client, f"{_PREFIX}list_charts", project="Corner Shop", limit=9000)


async def nextcloud(client: Client) -> None:
    """Find, read, write, share, and run into somebody else's change."""
    await call(client, "nc_webdav_list_directory", path="Documents")
    await call(client, "nc_webdav_read_file", path="Documents/plan.md")
    await call(client, "nc_webdav_write_file", path="Documents/Ideen für morgen ☀.md", content="Plant a tree.\n")
    await call(client, "nc_share_create", path="Documents/Ideen für morgen ☀.md", share_with="bob")
    found = await call(client, "nc_notes_search_notes", query="reading")
    note = await call(client, "nc_notes_get_note", note_id=found["items"][0]["id"])
    await call(client, "nc_notes_append_content", note_id=note["id"], content="- A Pattern Language", separator="")
    say("A change that would overwrite another's is refused, and says what to do")
    await call(client, "nc_notes_update_note", note_id=note["id"], etag=note["etag"], content="Nothing to read.")
