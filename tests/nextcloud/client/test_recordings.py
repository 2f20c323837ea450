"""What a real Nextcloud answered is read without a complaint."""

import json
from collections import Counter
from typing import Any, cast

import httpx2
import pytest
from tests.shared import SHARED

from aboveboard.errors import ApiError
from aboveboard.http import Response
from aboveboard.nextcloud.client import xml
from aboveboard.nextcloud.client.account import AppInfo, Capabilities, User
from aboveboard.nextcloud.client.files.entries import entry
from aboveboard.nextcloud.client.model import check_value
from aboveboard.nextcloud.client.notes.notes import Note, NoteSummary
from aboveboard.nextcloud.client.sharing.shares import Share

FOLDER = SHARED / "recordings" / "nextcloud"
AREAS = ["files", "files-search-and-favorites", "files-trash-and-versions", "comments-and-tags"]
DONE = Response(200, httpx2.Headers(), b"")


def recorded(area: str) -> list[dict[str, Any]]:
    if not FOLDER.is_dir():
        pytest.skip(f"the recordings are not at {FOLDER}")
    return json.loads((FOLDER / f"{area}.json").read_text())


def body_of(exchange: dict[str, Any]) -> Any:
    return within(exchange["response"]["body"], "json")


def within(value: Any, *keys: str) -> Any:
    """Return what a value holds under these keys, or the value where it does not."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return cast("Any", value)
        value = cast("dict[str, Any]", value)[key]
    return value


def objects(exchange: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what an answer holds, one or many, with or without an envelope."""
    data = within(body_of(exchange), "ocs", "data")
    many = cast("list[Any]", data if isinstance(data, list) else [data])
    return [one for one in many if isinstance(one, dict)]


@pytest.mark.parametrize("area", AREAS)
def test_every_recorded_multistatus_and_error_is_read(area: str) -> None:
    read: Counter[str] = Counter()
    for exchange in recorded(area):
        body, status = body_of(exchange), exchange["response"]["status"]
        if not isinstance(body, str):
            continue
        if status == 207:
            for resource in xml.multistatus(body.encode()):
                assert not resource.place.startswith("/")
                if resource.place.startswith("files/"):
                    entry(resource)
                read["resources"] += 1
        elif status >= 400 and "<s:message>" in body:
            assert xml.message(body.encode())
            read["errors"] += 1
    assert read["resources"] > 20
    assert read["errors"]


def test_every_recorded_note_is_read() -> None:
    read = 0
    for exchange in recorded("notes"):
        for one in objects(exchange):
            if {"id", "title", "modified", "etag"} <= one.keys():
                check_value(one, Note if "content" in one else NoteSummary, DONE)
                read += 1
    assert read > 50


def test_every_recorded_share_is_read_and_shows_no_password() -> None:
    read = 0
    for exchange in recorded("sharing"):
        for one in objects(exchange):
            if "share_type" in one:
                share = check_value(one, Share, DONE)
                assert "PASSWORD" not in share.model_dump_json()
                read += 1
    assert read > 30


def test_the_recorded_account_is_read() -> None:
    steps = {exchange["step"]: exchange for exchange in recorded("capabilities-and-users")}
    assert check_value(body_of(steps["01-user-v2"])["ocs"]["data"], User, DONE).id == "admin"
    capabilities = check_value(body_of(steps["01-capabilities-json"])["ocs"]["data"], Capabilities, DONE)
    assert (capabilities.version, capabilities.major, capabilities.has("notes")) == ("34.0.1", 34, True)
    apps = check_value(body_of(steps["05-navigation-apps"])["ocs"]["data"], list[AppInfo], DONE)
    assert "news" in [one.id for one in apps]


def test_a_web_page_is_no_multistatus() -> None:
    with pytest.raises(ApiError):
        xml.multistatus(b"<html><body>Log in</body></html>")
