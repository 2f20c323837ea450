"""What every answer is read into, and what is said when it cannot be."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from aboveboard.errors import ApiError
from aboveboard.http import Response

T = TypeVar("T")


class Model(BaseModel):
    """What Nextcloud calls `internalPath` is `internal_path` here, in arguments and results alike."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, frozen=True)


def check_value(value: object, into: type[T], answer: Response) -> T:
    """Read a value into a type, or say where it is not of that form."""
    try:
        return _adapter(into).validate_python(value)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"]) or "its data"
        raise unknown_form(answer, where) from None


def unknown_form(answer: Response, where: str) -> ApiError:
    """Say that an answer is not what this client expects."""
    return answer.misfit(
        f"Nextcloud answered in a form this client does not know (at {where}).",
        next_step="Its version may be too old or too new for this server.",
    )


def http_date(text: str | None) -> datetime | None:
    """Read a date as HTTP writes it; what is none is left out."""
    try:
        return parsedate_to_datetime(text).astimezone(UTC) if text else None
    except (ValueError, TypeError, OverflowError):
        return None


def unix_date(seconds: int | None) -> datetime | None:
    """Read a date given in seconds; what is none is left out."""
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


@lru_cache(maxsize=256)
def _adapter(into: Any) -> TypeAdapter[Any]:
    return TypeAdapter(into)
