"""The sandbox against every recorded exchange of its areas, step by step in the recorded order."""

import pytest
from tests.nextcloud.sandbox.arrangements import SCENARIOS, STEPS
from tests.nextcloud.sandbox.comparing import Comparison
from tests.nextcloud.sandbox.differences import DIFFERENCES
from tests.nextcloud.sandbox.naming import Names
from tests.nextcloud.sandbox.recordings import FOLDER, Step, chains, load, steps_of
from tests.nextcloud.sandbox.replay import Replay
from tests.nextcloud.sandbox.sending import Got
from tests.shared import absence

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=absence(FOLDER)),
]


async def _play(scenarios: list[tuple[str, str]]) -> dict[str, dict[str, str]]:
    """What differs in each step of scenarios that go on from one another, all on one sandbox."""
    replay = Replay()
    await replay.clear()
    found: dict[str, dict[str, str]] = {}
    for area, name in scenarios:
        arrange = SCENARIOS.get(f"{area}:{name}")
        if arrange:
            await arrange(replay)
        for step in steps_of(area, name):
            if step.id in STEPS:
                await STEPS[step.id](replay)
            found[step.id] = await replay.step(step)
    replay.sandbox.close()
    return found


@pytest.mark.parametrize("area", list(dict.fromkeys(step.area for step in load())))
async def test_the_sandbox_answers_as_recorded(area: str) -> None:
    played: dict[str, dict[str, str]] = {}
    for scenarios in chains(area):
        played |= await _play(scenarios)
    assert played.keys() == {step.id for step in load() if step.area == area}
    known = {step: DIFFERENCES.get(step, {}).keys() for step in played}
    assert {step: wrong for step, wrong in played.items() if wrong.keys() != known[step]} == {}


def test_hundreds_of_steps_are_replayed_and_every_difference_is_one_of_them() -> None:
    names = {step.id for step in load()}
    assert len(names) == len(load()) > 800
    assert names >= DIFFERENCES.keys() | STEPS.keys()
    assert {f"{step.area}:{step.scenario}" for step in load()} >= SCENARIOS.keys()
    assert all(reason for places in DIFFERENCES.values() for reason in places.values())


def _step(name: str) -> Step:
    return next(step for step in load() if step.id == name)


@pytest.mark.parametrize(
    ("status", "headers", "body", "where"),
    [
        (201, {}, b"one", "status"),
        (200, {"oc-etag": '"another"'}, b"one", "header oc-etag"),
        (200, {"content-type": "text/html"}, b"one", "header content-type"),
        (200, {"x-nc-ownerid": "admin"}, b"one", "header x-nc-ownerid"),
        (200, {"last-modified": "Tue, 14 Nov 2023 22:13:20 GMT"}, b"one", "header last-modified"),
        (200, {}, b"two", "text"),
    ],
)
def test_the_comparison_sees_what_is_wrong(status: int, headers: dict[str, str], body: bytes, where: str) -> None:
    step = _step("files:file-crud/05-get")
    right = {**step.answer_headers, "last-modified": "Mon, 05 Jan 2026 08:00:00 GMT"}
    assert Comparison(step, Names()).differences(Got(200, right, b"one")) == {}
    assert where in Comparison(step, Names()).differences(Got(status, {**right, **headers}, body))


def test_the_comparison_sees_a_missing_property_and_an_id_that_changes() -> None:
    step = _step("files:metadata/05-props")
    body = str(step.answer).encode()
    names = Names()
    moved = body.replace(b"Sun, 15 Nov 2026 19:25:43", b"Mon, 05 Jan 2026 08:00:00")
    right = Got(207, dict(step.answer_headers), moved)
    assert Comparison(step, names).differences(right) == {}
    renamed = moved.replace(b"oc:checksums>", b"oc:sums>")
    assert Comparison(step, names).differences(Got(207, right.headers, renamed))
    other = moved.replace(b"66b29562fd2f22e4fd96c8a6313ff104", b"00000000000000000000000000000000")
    assert Comparison(step, names).differences(Got(207, right.headers, other))
