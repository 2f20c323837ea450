"""For every tool of sharing a call that works and one that does not."""

from typing import Any, Final

from tests.nextcloud.sampling import Arguments, Refusals, Refused, Sample, Samples, plain
from tests.nextcloud.sessions import Session

NO_SHARE: Final = 99_999
MISSING: Final = "Wrong share ID, share does not exist"


async def share_of(session: Session, path: str) -> dict[str, Any]:
    """Find one of the sandbox's shares."""
    return (await session.ask("nc_share_list", path=path))["items"][0]


def about(path: str, /, **arguments: Any) -> Sample:
    """Make a sample about a share of the sandbox."""

    async def sample(session: Session) -> Arguments:
        return {"share_id": (await share_of(session, path))["id"], **arguments}

    return sample


GOOD: Final[Samples] = {
    "nc_share_create": plain(
        path="Documents", share_type="link", permissions="upload", password="correct horse", expires="2031-05-01"
    ),
    "nc_share_create_public_link": plain(path="Odd names/100% sure.txt", label="Für Gäste"),
    "nc_share_delete": about("Public"),
    "nc_share_get": about("Documents/report.pdf"),
    "nc_share_list": plain(path="Documents", inside=True, limit=2),
    "nc_share_update": about("Projects", permissions="view", expires="2031-05-01", note="Only look"),
    "nc_share_search_recipients": plain(query="bo"),
}

BAD: Final[Refusals] = {
    "nc_share_create": Refused(plain(path="Documents", share_with="nobody-here"), "specify a valid account"),
    "nc_share_create_public_link": Refused(plain(path="No such folder"), "file/folder does not exist"),
    "nc_share_delete": Refused(plain(share_id=NO_SHARE), MISSING),
    "nc_share_get": Refused(plain(share_id=NO_SHARE), MISSING),
    "nc_share_list": Refused(plain(path="Nowhere"), "file/folder does not exist"),
    "nc_share_update": Refused(plain(share_id=NO_SHARE, permissions="read"), MISSING),
    "nc_share_search_recipients": Refused(plain(query="bo", limit=0), "limit must be at least 1."),
}
