"""What a command costs before it does anything."""

import subprocess
import sys
from typing import Final

from tests.cli.command import environment
from tests.patience import patience

# A server whose client is gone at once, and for each look for garbage how much was left out of it.
_WATCHED: Final = """
import gc, sys
from aboveboard.cli import main
left_out = []
gc.callbacks.append(lambda phase, _: left_out.append(gc.get_freeze_count()) if phase == "start" else None)
sys.argv = ["aboveboard", "serve", "lightdash", "--sandbox"]
try:
    main()
finally:
    gc.collect()
    print(gc.isenabled(), min(left_out), file=sys.stderr)
"""


def test_garbage_is_looked_for_once_modules_are_loaded_and_not_in_them() -> None:
    ended = subprocess.run(
        (sys.executable, "-c", _WATCHED),
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=patience(60),
    )
    enabled, left_out = ended.stderr.split()
    assert enabled == "True"
    assert int(left_out) > 100_000
