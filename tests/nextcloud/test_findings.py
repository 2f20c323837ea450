"""Every finding of a real Nextcloud: the test of what our user gets, or why no tool of ours meets it.

A finding is named by the recorded steps that show it; their list stands in the recordings' own README.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from tests.findings import Findings, missing
from tests.nextcloud.sandbox.recordings import OBJECTS
from tests.shared import absence

README: Final = OBJECTS / "README.md"
KEPT: Final = "test_every_hint_of_every_tool_is_seen_to_hold_or_is_explained"
DRAWN: Final = "test_a_new_title_changes_the_line_of_the_title_alone"
DATES: Final = "test_a_series_with_dates_beside_its_rule_takes_the_time_of_both"
ORGANIZER: Final = "test_an_organizers_change_keeps_what_others_answered_and_tells_them"
ATTENDEE: Final = "test_an_attendee_sees_all_that_is_confidential_without_the_organizers_reminders"
READER: Final = "test_who_may_only_read_a_calendar_sees_no_reminders_and_changes_only_what_is_their_own"
WRITER: Final = "test_who_may_write_a_calendar_takes_its_events_away_and_can_bring_them_back"
FREE: Final = "test_what_is_cancelled_or_leaves_one_free_takes_no_time_and_a_calendar_that_does_neither"
DUE: Final = "test_a_due_date_keeps_its_moment_whatever_its_zone"
WORD: Final = "test_a_word_for_a_date_is_refused_before_deck_makes_something_of_it"
DELETIONS: Final = "test_every_deletion_tells_what_is_gone_and_brings_back_what_it_promises"
TITLE: Final = "test_another_title_leaves_an_archived_table_archived_and_an_empty_description_clears_it"
OPTIONS: Final = "test_options_that_stay_keep_their_cells_and_a_new_one_takes_no_old_ones"
CARD_KEPT: Final = "test_a_card_of_any_client_loses_nothing_by_an_update_through_a_tool"
OWN_VERSION: Final = "test_a_card_with_other_line_ends_is_read_in_its_own_version_too"
SEARCH: Final = "test_a_search_finds_in_any_case_within_lists_and_groups_but_no_letter_without_its_accent"
GAVE_WAY: Final = "test_what_gave_way_to_a_copy_or_move_comes_back_with_all_that_it_had"
RECEIVED: Final = "test_what_is_deleted_in_a_received_folder_is_gone_for_its_owner_and_said_to_be"
BIG_FOLDERS: Final = "test_the_folders_of_a_big_file_are_named_or_made"

CALENDAR: Final = {
    "full-event/get": "test_an_update_leaves_everything_else_of_each_flavour_as_it_was",
    "full-event/get-odd-unfolded": DRAWN,
    "full-event/get-odd-xcomp": DRAWN,
    "tasks/get-parent": "test_a_task_of_any_client_loses_nothing_by_an_update",
    "attendees/organizer-copy": ATTENDEE,
    "rrule-and-rdate/expand-rrule-rdate": DATES,
    "rrule-and-rdate/range-third-rrule-rdate": DATES,
    "rrule-and-rdate/expand-exrule": DATES,
    "full-event/get-naive": KEPT,
    "attendees/bob-after-naive": ORGANIZER,
    "attendees/bob-copy-lost-partstat": ORGANIZER,
    "attendees/bob-copy-after-organizer": ORGANIZER,
    "attendees/organizer-after-accept": ORGANIZER,
    "attendees/bob-copy-after-change": ORGANIZER,
    "attendees/bob-copy": ATTENDEE,
    "attendees/bob-after-organizer-move": (
        "test_an_event_that_moves_to_another_calendar_stays_with_its_attendees_who_are_not_told"
    ),
    "full-event/put-same-2s-later": KEPT,
    "full-event/ctag-after-same-2": KEPT,
    "move-and-trash/move-onto-taken": "test_no_event_is_moved_over_another_of_its_name",
    "move-and-trash/move-onto-taken-overwrite-t": "test_no_event_is_moved_over_another_of_its_name",
    "move-and-trash/move-into-calendar-with-uid": (
        "test_an_event_whose_id_is_in_the_bin_of_the_other_calendar_stays_where_it_is"
    ),
    "move-and-trash/get-restored": "test_what_was_deleted_comes_back_as_it_was",
    "move-and-trash/restore-name-taken": (
        "test_an_event_whose_name_is_in_the_bin_is_not_deleted_and_the_answer_says_why"
    ),
    "calendar-properties/propfind-dead": KEPT,
    "calendar-properties/proppatch-with-readonly": "test_a_property_that_is_refused_inside_a_207_is_an_error",
    "shared-full-event/bob-get-public": READER,
    "shared-full-event/bob-props-after": READER,
    "shared-full-event/bob-put-new": READER,
    "shared-full-event/bob-get-confidential-rw": WRITER,
    "shared-full-event/admin-after-bob-move": WRITER,
    "free-busy/free-busy-report-kinds": FREE,
    "free-busy/free-busy-report-transparent-calendar": FREE,
    "tasks/get-status-only": "test_status_percentage_and_completion_are_kept_in_step",
    "tasks/child-after-parent-delete": (
        "test_parts_of_a_task_stay_when_it_goes_and_other_relations_stay_when_its_parent_changes"
    ),
}
DECK: Final = {
    "card/create-full": DUE,
    "card/get-full": DUE,
    "card/get-same-1": DUE,
    "card/get-after-required": KEPT,
    "card/put-whole-get": "test_every_request_is_one_that_worked_on_a_real_deck",
    "card/get-after-whole": KEPT,
    "card/put-done-false": WORD,
    "card/put-done-true": WORD,
    "card/put-duedate-words": WORD,
    "card/put-archived-string": "test_a_text_for_a_truth_value_does_not_archive",
    "card/put-deleted": "test_what_was_deleted_is_not_brought_back_by_an_update",
    "move-card/get-after-stack-move": "test_the_stack_for_what_is_done_marks_and_unmarks_what_is_moved",
    "move-card/get-after-board-move": "test_a_card_that_moves_to_another_board_says_what_is_foreign_there",
    "board/quick-get-if-none-match": "test_what_somebody_else_changes_meanwhile_stays",
    "board/put-title-color-of-archived": "test_an_archived_board_stays_archived_when_its_title_changes",
    "board/acl-put-one-field": "test_sharing_again_says_anew_what_someone_may_do_and_the_same_again_sends_nothing",
    "board/stack-put-title-only": KEPT,
    "label/put-title-only": KEPT,
    "clone-and-delete/restore-card-internal": DELETIONS,
    "clone-and-delete/card-of-deleted-stack": (
        "test_a_card_of_a_deleted_stack_is_on_no_list_and_comes_back_with_the_stack"
    ),
    "card/activity": "test_an_update_that_changes_nothing_is_not_sent",
}
TABLES: Final = {
    "table/put-title-v1": TITLE,
    "table/put-title-v2": TITLE,
    "table/put-emoji-null-v2": TITLE,
    "table/put-description-null-before-empty-v2": TITLE,
    "columns/get-after-title-line": KEPT,
    "columns/get-after-title-number": KEPT,
    "columns/get-after-title-usergroup": "test_one_setting_of_a_column_keeps_its_defaults_limits_and_width",
    "columns/get-after-title-mandatory": KEPT,
    "columns/put-whole-select": OPTIONS,
    "columns/put-whole-strings-select": OPTIONS,
    "rows/put-one-cell": "test_what_somebody_else_writes_meanwhile_into_other_cells_stays",
    "rows/put-whole-row": "test_a_value_that_fits_is_kept_and_what_is_read_can_be_written_back",
    "rows/get-after-null": "test_a_value_that_does_not_fit_is_refused_before_anything_is_written",
    "rows/create-empty": "test_a_new_row_must_have_what_is_mandatory_and_gets_no_defaults",
    "rows/page-limit0": "test_a_limit_that_nextcloud_answers_with_an_error_is_refused_in_words",
    "rows/total": "test_a_thousand_rows_are_read_in_pages_that_say_how_many_there_are",
    "view/get-after-column-delete": "test_deleting_a_column_names_the_views_that_show_more_from_then_on",
}
CONTACTS: Final = {
    "full-vcard-3/get": CARD_KEPT,
    "full-vcard-4/get-4": CARD_KEPT,
    "full-vcard-3/get-after-4-conversion": OWN_VERSION,
    "full-vcard-4/get-4-after-put-back": OWN_VERSION,
    "full-vcard-3/put-same-2s-later": "test_an_update_that_changes_nothing_writes_nothing",
    "search/umlaut-ascii": SEARCH,
    "search/umlaut-base-letter": SEARCH,
    "search/sharp-s": SEARCH,
    "search/empty": SEARCH,
    "search/category-one": SEARCH,
    "search/grouped-email": SEARCH,
}
FILES: Final = {
    "same-second-put/put-3": "test_what_was_read_just_after_it_was_written_is_compared_with_what_is_there",
    "same-second-put/put-if-match-first-etag": "test_what_was_written_is_compared_with_what_is_there",
    "same-second-put/get-if-none-match-first-etag": (
        "test_a_file_that_was_written_again_in_the_second_of_the_look_is_read_again"
    ),
    "equal-put/versions-2": "test_a_file_is_written_over_when_its_second_is_over_so_that_a_version_is_kept",
    "equal-put/versions": "test_the_same_again_is_not_written",
    "equal-put/props-restored": "test_the_current_version_is_the_one_that_was_restored",
    "full-file/b-after-copy": GAVE_WAY,
    "full-file/c-after-move": GAVE_WAY,
    "full-file/d-restored": "test_what_was_deleted_comes_back_with_all_that_it_had",
    "received-share/share-after": RECEIVED,
    "received-share/bob-undelete": RECEIVED,
    "received-share/bob-bin": RECEIVED,
    "chunked-and-locks/chunk": BIG_FOLDERS,
    "chunked-and-locks/assemble-auto-mkcol": BIG_FOLDERS,
    "chunked-and-locks/assemble-2-if-match-stale": ("test_a_big_file_is_guarded_like_a_small_one_before_it_goes_up"),
    "chunked-and-locks/parallel-put-0": (
        "test_a_file_that_is_locked_for_a_moment_is_written_and_one_that_stays_so_is_explained"
    ),
}
NOTES: Final = {
    "same-second/put-if-match-first": "test_a_stale_etag_writes_nothing_and_tells_the_model_to_read_again",
    "parallel/put-free-0": "test_a_note_that_is_locked_for_a_moment_is_written_and_one_that_stays_so_is_explained",
    "full-note/put-equal-2": "test_every_hint_of_every_tool_is_seen_to_hold_or_is_explained",
    "odd-files/bytes-latin": "test_a_note_that_is_not_utf8_says_so_and_is_appended_to_as_it_is",
}
SIGNING_IN: Final = {
    "login-flow-v2/poll-again": "test_the_password_is_handed_out_once_and_only_for_twenty_minutes",
    "login-flow-v2/use-after-revoke-capabilities": (
        "test_a_password_that_died_at_nextcloud_is_sent_once_and_its_tokens_end"
    ),
}
COOKBOOK: Final = {
    "full-recipe/get": "test_days_are_kept_as_hours_and_words_as_what_they_mean",
    "full-recipe/image-after-partial": "test_a_picture_that_the_recipe_does_not_name_is_not_lost_to_a_change",
    "full-recipe/get-after-whole": "test_a_change_sends_all_of_the_recipe_back_with_its_id_and_its_picture",
    "categories/config-after-visible": KEPT,
}
NEWS: Final = {
    "full-feed/after-title-only": KEPT,
    "items/after-restore": DELETIONS,
}
AREAS: Final = {
    "calendar": CALENDAR,
    "deck": DECK,
    "tables": TABLES,
    "contacts": CONTACTS,
    "files": FILES,
    "notes": NOTES,
    "login-flow": SIGNING_IN,
    "cookbook": COOKBOOK,
    "news": NEWS,
}
TESTED: Final = {f"{area}:{step}": test for area, tests in AREAS.items() for step, test in tests.items()}

NOT_SENT: Final = "No tool sends such a request."
WEB: Final = "No tool asks the routes of the web page."
NEVER_MET: Final = {
    "calendar:rrule-and-rdate/put-rdate-period": "Nextcloud keeps no event with such a date, and no tool writes one.",
    "calendar:full-event/patch": NOT_SENT,
    "calendar:full-event/post-add-member": NOT_SENT,
    "calendar:attendees/organizer-props": "Writes are guarded by the ETag of the object, which moves with an answer.",
    "calendar:attendees/organizer-if-schedule-tag-match-stale": NOT_SENT,
    "calendar:attendees/bob-after-organizer-delete": NOT_SENT,
    "calendar:move-and-trash/rename-in-calendar": "No tool renames the file of an event.",
    "calendar:full-event/query-partial-comp": "Objects are always asked for as a whole.",
    "calendar:full-event/propfind-object-dead": "No tool sets a property of an event's file.",
    "calendar:calendar-properties/proppatch-timezone-garbage": "No tool sets the time zone of a calendar.",
    "deck:card/get-after-ocs-min": NOT_SENT,
    "deck:card/get-after-rename": WEB,
    "deck:card/ocs-put-whole-board": NOT_SENT,
    "deck:card/get-after-emptied": "No tool sends lists with a card: labels and people have tools of their own.",
    "deck:card/set-done": WEB,
    "deck:board/stack-put": "No tool goes by the ETag of a stack.",
    "deck:board/get-after-labels": "No tool sends labels, members or settings with a board.",
    "deck:move-card/get-clone": "No tool clones a single card.",
    "tables:view/put-title-only": "No tool changes a view.",
    "tables:view/put-whole": "No tool changes a view.",
    "tables:view/row-create-readonly": "Rows are written to tables, not through a view.",
    "tables:context-and-share/": "No tool has to do with applications made of tables.",
    "contacts:full-vcard-4/create-two-fn": "No tool gives a card a second name.",
    "contacts:move/get-taken": "No tool moves a contact.",
    "contacts:photo-and-groups/photo-route-": "A photo is read from its card.",
    "files:same-mtime-put/versions": "No tool says when a file was changed.",
    "login-flow:login-flow-v2/use-old-after-rotate": "Nothing here rotates an app password.",
    "news:full-feed/filter-save-one": "No tool has to do with filters.",
}


def steps() -> Iterator[str]:
    """Read the steps that the README names as showing something; one without an area goes on from the one before."""
    if not README.is_file():
        pytest.skip(absence(README))
    for line in README.read_text().splitlines():
        scenario = ""
        for named in re.findall(r" — ((?:`[^`]+`(?:, )?)+)", line):
            for step in re.findall(r"`([^`]+)`", named):
                scenario = step.rpartition("/")[0] or scenario
                yield f"{scenario}/{step.rpartition('/')[2]}"


def test_every_finding_has_a_test_of_what_our_user_gets_or_a_reason_why_nobody_meets_it() -> None:
    found = set(steps())
    assert len(found) > 100
    assert Findings(TESTED, NEVER_MET).faults(found) == []


def test_every_test_that_is_named_here_is_there() -> None:
    here = Path(__file__).parent
    assert missing(TESTED.values(), here, here.parent / "people", here.parent / "test_deletions.py") == set()
