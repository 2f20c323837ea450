"""Apps without a document of their API: what we send is held to recorded requests that worked."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

import httpx2
from tests.nextcloud.calls import VALUES
from tests.nextcloud.sandbox.recordings import Step, load
from tests.nextcloud.sessions import connected, serving
from tests.plans import arrange, plain_cases
from tests.sessions import raw_path

from aboveboard.nextcloud.sandbox import Sandbox

Shape = dict[str, set[str]]


class RecordedApi:
    """The requests to one app that a real Nextcloud was seen to take."""

    def __init__(self, path: str) -> None:
        """`path` is a pattern that the app's paths have in them."""
        self._path = re.compile(path)

    def steps(self) -> list[Step]:
        """Return the recorded exchanges that went well."""
        return [step for step in load() if self._path.search(step.path) and step.status == 200]

    @cached_property
    def _recorded(self) -> dict[str, Shape]:
        """Which keys, with which types, a body has had that worked, and which names a query, by route."""
        found: dict[str, Shape] = defaultdict(lambda: defaultdict(set))
        for step in self.steps():
            shape = found[_route(step.method, step.path)]
            for name in httpx2.QueryParams(step.query):
                shape[f"?{name}"].add("str")
            if isinstance(step.body, str) and step.body.startswith("{"):
                for name, value in json.loads(step.body).items():
                    shape[name].add(type(value).__name__)
        return found

    def _faults(self, request: httpx2.Request) -> Iterator[str]:
        route = _route(request.method, raw_path(request).partition("?")[0])
        if route not in self._recorded:
            yield f"{route} was never recorded"
            return
        known = self._recorded[route]
        for name in request.url.params:
            if f"?{name}" not in known:
                yield f"{route} with ?{name}"
        if request.content.startswith(b"{"):
            for name, value in json.loads(request.content).items():
                if type(value).__name__ not in known[name]:
                    yield f"{route} with {name}: {value!r}"

    async def held(self, sandbox: Sandbox, prefix: str) -> tuple[set[str], Counter[str]]:
        """Call the tools of a prefix as the plan does; return what was never seen to work, and all routes."""
        async with connected(service := serving(sandbox)) as session:
            for case in plain_cases("nextcloud"):
                if case.tool.startswith(prefix):
                    await session.ask(case.tool, **await arrange(session, case, VALUES))
                    sandbox.reset()
        sent = [request for request in service.arrived if self._path.search(request.url.path)]
        faults = {fault for request in sent for fault in self._faults(request)}
        return faults, Counter(_route(one.method, raw_path(one).partition("?")[0]) for one in sent)


def _route(method: str, path: str) -> str:
    return f"{method} {re.sub(r'/[0-9]+(?=/|$)', '/{id}', path)}"
