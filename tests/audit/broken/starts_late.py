"""Takes so long to start that two questions wait for it; it answers both, and knows no handshake."""

import sys
from itertools import chain

from tests.audit.liars.stage import GET, serve

if __name__ == "__main__":
    waiting = [sys.stdin.readline(), sys.stdin.readline()]
    sys.stdin = chain(waiting, sys.stdin)  # pyright: ignore[reportAttributeAccessIssue]
    serve([GET], eras=["modern"])
