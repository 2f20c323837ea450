"""One pooled HTTP session to one service: guarded, retried, and silent about secrets."""

import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import anyio
import httpx2

from aboveboard import __version__, effects, observing
from aboveboard.errors import DOUBT, ApiError, BadInput, Failure, NetworkError, api_error
from aboveboard.http import guard, retry
from aboveboard.http.base_url import base_url_problem
from aboveboard.http.body import in_short
from aboveboard.http.guard import Nature
from aboveboard.http.path import Path
from aboveboard.http.response import Response
from aboveboard.observing import RequestRecord

TIMEOUT: Final = httpx2.Timeout(60.0, connect=10.0)
# Idle connections are dropped before servers usually drop them (5 s): a write on a dying one could not be retried.
POOL: Final = httpx2.Limits(max_connections=32, max_keepalive_connections=16, keepalive_expiry=4.0)
REDIRECTS: Final = 3
EXPLANATION: Final = 64 * 1024
"""Bytes. So much of an error is read even where less of the data was asked for."""
_CONDITIONS: Final = frozenset({"if", "if-match", "if-none-match"})

Query = Mapping[str, str | int | bool | Sequence[str] | None]


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
        problem = base_url_problem(
            f"The address of {service}", base_url, service=service, examples="https://example.org"
        )
        if problem:
            raise BadInput(problem)
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
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        nature: Nature | None = None,
        repeats: bool = True,
        at_most: int | None = None,
        patience: float | None = None,
    ) -> Response:
        """Send one request and return the answer, whatever its status.

        The body is `json`, or `content` as it is; of the answer's body no more than `at_most` bytes are read. A write
        that does something else the second time (it toggles, it adds a version) says `repeats=False`. What the service
        has to fetch itself may need more `patience`, in seconds, than other requests.
        """
        permit = effects.in_force()
        nature = guard.nature_of(method, nature)
        given = dict(headers or {})
        guard.check(permit, method, path, nature, lambda: in_short(json, content, given, self.redact))
        # A condition that held the first time no longer does after the write that it allowed.
        conditional = any(name.lower() in _CONDITIONS for name in given)
        repeatable = nature is Nature.READS or (permit.effect.idempotent and repeats and not conditional)
        params = {name: value for name, value in (query or {}).items() if value is not None}
        request = self._pool().build_request(
            method,
            self.url(path),
            params=params or None,
            json=json,
            content=content,
            headers=given,
            extensions={"route": path.template},
            timeout=TIMEOUT if patience is None else httpx2.Timeout(patience, connect=TIMEOUT.connect),
        )
        writes = nature is not Nature.READS
        answer = await self._followed(request, given, repeatable=repeatable, writes=writes, at_most=at_most)
        if answer.writes and answer.status < 400:
            permit.written.append(f"{method} {path}")
        return answer

    async def _followed(
        self, request: httpx2.Request, given: dict[str, str], *, repeatable: bool, writes: bool, at_most: int | None
    ) -> Response:
        """Send a request, and again to wherever on this service it is redirected."""
        for _ in range(1 + REDIRECTS):
            answer = await self._sent(request, repeatable=repeatable, writes=writes, at_most=at_most)
            if (onward := self._redirect(request, answer, given)) is None:
                return answer
            request = onward
        raise ApiError(f"{self.service} redirects in a circle.")

    def url(self, path: Path) -> httpx2.URL:
        """Return the whole address of a path of this service."""
        return _address(self._base, path)

    def error(self, answer: Response, message: str = "") -> ApiError:
        """Turn an answer into the error a reader can act on; `message` is the service's own explanation."""
        said = self.redact(" ".join(message.split()))[:500]
        problem = f"{self.service} answered {answer.status}" + (f": {said}" if said else "")
        problem = problem if problem.endswith((".", "!", "?")) else f"{problem}."
        return api_error(answer.status, problem, next_step=DOUBT if answer.leaves_doubt else None)

    def strange(self, answer: Response) -> ApiError:
        """Make the error of an answer that is none by its status, and yet no answer to such a request."""
        return answer.misfit(f"{self.service} answered {answer.status} to a {answer.method}, with {answer.kind}.")

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
                # Certificates take 50 ms to load; of an http address none is ever asked for, redirects included.
                verify=self._base.scheme != "http",
                follow_redirects=False,
                # A kept session would outlive the credentials, and mix up callers behind one pool.
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            )
        return self._client

    async def _received(self, request: httpx2.Request, at_most: int | None) -> tuple[int, httpx2.Headers, bytes]:
        response = await self._pool().send(request, stream=at_most is not None)
        if at_most is None:
            return response.status_code, response.headers, response.content
        most = at_most if response.status_code < 400 else max(at_most, EXPLANATION)
        start = bytearray()
        try:
            async for piece in response.aiter_bytes():
                start += piece
                if len(start) >= most:
                    break
        finally:
            await response.aclose()
        return response.status_code, response.headers, bytes(start[:most])

    async def _observed(
        self, request: httpx2.Request, at_most: int | None, attempt: int
    ) -> tuple[int, httpx2.Headers, bytes]:
        """Send it once, and let those know who keep watch."""
        if not observing.is_observed():
            return await self._received(request, at_most)
        started, status = time.perf_counter(), None
        try:
            received = await self._received(request, at_most)
            status = received[0]
        finally:
            observing.request_sent(
                RequestRecord(
                    service=self.service,
                    host=self._base.host,
                    method=request.method,
                    route=request.extensions["route"],
                    status=status,
                    seconds=time.perf_counter() - started,
                    attempt=attempt + 1,
                )
            )
        return received

    async def _sent(self, request: httpx2.Request, *, repeatable: bool, writes: bool, at_most: int | None) -> Response:
        lost = False
        for attempt in range(retry.ATTEMPTS):
            last = attempt == retry.ATTEMPTS - 1
            try:
                status, headers, content = await self._observed(request, at_most, attempt)
            except httpx2.TransportError as error:
                if last or not retry.after_error(error, repeatable=repeatable):
                    raise self._unanswered(error, doubt=writes and (lost or not retry.never_sent(error))) from error
                lost = lost or not retry.never_sent(error)
                wait = retry.pause(attempt, None)
            except (httpx2.DecodingError, httpx2.InvalidURL) as error:
                problem = f"{self.service} sent an answer that cannot be read."
                raise ApiError(problem, next_step=DOUBT if writes else None) from error
            else:
                if lost and writes and (done := retry.done_before(request.method, status)):
                    raise NetworkError(
                        f"{self.service} gave no answer at first, and then answered {status}.", next_step=done
                    )
                wait = retry.pause(attempt, headers.get("retry-after"))
                if last or wait > retry.LONGEST_WAIT or not retry.after_status(status, repeatable=repeatable):
                    return Response(status, headers, content, request.method, writes, unsure=lost)
                lost = lost or status in retry.LOST
            await self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _redirect(self, request: httpx2.Request, answer: Response, given: dict[str, str]) -> httpx2.Request | None:
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
        return self._pool().build_request(request.method, target, headers=given, extensions=request.extensions)

    def _unanswered(self, error: httpx2.TransportError, *, doubt: bool) -> Failure:
        if retry.never_sent(error):
            problem = f"{self.service} at {self.base_url} cannot be reached{_cause(error)}."
            return NetworkError(problem, next_step=DOUBT if doubt else "Check the address and that the service is up.")
        if isinstance(error, httpx2.TimeoutException):
            problem = f"{self.service} did not answer in time."
        else:
            problem = f"{self.service} broke the connection before it answered."
        return NetworkError(problem, next_step=DOUBT if doubt else "Try again in a while.")


@lru_cache(maxsize=256)  # of two requests, one goes where another went before
def _address(base: httpx2.URL, path: str) -> httpx2.URL:
    return base.copy_with(raw_path=base.raw_path.rstrip(b"/") + path.encode())


def _cause(error: BaseException) -> str:
    """Name what an unmade connection failed of, where that is known."""
    told: BaseException | None = error
    while told is not None:
        if isinstance(told, ssl.SSLCertVerificationError):
            return f": its certificate is not trusted ({told.verify_message})"
        if isinstance(told, ssl.SSLError):
            return ": it does not speak https there"
        if isinstance(told, socket.gaierror):
            return ": no such host name is known"
        if isinstance(told, ConnectionRefusedError):
            return ": nothing listens there"
        told = told.__cause__ or told.__context__
    return ""
