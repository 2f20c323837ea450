"""The sandbox against every recorded exchange of the endpoints it has, step by step in the recorded order."""

import re
from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType

import pytest
from tests.lightdash.sandbox import content_scenes, content_steps, query_scenes, query_steps
from tests.lightdash.sandbox.recordings import FOLDER, load
from tests.lightdash.sandbox.replay import Replay
from tests.shared import absence

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=absence(FOLDER)),
]

MAIN, PREVIEW = "1a000000-0000-4000-8000-000000000001", "1a000000-0000-4000-8000-000000000002"
SALES, ARCHIVE = "2a000000-0000-4000-8000-000000000001", "2a000000-0000-4000-8000-000000000003"
CUSTOMERS, FINANCE = "2a000000-0000-4000-8000-000000000004", "2a000000-0000-4000-8000-000000000005"
LAST_YEAR, REFUNDS, REGULARS = (f"3a000000-0000-4000-8000-{number:012d}" for number in (6, 11, 9))
CORNER, REVIEW = "4a000000-0000-4000-8000-000000000002", "4a000000-0000-4000-8000-000000000004"
EDITORS, NIGHT_SHIFT = "0c000000-0000-4000-8000-000000000002", "0c000000-0000-4000-8000-000000000003"
ADMIN, EDITOR, VIEWER, RIVAL = (f"0b000000-0000-4000-8000-{number:012d}" for number in (1, 2, 3, 9))
NOBODY = "99999999-0000-4000-8000-000000000000"

# Whose part a thing of the sandbox plays.
CAST = {
    "172a2270-000f-42be-9c68-c4752c23ae51": "0a000000-0000-4000-8000-000000000001",
    "42339eef-359e-4ec4-b810-54ef0b4e3446": "0a000000-0000-4000-8000-000000000002",
    "3675b69e-8324-4110-bdca-059031aa8da3": MAIN,
    "e70ecc69-935e-48f0-8647-ef9ec080e184": PREVIEW,
    "e0b3bb37-43ea-4f73-a16e-d15a0c9c75eb": PREVIEW,
    "9165ffb9-6c25-41d1-8360-c8a475dc93ad": CUSTOMERS,
    "8f5f1cf7-29cf-40ec-81b9-eb40c24f8d20": SALES,
    "5b8a56f0-d40b-44ed-b4c0-70f8d9398d16": FINANCE,
    "fbb5b528-5c37-4ac3-9a0d-f74ed5bfdfec": ARCHIVE,
    "421b154e-b4e1-4b50-80da-443f70035c82": LAST_YEAR,
    "65139249-5739-4af6-b708-c6a1a09d36ee": LAST_YEAR,
    "rec-chart": "orders-of-last-year",
    "dbb83499-80cc-412f-a52d-a3ec078a2abe": REFUNDS,
    "20b723ed-b419-41b2-bfa9-25ef352a9e48": REGULARS,
    "6ddf3584-d98a-4473-93be-1f2416ed968a": REGULARS,
    "02aa0cde-3839-4a7f-8312-d0df5f900422": LAST_YEAR,
    "fa7051a1-a47f-4d40-80f6-eb64fd49e9b6": LAST_YEAR,
    "f67c30af-1627-4d96-aca9-a76ad6bd8f19": NOBODY,
    "1f486f7b-68c4-4efb-bbf3-4d934a4a6879": CORNER,
    "1970d5a6-d9ce-4f86-ada9-e5a4afee0f26": CORNER,
    "rec-dashboard": "customer-corner",
    "b85b94aa-7506-4dc1-961f-a696f2eb14d6": REVIEW,
    "af5f3fa8-099f-4f87-b262-3b0892e067ab": REVIEW,
    "96efa4f3-5597-4fe9-8502-f134732b422f": NIGHT_SHIFT,
    "39f305a3-42e3-46f8-a85b-590fe5d2ce92": EDITORS,
    "b264d83a-9000-426a-85ec-3f9c20f368ce": ADMIN,
    "80fb8b59-d6b7-4ed6-b969-9849310f3e53": EDITOR,
    "e0dd2003-c291-4e14-b977-7a03b7edc842": VIEWER,
    "57cd4548-cbe3-42b3-aa13-97821713e307": RIVAL,
    "demo2%40lightdash.com": "edith%40corner-shop.example",
    "another%40lightdash.com": "otto%40rival-shop.example",
    "searchQuery=demo2": "searchQuery=edith",
    "searchQuery=rec.new": "searchQuery=new",
    "search=customer": "search=payments",
    "search=Rec+code+chart": "search=orders+of+last+year",
}

# What the sandbox knowingly does otherwise: where, and why.
DIFFERENCES: dict[str, Mapping[str, str]] = {
    **query_steps.DIFFERENCES,
    **content_steps.DIFFERENCES,
}


# What is there, or has happened, when these steps begin.
ARRANGED: Mapping[str, Callable[[Replay], Awaitable[None]]] = {
    **query_scenes.ARRANGED,
    **content_scenes.ARRANGED,
}


COVERED = [step for step in load() if step.covered]


async def _play(area: str) -> dict[str, dict[str, str]]:
    """What differs in each covered step of an area, all on one sandbox."""
    replay = Replay(names=dict(content_steps.CAST if area in content_steps.AREAS else query_steps.CAST | CAST))
    found: dict[str, dict[str, str]] = {}
    for step in COVERED:
        if step.area != area:
            continue
        if step.id in ARRANGED:
            await ARRANGED[step.id](replay)
        found[step.id] = await replay.step(step)
    replay.sandbox.close()
    return found


@pytest.mark.parametrize("area", list(dict.fromkeys(step.area for step in COVERED)))
async def test_the_sandbox_answers_as_recorded(area: str) -> None:
    played = await _play(area)
    known = {step: DIFFERENCES.get(step, {}).keys() for step in played}
    assert {step: wrong for step, wrong in played.items() if wrong.keys() != known[step]} == {}


def test_many_steps_are_replayed_and_every_difference_is_one_of_them() -> None:
    assert len(COVERED) > 2000
    assert {step.id for step in COVERED} >= DIFFERENCES.keys() | ARRANGED.keys()


@pytest.mark.parametrize("part", [query_steps, content_steps], ids=["warehouse", "content"])
def test_every_step_is_replayed_or_left_out_for_a_reason(part: ModuleType) -> None:
    lines = [
        f"{step.request['method']} {step.request['path'].partition('?')[0]}"
        for step in load()
        if step.area in part.AREAS and not step.covered
    ]
    reasons = {line: [why for why in part.LEFT_OUT if re.fullmatch(why, line)] for line in lines}
    assert not [line for line, found in reasons.items() if len(found) != 1]
    assert {found[0] for found in reasons.values()} == set(part.LEFT_OUT)


def test_no_area_is_forgotten() -> None:
    assert {step.area for step in load()} == query_steps.AREAS | content_steps.AREAS
