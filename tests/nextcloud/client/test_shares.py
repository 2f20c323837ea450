"""Shares, against the sandbox."""

import pytest
from tests.nextcloud.client.people import Person

from aboveboard.effects import ADD, DELETE, READ, REPLACE, under
from aboveboard.errors import ApiError, BadInput, GuardError, NotFound
from aboveboard.nextcloud.client.sharing.words import permission_bits, permission_words, type_number

pytestmark = pytest.mark.anyio


async def test_shares_are_listed_and_read_with_one_request_each(ada: Person) -> None:
    shares = await ada.shares.list()
    assert ada.sent == ["GET"]
    assert {(one.type, one.path, one.shared_with) for one in shares} >= {
        ("user", "Documents/plan.md", "bob"),
        ("group", "Photos", "team"),
        ("link", "Public", None),
        ("email", "Documents/budget.csv", "carol@example.org"),
    }
    ada.forget()
    assert await ada.shares.get(shares[0].id) == shares[0]
    assert ada.sent == ["GET"]


async def test_a_password_is_told_to_be_there_and_never_shown(ada: Person) -> None:
    link = next(one for one in await ada.shares.list("Documents/report.pdf") if one.type == "link")
    assert link.has_password
    assert link.shared_with is None
    assert link.expires == "2030-12-31"
    assert link.link
    assert "sandbox-link" not in link.model_dump_json()
    assert "$" not in link.model_dump_json()


async def test_what_others_share_is_listed_too(bob: Person) -> None:
    assert "plan.md" in [one.path for one in await bob.shares.list(with_me=True)]
    assert [one.path for one in await bob.shares.list()] == ["Holiday"]


@pytest.mark.parametrize(
    ("kind", "permissions"), [("user", ["read", "update"]), (0, 3), ("0", "3"), ("User", "read, update")]
)
async def test_a_share_is_made_with_words_or_numbers(
    ada: Person, kind: str | int, permissions: str | int | list[str]
) -> None:
    with under(ADD):
        made = await ada.shares.create("Documents/budget.csv", kind, "bob", permissions=permissions, note="look")
        assert (await ada.shares.create("Documents/budget.csv", kind, "bob", permissions=permissions)).id == made.id
    assert (made.type, made.shared_with, made.permissions, made.note) == ("user", "bob", ["read", "update"], "look")


async def test_a_link_has_expiry_password_and_label(ada: Person) -> None:
    with under(ADD):
        link = await ada.shares.create_link(
            "Documents", password="correct horse", expires="2031-01-02", label="For you", permissions="view"
        )
    assert (link.type, link.expires, link.label, link.has_password) == ("link", "2031-01-02", "For you", True)
    assert "read" in link.permissions
    with under(REPLACE):
        changed = await ada.shares.update(link.id, password="", expires="", label="")
    assert (changed.expires, changed.label, changed.has_password) == (None, None, None)


async def test_a_share_is_changed_and_deleted(ada: Person) -> None:
    share = next(one for one in await ada.shares.list("Projects"))
    ada.forget()
    with under(REPLACE):
        assert (await ada.shares.update(share.id, permissions="read")).permissions == ["read"]
    assert ada.sent == ["PUT"]
    with under(DELETE):
        await ada.shares.delete(share.id)
        with pytest.raises(NotFound, match="Wrong share ID"):
            await ada.shares.delete(share.id)
    with pytest.raises(NotFound, match="Wrong share ID"):
        await ada.shares.get(share.id)


async def test_what_cannot_be_is_refused_before_anything_is_sent(ada: Person) -> None:
    with under(REPLACE):
        for wrong in (
            ada.shares.create("Documents", "friend", "bob"),
            ada.shares.create("Documents", 5, "bob"),
            ada.shares.create("Documents", "user"),
            ada.shares.create("../Documents", "user", "bob"),
            ada.shares.create("Documents", "user", "bob", permissions="write"),
            ada.shares.create("Documents", "user", "bob", permissions=64),
            ada.shares.create_link("Documents", expires="tomorrow"),
            ada.shares.update(1),
        ):
            with pytest.raises(BadInput):
                await wrong
    assert ada.sent == []


async def test_a_refusal_comes_with_nextclouds_own_words(ada: Person) -> None:
    with under(ADD), pytest.raises(ApiError, match="Please specify a valid account to share with"):
        await ada.shares.create("Documents", "user", "nobody-here")
    with under(READ), pytest.raises(GuardError):
        await ada.shares.create("Documents", "user", "bob")


async def test_only_for_a_missing_thing_a_refusal_advises_to_check_the_id(ada: Person) -> None:
    share = (await ada.shares.list("Public"))[0]
    with under(REPLACE):
        for wrong in (
            ada.shares.update(share.id, expires="2001-01-01"),
            ada.shares.create_link("Public", expires="2001-01-01"),
            ada.shares.create("Public", "group", "nobody"),
        ):
            with pytest.raises(ApiError) as refused:
                await wrong
            assert not isinstance(refused.value, NotFound)
            assert NotFound.advice not in str(refused.value)
        with pytest.raises(NotFound, match=NotFound.advice):
            await ada.shares.update(999, label="x")
        for nowhere in (ada.shares.create_link("Nowhere"), ada.shares.list("Nowhere")):
            with pytest.raises(NotFound, match="Check the path: listing its folder shows what there is"):
                await nowhere


async def test_people_to_share_with_are_found(ada: Person) -> None:
    found = await ada.shares.recipients("bo")
    assert ada.watched.requests[-1].url.params["lookup"] == "false", "no server elsewhere is asked for people"
    assert ada.sent == ["GET"]
    assert [(one.type, one.id, one.name) for one in found] == [("user", "bob", "Bob")]


def test_words_and_numbers_mean_the_same() -> None:
    assert [type_number(word) for word in ("user", "group", "link", "email", "federated")] == [0, 1, 3, 4, 6]
    assert permission_words(permission_bits("edit")) == ["read", "update", "create", "delete"]
    assert permission_words(permission_bits("all")) == ["read", "update", "create", "delete", "share"]


async def test_a_preset_is_all_that_a_file_can_have_and_what_is_shown_can_be_given_back(ada: Person) -> None:
    with under(ADD):
        made = await ada.shares.create("Documents/budget.csv", "user", "bob")
    with under(REPLACE):
        assert (await ada.shares.update(made.id, permissions="edit")).permissions == ["read", "update"]
        for share in await ada.shares.list():
            assert await ada.shares.update(share.id, permissions=share.permissions) == share
        with pytest.raises(ApiError):
            await ada.shares.update(made.id, permissions="read, create")
