"""Things with every field set to something unusual, as the plan lets another program make them.

What takes many requests is made in one sandbox, and others are brought to the state that it led to.
"""

from functools import cache
from typing import Any, Final

from tests.nextcloud.calls import VALUES
from tests.nextcloud.sessions import connected, serving
from tests.plans import case_of, take_steps

from aboveboard.audit.verify.plan import ForeignRequest
from aboveboard.nextcloud.sandbox import Sandbox
from aboveboard.sandbox.store import Store

ODD_BOARD: Final = ("deck_move_card_to_board", "an odd one")
ODD_FILE: Final = ("nc_webdav_move_resource", "an odd one")
ODD_TABLE: Final = ("nc_tables_update_table", "the title")
_made: Final[dict[tuple[str, str], tuple[Store, dict[str, Any]]]] = {}


async def bring(sandbox: Sandbox, tool: str, name: str) -> dict[str, Any]:
    """Bring a sandbox from its first state to where a case of the plan is arranged; return what is known by then."""
    assert sandbox.dump() == _first_dump(), "something was written before"
    if (tool, name) not in _made:
        async with connected(serving(sandbox)) as session:
            known = await take_steps(session, case_of("nextcloud", tool, name), VALUES)
        _made[tool, name] = sandbox.copy(), known
    state, known = _made[tool, name]
    sandbox.reset(state)
    return known


def text_sent(tool: str, name: str) -> str:
    """Return the text that another program sends first where a case of the plan is arranged."""
    texts = (step.content for step in case_of("nextcloud", tool, name).arrange if isinstance(step, ForeignRequest))
    return next(one for one in texts if isinstance(one, str))


@cache
def _first_dump() -> dict[str, object]:
    sandbox = Sandbox()
    dump = sandbox.dump()
    sandbox.close()
    return dump
