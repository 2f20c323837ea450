"""Ids as an attacker or a confused model writes them, and what stands in the projects that they would like to reach."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st
from tests.lightdash import places
from tests.lightdash.calls import PREVIEW, VALUES
from tests.lightdash.places import MAIN as FORBIDDEN
from tests.lightdash.places import PREVIEW as ALLOWED
from tests.lightdash.sessions import TOOLS

from aboveboard.lightdash.sandbox import Sandbox

PIECES: Final = (
    *(".", "..", "/", "\\", "%2f", "%2e", "%2e%2e", "%252f", "%", "%00", "?", "#", "&", ";", "@", ":", "//", "....//"),
    *(" ", "\t", "\n", "\r\n", "\x00", "\u2215", "\u2024", "\u2025", "\uff0e\uff0e\uff0f", "\ufeff", "\u202e"),
    *("projects", "spaces", "saved", "projectUuids=", "Authorization: ApiKey other", "null", "0", "-", ",", "*"),
    *("http://elsewhere.example", "elsewhere.example", "file:", "x" * 5_000),
    *(FORBIDDEN, FORBIDDEN.upper(), ALLOWED, places.MAIN_CHART, places.SALES, "weekly-review", "refunds"),
)


def wide(text: str) -> str:
    """Write a text in letters that look alike."""
    return "".join(chr(ord(char) + 0xFEE0) if char.isalnum() else char for char in text)


SPELLINGS: Final[tuple[Callable[[str], str], ...]] = (
    str,
    str.upper,
    "{{{}}}".format,
    "urn:uuid:{}".format,
    " {}".format,
    "{}\n".format,
    wide,
)
IDS_THERE: Final = (FORBIDDEN, places.MAIN_CHART, places.MAIN_DASHBOARD, places.SALES, places.MAIN_TAG)


def spelled(ids: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Draw ids in the ways that some parser takes for the same."""
    return st.tuples(ids, st.sampled_from(SPELLINGS)).map(lambda pair: pair[1](pair[0]))


HOSTILE: Final = st.one_of(
    spelled(st.sampled_from(IDS_THERE)),
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.builds("{}{}{}".format, st.sampled_from((ALLOWED, "", "..")), st.sampled_from(PIECES), st.sampled_from(PIECES)),
    st.text(max_size=12),
)


# These go into bodies as they are, and name nothing.
WORDS: Final = ("name", "description", "text", "message", "markdown", "title", "prompt", "instruction", "color", "cron")


def texts_of(tool: str) -> dict[str, bool]:
    """Return the parameters of a tool that take any text that names something, and whether each takes a list."""
    properties: Mapping[str, Any] = TOOLS[tool].input_schema.get("properties", {})
    kinds = {name: about.get("items", about) for name, about in properties.items()}
    return {
        name: "items" in properties[name]
        for name, kind in kinds.items()
        if kind.get("type") == "string" and "enum" not in kind and name not in WORDS
    }


def ids_of(tool: str) -> list[str]:
    """Return the parameters of a tool that take one id, of whatever kind."""
    names = ("chart", "dashboard", "sql_chart", "item", "comment_id", "reply_to", "job_id", "url")
    return [name for name, many in texts_of(tool).items() if not many and (name.endswith("_uuid") or name in names)]


@cache
def owners() -> dict[str, str]:
    """Return what stands in a project of the sandbox, by UUID, and in which."""
    sandbox = Sandbox()
    dump = sandbox.dump()
    sandbox.close()
    owned = {key.split("/")[1]: str(value) for key, value in dump.items() if key.endswith("/project")}
    below = {key.split("/")[2]: key.split("/")[1] for key in dump if key.split("/")[0] in ("tiles", "chart_versions")}
    return owned | {one: owned[above] for one, above in below.items()}


FOREIGN: Final = sorted(one for one, project in owners().items() if project != ALLOWED)

# What the plan's names stand for, and real things in the place of what it would arrange: in the project that must not
# be touched, and in the one that may be.
THERE: Final[Mapping[str, Any]] = {
    **VALUES,
    "tile": places.MAIN_TILE,
    "tag": places.MAIN_TAG,
    "scheduler": places.MAIN_SCHEDULER,
    "sql_chart": "3b000000-0000-4000-8000-000000000001",
    "version": "9a000000-0000-4000-8000-000000000001",
    "room": places.SALES,
}
HERE: Final[Mapping[str, Any]] = {**VALUES, **PREVIEW, "room": places.PREVIEW_SPACE}
