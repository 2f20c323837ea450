"""What a tool's name and description say it does, where they say it unmistakably.

A word is a suspicion and no proof, so what can honestly mean something else says nothing here: `create_embedding`,
`remove_background`, `add_numbers`, `send_query`, `reset_view`, `preview_delete`, `get_deleted_items`.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final


def _these(text: str) -> frozenset[str]:
    return frozenset(text.split())


READS: Final = _these("list get search read find fetch show describe count view lookup browse inspect peek")

# A word that makes the rest of a name the object of a reading, a dry run or a computation.
SOFTENS: Final = READS | _these(
    "query retrieve preview plan simulate simulation dry validate check verify estimate explain diff compare suggest"
    " generate template log logs history status audit schema docs help can whether example examples url link test"
    " analyze analyse parse format convert render calculate compute draft undo"
)

WRITES: Final = _these("delete update upsert insert upload publish unpublish rename overwrite uninstall revoke")
LOSES: Final = frozenset({"delete", "overwrite"})

# These write only where the thing they name is kept somewhere.
WRITES_RECORDS: Final = _these(
    "create add write edit save remove move post set append put drop erase purge modify replace patch truncate destroy"
    " wipe send"
)
LOSES_RECORDS: Final = _these("remove erase drop purge truncate destroy wipe")

RECORDS: Final = _these(
    "account alert appointment board bookmark bucket card channel collection column comment contact credential"
    " customer dashboard database directory document email employee entry event field file folder group index invoice"
    " issue item job key label list mail member membership message note object order organization page password payment"
    " permission post product project property record recipe reminder repository repo role row rule secret share sms"
    " space subscription table tag task team ticket token topic tweet user value webhook workspace"
)

DENIES: Final = re.compile(
    r"dry[- ]run|without (chang|writ|sav|send|delet|modif|creat)ing|\bnever\b|\bnothing\b"
    r"|\b(does not|doesn't) (\w+ly |itself )?(chang|writ|modif|delet|alter|sav|send|stor|creat|affect|touch"
    r"|updat|remov|persist|replac|overwrit|execut|run|appl|commit|mutat|los|drop|clear)"
    r"|\bno changes?\b|\bonly (shows?|returns?|previews?|simulates?|reads?)\b|\bread-only\b|\breturns? (a|the) new\b",
    re.IGNORECASE,
)
UPDATES: Final = _these("update set edit patch upsert modify replace rename overwrite")
# A mark, which is put on or taken off and has no old value to lose.
MARKS: Final = _these("favorite favourite star pin flag read unread seen default current active subscription follow")
# What says that the old value stays, or that there was none.
KEEPS: Final = re.compile(
    r"\b(append(s|ed)?\b|add(s|ed|ing)? (a|an|the|to|new)\b|keeps?\b|kept\b|preserv|new version\b|nothing is lost"
    r"|without (losing|overwriting|replacing)|only (if|where) (it is )?(empty|unset|missing))",
    re.IGNORECASE,
)
_LEADING_LOSS: Final = re.compile(r"\s*(permanently\s+)?(deletes?|overwrites?)\b", re.IGNORECASE)
_LEADING_REPLACEMENT: Final = re.compile(r"\s*(replaces?|overwrites?) (all |the |an? )", re.IGNORECASE)
# A file that is left behind, whatever the tool is called.
_SAVES: Final = re.compile(
    r"\b(saves?|writes?|stores?)\b[^.]{0,40}\b(files?|disk|director(y|ies)|folder)\b", re.IGNORECASE
)
_LEADING_READ: Final = re.compile(
    r"\s*(lists?|gets?|returns?|reads?|shows?|finds?|search(es)?|fetch(es)?|counts?|describes?|retrieves?)\b",
    re.IGNORECASE,
)
_ANY_WRITE: Final = re.compile(
    r"\b(creat|delet|remov|updat|writ|mark|consum|acknowledg|pop|claim|reserv|lock|charg|send|sent|stor|sav|log|record"
    r"|increment|refresh|clear|reset|renew|register|download|tak|dequeue|charge|bill|side effect)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Intent:
    """The word that says a tool reads, writes or loses something; empty where none says so without doubt."""

    reads: str = ""
    writes: str = ""
    loses: str = ""


def words(name: str) -> list[str]:
    """Split a name of any casing into lower-case words."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return [word.lower() for word in re.findall(r"[A-Za-z]+|[0-9]+", spaced)]


def intent(name: str, description: str) -> Intent:
    """Tell what a tool's words say of its effect."""
    parts = words(name)
    if DENIES.search(description):
        return Intent()
    wrote, lost = _first(parts, WRITES, WRITES_RECORDS), _first(parts, LOSES, LOSES_RECORDS)
    if _joined(parts):
        return Intent(writes=wrote, loses=lost)
    if not SOFTENS.isdisjoint(parts):
        reads = next((part for part in parts if part in READS), "") if not wrote else ""
        plain = _LEADING_READ.match(description) and not _ANY_WRITE.search(description)
        return Intent(reads=reads if plain else "")
    if leading := _LEADING_LOSS.match(description):
        lost = lost or leading[2].lower()
    saved = _SAVES.search(description)
    return Intent(writes=wrote or lost or (saved[1].lower() if saved else ""), loses=lost)


def reading_verb(name: str) -> bool:
    """Tell whether a name begins, after a prefix, with a word for reading."""
    verbs = (part for part in words(name) if part in SOFTENS | WRITES | WRITES_RECORDS)
    return next(verbs, "") in READS


def writing_verb(name: str) -> bool:
    """Tell whether a name says that something is written, and says nothing of reading."""
    parts = words(name)
    return bool(_first(parts, WRITES, WRITES_RECORDS)) and SOFTENS.isdisjoint(parts)


def updating_verb(name: str, description: str) -> str:
    """Return the word that says a tool replaces what is there; empty where other words say that it is kept.

    What comes before the word can soften it (`preview_update`), what comes after is its object (`set_status`).
    """
    parts = words(name)
    at = next((place for place, part in enumerate(parts[:3]) if part in UPDATES and part != parts[-1]), None)
    if not SOFTENS.isdisjoint(parts[:at]) or not MARKS.isdisjoint(parts):
        return ""
    if DENIES.search(description) or KEEPS.search(description) or _begins_softly(description):
        return ""
    leading = _LEADING_REPLACEMENT.match(description)
    return parts[at] if at is not None else leading[1].lower() if leading else ""


def _begins_softly(description: str) -> bool:
    """Tell whether a description begins with a word for reading, trying or computing."""
    first = next(iter(words(description)), "")
    return bool(_LEADING_READ.match(description)) or first in SOFTENS or singular(first) in SOFTENS


def singular(word: str) -> str:
    """Strip a plural ending, roughly."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _first(parts: list[str], sure: frozenset[str], with_record: frozenset[str]) -> str:
    records = {singular(part) for part in parts} & RECORDS
    for part in parts:
        if part in sure or (part in with_record and records - {part}):
            return part
    return ""


def _joined(parts: list[str]) -> bool:
    """Tell whether a reading and a writing are joined, as in `get_or_create`."""
    return any(joint in ("or", "and") and after in WRITES | WRITES_RECORDS for joint, after in pairwise(parts))


def plural(count: int, noun: str) -> str:
    """Count something: 1 tool, 2 tools."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
