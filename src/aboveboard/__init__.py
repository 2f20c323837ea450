"""MCP servers whose tools do exactly what their labels say, and the auditor that proves it.

What stands here is for building servers of your own: docs/building.md. A name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

__version__: Final = "0.1.0"

if TYPE_CHECKING:
    from aboveboard.effects import (
        ADD,
        DELETE,
        EDIT,
        ENSURE,
        READ,
        REPLACE,
        RUN,
        Effect,
        annotations,
        holding,
        under,
    )
    from aboveboard.errors import (
        ApiError,
        BadInput,
        Conflict,
        Failure,
        GuardError,
        NetworkError,
        NotFound,
        RateLimited,
        Refused,
        Unauthorised,
    )
    from aboveboard.http.guard import Nature
    from aboveboard.http.path import path
    from aboveboard.http.response import Response
    from aboveboard.http.session import Session
    from aboveboard.http.transport import guarded
    from aboveboard.kit.audit_log import AuditLog
    from aboveboard.kit.call import Call
    from aboveboard.kit.caller import Caller
    from aboveboard.kit.declaring import declaring
    from aboveboard.kit.mode import Mode
    from aboveboard.kit.policy import Policy
    from aboveboard.kit.service import Service
    from aboveboard.kit.serving.web import WebSettings
    from aboveboard.kit.start import serve
    from aboveboard.kit.toolset import Toolset
    from aboveboard.observing import CallRecord, Observer, RequestRecord

__all__ = [
    "ADD",
    "DELETE",
    "EDIT",
    "ENSURE",
    "READ",
    "REPLACE",
    "RUN",
    "ApiError",
    "AuditLog",
    "BadInput",
    "Call",
    "CallRecord",
    "Caller",
    "Conflict",
    "Effect",
    "Failure",
    "GuardError",
    "Mode",
    "Nature",
    "NetworkError",
    "NotFound",
    "Observer",
    "Policy",
    "RateLimited",
    "Refused",
    "RequestRecord",
    "Response",
    "Service",
    "Session",
    "Toolset",
    "Unauthorised",
    "WebSettings",
    "__version__",
    "annotations",
    "declaring",
    "guarded",
    "holding",
    "path",
    "serve",
    "under",
]

_HOMES: Final = {
    "aboveboard.effects": (
        *("READ", "ADD", "ENSURE", "REPLACE", "EDIT", "DELETE", "RUN"),
        *("Effect", "annotations", "holding", "under"),
    ),
    "aboveboard.errors": (
        *("Failure", "BadInput", "ApiError", "NotFound", "Unauthorised", "Refused", "Conflict", "RateLimited"),
        *("NetworkError", "GuardError"),
    ),
    "aboveboard.http.guard": ("Nature",),
    "aboveboard.http.path": ("path",),
    "aboveboard.http.response": ("Response",),
    "aboveboard.http.session": ("Session",),
    "aboveboard.http.transport": ("guarded",),
    "aboveboard.kit.audit_log": ("AuditLog",),
    "aboveboard.kit.call": ("Call",),
    "aboveboard.kit.caller": ("Caller",),
    "aboveboard.kit.declaring": ("declaring",),
    "aboveboard.kit.mode": ("Mode",),
    "aboveboard.kit.policy": ("Policy",),
    "aboveboard.kit.service": ("Service",),
    "aboveboard.kit.start": ("serve",),
    "aboveboard.kit.serving.web": ("WebSettings",),
    "aboveboard.kit.toolset": ("Toolset",),
    "aboveboard.observing": ("CallRecord", "Observer", "RequestRecord"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'aboveboard' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return found


def __dir__() -> list[str]:
    return [*globals(), *__all__]
