"""What our user gets where a real Lightdash surprises those who schedule; numbers as in the recordings' README."""

import json
from typing import Any

import httpx2
import pytest
from tests.lightdash import places
from tests.lightdash.analyst import analyst
from tests.lightdash.calls import EVERYBODY, VERA, arranged
from tests.lightdash.sessions import Session, Watched, connected, facts, serving, text_of

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def scheduled(session: Session) -> str:
    return (await arranged(session, "get_scheduler"))["scheduler_uuid"]


@pytest.mark.surprise(71)
async def test_what_is_left_out_of_an_update_stays_though_lightdash_replaces_the_whole(sandbox: Sandbox) -> None:
    async with analyst(serving(sandbox)) as session:
        scheduler = await scheduled(session)
        before = facts(sandbox)
        await session.ask("update_scheduler", scheduler_uuid=scheduler, name="Tuesday")
        renamed = facts(sandbox)
        changed = await session.ask("update_scheduler", scheduler_uuid=scheduler, emails=["bo@b.example"], format="pdf")
    assert {key for key in before if before[key] != renamed.get(key)} == {f"schedulers/{scheduler}/name"}
    # Other addresses go, the Slack channel was not spoken of.
    assert sorted(changed["targets"]) == ["bo@b.example", "slack:C123"]
    assert (changed["name"], changed["format"]) == ("Tuesday", "pdf")


@pytest.mark.surprise(72)
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"emails": ["nope"]}, "'nope' is not an e-mail address."),
        ({"emails": ["a@b"]}, "'a@b' is not an e-mail address."),
        ({"emails": ["a@b.example, c@d.example"]}, "is not an e-mail address."),
        ({"emails": []}, "nobody would get it"),
        ({"cron": "every day"}, "'every day' is not a cron expression"),
        ({"cron": "* * * * *"}, "Lightdash takes hourly at most"),
        ({"cron": "0 24 * * *"}, "The hour of the cron expression '0 24 * * *' cannot be '24'"),
        ({"cron": "0 9 * * fun"}, "The day of the week"),
        ({"cron": "0 9 31-1 * *"}, "The day of the month"),
        ({"cron": "0 */0 * * *"}, "The hour"),
        ({"timezone": "Mars/Olympus"}, "There is no time zone 'Mars/Olympus'."),
        ({"timezone": "../UTC"}, "There is no time zone '../UTC'."),
        ({"timezone": "Europe"}, "There is no time zone 'Europe'."),
        ({"dashboard": "weekly-review"}, "Give a chart or a dashboard, one of them."),
    ],
)
async def test_nonsense_is_refused_before_anything_is_sent_though_lightdash_takes_it(
    sandbox: Sandbox, wrong: dict[str, Any], reason: str
) -> None:
    usual = {"name": "M", "cron": "0 9 * * 1", "chart": places.MAIN_CHART, "emails": ["ada@corner-shop.example"]}
    service = serving(sandbox)
    async with connected(service) as session:
        assert reason in await session.refusal("create_scheduler", **{**usual, "project_uuid": places.MAIN, **wrong})
    assert service.arrived == []


@pytest.mark.parametrize("cron", ["0 9 * * 1", "5 */2 1,15 jan-mar mon-fri", "59 23 31 12 7", " 0  8 * * * "])
async def test_a_cron_expression_that_is_due_hourly_at_most_is_taken(sandbox: Sandbox, cron: str) -> None:
    usual = {"name": "M", "chart": places.MAIN_CHART, "emails": ["ada@corner-shop.example"]}
    async with connected(serving(sandbox)) as session:
        made = await session.ask("create_scheduler", cron=cron, project_uuid=places.MAIN, **usual)
    assert made["cron"] == " ".join(cron.split())
    assert made["enabled"]


@pytest.mark.surprise(72)
async def test_a_scheduler_that_is_off_is_not_sent_and_a_missing_mail_server_is_told(sandbox: Sandbox) -> None:
    service = serving(sandbox)
    async with analyst(service) as session:
        scheduler = await scheduled(session)
        told = await session.ask("send_scheduler_now", scheduler_uuid=scheduler)
        await session.ask("set_scheduler_enabled", scheduler_uuid=scheduler, enabled=False)
        service.arrived.clear()
        refused = await session.refusal("send_scheduler_now", scheduler_uuid=scheduler)
    assert told["next_step"].startswith("This Lightdash has no mail server: no mail will arrive.")
    assert "The scheduler is switched off" in refused
    assert {request.method for request in service.arrived} == {"GET"}


async def test_the_address_of_a_webhook_is_a_secret_that_no_tool_tells() -> None:
    secret = "https://hooks.example/secret-path"
    scheduler: dict[str, Any] = {
        **{"schedulerUuid": EVERYBODY, "name": "Teams", "cron": "0 9 * * 1", "format": "csv", "enabled": True},
        **{"projectUuid": places.MAIN, "targets": [{"schedulerMsTeamsTargetUuid": VERA, "webhook": secret}]},
    }

    def lightdash(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"status": "ok", "results": scheduler})

    service = Watched(lightdash)
    async with connected(service) as session:
        shown = await session.call("get_scheduler", scheduler_uuid=EVERYBODY)
        await session.ask("update_scheduler", scheduler_uuid=EVERYBODY, name="Others")
    assert shown.structured_content is not None
    assert shown.structured_content["targets"] == ["webhook"]
    assert secret not in text_of(shown)
    changes = [json.loads(request.content) for request in service.arrived if request.method == "PATCH"]
    # What is kept is sent back whole, under the id it has.
    assert changes[0]["targets"] == [{"schedulerMsTeamsTargetUuid": VERA, "webhook": secret}]
