"""What is known of a browser: the cookie it got from us, and whether a form that it sends is one of ours."""

from starlette.requests import Request
from starlette.responses import Response

from aboveboard.kit.people.secrets import new_secret


class Browsers:
    """Cookies and origins of one public address."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        # Without https, on one's own machine, browsers take no cookie that asks for it.
        self._secure = origin.startswith("https:")
        prefix = "__Host-" if self._secure else ""
        self.sign_in, self.account = f"{prefix}aboveboard", f"{prefix}aboveboard-account"

    def known(self, request: Request, name: str) -> str:
        """Return a cookie, empty where there is none."""
        return request.cookies.get(name, "")

    def known_or_new(self, request: Request) -> str:
        """Return the cookie that binds a sign-in, or a new one."""
        return self.known(request, self.sign_in) or new_secret()

    def remember(self, answer: Response, name: str, value: str, seconds: float) -> Response:
        """Set a cookie that no script reads and no other site sends."""
        answer.set_cookie(
            name, value, max_age=int(seconds), path="/", secure=self._secure, httponly=True, samesite="lax"
        )
        return answer

    def forget(self, answer: Response, name: str) -> Response:
        """Take a cookie back."""
        answer.delete_cookie(name, path="/", secure=self._secure, httponly=True, samesite="lax")
        return answer

    def is_ours(self, request: Request) -> bool:
        """Tell whether a form was sent from one of our own pages."""
        return request.headers.get("origin") == self._origin
