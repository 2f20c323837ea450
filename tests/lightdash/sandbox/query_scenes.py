"""What has happened when some recorded steps around the warehouse begin."""

import json
from collections.abc import Awaitable, Callable, Mapping

from tests.lightdash.sandbox.replay import Replay, send

_MAIN = "1a000000-0000-4000-8000-000000000001"
_QUERY: dict[str, object] = {
    "exploreName": "orders",
    "dimensions": ["orders_status"],
    "metrics": ["orders_order_count"],
    "filters": {},
    "sorts": [],
    "limit": 10,
    "tableCalculations": [],
}


def _query_called(theirs: str) -> Callable[[Replay], Awaitable[None]]:
    async def run(replay: Replay) -> None:
        headers = {"authorization": f"ApiKey {replay.sandbox.token}", "content-type": "application/json"}
        body = json.dumps({"query": _QUERY}).encode()
        made = await send(replay.sandbox, "POST", f"/api/v2/projects/{_MAIN}/query/metric-query", headers, body)
        replay.names[theirs] = made.value["results"]["queryUuid"]

    return run


ARRANGED: Mapping[str, Callable[[Replay], Awaitable[None]]] = {
    "jobs scheduler-job/start": _query_called("c4a122d7-f5a3-4beb-98aa-cf28c0522278"),
}
