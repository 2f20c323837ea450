"""What is there, or has happened, when some recorded steps about content and people begin."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.lightdash.sandbox.replay import Replay, send

Scene = Callable[[Replay], Awaitable[None]]

_MAIN, _PREVIEW = (f"1a000000-0000-4000-8000-{number:012d}" for number in (1, 2))
_PROJECT = f"/api/v1/projects/{_MAIN}"
_CUSTOMERS = "2a000000-0000-4000-8000-000000000004"
_NOTE = {"type": "markdown", "x": 0, "y": 0, "w": 12, "h": 3, "properties": {"title": "note", "content": "hello"}}
_COMMENTED, _COMMENTED_TILE = "bc27e5eb-6b2e-44d1-a703-1a3fe59cb6de", "6f0b48ec-1842-4319-b8ee-509f70282b8d"
_PINNED_CHART = "fa7051a1-a47f-4d40-80f6-eb64fd49e9b6"
_FROM, _TO = "adefac2c-cb9f-4e9f-9428-6c99f6d38c8c", "0c323e0d-4e2f-4bed-b6ab-cdb6404aa0fd"
_BROKEN = "ce154bcb-3192-4650-9074-2e43fc0ed032"
_MODELLESS = "00000000-0000-4000-8000-00000000feed"
_RIG = "008e4414-8851-4fac-84fd-65fd87490732"
_FINANCE = "2a000000-0000-4000-8000-000000000005"
_FAVORITE = {"contentType": "chart", "contentUuid": "3a000000-0000-4000-8000-000000000011"}


async def ask(replay: Replay, method: str, path: str, body: object = None) -> Any:
    """The results of a request of the admin's."""
    headers = {"authorization": f"ApiKey {replay.sandbox.token}", "content-type": "application/json"}
    text = b"" if body is None else json.dumps(body).encode()
    got = await send(replay.sandbox, method, path, headers, text)
    assert got.status < 300, got.body
    return got.value.get("results")


def _space(theirs: str, name: str, *, public: bool = True) -> Scene:
    async def run(replay: Replay) -> None:
        made = await ask(replay, "POST", f"{_PROJECT}/spaces", {"name": name, "inheritParentPermissions": public})
        replay.names[theirs] = made["uuid"]

    return run


def _chart(
    theirs: str, name: str, dimension: str = "orders_status", place: str = _CUSTOMERS, *, sorted_: bool = True
) -> Scene:
    async def run(replay: Replay) -> None:
        query = {"exploreName": "orders", "dimensions": [dimension], "metrics": ["orders_order_count"], "limit": 10}
        sorts = [{"fieldId": "orders_order_count", "descending": True}] if sorted_ else []
        query |= {"filters": {}, "sorts": sorts, "tableCalculations": []}
        look: dict[str, object] = {"type": "table", "config": {}}
        body = {"name": name, "tableName": "orders", "metricQuery": query, "chartConfig": look, "description": "d"}
        made = await ask(replay, "POST", f"{_PROJECT}/saved", body | {"spaceUuid": replay.names.get(place, place)})
        replay.names[theirs] = made["uuid"]

    return run


def _dashboard(theirs: str, name: str, chart: str = "", tile: str = "", place: str = _CUSTOMERS) -> Scene:
    async def run(replay: Replay) -> None:
        shown = {"type": "saved_chart", "x": 12, "y": 0, "w": 12, "h": 6}
        tiles = [_NOTE, shown | {"properties": {"savedChartUuid": replay.names[chart]}}] if chart else [_NOTE]
        body = {"name": name, "spaceUuid": replay.names.get(place, place), "tiles": tiles, "tabs": []}
        made = await ask(replay, "POST", f"{_PROJECT}/dashboards", body)
        replay.names |= {theirs: made["uuid"]} | ({tile: made["tiles"][0]["uuid"]} if tile else {})

    return run


def _group(theirs: str, name: str) -> Scene:
    async def run(replay: Replay) -> None:
        replay.names[theirs] = (await ask(replay, "POST", "/api/v1/org/groups", {"name": name}))["uuid"]

    return run


def _after(*scenes: Scene) -> Scene:
    async def run(replay: Replay) -> None:
        for scene in scenes:
            await scene(replay)

    return run


def _pinned(theirs: str) -> Scene:
    async def run(replay: Replay) -> None:
        await ask(replay, "PATCH", f"/api/v1/saved/{replay.names[theirs]}/pinning")

    return run


def _did(method: str, path: str, body: object = None) -> Scene:
    async def run(replay: Replay) -> None:
        await ask(replay, method, path, body)

    return run


async def _validation(replay: Replay) -> None:
    """What the validation found, under the names it had."""
    found = await ask(replay, "GET", f"/api/v2/projects/{_MAIN}/validate")
    uuids = {one["errorType"]: one["validationUuid"] for one in found["data"]}
    replay.names["22f93bec-7aa0-42c1-a693-37fbc94d45b9"] = uuids["model"]
    replay.names["97e37d18-931b-487f-9afd-5c3b92cea507"] = uuids["dimension"]


def _coded_chart(theirs: str, name: str, slug: str, explore: str) -> Scene:
    """A chart with any slug, over any explore: only as code is either possible."""

    async def run(replay: Replay) -> None:
        query = {"exploreName": explore, "dimensions": ["orders_status"], "metrics": ["orders_order_count"], "limit": 1}
        query |= {"filters": {}, "sorts": [{"fieldId": "orders_status", "descending": True}]}
        look: dict[str, object] = {"type": "table", "config": {}}
        body = {"name": name, "slug": slug, "tableName": explore, "spaceSlug": "customers-caf-s", "version": 1}
        content = {"chartConfig": look, "metricQuery": query | {"tableCalculations": []}}
        made = await ask(replay, "POST", f"{_PROJECT}/code/charts/new", body | content)
        replay.names[theirs] = made["charts"][0]["data"]["uuid"]

    return run


async def _crash(replay: Replay) -> None:
    await send(replay.sandbox, "GET", "/api/v1/groups/x", {"authorization": f"ApiKey {replay.sandbox.token}"})


_BROKEN_BOARD = "00000000-0000-4000-8000-00000000beef"
ARRANGED: Mapping[str, Scene] = {
    "errors routes/unknown-v1": _crash,
    "errors path-escape/chart-slash": _coded_chart(
        "6ddf3584-d98a-4473-93be-1f2416ed968a", "Rec code chart", "a/b", "orders"
    ),
    "charts-as-code download/as-admin": _chart(_RIG, "Rig chart", place=_FINANCE, sorted_=False),
    "dashboards-as-code download/as-admin": _after(
        _chart(_RIG, "Rig chart", place=_FINANCE, sorted_=False),
        _pinned(_RIG),
        *(
            _did("POST", f"{_PROJECT}/code/spaces", {"contentType": "space", "slug": slug, "spaceName": slug})
            for slug in ("rec-brand-new-space", "rec-brand-new-public")
        ),
    ),
    "organization color-palettes/list": _did(
        "POST", "/api/v1/org/color-palettes", {"name": "Sunrise", "colors": ["#1D3557"], "darkColors": ["#B8D8FF"]}
    ),
    "projects settings/most-popular": _after(
        _did("GET", "/api/v1/saved/refunds"), _did("GET", "/api/v1/dashboards/weekly-review")
    ),
    "comments crud/list-empty": _dashboard(_COMMENTED, "Rec commented dash", tile=_COMMENTED_TILE),
    "content-search move/chart": _after(
        _space(_FROM, "Rec from"),
        _space(_TO, "Rec to"),
        _chart("02aa0cde-3839-4a7f-8312-d0df5f900422", "Rec movable", place=_FROM),
        _dashboard("b8d0569d-549b-4414-b70f-538866975b79", "Rec movable dash", place=_FROM),
    ),
    "content-search delete-restore/delete-as-viewer": _chart("f67c30af-1627-4d96-aca9-a76ad6bd8f19", "Rec deletable"),
    "dashboards crud/create": _chart("0d29346c-da4b-4a32-916b-fde06a1ac2f9", "Rec chart for dashboard"),
    "pinning-favorites-verification-promotion pinning/pin-chart": _after(
        _did("PATCH", "/api/v1/saved/3a000000-0000-4000-8000-000000000011/pinning"),
        _did("PATCH", f"{_PROJECT}/favorites", _FAVORITE),
        _chart(_PINNED_CHART, "Rec pinned chart"),
        _dashboard("1970d5a6-d9ce-4f86-ada9-e5a4afee0f26", "Rec pinned dash", chart=_PINNED_CHART),
        _space("143d58ab-47ac-4972-88c8-a07e719b43e9", "Rec pinned space"),
        # The preview's way up is the other way round here.
        _did("PATCH", f"/api/v1/projects/{_PREVIEW}/metadata", {"upstreamProjectUuid": None}),
    ),
    "roles project-assignments/group-assign": _group("5867fd2c-3837-43a1-965a-9fe05d0752ec", "Rec role group"),
    "roles space-access/list": _space("e2059c44-f5a7-47ea-b473-0fdef7de27f1", "Rec shared", public=False),
    "schedulers list/as-admin": _after(
        _chart("2a2485e0-c3e7-4f65-a6db-c5813a2cc7d7", "Rec scheduled chart"),
        _dashboard("21782bdb-1726-404c-a3cc-2da9926ac8f0", "Rec scheduled dash"),
    ),
    "spaces get/by-uuid": _after(
        _chart(_BROKEN, "Rec broken", "orders_nope"), _did("POST", f"{_PROJECT}/validate", {})
    ),
    "spaces crud/update-wrong-project": _space("89a74a6f-9106-457c-b07d-02d5d549aefe", "Rec wrong project"),
    "validation before/v1": _after(
        _chart(_BROKEN, "Rec broken chart", "orders_nope"),
        _dashboard(_BROKEN_BOARD, "Rec wrecked dash", chart=_BROKEN),
        _did("POST", f"{_PROJECT}/validate", {}),
    ),
    "validation run/start": _after(
        _coded_chart(_MODELLESS, "Rec unknown explore", "rec-unk", "nope"),
        _chart("00000000-0000-4000-8000-00000000f1e1", "Rec unknown field", "orders_gone"),
    ),
    "validation results/v1": _did("POST", f"{_PROJECT}/validate", {}),
    "validation results/v2-one": _validation,
}
