"""Requests to a sandbox, with a path that no HTTP client has tidied up."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.types import Message

from aboveboard.nextcloud.sandbox import Sandbox

HOST = "127.0.0.1:8081"


@dataclass(frozen=True)
class Got:
    """What the sandbox answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def data(self) -> Any:
        """What an OCS envelope holds."""
        return self.json["ocs"]["data"]


def basic(login: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()


async def send(
    sandbox: Sandbox,
    method: str,
    target: str,
    *,
    login: tuple[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    body: str | bytes = b"",
) -> Got:
    """One request, exactly as written."""
    path, _, query = target.partition("?")
    content = body.encode() if isinstance(body, str) else body
    given = {"host": HOST, "content-length": str(len(content)), **(headers or {})}
    if login:
        given["authorization"] = basic(*login)
    scope = {
        "type": "http",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 50000),
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    async def collect(message: Message) -> None:
        sent.append(message)

    await sandbox.app(scope, receive, collect)
    names = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Got(sent[0]["status"], names, b"".join(message.get("body", b"") for message in sent[1:]))


class Person:
    """Someone who talks to a sandbox."""

    def __init__(self, sandbox: Sandbox, uid: str, password: str | None = None) -> None:
        self.sandbox, self.uid, self.login = sandbox, uid, (uid, password or sandbox.users[uid])

    async def send(
        self, method: str, target: str, *, headers: Mapping[str, str] | None = None, body: str | bytes = b""
    ) -> Got:
        """A request with the headers that a well-behaved client sends."""
        given = {"ocs-apirequest": "true", "accept": "application/json", **(headers or {})}
        return await send(self.sandbox, method, target, login=self.login, headers=given, body=body)

    async def post(self, target: str, value: object, method: str = "POST") -> Got:
        return await self.send(method, target, headers={"content-type": "application/json"}, body=json.dumps(value))

    async def put(self, path: str, content: str | bytes = "x", **headers: str) -> Got:
        """Write a file of one's own; the folders around it are made."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        target = f"/remote.php/dav/files/{self.uid}/{path}"
        return await self.send("PUT", target, headers={"x-nc-webdav-auto-mkcol": "1", **more}, body=content)

    async def get(self, path: str) -> Got:
        return await self.send("GET", f"/remote.php/dav/files/{self.uid}/{path}")

    async def delete(self, path: str) -> Got:
        return await self.send("DELETE", f"/remote.php/dav/files/{self.uid}/{path}")

    async def mkcol(self, path: str) -> Got:
        return await self.send("MKCOL", f"/remote.php/dav/files/{self.uid}/{path}")
