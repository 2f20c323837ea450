"""Writes under way: whoever writes the same file or note meanwhile is refused, and nothing is done."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from urllib.parse import unquote

from aboveboard.nextcloud.sandbox.dav.dialect import DavError
from aboveboard.nextcloud.sandbox.notes.notes import notes_response
from aboveboard.sandbox.wire import Response

_FILE = re.compile(r".*/remote\.php/dav/files/[^/]+(?P<name>/.+)")
_NOTE = re.compile(r".*/apps/notes/api/v[\d.]+/notes/\d+")


class Busy:
    """What is being written just now."""

    def __init__(self) -> None:
        self._paths = set[str]()

    @contextmanager
    def writing(self, method: str, path: str) -> Generator[Response | None]:
        """Hold a file or note while its new content arrives; where someone else holds it, yield the refusal."""
        file, note = _FILE.fullmatch(path), _NOTE.fullmatch(path)
        if method != "PUT" or not (file or note):
            yield None
        elif path in self._paths:
            yield _file_locked(unquote(file["name"])) if file else notes_response({"errorType": "Exception"}, 423)
        else:
            self._paths.add(path)
            try:
                yield None
            finally:
                self._paths.discard(path)


def _file_locked(name: str) -> Response:
    return DavError(423, r"OCA\DAV\Connector\Sabre\Exception\FileLocked", f'"{name}" is locked').response()
