"""Notes and what is attached to them, against the sandbox."""

import codecs

import httpx2
import pytest
from tests.nextcloud.client.people import PRINCIPAL, Person, scripted

from aboveboard.effects import ADD, DELETE, EDIT, ENSURE, READ, REPLACE, under
from aboveboard.errors import BadInput, Conflict, GuardError, Locked, NotFound
from aboveboard.nextcloud.client.notes.notes import NoteSummary
from aboveboard.nextcloud.sandbox import Sandbox

pytestmark = pytest.mark.anyio


async def all_notes(client: Person) -> list[NoteSummary]:
    return (await client.notes.list()).items


async def named(client: Person, title: str) -> NoteSummary:
    return next(one for one in await all_notes(client) if one.title == title)


async def test_notes_are_listed_with_one_request_and_in_chunks(ada: Person) -> None:
    every = await all_notes(ada)
    assert ada.sent == ["GET"]
    ids: list[int] = []
    cursor: str | None = None
    for _ in range(10):
        page = await ada.notes.list(limit=5, cursor=cursor)
        ids += [one.id for one in page.items]
        if (cursor := page.cursor) is None:
            break
    assert sorted(ids) == sorted(one.id for one in every)
    assert len(set(ids)) == len(ids) > 10


async def test_a_category_lists_its_own_notes(ada: Person) -> None:
    categories = {one.name: one.notes for one in await ada.notes.categories()}
    assert sum(categories.values()) == len(await all_notes(ada))
    for name, count in categories.items():
        page = await ada.notes.list(category=name)
        assert len(page.items) == count
        assert {one.category for one in page.items} == {name}


async def test_a_note_is_read_with_one_request(ada: Person) -> None:
    first = (await all_notes(ada))[0]
    ada.forget()
    note = await ada.notes.get(first.id)
    assert ada.sent == ["GET"]
    assert (note.title, note.etag) == (first.title, first.etag)
    assert note.content


async def test_a_note_is_created_changed_and_deleted(ada: Person) -> None:
    with under(ADD):
        made = await ada.notes.create("Ünï 🚀", "text", category="A/B", favorite=True)
    assert (made.title, made.category, made.favorite, made.content) == ("Ünï 🚀", "A/B", True, "text")
    ada.forget()
    with under(EDIT):
        moved = await ada.notes.update(made.id, f'"{made.etag}"', title="Other", category="")
        assert ada.sent == ["PUT"]
        assert (moved.title, moved.category, moved.content) == ("Other", "", "text")
        assert (await ada.notes.update(made.id, moved.etag, content="")).content == ""
    with under(DELETE):
        await ada.notes.delete(made.id)
        with pytest.raises(NotFound, match=f"There is no note {made.id}"):
            await ada.notes.delete(made.id)
    with pytest.raises(NotFound, match=f"There is no note {made.id}"):
        await ada.notes.get(made.id)


async def test_a_stale_etag_is_a_conflict_and_nothing_is_written(ada: Person, sandbox: Sandbox) -> None:
    first = (await all_notes(ada))[0]
    with under(EDIT):
        now = await ada.notes.update(first.id, first.etag, content="someone else's")
        before = sandbox.dump()
        with pytest.raises(Conflict, match=rf"its etag is now {now.etag}\)\. Nothing was written\. Read it again"):
            await ada.notes.update(first.id, first.etag, content="lost?")
    assert sandbox.dump() == before


async def test_appending_takes_four_requests_and_only_adds(ada: Person) -> None:
    first = (await all_notes(ada))[0]
    old = await ada.notes.get(first.id)
    await ada.principal()
    ada.forget()
    with under(ADD):
        new = await ada.note_texts.append(first.id, "more")
    assert ada.sent == ["GET", "GET", "PUT", "GET"]
    assert new.etag == (await ada.notes.get(first.id)).etag != old.etag
    assert (await ada.notes.get(first.id)).content == f"{old.content}\nmore"


@pytest.mark.parametrize(
    ("old", "text", "new"),
    [
        (b"", "first", b"first"),
        (b"one", "two", b"one\n\ntwo"),
        (b"one\n", "two", b"one\n\ntwo"),
        (b"one\n\n", "two", b"one\n\ntwo"),
        (b"one\r\n", "two", b"one\r\n\r\ntwo"),
        (codecs.BOM_UTF8, "größer", codecs.BOM_UTF8 + "größer".encode()),
        (codecs.BOM_UTF8 + b"one", "größer", codecs.BOM_UTF8 + "one\n\ngrößer".encode()),
        ("Grüße aus Köln".encode("latin-1"), "+", "Grüße aus Köln\n\n+".encode("latin-1")),
        (b"a\0b", "+", b"a\0b\n\n+"),
        ("日本\r\n".encode("utf-16"), "größer", "日本\r\n\r\ngrößer".encode("utf-16")),
    ],
)
async def test_appending_leaves_every_byte_as_it_is(ada: Person, old: bytes, text: str, new: bytes) -> None:
    with under(ADD):
        await ada.files.write("Notes/odd.md", old, create=True)
        note = (await named(ada, "odd")).id
        await ada.note_texts.append(note, text)
    assert (await ada.files.read("Notes/odd.md")).data == new


@pytest.mark.parametrize(
    ("old", "text"),
    [
        ("Köln".encode("latin-1"), "ö"),
        ("Hällo".encode("utf-16-le"), "+"),
        ("Hello".encode("utf-16-be"), "+"),
        ("日本".encode("utf-16") + b"x", "+"),
    ],
)
async def test_what_would_not_be_the_same_text_is_not_appended(
    ada: Person, sandbox: Sandbox, old: bytes, text: str
) -> None:
    with under(ADD):
        await ada.files.write("Notes/odd.md", old, create=True)
        note = (await named(ada, "odd")).id
        before = sandbox.dump()
        with pytest.raises(BadInput, match=r"not UTF-8.*nothing was appended"):
            await ada.note_texts.append(note, text)
    assert sandbox.dump() == before


async def test_a_text_that_is_not_what_the_file_holds_is_known_and_not_written_back(
    ada: Person, sandbox: Sandbox
) -> None:
    with under(ADD):
        await ada.files.write("Notes/latin.md", "Grüße aus Köln".encode("latin-1"), create=True)
        await ada.notes.create("Why", "Really?")
    odd, fine = await ada.notes.get((await named(ada, "latin")).id), await ada.notes.get((await named(ada, "Why")).id)
    assert odd.content == "Gr??e aus K?ln"
    assert not await ada.note_texts.is_exact(odd)
    assert await ada.note_texts.is_exact(fine)
    before = sandbox.dump()
    with under(EDIT):
        with pytest.raises(BadInput, match=r"not UTF-8.*Read and write the file 'Notes/latin\.md' itself"):
            await ada.note_texts.update(odd.id, odd.etag, content=f"{odd.content} +")
        assert sandbox.dump() == before
        await ada.note_texts.update(fine.id, fine.etag, content="Really? Yes.")
        renamed = await ada.note_texts.update(odd.id, odd.etag, title="Latin")
        await ada.note_texts.update(odd.id, renamed.etag, content="Grüße aus Köln")
    assert (await ada.files.read("Notes/Latin.md")).data == "Grüße aus Köln".encode()


async def test_appending_to_a_note_that_never_rests_gives_up() -> None:
    note = {"id": 7, "title": "T", "category": "", "favorite": False, "modified": 1, "content": "a", "etag": "e1"}

    def server(request: httpx2.Request) -> httpx2.Response:
        if request.method == "PROPFIND":
            return httpx2.Response(207, text=PRINCIPAL.format("", "ada"))
        if request.method == "PUT":
            return httpx2.Response(412)
        return httpx2.Response(200, json={**note, "internalPath": "/Notes/T.md"}, headers={"etag": '"e1"'})

    with under(ADD), pytest.raises(Conflict, match="nothing was appended"):
        await scripted(server).note_texts.append(7, "c")


async def test_a_search_asks_nextcloud_once_and_finds_all_words(ada: Person) -> None:
    with under(ADD):
        made = await ada.notes.create("Zebra", "black and white stripes")
    ada.forget()
    found = await ada.notes.search("stripes zebra")
    assert ada.sent == ["GET"]
    assert [(one.id, one.title) for one in found.items] == [(made.id, "Zebra")]
    assert found.cursor is None
    assert (await ada.notes.search("zebra giraffe")).items == []


async def test_a_search_goes_on_where_the_cursor_says(ada: Person) -> None:
    first = await ada.notes.search("a", limit=3)
    second = await ada.notes.search("a", limit=3, cursor=first.cursor)
    assert len(first.items) == 3
    assert not {one.id for one in first.items} & {one.id for one in second.items}


async def test_a_search_that_is_answered_with_everything_is_shown_in_pages() -> None:
    entries = [{"title": f"T{one}", "subline": "s", "resourceUrl": f"/apps/notes/note/{one}"} for one in range(5)]
    data = {"name": "Notes", "isPaginated": False, "entries": entries, "cursor": None}

    def server(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"ocs": {"meta": {"statuscode": 200}, "data": data}})

    nextcloud = scripted(server)
    ids: list[list[int]] = []
    cursor: str | None = None
    for _ in range(3):
        page = await nextcloud.notes.search("t", limit=2, cursor=cursor)
        ids.append([one.id for one in page.items])
        cursor = page.cursor
    assert ids == [[0, 1], [2, 3], [4]]
    assert cursor is None
    assert (await nextcloud.notes.search("t", limit=5)).cursor is None, "all were shown"


async def test_what_nextcloud_would_take_for_something_else_is_not_sent(ada: Person) -> None:
    with under(EDIT):
        for wrong in (
            ada.notes.list(cursor="garbage"),
            ada.notes.search(" "),
            ada.notes.search("a", cursor="-1"),
            ada.notes.update(1, "e1"),
            ada.notes.update(1, "*", title="x"),
        ):
            with pytest.raises(BadInput):
                await wrong
    assert ada.sent == []


async def test_categories_are_counted_without_downloading_what_else_notes_have(ada: Person) -> None:
    await ada.notes.categories()
    assert ada.sent == ["GET"]
    counting = ada.watched.requests[0]
    answers = [await ada.watched.handle_async_request(counting)]
    listing = httpx2.Request("GET", counting.url.copy_set_param("exclude", "content"), headers=counting.headers)
    answers.append(await ada.watched.handle_async_request(listing))
    small, large = [len(await answer.aread()) for answer in answers]
    assert small < large / 3


async def test_a_star_is_set_by_adding_and_taken_by_replacing(ada: Person) -> None:
    note = next(one for one in await all_notes(ada) if not one.favorite)
    with under(ENSURE):
        assert (await ada.notes.set_favorite(note.id, favorite=True)).favorite
        with pytest.raises(GuardError):
            await ada.notes.set_favorite(note.id, favorite=False)
    with under(REPLACE):
        assert not (await ada.notes.set_favorite(note.id, favorite=False)).favorite


async def test_reading_tools_cannot_write_notes(ada: Person) -> None:
    first = (await all_notes(ada))[0]
    with under(READ):
        for write in (
            ada.notes.create("a", "b"),
            ada.notes.update(first.id, first.etag, title="x"),
            ada.note_texts.append(first.id, "x"),
            ada.notes.delete(first.id),
        ):
            with pytest.raises(GuardError):
                await write


async def test_attachments_work_in_categories(ada: Person) -> None:
    note = await named(ada, "Paint colours")
    assert note.category
    assert [one.name for one in await ada.note_attachments.list(note.id)] == ["swatch.png"]
    picture = await ada.note_attachments.get(note.id, "swatch.png")
    assert picture.data.startswith(b"\x89PNG")
    assert picture.content_type == "image/png"
    with under(ADD):
        await ada.note_attachments.add(note, "wänd #1.txt", b"blue")
        with pytest.raises(Conflict):
            await ada.note_attachments.add(note, "wänd #1.txt", b"green")
    with under(EDIT):
        await ada.notes.update(note.id, (await ada.notes.get(note.id)).etag, category="Elsewhere")
    assert (await ada.note_attachments.get(note.id, "wänd #1.txt")).data == b"blue"


async def test_attachments_are_found_by_the_words_of_the_note_and_next_to_it(ada: Person) -> None:
    note = await named(ada, "Paint colours")
    with under(ADD):
        await ada.note_attachments.add(note, "wänd #1.txt", b"blue")
        await ada.files.write("Notes/Home/0a1b.txt", b"uploaded in the app", create=True)
    for name in ("wänd #1.txt", f".attachments.{note.id}/w%C3%A4nd%20%231.txt"):
        assert (await ada.note_attachments.get(note.id, name)).data == b"blue"
    assert (await ada.note_attachments.get(note.id, "0a1b.txt")).data == b"uploaded in the app"
    with pytest.raises(NotFound, match=r"has no attachment 'x'\. Its attachments folder has: swatch\.png, wänd"):
        await ada.note_attachments.get(note.id, "x")


async def test_a_note_without_attachments_has_none_and_names_stay_in_their_folder(ada: Person) -> None:
    with under(ADD):
        made = await ada.notes.create("Bare", "")
    assert await ada.note_attachments.list(made.id) == []
    with pytest.raises(NotFound):
        await ada.note_attachments.get(made.id, "none.png")
    for name in ("../Bare.md", "a/b", "", ".."):
        with pytest.raises(BadInput):
            await ada.note_attachments.get(made.id, name)


async def test_one_user_does_not_see_the_notes_of_another(ada: Person, bob: Person) -> None:
    theirs = await all_notes(ada)
    assert {one.title for one in await all_notes(bob)} == {"Presents", "Salary"}
    with pytest.raises(NotFound):
        await bob.notes.get(theirs[0].id)


async def test_a_nextcloud_without_the_notes_app_is_said_to_lack_it() -> None:
    client = scripted(lambda _: httpx2.Response(404, headers={"content-type": "text/html"}))
    with pytest.raises(NotFound, match="The app 'notes' is not installed"):
        await client.notes.list()


async def test_the_settings_tell_where_notes_are(ada: Person) -> None:
    assert (await ada.notes.settings()).notes_path == "Notes"


async def test_a_note_that_is_locked_for_a_moment_is_written_and_one_that_stays_so_is_explained() -> None:
    left = [2]

    def server(_: httpx2.Request) -> httpx2.Response:
        left[0] -= 1
        note = {"id": 7, "title": "x", "content": "new", "category": "", "etag": "f", "modified": 1, "favorite": False}
        return (
            httpx2.Response(423, json={"errorType": "Exception"}) if left[0] >= 0 else httpx2.Response(200, json=note)
        )

    client = scripted(server)
    with under(EDIT):
        assert (await client.notes.update(7, "e", content="new")).content == "new"
        assert client.sent == ["PUT"] * 3
        left[0] = 99
        with pytest.raises(Locked, match="Nothing was done: it is being written"):
            await client.notes.update(7, "e", content="new")
