"""How servers do something a while after their answer: LATER seconds, on a clock that LATER_CLOCK can make faster."""

import os
from collections.abc import Callable
from threading import Timer


def later(act: Callable[..., object], *arguments: object) -> None:
    """Do it when the time has come; whoever ends the server before has not waited."""
    seconds = float(os.environ["LATER"]) * float(os.environ.get("LATER_CLOCK", "1"))
    timer = Timer(seconds, act, arguments)
    timer.daemon = True
    timer.start()
