"""Who may reset the sandbox and see all of it: whoever has its token, and no web page that a browser opens."""

from collections.abc import Iterable
from hmac import compare_digest
from typing import Final

HEADER: Final = b"x-sandbox-token"
WANTED: Final = b"This wants the header X-Sandbox-Token, with the token that the sandbox shows at its start.\n"


def may_control(headers: Iterable[tuple[bytes, bytes]], token: str) -> bool:
    """Tell whether a request comes with the token."""
    given = [value for name, value in headers if name.lower() == HEADER]
    return len(given) == 1 and compare_digest(given[0], token.encode())
