"""What is asked of anything that keeps a state."""

from typing import Any, Protocol


class Store(Protocol):
    """A place where state is kept."""

    @property
    def name(self) -> str:
        """What its facts are listed under."""
        ...

    async def dump(self) -> Any:
        """Return all that is there, as JSON: texts, not digests of them."""
        ...

    async def take(self) -> None:
        """Remember all that is there."""
        ...

    async def restore(self) -> None:
        """Bring back what was remembered, and remove what is new."""
        ...


def readable(value: bytes) -> str:
    """Show bytes as the text they are, or else in hexadecimal digits."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return f"hex:{value.hex()}"
