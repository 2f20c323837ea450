"""Sharing: who else sees the user's files, and through which links."""

import builtins
from datetime import timedelta
from typing import Annotated

from pydantic import BaseModel, Field, WithJsonSchema

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.errors import BadInput
from aboveboard.kit.gone import by_calling
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.sharing.shares import Recipient, Share
from aboveboard.nextcloud.client.sharing.words import PRESETS, permission_bits, permission_words
from aboveboard.nextcloud.tools.gone import Deleted

tools = Toolset[NextcloudClient](
    "sharing",
    title="Sharing",
    icon="M17 3a3 3 0 1 1-2 5l-6 3v2l6 3a3 3 0 1 1-1 2l-6-3a3 3 0 1 1 0-6l6-3a3 3 0 0 1 3-3z",
    prefix="nc_share_",
    app="files_sharing",
)


class SharedFile(Share):
    """A share, and where people open what is shared."""

    url: str
    warning: str | None = None
    usage: str | None = None
    """Of a link that was just made: which address is for whom, and how long it works."""


class SharedFiles(BaseModel):
    """Some shares, and how many there are."""

    items: list[SharedFile]
    total: int


class Recipients(BaseModel):
    """Whom files can be shared with."""

    items: list[Recipient]


SHARE = SharedFile(
    id=7,
    type="user",
    path="Documents/plan.md",
    kind="file",
    file_id=85,
    owner="ada",
    permissions=["read"],
    shared_with="bob",
    url="https://cloud.example/.../85",
)
LINK = SharedFile(
    id=8,
    type="link",
    path="Public",
    kind="folder",
    file_id=82,
    owner="ada",
    permissions=["read", "share"],
    link="https://cloud.example/s/Qx3...",
    download_url="https://cloud.example/s/Qx3.../download",
    expires="2030-12-31",
    url="https://cloud.example/.../82",
    usage="Give people link ...",
)

GONE = Deleted(gone="the share of plan.md with bob", to_get_back="nc_share_create with {...} brings it back.", id=7)

ShareId = Annotated[int, Field(description="The share's id.", ge=0)]
FilePath = Annotated[str, Field(description="File or folder, from the top of the user's files.", min_length=1)]
Rights = "read, update, create, delete, share, with commas; or one of view, edit, upload, all; or the number"
Word = Annotated[int | str, WithJsonSchema({"type": "string"})]
Permissions = Annotated[Word, Field(description=f"{Rights}.")]
Expires = Annotated[str | None, Field(description="Last day, such as 2030-12-31.", min_length=1)]
Password = Annotated[str | None, Field(description="For links and mails. It is never shown again.", min_length=1)]
Label = Annotated[str | None, Field(description="Name of the link, for the owner.")]
Message = Annotated[str | None, Field(description="Message to the receiver.")]


# Sharing twice with the same person changes nothing, but every link is another one: as a whole, no ENSURE.
@tools.tool("Create Share", ADD, example=SHARE)
async def create(
    nextcloud: NextcloudClient,
    path: FilePath,
    share_with: Annotated[
        str | None, Field(description="Id of a user or group, or a mail address; not for a link.")
    ] = None,
    share_type: Annotated[
        Word, Field(description="user, group, link, email, federated, team, talk, deck, or the number.")
    ] = "user",
    permissions: Permissions = "read",
    password: Password = None,
    expires: Expires = None,
    label: Label = None,
    note: Message = None,
) -> SharedFile:
    """Share a file or folder with someone, who is told of it.

    With a user or group that has it already, nothing changes: that share is the answer, with existing true.
    """
    made = await nextcloud.shares.create(
        path,
        share_type,
        share_with,
        permissions=permissions,
        password=password,
        expires=expires,
        label=label,
        note=note,
    )
    return _shown(nextcloud, made, warning=_warning(made, permissions, expires, note), usage=_usage(made))


@tools.tool("Create Public Download Link", ADD, example=LINK, core=True)
async def create_public_link(
    nextcloud: NextcloudClient,
    path: FilePath,
    expires_in_minutes: Annotated[
        int,
        Field(
            description="Rounded up to the end of that day: Nextcloud has only days. 10080: 7 days.",
            ge=1,
            le=5_256_000,
        ),
    ] = 30,
    expires: Annotated[
        str | None, Field(description="Instead: the last day, such as 2030-12-31, or never.", min_length=1)
    ] = None,
    password: Password = None,
    label: Label = None,
) -> SharedFile:
    """Make a link by which anyone who has it can download a file or folder, without an account.

    Each call makes another link; delete ends it. usage says which address is for whom.
    """
    if expires is None:
        # Nextcloud ends a day when it ends where the person is.
        day = (await nextcloud.account.now() + timedelta(minutes=expires_in_minutes)).date().isoformat()
    else:
        day = None if expires.strip().lower() == "never" else expires
    made = await nextcloud.shares.create_link(path, password=password, expires=day, label=label)
    return _shown(nextcloud, made, usage=_usage(made))


@tools.tool("Delete Share", DELETE, example=GONE)
async def delete(nextcloud: NextcloudClient, share_id: ShareId) -> Deleted:
    """Stop sharing: people lose access, a link stops working for good, the file stays.

    A share that someone else made for you, you leave.
    """
    share = await nextcloud.shares.get(share_id)
    mine = share.owner == (await nextcloud.account.profile()).id
    await nextcloud.shares.delete(share_id)
    whom = share.shared_with or share.label or "anyone"
    return Deleted(
        gone=f"the {share.type} share of {share.path} with {whom}", to_get_back=_back(share, mine), id=share_id
    )


def _back(share: Share, mine: bool) -> str:
    """Say how a share comes back; a link, which mails have too, has another address each time."""
    if not mine:
        return f"Only {share.owner} can share it again."
    if share.type in ("link", "email"):
        return "It cannot be brought back: another link has another address."
    wanted = {"path": share.path, "share_with": share.shared_with, "share_type": share.type, "note": share.note or None}
    return by_calling("nc_share_create", **wanted, permissions=", ".join(share.permissions), expires=share.expires)


@tools.tool("Get Share Details", READ, example=SHARE)
async def get(nextcloud: NextcloudClient, share_id: ShareId) -> SharedFile:
    """Get one share: of what, with whom, with which permissions, until when."""
    return _shown(nextcloud, await nextcloud.shares.get(share_id))


@tools.tool("List Shares", READ, example=SharedFiles(items=[SHARE], total=1))
async def list(  # noqa: A001 (a tool's name is its function's)
    nextcloud: NextcloudClient,
    path: Annotated[str | None, Field(description="Only of this file or folder.")] = None,
    shared_with_me: Annotated[
        bool, Field(description="What others share with you, instead of what you share.")
    ] = False,
    inside: Annotated[
        bool, Field(description="Of what is directly in the folder (none: the top), not of itself.")
    ] = False,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=200)] = 50,
    offset: Annotated[int, Field(description="How many to pass over.", ge=0)] = 0,
) -> SharedFiles:
    """List shares and links."""
    if inside and shared_with_me:  # which Nextcloud would leave aside
        raise BadInput("inside is about what you share: leave it out, or shared_with_me.")
    where = path or ("" if inside else None)
    every = await nextcloud.shares.list(where, inside=inside, with_me=shared_with_me)
    page = [_shown(nextcloud, share) for share in every[offset : offset + limit]]
    return SharedFiles(items=page, total=len(every))


@tools.tool("Update Share", REPLACE, example=SHARE)
async def update(
    nextcloud: NextcloudClient,
    share_id: ShareId,
    permissions: Annotated[Word | None, Field(description=f"All it shall have: {Rights}.")] = None,
    password: Annotated[str | None, Field(description="New password; empty: none.")] = None,
    expires: Annotated[str | None, Field(description="New last day, such as 2030-12-31; empty: never.")] = None,
    label: Annotated[str | None, Field(description="New name of the link; empty: none.")] = None,
    note: Annotated[str | None, Field(description="New message; empty: none.")] = None,
) -> SharedFile:
    """Replace what is given of a share you made; the old values are gone, the rest stays."""
    changed = await nextcloud.shares.update(
        share_id, permissions=permissions, password=password, expires=expires, label=label, note=note
    )
    return _shown(nextcloud, changed)


@tools.tool("Search Share Recipients", READ, example=Recipients(items=[Recipient(type="user", id="bob", name="Bob")]))
async def search_recipients(
    nextcloud: NextcloudClient,
    query: Annotated[str, Field(description="Part of a name, an id or a mail address.", min_length=1)],
    limit: Annotated[int, Field(description="How many of each kind at most.", ge=1, le=100)] = 20,
) -> Recipients:
    """Find people, groups and others to share with; type and id are what create takes."""
    return Recipients(items=await nextcloud.shares.recipients(query, limit=limit))


def _shown(nextcloud: NextcloudClient, share: Share, **more: str | None) -> SharedFile:
    return SharedFile.model_validate({**share.model_dump(), "url": nextcloud.web_url(share.file_id), **more})


def _usage(share: Share) -> str | None:
    """Say of a link which address is for whom, until when, and what the right is that nobody asked for."""
    if share.link is None:
        return None
    content = "an archive" if share.kind == "folder" else "the file itself"
    download = f" or download_url ({content})" if share.download_url else ""
    end = f"until the end of {share.expires} in your time zone" if share.expires else "until you delete the share"
    password = ", with the password" if share.has_password else ""
    own = " Nextcloud adds share to every link that can be read." if "share" in share.permissions else ""
    return f"Give people link (a page){download}; it works {end}{password}. url is for you, signed in.{own}"


def _warning(made: Share, permissions: int | str, expires: str | None, note: str | None) -> str | None:
    """Say what of a share is not as it was asked for, and whether it was there before."""
    asked = permission_words(permission_bits(permissions))
    # Nextcloud adds this one to every link.
    free = {"share"} if made.type in ("link", "email") else set[str]()
    if made.kind == "file" and permissions in PRESETS:  # "edit" means all that there is to edit
        free |= {"create", "delete"}
    found: builtins.list[str] = []
    if set(asked) - free != set(made.permissions) - free:
        found.append(f"permissions are {', '.join(made.permissions)}, not {', '.join(asked)}")
    if expires and made.expires != expires[:10]:
        found.append(f"last day is {made.expires or 'not set'}, not {expires[:10]}")
    if note and made.existing and made.note != note:
        found.append("message is another")
    if not found and not made.existing:
        return None
    there = f"It was shared with {made.shared_with} before, and stays as it was." if made.existing else ""
    other = f"Its {' and its '.join(found)}: nc_share_update with share_id {made.id} changes that." if found else ""
    rule = "A file takes no create and delete." if found and made.kind == "file" and not made.existing else ""
    return " ".join(part for part in (there, other, rule) if part)
