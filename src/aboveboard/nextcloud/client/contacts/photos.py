"""Pictures of contacts, as they are given and as cards hold them."""

import base64
import binascii
from typing import Final

from aboveboard.errors import BadInput

_STARTS: Final = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}
LARGEST: Final = 3_500_000
"""Bytes. Nextcloud takes no card above 5 MiB, and Base64 makes a third more of them."""


def photo_line(given: str, version: str) -> tuple[list[str], str]:
    """Return the parameters and the value of a picture, within the card or elsewhere."""
    if given.startswith(("https://", "http://")):
        if not given.isprintable() or " " in given:
            raise BadInput("The photo's address holds characters that no address has.")
        return ["VALUE=uri"] if version != "4.0" else [], given
    data = _bytes_of(given)
    kind = next((kind for start, kind in _STARTS.items() if data.startswith(start)), None)
    if kind is None:
        raise BadInput("The photo is not a PNG, JPEG, GIF or WebP.", next_step="Give the Base64 of such a picture.")
    if len(data) > LARGEST:
        raise BadInput(f"The photo has {len(data)} bytes.", next_step=f"Give one of at most {LARGEST} bytes.")
    text = base64.b64encode(data).decode()
    if version == "4.0":
        return [], f"data:image/{kind};base64,{text}"
    return ["ENCODING=b", f"TYPE={kind.upper()}"], text


def _bytes_of(given: str) -> bytes:
    text = given.partition(",")[2] if given.startswith("data:") else given
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadInput(
            "The photo is not Base64.", next_step="Give the Base64 of a picture, or an https address."
        ) from None
