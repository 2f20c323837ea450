"""What the sandbox keeps, forgets and shows of its state."""

import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from threading import Thread
from uuid import RFC_4122, UUID

import httpx2
import pytest
import uvicorn

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio

MAIN = "1a000000-0000-4000-8000-000000000001"
PREVIEW = "1a000000-0000-4000-8000-000000000002"
SALES = "2a000000-0000-4000-8000-000000000001"
FINANCE = "2a000000-0000-4000-8000-000000000005"
SPACES = f"/api/v1/projects/{MAIN}/spaces"


def client_of(sandbox: Sandbox, person: str = "admin") -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(sandbox.app),
        base_url="http://sandbox",
        headers={"authorization": f"ApiKey {sandbox.tokens[person]}"},
    )


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox()
    yield made
    made.close()


async def change(sandbox: Sandbox) -> list[str]:
    """Write a little of everything; the ids given out."""
    async with client_of(sandbox) as client:
        made = [(await client.post(SPACES, json={"name": name})).json() for name in ("New", "")]
        await client.patch(f"{SPACES}/{SALES}", json={"name": "Sold"})
        await client.delete("/api/v1/saved/refunds")
        await client.get("/api/v1/saved/top-products")
        await client.get("/api/v1/groups/not-a-uuid")
    return [space["results"][name] for space in made for name in ("uuid", "slug")]


async def test_a_reset_brings_back_the_first_state_and_the_ids_given_out_after_it(sandbox: Sandbox) -> None:
    first = sandbox.dump()
    given = await change(sandbox)
    changed = sandbox.dump()
    assert changed != first
    sandbox.reset()
    assert sandbox.dump() == first
    assert await change(sandbox) == given
    assert sandbox.dump() == changed


async def test_a_dump_shows_what_a_change_through_the_api_did_and_nothing_else(sandbox: Sandbox) -> None:
    before = sandbox.dump()
    async with client_of(sandbox) as client:
        answer = await client.patch(f"{SPACES}/{SALES}", json={"name": "Verkäufe"})
    assert answer.status_code == 200
    after = sandbox.dump()
    assert {key: after[key] for key in after if after[key] != before[key]} == {f"spaces/{SALES}/name": "Verkäufe"}
    assert after.keys() == before.keys()
    assert list(after) == sorted(after)


async def test_reading_a_chart_changes_derived_facts_alone(sandbox: Sandbox) -> None:
    before = sandbox.dump()
    async with client_of(sandbox) as client:
        await client.get("/api/v1/saved/top-products")
    after = sandbox.dump()
    changed = {key.rpartition("/")[2] for key in after if after[key] != before[key]}
    assert changed == {"views", "first_viewed_at"}
    assert all(key.startswith("derived/") for key in after if after[key] != before[key])


async def test_deleting_a_space_deletes_what_is_in_it(sandbox: Sandbox) -> None:
    async with client_of(sandbox) as client:
        impact = (await client.get(f"{SPACES}/{SALES}/delete-impact")).json()["results"]
        assert (await client.delete(f"{SPACES}/{SALES}")).json() == {"status": "ok"}
        found = (await client.get("/api/v2/content?search=revenue")).json()["results"]["data"]
    kept = sandbox.dump()
    gone = [item["uuid"] for kind in ("spaces", "charts", "dashboards") for item in impact[kind]]
    assert len(gone) == 3 + 7 + 2
    assert {item["project"]["uuid"] for item in found} == {PREVIEW}
    assert not [key for key in kept if any(uuid in key for uuid in gone)]


async def test_a_tile_outlives_its_chart_without_naming_it(sandbox: Sandbox) -> None:
    async with client_of(sandbox) as client:
        await client.delete("/api/v1/saved/orders-per-week")
        tiles = (await client.get("/api/v1/dashboards/weekly-review")).json()["results"]["tiles"]
    assert [tile["properties"].get("savedChartUuid", "") for tile in tiles] == ["", None]


async def test_a_data_file_survives_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "shop.sqlite"
    first = Sandbox(file)
    await change(first)
    kept = first.dump()
    first.close()
    second = Sandbox(str(file))
    assert second.dump() == kept
    async with client_of(second) as client:
        uuid = (await client.post(SPACES, json={"name": "After"})).json()["results"]["uuid"]
    assert not [key for key in kept if uuid in key]
    second.close()


async def test_two_sandboxes_share_nothing(sandbox: Sandbox) -> None:
    other = Sandbox()
    untouched = other.dump()
    await change(sandbox)
    assert other.dump() == untouched
    assert sandbox.dump() != untouched
    other.close()


async def test_the_control_routes_reset_and_show_the_state_to_who_has_their_token(sandbox: Sandbox) -> None:
    first = sandbox.dump()
    await change(sandbox)
    transport = httpx2.ASGITransport(sandbox.app)
    changed = sandbox.dump()
    async with httpx2.AsyncClient(transport=transport, base_url="http://sandbox") as client:
        assert (await client.get("/_sandbox/state")).status_code == 401
        assert (await client.post("/_sandbox/reset")).status_code == 401
        assert sandbox.dump() == changed
        client.headers["x-sandbox-token"] = sandbox.control
        assert (await client.get("/_sandbox/state")).json() == changed != first
        answer = await client.post("/_sandbox/reset")
        assert (answer.status_code, answer.content) == (204, b"")
        assert (await client.get("/_sandbox/state")).json() == first


async def test_an_unchanged_answer_is_304_without_a_body(sandbox: Sandbox) -> None:
    async with client_of(sandbox) as client:
        first = await client.get(SPACES)
        again = await client.get(SPACES, headers={"if-none-match": first.headers["etag"]})
        await client.post(SPACES, json={"name": "New"})
        later = await client.get(SPACES, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["lightdash-version"] == first.headers["lightdash-version"]
    assert later.status_code == 200


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Weekly review", "Finance board", "Customer corner", "Shop overview", "Basket size"]),
        ("&sortBy=name&sortDirection=asc", ["Customer corner", "Finance board", "Shop overview", "Weekly review"]),
        ("&sortBy=views", ["Customer corner", "Shop overview"]),
        ("&contentTypes=chart&sortBy=space_name&sortDirection=asc", ["Orders of last year"]),
        ("&contentTypes=chart&search=the%20TILL%20mon", ["Revenue by month"]),
        ("&contentTypes=space&contentTypes=chart&pageSize=2&page=2", ["Customers & Cafés", "Sales"]),
    ],
)
async def test_content_lists_dashboards_before_charts_and_the_newest_first(
    sandbox: Sandbox, query: str, names: list[str]
) -> None:
    async with client_of(sandbox) as client:
        await client.get("/api/v1/dashboards/customer-corner")
        answer = await client.get(f"/api/v2/content?projectUuids={MAIN}{query}")
    assert [item["name"] for item in answer.json()["results"]["data"]][: len(names)] == names


@pytest.fixture
def port(sandbox: Sandbox) -> Iterator[int]:
    """The port of a server in a thread of its own."""
    server = uvicorn.Server(uvicorn.Config(sandbox.app, log_level="error", lifespan="off", ws="none"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


async def test_it_answers_on_a_real_socket(sandbox: Sandbox, port: int) -> None:
    headers = {"authorization": f"ApiKey {sandbox.token}"}
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers) as client:
        chart = await client.get("/api/v1/saved/cafe%2Fregulars")
        wrong = await client.get("/api/v1/projects/%zz/spaces")
        made = await client.post(SPACES, json={"name": "Über den Draht"})
    assert (chart.status_code, chart.json()["results"]["name"]) == (200, "Café regulars ☕")
    assert wrong.status_code == 400
    assert f"spaces/{made.json()['results']['uuid']}/name" in sandbox.dump()


@pytest.mark.parametrize("person", ["editor", "viewer", "other-org"])
async def test_a_private_space_stays_hidden_from_whoever_it_is_not_shared_with(sandbox: Sandbox, person: str) -> None:
    async with client_of(sandbox, person) as client:
        seen = [
            (await client.get(at)).text
            for at in (SPACES, f"/api/v1/projects/{MAIN}/dashboards", "/api/v2/content?pageSize=100&contentTypes=space")
        ]
        found = (await client.get("/api/v2/content?pageSize=100")).text
        refused = [
            (await client.get(at)).status_code
            for at in (f"{SPACES}/{FINANCE}", "/api/v1/saved/refunds", "/api/v1/dashboards/finance-board")
        ]
        gone = await client.delete(f"{SPACES}/{FINANCE}")
    assert not [text for text in [*seen, found] if "Finance" in text or "Refunds" in text]
    assert refused == [403, 403, 403]
    assert gone.status_code == 403
    assert f"spaces/{FINANCE}/name" in sandbox.dump()


async def test_a_slug_of_two_projects_is_told_apart_by_the_project_of_the_path(sandbox: Sandbox) -> None:
    async with client_of(sandbox) as client:
        for project in (MAIN, PREVIEW):
            chart = await client.get(f"/api/v2/projects/{project}/saved/revenue-by-month")
            board = await client.get(f"/api/v2/projects/{project}/dashboards/shop-overview")
            assert [answer.json()["results"]["projectUuid"] for answer in (chart, board)] == [project, project]


async def test_every_seeded_id_is_a_version_4_uuid(sandbox: Sandbox) -> None:
    ids = {part for key in sandbox.dump() for part in key.split("/") if "-" in part}
    assert len(ids) > 50
    assert not [text for text in ids if UUID(text).version != 4 or UUID(text).variant != RFC_4122]
