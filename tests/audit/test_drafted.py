"""A newcomer who fills in only the TODOs of a draft finds what a diligent author finds."""

import os
from pathlib import Path

import pytest
from tests.audit import drafted, watched
from tests.audit.corpus import ROOT


@pytest.mark.parametrize("batch", watched.batches(drafted.plans()), ids=watched.batch_name)
def test_drafted_plans_find_what_plans_by_hand_find(batch: list[Path]) -> None:
    if why := watched.missing(batch[0]):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(why)
    outcomes = watched.side_by_side(drafted.case, batch).values()
    assert [one.name for one in outcomes if one.certified] == []
    liars = [one for one in outcomes if one.rule]
    assert [one.name for one in liars if one.found == (one.name in drafted.MISSED)] == []
    honest = [one for one in outcomes if not one.rule]
    assert [(one.name, one.alarms) for one in honest if bool(one.alarms) != (one.name in drafted.ACCUSED)] == []


def test_the_published_figure_is_that_of_this_corpus() -> None:
    published = " ".join((ROOT / "docs" / "verifying.md").read_text("utf-8").split())
    assert drafted.figure() in published
    for name in drafted.MISSED | drafted.ACCUSED:
        assert f"`{name}`" in published
