"""What the sandbox's shop has, put into another Lightdash; what is there already, by its name, stays as it is."""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from aboveboard.lightdash.seed.instance import Instance
from aboveboard.lightdash.seed.tables import readable

Thing = dict[str, Any]

DBT: Final = "v1.9"
KINDS: Final = {"spaces": "spaces", "charts": "charts", "sqlCharts": "SQL charts", "dashboards": "dashboards"}
"""What is written as code, in this order: charts lie in spaces, and dashboards show charts."""
MOST: Final = 100
_PASSING: Final = {"updatedAt", "downloadedAt", "verification"}
_SCHEDULED: Final = {
    "name",
    "enabled",
    "message",
    "cron",
    "timezone",
    "format",
    "options",
    "includeLinks",
    "thresholds",
}


class Filling:
    """One run, which learns the id that each thing of the shop has at the target."""

    def __init__(self, shop: Instance, target: Instance, warehouse: Mapping[str, Any]) -> None:
        self._shop, self._target, self._warehouse = shop, target, warehouse
        self._addresses: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        """By the id in the sandbox."""
        self.made: list[str] = []

    async def run(self) -> None:
        """Make everything that is not there."""
        await self._people()
        await self._groups()
        for project in await self._shop.get("/api/v1/org/projects"):
            await self._project(project)

    async def _people(self) -> None:
        """Invite the shop's people; whoever seeds stands for the one whose shop it is."""
        us, them = [await one.get("/api/v1/user") for one in (self._shop, self._target)]
        self.ids[us["userUuid"]], self._addresses[us["email"]] = them["userUuid"], them["email"]
        ours, known = [(await one.get("/api/v1/org/users"))["data"] for one in (self._shop, self._target)]
        known_ids = {one["email"]: one["userUuid"] for one in known}
        for person in ours:
            address = person["email"]
            if person["userUuid"] in self.ids:
                continue
            if address not in known_ids:
                body = {"email": address, "role": person["role"]}
                known_ids[address] = (await self._target.send("POST", "/api/v1/invite-links", body))["userUuid"]
                self.made.append(f"the invitation of {address}")
            self.ids[person["userUuid"]] = known_ids[address]

    async def _groups(self) -> None:
        ours = (await self._shop.get("/api/v1/org/groups", includeMembers=MOST))["data"]
        known = {one["name"]: one["uuid"] for one in (await self._target.get("/api/v1/org/groups"))["data"]}
        for group in ours:
            if group["name"] not in known:
                members = [{"userUuid": self.ids[one["userUuid"]]} for one in group["members"]]
                body = {"name": group["name"], "members": members}
                known[group["name"]] = (await self._target.send("POST", "/api/v1/org/groups", body))["uuid"]
                self.made.append(f"the group {group['name']}")
            self.ids[group["uuid"]] = known[group["name"]]

    async def _project(self, project: Thing) -> None:
        known = {one["name"]: one["projectUuid"] for one in await self._target.get("/api/v1/org/projects")}
        ours = project["projectUuid"]
        if project["name"] not in known:
            known[project["name"]] = await self._new_project(project)
            self.made.append(f"the project {project['name']}")
        theirs = self.ids[ours] = known[project["name"]]
        await self._explores(ours, theirs)
        await self._parameters(ours, theirs)
        await self._documents(project)
        for kind in ("spaces", "charts", "dashboards"):
            self._learn(*[await one.get(f"/api/v1/projects/{at}/{kind}") for one, at in self._both(ours)])
        await self._tags(ours, theirs)
        await self._schedules(ours, theirs)

    def _both(self, project: str) -> list[tuple[Instance, str]]:
        return [(self._shop, project), (self._target, self.ids[project])]

    async def _new_project(self, project: Thing) -> str:
        upstream = self.ids.get(project["upstreamProjectUuid"])
        body = {"name": project["name"], "type": project["type"], "dbtConnection": {"type": "none"}, "dbtVersion": DBT}
        more = {"warehouseConnection": dict(self._warehouse)} | (
            {"upstreamProjectUuid": upstream, "copyContent": False} if upstream else {}
        )
        made = await self._target.send("POST", "/api/v1/org/projects", body | more)
        uuid = made["project"]["projectUuid"]
        if upstream:
            await self._target.send("PATCH", f"/api/v1/projects/{uuid}/metadata", {"upstreamProjectUuid": upstream})
        return uuid

    async def _explores(self, ours: str, theirs: str) -> None:
        names = [one["name"] for one in await self._shop.get(f"/api/v1/projects/{ours}/explores")]
        known = {one["name"] for one in await self._target.get(f"/api/v1/projects/{theirs}/explores")}
        if not known.issuperset(names):
            found = [await self._shop.get(f"/api/v1/projects/{ours}/explores/{name}") for name in names]
            await self._target.send("PUT", f"/api/v1/projects/{theirs}/explores", [readable(one) for one in found])
            self.made.append(f"the explores {', '.join(names)}")

    async def _parameters(self, ours: str, theirs: str) -> None:
        wanted, known = [await one.get(f"/api/v2/projects/{at}/parameters") for one, at in self._both(ours)]
        if not wanted.keys() <= known.keys():
            await self._target.send("PUT", f"/api/v2/projects/{theirs}/parameters", known | wanted)
            self.made.append(f"the parameters {', '.join(wanted)}")

    async def _documents(self, project: Thing) -> None:
        """Write as code what the project does not have under that slug: an upload of what is there would change it.

        All are looked for first, as a chart that lives in a dashboard brings an empty one with it.
        """
        theirs = self.ids[project["projectUuid"]]
        missing = {kind: await self._missing(kind, project["projectUuid"]) for kind in KINDS}
        for kind, documents in missing.items():
            for one in documents:
                place = kind if kind == "spaces" else f"{kind}/{quote(one['slug'], safe='')}"
                await self._target.send("POST", f"/api/v1/projects/{theirs}/code/{place}", self._written(one))
            if documents:
                self.made.append(f"{len(documents)} {KINDS[kind]} of {project['name']}")

    async def _missing(self, kind: str, project: str) -> list[Thing]:
        ours, known = [await one.documents(at, kind) for one, at in self._both(project)]
        slugs = {one["slug"] for one in known}
        return [one for one in ours if one["slug"] not in slugs]

    def _written(self, document: Thing) -> Thing:
        kept = {name: value for name, value in document.items() if name not in _PASSING}
        if access := kept.get("access"):
            users = [one | {"email": self._addresses.get(one["email"], one["email"])} for one in access["users"]]
            kept["access"] = access | {"users": users}
        return kept

    def _learn(self, ours: Iterable[Thing], known: Iterable[Thing]) -> None:
        ids = {one["slug"]: one["uuid"] for one in known}
        self.ids |= {one["uuid"]: ids[one["slug"]] for one in ours if one["slug"] in ids}

    async def _tags(self, ours: str, theirs: str) -> None:
        wanted, known = [await one.get(f"/api/v1/projects/{at}/tags") for one, at in self._both(ours)]
        names = {one["name"] for one in known}
        for tag in wanted:
            if tag["name"] not in names:
                body = {"name": tag["name"], "color": tag["color"]}
                await self._target.send("POST", f"/api/v1/projects/{theirs}/tags", body)
                self.made.append(f"the tag {tag['name']}")

    async def _schedules(self, ours: str, theirs: str) -> None:
        wanted, known = [(await one.get(f"/api/v1/schedulers/{at}/list"))["data"] for one, at in self._both(ours)]
        names = {one["name"] for one in known}
        for one in wanted:
            if one["name"] not in names:
                body = {name: value for name, value in one.items() if name in _SCHEDULED}
                targets = [{"recipient": target["recipient"]} for target in one["targets"]]
                at = f"/api/v1/saved/{self.ids[one['savedChartUuid']]}/schedulers"
                await self._target.send("POST", at, body | {"targets": targets, "appUuid": None, "appName": None})
                self.made.append(f"the schedule {one['name']}")
