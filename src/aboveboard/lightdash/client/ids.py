"""Ids are data: what is no UUID is refused before anything is sent."""

from aboveboard.http.path import is_uuid, uuid

__all__ = ["is_uuid", "uuid"]
