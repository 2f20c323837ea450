"""A scripted Lightdash with so many of everything; it pages where the real one does."""

import re
from collections.abc import Callable
from typing import Any, Final

import httpx2
from tests.lightdash.sessions import ok, raw_path

# Lists that Lightdash itself pages, and how deep the items stand in its answer.
PAGED: Final = re.compile(
    "/api/v1/org/(users|groups)|/api/v2/content|.*/parameters/list|/api/v1/schedulers/[^/]+/(list|runs)|.*/validate"
    "|.*/(?P<threads>admin/threads)|.*/evaluations/[^/]+/(?P<runs>runs)"
)


def ident(number: int) -> str:
    return f"f0000000-0000-4000-8000-{number:012d}"


def crowd(size: int) -> Callable[[httpx2.Request], httpx2.Response]:
    """Script the service."""
    everything = [_one(number) for number in range(size)]
    whole = ok(everything).content

    def answer(request: httpx2.Request) -> httpx2.Response:
        query, path = request.url.params, raw_path(request)
        if path.startswith("/api/v1/groups/"):
            most = int(query.get("includeMembers", "0"))
            return ok({**_one(1), "members": everything[:most]})
        if path == "/api/v1/user" or re.search("/(dashboards|v1/projects)/[^/]+$", path):
            return ok(_one(1))
        if path.endswith("/comments"):
            return ok({"a-tile": everything})
        if found := PAGED.fullmatch(path):
            return ok(_page(everything, query, found.groupdict()))
        return httpx2.Response(200, content=whole)

    return answer


def _page(everything: list[dict[str, Any]], query: httpx2.QueryParams, inside: dict[str, str | None]) -> object:
    if "page" not in query:
        return {"data": everything}
    page, step = int(query["page"]), int(query["pageSize"])
    size = len(everything)
    shown = everything[(page - 1) * step : page * step]
    pagination = {"page": page, "pageSize": step, "totalPageCount": -(-size // step), "totalResults": size}
    deeper = next((name for name, there in inside.items() if there), None)
    return {"data": {deeper: shown} if deeper else shown, "pagination": pagination}


def _one(number: int) -> dict[str, Any]:
    """Make a thing that is everything that can be listed at once."""
    uuid, name = ident(number), f"number-{number}"
    named = {"uuid": uuid, "name": name, "userUuid": uuid}
    return {
        **dict.fromkeys(("uuid", "projectUuid", "userUuid", "organizationUuid", "tagUuid", "commentId", "runId"), uuid),
        **dict.fromkeys(("schedulerUuid", "validationUuid", "evalUuid", "runUuid", "roleUuid", "assigneeId"), uuid),
        **dict.fromkeys(("agentUuid", "spaceUuid"), uuid),
        **dict.fromkeys(("name", "slug", "type", "firstName", "lastName", "email", "role", "title", "text"), name),
        **dict.fromkeys(("color", "cron", "format", "error", "errorType", "status", "runStatus", "level"), name),
        **dict.fromkeys(("ownerType", "roleId", "roleName", "assigneeType", "createdFrom", "schedulerName"), name),
        **dict.fromkeys(("createdAt", "lastUpdatedAt", "scheduledTime"), "2026-01-31T09:00:00.000Z"),
        **dict.fromkeys(("chartCount", "dashboardCount"), str(number)),
        **dict.fromkeys(("views", "promptCount", "passedAssessments", "failedAssessments"), number),
        **dict.fromkeys(("inheritParentPermissions", "isActive", "isPending", "enabled", "resolved"), True),
        **{key: [] for key in ("targets", "replies", "users", "groups", "tabs", "tiles")},
        **dict.fromkeys(("space", "user", "agent", "project"), named),
        **{"firstMessage": {"message": name}, "config": {"label": uuid}, "filters": {}, "spaceName": "Sales"},
    }
