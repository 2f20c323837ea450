"""`aboveboard demo search`: an index of the sandbox, and three questions in three languages."""

import os
import sys
from typing import Any, Final

import click
from mcp import Client, StdioServerParameters

from aboveboard.cli.demo.stage import ANSWER, COLUMNS, call, say, tell
from aboveboard.cli.terminal import clip_text, harmless
from aboveboard.search.models import INSTALL
from aboveboard.search.models.obtaining import can_run
from aboveboard.search.settings import SearchSettings

DOCUMENTS: Final = {
    "Home/yearly.md": "# Boiler\n\nThe boiler is serviced every May by Mr Novak, who also bleeds the radiators.\n",
    "Reisen/Lissabon.md": "# Anreise\n\nDer Nachtzug fährt um 21:40 Uhr ab; Fahrräder muss man vorher anmelden.\n",
    "Maison/jardin.md": "# Potager\n\nLes tomates se plantent après les dernières gelées, à la mi-mai.\n",
}
QUESTIONS: Final = (
    "Who looks after our central heating?",
    "Darf ich mein Rad im Zug mitnehmen?",
    "Quand mettre les légumes en pleine terre ?",
)
LACKING: Final = "Only words are searched: the model is not here. `aboveboard search setup` obtains it (45 MB, once)."
EXTRA: Final = (
    f"Only words are searched: what runs a model is not installed. {INSTALL}\n"
    "brings it; then `aboveboard search setup` obtains the model (45 MB, once)."
)


async def show_search() -> None:
    """Index a sandbox, and ask."""
    settings = SearchSettings.read(os.environ)
    say("Search by meaning over what a person has in Nextcloud: no server, no GPU, no key")
    if settings.open_model() is None:
        tell(LACKING if can_run() else EXTRA)
    serve = ["-m", "aboveboard", "serve", "nextcloud", "--sandbox"]
    kept = {name: value for name, value in os.environ.items() if name.startswith(("ABOVEBOARD_", "XDG_CACHE"))}
    async with Client(StdioServerParameters(command=sys.executable, args=serve, env=kept)) as client:
        for path, content in DOCUMENTS.items():
            given = {"path": path, "content": content, "create_parents": True}
            await client.call_tool("nc_webdav_write_file", given)
        await call(client, "nc_update_search_index", seconds=60)
        say("Three questions, in three languages; their answers say it in other words")
        for question in QUESTIONS:
            await _ask(client, question)


async def _ask(client: Client, question: str) -> None:
    result = await client.call_tool("nc_semantic_search", {"query": question, "limit": 1})
    answer: dict[str, Any] = result.structured_content or {}
    tell(click.style(question, bold=True))
    if not answer.get("items"):
        click.echo(f"{ANSWER}Nothing was found by words alone.")
        return
    hit = answer["items"][0]
    cited = " › ".join(filter(None, [hit["title"], hit.get("headings")]))
    click.echo(ANSWER + clip_text(harmless(f"{cited}: {hit['snippet']}"), COLUMNS - len(ANSWER)))
    click.echo(f"{ANSWER}{hit['url']}  (by {hit['found_by']}, {hit['score']})")
