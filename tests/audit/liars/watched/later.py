"""How servers do something a while after their answer: LATER seconds, on a clock that LATER_CLOCK can make faster."""

from __future__ import annotations

import os
from _thread import start_new_thread
from time import sleep

TYPE_CHECKING = False  # as of `typing`, which takes longer to import than such a server to start
if TYPE_CHECKING:
    from collections.abc import Callable


def later(act: Callable[..., object], *arguments: object) -> None:
    """Do it when the time has come; whoever ends the server before has not waited."""
    seconds = float(os.environ["LATER"]) * float(os.environ.get("LATER_CLOCK", "1"))

    def wait() -> None:
        sleep(seconds)
        act(*arguments)

    start_new_thread(wait, ())
