"""What changes answer in all areas where there is little to tell: the name of the thing, and where people open it."""

from aboveboard.lightdash.client.api import Named
from aboveboard.lightdash.tools.gone import Deleted


class Opened(Named):
    """A thing that was changed, and where people open it."""

    url: str


class Withdrawn(Deleted):
    """What someone has no longer, and where people open the thing that it was part of."""

    url: str
