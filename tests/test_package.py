"""What an installation brings along."""

import re
from importlib.metadata import requires
from pathlib import Path

from aboveboard import __version__

ROOT = Path(__file__).resolve().parent.parent


def test_a_base_installation_is_at_most_45_packages() -> None:
    locked = re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / "base.lock").read_text(), re.MULTILINE)
    always = [line for line in requires("aboveboard") or [] if "extra ==" not in line]
    wanted = {re.split(r"[^\w.-]", line)[0].lower() for line in always}
    assert wanted <= {name.lower() for name in locked}
    assert len(set(locked)) <= 45


def test_the_version_is_said_once_and_the_same() -> None:
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()
