"""News has no document of its API: what we send is held to recorded requests that worked."""

import pytest
from tests.nextcloud.recorded_requests import RecordedApi
from tests.nextcloud.sandbox.recordings import FOLDER

from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no recordings at {FOLDER}")]

ONLY_IN_REFUSED = {"POST /index.php/apps/news/api/v1-3/feeds with folderId: None"}
"""Recorded with addresses that hold no feed, which is what the answer complains of."""


async def test_every_request_is_one_that_worked_on_a_real_news(sandbox: Sandbox) -> None:
    faults, routes = await RecordedApi(r"/apps/news/").held(sandbox, "nc_news_")
    assert faults == ONLY_IN_REFUSED
    assert len(routes) > 10
