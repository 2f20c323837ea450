"""Sharing through MCP: in words, with one request, and without ever showing a password."""

import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from tests.nextcloud.calls import arranged, share_of
from tests.nextcloud.sessions import TOOLS, connected, facts, serving, text_of

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio

SECRET = "correct-horse-battery"


async def test_every_call_costs_one_request_but_those_that_tell_what_was_there(sandbox: Sandbox) -> None:
    sent: dict[str, int] = {}
    service = serving(sandbox)
    async with connected(service) as session:
        await session.client.list_tools()  # for which Nextcloud is asked once what it has
        for tool in (tool for tool in TOOLS if tool.startswith("nc_share_")):
            arguments = await arranged(session, tool)
            service.arrived.clear()
            await session.ask(tool, **arguments)
            sent[tool] = len(service.arrived)
            sandbox.reset()
        # A link counts days where the person is, which is asked once.
        assert sent.pop("nc_share_create_public_link") == 2
        service.arrived.clear()
        await session.ask("nc_share_create_public_link", path="Public")
        assert len(service.arrived) == 1
    # What was shared, and with whom; and whether it was before.
    assert sent == {**dict.fromkeys(sent, 1), "nc_share_delete": 2, "nc_share_create": 2}
    assert sent


@pytest.mark.parametrize(
    "given",
    [
        {"share_with": "bob"},
        {"share_with": "bob", "share_type": 0, "permissions": 1},
        {"share_with": "bob", "share_type": "user", "permissions": "read"},
        {"share_with": "bob", "share_type": "0", "permissions": "view"},
    ],
)
async def test_words_and_numbers_make_the_same_share(sandbox: Sandbox, given: dict[str, Any]) -> None:
    async with connected(serving(sandbox)) as session:
        share = await session.ask("nc_share_create", path="/Documents/letter.txt", **given)
    assert (share["type"], share["shared_with"], share["permissions"]) == ("user", "bob", ["read"])
    assert share["path"] == "Documents/letter.txt"
    assert share["url"] == f"http://nextcloud/index.php/f/{share['file_id']}"
    assert "warning" not in share


async def test_sharing_again_changes_nothing_and_says_what_is_not_as_asked(sandbox: Sandbox) -> None:
    share = {"path": "Documents", "share_with": "bob"}
    async with connected(serving(sandbox)) as session:
        first = await session.ask("nc_share_create", **share, permissions="edit")
        before = facts(sandbox)
        same = await session.ask("nc_share_create", **share, permissions="edit")
        other = await session.ask("nc_share_create", **share, permissions="read", expires="2031-01-02")
        assert facts(sandbox) == before
        noted = await session.ask("nc_share_create", **share, permissions="edit", note="Look")
        group = {"path": "Readme.md", "share_with": "team", "share_type": "group"}
        groups = [(await session.ask("nc_share_create", **group)).get("existing") for _ in range(2)]
    there = "It was shared with bob before, and stays as it was."
    assert "existing" not in first
    assert same == {**first, "existing": True, "warning": there}
    assert (other["id"], other["existing"]) == (first["id"], True)
    assert other["warning"] == (
        f"{there} Its permissions are read, update, create, delete, not read and its last day is not set, not"
        f" 2031-01-02: nc_share_update with share_id {first['id']} changes that."
    )
    assert noted["warning"].startswith(f"{there} Its message is another: nc_share_update")
    assert groups == [None, True]


class WithoutMail(httpx2.AsyncBaseTransport):
    """Stands before the service; no mail goes out, as an operator can have it, and so no share says that one did."""

    def __init__(self, service: httpx2.AsyncBaseTransport) -> None:
        self._service = service

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._service.handle_async_request(request)
        content = (await answer.aread()).replace(b'"mail_send":1', b'"mail_send":0')
        return httpx2.Response(answer.status_code, headers={"content-type": "application/json"}, content=content)


async def test_a_new_share_is_new_also_where_no_mail_goes_out(sandbox: Sandbox) -> None:
    async with connected(WithoutMail(serving(sandbox))) as session:
        share = {"path": "Documents/letter.txt", "share_with": "bob"}
        made, again = [await session.ask("nc_share_create", **share) for _ in range(2)]
    assert "existing" not in made
    assert "warning" not in made
    assert again["existing"] is True


async def test_what_a_file_cannot_have_is_said_of_a_new_share_that_lacks_it(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        share = {"path": "Documents/letter.txt", "share_with": "bob"}
        made = await session.ask("nc_share_create", **share, permissions="read, update, delete")
    assert "existing" not in made
    assert made["warning"] == (
        f"Its permissions are read, update, not read, update, delete: nc_share_update with share_id {made['id']}"
        " changes that. A file takes no create and delete."
    )


async def test_every_link_is_another_one(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        links = [await session.ask("nc_share_create_public_link", path="Photos") for _ in range(2)]
        links.append(await session.ask("nc_share_create", path="Photos", share_type="link"))
    assert len({link["id"] for link in links}) == len({link["link"] for link in links}) == 3
    assert all("read" in link["permissions"] and "update" not in link["permissions"] for link in links)


async def test_a_link_lives_to_the_end_of_a_day(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:

        async def last_day(**given: Any) -> str | None:
            return (await session.ask("nc_share_create_public_link", path="Public", **given)).get("expires")

        for given, minutes in ({}, 30), ({"expires_in_minutes": 2880}, 2880):
            # The day may change while the test runs.
            earliest, day = datetime.now(UTC), await last_day(**given)
            possible = {(now + timedelta(minutes=minutes)).date().isoformat() for now in (earliest, datetime.now(UTC))}
            assert day in possible
        assert await last_day(expires="2031-02-03") == "2031-02-03"
        assert await last_day(expires="never") is None
        past = await session.refusal("nc_share_create_public_link", path="Public", expires="2001-02-03")
        wrong = await session.refusal("nc_share_create_public_link", path="Public", expires="tomorrow")
    assert past == "Nextcloud answered 404: Expiration date is in the past."
    assert "'tomorrow' is not a date." in wrong


async def test_a_new_link_says_which_address_is_for_whom_and_how_long_it_works(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:

        async def usage(tool: str, **given: Any) -> str:
            return (await session.ask(tool, **given))["usage"]

        file = await usage("nc_share_create_public_link", path="Documents/letter.txt", expires="2031-02-03")
        folder = await usage("nc_share_create_public_link", path="Public", expires="never", password=SECRET)
        drop = await usage("nc_share_create", path="Public", share_type="link", permissions="upload")
        person = await session.ask("nc_share_create", path="Public", share_with="bob")
    own = "Nextcloud adds share to every link that can be read."
    assert file == (
        "Give people link (a page) or download_url (the file itself); it works until the end of 2031-02-03 in your"
        f" time zone. url is for you, signed in. {own}"
    )
    assert folder == (
        "Give people link (a page) or download_url (an archive); it works until you delete the share, with the"
        f" password. url is for you, signed in. {own}"
    )
    assert drop == ("Give people link (a page); it works until you delete the share. url is for you, signed in.")
    assert "usage" not in person


async def test_a_password_is_set_and_cleared_and_never_shown(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with connected(serving(sandbox)) as session:
        results = [
            await session.call("nc_share_create_public_link", path="Public", password=SECRET, label="Ours"),
            await session.call("nc_share_create", path="Public", share_type="link", password=SECRET),
            await session.call("nc_share_create_public_link", path="Nowhere", password=SECRET),
        ]
        made: dict[str, Any] = results[0].structured_content
        results.append(await session.call("nc_share_update", share_id=made["id"], password=SECRET))
        results.append(await session.call("nc_share_get", share_id=made["id"]))
        results.append(await session.call("nc_share_list", path="Public"))
        cleared = await session.ask("nc_share_update", share_id=made["id"], password="", label="")
    assert made["has_password"]
    assert made["label"] == "Ours"
    assert "has_password" not in cleared
    assert "label" not in cleared
    said = [f"{text_of(result)}{result.structured_content}" for result in results]
    assert not any(SECRET in text for text in [*said, caplog.text])
    # In what Nextcloud answers, a link has the password's hash where others have the receiver.
    assert not any("shared_with" in text for text in said)


async def test_an_update_replaces_what_is_given_and_leaves_the_rest(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        share = await share_of(session, "Documents/report.pdf")
        changed = await session.ask("nc_share_update", share_id=share["id"], label="For print")
        assert changed == {**share, "label": "For print"}
        nothing = await session.refusal("nc_share_update", share_id=share["id"])
        many = await session.refusal("nc_share_update", share_id=share["id"], permissions="read, own")
    assert "There is nothing to change." in nothing
    assert "There is no permission 'own'." in many


async def test_a_deleted_share_stays_deleted(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        share = await share_of(session, "Projects")
        assert (await session.ask("nc_share_delete", share_id=share["id"]))["id"] == share["id"]
        once = facts(sandbox)
        again = await session.refusal("nc_share_delete", share_id=share["id"])
    assert facts(sandbox) == once
    assert not any(key.startswith(f"shares/{share['id']}/") for key in once)
    assert again.startswith("Nextcloud answered 404: Wrong share ID, share does not exist.")


async def test_shares_are_listed_in_pages_of_what_one_gave_or_got(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        every = await session.ask("nc_share_list")
        pages = [await session.ask("nc_share_list", limit=4, offset=offset) for offset in (0, 4)]
        inside = await session.ask("nc_share_list", path="Documents", inside=True)
        top = await session.ask("nc_share_list", inside=True)
        got = await session.ask("nc_share_list", shared_with_me=True)
        one = await session.ask("nc_share_list", shared_with_me=True, path="Holiday")
        none = await session.ask("nc_share_list", shared_with_me=True, path="Documents")
        missing = await session.refusal("nc_share_list", shared_with_me=True, path="nowhere.md")
        both = await session.refusal("nc_share_list", shared_with_me=True, inside=True)
    assert [share for page in pages for share in page["items"]] == every["items"]
    assert every["total"] == pages[1]["total"] == len(every["items"]) == 6
    assert {share["path"] for share in inside["items"]} == {
        "Documents/plan.md",
        "Documents/report.pdf",
        "Documents/budget.csv",
    }
    assert {share["path"] for share in top["items"]} == {"Projects", "Photos", "Public"}
    assert [(share["path"], share["owner"]) for share in got["items"]] == [("Holiday", "bob")]
    assert (one["items"], none["items"]) == (got["items"], [])
    assert "file/folder does not exist" in missing
    assert both == "inside is about what you share: leave it out, or shared_with_me."


async def test_nobody_sees_or_changes_shares_that_are_not_theirs(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        shares = (await session.ask("nc_share_list"))["items"]
    before = facts(sandbox)
    async with connected(serving(sandbox), user="bob") as session:
        for share in shares:
            given = share.get("shared_with") in ("bob", "team")
            change = await session.refusal("nc_share_update", share_id=share["id"], permissions="all")
            assert ("not allowed to edit" in change) if given else ("does not exist" in change), share
            if not given:
                for tool in ("nc_share_get", "nc_share_delete"):
                    assert "does not exist" in await session.refusal(tool, share_id=share["id"]), share
        assert facts(sandbox) == before
        mine = await session.ask("nc_share_list")
        # What bob was given he may leave; his group keeps it.
        team = next(share["id"] for share in shares if share.get("shared_with") == "team")
        await session.ask("nc_share_delete", share_id=team)
    assert [share["path"] for share in mine["items"]] == ["Holiday"]
    assert before.keys() - facts(sandbox).keys() == {f"shares/{team}/targets/bob"}


async def test_recipients_are_named_as_create_wants_them(sandbox: Sandbox) -> None:
    async with connected(serving(sandbox)) as session:
        (bob,) = (await session.ask("nc_share_search_recipients", query="Bo"))["items"]
        (team,) = (await session.ask("nc_share_search_recipients", query="team"))["items"]
        shares = [
            await session.ask("nc_share_create", path="Readme.md", share_with=one["id"], share_type=one["type"])
            for one in (bob, team)
        ]
    assert [(share["type"], share["shared_with"]) for share in shares] == [("user", "bob"), ("group", "team")]
