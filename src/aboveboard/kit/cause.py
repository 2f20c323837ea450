"""What ended a call, where requests that are sent in parallel fail as a group."""

from typing import cast

from mcp.shared.exceptions import MCPError

from aboveboard.errors import Failure


def cause(error: BaseException) -> BaseException:
    """Return what ended the call; of a group, the gravest."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    return max(map(cause, cast("BaseExceptionGroup[BaseException]", error).exceptions), key=_gravity)


def _gravity(error: BaseException) -> int:
    """Order causes: a dry run's end tells the most, and a defect must not be lost behind a failure."""
    if not isinstance(error, Exception):
        return 2
    return 0 if isinstance(error, Failure | MCPError) else 1
