"""Ids are data, for tools too, which do not speak HTTP: what is not a UUID is refused before anything is sent."""

from aboveboard.http.path import is_uuid, uuid

__all__ = ["is_uuid", "uuid"]
