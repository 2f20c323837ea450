"""/healthz tells whether the server lives, /readyz whether its Lightdash does, without becoming a way to load it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.kit.serving.exchange import fetch
from tests.kit.serving.processes import Web, serving
from tests.kit.serving.upstream import counted_sandbox, nobody, settings_for, settings_for_socket, silent

CROWD = 60


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_whoever_watches_over_the_server_needs_no_key(closed_server: Web, path: str) -> None:
    answer = fetch("GET", closed_server.base + path)
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_crowd_that_asks_for_readiness_at_once_gets_one_true_answer_and_one_request_is_sent() -> None:
    with (
        counted_sandbox() as (lightdash, counted),
        serving(settings=settings_for(lightdash.url)) as web,
        ThreadPoolExecutor(20) as crowd,
    ):
        assert counted.paths == []
        asked = [crowd.submit(fetch, "GET", f"{web.base}/readyz") for _ in range(CROWD)]
        answers = [one.result() for one in asked]
    assert {(answer.status_code, answer.text) for answer in answers} == {(200, '{"status":"ok"}')}
    assert 1 <= len(counted.paths) <= CROWD / 10  # one, and one more for every five seconds a busy machine takes


def test_a_server_whose_lightdash_is_down_lives_and_is_not_ready_and_says_why() -> None:
    with nobody() as url, serving(settings=settings_for(url)) as web:
        ready, alive = fetch("GET", f"{web.base}/readyz"), fetch("GET", f"{web.base}/healthz")
    assert (ready.status_code, alive.status_code) == (503, 200)
    assert ready.json()["status"] == "unavailable"
    assert url in ready.json()["reason"]


def test_a_server_whose_lightdash_says_nothing_is_not_ready_and_says_so_soon() -> None:
    with silent() as lightdash, serving(settings=settings_for_socket(lightdash)) as web:
        ready = fetch("GET", f"{web.base}/readyz")
    assert ready.status_code == 503
    assert "did not answer" in ready.json()["reason"]
