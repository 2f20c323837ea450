"""One pooled HTTP session to one service: guarded, retried, and silent about secrets."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import anyio
import httpx2

from aboveboard import __version__, effects
from aboveboard.errors import ApiError, Failure, NetworkError, api_error
from aboveboard.http import guard, retry
from aboveboard.http.guard import Nature
from aboveboard.http.path import Path

TIMEOUT: Final = httpx2.Timeout(60.0, connect=10.0)
POOL: Final = httpx2.Limits(max_connections=32, max_keepalive_connections=16)
REDIRECTS: Final = 3

Query = Mapping[str, str | int | bool | Sequence[str] | None]


@dataclass(frozen=True)
class Answer:
    """What the service said."""

    status: int
    headers: httpx2.Headers
    content: bytes

    def json(self) -> object:
        """Return the body as JSON; a body that is none is the service's error, never ours."""
        if not self.content:
            raise ApiError("The service answered with an empty body where data was expected.", status=self.status)
        try:
            return json.loads(self.content)
        except ValueError:
            raise ApiError(f"The service answered with {self._kind()} instead of JSON.", status=self.status) from None

    def _kind(self) -> str:
        if b"<html" in self.content[:1000].lower() or "html" in self.headers.get("content-type", ""):
            return "a web page (is the address right, and is no login page in front of it?)"
        return "something"


class Session:
    """The one way to reach a service: every request passes the guard and goes to the configured origin only."""

    def __init__(
        self,
        service: str,
        base_url: str,
        *,
        headers: Mapping[str, str],
        secrets: Sequence[str] = (),
        transport: httpx2.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self.service = service
        self._base = httpx2.URL(base_url.rstrip("/"))
        self._headers = {"User-Agent": f"aboveboard/{__version__}", **headers}
        self._secrets = tuple(secret for secret in secrets if secret)
        self._transport = transport
        self._sleep = sleep
        self._client: httpx2.AsyncClient | None = None

    @property
    def base_url(self) -> str:
        """The configured address, without a trailing slash."""
        return str(self._base)

    async def request(
        self,
        method: str,
        path: Path,
        *,
        query: Query | None = None,
        json: object = None,
        nature: Nature | None = None,
    ) -> Answer:
        """Send one request and return the answer, whatever its status."""
        grant = effects.in_force()
        nature = guard.nature_of(method, nature)
        guard.check(grant, method, path, nature, json)
        repeatable = nature is Nature.READS or grant.effect.idempotent
        params = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base.copy_with(raw_path=self._base.raw_path.rstrip(b"/") + path.encode())
        request = self._pool().build_request(method, url, params=params or None, json=json)
        answer = await self._sent(request, repeatable=repeatable)
        for _ in range(REDIRECTS):
            if (onward := self._redirect(request, answer)) is None:
                return answer
            request = onward
            answer = await self._sent(request, repeatable=repeatable)
        raise ApiError(f"{self.service} redirects in a circle.", status=answer.status)

    def error(self, answer: Answer, message: str = "") -> ApiError:
        """Turn an answer into the error a reader can act on; `message` is the service's own explanation."""
        said = self.redact(" ".join(message.split()))[:500]
        problem = f"{self.service} answered {answer.status}" + (f": {said}" if said else "")
        return api_error(answer.status, problem if problem.endswith((".", "!", "?")) else f"{problem}.")

    def redact(self, text: str) -> str:
        """Return the text without any secret of this session."""
        for secret in self._secrets:
            text = text.replace(secret, "[secret]")
        return text

    async def aclose(self) -> None:
        """Close the pool; the session can be used again and opens a new one."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def _pool(self) -> httpx2.AsyncClient:
        if self._client is None:
            self._client = httpx2.AsyncClient(
                headers=self._headers,
                timeout=TIMEOUT,
                limits=POOL,
                transport=self._transport,
                follow_redirects=False,
            )
        return self._client

    async def _sent(self, request: httpx2.Request, *, repeatable: bool) -> Answer:
        for attempt in range(retry.ATTEMPTS):
            last = attempt == retry.ATTEMPTS - 1
            try:
                response = await self._pool().send(request)
            except httpx2.TransportError as error:
                if last or not retry.after_error(error, repeatable=repeatable):
                    raise self._unanswered(error) from error
                wait = retry.pause(attempt, None)
            except (httpx2.DecodingError, httpx2.InvalidURL) as error:
                raise ApiError(f"{self.service} sent an answer that cannot be read.") from error
            else:
                wait = retry.pause(attempt, response.headers.get("retry-after"))
                if (
                    last
                    or wait > retry.LONGEST_WAIT
                    or not retry.after_status(response.status_code, repeatable=repeatable)
                ):
                    return Answer(response.status_code, response.headers, response.content)
            await self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _redirect(self, request: httpx2.Request, answer: Answer) -> httpx2.Request | None:
        if not 300 <= answer.status < 400 or "location" not in answer.headers:
            return None
        target = request.url.join(answer.headers["location"])
        if target.origin != self._base.origin:
            elsewhere = f"{target.scheme}://{target.netloc.decode()}"
            raise ApiError(
                f"{self.service} redirects to {elsewhere}, which is not its configured address.",
                status=answer.status,
                next_step="If that is where it lives, set that address.",
            )
        if request.method not in ("GET", "HEAD"):
            # Most clients would repeat it as a GET, or write twice; neither is what the tool asked for.
            raise ApiError(f"{self.service} redirects a {request.method} request.", status=answer.status)
        return self._pool().build_request(request.method, target)

    def _unanswered(self, error: httpx2.TransportError) -> Failure:
        if isinstance(error, httpx2.ConnectTimeout | httpx2.ConnectError | httpx2.PoolTimeout):
            problem = f"{self.service} at {self.base_url} cannot be reached."
            return NetworkError(problem, next_step="Check the address and that the service is up.")
        if isinstance(error, httpx2.TimeoutException):
            problem = f"{self.service} did not answer in time."
        else:
            problem = f"{self.service} broke the connection before it answered."
        return NetworkError(problem, next_step="Whether it did anything is unknown: look before trying again.")
