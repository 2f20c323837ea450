"""HTTP for any service: one pooled session with a guard, retries, and errors people can read."""

from aboveboard.http.answer import Answer
from aboveboard.http.guard import Nature
from aboveboard.http.path import Path, path
from aboveboard.http.session import Session

__all__ = ["Answer", "Nature", "Path", "Session", "path"]
