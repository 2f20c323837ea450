"""Whether a Nextcloud is up, which it tells anybody."""

from aboveboard.errors import ApiError
from aboveboard.http import Session, path
from aboveboard.nextcloud.client.model import Model, check_value
from aboveboard.nextcloud.client.ocs import InMaintenance, ocs_error


class Status(Model):
    """What status.php says."""

    installed: bool
    maintenance: bool
    needs_db_upgrade: bool = False


async def check_status(session: Session) -> None:
    """Raise a failure where this Nextcloud cannot be used now."""
    answer = await session.request("GET", path("/status.php"))
    if answer.status != 200:
        raise ocs_error(session, answer)
    status = check_value(answer.json(), Status, answer)
    if status.maintenance:
        raise InMaintenance("Nextcloud is in maintenance mode.", status=503)
    if not status.installed or status.needs_db_upgrade:
        raise ApiError("Nextcloud waits for its operator to finish an installation or an upgrade.")
