"""Calendars themselves: which there are, what they take, who else sees them."""

import re
import time
from collections.abc import Callable, Sequence
from itertools import chain, count
from typing import Any, Final, Literal

from aboveboard.errors import ApiError, BadInput, Conflict, NotFound, Refused, explain_unknown
from aboveboard.http import Nature, Path
from aboveboard.nextcloud.client.dav import Dav, without_folder
from aboveboard.nextcloud.client.memory import Memory
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.client.xml import Element, Resource, element, name, serialize_xml

AGE: Final = 60.0
"""Seconds. For so long it is remembered which calendars there are, for calls that only need to know where one is."""
_PROPERTIES: Final = (
    *("d:displayname", "d:resourcetype", "ical:calendar-color", "cal:calendar-description", "cs:getctag"),
    *("cal:supported-calendar-component-set", "cal:schedule-calendar-transp", "d:current-user-privilege-set"),
    *("oc:owner-principal", "d:sync-token", "oc:invite", "ncc:deleted-at"),
)
_WRITES: Final = ("d:write", "d:write-content", "d:all", "d:bind")
_COLOR: Final = re.compile(r"#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?")
_NAME: Final = re.compile(r"[^a-z0-9]+")
_XML: Final = {"Content-Type": "application/xml; charset=utf-8"}

Access = Literal["read", "write"]


class Sharee(Model):
    """Someone who sees a calendar of the user's."""

    id: str
    type: Literal["user", "group"] = "user"
    name: str = ""
    access: Access = "read"


class Calendar(Model):
    """A calendar in the user's home."""

    name: str
    """What other methods take; the last part of its address."""
    display_name: str
    color: str | None = None
    description: str | None = None
    components: list[str]
    writable: bool = True
    owner: str | None = None
    """Whose it is, where it is not the user's own."""
    transparent: bool = False
    """Whether what is in it leaves its owner free."""
    shared_with: Sequence[Sharee] = ()
    tag: str | None = None
    """Changes with whatever is in the calendar."""
    token: str | None = None
    """With it the server tells what changed since."""
    deleted: str | None = None

    def access_of(self, sharee: str, kind: str) -> "Access | None":
        """Tell what someone it is shared with may do."""
        return next((one.access for one in self.shared_with if (one.id, one.type) == (sharee, kind)), None)

    def takes(self, component: str) -> bool:
        """Tell whether it takes events (VEVENT) or tasks (VTODO); one that does not say takes both."""
        return not self.components or component in self.components


class Collections:
    """The calendars of one user."""

    def __init__(self, dav: Dav, memory: Memory[Any], clock: Callable[[], float] = time.monotonic) -> None:
        self._dav, self._memory, self._clock = dav, memory, clock
        self._kept: tuple[list[Calendar], float] | None = None

    def _forget(self) -> None:
        self._kept = None
        self._memory.forget()

    async def every(self) -> list[Calendar]:
        """List all calendars, those in the bin too, as they are now."""
        at = await self._dav.at("calendars/{user}/")
        user = at.parts["user"]
        found = without_folder(await self._dav.propfind(at, *_PROPERTIES, depth=1), f"calendars/{user}")
        made = [_calendar(one, str(user)) for one in found if _is_calendar(one)]
        self._kept = (made, self._clock() + AGE)
        return made

    async def list(self, component: str | None = None) -> list[Calendar]:
        """List the calendars that are not in the bin, or those of them that take a component."""
        return [one for one in await self.every() if not one.deleted and (component is None or one.takes(component))]

    async def get(self, wanted: str) -> Calendar:
        """Return a calendar by its name, or by what people call it; it may be up to a minute old."""
        if self._kept is not None and self._clock() < self._kept[1]:
            found = _chosen([one for one in self._kept[0] if not one.deleted], wanted)
            if found is not None:
                return found
        here = await self.list()
        found = _chosen(here, wanted)
        if found is None:
            problem = explain_unknown("calendar", wanted, [one.name for one in here], of="This account")
            raise NotFound(problem, status=404, next_step="list_calendars shows what there is.")
        return found

    async def get_now(self, wanted: str) -> Calendar:
        """Return a calendar as it is at this moment, for who decides by it whether there is anything to change."""
        self._kept = None
        return await self.get(wanted)

    async def to_write(self, wanted: str, component: str) -> Calendar:
        """Return a calendar to write events or tasks into, or say why it is none."""
        found = await self.get(wanted)
        if not found.writable:
            raise Refused(
                f"The calendar {found.display_name!r} can only be read.", status=403, next_step="Choose another one."
            )
        if not found.takes(component):
            kind = {"VEVENT": "events", "VTODO": "tasks"}.get(component, component)
            raise Refused(
                f"The calendar {found.display_name!r} takes no {kind}.", status=403, next_step="Choose another one."
            )
        return found

    async def create(
        self, title: str, *, description: str = "", color: str = "", components: Sequence[str] = ("VEVENT", "VTODO")
    ) -> Calendar:
        """Make a calendar; its address is made of its title."""
        taken = {one.name: one for one in await self.every()}
        made = _free_name(title, set(taken))
        properties = _properties(title, description or None, color or None)
        comps = [element("cal:comp", name=component) for component in components]
        properties.append(element("cal:supported-calendar-component-set", comps))
        body = element("cal:mkcalendar", [element("d:set", [element("d:prop", properties)])])
        at = await self._dav.at("calendars/{user}/{calendar}/", calendar=made)
        self._forget()
        answer = await self._dav.request(
            "MKCALENDAR", at, content=serialize_xml(body), headers=_XML, nature=Nature.ADDS
        )
        if answer.status == 405:
            raise Conflict(f"There is a calendar {made!r} already.", status=405)
        self._dav.good(answer)
        return await self.get(made)

    async def update(
        self, wanted: str, *, title: str | None = None, description: str | None = None, color: str | None = None
    ) -> Calendar:
        """Change what is given of a calendar; an empty description is none. Equal values change nothing."""
        old = await self.get_now(wanted)
        given = {"display_name": title, "description": description, "color": color}
        news = {key: value for key, value in given.items() if value is not None}
        if not news:
            raise BadInput("There is nothing to change.", next_step="Give a display_name, a description or a color.")
        if title is not None and not title.strip():
            raise BadInput("A calendar needs a name.")
        if all((getattr(old, key) or "") == value for key, value in news.items()):
            return old
        at = await self._dav.at("calendars/{user}/{calendar}/", calendar=old.name)
        self._forget()
        await self._dav.set_properties(at, _properties(title, description, color))
        return await self.get(old.name)

    async def delete(self, wanted: str) -> Calendar:
        """Delete a calendar of the user's, which goes to the bin, or give one back that others share."""
        old = await self.get(wanted)
        self._forget()
        self._dav.good(await self._dav.delete(await self._dav.at("calendars/{user}/{calendar}/", calendar=old.name)))
        return old

    async def share(self, wanted: str, sharee: str, kind: Literal["user", "group"], access: Access | None) -> Calendar:
        """Let someone see a calendar, or no longer; whom Nextcloud does not know it passes over, which is an error."""
        calendar = await self.get_now(wanted)
        if calendar.owner:
            raise Refused(f"{calendar.display_name!r} is {calendar.owner}'s calendar.", status=403, next_step="")
        before = calendar.access_of(sharee, kind)
        if before == access:
            return calendar
        href = element("d:href", f"principal:principals/{kind}s/{sharee}")
        if access is None:
            action, nature = element("oc:remove", [href]), Nature.REPLACES
        else:
            right = element("oc:read-write" if access == "write" else "oc:read")
            # Who sees it already gets another right, and the old one is gone.
            action, nature = element("oc:set", [href, right]), Nature.REPLACES if before else Nature.ADDS
        at = await self._dav.at("calendars/{user}/{calendar}/", calendar=calendar.name)
        await self._share(at, element("oc:share", [action]), nature)
        now = await self.get(calendar.name)
        if now.access_of(sharee, kind) != access:
            raise NotFound(
                f"Nextcloud has no {kind} {sharee!r}, and shared nothing.",
                status=404,
                next_step="nc_share_search_recipients finds people and groups.",
            )
        return now

    async def _share(self, at: Path, body: Element, nature: Nature) -> None:
        self._forget()
        answer = await self._dav.request("POST", at, content=serialize_xml(body), headers=_XML, nature=nature)
        if answer.status >= 400:
            raise self._dav.error(answer)
        if answer.status != 200:
            raise ApiError(f"Nextcloud answered {answer.status} to the sharing of a calendar.", status=answer.status)

    async def restore(self, wanted: str) -> Calendar:
        """Bring a calendar back out of the bin, with all that is in it."""
        binned = [one for one in await self.every() if one.deleted]
        found = _chosen(binned, wanted)
        if found is None:
            raise NotFound(f"There is no calendar {wanted!r} in the trash bin.", status=404, next_step="")
        source = await self._dav.at("calendars/{user}/{calendar}/", calendar=found.name)
        target = await self._dav.at("calendars/{user}/trashbin/restore/file")
        self._forget()
        self._dav.good(await self._dav.transfer("MOVE", source, target, headers={}, nature=Nature.ADDS))
        return await self.get(found.name)


def _properties(title: str | None, description: str | None, color: str | None) -> list[Element]:
    if color is not None and not _COLOR.fullmatch(color):
        raise BadInput(f"{color!r} is not a colour.", next_step="Use one such as #1976D2.")
    given = {"d:displayname": title, "cal:calendar-description": description, "ical:calendar-color": color}
    return [element(short, value) for short, value in given.items() if value is not None]


def _free_name(title: str, taken: set[str]) -> str:
    """Make the last part of an address of a title; deleted calendars keep theirs."""
    if not title.strip():
        raise BadInput("A calendar needs a name.")
    stem = _NAME.sub("-", title.lower()).strip("-")[:50] or "calendar"
    reserved = taken | {"inbox", "outbox", "trashbin", "personal"}
    return next(one for one in chain([stem], (f"{stem}-{number}" for number in count(2))) if one not in reserved)


def _chosen(calendars: Sequence[Calendar], wanted: str) -> Calendar | None:
    for one in calendars:
        if one.name == wanted:
            return one
    called = [one for one in calendars if one.display_name.casefold() == wanted.strip().casefold()]
    if len(called) > 1:
        names = ", ".join(one.name for one in called)
        raise BadInput(f"Several calendars are called {wanted!r}: {names}.", next_step="Use one of these names.")
    return called[0] if called else None


def _is_calendar(one: Resource) -> bool:
    kinds = one.found.get(name("d:resourcetype"))
    return kinds is not None and any(
        kinds.find(name(kind)) is not None for kind in ("cal:calendar", "ncc:deleted-calendar")
    )


def _calendar(one: Resource, user: str) -> Calendar:
    comps = one.found.get(name("cal:supported-calendar-component-set"))
    transparency = one.found.get(name("cal:schedule-calendar-transp"))
    owner = (one.text("oc:owner-principal") or "").rpartition("/")[2]
    uri = one.place.rpartition("/")[2]
    return Calendar(
        name=uri,
        display_name=one.text("d:displayname") or uri,
        color=one.text("ical:calendar-color"),
        description=one.text("cal:calendar-description"),
        components=[] if comps is None else [comp.get("name") or "" for comp in comps],
        writable=_writable(one),
        owner=owner if owner not in ("", user) else None,
        transparent=transparency is not None and transparency.find(name("cal:transparent")) is not None,
        shared_with=_sharees(one),
        tag=one.text("cs:getctag"),
        token=one.text("d:sync-token"),
        deleted=one.text("ncc:deleted-at"),
    )


def _writable(one: Resource) -> bool:
    """Tell whether the user may write into it; a server that says nothing of rights will tell when it is tried."""
    rights = one.found.get(name("d:current-user-privilege-set"))
    return rights is None or any(next(rights.iter(name(right)), None) is not None for right in _WRITES)


def _sharees(one: Resource) -> list[Sharee]:
    invite = one.found.get(name("oc:invite"))
    return [] if invite is None else [_sharee(user) for user in invite.iterfind(name("oc:user"))]


def _sharee(user: Element) -> Sharee:
    kind, _, who = (user.findtext(name("d:href")) or "").removeprefix("principal:principals/").partition("/")
    writes = user.find(f"{name('oc:access')}/{name('oc:read-write')}") is not None
    return Sharee(
        id=who,
        type="group" if kind == "groups" else "user",
        name=user.findtext(name("oc:common-name")) or who,
        access="write" if writes else "read",
    )
