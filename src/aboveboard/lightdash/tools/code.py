"""Charts and dashboards as code: read and write each as one document."""

from typing import Annotated, Any

from pydantic import Field

from aboveboard.effects import READ, REPLACE
from aboveboard.errors import BadInput, NotFound
from aboveboard.kit.toolset import Toolset
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.client.api import Page
from aboveboard.lightdash.client.code import Documents, Upserted
from aboveboard.lightdash.tools.parameters import Limit, PageNumber, ProjectUuid

tools = Toolset[LightdashClient](
    "code", title="Content as code", icon="M8 6l-6 6 6 6 2-2-4-4 4-4zm8 0l-2 2 4 4-4 4 2 2 6-6z"
)

Slugs = Annotated[list[str], Field(description="Only these slugs; left out: all, a page at a time.")]
Slug = Annotated[str, Field(description="Slug of what to write.", min_length=1)]
Document = dict[str, Any]
Whole = Annotated[Document, Field(description="The whole document, as the list tool shows it.")]

ONE = Page[Document](items=[{"slug": "orders-by-status"}], total=1)
CREATED = Upserted(slug="orders-by-status", action="create")


@tools.tool("List Charts As Code", READ, example=ONE)
async def list_charts_as_code(
    lightdash: LightdashClient,
    slugs: Slugs = [],  # noqa: B006 (published as the default, never changed)
    project_uuid: ProjectUuid = None,
    limit: Limit = 20,
    page: PageNumber = 1,
) -> Page[Document]:
    """Get saved charts as documents that can be kept, compared and written back."""
    return _page(await lightdash.code.charts(project_uuid, slugs=slugs, offset=(page - 1) * limit), limit, page)


@tools.tool("Write Chart As Code", REPLACE, example=CREATED)
async def upsert_chart_as_code(
    lightdash: LightdashClient, slug: Slug, chart: Whole, project_uuid: ProjectUuid = None
) -> Upserted:
    """Create the chart with this slug, or replace it; what it was stays in its history only."""
    document = _checked(slug, chart)
    found = await lightdash.code.charts(project_uuid, slugs=[slug], offset=0)
    if _same(found, document):
        return Upserted(slug=slug, action="no changes")  # Lightdash would write one more version
    return Upserted(slug=slug, action=await lightdash.code.write_chart(project_uuid, slug, document))


@tools.tool("List Dashboards As Code", READ, example=ONE)
async def list_dashboards_as_code(
    lightdash: LightdashClient,
    slugs: Slugs = [],  # noqa: B006
    project_uuid: ProjectUuid = None,
    limit: Limit = 20,
    page: PageNumber = 1,
) -> Page[Document]:
    """Get dashboards as documents that can be kept, compared and written back."""
    return _page(await lightdash.code.dashboards(project_uuid, slugs=slugs, offset=(page - 1) * limit), limit, page)


@tools.tool("Write Dashboard As Code", REPLACE, example=CREATED)
async def upsert_dashboard_as_code(
    lightdash: LightdashClient, slug: Slug, dashboard: Whole, project_uuid: ProjectUuid = None
) -> Upserted:
    """Create the dashboard with this slug, or replace it; what it was stays in its history only."""
    document = _checked(slug, dashboard)
    found = await lightdash.code.dashboards(project_uuid, slugs=[slug], offset=0)
    if _same(found, document):
        return Upserted(slug=slug, action="no changes")
    return Upserted(slug=slug, action=await lightdash.code.write_dashboard(project_uuid, slug, document))


def _page(found: Documents, limit: int, page: int) -> Page[Document]:
    if found.missing:
        raise NotFound(f"There is nothing with the slug {', '.join(found.missing)}.", status=404)
    more = page * limit < found.total
    return Page[Document](items=found.documents[:limit], total=found.total, next_page=page + 1 if more else None)


def _checked(slug: str, document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with its slug; Lightdash would write to the one in the document, whatever the path says."""
    if document.get("slug", slug) != slug:
        raise BadInput(f"The document's slug is {document['slug']!r}, not {slug!r}.")
    if not isinstance(document.get("name"), str) or "spaceSlug" not in document:
        raise BadInput("The document needs at least a name and a spaceSlug: take one that the list tool shows.")
    return {"version": 1, **document, "slug": slug}


def _same(found: Documents, document: dict[str, Any]) -> bool:
    if not found.documents:
        return False
    now = found.documents[0]
    return all(now.get(key) == value for key, value in document.items() if key not in ("updatedAt", "downloadedAt"))
