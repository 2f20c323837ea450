"""How servers reach notes that are kept behind a REST API. Standard library only."""

import json
import os
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.audit.liars.stage import Failed

TIMEOUT: Final = 10


def rest(method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Ask the service at NOTES_URL."""
    return fetch(method, os.environ["NOTES_URL"] + path, body)


def fetch(method: str, url: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Send one request, by the proxy that the environment names, if it names one."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310 (tests only)
    try:
        with urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
            return json.load(answer)
    except HTTPError as refusal:
        with refusal:
            raise Failed(refusal.read().decode()) from None
