"""When a delivery is due: cron expressions, time zones and addresses, checked before anything is sent.

Lightdash answers a wrong cron expression with a sentence about frequencies, and takes any text as an address.
"""

import re
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from aboveboard.errors import BadInput

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("minute", 0, 59, ()),
    ("hour", 0, 23, ()),
    ("day of the month", 1, 31, ()),
    ("month", 1, 12, _MONTHS),
    ("day of the week", 0, 7, _DAYS),
)
_PART = re.compile(r"(?:\*|(?P<first>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d+))?")
# One @, something on both sides, a dot in the domain: what no mail server can do without.
_EMAIL = re.compile(r"[^@\s<>(),;:\"\\\[\]]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]*[A-Za-z0-9])+")


def check_cron(cron: str) -> str:
    """Return a cron expression of five fields, at most hourly, or say which field is wrong."""
    fields = cron.split()
    if len(fields) != len(_FIELDS):
        raise BadInput(
            f"{cron!r} is not a cron expression: give minute, hour, day, month and weekday, such as 0 9 * * 1."
        )
    for text, (name, low, high, words) in zip(fields, _FIELDS, strict=True):
        if not all(_possible(part, low, high, words) for part in text.lower().split(",")):
            raise BadInput(
                f"The {name} of the cron expression {cron!r} cannot be {text!r}: it goes from {low} to {high}."
            )
    if not fields[0].isdecimal():
        raise BadInput(f"{cron!r} is due more than once an hour, and Lightdash takes hourly at most: name one minute.")
    return " ".join(fields)


def _possible(part: str, low: int, high: int, words: tuple[str, ...]) -> bool:
    found = _PART.fullmatch(part)
    if found is None or (found["step"] is not None and int(found["step"]) == 0):
        return False
    numbers = [_number(text, words, low) for text in (found["first"], found["last"]) if text is not None]
    return all(low <= number <= high for number in numbers) and numbers == sorted(numbers)


def _number(text: str, words: tuple[str, ...], low: int) -> int:
    if text in words:
        return words.index(text) + low
    return int(text) if text.isdecimal() else -1


def check_timezone(name: str) -> str:
    """Return the name of a time zone that there is."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # no such file, a folder, or a path that leads elsewhere
        raise BadInput(
            f"There is no time zone {name!r}.", next_step="Use a name such as Europe/Berlin, or UTC."
        ) from None
    return name


def check_emails(addresses: Sequence[str]) -> list[str]:
    """Return addresses that mail could reach, each once."""
    for address in addresses:
        if not _EMAIL.fullmatch(address):
            raise BadInput(f"{address!r} is not an e-mail address.")
    return list(dict.fromkeys(addresses))
