"""Lightdash's OAuth in the sandbox, held to recorded exchanges with a real one, step by step."""

import base64
import json
import re
from typing import Any, Final, cast

import httpx2
import pytest
from tests.shared import SHARED

from aboveboard.lightdash.sandbox import Sandbox

pytestmark = pytest.mark.anyio
RECORDED = SHARED / "recordings" / "lightdash-objects" / "oauth.json"
BASE: Final = "http://127.0.0.1:8085"
SCENARIOS: Final = (
    *("metadata", "registration", "admin-clients", "login", "authorize-page", "authorize-post", "code-exchange"),
    *("refresh", "revoke", "introspect", "client-removed", "logout"),
)
LEFT_OUT: Final = {
    "metadata/mcp-without-token": "the route of Lightdash's own MCP server, which enterprise.py has",
    "login/ok": "the answer holds more of the person than anybody here needs; the cookie is looked at",
    "refresh/expired": "the recorder changed the database; test_tokens_end_when_their_time_is_over has it",
}
FIRST_CLIENT: Final = "mcp-rVjraTX1FwbnMZKR"
CALLBACK: Final = "http://localhost:9876/callback"
VERIFIER: Final = "_hkRj0NUjJNglH8HRFGBUs0gPkNPEFCBb_l6Hs2UMnjTf_QrdjckXGGx7lSh7FYI"
CHALLENGE: Final = "Tp8Rw-abkUbiFfiina4LQEwaXdfWq2xGuQZVh3e5o20"
PEOPLE: Final = {"admin": "ada@corner-shop.example", "viewer": "vera@corner-shop.example"}


class Replay:
    """One browser and one program that do again what was recorded."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http, self.values = http, {"<DEMO_PASSWORD>": Sandbox.password, "demo@lightdash.com": PEOPLE["admin"]}
        self.cookie = ""

    def filled(self, value: Any) -> Any:
        if isinstance(value, str):
            for name, known in self.values.items():
                value = value.replace(name, known)
            return value
        if isinstance(value, dict):
            return {key: self.filled(one) for key, one in cast("dict[str, Any]", value).items()}
        return [self.filled(one) for one in cast("list[Any]", value)] if isinstance(value, list) else value

    async def send(self, step: dict[str, Any]) -> httpx2.Response:
        for name in re.findall(r"<OAUTH-\w+-\d+>", json.dumps(step["request"])):
            if name not in self.values:
                await self._mint(name)
        self.http.cookies.clear()
        request = self.filled(step["request"])
        headers = {name.lower(): value for name, value in request.get("headers", {}).items()}
        headers |= {"cookie": self.cookie} if "cookie" in headers else {}
        if headers.get("authorization", "").startswith("Basic <"):
            pair = f"{self.values[FIRST_CLIENT]}:{self.values['<CLIENT-SECRET-1>']}"
            headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        if "authorization" not in headers and (who := _key_of(step)):
            headers["authorization"] = f"ApiKey {Sandbox.tokens[who]}"
        body = request.get("body")
        form = "urlencoded" in headers.get("content-type", "")
        return await self.http.request(
            request["method"],
            request["path"],
            params=request.get("query"),
            headers=headers,
            data=body if form else None,
            json=None if form or body is None else body,
        )

    async def _mint(self, name: str) -> None:
        """Get a token that the recorder got without recording how."""
        number = re.sub(r"\D", "", name)
        asked: dict[str, Any] = {"response_type": "code", "redirect_uri": CALLBACK, "scope": "read write"}
        asked |= {"client_id": self.values[FIRST_CLIENT], "code_challenge": CHALLENGE}
        page = await self.http.post("/api/v1/oauth/authorize", data=asked, headers={"cookie": self.cookie})
        code = re.search(r"code&#x3D;(\w+)", page.text)
        assert code is not None, page.text
        form = {"grant_type": "authorization_code", "code": code[1], "redirect_uri": CALLBACK}
        form |= {"client_id": self.values[FIRST_CLIENT], "code_verifier": VERIFIER}
        made = (await self.http.post("/api/v1/oauth/token", data=form)).json()
        self.values[f"<OAUTH-ACCESS-{number}>"] = made["access_token"]
        self.values[f"<OAUTH-REFRESH-{number}>"] = made["refresh_token"]

    def learn(self, step: dict[str, Any], answer: httpx2.Response) -> None:
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        recorded = step["response"].get("body")
        if not isinstance(recorded, dict):
            return
        body = cast("dict[str, Any]", recorded)
        if body.get("__html__"):
            if (code := re.search(r"<CODE-\d+>", json.dumps(body))) and (
                got := re.search(r"code&#x3D;(\w+)", answer.text)
            ):
                self.values[code[0]] = got[1]
        elif answer.headers.get("content-type", "").startswith("application/json"):
            self._learn(body, answer.json())

    def _learn(self, recorded: dict[str, Any], got: dict[str, Any]) -> None:
        for key, value in recorded.items():
            if isinstance(value, dict):
                self._learn(cast("dict[str, Any]", value), got.get(key) or {})
            elif key in ("client_id", "clientId", "client_secret", "clientSecret", "access_token", "refresh_token"):
                self.values.setdefault(str(value), str(got.get(key)))


def _key_of(step: dict[str, Any]) -> str | None:
    return step["as"] if step["as"] in Sandbox.tokens else None


def steps() -> list[dict[str, Any]]:
    if not RECORDED.exists():
        pytest.skip("the recordings are not here")
    return [step for step in json.loads(RECORDED.read_text()) if step["scenario"] in SCENARIOS]


def essence(body: Any) -> Any:
    """Return what must be the same: an error's words, or which fields there are."""
    if not isinstance(body, dict):
        return None
    fields = cast("dict[str, Any]", body)
    error = fields.get("error")
    if isinstance(error, dict):
        return cast("dict[str, Any]", error).get("name"), cast("dict[str, Any]", error).get("message")
    return error if isinstance(error, str) else sorted(name for name in fields if name != "sentryEventId")


async def test_every_step_is_answered_as_it_was_recorded() -> None:
    sandbox, differences, same = Sandbox(), list[str](), 0
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), base_url=BASE) as http:
        replay = Replay(http)
        for step in steps():
            name = f"{step['scenario']}/{step['step']}"
            answer = await replay.send(step)
            replay.learn(step, answer)
            if name in LEFT_OUT:
                continue
            found = difference(step, answer)
            same += not found
            if found:
                differences.append(f"{name}: {found}")
    sandbox.close()
    assert differences == [], "\n".join(differences)
    assert same > 150


def difference(step: dict[str, Any], answer: httpx2.Response) -> str:
    expected, recorded = step["response"], step["response"].get("body")
    if answer.status_code != expected["status"]:
        return f"{answer.status_code}, not {expected['status']}: {answer.text[:100]}"
    if isinstance(recorded, dict) and recorded.get("__html__"):  # pyright: ignore[reportUnknownMemberType]
        wanted = re.search(r"(error|code)&#x3D;([a-z_]*)", json.dumps(recorded))
        if wanted and f"{wanted[1]}&#x3D;{wanted[2]}" not in answer.text:
            return f"no {wanted[0]} in {answer.text[:200]}"
        return ""
    if isinstance(recorded, dict) and essence(recorded) != essence(answer.json()):
        return f"{essence(answer.json())}, not {essence(recorded)}"
    return ""


async def test_tokens_end_when_their_time_is_over() -> None:
    sandbox = Sandbox()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(sandbox.app), base_url=BASE) as http:
        replay = Replay(http)
        body = {"client_name": "x", "redirect_uris": [CALLBACK]}
        replay.values[FIRST_CLIENT] = (await http.post("/api/v1/oauth/register", json=body)).json()["client_id"]
        login = await http.post("/api/v1/login", json={"email": PEOPLE["admin"], "password": Sandbox.password})
        replay.cookie = login.headers["set-cookie"].partition(";")[0]
        await replay._mint("<OAUTH-ACCESS-1>")  # pyright: ignore[reportPrivateUsage]
        bearer = {"authorization": f"Bearer {replay.values['<OAUTH-ACCESS-1>']}"}
        http.cookies.clear()
        assert (await http.get("/api/v1/user", headers=bearer)).status_code == 200
        sandbox._store.run("UPDATE meta SET value = value + 3600 WHERE key = 'ticks'")  # pyright: ignore[reportPrivateUsage]
        ended = await http.get("/api/v1/user", headers=bearer)
        assert (ended.status_code, ended.text) == (401, "Unauthorized")
    sandbox.close()
