"""What tests read of real services: recordings and API documents, in the folder `shared` beside this checkout.

It is no part of the repository. Where it is absent, tests that need it skip and say which variable tells its place.
"""

import os
from pathlib import Path
from typing import Final

SHARED: Final = Path(os.environ.get("SHARED_FOLDER") or Path(__file__).parents[2] / "shared")


def absence(path: Path) -> str:
    """Say why a test is skipped."""
    return f"there is no {path}; SHARED_FOLDER says where it is"
