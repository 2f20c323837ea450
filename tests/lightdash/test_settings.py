"""What the environment may hold, what is said of each mistake, and how the settings show at the service."""

import json
from typing import Final

import httpx2
import pytest
from pydantic import SecretStr
from tests.lightdash import places
from tests.lightdash.sessions import Watched, ok

from aboveboard.errors import BadInput, Refused
from aboveboard.lightdash.client import LightdashClient
from aboveboard.lightdash.sandbox import Sandbox
from aboveboard.lightdash.server import connect
from aboveboard.lightdash.settings import Settings

SECRET: Final = "hunter2"
GOOD: Final = {"LIGHTDASH_URL": "https://lightdash.example", "LIGHTDASH_API_KEY": f"ldpat_{SECRET}"}
NO_ADDRESS: Final = "LIGHTDASH_URL must be a web address such as https://app.lightdash.cloud."
NOT_PLAIN: Final = "LIGHTDASH_URL must be a plain address, without a user, a query or a fragment."
NO_TOKEN: Final = "LIGHTDASH_API_KEY holds characters that no token has: copy it again."
URL_MISSING: Final = "LIGHTDASH_URL is not set: give the address of your Lightdash"
TOKEN_MISSING: Final = "LIGHTDASH_API_KEY is not set: create a personal access token"
PROJECTS: Final = "LIGHTDASH_ALLOWED_PROJECTS must list project UUIDs, and"


@pytest.mark.parametrize(
    ("variable", "value", "problem"),
    [
        ("LIGHTDASH_URL", None, URL_MISSING),
        ("LIGHTDASH_URL", "", URL_MISSING),
        ("LIGHTDASH_URL", " \t\n", URL_MISSING),
        ("LIGHTDASH_URL", "lightdash.example", NO_ADDRESS),
        ("LIGHTDASH_URL", "lightdash.example:8080", NO_ADDRESS),
        ("LIGHTDASH_URL", "//lightdash.example", NO_ADDRESS),
        ("LIGHTDASH_URL", "ftp://lightdash.example", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://", NO_ADDRESS),
        ("LIGHTDASH_URL", "https:///api", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://light dash.example", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://lightdash.example/a b", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://light\ndash.example", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://lightdash.example:99999", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://lightdash.example:0", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://lightdash.example:http", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://[::1", NO_ADDRESS),
        ("LIGHTDASH_URL", "https://‥.example", NO_ADDRESS),
        ("LIGHTDASH_URL", f"https://ada:{SECRET}@lightdash.example", NOT_PLAIN),
        ("LIGHTDASH_URL", f"https://:{SECRET}@lightdash.example", NOT_PLAIN),
        ("LIGHTDASH_URL", f"https://lightdash.example?token={SECRET}", NOT_PLAIN),
        ("LIGHTDASH_URL", "https://lightdash.example?", NOT_PLAIN),
        ("LIGHTDASH_URL", "https://lightdash.example#projects", NOT_PLAIN),
        ("LIGHTDASH_API_KEY", None, TOKEN_MISSING),
        ("LIGHTDASH_API_KEY", "  ", TOKEN_MISSING),
        ("LIGHTDASH_API_KEY", f"ldpat_{SECRET}\nX-Other: 1", NO_TOKEN),
        ("LIGHTDASH_API_KEY", f"ldpat_{SECRET} ldpat_{SECRET}", NO_TOKEN),
        ("LIGHTDASH_API_KEY", f"ldpat_{SECRET}\x00", NO_TOKEN),
        ("LIGHTDASH_API_KEY", f"ldpat_{SECRET}é", NO_TOKEN),
        ("LIGHTDASH_API_KEY", f"“ldpat_{SECRET}”", NO_TOKEN),
        ("LIGHTDASH_ALLOWED_PROJECTS", "Corner Shop", f"{PROJECTS} 'Corner' is not one."),
        ("LIGHTDASH_ALLOWED_PROJECTS", f"{places.MAIN},*", f"{PROJECTS} '*' is not one."),
        ("LIGHTDASH_ALLOWED_PROJECTS", f"{{{places.MAIN}}}", f"{PROJECTS} '{{{places.MAIN}}}' is not one."),
    ],
)
def test_a_wrong_setting_is_named_in_one_sentence_that_tells_no_secret(
    variable: str, value: str | None, problem: str
) -> None:
    environment = {name: text for name, text in {**GOOD, variable: value}.items() if text is not None}
    with pytest.raises(BadInput) as caught:
        connect(environment)
    said = str(caught.value)
    assert said.startswith(problem)
    assert said.count("LIGHTDASH_") == 1, "one sentence"
    assert SECRET not in said


def test_every_wrong_setting_is_named_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        Settings.read({"LIGHTDASH_URL": "here", "LIGHTDASH_ALLOWED_PROJECTS": "all"})
    assert [word in str(caught.value) for word in (NO_ADDRESS, TOKEN_MISSING, PROJECTS)] == [True] * 3


def test_no_secret_shows_when_settings_are_printed() -> None:
    settings = Settings.read(GOOD)
    assert SECRET not in repr(settings) + str(settings)
    assert settings.token.get_secret_value() == GOOD["LIGHTDASH_API_KEY"]


def test_space_around_a_setting_is_no_part_of_it() -> None:
    padded = {name: f" {value}\n" for name, value in GOOD.items()}
    assert Settings.read(padded) == Settings.read(GOOD)


@pytest.mark.parametrize("separator", [",", " ", ", ", "\n", ",,"])
def test_allowed_projects_may_be_separated_by_commas_or_space_and_written_in_any_case(separator: str) -> None:
    allowed = f"{places.MAIN.upper()}{separator}{places.PREVIEW}"
    settings = Settings.read({**GOOD, "LIGHTDASH_ALLOWED_PROJECTS": allowed})
    assert settings.allowed_projects == {places.MAIN, places.PREVIEW}


@pytest.mark.surprise(21)
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("token", "scheme"),
    [
        ("ldpat_0123456789abcdef", "ApiKey"),
        ("0123456789abcdef", "ApiKey"),
        ("ldsvc_0123456789abcdef", "Bearer"),
        ("ldapp_0123456789abcdef", "Bearer"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "Bearer"),
    ],
)
async def test_a_token_is_sent_in_the_way_its_kind_is(token: str, scheme: str) -> None:
    service = Watched(lambda request: ok([]))
    await LightdashClient("http://lightdash", SecretStr(token), transport=service).projects.list(limit=1, page=1)
    assert [request.headers["authorization"] for request in service.arrived] == [f"{scheme} {token}"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        ("https://lightdash.example", "lightdash.example", ""),
        ("https://lightdash.example/", "lightdash.example", ""),
        ("https://lightdash.example///", "lightdash.example", ""),
        ("https://example.com/bi/lightdash", "example.com", "/bi/lightdash"),
        ("https://example.com/bi/lightdash/", "example.com", "/bi/lightdash"),
        ("HTTPS://Example.COM:8443/a%20b", "example.com:8443", "/a%20b"),
        ("http://[::1]:8080", "[::1]:8080", ""),
    ],
)
async def test_the_address_may_end_in_a_slash_and_have_a_path_of_its_own(url: str, host: str, path: str) -> None:
    settings = Settings.read({**GOOD, "LIGHTDASH_URL": url})
    service = Watched(lambda request: ok([]))
    client = LightdashClient(settings.url, settings.token, transport=service)
    await client.projects.list(limit=1, page=1)
    await client.spaces.list(places.MAIN, limit=1, page=1)
    assert [request.url.raw_path.decode() for request in service.arrived] == [
        f"{path}/api/v1/org/projects",
        f"{path}/api/v1/projects/{places.MAIN}/spaces",
    ]
    assert {request.url.netloc.decode() for request in service.arrived} == {host}


@pytest.mark.anyio
async def test_no_error_of_the_service_can_make_the_client_tell_its_token() -> None:
    def echoing(request: httpx2.Request) -> httpx2.Response:
        said = f"bad header {request.headers['authorization']}"
        return httpx2.Response(400, content=json.dumps({"status": "error", "error": {"message": said}}))

    client = LightdashClient("http://lightdash", SecretStr(f"ldpat_{SECRET}"), transport=httpx2.MockTransport(echoing))
    with pytest.raises(Exception, match="bad header ApiKey") as caught:
        await client.instance.me()
    assert SECRET not in str(caught.value)


@pytest.mark.anyio
async def test_allowed_projects_and_the_default_one_hold_for_the_sandbox_too() -> None:
    sandbox = Sandbox()
    limits = {"LIGHTDASH_ALLOWED_PROJECTS": places.PREVIEW, "LIGHTDASH_PROJECT_UUID": places.PREVIEW}
    client = connect({**limits, **sandbox.settings}, sandbox.app)
    assert (client.project(None), (await client.projects.list(limit=9, page=1)).total) == (places.PREVIEW, 1)
    with pytest.raises(Refused, match="LIGHTDASH_ALLOWED_PROJECTS"):
        client.project(places.MAIN)
    with pytest.raises(BadInput, match="LIGHTDASH_ALLOWED_PROJECTS must list project UUIDs, and 'all' is not one"):
        connect({"LIGHTDASH_ALLOWED_PROJECTS": "all", **sandbox.settings}, sandbox.app)
    await client.aclose()
    sandbox.close()
