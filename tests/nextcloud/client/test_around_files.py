"""What surrounds files: search, trash, versions, comments, tags."""

from datetime import UTC, datetime

import pytest
from tests.nextcloud.client.people import Person

from aboveboard.effects import ADD, DELETE, ENSURE, REPLACE, under
from aboveboard.errors import BadInput, Conflict, NotFound

pytestmark = pytest.mark.anyio

PLAN = "Documents/plan.md"


async def test_files_are_found_by_name_with_one_request(ada: Person) -> None:
    found = await ada.search.find(name="PLAN")
    assert ada.sent == ["SEARCH"]
    assert PLAN in [one.path for one in found.items]
    assert [one.path for one in (await ada.search.find(name="pl?n.*", folder="Documents")).items] == [PLAN]
    assert (await ada.search.find(name="lan.md*")).items == []


async def test_wildcards_of_the_database_mean_nothing_in_a_name(ada: Person) -> None:
    with under(ADD):
        await ada.files.write("100%_x.txt", b"", create=True)
    for name in ("%_", "_x", "0%_", "*%_*"):
        found = (await ada.search.find(name=name)).items
        assert [one.path for one in found] == ["100%_x.txt"], name
    assert (await ada.search.find(name="p%n")).items == []


async def test_files_are_found_by_type_star_and_time(ada: Person) -> None:
    for kind in ("image/png", "image/*", "image", "image/"):
        assert "Photos/sunset.png" in [one.path for one in (await ada.search.find(content_type=kind)).items], kind
    assert PLAN in [one.path for one in (await ada.search.find(favorite=True)).items]
    assert (await ada.search.find(modified_since=datetime(2100, 1, 1, tzinfo=UTC))).items == []
    assert (await ada.search.find(name="*", modified_since=datetime(2000, 1, 1, tzinfo=UTC))).items


async def test_a_search_is_paged_without_repeating(ada: Person) -> None:
    first = await ada.search.find(limit=3)
    second = await ada.search.find(limit=3, offset=first.next_offset or 0)
    assert len(first.items) == len(second.items) == 3
    assert first.next_offset == 3
    assert not {one.path for one in first.items} & {one.path for one in second.items}
    assert (await ada.search.find(name="plan.md", folder="Documents")).next_offset is None


async def test_a_search_in_a_folder_with_an_odd_name_finds_what_is_there(ada: Person) -> None:
    with under(ADD):
        await ada.files.write("a #1 100% ünï/x y.txt", b"", create=True, parents=True)
    assert [one.path for one in (await ada.search.find(folder="a #1 100% ünï", name="x y")).items] == [
        "a #1 100% ünï/x y.txt"
    ]


async def test_what_is_deleted_can_come_back(ada: Person) -> None:
    with under(DELETE):
        await ada.files.delete(PLAN)
    ada.forget()
    [gone] = [one for one in await ada.trash.list() if one.original_path == PLAN]
    assert ada.sent == ["PROPFIND"]
    assert (gone.name, gone.folder) == ("plan.md", None)
    assert gone.deleted
    with under(ENSURE):
        await ada.trash.restore(gone.key)
        with pytest.raises(NotFound):
            await ada.trash.restore(gone.key)
    assert (await ada.files.read(PLAN)).data


async def test_what_is_in_the_bin_can_go_for_good(ada: Person) -> None:
    [old] = await ada.trash.list()
    assert old.original_path == "Documents/old draft.md"
    with under(DELETE):
        await ada.trash.delete(old.key)
        with pytest.raises(NotFound):
            await ada.trash.delete(old.key)
        await ada.files.delete(PLAN)
        await ada.trash.empty()
    assert await ada.trash.list() == []


async def test_an_older_version_is_read_and_restored(ada: Person) -> None:
    versions = await ada.versions.list(PLAN)
    assert [one.current for one in versions] == [True, None, None]
    oldest = versions[-1]
    assert await ada.versions.read(PLAN, oldest.id) == b"# Plan\n\nFirst draft.\n"
    with under(REPLACE):
        await ada.versions.restore(PLAN, oldest.id)
    assert (await ada.files.read(PLAN)).data == b"# Plan\n\nFirst draft.\n"


async def test_the_current_version_is_the_one_that_was_restored_and_to_restore_it_again_sends_nothing(
    ada: Person,
) -> None:
    versions = await ada.versions.list(PLAN)
    with under(REPLACE):
        await ada.versions.restore(PLAN, versions[1].id)
        restored = await ada.versions.list(PLAN)
        assert [one.id for one in restored] == [one.id for one in versions]
        assert [one.current for one in restored] == [None, True, None]
        ada.forget()
        await ada.versions.restore(PLAN, versions[1].id)
    assert ada.sent == ["PROPFIND"]


async def test_comments_are_read_newest_first_and_written(ada: Person) -> None:
    assert [one.message for one in await ada.comments.list(PLAN)] == ["I do, on Monday.", "Who measures?"]
    assert [one.message for one in await ada.comments.list(PLAN, limit=1, offset=1)] == ["Who measures?"]
    with under(ADD):
        number = await ada.comments.create(PLAN, "Ünï <b> & 🚀")
    file = (await ada.files.stat(PLAN)).id or 0
    ada.forget()
    newest = (await ada.comments.list(file))[0]
    assert ada.sent == ["REPORT"]
    assert (newest.id, newest.message, newest.author) == (number, "Ünï <b> & 🚀", "admin")
    with under(REPLACE):
        await ada.comments.update(PLAN, number, "changed")
    assert (await ada.comments.list(PLAN))[0].message == "changed"
    with under(DELETE):
        await ada.comments.delete(PLAN, number)
        with pytest.raises(NotFound):
            await ada.comments.delete(PLAN, number)


@pytest.mark.parametrize("message", ["", "  \n", "x" * 1001])
async def test_a_comment_that_nextcloud_should_not_take_is_not_sent(ada: Person, message: str) -> None:
    with under(ADD), pytest.raises(BadInput, match="The comment"):
        await ada.comments.create(1, message)
    assert ada.sent == []


async def test_tags_are_put_on_files_once_and_taken_off(ada: Person) -> None:
    assert {one.name for one in await ada.tags.list()} == {"urgent", "reviewed", "internal"}
    assert [one.name for one in await ada.tags.of(PLAN)] == ["urgent"]
    with under(ENSURE):
        assert await ada.tags.assign("Documents/budget.csv", "urgent")
        assert not await ada.tags.assign("Documents/budget.csv", "urgent")
    assert {one.path for one in await ada.tags.files("urgent")} == {PLAN, "Documents/budget.csv"}
    with under(DELETE):
        assert await ada.tags.unassign(PLAN, "urgent")
        assert not await ada.tags.unassign(PLAN, "urgent")
    assert [one.path for one in await ada.tags.files(1)] == ["Documents/budget.csv"]


async def test_a_tag_that_is_not_there_is_said_so_and_one_can_be_made(ada: Person) -> None:
    with pytest.raises(NotFound, match=r"no tag 'urgnt': did you mean 'urgent'\?"):
        await ada.tags.files("urgnt")
    with pytest.raises(NotFound, match="no tag 999"):
        await ada.tags.files(999)
    with under(ADD):
        number = await ada.tags.create("brand new")
        with pytest.raises(Conflict):
            await ada.tags.create("brand new")
    assert number in [one.id for one in await ada.tags.list()]
