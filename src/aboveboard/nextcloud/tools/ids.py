"""Ids that may be given as titles: a parameter takes either, and a tool gets the id (`client/name_lookup.py`)."""

from typing import Any

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from aboveboard.nextcloud.client.name_lookup import is_number


def _id_or_title(given: Any) -> Any:
    if isinstance(given, str):
        return int(given.strip()) if is_number(given) else given
    if isinstance(given, float) and given.is_integer():
        return int(given)
    if given is None or (isinstance(given, int) and not isinstance(given, bool)):
        return given
    raise PydanticCustomError("string_type", "an id or a title")


OrTitle = PlainValidator(_id_or_title)
AS_TEXT = WithJsonSchema({"type": "string"})
"""A place has one type: clients that can write only that write the id as text."""
