"""Every finding of the recorded whole objects: the test of what our user gets, or why no tool of ours meets it.

A finding is named by the recorded steps that show it; the list of them stands in the recordings' own README.
"""

import ast
import re
from pathlib import Path
from typing import Final

import pytest
from tests.lightdash.contract import SHARED

README: Final = SHARED / "recordings" / "lightdash-objects" / "README.md"
KEPT: Final = "test_a_tool_changes_what_it_was_asked_to_and_nothing_else"
SENT_BACK: Final = "test_where_lightdash_replaces_the_whole_what_we_do_not_understand_is_sent_back"
CONTRACT: Final = "test_what_the_real_server_took_keeps_the_contract_and_what_it_called_invalid_breaks_it"
UNKNOWN_PARTS: Final = "test_a_document_that_speaks_of_what_is_not_there_is_refused_though_lightdash_takes_it"
DOUBT: Final = "test_a_chart_that_lightdash_stores_in_spite_of_an_error_is_told_to_be_in_doubt"
SAME_AGAIN: Final = "test_the_same_change_again_adds_no_version"

TESTED: Final = {
    "charts: stored-in-spite-of-an-error/create-query-without-sorts": DOUBT,
    "charts: wrong-bodies/create-table-name-differs": "test_a_chart_of_fields_that_are_not_there_is_not_saved",
    "charts: stored-in-spite-of-an-error/get-ce": DOUBT,
    "charts: wrong-bodies/create-unknown-explore": DOUBT,
    "charts: wrong-bodies/create-unknown-fields": "test_a_chart_of_fields_that_are_not_there_is_not_saved",
    "charts: wrong-bodies/create-type-bar": DOUBT,
    "charts: updates/patch-chart-config": KEPT,
    "charts: updates/version-without-pivotConfig": SENT_BACK,
    "charts: updates/history-after-same-twice": SAME_AGAIN,
    "dashboards-more: left-out-v1/only-tiles": SENT_BACK,
    "dashboards-more: left-out-v1/only-description": KEPT,
    "dashboards-more: left-out-v2/only-tiles-tabs": SENT_BACK,
    "dashboards-more: left-out-v2/only-spaceUuid": "test_mixed_content_is_listed_by_kind_and_place_and_moved",
    "dashboards-more: same-twice/history-after-same-twice": "test_what_adds_a_version_each_time_is_sent_once",
    "dashboards-more: versions/get-name-after-rollback": "test_a_rollback_brings_back_what_our_models_do_not_show",
    "dashboards-more: tabs/get-after-reorder": SENT_BACK,
    "dashboards-more: tabs/get-after-delete-one": SENT_BACK,
    "dashboards-more: filters/run-tile-without-filters": "test_every_tile_runs_with_the_dashboards_filters",
    "dashboards-more: tiles/heading-with-title": CONTRACT,
    "dashboards-more: config-and-parameters/parameters-plain-values": "test_parameters_reach_every_query",
    "dashboards-more: schedulers/on-chart-with-threshold": KEPT,
    "dashboards-more: schedulers/get-after-minimum": SENT_BACK,
    "dashboards-more: schedulers/alert-get-after": SENT_BACK,
    "dashboards-more: sql-charts/flat-body": KEPT,
    "dashboards-more: spaces/patch-without-name": KEPT,
    "dashboards-more: groups/get-after-members": "test_members_are_added_and_removed_without_touching_the_others",
    "dashboards-more: tags/patch-empty": "test_a_tag_is_not_updated_with_nothing",
    "dashboards-more: charts-as-code/other-limit-downloaded-updatedAt": "test_a_changed_document_is_written",
    "dashboards-more: charts-as-code/without-pivotConfig": "test_a_document_that_changes_nothing_is_not_written_again",
    "dashboards-more: dashboards-as-code-round-trip/comments-after": "test_who_writes_a_dashboard_as_code_is_told",
    "dashboards-more: dashboards-as-code/without-config": "test_who_writes_a_dashboard_as_code_is_told",
    "dashboards-more: validation/dismiss": "test_a_problem_is_dismissed_by_the_id_that_is_shown",
}
DRAWN: Final = "create_chart saves tables alone unless it is given a chart_config, which is taken as it is."
ABSENT: Final = "No tool of ours does this."
OWN_DATA: Final = "No tool makes filters, tabs or tile ids of its own: what a dashboard has is sent back as it came."
NEVER_MET: Final = {
    "oauth: ": "No tool signs anybody in: this client is given a token.",
    "charts: minimal/": DRAWN,
    "charts: as-the-web-client-saves/": DRAWN,
    "charts: wrong-bodies/create-series-without-encode": DRAWN,
    "dashboards-more: tabs/no-uuid": OWN_DATA,
    "dashboards-more: filters/get-unknown-field": OWN_DATA,
    "dashboards-more: filters/get-tile-target-unknown": OWN_DATA,
    "dashboards-more: duplicate-and-promote/get-duplicate": "The copy is told as it is.",
    "dashboards-more: schedulers/get-after-all-tiles-gone": "get_scheduler tells what is scheduled as it is.",
    "dashboards-more: sql-charts/history": ABSENT,
    "dashboards-more: user-attributes/list-after-one-user": "Attributes are only listed.",
    "dashboards-more: comments/list-after-tile-restored": "Comments are listed as Lightdash shows them.",
}


def names() -> set[str]:
    """Read the names of all tests of this service."""
    files = (*Path(__file__).parent.glob("test_*.py"), *(Path(__file__).parent / "sandbox").glob("test_*.py"))
    trees = [ast.parse(file.read_text()) for file in files]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, functions)}


def findings() -> set[str]:
    """Read the steps that the README names as showing something."""
    if not README.is_file():
        pytest.skip(f"no recordings at {README}; set ABOVEBOARD_SHARED")
    return set(re.findall(r"`((?:oauth|charts|dashboards-more): [^`]+)`", README.read_text()))


def test_every_finding_has_a_test_of_what_our_user_gets_or_a_reason_why_nobody_meets_it() -> None:
    never = tuple(NEVER_MET)
    open_ones = {one for one in findings() - TESTED.keys() if not one.startswith(never)}
    assert open_ones == set()
    assert TESTED.keys() - findings() == set()


def test_every_test_that_is_named_here_is_there() -> None:
    there = names()
    assert {test for test in TESTED.values() if not any(name.startswith(test) for name in there)} == set()
