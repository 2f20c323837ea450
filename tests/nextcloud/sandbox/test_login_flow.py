"""Login Flow v2 of the sandbox, held to a recorded one step by step, and what the recording could not show."""

import base64
import json
import re
from typing import Any, cast

import httpx2
import pytest
from tests.nextcloud.sandbox.recordings import OBJECTS

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio
RECORDED = OBJECTS / "login-flow.json"
BASE = "http://nextcloud"
LEFT_OUT = {"21-token-list": "the recorder cut it out of a page; test_app_passwords_are_listed_and_ended looks at it"}


class Known:
    """What stands for each placeholder of the recording here."""

    def __init__(self) -> None:
        self.values = {"<BASE-URL>": BASE, "<PASSWORD-BOB>": Sandbox.passwords["bob"]}

    def filled(self, value: Any) -> Any:
        if isinstance(value, str):
            for name, known in self.values.items():
                value = value.replace(name, known)
            return value
        if isinstance(value, dict):
            return {key: self.filled(one) for key, one in cast("dict[str, Any]", value).items()}
        return value

    def learn(self, recorded: Any, got: Any) -> None:
        """Take what is new from an answer that has the recorded shape."""
        if isinstance(recorded, dict) and isinstance(got, dict):
            for key, value in cast("dict[str, Any]", recorded).items():
                self.learn(value, cast("dict[str, Any]", got).get(key))
        elif isinstance(recorded, str) and isinstance(got, str) and (name := re.search(r"<[A-Z0-9-]+>$", recorded)):
            self.values.setdefault(name[0], got.rpartition("/")[2])


def steps() -> list[dict[str, Any]]:
    if not RECORDED.exists():
        pytest.skip("the recordings are not here")
    return json.loads(RECORDED.read_text())


async def test_the_flow_answers_as_it_was_recorded(sandbox: Sandbox) -> None:
    known, differences = Known(), list[str]()
    async with (
        httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), base_url=BASE) as nobody,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), base_url=BASE) as browser,
    ):
        for step in steps():
            if step["step"] in LEFT_OUT:
                continue
            answer = await sent(step, known, browser if step["user"].endswith("-session") else nobody)
            expected = step["response"]
            if answer.status_code != expected["status"]:
                differences.append(f"{step['step']}: {answer.status_code}, not {expected['status']}")
            if location := expected["headers"].get("location"):
                assert answer.headers["location"] == known.filled(location), step["step"]
            body = expected["body"]
            if isinstance(body, dict) and "json" in body:
                known.learn(body["json"], answer.json())
                assert shape(answer.json()) == shape(body["json"]), step["step"]
            learn_from_page(known, answer)
    assert differences == []


async def sent(step: dict[str, Any], known: Known, client: httpx2.AsyncClient) -> httpx2.Response:
    request = known.filled(step["request"])
    body: dict[str, Any] = request["body"] or {}
    auth = None
    if "app password" in step["user"]:
        auth = ("bob", known.values["<APP-PASSWORD-2>" if "rotated" in step["user"] else "<APP-PASSWORD-1>"])
    elif step["user"] == "bob":
        auth = ("bob", Sandbox.passwords["bob"])
    return await client.request(
        request["method"],
        request["path"],
        params=request["query"],
        headers=request["headers"],
        data=body.get("form"),
        json=body.get("json"),
        auth=auth,
    )


def learn_from_page(known: Known, answer: httpx2.Response) -> None:
    if found := re.search(r'data-requesttoken="(\w+)"', answer.text):
        known.values["<REQUEST-TOKEN>"] = found[1]
    if found := re.search(r"stateToken=(\w+)", answer.text):
        known.values.setdefault("<LOGIN-STATE-TOKEN-1>", found[1])


def shape(value: Any) -> Any:
    """Return the names and kinds of an answer, without what differs between two servers."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in cast("dict[str, Any]", value).items() if key != "data"}
    return type(value).__name__ if not isinstance(value, list) else "list"


async def granted(sandbox: Sandbox, name: str = "Test program") -> tuple[httpx2.AsyncClient, dict[str, Any]]:
    """Go through the pages as bob, and return the browser and what the program was told at the start."""
    browser = httpx2.AsyncClient(
        transport=httpx2.ASGITransport(sandbox.app),
        base_url=BASE,
        follow_redirects=True,
        headers={"accept": "text/html"},
    )
    flow = (await browser.post("/index.php/login/v2", headers={"user-agent": name})).json()
    picker = await browser.get(flow["login"])
    assert name in picker.text
    state = re.search(r"stateToken=(\w+)", picker.text)
    assert state is not None
    form = await browser.get(f"/index.php/login/v2/grant?stateToken={state[1]}")
    back = f"/index.php/login/v2/grant?stateToken={state[1]}"
    page = await browser.post(
        "/index.php/login",
        data={
            "user": "bob",
            "password": Sandbox.passwords["bob"],
            "requesttoken": token_in(form),
            "redirect_url": back,
        },
    )
    assert "Grant access" in page.text
    done = await browser.post(
        "/index.php/login/v2/grant", data={"stateToken": state[1], "requesttoken": token_in(page)}
    )
    assert "close this window" in done.text
    return browser, flow


def token_in(page: httpx2.Response) -> str:
    found = re.search(r'data-requesttoken="(\w+)"', page.text)
    assert found is not None
    return found[1]


async def test_the_password_is_handed_out_once_and_only_for_twenty_minutes(sandbox: Sandbox) -> None:
    browser, flow = await granted(sandbox)
    token = {"token": flow["poll"]["token"]}
    assert (await browser.post("/index.php/login/v2/poll", data=token)).status_code == 200
    assert (await browser.post("/index.php/login/v2/poll", data=token)).status_code == 404
    browser, flow = await granted(sandbox)
    sandbox.pass_time(20 * 60)
    assert (await browser.post("/index.php/login/v2/poll", data={"token": flow["poll"]["token"]})).status_code == 404
    assert (await browser.get(flow["login"])).status_code == 403


async def test_app_passwords_are_listed_and_ended(sandbox: Sandbox) -> None:
    browser, flow = await granted(sandbox, "My program")
    made = (await browser.post("/index.php/login/v2/poll", data={"token": flow["poll"]["token"]})).json()
    page = await browser.get("/index.php/settings/user/security")
    state = re.search(r'initial-state-settings-app_tokens" value="([^"]+)"', page.text)
    assert state is not None
    (listed,) = json.loads(base64.b64decode(state[1]))
    assert (listed["name"], listed["canDelete"]) == ("My program", True)
    at = f"/index.php/settings/personal/authtokens/{listed['id']}"
    assert (await browser.delete(at)).status_code == 412
    assert (await browser.delete(at, headers={"requesttoken": token_in(page)})).status_code == 200
    headers = {"ocs-apirequest": "true", "accept": "application/json"}
    dead = await browser.get("/ocs/v2.php/cloud/user", headers=headers, auth=("bob", made["appPassword"]))
    assert dead.status_code == 401


async def test_a_wrong_password_leads_back_to_the_form(sandbox: Sandbox) -> None:
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), base_url=BASE) as browser:
        form = await browser.get("/index.php/login")
        wrong = {"user": "bob", "password": "no", "requesttoken": token_in(form), "redirect_url": "/x"}
        answer = await browser.post("/index.php/login", data=wrong)
        assert answer.headers["location"].startswith("/index.php/login?user=bob")
        assert "Wrong login or password" in (await browser.get(answer.headers["location"])).text
