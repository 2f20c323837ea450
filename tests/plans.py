"""How a service's tools are called, from its plan: arranged and called in this process.

    async with served("lightdash") as service:
        for case in good_cases("lightdash", "update_chart"):
            result = await service.call(case)           # arranged, then called with its arguments
            await service.reset()

`arrange` alone works with any session; `made_up` gives arguments where nothing can be arranged, such as for a scripted
service that answers the same to everything.
"""

from collections.abc import AsyncGenerator, Collection, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final, cast

import httpx2
import mcp_types as mcp
from mcp import Client
from starlette.types import ASGIApp
from tests.lightdash.contract import CONTRACT as LIGHTDASH
from tests.nextcloud.contract import CONTRACT as TABLES
from tests.sessions import Era, Session

from aboveboard.audit.verdict import Ruling
from aboveboard.audit.verify import Plan, Proof, load_plan, verify
from aboveboard.audit.verify.in_process import AppRecorder, InProcess
from aboveboard.audit.verify.oracle import Oracle
from aboveboard.audit.verify.plan import Case, Fetch, ForeignRequest, Restart
from aboveboard.audit.verify.values import fill_values, pick_value
from aboveboard.audit.verify.verdicts import CLAIMS_LITTLE
from aboveboard.cli.embedding import embed_plan
from aboveboard.cli.services import plan_folder

CONTRACTS: Final = {"lightdash": LIGHTDASH, "nextcloud": TABLES}
UPSTREAM: Final = "http://backend"
PAST_THE_SERVER: Final = "(headers)"
"""What requests past the server take along, among the values of a plan: no plan can name it."""
SOME_ID: Final = "5a000000-0000-4000-8000-000000000001"
"""Of a thing that a script has no reason to deny."""


@lru_cache
def plan_of(service: str) -> Plan:
    """Return a service's plan."""
    return load_plan(plan_folder(service))


@cache
def good_cases(service: str, tool: str | None = None) -> Sequence[Case]:
    """Return the cases that succeed, of one tool or of all."""
    return [case for case in plan_of(service).cases if not case.refused and tool in (None, case.tool)]


@cache
def plain_cases(service: str) -> Sequence[Case]:
    """Return the good cases that tools alone arrange; those of what another program made are the same calls again."""
    return [case for case in good_cases(service) if not any(isinstance(one, ForeignRequest) for one in case.arrange)]


def refused_cases(service: str, tool: str | None = None) -> list[Case]:
    """Return the cases that must be refused, of one tool or of all."""
    return [case for case in plan_of(service).cases if case.refused and tool in (None, case.tool)]


def case_of(service: str, tool: str, name: str | None = None) -> Case:
    """Return one good case of a tool: the named one, or the first."""
    found = [case for case in good_cases(service, tool) if name in (None, case.name)]
    assert found, f"{tool} has no case {name or 'that succeeds'} in the plan of {service}"
    return found[0]


def gaps(service: str, tools: Collection[str]) -> list[str]:
    """Tell which tools have no case that succeeds, or none that is refused, and which cases are of no tool."""
    good, refused = ({case.tool for case in cases} for cases in (good_cases(service), refused_cases(service)))
    return [
        *(f"{tool} has no case that succeeds" for tool in tools if tool not in good),
        *(f"{tool} has no case that is refused" for tool in tools if tool not in refused),
        *(f"{tool} has a case and is no tool" for tool in sorted(good | refused) if tool not in tools),
    ]


def unseen_in(plan: Plan, proof: Proof) -> set[tuple[str, str]]:
    """Return the hints of which the plan says that they warn of what cannot be seen, for one tool or for all."""
    own = {(case.tool, hint) for case in plan.cases for hint in case.unseen}
    warnings = [one for one in proof.verdicts if one.declared is not CLAIMS_LITTLE[one.hint]]
    idle = {
        (one.tool, one.hint)
        for one in proof.verdicts
        if one.verdict is Ruling.UNTRIED and (one.tool, "readOnlyHint") in own
    }
    return own | idle | {(one.tool, one.hint) for one in warnings if one.hint in plan.unseen}


def proof_of(service: str, only: Collection[str] = ()) -> Proof:
    """Run a service's plan in this process; no case profits from what a server still knows of another."""
    plan = plan_of(service)
    fresh = replace(plan, server=replace(plan.server, restart=Restart.TRIAL))
    proof = verify(fresh, repeats=1, only=only, late=0, setup=_held(service, embed_plan(plan)))
    CONTRACTS[service].check()
    return proof


def values_of(service: str, upstream: str = UPSTREAM) -> dict[str, Any]:
    """Return what `${name}` stands for in a plan, where the backend is at this address."""
    plan = plan_of(service)
    values = {**plan.values, "upstream": upstream, "nonce": "for one run"}
    return {**values, PAST_THE_SERVER: fill_values(dict(plan.backend.headers), values)}


async def arrange(session: Session, case: Case, values: Mapping[str, Any]) -> dict[str, Any]:
    """Do what a case wants to be done before it, and return the arguments to call its tool with."""
    return fill_values(dict(case.arguments), await take_steps(session, case, values))


async def take_steps(session: Session, case: Case, values: Mapping[str, Any]) -> dict[str, Any]:
    """Do what a case wants to be done before it, and return what is known by then."""
    known = dict(values)
    for step in case.arrange:
        if isinstance(step, ForeignRequest):
            answer = await _sent(session.service, step, known)
        else:
            answer = await session.ask(step.call, **fill_values(dict(step.arguments), known))
        known |= {name: pick_value(answer, path) for name, path in step.keep.items()}
    return known


async def _sent(service: httpx2.AsyncBaseTransport, step: ForeignRequest, known: Mapping[str, Any]) -> Any:
    """Make a request past the server; what it came to must be good."""
    done = await Oracle(UPSTREAM, known, 30, known[PAST_THE_SERVER], service).send(step, known)
    assert not done.problem, f"{done.name}: {done.problem}"
    return done.content


def made_up(case: Case, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a case, with an id in the place of all that arranging would have kept."""
    kept = {name for step in case.arrange for name in step.keep}
    return fill_values(dict(case.arguments), {**dict.fromkeys(kept, SOME_ID), **values})


class Served:
    """A service in this process, as its plan has it: its sandbox, its server, and what the server sent."""

    def __init__(self, plan: Plan, session: Session, log: AppRecorder, values: Mapping[str, Any]) -> None:
        self.plan, self.session, self.values = plan, session, values
        self._log = log

    async def arrange(self, case: Case) -> dict[str, Any]:
        """Do what a case wants to be done before it, and return its arguments; what that sent is forgotten."""
        arguments = await arrange(self.session, case, self.values)
        self._log.take_requests()
        return arguments

    async def call(self, case: Case, **changed: Any) -> mcp.CallToolResult:
        """Arrange a case and call its tool, with its own arguments but for what is given here."""
        return await self.session.call(case.tool, **{**await self.arrange(case), **changed})

    def sent(self) -> list[str]:
        """Return method and path of what the server sent since it was last asked."""
        return [f"{one.method} {one.path}" for one in self._log.take_requests()]

    async def reset(self) -> None:
        """Bring back the first state."""
        await self._ask(cast("Fetch", self.plan.backend.reset))

    async def state(self) -> dict[str, Any]:
        """Return the backend's state without what is derived from it."""
        dump = (await self._ask(cast("Fetch", self.plan.backend.state))).json()
        return {path: value for path, value in dump.items() if not path.startswith("derived/")}

    async def _ask(self, what: Fetch) -> httpx2.Response:
        headers = fill_values(dict(self.plan.backend.headers), self.values)
        async with httpx2.AsyncClient(transport=self.session.service, base_url=UPSTREAM, headers=headers) as http:
            return (await http.request(what.method, what.target)).raise_for_status()


@asynccontextmanager
async def served(
    service: str,
    *,
    era: Era = "auto",
    environment: Mapping[str, str] | None = None,
    values: Mapping[str, Any] | None = None,
) -> AsyncGenerator[Served]:
    """Serve a service as its plan says, with more in its environment and other values if wanted."""
    plan, values = plan_of(service), {**values_of(service), **(values or {})}
    made = _held(service, embed_plan(plan))
    given = {**fill_values(dict(plan.server.environment), values), **(environment or {})}
    with made.backend(fill_values(dict(plan.backend.environment), values)) as app:
        log = AppRecorder(app, UPSTREAM, plan.reachable)
        async with Client(made.server(given, cast("ASGIApp", log)), mode=era) as client:
            yield Served(plan, Session(client, httpx2.ASGITransport(app)), log, values)
    CONTRACTS[service].check()


def _held(service: str, made: InProcess) -> InProcess:
    """Hold what comes to the backend, from the server or past it, to what the service publishes of its routes."""

    @contextmanager
    def backend(environment: Mapping[str, str]) -> Generator[ASGIApp]:
        with made.backend(environment) as app:
            yield CONTRACTS[service].held_app(app)

    return replace(made, backend=backend)
