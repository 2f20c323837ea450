"""OCS and DAV as they are: envelopes, errors, sub-paths, principals, hostile XML."""

import re
from collections.abc import Callable

import anyio
import anyio.lowlevel
import httpx2
import pytest
from tests.http.wire import session
from tests.nextcloud.client.people import PRINCIPAL, Person, person, scripted, switch_maintenance

from aboveboard.effects import EDIT, REPLACE, under
from aboveboard.errors import (
    DOUBT,
    ApiError,
    BadInput,
    Conflict,
    Failure,
    Locked,
    NotFound,
    RateLimited,
    Refused,
    Unauthorised,
)
from aboveboard.http import path
from aboveboard.http.once import AGE, Once
from aboveboard.http.retry import ATTEMPTS
from aboveboard.nextcloud.client.ocs import InMaintenance, Ocs
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


def ocs(code: int, message: str = "", data: object = (), status: int = 200) -> httpx2.Response:
    envelope = {"ocs": {"meta": {"status": "x", "statuscode": code, "message": message}, "data": data}}
    return httpx2.Response(status, json=envelope)


def always(response: httpx2.Response) -> Callable[[httpx2.Request], httpx2.Response]:
    return lambda _: httpx2.Response(response.status_code, headers=response.headers, content=response.content)


async def test_the_principal_is_asked_for_once_and_shared_by_all(sandbox: Sandbox) -> None:
    client = person(sandbox)
    await client.files.list()
    await client.files.read("Documents/plan.md")
    await client.trash.list()
    await client.tags.of("Documents/plan.md")
    assert [one.url.path for one in client.watched.requests if one.url.path == "/remote.php/dav/"] == [
        "/remote.php/dav/"
    ]
    await client.aclose()


@pytest.mark.parametrize("folder", ["", "/nextcloud", "/a%20b/cloud"])
async def test_dav_paths_use_the_principal_and_the_folder_of_the_installation(folder: str) -> None:
    def server(request: httpx2.Request) -> httpx2.Response:
        raw = request.url.raw_path.decode()
        assert raw.startswith(f"{folder}/remote.php/dav/")
        if raw == f"{folder}/remote.php/dav/":
            return httpx2.Response(207, text=PRINCIPAL.format(folder, "uid%20%c3%bc"))
        assert raw == f"{folder}/remote.php/dav/files/uid%20%C3%BC/a%20b"
        assert request.headers.get("destination") in (
            None,
            f"http://cloud.test{folder}/remote.php/dav/files/uid%20%C3%BC/c%23",
        )
        return httpx2.Response(404 if request.method == "GET" else 201)

    client = scripted(server, f"http://cloud.test{folder}")
    assert await client.principal() == "uid ü"
    with under(REPLACE):
        await client.files.write("a b", b"")
        await client.files.move("a b", "c#")
    assert client.web_url(7) == f"http://cloud.test{folder}/index.php/f/7"


async def test_the_folder_of_the_installation_is_no_part_of_results() -> None:
    def server(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/dav/"):
            return httpx2.Response(207, text=PRINCIPAL.format("/nc", "ada"))
        body = PRINCIPAL.replace("/remote.php/dav/</d:href>", "/remote.php/dav/files/ada/x%2by</d:href>", 1)
        return httpx2.Response(207, text=body.format("/nc", "ada"))

    assert [one.path for one in await scripted(server, "http://cloud.test/nc").files.list()] == ["x+y"]


async def test_a_server_that_does_not_tell_the_principal_is_asked_again_by_the_next_call() -> None:
    client = scripted(always(httpx2.Response(207, text='<d:multistatus xmlns:d="DAV:"/>')))
    for _ in range(3):
        with pytest.raises(ApiError, match="does not tell whose credentials"):
            await client.files.list()
    assert client.sent == ["PROPFIND"] * 3


async def test_a_failure_is_shared_by_those_who_waited_for_it_and_a_success_is_kept_for_a_while() -> None:
    asked, told, now = 0, list[object](), [0.0]

    async def fetch() -> int:
        nonlocal asked
        asked += 1
        mine = asked
        await anyio.lowlevel.checkpoint()
        if mine == 1:
            raise Failure("No.")
        return mine

    once = Once(fetch, clock=lambda: now[0])

    async def ask() -> None:
        try:
            told.append(await once.get())
        except Failure as failure:
            told.append(str(failure))

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(ask)
    assert told == ["No."] * 3
    assert [await once.get(), await once.get(), asked] == [2, 2, 2]
    now[0] += AGE - 1
    assert await once.get() == 2
    now[0] += 1
    assert await once.get() == 3


async def test_one_failure_at_the_first_question_does_not_spoil_the_next_call(sandbox: Sandbox) -> None:
    client = person(sandbox)
    client.watched.fail_next(httpx2.ReadTimeout("slow"))
    with pytest.raises(Failure, match="did not answer in time"):
        await client.files.list()
    assert await client.files.list()
    await client.aclose()


async def test_capabilities_are_read_once_and_the_context_says_who_and_where(ada: Person) -> None:
    context = await ada.account.context()
    assert (context.user.id, context.version) == ("admin", "34.0.1")
    assert "notes" in [one.id for one in context.apps]
    await ada.account.capabilities()
    assert await ada.account.has_app("files")
    assert not await ada.account.has_app("nonsense")
    assert len(ada.sent) == 3
    assert context.user.quota_total is None


async def test_no_cookie_is_kept() -> None:
    def server(request: httpx2.Request) -> httpx2.Response:
        assert "cookie" not in request.headers
        good = ocs(200, data={"id": "a", "displayname": "A", "groups": []})
        return httpx2.Response(200, content=good.content, headers={"set-cookie": "oc_session=1; path=/"})

    client = scripted(server)
    for _ in range(2):
        assert (await client.account.user()).id == "a"


async def test_every_ocs_request_says_that_it_is_one(ada: Person) -> None:
    await ada.account.user()
    assert ada.watched.requests[0].headers["ocs-apirequest"] == "true"
    assert ada.watched.requests[0].headers["accept"] == "application/json"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (ocs(404, "Wrong share ID"), NotFound, "Wrong share ID"),
        (ocs(998, "Invalid query"), NotFound, "Invalid query"),
        (ocs(997, "Current user is not logged in"), Unauthorised, "NEXTCLOUD_PASSWORD"),
        (ocs(403, "No", status=403), Refused, "No"),
        (ocs(404, "", "Said below", status=404), NotFound, "Said below"),
        (httpx2.Response(401, json={"message": ""}), Unauthorised, "NEXTCLOUD_PASSWORD"),
        (httpx2.Response(429, headers={"retry-after": "999"}), RateLimited, "429"),
        (httpx2.Response(500, text="<html>"), ApiError, "500"),
        (httpx2.Response(200, text="<html>login</html>"), ApiError, "a web page"),
        (httpx2.Response(200, json=[1]), ApiError, "not its own"),
        (ocs(200, data={"nothing": 1}), ApiError, "a form this client does not know"),
    ],
)
async def test_an_ocs_error_is_told_wherever_it_stands(
    answer: httpx2.Response, kind: type[ApiError], words: str
) -> None:
    with pytest.raises(kind, match=re.escape(words)) as raised:
        await scripted(always(answer)).account.user()
    assert type(raised.value) is kind
    assert "app-password-1" not in str(raised.value)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not xml",
        b"<html/>",
        b'<!DOCTYPE x [<!ENTITY e "boom">]><d:multistatus xmlns:d="DAV:">&e;</d:multistatus>',
        b'<!DOCTYPE x SYSTEM "http://evil.test/x.dtd"><d:multistatus xmlns:d="DAV:"/>',
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><d:multistatus xmlns:d="DAV:">&e;</d:multistatus>',
    ],
)
async def test_xml_that_nobody_should_read_is_an_error_in_words(body: bytes) -> None:
    with pytest.raises(ApiError, match="Nextcloud answered with") as raised:
        await scripted(always(httpx2.Response(207, content=body))).files.list()
    assert "root:" not in str(raised.value)


async def test_a_property_that_is_refused_inside_a_207_is_an_error() -> None:
    refused = (
        '<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:response><d:href>/remote.php/dav/x</d:href>'
        "<d:propstat><d:prop><oc:favorite/></d:prop><d:status>HTTP/1.1 403 Forbidden</d:status></d:propstat>"
        "</d:response></d:multistatus>"
    )

    def server(request: httpx2.Request) -> httpx2.Response:
        body = refused if request.method == "PROPPATCH" else PRINCIPAL.format("", "ada")
        return httpx2.Response(207, text=body)

    with under(REPLACE), pytest.raises(Refused, match="cannot be set"):
        await scripted(server).files.set_favorite("x", favorite=False)


async def test_a_dav_error_comes_with_the_servers_words() -> None:
    said = (
        '<?xml version="1.0"?><d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">'
        "<s:exception>X</s:exception><s:message>The name is too long</s:message></d:error>"
    )
    with pytest.raises(ApiError, match="Nextcloud answered 400: The name is too long"):
        await scripted(always(httpx2.Response(400, text=said))).files.list()


async def test_a_guarded_write_is_not_repeated_after_a_lost_answer() -> None:
    def server(request: httpx2.Request) -> httpx2.Response:
        if request.method == "PROPFIND":
            return httpx2.Response(207, text=PRINCIPAL.format("", "ada"))
        if request.method == "GET":
            return httpx2.Response(200, headers={"etag": '"e"'}, content=b"old")
        raise httpx2.ReadError("lost")

    client = scripted(server)
    with under(REPLACE), pytest.raises(Failure, match=DOUBT):
        await client.files.write("x", b"", etag="e")
    assert client.sent == ["PROPFIND", "GET", "PUT"]


async def test_a_file_dropped_onto_a_changed_one_says_the_new_version() -> None:
    def server(request: httpx2.Request) -> httpx2.Response:
        if request.method == "PROPFIND":
            return httpx2.Response(207, text=PRINCIPAL.format("", "ada"))
        if request.method == "GET":
            return httpx2.Response(200, headers={"etag": '"then"'}, content=b"old")
        return httpx2.Response(412, headers={"etag": '"now"'})

    with under(REPLACE), pytest.raises(Conflict, match="its etag is now now"):
        await scripted(server).files.write("x", b"", etag="then")


async def test_maintenance_is_called_by_its_name_on_every_kind_of_route(sandbox: Sandbox) -> None:
    client = person(sandbox)
    await client.principal()
    await switch_maintenance(sandbox, "on")
    asks = (client.account.user, client.files.list, client.notes.settings)
    for ask in asks:
        with pytest.raises(InMaintenance) as told:
            await ask()
        assert str(told.value) == f"Nextcloud is in maintenance mode. {InMaintenance.advice}"
    with under(REPLACE), pytest.raises(InMaintenance):
        await client.files.write("Documents/plan.md", b"x")
    await switch_maintenance(sandbox, "off")
    for ask in asks:
        await ask()
    await client.aclose()


async def test_maintenance_that_began_after_an_answer_was_lost_leaves_the_reader_in_doubt() -> None:
    lost: list[str] = []

    def server(request: httpx2.Request) -> httpx2.Response:
        if not lost:
            lost.append(request.method)
            raise httpx2.ReadError("lost")
        return httpx2.Response(503, headers={"x-nextcloud-maintenance-mode": "1"})

    async with session("http://cloud.test", script=server) as cloud:
        with under(REPLACE), pytest.raises(InMaintenance) as told:
            await Ocs(cloud).put(path("/ocs/v2.php/apps/files_sharing/api/v1/shares/1"), object)
    assert str(told.value) == f"Nextcloud is in maintenance mode. {DOUBT}"
    assert InMaintenance.advice not in str(told.value)


async def test_what_can_only_be_named_but_not_read_is_not_there() -> None:
    unreadable = (
        '<d:multistatus xmlns:d="DAV:"><d:response><d:href>/remote.php/dav/files/ada/x</d:href><d:propstat><d:prop>'
        "<d:getetag/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response></d:multistatus>"
    )

    def server(request: httpx2.Request) -> httpx2.Response:
        whose = request.url.path == "/remote.php/dav/"
        return httpx2.Response(207, text=PRINCIPAL.format("", "ada") if whose else unreadable)

    with pytest.raises(NotFound):
        await scripted(server).files.stat("x")


async def test_a_file_is_asked_for_as_it_is_and_not_compressed(ada: Person) -> None:
    await ada.files.read("Documents/plan.md")
    [got] = [one for one in ada.watched.requests if one.method == "GET"]
    assert got.headers["accept-encoding"] == "identity"


async def test_another_503_is_not_taken_for_maintenance() -> None:
    with pytest.raises(ApiError, match="Nextcloud answered 503") as told:
        await scripted(always(httpx2.Response(503, headers={"retry-after": "99"}))).account.user()
    assert not isinstance(told.value, InMaintenance)


async def test_a_page_is_neither_a_file_nor_a_folder() -> None:
    def server(request: httpx2.Request) -> httpx2.Response:
        if request.method == "PROPFIND":
            return httpx2.Response(207, text=PRINCIPAL.format("", "ada"))
        return httpx2.Response(200, html="<!doctype html><html>Log in</html>")

    client = scripted(server)
    for length in (None, 1, 500):
        with pytest.raises(ApiError, match="answered 200 to a GET, with a web page"):
            await client.files.read("x", length=length)


@pytest.mark.parametrize("length", [None, 1])
async def test_a_folder_is_still_called_a_folder(ada: Person, length: int | None) -> None:
    with pytest.raises(BadInput, match="'Documents' is a folder"):
        await ada.files.read("Documents", length=length)


@pytest.mark.parametrize(
    "inner",
    ["", "<d:response><d:href>/remote.php/dav/x</d:href></d:response>"],
)
async def test_a_property_of_which_a_207_says_nothing_was_not_set(inner: str) -> None:
    def server(request: httpx2.Request) -> httpx2.Response:
        if request.method == "PROPFIND":
            return httpx2.Response(207, text=PRINCIPAL.format("", "ada"))
        return httpx2.Response(207, text=f'<d:multistatus xmlns:d="DAV:">{inner}</d:multistatus>')

    with under(REPLACE), pytest.raises(ApiError, match=f"does not say that it set the property. {DOUBT}"):
        await scripted(server).files.set_favorite("x", favorite=False)


async def test_a_file_that_is_locked_for_a_moment_is_written_and_one_that_stays_so_is_explained() -> None:
    left = [2]

    def server(request: httpx2.Request) -> httpx2.Response:
        if request.method == "PROPFIND":
            return httpx2.Response(207, text=PRINCIPAL.format("", "ada"))
        if request.method == "GET":  # what is there now, before it is written over
            return httpx2.Response(200, headers={"etag": '"e"'}, content=b"old")
        left[0] -= 1
        return httpx2.Response(423 if left[0] >= 0 else 204)

    client = scripted(server)
    with under(EDIT):
        await client.files.write("x", b"", etag="e")
        left[0] = 99
        with pytest.raises(Locked, match="Nothing was done: it is being written"):
            await client.files.write("x", b"", etag="e")
    assert client.sent == ["PROPFIND", "GET", *["PUT"] * 3, "GET", *["PUT"] * ATTEMPTS]
