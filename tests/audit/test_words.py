"""What names say, and what they do not."""

import pytest

from aboveboard.audit.words import Intent, intent, updating_verb, words

PLAIN = "Do as the name says."


@pytest.mark.parametrize(
    ("name", "writes", "loses"),
    [
        ("delete_note", "delete", "delete"),
        ("notes-delete", "delete", "delete"),
        ("deleteNote", "delete", "delete"),
        ("lightdash_tools__delete_chart", "delete", "delete"),
        ("nc_webdav_overwrite", "overwrite", "overwrite"),
        ("create_note", "create", ""),
        ("remove_member", "remove", "remove"),
        ("drop_table", "drop", "drop"),
        ("send_email", "send", ""),
        ("get_or_create_user", "create", ""),
        ("read_and_delete_message", "delete", "delete"),
        ("write_file", "write", ""),
    ],
)
def test_a_name_that_says_it_writes(name: str, writes: str, loses: str) -> None:
    assert intent(name, PLAIN) == Intent(writes=writes, loses=loses)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "create_embedding",
            "remove_background",
            "add_numbers",
            "send_query",
            "reset_view",
            "clear_cache",
            "set_theory",
        ),
        *("preview_delete", "list_deleted_items", "get_created_by", "delete_check", "validate_update", "undo_delete"),
        *(
            "close_window",
            "cancel_wait",
            "archive_lookup",
            "move_average",
            "post_search",
            "drop_shadow",
            "truncate_text",
        ),
        *("create_upload_url", "write_docs_example", "purge_whitespace", "save_the_date", "merge_pdf", "run_query"),
    ],
)
def test_a_name_that_can_honestly_mean_something_else_says_nothing_of_writing(name: str) -> None:
    assert intent(name, PLAIN).writes == ""
    assert intent(name, PLAIN).loses == ""


@pytest.mark.parametrize(
    "description",
    [
        "Say what a delete would do; nothing is deleted.",
        "A dry run of delete.",
        "Returns a new list without the note.",
        "Shows the plan without writing it.",
    ],
)
def test_a_description_that_denies_it_ends_the_suspicion(description: str) -> None:
    assert intent("delete_note", description) == Intent()


@pytest.mark.parametrize(
    ("name", "description", "verb"),
    [
        ("set_status", "Set the status of a ticket.", "set"),
        ("update_template", "Change a template.", "update"),
        ("notes_edit_draft", "Change a draft.", "edit"),
        ("upsert_row", "Write a row.", "upsert"),
        ("update_file", "Update a file. This does not support changing its folder.", "update"),
        ("set_sheet_layout", "Set widths. Protection is no security: it does not stop this server.", "set"),
        ("set_price", "Set a price in a draft order; it does not really change the order.", ""),
        ("put_collection", "Replaces the contents of a collection.", "replaces"),
        ("put_in_cart", "Put a thing into the cart.", ""),
        ("preview_update_note", "Say what would change.", ""),
        ("update_history_of_note", "List what was changed.", ""),
        ("update_check_run", "Checks whether there is a newer version.", ""),
        ("set_note_read", "Mark a note as read.", ""),
        ("update_log_file", "Append a line.", ""),
    ],
)
def test_an_update_is_softened_by_what_comes_before_it_and_not_by_its_object(
    name: str, description: str, verb: str
) -> None:
    assert updating_verb(name, description) == verb


@pytest.mark.parametrize(
    ("name", "description", "writes"),
    [
        ("text_to_speech", "Convert text to speech. Saves output file to directory.", "saves"),
        ("compose_music", "Make music and save the output audio file to a given directory.", "save"),
        ("convert_time", "Convert a time; nothing is written to a file.", ""),
        ("find_files", "Find what someone saves to a folder.", ""),
    ],
)
def test_a_file_that_is_left_behind_is_a_write(name: str, description: str, writes: str) -> None:
    assert intent(name, description).writes == writes


def test_only_a_plain_reader_in_name_and_description_says_that_it_reads() -> None:
    assert intent("list_notes", "List the notes of a book.").reads == "list"
    assert intent("get_next_job", "Return the next job and take it off the queue.").reads == ""
    assert intent("get_lock", "Get a lock on the file.").reads == ""
    assert intent("get_note", "Return a note and mark it as read.").reads == ""


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("getHTTPResponse", ["get", "http", "response"]),
        ("get_note.v2", ["get", "note", "v", "2"]),
        ("List-All Notes", ["list", "all", "notes"]),
    ],
)
def test_a_name_of_any_casing_is_split_into_words(name: str, parts: list[str]) -> None:
    assert words(name) == parts
