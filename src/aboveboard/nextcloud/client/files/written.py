"""What is told of a file or folder that was written, made, moved or copied."""

import re
from datetime import datetime

from aboveboard.http import Response
from aboveboard.nextcloud.client.files.entries import plain
from aboveboard.nextcloud.client.files.etags import bare
from aboveboard.nextcloud.client.files.overwriting import mark_etag
from aboveboard.nextcloud.client.model import Model


class Written(Model):
    """A file that was written, moved or copied."""

    path: str
    created: bool
    etag: str | None = None
    id: int | None = None
    unchanged: bool = False
    """Whether it held just that already: then nothing was written."""
    over: datetime | None = None
    """When that was written which it held before, if it was read before it was written over."""


def read_written(answer: Response, path: str, data: bytes | None = None) -> Written:
    """Read from an answer what was written; a file's etag goes by its bytes too, as the same one may stand for two."""
    number = re.match(r"\d+", answer.headers.get("oc-fileid", ""))
    etag = bare(answer.headers.get("oc-etag") or answer.headers.get("etag"))
    return Written(
        path=plain(path),
        created=answer.status == 201,
        etag=etag if data is None else mark_etag(etag, data, 0, len(data)),
        id=int(number[0]) if number else None,
    )
