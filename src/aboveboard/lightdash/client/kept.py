"""What we do not understand, we keep: an update starts from the whole of a thing, as Lightdash told it."""

from typing import Any, ClassVar, Self, cast

from pydantic import ModelWrapValidatorHandler, PrivateAttr, model_validator

from aboveboard.lightdash.client.api import Model


class Kept(Model):
    """A thing that remembers all that Lightdash said of it.

    Where an update replaces the whole, what it leaves out is gone, also what a later Lightdash will have invented.
    """

    beside: ClassVar[frozenset[str]] = frozenset()
    """What such an update does not touch: ids, names, places, and what Lightdash counts by itself."""

    _told: dict[str, Any] = PrivateAttr(default_factory=dict[str, Any])

    @model_validator(mode="wrap")
    @classmethod
    def _keep(cls, answer: object, read: ModelWrapValidatorHandler[Self]) -> Self:
        made = read(answer)
        if isinstance(answer, dict):
            made._told = cast("dict[str, Any]", answer)
        return made

    def content(self) -> dict[str, Any]:
        """Return all that an update replaces; no null, for Lightdash says null where it takes only nothing at all."""
        return {key: value for key, value in self._told.items() if value is not None and key not in self.beside}
