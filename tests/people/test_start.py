"""What a server of one person costs is not changed by what many need."""

import subprocess
import sys

HEAVY = ("sqlalchemy", "alembic", "cryptography", "limits", "redis", "psycopg", "aboveboard.kit.people.serving")
LOADED = (
    "import sys, aboveboard.cli.serve, aboveboard.nextcloud.server, aboveboard.lightdash.server,"
    " aboveboard.kit.serving.stdio, aboveboard.kit.serving.web; print('\\n'.join(sys.modules))"
)


def test_a_server_of_one_person_loads_nothing_that_many_need() -> None:
    told = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout.split()
    # The SDK itself loads cryptography where it is there.
    assert [name for name in HEAVY if name in told and name != "cryptography"] == []
