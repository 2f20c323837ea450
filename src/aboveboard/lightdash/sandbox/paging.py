"""Pages of a list: 1-based, any size, empty past the end."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard.lightdash.sandbox.checks import Checks
from aboveboard.lightdash.sandbox.wire import CrashError, ServiceError

_BIGINT = 2**63


@dataclass(frozen=True)
class Page:
    """Which part of a list is wanted."""

    page: float
    size: float

    def __post_init__(self) -> None:
        for name, value in (("page", self.page), ("pageSize", self.size)):
            if value < 1:
                raise ServiceError(422, "PaginationError", f"{name} should be greater than 0")
        if self.offset >= _BIGINT:
            raise CrashError

    @property
    def offset(self) -> int:
        """How many items come before the page."""
        return round((self.page - 1) * self.size)

    @property
    def limit(self) -> int:
        """How many items it holds at most."""
        return round(self.size)

    def summary(self, total: int) -> dict[str, object]:
        """What an answer says about its page."""
        return {
            "page": _plain(self.page),
            "pageSize": _plain(self.size),
            "totalPageCount": math.ceil(total / self.size),
            "totalResults": total,
        }


def wanted_page(page: float | None, size: float | None) -> Page | None:
    """A page only where both numbers are sent and neither is 0."""
    return Page(page, size) if page and size else None


def read_page(checks: Checks) -> tuple[float | None, float | None]:
    """`page` and `pageSize` as they were sent."""
    return checks.number("page"), checks.number("pageSize")


def list_body(items: Sequence[object], page: Page | None, *, pagination_first: bool = False) -> dict[str, object]:
    """`{data}` for everything, `{data, pagination}` for a page; the real lists differ in the order of the two."""
    if page is None:
        return {"data": items}
    data: dict[str, object] = {"data": items[page.offset : page.offset + page.limit]}
    summary: dict[str, object] = {"pagination": page.summary(len(items))}
    return summary | data if pagination_first else data | summary


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number
