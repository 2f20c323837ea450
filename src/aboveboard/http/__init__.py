"""HTTP for any service: one pooled session with a guard, retries, and errors people can read."""

from aboveboard.http.guard import Nature
from aboveboard.http.path import Path, path
from aboveboard.http.response import Response
from aboveboard.http.session import Session

__all__ = ["Nature", "Path", "Response", "Session", "path"]
