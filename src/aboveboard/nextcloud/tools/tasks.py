"""Tasks, which calendars hold."""

from typing import Annotated, Literal

from pydantic import Field

from aboveboard.effects import ADD, DELETE, READ, REPLACE, RUN
from aboveboard.kit.gone import Gone
from aboveboard.kit.toolset import Toolset
from aboveboard.nextcloud.client import NextcloudClient
from aboveboard.nextcloud.client.calendar.alarms import Reminder
from aboveboard.nextcloud.client.calendar.fields import Fields, split_words
from aboveboard.nextcloud.client.calendar.todo_changes import TodoChanges
from aboveboard.nextcloud.client.calendar.todos import Todo, WantedTodos
from aboveboard.nextcloud.client.model import Model
from aboveboard.nextcloud.tools.calendar.area import task_url
from aboveboard.nextcloud.tools.gone import from_the_calendar_bin

tools = Toolset[NextcloudClient](
    "tasks", title="Tasks", icon="M4 4h16v16H4zm6 12 8-8-1-1-7 7-3-3-1 1z", prefix="nc_calendar_"
)

CalendarName = Annotated[str, Field(description="Name or display name; not every one takes tasks.")]
Uid = Annotated[str, Field(description="Its uid or summary.")]
Status = Literal["NEEDS-ACTION", "IN-PROCESS", "COMPLETED", "CANCELLED"]
OfStatus = Annotated[Status | None, Field(description="Only these.")]
Urgent = Annotated[int | None, Field(description="Only with at least this priority; 1 is the highest.", ge=1, le=9)]
InCategories = Annotated[str | None, Field(description="Only in one of these, by commas.")]
Containing = Annotated[str | None, Field(description="Only with this in the summary.")]
Limit = Annotated[int, Field(description="At most.", ge=1, le=500)]
Offset = Annotated[int, Field(description="next_offset of the page before.", ge=0)]
Categories = Annotated[str | None, Field(description="All, by commas.")]
Text = Annotated[str | None, Field(description="Text.")]
Priority = Annotated[int | None, Field(description="1 high, 9 low, 0 none.", ge=0, le=9)]
Day = Annotated[str | None, Field(description="2026-03-30, or with a time, in your zone unless it has an offset.")]
Rule = Annotated[str | None, Field(description="Such as FREQ=WEEKLY.")]
Parent = Annotated[str | None, Field(description="Task that it is a part of (uid or summary).")]
Reminders = Annotated[list[Reminder] | None, Field(description="All reminders; empty: none.")]
Etag = Annotated[str | None, Field(description="Only if it is still this state of it.")]


class TodoList(Model):
    """A page of tasks; without `next_offset` it is the last."""

    items: list[Todo]
    total: int
    next_offset: int | None = None


class ChangedTodo(Todo):
    """A task after a call."""

    changed: bool | None = None
    """False where everything was so already, and nothing was written."""
    note: str | None = None
    link: str | None = None
    """Where people open its calendar in the Tasks app; url is a web address of its own."""


class DeletedTodo(Gone):
    """A task that is gone."""

    calendar_name: str
    uid: str


TODO = Todo(uid="6f1d...", calendar_name="tasks", summary="Sow beans", due="2026-03-30")
CHANGED = ChangedTodo.model_validate({**TODO.model_dump(), "etag": "9b43ff..."})
GONE = DeletedTodo(
    gone="Sow beans",
    to_get_back="nc_calendar_restore_from_trash with {...} brings it back.",
    calendar_name="tasks",
    uid="6f1d...",
)
LIST = TodoList(items=[TODO], total=1)
_ASSUMED = "Times without an offset are taken in your zone in Nextcloud."


@tools.tool("List Todo Tasks", READ, example=LIST, core=True)
async def list_todos(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    status: OfStatus = None,
    min_priority: Urgent = None,
    categories: InCategories = None,
    summary_contains: Containing = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TodoList:
    """List the tasks of a calendar, what is due first at the top; one that repeats shows its next time."""
    wanted = _wanted(status, min_priority, categories, summary_contains)
    return _page(await nextcloud.todos.find(calendar_name, wanted), limit, offset)


@tools.tool("Search Todo Tasks", READ, example=LIST)
async def search_todos(
    nextcloud: NextcloudClient,
    status: OfStatus = None,
    min_priority: Urgent = None,
    categories: InCategories = None,
    summary_contains: Containing = None,
    limit: Limit = 100,
    offset: Offset = 0,
) -> TodoList:
    """Find tasks in all calendars, what is due first at the top."""
    wanted = _wanted(status, min_priority, categories, summary_contains)
    return _page(await nextcloud.todos.find(None, wanted), limit, offset)


@tools.tool("Create Todo Task", ADD, example=CHANGED, core=True)
async def create_todo(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    summary: Annotated[str, Field(description="What is to be done.", min_length=1)],
    description: Text = None,
    status: Annotated[Status, Field(description="How far it is.")] = "NEEDS-ACTION",
    priority: Priority = None,
    due: Day = None,
    dtstart: Day = None,
    categories: Categories = None,
    recurrence_rule: Rule = None,
    parent_uid: Parent = None,
    reminders: Reminders = None,
) -> ChangedTodo:
    """Create a task, or a part of another one. Due and start are both days or both times."""
    fields = Fields(
        title=summary,
        description=description or None,
        status=status,
        priority=priority or None,
        categories=split_words(categories or "") or None,
    )
    changes = TodoChanges(
        fields=fields,
        start=dtstart or None,
        due=due or None,
        rule=recurrence_rule or None,
        parent=parent_uid or None,
        reminders=reminders,
    )
    made, assumed = await nextcloud.todos.create(calendar_name, changes)
    return _changed(nextcloud, made, note=_ASSUMED if assumed else None)


@tools.tool("Update Todo Task", REPLACE, example=CHANGED)
async def update_todo(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    todo_uid: Uid,
    summary: Annotated[str | None, Field(description="What is to be done.", min_length=1)] = None,
    description: Text = None,
    status: Annotated[Status | None, Field(description="How far it is.")] = None,
    priority: Priority = None,
    percent_complete: Annotated[int | None, Field(description="100: completed.", ge=0, le=100)] = None,
    due: Day = None,
    dtstart: Day = None,
    completed: Annotated[str | None, Field(description="When it was; empty: not yet.")] = None,
    categories: Categories = None,
    recurrence_rule: Rule = None,
    parent_uid: Parent = None,
    reminders: Reminders = None,
    etag: Etag = None,
) -> ChangedTodo:
    """Replace what is given of a task; an empty text clears it, and all else in it stays, to the byte.

    Status, percent_complete and completed are kept in step. A status of COMPLETED ends a task that repeats for good:
    complete_todo moves it on.
    """
    fields = Fields(
        title=summary,
        description=description,
        status=status,
        priority=priority,
        categories=None if categories is None else split_words(categories),
    )
    changes = TodoChanges(
        fields=fields,
        percent=percent_complete,
        start=dtstart,
        due=due,
        completed=completed,
        rule=recurrence_rule,
        parent=parent_uid,
        reminders=reminders,
    )
    todo, changed, assumed = await nextcloud.todos.update(calendar_name, todo_uid, changes, etag=etag)
    return _changed(nextcloud, todo, changed=changed, note=_ASSUMED if assumed else None)


# Each call moves a task that repeats on by one.
@tools.tool("Complete Todo Task", RUN, example=CHANGED)
async def complete_todo(
    nextcloud: NextcloudClient,
    calendar_name: CalendarName,
    todo_uid: Uid,
    completed: Annotated[str | None, Field(description="When; left out: now.")] = None,
    etag: Etag = None,
) -> ChangedTodo:
    """Complete a task: status, percentage and time; tasks that are parts of it stay as they are.

    One that repeats moves on to its next time, start and due alike, and is completed with the last one.
    """
    todo, changed = await nextcloud.todos.complete(calendar_name, todo_uid, completed=completed, etag=etag)
    note = None if todo.status == "COMPLETED" else f"It repeats, and is to be done again by {todo.due or todo.start}."
    return _changed(nextcloud, todo, changed=changed, note=note)


@tools.tool("Delete Todo Task", DELETE, example=GONE)
async def delete_todo(nextcloud: NextcloudClient, calendar_name: CalendarName, todo_uid: Uid) -> DeletedTodo:
    """Delete a task, which the trash bin of calendars keeps for a while; tasks that are parts of it stay."""
    gone = await nextcloud.todos.delete(calendar_name, todo_uid)
    back = await from_the_calendar_bin(nextcloud, gone.calendar_name, todo_uid)
    return DeletedTodo(gone=gone.summary, to_get_back=back, calendar_name=calendar_name, uid=todo_uid)


def _wanted(status: Status | None, priority: int | None, categories: str | None, text: str | None) -> WantedTodos:
    names = split_words(categories or "")
    return WantedTodos(status=status, min_priority=priority, categories=names or None, text=text or None)


def _page(found: list[Todo], limit: int, offset: int) -> TodoList:
    end = offset + limit
    return TodoList(items=found[offset:end], total=len(found), next_offset=end if len(found) > end else None)


def _changed(nextcloud: NextcloudClient, todo: Todo, *, changed: bool = True, note: str | None = None) -> ChangedTodo:
    link = task_url(nextcloud, todo.calendar_name, todo.file)
    said = {"changed": None if changed else False, "note": note, "link": link}
    return ChangedTodo.model_validate({**todo.model_dump(), **said})
