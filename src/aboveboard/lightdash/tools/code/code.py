"""Charts and dashboards as code: read and write each as one document."""

import json
from typing import Annotated, Any, Final

from pydantic import Field

from aboveboard.effects import READ, RUN
from aboveboard.errors import ApiError, BadInput, NotFound, Refused
from aboveboard.kit.call import Call
from aboveboard.kit.json_object import JsonObject
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.code import Kind, Upserted
from aboveboard.lightdash.tools.code.checks import check_form, check_parts, check_sql
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid

tools = Toolset[LightdashClient](
    "code", title="Content as code", icon="M8 6l-6 6 6 6 2-2-4-4 4-4zm8 0l-2 2 4 4-4 4 2 2 6-6z"
)

Slugs = Annotated[list[str], Field(description="Only these slugs; left out: all, a page at a time.")]
Slug = Annotated[str, Field(description="Slug of what to write.", min_length=1)]
Document = dict[str, Any]
Whole = Annotated[JsonObject, Field(description="JSON object: the whole document, as the list tool shows it.")]

BUDGET: Final = 60_000
"""Characters of documents that are given out at once: clients cut an answer near 100,000."""

ONE = Page[Document](items=[{"slug": "orders-by-status"}], total=1)
UNSAID = "So it does for a kind of chart or tile that it does not know, without saying so."
CREATED = Upserted(slug="orders-by-status", action="create", url="https://...")


@tools.tool("List Charts As Code", READ, example=ONE)
async def list_charts_as_code(
    lightdash: LightdashClient,
    slugs: Slugs = [],  # noqa: B006 (published as the default, never changed)
    project_uuid: ProjectUuid = None,
    limit: Limit = 20,
    page: PageNumber = 1,
) -> Page[Document]:
    """Get saved charts as documents that can be kept, compared and written back."""
    return await _listed(lightdash, "charts", project_uuid, slugs, limit, page)


# A document that says less than Lightdash makes of it cannot be told from a new one: a repeat writes one more version.
@tools.tool("Write Chart As Code", RUN, example=CREATED)
async def upsert_chart_as_code(
    lightdash: LightdashClient, call: Call, slug: Slug, chart: Whole, project_uuid: ProjectUuid = None
) -> Upserted:
    """Create the chart with this slug, or change it: what the document leaves out stays.

    What it was stays in its history, as kept_version.
    """
    return await _written(lightdash, call, "charts", project_uuid, slug, chart)


@tools.tool("List Dashboards As Code", READ, example=ONE)
async def list_dashboards_as_code(
    lightdash: LightdashClient,
    slugs: Slugs = [],  # noqa: B006
    project_uuid: ProjectUuid = None,
    limit: Limit = 20,
    page: PageNumber = 1,
) -> Page[Document]:
    """Get dashboards as documents that can be kept, compared and written back."""
    return await _listed(lightdash, "dashboards", project_uuid, slugs, limit, page)


@tools.tool("Write Dashboard As Code", RUN, example=CREATED)
async def upsert_dashboard_as_code(
    lightdash: LightdashClient, call: Call, slug: Slug, dashboard: Whole, project_uuid: ProjectUuid = None
) -> Upserted:
    """Create the dashboard with this slug, or replace it: filters and config that are left out are gone.

    What it was stays in its history, as kept_version. Its tiles get new ids: comments on them vanish, and deliveries of
    single tiles point at nothing.
    """
    return await _written(lightdash, call, "dashboards", project_uuid, slug, dashboard)


async def _listed(
    lightdash: LightdashClient, kind: Kind, project: str | None, slugs: list[str], limit: int, page: int
) -> Page[Document]:
    offset, wanted = (page - 1) * limit, list(dict.fromkeys(slugs))
    if not wanted:
        found = await lightdash.code.list_from(kind, project, offset=offset, limit=limit)
        return _page(found.documents, found.total, limit, page)
    found = await lightdash.code.list_some(kind, project, wanted[offset : offset + limit])
    if found.missing_ids:
        raise NotFound(f"There is nothing with the slug {', '.join(found.missing_ids)}.", status=404)
    return _page(found.documents, len(wanted), limit, page)


def _page(documents: list[Document], total: int, limit: int, page: int) -> Page[Document]:
    size = sum(len(json.dumps(one)) for one in documents)
    if size > BUDGET and len(documents) > 1:
        fitting = max(len(documents) * BUDGET // size * 3 // 4, 1)  # others may be larger than these
        raise BadInput(
            f"These {len(documents)} documents are {size:,} characters, more than can be read at once.",
            next_step=f"Ask with a limit of {fitting}, page by page, or for some slugs.",
        )
    return Page[Document](items=documents, total=total, next_page=page + 1 if page * limit < total else None)


async def _written(
    lightdash: LightdashClient, call: Call, kind: Kind, project: str | None, slug: str, document: Document
) -> Upserted:
    wanted = _with_slug(slug, document)
    url = lightdash.pages.content("chart" if kind == "charts" else "dashboard", project, slug)
    check_form(kind, wanted)
    now = (await lightdash.code.list_some(kind, project, [slug])).documents
    if _same(now, wanted):
        return Upserted(slug=slug, action="no changes", url=url)  # Lightdash would write one more version
    check_sql(call, wanted, now)
    await check_parts(lightdash, kind, project, wanted)
    kept = await _newest(lightdash, kind, project, slug) if now else None
    try:
        action = await lightdash.code.write(kind, project, slug, wanted)
        return Upserted(slug=slug, action=action, kept_version=kept, url=url)
    except ApiError as error:
        if error.status != 500:
            raise
        raise ApiError(str(error), status=500, next_step=UNSAID) from None


async def _newest(lightdash: LightdashClient, kind: Kind, project: str | None, slug: str) -> str | None:
    """Return the version that a chart or dashboard has now; None where it has no history that can be seen."""
    try:
        if kind == "charts":
            return (await lightdash.charts.history(await lightdash.charts.get(slug, project))).newest
        return (await lightdash.dashboards.get(slug, project)).version
    except (NotFound, Refused):
        return None


def _with_slug(slug: str, document: Document) -> Document:
    """Return the document to write: with its slug, and without the times of the one it was made from.

    Lightdash would write to the slug in the document, whatever the path says, and drop what it takes for no news.
    """
    if document.get("slug", slug) != slug:
        raise BadInput(f"The document's slug is {document['slug']!r}, not {slug!r}.")
    told = {key: value for key, value in document.items() if key not in ("updatedAt", "downloadedAt")}
    return {"version": 1, **told, "slug": slug}


def _same(now: list[Document], document: Document) -> bool:
    return any(all(one.get(key) == value for key, value in document.items()) for one in now)
