"""Sharing: who else sees the user's files, and through which links."""

from datetime import timedelta
from typing import Annotated

from pydantic import BaseModel, Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.sharing.shares import Recipient, Share
from aboveboard.nextcloud.client.sharing.words import PRESETS, permission_bits, permission_words

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


class SharedFiles(BaseModel):
    """Some shares, and how many there are."""

    items: list[SharedFile]
    total: int


class DeletedShare(BaseModel):
    """A share that is gone."""

    id: int


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
    shared_with_name="Bob",
    url="https://cloud.example/index.php/f/85",
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
    token="Qx3...",  # noqa: S106 (part of an example of a link)
    expires="2030-12-31",
    has_password=True,
    url="https://cloud.example/index.php/f/82",
)

ShareId = Annotated[int, Field(description="The share's id.", ge=0)]
FilePath = Annotated[str, Field(description="File or folder, from the top of the user's files.", min_length=1)]
Rights = "read, update, create, delete, share, with commas; or one of view, edit, upload, all; or the number"
Permissions = Annotated[int | str, Field(description=f"{Rights}.")]
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
        int | str, Field(description="user, group, link, email, federated, team, talk, deck, or the number.")
    ] = "user",
    permissions: Permissions = "read",
    password: Password = None,
    expires: Expires = None,
    label: Label = None,
    note: Message = None,
) -> SharedFile:
    """Share a file or folder with someone, who is told of it.

    With a user or group that has it already, nothing changes and that share is the answer.
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
    return _shown(nextcloud, made, _warning(made, permissions, expires))


@tools.tool("Create Public Download Link", ADD, example=LINK, core=True)
async def create_public_link(
    nextcloud: NextcloudClient,
    path: FilePath,
    expires_in_minutes: Annotated[
        int, Field(description="Rounded up to the end of that day: Nextcloud has only days.", ge=1, le=5_256_000)
    ] = 30,
    expires: Annotated[
        str | None, Field(description="Instead: the last day, such as 2030-12-31, or never.", min_length=1)
    ] = None,
    password: Password = None,
    label: Label = None,
) -> SharedFile:
    """Make a link by which anyone who has it can download a file or folder, without an account.

    Each call makes another link; delete ends it.
    """
    if expires is None:
        # Nextcloud ends a day when it ends where the person is.
        day = (await nextcloud.account.now() + timedelta(minutes=expires_in_minutes)).date().isoformat()
    else:
        day = None if expires.strip().lower() == "never" else expires
    made = await nextcloud.shares.create_link(path, password=password, expires=day, label=label)
    return _shown(nextcloud, made)


@tools.tool("Delete Share", DELETE, example=DeletedShare(id=7))
async def delete(nextcloud: NextcloudClient, share_id: ShareId) -> DeletedShare:
    """Stop sharing: people lose access, a link stops working for good, the file stays.

    A share that someone else made for you, you leave.
    """
    await nextcloud.shares.delete(share_id)
    return DeletedShare(id=share_id)


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
    where = path or ("" if inside else None)
    every = await nextcloud.shares.list(where, inside=inside, with_me=shared_with_me)
    page = [_shown(nextcloud, share) for share in every[offset : offset + limit]]
    return SharedFiles(items=page, total=len(every))


@tools.tool("Update Share", REPLACE, example=SHARE)
async def update(
    nextcloud: NextcloudClient,
    share_id: ShareId,
    permissions: Annotated[int | str | None, Field(description=f"All it shall have: {Rights}.")] = None,
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


def _shown(nextcloud: NextcloudClient, share: Share, warning: str | None = None) -> SharedFile:
    shown = {**share.model_dump(), "url": nextcloud.web_url(share.file_id), "warning": warning}
    return SharedFile.model_validate(shown)


def _warning(made: Share, permissions: int | str, expires: str | None) -> str | None:
    """Say what of a share is not as it was asked for."""
    asked = permission_words(permission_bits(permissions))
    # Nextcloud adds this one to every link.
    free = {"share"} if made.type in ("link", "email") else set[str]()
    if made.kind == "file" and permissions in PRESETS:  # "edit" means all that there is to edit
        free |= {"create", "delete"}
    found = [] if set(asked) - free == set(made.permissions) - free else [f"permissions are {made.permissions}"]
    if expires and made.expires != expires[:10]:
        found.append(f"last day is {made.expires or 'not set'}")
    if not found:
        return None
    return (
        f"Its {' and its '.join(found)}, not as asked: a file takes no create and delete, and a share that was there"
        " stays as it was. Use update to change it."
    )
