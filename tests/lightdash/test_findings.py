"""Every finding of a real Lightdash: the test of what our user gets, or why no tool of ours meets it.

A finding is named by the recorded steps that show it (their list stands in the recordings' own README), or by what was
seen when all tools ran on a real one.
"""

import re
from pathlib import Path
from typing import Final

import pytest
from tests.findings import Findings, missing
from tests.shared import SHARED, absence

README: Final = SHARED / "recordings" / "lightdash-objects" / "README.md"
KEPT: Final = "test_a_call_changes_what_its_case_names_and_nothing_else"
SENT_BACK: Final = "test_where_lightdash_replaces_the_whole_what_we_do_not_understand_is_sent_back"
CONTRACT: Final = "test_what_the_real_server_took_keeps_the_contract_and_what_it_called_invalid_breaks_it"
UNKNOWN_PARTS: Final = "test_a_document_that_speaks_of_what_is_not_there_is_refused_though_lightdash_takes_it"
DOUBT: Final = "test_a_chart_that_lightdash_stores_in_spite_of_an_error_is_told_to_be_in_doubt"
DRAWN: Final = "test_what_is_drawn_is_what_a_real_lightdash_was_seen_to_draw"
NUMBERS: Final = "test_what_is_said_of_a_number_or_a_funnel_is_part_of_what_a_real_lightdash_was_seen_to_draw"
SAME_AGAIN: Final = "test_the_same_change_again_adds_no_version"
WHOLE: Final = "test_a_chart_is_saved_with_all_that_lightdash_needs_and_for_the_explore_that_it_asks"

TESTED: Final = {
    "charts: minimal/get-bar": WHOLE,
    "charts: minimal/create-bar": DRAWN,
    "charts: minimal/create-bar-horizontal": DRAWN,
    "charts: minimal/create-bar-stacked": DRAWN,
    "charts: minimal/create-area": DRAWN,
    "charts: minimal/create-pie": DRAWN,
    "charts: minimal/create-funnel": NUMBERS,
    "charts: minimal/create-gauge": NUMBERS,
    "charts: minimal/get-table-pivot": DRAWN,
    "charts: as-the-web-client-saves/create-revenue-per-month-by-status": DRAWN,
    "charts: minimal/get-table-config": KEPT,
    "charts: stored-in-spite-of-an-error/create-query-without-sorts": WHOLE,
    "charts: wrong-bodies/create-table-name-differs": WHOLE,
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
    "dashboards-more: same-twice/history-after-same-twice": SAME_AGAIN,
    "dashboards-more: versions/get-name-after-rollback": "test_a_rollback_leaves_the_name_as_it_is_and_says_so",
    "dashboards-more: tabs/get-after-reorder": SENT_BACK,
    "dashboards-more: tabs/get-after-delete-one": SENT_BACK,
    "dashboards-more: filters/run-tile-without-filters": "test_every_tile_runs_with_the_dashboards_filters",
    "dashboards-more: tiles/heading-with-title": CONTRACT,
    "dashboards-more: config-and-parameters/parameters-plain-values": (
        "test_every_tile_runs_with_the_parameters_that_are_saved_with_the_dashboard"
    ),
    "dashboards-more: schedulers/on-chart-with-threshold": KEPT,
    "dashboards-more: schedulers/get-after-minimum": SENT_BACK,
    "dashboards-more: schedulers/alert-get-after": SENT_BACK,
    "dashboards-more: sql-charts/flat-body": KEPT,
    "dashboards-more: spaces/patch-without-name": KEPT,
    "dashboards-more: groups/get-after-members": "test_members_are_added_and_removed_without_touching_the_others",
    "dashboards-more: tags/patch-empty": "test_a_tag_is_not_updated_with_nothing",
    "dashboards-more: charts-as-code/other-limit-downloaded-updatedAt": "test_a_changed_document_is_written",
    "dashboards-more: charts-as-code/without-pivotConfig": "test_what_a_chart_as_code_leaves_out_stays",
    "dashboards-more: dashboards-as-code-round-trip/comments-after": "test_who_writes_a_dashboard_as_code_is_told",
    "dashboards-more: dashboards-as-code/without-config": "test_who_writes_a_dashboard_as_code_is_told",
    "dashboards-more: validation/dismiss": "test_a_problem_is_dismissed_by_the_id_that_is_shown",
}
OWN_CONFIG: Final = "create_chart does not draw this; a chart_config that is given is taken as it is."
ABSENT: Final = "No tool of ours does this."
OWN_DATA: Final = "No tool makes filters, tabs or tile ids of its own: what a dashboard has is sent back as it came."
REPLAYED: Final = "test_every_step_is_answered_as_it_was_recorded"
SIGNING_IN: Final = {
    "oauth: refresh/": "test_a_token_is_renewed_before_it_ends_and_once_however_many_calls_wait",
    "oauth: refresh/reuse-of-old": "test_a_refresh_token_that_lightdash_no_longer_takes_signs_the_person_out",
    "oauth: revoke/": "test_ending_a_grant_revokes_what_renews_its_token",
    "oauth: client-removed/": "test_a_client_that_lightdash_no_longer_knows_is_the_operators_to_mend",
    "oauth: bearer/expired-token": "test_lightdash_is_asked_once_more_before_a_token_that_it_turned_down_counts",
    "oauth: viewer/": "test_two_people_act_as_themselves",
    "oauth: ": REPLAYED,
}
"""No tool signs anybody in; a server of many people does, over a sandbox that is held to every recorded step."""

NEVER_MET: Final = {
    "charts: minimal/create-mixed": OWN_CONFIG,
    "charts: minimal/create-big-number-comparison": OWN_CONFIG,
    "charts: minimal/create-map-area": OWN_CONFIG,
    "charts: minimal/create-sankey": OWN_CONFIG,
    "charts: as-the-web-client-saves/run-it-pivoted-results": "run_chart gives rows, which a program can turn itself.",
    "charts: wrong-bodies/create-series-without-encode": OWN_CONFIG,
    "dashboards-more: tabs/no-uuid": OWN_DATA,
    "dashboards-more: filters/get-unknown-field": OWN_DATA,
    "dashboards-more: filters/get-tile-target-unknown": OWN_DATA,
    "dashboards-more: duplicate-and-promote/get-duplicate": "The copy is told as it is.",
    "dashboards-more: schedulers/get-after-all-tiles-gone": "get_scheduler tells what is scheduled as it is.",
    "dashboards-more: sql-charts/history": ABSENT,
    "dashboards-more: user-attributes/list-after-one-user": "Attributes are only listed.",
    "dashboards-more: comments/list-after-tile-restored": "Comments are listed as Lightdash shows them.",
}


ON_A_REAL_SERVER: Final = {
    "an update of a chart drops pivot, parameters, column order": (KEPT, SENT_BACK),
    "tile tools drop a dashboard's config and parameters and show hidden tabs": (KEPT, SENT_BACK),
    "a rollback does nothing where only pivot, tabs or config differ": (
        "test_a_rollback_brings_back_what_our_models_do_not_show",
    ),
    "a dashboard without a description is 422": ("test_what_is_not_given_is_sent_as_nothing_and_not_as_null",),
    "a SQL chart as a tile is 422": (CONTRACT, KEPT),
    "charts with fields of their own cannot be updated": (
        "test_a_chart_is_changed_in_part_though_its_explore_is_broken",
        KEPT,
    ),
    "run_sql over 25 s has no progress and nothing to cancel": (
        "test_while_lightdash_tries_a_statement_there_is_progress",
        "test_a_statement_that_is_not_tried_in_time_says_that_nothing_can_stop_it",
    ),
    "cancelling leaves the statement to the warehouse": ("test_who_cancels_is_told_that_the_warehouse_goes_on",),
    "SQL in table calculations where SQL is off": ("test_without_sql_a_table_calculation_is_no_way_to_sql",),
    "functions that write": ("test_a_function_that_is_not_known_to_only_read_is_not_run",),
    "search_fields repeats a field per explore": ("test_a_field_is_found_once_with_the_explores_that_join_its_table",),
    "parameters can be listed and never used": (
        "test_parameters_reach_every_query_and_one_that_is_not_there",
        "test_every_tile_runs_with_the_parameters_that_are_saved_with_the_dashboard",
    ),
    "a value that is no option of a parameter counts as the default": (
        "test_parameters_reach_every_query_and_one_that_is_not_there",
    ),
    "compile_query takes no calculations and metrics": ("test_a_query_can_be_compiled_with_calculations_and_metrics",),
    "% and _ are wildcards in include": ("test_a_text_that_would_be_a_pattern_is_refused",),
    "notInBetween on dates does not exist": ("test_not_in_between_days_means_before_or_after",),
    "a month given by a day in it matches nothing": ("test_a_period_given_by_a_day_in_it_is_that_period",),
    "silently empty for what does not exist": ("test_what_does_not_exist_is_not_shown_as_empty",),
    "groups are hidden from those who are no admins": ("test_who_may_not_see_groups_is_told_so_although_their_number",),
    "a space shows the caller alone": ("test_a_space_shows_everyone_who_sees_it_and_how",),
    "a CSV as a resource is base64": ("test_a_csv_is_text_and_a_file_of_another_project_stays_behind_the_fence",),
    "get_query_result forgets labels, order and url": ("test_reading_on_keeps_labels_order_and_address",),
    "no query history in this edition": ("test_an_edition_without_a_history_is_not_taken_for_a_lack_of_rights",),
    "132,000 characters of charts as code": ("test_documents_that_are_too_much_to_read_say_how_many_would_fit",),
    "validation errors as JSON in JSON": ("test_what_is_wrong_with_a_body_is_one_sentence_and_no_json_in_json",),
    "equal updates move updated_at": ("test_an_equal_update_sends_nothing",),
    "validation takes a custom dimension for a missing field": (
        "test_validation_knows_fields_of_the_charts_own_and_finds_what_they_lack",
    ),
    "a space as code is shared with those it names, and nobody else": (
        "test_a_space_as_code_is_shared_with_those_it_names_and_nobody_else",
    ),
}
"""The lines of issue 10, and what the run of November 16 showed besides."""


def findings() -> set[str]:
    """Read the steps that the README names as showing something."""
    if not README.is_file():
        pytest.skip(absence(README))
    return set(re.findall(r"`((?:oauth|charts|dashboards-more): [^`]+)`", README.read_text()))


def test_every_finding_has_a_test_of_what_our_user_gets_or_a_reason_why_nobody_meets_it() -> None:
    assert Findings(TESTED, {**NEVER_MET, **SIGNING_IN}).faults(findings()) == []


def test_every_test_that_is_named_here_is_there() -> None:
    seen = {test for tests in ON_A_REAL_SERVER.values() for test in tests}
    here = Path(__file__).parent
    assert missing({*TESTED.values(), *SIGNING_IN.values(), *seen}, here, here.parent / "people") == set()
